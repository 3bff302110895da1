// Package bigfile answers questions about a big file from its text, where that can be done
// without parsing all of it: what one constant path leads to.
package bigfile

import (
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// minSize is the size in bytes from which on looking up a path in the text is worth it.
const minSize = 256 << 10

// A Text is a big file that is not parsed.
type Text struct {
	File   *source.File
	lookup func(keys []value.Key) (value.Value, bool)
}

// Lookup returns the value at a path. It returns false where the parsed document has to
// decide: at the root; where anything on the way or in what is found is more than data;
// where nothing is found.
func (t *Text) Lookup(keys []value.Key) (value.Value, bool) {
	if len(keys) == 0 {
		return value.Null, false
	}
	return t.lookup(keys)
}
