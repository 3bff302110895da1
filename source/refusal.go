package source

// A Reason says why an edit that is well formed cannot be written. Reasons are stable:
// programs match on them (spec: roundtrip, section 4).
type Reason string

// The reasons for which a change cannot be written into the files of a document.
const (
	SharedSource      Reason = "shared-source"       // other values depend on the place that defines it, and would change with it
	ListNotAppendable Reason = "list-not-appendable" // items of an included list were removed or moved, and a list can only be added to
	NeedsInline       Reason = "no-inline"           // only expanding a directive would do, and that is not allowed
	SourceReadonly    Reason = "source-readonly"     // it is defined where nothing can be written: at a URL, by a program, outside of the roots
	RawIncluded       Reason = "raw-included"        // it is included raw, where an override would become a part of it
	BaseRemoved       Reason = "template-removed"    // it was removed, and something that stays is built on it
	ResultOfExpr      Reason = "expression"          // an expression or a template computes it, and its result was changed
	NotVerified       Reason = "not-verified"        // the new text was read again and does not evaluate to the value
	NoSpelling        Reason = "no-spelling"         // the notation of the file cannot express the value, as JSON an infinite number
	LosesComments     Reason = "loses-comments"      // the place can only be written anew, and comments would be lost
)

// The reasons that only edits of one text have.
const (
	ThroughAlias Reason = "through-alias" // the path leads through an alias: the edit would change the anchor's value everywhere
	ThroughMerge Reason = "through-merge" // the path leads through "<<"
	AnchorInUse  Reason = "anchor-in-use" // what would be deleted has an anchor that is used elsewhere
	NeedsBody    Reason = "needs-body"    // the statement around it would be left without a body
)

// Meaning says in words why a value cannot be written, to follow "because".
func (r Reason) Meaning() string {
	switch r {
	case SharedSource:
		return "other values are built on the place that defines it"
	case ListNotAppendable:
		return "a list that is brought from elsewhere can only be added to"
	case NeedsInline:
		return "only writing out what a directive brings would do"
	case SourceReadonly:
		return "it is defined where nothing can be written"
	case RawIncluded:
		return "it is brought as it is written, so that nothing overrides it"
	case BaseRemoved:
		return "something that stays is built on it"
	case ResultOfExpr:
		return "an expression or a template gives it"
	case NotVerified:
		return "nothing that could be written comes to it"
	case NoSpelling:
		return "the notation of the file has no way to write it"
	case LosesComments:
		return "writing it would take comments away"
	case ThroughAlias:
		return "it is written where an alias points, and would change wherever that is used"
	case ThroughMerge:
		return `it is written where a "<<" points, and would change wherever that is used`
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
