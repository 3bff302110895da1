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
}

// The rules of the joins.
var (
	// MergeRule is that of merge directives and of several files (spec: merge,
	// section 6).
	MergeRule = &Rule{Name: "merge", AppendLists: true, NullKeepsMap: true}

	// StackRule is that of repeated keys in Yay: maps join deeply, everything
	// else hides what is older.
	StackRule = &Rule{Name: "stack"}
)
