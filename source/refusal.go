package source

// A Reason says why an edit that is well formed cannot be written. Reasons are stable:
// programs match on them (spec: roundtrip, section 4).
type Reason string

// The reasons for which a change cannot be written into the files of a document.
const (
	SharedSource      Reason = "shared-source"       // other values use the same definition, and would change with it
	ListNotAppendable Reason = "list-not-appendable" // items of a spliced list were changed: no override in the list can say that
	NeedsInline       Reason = "no-inline"           // it can only be changed by expanding a directive, which is not allowed
	SourceReadonly    Reason = "source-readonly"     // its definition is read-only: at a URL, by a program, outside of the roots
	RawIncluded       Reason = "raw-included"        // it is included raw, so that an override would become a part of it
	BaseRemoved       Reason = "template-removed"    // it was removed, and other values still refer to it
	ResultOfExpr      Reason = "expression"          // an expression or a template computes it, and the result was edited
	NotVerified       Reason = "not-verified"        // the new text does not evaluate to the value
	NoSpelling        Reason = "no-spelling"         // the file format cannot express the value, such as an infinite number in JSON
	LosesComments     Reason = "loses-comments"      // the place can only be written from scratch, which would lose comments
	InClear           Reason = "secret-in-clear"     // it is a secret, and the file is not encrypted
)

// The reasons that only edits of one text have.
const (
	ThroughAlias Reason = "through-alias" // the path leads through an alias: the edit would change the anchor's value everywhere
	ThroughMerge Reason = "through-merge" // the path leads through "<<"
	AnchorInUse  Reason = "anchor-in-use" // what would be deleted has an anchor that is used elsewhere
	NeedsBody    Reason = "needs-body"    // the statement around it would be left empty
)

// Meaning returns the reason in words, such as "an expression or a template computes it".
func (r Reason) Meaning() string {
	switch r {
	case SharedSource:
		return "other values use the same definition"
	case ListNotAppendable:
		return "items that a directive puts into a list can only be changed by expanding it"
	case NeedsInline:
		return "it can only be changed by expanding the directive"
	case SourceReadonly:
		return "its definition is read-only"
	case RawIncluded:
		return "it is included raw, so it cannot be overridden"
	case BaseRemoved:
		return "other values still refer to it"
	case ResultOfExpr:
		return "an expression or a template computes it"
	case NotVerified:
		return "no edit of the file produces this value"
	case NoSpelling:
		return "the file format cannot express it"
	case LosesComments:
		return "writing it would lose comments"
	case InClear:
		return "it is a secret, and the file is not encrypted"
	case ThroughAlias:
		return "its path leads through an alias, so the value would change wherever the anchor is used"
	case ThroughMerge:
		return `its path leads through "<<", so the value would change wherever the anchor is used`
	case AnchorInUse:
		return "it has an anchor that is used elsewhere"
	case NeedsBody:
		return "the statement around it would be left empty"
	}
	return string(r)
}

// A Refusal is the cause of the error of an edit that is well formed and was refused.
type Refusal struct{ Reason Reason }

// Error returns the reason.
func (r *Refusal) Error() string { return string(r.Reason) }

// Refuse makes a Diagnostic of code output whose cause is a [Refusal].
func Refuse(at Span, reason Reason, format string, args ...any) *Diagnostic {
	d := Errorf(at, Output, format, args...)
	d.Cause = &Refusal{reason}
	return d
}
