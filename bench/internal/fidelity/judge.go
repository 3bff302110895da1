package fidelity

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// A Verdict is the result of judging the edit of a case.
type Verdict struct {
	Data  string // the place of other data that changed, the comment that is missing, or the edit that was not made; "" if all is right
	Lines string // the problem with the lines; "" if only the expected ones changed
	Other int    // number of other lines that changed
	End   bool   // a new line break at the end of the text is the only problem with the lines
	Rest  string // Set: other changes in the line; "" if there are none
}

// Judge compares the text after the edit with the text before.
func (c *Case) Judge(text string) Verdict {
	var v Verdict
	v.Data = c.data(text)
	w := c.window()
	before, after := paired(c.file.Text, text)
	v.Lines = w.check(before, after)
	if v.Lines == "" && strings.HasPrefix(c.file.Text, byteOrderMark) != strings.HasPrefix(text, byteOrderMark) {
		v.Lines = "the byte order mark"
	}
	if v.Lines != "" {
		lost, fresh := exchanged(before, after)
		v.Other = max(lost-w.lost, fresh-w.fresh, 1)
		n := len(after) - 1
		v.End = after[n] == "" && before[len(before)-1] != "" && w.check(before, after[:n]) == ""
	} else if c.Op == Set {
		v.Rest = c.rest(before, after)
	}
	return v
}

// data reads a text and compares it with the expected tree and comments.
func (c *Case) data(text string) string {
	f, err := Read(text, c.file.JSON)
	if err != nil {
		return err.Error()
	}
	if len(f.docs) != len(c.file.docs) {
		return fmt.Sprintf("%d documents, not %d", len(f.docs), len(c.file.docs))
	}
	for i, d := range f.docs {
		want := c.file.docs[i].root
		if i == c.Doc {
			want = c.changed(want)
		}
		if diff := difference(want, d.root, ""); diff != "" {
			return diff
		}
	}
	return c.comment(f)
}

// changed returns the tree after the edit.
func (c *Case) changed(root *Node) *Node {
	root = root.clone()
	n := root
	path := c.Path
	if c.Op != Append {
		path = path[:len(path)-1]
	}
	for _, s := range path {
		n = n.Kids[n.find(s)]
	}
	switch c.Op {
	case Append:
		n.Kids = append(n.Kids, c.Value)
		return root
	case Add:
		n.Keys = append(n.Keys, word(NewKey))
		n.Kids = append(n.Kids, c.Value)
		return root
	}
	i := n.find(c.Path[len(c.Path)-1])
	switch c.Op {
	case Set:
		v := c.Value.clone()
		v.Anchor = c.Old.Anchor
		if !slices.Contains(coreTags, c.Old.Tag) {
			v.Tag = c.Old.Tag
		}
		n.Kids[i] = v
	case Delete:
		n.Keys = append(n.Keys[:i], n.Keys[i+1:]...)
		n.Kids = append(n.Kids[:i], n.Kids[i+1:]...)
	case Rename:
		k := word(NewKey)
		k.Anchor = n.Keys[i].Anchor
		n.Keys[i] = k
	}
	return root
}

// coreTags are the tags that follow from the text of a scalar.
var coreTags = []string{"!!str", "!!int", "!!float", "!!bool", "!!null", "!!timestamp"}

// find returns the index of the child at a step, or -1.
func (n *Node) find(s Step) int {
	if s.Index >= 0 {
		return s.Index
	}
	for i, k := range n.Keys {
		if k.Text == s.Key {
			return i
		}
	}
	return -1
}

// rest returns the changes in the line of a scalar, apart from the scalar.
func (c *Case) rest(before, after []string) string {
	n := c.Old
	if n.Style == Block || n.line >= len(after) {
		return ""
	}
	old, now := before[n.line], after[n.line]
	start := n.col
	if n.Text == "" && n.Style == Plain && !strings.HasSuffix(strings.TrimSpace(old[:min(start, len(old))]), ":") {
		return "" // neither a value nor a colon
	}
	if start > len(old) || start > len(now) || old[:start] != now[:start] {
		return fmt.Sprintf("%q became %q", old, now)
	}
	if strings.Contains(old[start:], `\`) {
		return "" // the end of the scalar is unknown
	}
	_, rest, found := strings.Cut(withoutProperties(old[start:]), n.Text)
	if n.Text != "" && found && lastLineOf(n, c.file) == n.line && !strings.HasSuffix(now, rest) {
		return fmt.Sprintf("%q became %q", old, now)
	}
	return ""
}

// difference returns the first place where two trees differ as data, or "". It ignores the
// spelling of scalars and all styles.
func difference(a, b *Node, at string) string {
	switch {
	case a.Kind != b.Kind || len(a.Kids) != len(b.Kids):
		return fmt.Sprintf("%s: %s, not %s", at, describe(b), describe(a))
	case a.Anchor != b.Anchor:
		return fmt.Sprintf("%s: the anchor is %q, not %q", at, b.Anchor, a.Anchor)
	case a.Kind == Scalar && !sameScalar(a, b), a.Kind == Alias && a.Text != b.Text, a.Kind != Scalar && a.Tag != b.Tag:
		return fmt.Sprintf("%s: %s, not %s", at, describe(b), describe(a))
	}
	for i := range a.Kids {
		below := fmt.Sprintf("%s/%d", at, i)
		if a.Kind == Map {
			if d := difference(a.Keys[i], b.Keys[i], below+" (key)"); d != "" {
				return d
			}
			below = at + "/" + a.Keys[i].Text
		}
		if d := difference(a.Kids[i], b.Kids[i], below); d != "" {
			return d
		}
	}
	return ""
}

// describe returns a node without its children, for messages.
func describe(n *Node) string {
	switch n.Kind {
	case Map:
		return fmt.Sprintf("a map of %d %s", len(n.Kids), n.Tag)
	case List:
		return fmt.Sprintf("a list of %d %s", len(n.Kids), n.Tag)
	case Alias:
		return "*" + n.Text
	}
	text := n.Text
	if len(text) > 60 {
		text = text[:60] + "..."
	}
	return fmt.Sprintf("%s %q", n.Tag, text)
}

// sameScalar reports whether two scalars have the same value: 0x10 is 16, and 1.0 is 1.
func sameScalar(a, b *Node) bool {
	if a.Tag != b.Tag {
		return isNumber(a) && isNumber(b) && sameNumber(a.Text, b.Text)
	}
	if a.Text == b.Text {
		return true
	}
	switch a.Tag {
	case "!!int", "!!float":
		return sameNumber(a.Text, b.Text) || decoded(a) == decoded(b)
	case "!!null":
		return true
	case "!!bool", "!!timestamp", "!!binary":
		return decoded(a) == decoded(b)
	}
	return false
}

func isNumber(n *Node) bool { return n.Tag == "!!int" || n.Tag == "!!float" }

// sameNumber compares decimal numbers by value. They may be of any length: 1e3 is 1000.0.
func sameNumber(a, b string) bool {
	const bits = 4096
	x, _, err := big.ParseFloat(a, 10, bits, big.ToNearestEven)
	y, _, err2 := big.ParseFloat(b, 10, bits, big.ToNearestEven)
	return err == nil && err2 == nil && x.Cmp(y) == 0
}

// decoded returns the value that yaml.v3 decodes from a scalar, as text.
func decoded(n *Node) string {
	var v any
	y := yaml.Node{Kind: yaml.ScalarNode, Tag: n.Tag, Value: n.Text}
	if err := y.Decode(&v); err != nil {
		return n.Text
	}
	return fmt.Sprint(v)
}
