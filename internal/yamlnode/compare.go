package yamlnode

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
	yamlv3 "gopkg.in/yaml.v3"
)

// This is the second reader of texts that edits write. A mistake of the writer that our own reader shares
// is only seen by another one: for years other programs read "{+/base:}", which was written for the key
// "+/base" without a value, as the key "+/base:". Both readers make trees of the text. The trees are
// compared as they are written, without any meaning: the kinds of nodes, the texts and styles of scalars,
// explicit tags, anchors and aliases. The types of untagged scalars differ on purpose, since the library
// reads 0644 as YAML 1.1 did.
//
// The readers also differ by faults of the library (docs/dependencies.md), and users have texts with such
// places. So a difference counts only if the old text does not have the same one, and a difference is
// named by what it is, not by where it is: "the key a, not a:" was there before the edit, too.

// A difference says how two readers differ about a node. It quotes texts of the file, so that it is never
// shown.
type difference string

// Differ reports whether lang/yaml and the library read the text now differently, and did not differ in
// the same way about old, the text before an edit. Then at is a place in now. Where the library cannot read
// one of the texts, they do not differ.
func Differ(old, now string, o yaml.ParseOptions) (at source.Span, differ bool) {
	found, ok := differences(now, o)
	if !ok || len(found) == 0 {
		return at, false
	}
	known, ok := differences(old, o)
	if !ok {
		return at, false
	}
	for _, d := range slices.Sorted(maps.Keys(found)) {
		if _, same := known[d]; !same {
			return found[d], true
		}
	}
	return at, false
}

// differences returns how the two readers differ about a text, each with a place, and false if one of
// them cannot read it.
func differences(text string, o yaml.ParseOptions) (found map[difference]source.Span, ok bool) {
	theirs, err := read(text)
	if err != nil {
		return nil, false
	}
	f := source.NewFile("", text)
	docs, diags := yaml.Parse(f, o)
	if slices.ContainsFunc(diags, func(d *source.Diagnostic) bool { return d.Severity == source.Error }) {
		return nil, false
	}
	if len(docs) == 1 && docs[0].Root == nil && len(theirs) == 0 { // an empty text
		return nil, true
	}
	c := comparison{found: map[difference]source.Span{}, targets: map[*yaml.Node]*yamlv3.Node{}}
	if len(docs) != len(theirs) {
		c.differ(f.Span(0, 0), "number of documents", len(theirs)-len(docs))
		return c.found, true
	}
	for i, d := range docs {
		c.node(d.At, d.Root, theirs[i].Content[0])
	}
	return c.found, true
}

// read returns the documents of a text as nodes of the library. A panic of the library is an error.
func read(text string) (docs []*yamlv3.Node, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	dec := yamlv3.NewDecoder(strings.NewReader(text))
	for {
		n := &yamlv3.Node{}
		if err := dec.Decode(n); errors.Is(err, io.EOF) {
			return docs, nil
		} else if err != nil {
			return nil, err
		}
		docs = append(docs, n)
	}
}

// A comparison compares trees of the two readers.
type comparison struct {
	found   map[difference]source.Span
	targets map[*yaml.Node]*yamlv3.Node // nodes with an anchor: ours to theirs
}

func (c *comparison) differ(at source.Span, parts ...any) {
	d := difference(fmt.Sprintf("%q", parts))
	if _, known := c.found[d]; !known {
		c.found[d] = at
	}
}

var kindOf = map[yamlv3.Kind]yaml.Kind{
	yamlv3.ScalarNode: yaml.ScalarNode, yamlv3.MappingNode: yaml.MapNode, yamlv3.SequenceNode: yaml.SeqNode, yamlv3.AliasNode: yaml.AliasNode,
}

// node compares a node with the node of the library. A nil node is an empty value at a place.
func (c *comparison) node(at source.Span, ours *yaml.Node, theirs *yamlv3.Node) {
	if ours == nil {
		if theirs.Kind != yamlv3.ScalarNode || theirs.Value != "" || theirs.Style != 0 || theirs.Anchor != "" {
			c.differ(at, "nothing", theirs.Kind, theirs.Value)
		}
		return
	}
	kind := kindOf[theirs.Kind]
	if ours.Kind != yaml.AliasNode && ours.Anchor != theirs.Anchor { // the library has letters, digits, - and _ in names
		c.differ(ours.At, "anchor", ours.Anchor, theirs.Anchor)
		return
	}
	if kind != ours.Kind {
		if !isTemplate(ours) { // the library reads {{ x }} as maps
			c.differ(ours.At, "kind", ours.Kind, kind)
		}
		return
	}
	if kind == yaml.AliasNode {
		if ours.Anchor != theirs.Value || c.targets[ours.Target] != theirs.Alias {
			c.differ(ours.At, "alias", ours.Anchor, theirs.Value)
		}
		return
	}
	if ours.Anchor != "" {
		c.targets[ours] = theirs
	}
	if tag := explicitTag(theirs); !sameTag(ours.Tag, tag) {
		c.differ(ours.At, "tag", ours.Tag, tag)
	}
	if style := styleOf(theirs); style != ours.Style {
		c.differ(ours.At, "style", ours.Style, style)
	}
	switch kind {
	case yaml.ScalarNode:
		if text, ok := textOf(ours); ok && text != theirs.Value {
			c.differ(ours.At, "text", text, theirs.Value)
		}
	case yaml.SeqNode:
		if n := len(theirs.Content) - ours.Len(); n != 0 {
			c.differ(ours.At, "number of items", n)
			return
		}
		for i, item := range ours.Items {
			c.node(ours.At, item, theirs.Content[i])
		}
	default:
		if n := len(theirs.Content)/2 - ours.Len(); n != 0 {
			c.differ(ours.At, "number of entries", n)
			return
		}
		for i := range ours.Entries {
			e := &ours.Entries[i]
			c.node(e.KeyAt, e.KeyNode(), theirs.Content[2*i])
			c.node(e.KeyAt, e.Value, theirs.Content[2*i+1])
		}
	}
}

// isTemplate reports whether a node is a template without quotes, which only our notation has.
func isTemplate(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Style == yaml.Plain && strings.HasPrefix(n.At.Text(), "{{")
}

// explicitTag returns the tag that is written at a node, in its short form, or "".
func explicitTag(n *yamlv3.Node) string {
	if n.Style&yamlv3.TaggedStyle == 0 {
		return ""
	}
	return n.ShortTag()
}

// sameTag reports whether a tag as we read it and a tag of the library are the same. The library does
// not report the tag "!", and has tags of other characters and verbatim ones decoded: only those that
// need no decoding are compared.
func sameTag(ours, theirs string) bool {
	if ours == "!" || strings.ContainsAny(ours, "<%") || strings.Count(ours, "!") > 2 {
		return true
	}
	return ours == theirs
}

// styleOf returns the style of a node of the library.
func styleOf(n *yamlv3.Node) yaml.Style {
	collection := n.Kind != yamlv3.ScalarNode
	switch {
	case n.Style&yamlv3.FlowStyle != 0:
		return yaml.Flow
	case collection:
		return yaml.Block
	case n.Style&yamlv3.DoubleQuotedStyle != 0:
		return yaml.DoubleQuoted
	case n.Style&yamlv3.SingleQuotedStyle != 0:
		return yaml.SingleQuoted
	case n.Style&yamlv3.LiteralStyle != 0:
		return yaml.Literal
	case n.Style&yamlv3.FoldedStyle != 0:
		return yaml.Folded
	}
	return yaml.Plain
}

// textOf returns the text of a scalar before it got a type, and false if the node does not keep it.
func textOf(n *yaml.Node) (string, bool) {
	switch {
	case n.Tag == "!!binary" || strings.HasPrefix(n.Tag, "!<"):
		return "", false
	case n.Value.Is(value.StringKind):
		return n.Value.Str(), true
	}
	return n.At.Text(), n.Style == yaml.Plain
}
