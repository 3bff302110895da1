package yaytpl

// A ConflictReason is why a change cannot be written. Reasons are stable: programs match
// on them (spec: roundtrip, section 4).
type ConflictReason string

// The reasons.
const (
	SharedSource      ConflictReason = "shared-source"       // other values are built on the place that defines it, and would change with it
	ListNotAppendable ConflictReason = "list-not-appendable" // items of a list that is brought were removed or moved, and a list can only be added to
	NeedsInline       ConflictReason = "no-inline"           // only writing out what a directive brings would do, and that is not to be done
	SourceReadonly    ConflictReason = "source-readonly"     // it is defined where nothing can be written: at a URL, by a program, outside of the roots
	RawIncluded       ConflictReason = "raw-included"        // it is brought as it is written, where an override would become a part of it
	TemplateRemoved   ConflictReason = "template-removed"    // it was removed, and something that stays is built on it
	ResultOfExpr      ConflictReason = "expression"          // an expression or a template gives it, and its result was changed
	NotVerified       ConflictReason = "not-verified"        // nothing that was tried comes to the value when it is read again
	NoSpelling        ConflictReason = "no-spelling"         // the notation of the file has no way to write the value
	LosesComments     ConflictReason = "loses-comments"      // writing it would take comments away
)

// Meaning says in words why a value cannot be written, for behind "because".
func (r ConflictReason) Meaning() string {
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
	case TemplateRemoved:
		return "something that stays is built on it"
	case ResultOfExpr:
		return "an expression or a template gives it"
	case NotVerified:
		return "nothing that could be written comes to it"
	case NoSpelling:
		return "the notation of the file has no way to write it"
	case LosesComments:
		return "writing it would take comments away"
	}
	return string(r)
}
