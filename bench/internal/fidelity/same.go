package fidelity

import (
	"fmt"
	"math/big"

	"gopkg.in/yaml.v3"
)

// difference returns where two trees differ as data, and "" if they do not. The
// spelling of scalars is none of its business, nor is the style of anything.
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

// sameNumber compares decimal numbers, however they are spelt and however long they
// are.
func sameNumber(a, b string) bool {
	const bits = 4096
	x, _, err := big.ParseFloat(a, 10, bits, big.ToNearestEven)
	y, _, err2 := big.ParseFloat(b, 10, bits, big.ToNearestEven)
	return err == nil && err2 == nil && x.Cmp(y) == 0
}

// decoded returns what a scalar is to yaml.v3, as text.
func decoded(n *Node) string {
	var v any
	y := yaml.Node{Kind: yaml.ScalarNode, Tag: n.Tag, Value: n.Text}
	if err := y.Decode(&v); err != nil {
		return n.Text
	}
	return fmt.Sprint(v)
}
