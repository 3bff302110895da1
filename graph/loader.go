package graph

import (
	"path/filepath"
	"strings"

	"github.com/yaytpl/yaytpl/source"
)

// A Doc is one document as a front end lowered it. It is immutable.
type Doc struct {
	File *source.File
	Root Node // nil for an empty document

	// Anchors are the nodes with a name, the last definition of each.
	Anchors map[string]Node

	// Includes are the files that the document names literally, in source order:
	// their anchors can be referred to.
	Includes []*Ref

	// Base is what relative names in the document are relative to: a directory or
	// a URL.
	Base string

	// Head and Foot are comments that stand apart from the content.
	Head, Foot string

	// Off are features of its language that the file does without.
	Off map[string]bool

	// Lang is the language the document was written in.
	Lang string
}

// BaseOf returns the Base of documents in a file, "" for a text that is in none.
func BaseOf(f *source.File) string {
	switch {
	case f.Path != "":
		return filepath.Dir(f.Path)
	case strings.HasPrefix(f.Name, "http://"), strings.HasPrefix(f.Name, "https://"):
		return f.Name[:strings.LastIndexByte(f.Name, '/')+1]
	}
	return ""
}

// An Origin says how a document came to take part: the file and the chain of
// includes that led to it. It is shared by everything that came the same way.
type Origin struct {
	Doc   *Doc
	Ref   *Ref    // the include that brought it, nil for a root layer
	Outer *Origin // where that include stands
	Layer string  // name of the root layer, such as "-D"
	Depth int

	at *Cell // where the include lies, nil for a root layer
}

// liesOn reports whether the document was put on c as a whole.
func (o *Origin) liesOn(c *Cell) bool { return o.at == c || o.at == nil && c.up == nil }

// Includes returns the places of the includes that led to o, innermost first.
func (o *Origin) Includes() []source.Span {
	var spans []source.Span
	for ; o != nil && o.Ref != nil && len(spans) < maxIncludeNotes; o = o.Outer {
		spans = append(spans, o.Ref.FileAt)
	}
	return spans
}

const maxIncludeNotes = 50

// A Loader finds the documents that includes name.
type Loader interface {
	// Load returns the document that ref names from a document at from. A file
	// that does not exist is a Diagnostic with code missing-include.
	Load(ref *Ref, from *Doc) (*Doc, error)
}
