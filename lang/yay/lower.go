package yay

import (
	"path/filepath"
	"strings"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Lower turns a tree into a document of the graph.
func Lower(t *Tree) *graph.Doc {
	l := lowering{}
	if t.File.Secret {
		l.marks = value.Secret
	}
	doc := &graph.Doc{File: t.File, Base: baseOf(t.File), Lang: Language}
	doc.Root = l.block(t.Root, wholeValue)
	return doc
}

// Language is the name of the language.
const Language = "yay"

// baseOf returns what relative names in f are relative to, if the search path does
// not have them.
func baseOf(f *source.File) string {
	switch {
	case f.Path != "":
		return filepath.Dir(f.Path)
	case isURL(f.Name):
		return f.Name[:strings.LastIndexByte(f.Name, '/')+1]
	}
	return ""
}

func isURL(name string) bool {
	scheme, _, ok := strings.Cut(name, "://")
	return ok && scheme != ""
}

type lowering struct{ marks value.Marks }
