package yamlnode

import (
	"encoding/base64"
	"math"
	"math/big"
	"strings"

	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
	yamlv3 "gopkg.in/yaml.v3"
)

// FromText returns the document of a text that our encoder wrote as a node of the library, with comments,
// styles, tags and places. The node decodes to the data that we read: a scalar that the library resolves
// differently gets quotes, or another spelling:
//
//	in the text    we read                the node
//	0644           the integer 644        644
//	1_000          text                   "1_000"
//	2026-11-28     text                   "2026-11-28"
//
// An integer that needs more than 64 bits keeps its digits and has the tag !!float: the library decodes it to
// an any as a float64, and to a *big.Int exactly.
//
// Codes: the codes of parsing.
func FromText(name, text string) (*yamlv3.Node, error) {
	docs, diags := yaml.Parse(source.NewFile(name, text), yaml.ParseOptions{NoTemplates: true})
	if len(diags) > 0 {
		return nil, diags[0]
	}
	d := docs[0]
	c := converter{anchors: map[*yaml.Node]*yamlv3.Node{}}
	out := &yamlv3.Node{Kind: yamlv3.DocumentNode, HeadComment: d.Head, FootComment: d.Foot}
	out.Line, out.Column = d.At.File.Position(int(d.At.Start))
	out.Content = []*yamlv3.Node{c.node(d.At, d.Root)}
	return out, nil
}

// A converter makes nodes of the library of ours.
type converter struct {
	anchors map[*yaml.Node]*yamlv3.Node
}

// node converts a node. A nil node is an empty value at a place.
func (c *converter) node(at source.Span, n *yaml.Node) *yamlv3.Node {
	if n == nil {
		out := &yamlv3.Node{Kind: yamlv3.ScalarNode, Tag: "!!null"}
		out.Line, out.Column = at.File.Position(int(at.Start))
		return out
	}
	out := &yamlv3.Node{Anchor: n.Anchor, HeadComment: n.Head, LineComment: n.Comments.Line, FootComment: n.Foot}
	start := n.At.Start
	if n.Tag != "" {
		start = min(start, n.TagAt.Start)
	}
	if n.Anchor != "" && n.Kind != yaml.AliasNode {
		start = min(start, n.AnchorAt.Start)
		c.anchors[n] = out
	}
	out.Line, out.Column = n.At.File.Position(int(start))
	switch n.Kind {
	case yaml.AliasNode:
		out.Kind, out.Anchor, out.Value, out.Alias = yamlv3.AliasNode, "", n.Anchor, c.anchors[n.Target]
	case yaml.ScalarNode:
		scalar(out, n)
	case yaml.SeqNode:
		out.Kind, out.Tag = yamlv3.SequenceNode, "!!seq"
		for _, item := range n.Items {
			it := c.node(n.At, item)
			if it.Kind != yamlv3.ScalarNode && it.Style&yamlv3.FlowStyle == 0 { // the encoder has no line for it
				it.HeadComment, it.LineComment = joined(it.HeadComment, it.LineComment), ""
			}
			out.Content = append(out.Content, it)
		}
	default:
		out.Kind, out.Tag = yamlv3.MappingNode, "!!map"
		for i := range n.Entries {
			out.Content = append(out.Content, c.entry(&n.Entries[i])...)
		}
	}
	if n.Style == yaml.Flow {
		out.Style |= yamlv3.FlowStyle
	}
	if n.Tag != "" && n.Kind != yaml.ScalarNode {
		out.Tag, out.Style = theirTag(n.Tag), out.Style|yamlv3.TaggedStyle
	}
	return out
}

// entry converts an entry of a map to its key and its value, which have its comments.
func (c *converter) entry(e *yaml.Entry) []*yamlv3.Node {
	key, val := c.node(e.KeyAt, e.KeyNode()), c.node(e.KeyAt, e.Value)
	key.HeadComment, key.FootComment = e.Comments.Head, e.Comments.Foot
	switch block := e.Value != nil && e.Value.Style == yaml.Block; {
	case block && (val.Anchor != "" || val.Style&yamlv3.TaggedStyle != 0): // the encoder writes it before the tag
		key.HeadComment = joined(key.HeadComment, e.Comments.Line)
	case block:
		key.LineComment = e.Comments.Line
	default:
		val.LineComment = e.Comments.Line
	}
	return []*yamlv3.Node{key, val}
}

// joined joins comments, of which one may be empty.
func joined(a, b string) string { return strings.Trim(a+"\n"+b, "\n") }

var theirStyle = map[yaml.Style]yamlv3.Style{
	yaml.SingleQuoted: yamlv3.SingleQuotedStyle, yaml.DoubleQuoted: yamlv3.DoubleQuotedStyle,
	yaml.Literal: yamlv3.LiteralStyle, yaml.Folded: yamlv3.FoldedStyle,
}

// scalar fills in the text, style and tag of a scalar.
func scalar(out *yamlv3.Node, n *yaml.Node) {
	out.Kind, out.Style = yamlv3.ScalarNode, theirStyle[n.Style]
	v := n.Value
	if !v.Is(value.StringKind) {
		out.Style = 0
		out.Tag, out.Value = number(v, n.At.Text())
		return
	}
	out.Tag, out.Value = "!!str", v.Str()
	switch {
	case n.Tag == "!!binary":
		out.Tag, out.Value, out.Style = n.Tag, base64.StdEncoding.EncodeToString([]byte(v.Str())), yamlv3.TaggedStyle
		return
	case n.Tag != "" && n.Tag != "!!str" && n.Tag != "!":
		out.Tag, out.Style = theirTag(n.Tag), out.Style|yamlv3.TaggedStyle
	}
	plain := yamlv3.Node{Kind: yamlv3.ScalarNode, Value: out.Value}
	switch {
	case n.Style == yaml.Plain && out.Tag == "!!str" && plain.ShortTag() != "!!str":
		out.Style |= yamlv3.DoubleQuotedStyle
	case out.Style&(yamlv3.LiteralStyle|yamlv3.FoldedStyle) != 0 && !survivesBlock(out.Value):
		out.Style = out.Style&^(yamlv3.LiteralStyle|yamlv3.FoldedStyle) | yamlv3.DoubleQuotedStyle
	}
}

// survivesBlock reports whether the library's encoder writes a text in a block style so that it is read again.
// It gives a text that begins with a blank or an empty line an indentation that it does not have, and writes
// another empty line after one that ends in empty lines, if a comment follows.
func survivesBlock(text string) bool {
	return text != "" && !strings.ContainsAny(text[:1], " \t\n") && !strings.HasSuffix(text, "\n\n")
}

// number returns the tag and the spelling of a null, a boolean or a number: the one of the text, if the library
// reads it alike, or else ours.
func number(v value.Value, text string) (tag, spelling string) {
	if tag, ok := resolves(v, text); ok {
		return tag, text
	}
	own, _ := yaml.ScalarText(v.WithoutSource(), yaml.Plain, false)
	if tag, ok := resolves(v, own); ok {
		return tag, own
	}
	return "!!float", own // an integer of more than 64 bits
}

// resolves returns the tag that the library gives to a plain text, and whether it reads v from it.
func resolves(v value.Value, text string) (tag string, ok bool) {
	n := yamlv3.Node{Kind: yamlv3.ScalarNode, Value: text}
	var got any
	if err := n.Decode(&got); err != nil {
		return "", false
	}
	switch got := got.(type) {
	case nil:
		ok = v.IsNull()
	case bool:
		ok = v.Is(value.BoolKind) && v.Bool() == got
	case int:
		ok = v.Is(value.IntKind) && v.BigInt().Cmp(big.NewInt(int64(got))) == 0
	case uint64:
		ok = v.Is(value.IntKind) && v.BigInt().Cmp(new(big.Int).SetUint64(got)) == 0
	case float64:
		ok = v.Is(value.FloatKind) && (v.Float() == got && math.Signbit(v.Float()) == math.Signbit(got) || v.Float() != v.Float() && got != got)
	}
	return n.ShortTag(), ok
}

// theirTag returns a tag as the library has it: "!<x>" is x.
func theirTag(tag string) string {
	if name, verbatim := strings.CutPrefix(tag, "!<"); verbatim {
		return strings.TrimSuffix(name, ">")
	}
	return tag
}
