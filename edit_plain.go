package yaytpl

import (
	"iter"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/lang/yay"
	"github.com/yaytpl/yaytpl/value"
)

// plainDocuments returns the documents of the named file as they are written, and false
// if anything in them might be more than data: then they have to be expanded. Most files
// are plain, and reading those once takes half of the time and the memory.
func (x *editing) plainDocuments() ([]*yaml.Document, bool) {
	o := x.opts
	if x.lang == yay.Language || o.Parse.Lenient || len(o.Values)+len(o.Defines) > 0 || looksBuilt(x.source(x.path, x.texts).Text) {
		return nil, false
	}
	if _, err := engine.Read(x.overlaid(x.texts).Files(), x.name); err != nil {
		return nil, false // the sandbox refuses it; opening the file says why
	}
	docs, err := x.parse(x.path, x.lang)
	if err != nil {
		return nil, false // so it does here
	}
	for _, d := range docs {
		if len(d.Options) > 0 || !isPlain(d.Root) {
			return nil, false
		}
	}
	return docs, true
}

// looksBuilt reports whether a text has what only few plain texts have.
func looksBuilt(text string) bool {
	for _, mark := range []string{"{{", "{%", "+include", "+/", "+../", "+*", "<<:"} {
		if strings.Contains(text, mark) {
			return true
		}
	}
	return false
}

// isPlain reports whether a node is nothing but data: it has no anchor, alias, template,
// nor a key of a directive or an expression.
func isPlain(n *yaml.Node) bool {
	switch {
	case n == nil:
		return true
	case n.Anchor != "" || n.Kind == yaml.AliasNode:
		return false
	case n.Kind == yaml.ScalarNode:
		return !n.Value.Is(value.StringKind) || !strings.Contains(n.Value.Str(), "{{") && !strings.Contains(n.Value.Str(), "{%")
	}
	for i := range n.Entries {
		e := &n.Entries[i]
		if e.Merge || strings.HasPrefix(e.Key.Text, "+") || e.KeyNode.Anchor != "" || !isPlain(e.Value) {
			return false
		}
	}
	if n.Kind == yaml.MapNode && expr.IsExpression(&nodeMap{entries: n.Entries}) {
		return false
	}
	return !slices.ContainsFunc(n.Items, func(item *yaml.Node) bool { return !isPlain(item) })
}

// parse reads a file with its text so far as it is written, once.
func (x *editing) parse(path, lang string) ([]*yaml.Document, error) {
	t, err := x.parseText(path, lang, x.source(path, x.texts))
	if err != nil {
		return nil, err
	}
	x.parsed[path] = t
	return t.Docs, nil
}

// plainValue returns a node of plain data as a value. What is in it is looked at when
// somebody asks.
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

// A nodeMap is a map of plain data.
type nodeMap struct {
	entries []yaml.Entry
	index   map[value.Key]int // of one with more than a few entries, made when it is first needed
}

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

// A nodeList is a list of plain data.
type nodeList struct{ node *yaml.Node }

// Len implements [value.List].
func (l nodeList) Len() int { return len(l.node.Items) }

// At implements [value.List].
func (l nodeList) At(i int) (value.Value, error) { return plainValue(l.node.Items[i]), nil }
