package overlay

import (
	"iter"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/frontend"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/value"
)

// PlainValues returns the documents of the named file as values of its tree, and false if
// they may be more than data: then they have to be expanded. Most files are plain, and
// reading their text once takes half of the time and the memory.
func (x *Overlay) PlainValues() ([]value.Value, bool) {
	o := x.opts
	if x.Lang == frontend.Yay || o.Parse.Lenient || !o.IsAlone() || looksBuilt(x.Source(x.Path).Text) {
		return nil, false
	}
	if _, err := engine.Read(x.overlaid(x.texts).Files(), x.Name); err != nil {
		return nil, false // opening the file returns the error of the sandbox
	}
	docs, err := x.Parse(x.Path, x.Lang)
	if err != nil {
		return nil, false // opening the file returns this error
	}
	values := make([]value.Value, len(docs))
	for i, d := range docs {
		if len(d.Options) > 0 || !isPlain(d.Root) {
			return nil, false
		}
		values[i] = plainValue(d.Root)
	}
	return values, true
}

// looksBuilt reports whether a text contains a mark of directives or templates. Most texts that
// are not plain contain one, so they need not be parsed.
func looksBuilt(text string) bool {
	for _, mark := range []string{"{{", "{%", "+include", "+/", "+../", "+*", "<<:"} {
		if strings.Contains(text, mark) {
			return true
		}
	}
	return false
}

// isPlain reports whether a node is plain data: without anchors, aliases, templates, and keys
// of directives or expressions.
func isPlain(n *yaml.Node) bool {
	switch {
	case n == nil:
		return true
	case n.Anchor != "" || n.Kind == yaml.AliasNode || n.Tag == "!vault":
		return false
	case n.Kind == yaml.ScalarNode:
		return !n.Value.Is(value.StringKind) || !strings.Contains(n.Value.Str(), "{{") && !strings.Contains(n.Value.Str(), "{%")
	}
	for i := range n.Entries {
		e := &n.Entries[i]
		if e.IsMerge() || strings.HasPrefix(e.Key.Text, "+") || e.KeyNode().Anchor != "" || !isPlain(e.Value) {
			return false
		}
	}
	if n.Kind == yaml.MapNode && expr.IsExpression(&nodeMap{entries: n.Entries}) {
		return false
	}
	return !slices.ContainsFunc(n.Items, func(item *yaml.Node) bool { return !isPlain(item) })
}

// plainValue returns a node of plain data as a lazy value.
func plainValue(n *yaml.Node) value.Value {
	switch {
	case n == nil:
		return value.Null
	case n.Kind == yaml.MapNode:
		return value.FromMap(&nodeMap{entries: n.Entries})
	case n.Kind == yaml.SeqNode:
		return value.FromList(nodeList{n})
	}
	return n.Value
}

// A nodeMap is a map in a tree as a [value.Map].
type nodeMap struct {
	entries []yaml.Entry
	index   map[value.Key]int // of a map with many entries, made by the first Get
}

// fewEntries is the number of entries up to which Get searches without an index.
const fewEntries = 8

// Len implements [value.Map].
func (m *nodeMap) Len() int { return len(m.entries) }

// Keys implements [value.Map].
func (m *nodeMap) Keys() iter.Seq[value.Key] {
	return func(yield func(value.Key) bool) {
		for i := range m.entries {
			if !yield(m.entries[i].Key) {
				return
			}
		}
	}
}

// Get implements [value.Map].
func (m *nodeMap) Get(k value.Key) (value.Value, bool, error) {
	if len(m.entries) <= fewEntries {
		for i := range m.entries {
			if e := &m.entries[i]; e.Key == k {
				return plainValue(e.Value), true, nil
			}
		}
		return value.Null, false, nil
	}
	if m.index == nil {
		m.index = make(map[value.Key]int, len(m.entries))
		for i := range m.entries {
			m.index[m.entries[i].Key] = i
		}
	}
	i, ok := m.index[k]
	if !ok {
		return value.Null, false, nil
	}
	return plainValue(m.entries[i].Value), true, nil
}

// A nodeList is a list in a tree as a [value.List].
type nodeList struct{ node *yaml.Node }

// Len implements [value.List].
func (l nodeList) Len() int { return len(l.node.Items) }

// At implements [value.List].
func (l nodeList) At(i int) (value.Value, error) { return plainValue(l.node.Items[i]), nil }
