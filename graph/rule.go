package graph

// A Rule says how layers of a join come together. It belongs to the join, because
// the languages differ; the evaluator knows no language.
type Rule struct {
	Name string

	// AppendLists puts an older and a newer list together, without the items that
	// the older one has already. Otherwise the newer list hides the older.
	AppendLists bool

	// NullKeepsMap lets a null that was written over a map add nothing to it.
	// Otherwise null is a value like any other.
	NullKeepsMap bool

	// Typed makes it an error to put a map or an addition to a list over something
	// else. A computed value below them is worked out to see what it is.
	Typed bool

	// ConcatLists puts a newer list behind the items of an older one.
	ConcatLists bool

	// Below is the rule of what the joined maps have under one key, nil for the
	// same.
	Below *Rule
}

func (r *Rule) below() *Rule {
	if r != nil && r.Below != nil {
		return r.Below
	}
	return r
}

// replaces reports whether a list takes the place of what is older.
func (r *Rule) replaces(s *Seq) bool { return s.Replace || !r.AppendLists && !r.ConcatLists }

// The rules of the joins.
var (
	// MergeRule is that of merge directives and of several files (spec: merge,
	// section 6).
	MergeRule = &Rule{Name: "merge", AppendLists: true, NullKeepsMap: true}

	// StackRule is that of repeated keys in Yay: maps join deeply, everything
	// else hides what is older (spec: yay, section 6.1).
	StackRule = &Rule{Name: "stack", Typed: true}

	// BlockRule is that of the stanzas of one block in Yay: lists follow each
	// other.
	BlockRule = &Rule{Name: "block", Typed: true, ConcatLists: true, Below: StackRule}
)
