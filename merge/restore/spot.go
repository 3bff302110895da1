package restore

import (
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/value"
)

// A spot is a place of the text with what it means and came to.
type spot struct {
	syntax *yaml.Node
	node   graph.Node
	text   value.Path // in the text: directives are keys, a splice is one item

	was    value.Path // in the document before it was edited, if placed
	placed bool
	old    optional // what was there

	is    value.Path // in the edited document
	entry bool       // it is an entry of a map, which can be left out

	// layered says that directives of a map around it may bring something to its place.
	layered bool

	// restless says that what is below the map around it has changed.
	restless bool
}

// entry returns the spot of an explicit entry.
func (s spot) under(e explicit) (spot, error) {
	old, err := s.old.get(e.key)
	_, built := bare(s.node).(*graph.Overlay)
	return spot{
		layered: s.layered || built,
		syntax:  e.syntax.Value, node: e.node, old: old, placed: s.placed, entry: true, restless: s.restless,
		text: longer(s.text, e.key), was: longer(s.was, e.key), is: longer(s.is, e.key),
	}, err
}

// longer returns a path with one more key, which shares nothing with p.
func longer(p value.Path, k value.Key) value.Path { return append(slices.Clip(p), k) }

// An explicit is an entry that a map has itself.
type explicit struct {
	key    value.Key
	syntax *yaml.Entry
	node   graph.Node
}

// A mapping is a map of the text, sorted.
type mapping struct {
	own        *graph.Map
	overlay    *graph.Overlay // nil without directives
	entries    []explicit
	directives []*yaml.Entry // as many of them as the overlay has bases come from here
	merges     []*yaml.Entry // YAML's "<<"
	merged     []graph.Entry // what those bring
}

// mappingOf sorts the entries of a map, false for what is none.
func mappingOf(s spot) (*mapping, bool) {
	if s.syntax.Kind != yaml.MapNode {
		return nil, false
	}
	m := &mapping{}
	switch n := bare(s.node).(type) {
	case *graph.Map:
		m.own = n
	case *graph.Overlay:
		m.own, m.overlay = n.Own, n
	default:
		return nil, false
	}
	written := make(map[value.Key]bool, len(s.syntax.Entries))
	for i := range s.syntax.Entries {
		e := &s.syntax.Entries[i]
		at, ok := m.own.Find(e.Key)
		switch {
		case e.Merge:
			m.merges = append(m.merges, e)
		case ok && m.isOwn(e, m.own.Entries[at]):
			m.entries = append(m.entries, explicit{e.Key, e, m.own.Entries[at].Node})
			written[e.Key] = true
		case isDirective(e.Key):
			m.directives = append(m.directives, e)
		}
	}
	for _, e := range m.own.Entries {
		if !written[e.Key] {
			m.merged = append(m.merged, e)
		}
	}
	return m, true
}

// isOwn reports whether the node of a key was made of an entry, which it was not if
// the key is a directive and "<<" brought a plain one of that name.
func (m *mapping) isOwn(e *yaml.Entry, own graph.Entry) bool {
	return own.KeyAt.Start == e.KeyNode.At.Start && own.KeyAt.End == e.KeyNode.At.End
}

func isDirective(k value.Key) bool {
	return k.Kind == value.StringKind && strings.HasPrefix(k.Text, "+") && k.Text != "+%" && k.Text != "+&"
}

// find returns the entry with a key.
func (m *mapping) find(k value.Key) (explicit, bool) {
	i := slices.IndexFunc(m.entries, func(e explicit) bool { return e.key == k })
	if i < 0 {
		return explicit{}, false
	}
	return m.entries[i], true
}

// bare returns what an item of a list is, without its part in the list.
func bare(n graph.Node) graph.Node {
	switch n := n.(type) {
	case *graph.Splice:
		return n.Node
	case *graph.Positional:
		return n.Node
	}
	return n
}

// isExtra reports whether a list begins with the mark that lets it replace others.
func (s spot) markers(seq *graph.Seq) int {
	if seq.Replace {
		return len(s.syntax.Items) - len(seq.Items)
	}
	return 0
}
