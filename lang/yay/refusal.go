package yay

import "github.com/yaytpl/yaytpl/source"

// A Reason says why an edit that has a meaning was refused.
type Reason string

// The reasons.
const (
	// NoLiteral: no constant stands at the place, but an expression, a text with
	// expressions, or a list or mapping with something in it.
	NoLiteral Reason = "expression"

	// NoSpelling: the language has no literal for the value.
	NoSpelling Reason = "no-spelling"

	// LosesComments: a comment behind the key would become a part of the value.
	LosesComments Reason = "loses-comments"

	// NeedsBody: what is around the statement cannot be without it.
	NeedsBody Reason = "needs-body"

	// NotVerified: the new text was read again, and was not what was meant.
	NotVerified Reason = "not-verified"
)

// A Refusal is the cause of the error of an edit that has a meaning and was refused.
type Refusal struct{ Reason Reason }

// Error returns the reason.
func (r *Refusal) Error() string { return string(r.Reason) }

func refuse(at source.Span, reason Reason, format string, args ...any) *source.Diagnostic {
	d := source.Errorf(at, source.Output, format, args...)
	d.Cause = &Refusal{reason}
	return d
}
