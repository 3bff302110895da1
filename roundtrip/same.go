package roundtrip

import (
	"math"

	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/value"
)

// A sameness compares nodes with data, for one edit. Aliases can make a small text a
// big tree: past maxSameSteps nothing is the same.
type sameness struct {
	anchors      *anchors
	steps, depth int
}

const (
	maxSameSteps = 50_000_000
	maxSameDepth = 10_000
)

// as reports whether a node has the data v, so that nothing needs to be written. A
// value that brings another spelling or another tag is not the same.
func (c *sameness) as(n *yaml.Node, v value.Value) bool {
	if c.steps++; c.steps > maxSameSteps || c.depth > maxSameDepth {
		return false
	}
	c.depth++
	defer func() { c.depth-- }()
	target, ok := c.target(n)
	if !ok {
		return false
	}
	switch target.Kind {
	case yaml.ScalarNode:
		return sameScalar(target.Value, v) && sameForm(target.Value, v)
	case yaml.SeqNode:
		return v.Is(value.ListKind) && c.items(target, v.List())
	case yaml.MapNode:
		return v.Is(value.MapKind) && c.entries(target, v.Map())
	}
	return false
}

// target returns what a node stands for, which is itself if it is no alias, and false if
// edits have changed that.
func (c *sameness) target(n *yaml.Node) (*yaml.Node, bool) {
	for n.Kind == yaml.AliasNode && n.Target != nil {
		if n = n.Target; !c.anchors.isAsBefore(n) {
			return nil, false
		}
	}
	return n, true
}

// sameScalar reports whether two scalars are the same data, of the same kind.
func sameScalar(a, b value.Value) bool {
	if a.Kind() != b.Kind() {
		return false
	}
	if a.Is(value.FloatKind) && math.IsNaN(a.Float()) {
		return math.IsNaN(b.Float())
	}
	eq, err := value.Equal(a, b)
	return eq && err == nil
}

// sameForm reports whether b does not say that it is written differently.
func sameForm(a, b value.Value) bool {
	want := b.Source()
	if want == nil {
		return true
	}
	have := value.Scalar{}
	if s := a.Source(); s != nil {
		have = *s
	}
	return (want.Spelling == "" || want.Spelling == have.Spelling) && (want.Tag == "" || want.Tag == have.Tag)
}

func (c *sameness) items(n *yaml.Node, l value.List) bool {
	if n.Len() != l.Len() {
		return false
	}
	for i := range n.Len() {
		item, err := l.At(i)
		if err != nil || !c.as(n.Items[i], item) {
			return false
		}
	}
	return true
}

// entries compares a map as it is written, and what "<<" brings with it.
func (c *sameness) entries(n *yaml.Node, m value.Map) bool {
	want, ok := c.entriesOf(n, 0)
	if !ok || len(want) != m.Len() {
		return false
	}
	for key := range m.Keys() {
		v, ok, err := m.Get(key)
		if err != nil || !ok || want[key] == nil || !c.as(want[key], v) {
			return false
		}
	}
	return true
}

const maxMergeDepth = 100

// entriesOf returns the entries of a map with those that "<<" brings, and false if that is
// not plain.
func (c *sameness) entriesOf(n *yaml.Node, depth int) (map[value.Key]*yaml.Node, bool) {
	out := make(map[value.Key]*yaml.Node, n.Len())
	var merged []*yaml.Node
	for i := range n.Len() {
		key, merge, child := childAt(n, i)
		if merge {
			merged = append(merged, child)
		} else {
			out[key] = child
		}
	}
	for _, from := range merged {
		if !c.mergeInto(out, from, depth) {
			return nil, false
		}
	}
	return out, true
}

func (c *sameness) mergeInto(out map[value.Key]*yaml.Node, from *yaml.Node, depth int) bool {
	from, ok := c.target(from)
	if !ok || depth > maxMergeDepth {
		return false
	}
	switch from.Kind {
	case yaml.SeqNode:
		for i := range from.Len() {
			if !c.mergeInto(out, from.Items[i], depth+1) {
				return false
			}
		}
		return true
	case yaml.MapNode:
		more, ok := c.entriesOf(from, depth+1)
		for key, child := range more {
			if out[key] == nil {
				out[key] = child
			}
		}
		return ok
	}
	return false
}
