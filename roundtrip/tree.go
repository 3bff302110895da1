package roundtrip

import (
	"strings"

	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Syntax is a notation, with the switches of its parser. The zero Syntax is YAML.
type Syntax struct {
	JSON    bool
	Options yaml.ParseOptions
}

// A Text is a text with the documents that it holds.
type Text struct {
	File *source.File
	Docs []*yaml.Document

	syntax Syntax
}

// Parse reads a text to be edited. Anything that is wrong in it is an error.
func Parse(f *source.File, s Syntax) (*Text, error) {
	docs, err := s.parse(f)
	if err != nil {
		return nil, err
	}
	return &Text{File: f, Docs: docs, syntax: s}, nil
}

// parse reads all documents of a text.
func (s Syntax) parse(f *source.File) ([]*yaml.Document, error) {
	parse := yaml.Parse
	if s.JSON {
		parse = yaml.ParseJSON
	}
	docs, diags := parse(f, s.Options)
	for _, d := range diags {
		if d.Severity == source.Error {
			return nil, d
		}
	}
	return docs, nil
}

// fragment reads some whole lines as if they stood in a document. Their first line
// gives the indentation.
func (s Syntax) fragment(doc *yaml.Document, text string) (*yaml.Node, error) {
	if on, set := doc.Options["templates"]; set && !on {
		s.Options.NoTemplates = true
	}
	docs, err := s.parse(source.NewFile("", text))
	if err != nil {
		return nil, err
	}
	if len(docs) != 1 {
		return nil, source.Errorf(doc.At, source.Syntax, "the lines are no part of one document")
	}
	return docs[0].Root, nil
}

// blocks reports whether there is block style, with indentation, comments and keys of
// any kind.
func (s Syntax) blocks() bool { return !s.JSON }

// scalarText writes a scalar on one line, without its tag, and returns false if the
// style cannot hold it. yaml.DoubleQuoted holds every text. JSON has one form for each
// value.
func (s Syntax) scalarText(v value.Value, style yaml.Style, flow bool) (string, bool) {
	if !s.JSON {
		return yaml.ScalarText(v, style, flow)
	}
	if !v.IsScalar() {
		return "", false
	}
	var b strings.Builder
	err := yaml.EncodeJSON(&b, v, yaml.EncodeOptions{Reveal: true, Compact: true})
	return strings.TrimSuffix(b.String(), "\n"), err == nil
}

// kindWord returns the word for a map or list in messages.
func kindWord(k yaml.Kind) string {
	if k == yaml.MapNode {
		return "map"
	}
	return "list"
}

// isEmpty reports whether nothing is written for the value of a node.
func isEmpty(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Style == yaml.Plain && n.At.Start == n.At.End
}

// properties returns the range of the tag and the anchor of a node, and false if it
// has none.
func properties(n *yaml.Node) (start, end int, ok bool) {
	hasAnchor := n.Anchor != "" && n.Kind != yaml.AliasNode
	switch {
	case n.Tag != "" && hasAnchor:
		return int(min(n.TagAt.Start, n.AnchorAt.Start)), int(max(n.TagAt.End, n.AnchorAt.End)), true
	case n.Tag != "":
		return int(n.TagAt.Start), int(n.TagAt.End), true
	case hasAnchor:
		return int(n.AnchorAt.Start), int(n.AnchorAt.End), true
	}
	return 0, 0, false
}

// startOf returns where a node begins, tag and anchor included.
func startOf(n *yaml.Node) int {
	if start, _, ok := properties(n); ok {
		return start
	}
	return int(n.At.Start)
}

// childAt returns the key, whether it is "<<", and the node of entry or item i.
func childAt(n *yaml.Node, i int) (key value.Key, merge bool, child *yaml.Node) {
	if n.Kind == yaml.MapNode {
		e := &n.Entries[i]
		return e.Key, e.Merge, e.Value
	}
	return value.Index(i), false, n.Items[i]
}
