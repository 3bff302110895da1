package restore

import (
	"strings"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/value"
)

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
	index      map[value.Key]int // of entries
	directives []*yaml.Entry     // as many of them as the overlay has bases come from here
	merges     []*yaml.Entry     // YAML's "<<"
}

// mappingOf sorts the entries of a map, false for what is none.
func mappingOf(s spot) (*mapping, bool) {
	if s.syntax.Kind != yaml.MapNode {
		return nil, false
	}
	m := &mapping{index: make(map[value.Key]int, len(s.syntax.Entries))}
	switch n := bare(s.node).(type) {
	case *graph.Map:
		m.own = n
	case *graph.Overlay:
		m.own, m.overlay = n.Own, n
	default:
		return nil, false
	}
	for i := range s.syntax.Entries {
		e := &s.syntax.Entries[i]
		at, ok := m.own.Find(e.Key)
		switch {
		case e.Merge:
			m.merges = append(m.merges, e)
		case ok && isMadeOf(m.own.Entries[at], e):
			m.index[e.Key] = len(m.entries)
			m.entries = append(m.entries, explicit{e.Key, e, m.own.Entries[at].Node})
		case isDirective(e.Key):
			m.directives = append(m.directives, e)
		}
	}
	return m, true
}

// isMadeOf reports whether the node of a key was made of an entry, which it was not if
// the key is a directive and "<<" brought a plain one of that name.
func isMadeOf(own graph.Entry, e *yaml.Entry) bool {
	return own.KeyAt.Start == e.KeyNode.At.Start && own.KeyAt.End == e.KeyNode.At.End
}

func isDirective(k value.Key) bool {
	return k.Kind == value.StringKind && strings.HasPrefix(k.Text, "+") && k.Text != "+%" && k.Text != "+&"
}

// find returns the entry with a key.
func (m *mapping) find(k value.Key) (explicit, bool) {
	i, ok := m.index[k]
	if !ok {
		return explicit{}, false
	}
	return m.entries[i], true
}
