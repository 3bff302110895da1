package yaytpl

import "github.com/yaytpl/yaytpl/value"

// sameData reports whether two values are the same to whoever edits a document: of one
// kind, with one tag, and equal; a map in any order. A value that cannot be worked out is
// the same as no other.
func sameData(a, b value.Value) bool {
	same, err := value.Same(a, b)
	return same && err == nil
}
