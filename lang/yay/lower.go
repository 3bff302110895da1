package yay

import (
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/value"
)

// Lower turns a tree into a document of the graph.
func Lower(t *Tree) *graph.Doc {
	l := lowering{}
	if t.File.Secret {
		l.marks = value.Secret
	}
	doc := &graph.Doc{File: t.File, Base: graph.BaseOf(t.File), Lang: Language}
	doc.Root = l.block(t.Root, wholeValue)
	return doc
}

// Language is the name of the language.
const Language = "yay"

// A lowering turns the blocks of one text into nodes. Its marks are those of every value
// in the text.
type lowering struct{ marks value.Marks }
