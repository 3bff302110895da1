package roundtrip

import "github.com/yaytpl/yaytpl/source"

// A Reason says why an edit was refused that has a meaning.
type Reason string

// The reasons.
const (
	// ThroughAlias: the path leads through an alias, so that the edit would change
	// what the anchor stands for, wherever it is used.
	ThroughAlias Reason = "through-alias"

	// ThroughMerge: the edit would change what "<<" brings.
	ThroughMerge Reason = "through-merge"

	// AnchorInUse: what would go has an anchor that is used elsewhere.
	AnchorInUse Reason = "anchor-in-use"

	// NoSpelling: the notation cannot express the value, as JSON an infinite number.
	NoSpelling Reason = "no-spelling"

	// LosesComments: the place is written in a way that can only be edited by writing
	// it anew, and comments would be lost.
	LosesComments Reason = "loses-comments"

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
