package yaytpl

import (
	"strings"

	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// YAMLSyntax returns YAML for edits of texts: see [roundtrip.Apply].
func YAMLSyntax(opts yaml.ParseOptions) roundtrip.Syntax { return yamlSyntax{opts} }

// JSONSyntax returns JSON for edits of texts: see [roundtrip.Apply].
func JSONSyntax(opts yaml.ParseOptions) roundtrip.Syntax { return jsonSyntax{opts} }

type yamlSyntax struct{ opts yaml.ParseOptions }

// Parse implements [roundtrip.Syntax].
func (s yamlSyntax) Parse(f *source.File) ([]roundtrip.Document, error) {
	docs, diags := yaml.Parse(f, s.opts)
	return showDocuments(docs, diags, s.fragment)
}

// fragment reads lines of a document with the switches of its file.
func (s yamlSyntax) fragment(text string, options map[string]bool) ([]*yaml.Document, []*source.Diagnostic) {
	opts := s.opts
	if on, set := options["templates"]; set && !on {
		opts.NoTemplates = true
	}
	return yaml.Parse(source.NewFile("", text), opts)
}

// Blocks implements [roundtrip.Syntax].
func (yamlSyntax) Blocks() bool { return true }

// ScalarText implements [roundtrip.Syntax].
func (yamlSyntax) ScalarText(v value.Value, style roundtrip.Style, flow bool) (string, bool) {
	return yaml.ScalarText(v, yaml.Style(style), flow)
}

// BlockText implements [roundtrip.Syntax].
func (yamlSyntax) BlockText(text string, style roundtrip.Style, width int) (roundtrip.BlockText, bool) {
	b, ok := yaml.BlockTextOf(text, yaml.Style(style), width)
	return roundtrip.BlockText(b), ok
}

type jsonSyntax struct{ opts yaml.ParseOptions }

// Parse implements [roundtrip.Syntax].
func (s jsonSyntax) Parse(f *source.File) ([]roundtrip.Document, error) {
	docs, diags := yaml.ParseJSON(f, s.opts)
	return showDocuments(docs, diags, func(text string, _ map[string]bool) ([]*yaml.Document, []*source.Diagnostic) {
		return yaml.ParseJSON(source.NewFile("", text), s.opts)
	})
}

// Blocks implements [roundtrip.Syntax].
func (jsonSyntax) Blocks() bool { return false }

// ScalarText implements [roundtrip.Syntax]. JSON has one form for each value.
func (jsonSyntax) ScalarText(v value.Value, _ roundtrip.Style, _ bool) (string, bool) {
	var b strings.Builder
	if !v.IsScalar() {
		return "", false
	}
	err := yaml.EncodeJSON(&b, v, yaml.EncodeOptions{Reveal: true, Compact: true})
	return strings.TrimSuffix(b.String(), "\n"), err == nil
}

// BlockText implements [roundtrip.Syntax].
func (jsonSyntax) BlockText(string, roundtrip.Style, int) (roundtrip.BlockText, bool) {
	return roundtrip.BlockText{}, false
}

// showDocuments shows parsed documents to roundtrip. A text with errors is not edited.
func showDocuments(docs []*yaml.Document, diags []*source.Diagnostic, read fragmentReader) ([]roundtrip.Document, error) {
	for _, d := range diags {
		if d.Severity == source.Error {
			return nil, d
		}
	}
	out := make([]roundtrip.Document, len(docs))
	for i, d := range docs {
		out[i] = yamlDocument{d, read}
	}
	return out, nil
}

type fragmentReader func(text string, options map[string]bool) ([]*yaml.Document, []*source.Diagnostic)

// A yamlDocument is a document of lang/yaml as roundtrip sees it.
type yamlDocument struct {
	doc  *yaml.Document
	read fragmentReader
}

// Root implements [roundtrip.Document].
func (d yamlDocument) Root() roundtrip.Node { return showNode(d.doc.Root) }

// At implements [roundtrip.Document].
func (d yamlDocument) At() source.Span { return d.doc.At }

// Fragment implements [roundtrip.Document].
func (d yamlDocument) Fragment(text string) (roundtrip.Node, error) {
	docs, diags := d.read(text, d.doc.Options)
	for _, diag := range diags {
		if diag.Severity == source.Error {
			return nil, diag
		}
	}
	if len(docs) != 1 {
		return nil, source.Errorf(d.doc.At, source.Syntax, "the lines are no part of one document")
	}
	return showNode(docs[0].Root), nil
}

// A yamlNode is a node of lang/yaml as roundtrip sees it.
type yamlNode struct{ node *yaml.Node }

func showNode(n *yaml.Node) roundtrip.Node {
	if n == nil {
		return nil
	}
	return yamlNode{n}
}

// Kind implements [roundtrip.Node].
func (n yamlNode) Kind() roundtrip.Kind { return roundtrip.Kind(n.node.Kind) }

// Style implements [roundtrip.Node].
func (n yamlNode) Style() roundtrip.Style { return roundtrip.Style(n.node.Style) }

// At implements [roundtrip.Node].
func (n yamlNode) At() source.Span { return n.node.At }

// Tag implements [roundtrip.Node].
func (n yamlNode) Tag() (string, source.Span) { return n.node.Tag, n.node.TagAt }

// Anchor implements [roundtrip.Node].
func (n yamlNode) Anchor() (string, source.Span) { return n.node.Anchor, n.node.AnchorAt }

// Target implements [roundtrip.Node].
func (n yamlNode) Target() roundtrip.Node { return showNode(n.node.Target) }

// Scalar implements [roundtrip.Node].
func (n yamlNode) Scalar() value.Value { return n.node.Value }

// Len implements [roundtrip.Node].
func (n yamlNode) Len() int { return len(n.node.Entries) + len(n.node.Items) }

// Entry implements [roundtrip.Node].
func (n yamlNode) Entry(i int) roundtrip.Entry {
	e := &n.node.Entries[i]
	return roundtrip.Entry{Key: e.Key, KeyNode: showNode(e.KeyNode), Value: showNode(e.Value), Merge: e.Merge}
}

// Item implements [roundtrip.Node].
func (n yamlNode) Item(i int) roundtrip.Node { return showNode(n.node.Items[i]) }
