package graph

import (
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// What errors say about names that are missing (spec: everyday, A7). Nothing here evaluates a
// template or an expression: a search in the middle of an evaluation must not start another.

// Removed returns the place of the whiteout that removed a key of the map, and false if none
// did.
func (m *lazyMap) Removed(k value.Key) (source.Span, bool) {
	c := m.cell().kid(k)
	f, err := c.fold()
	if err != nil || f.kind != absentShape && f.kind != deletedShape {
		return source.Span{}, false
	}
	all, err := c.everything(&explanation{cell: c, folded: f})
	if err != nil {
		return source.Span{}, false
	}
	for _, l := range all {
		if d, ok := l.node.(*Delete); ok {
			return d.Span(), true
		}
	}
	return source.Span{}, false
}

// Path returns the keys that lead to the map from the root of its document.
func (m *lazyMap) Path() value.Path { return m.cell().Path() }

const (
	maxVisited       = 2000 // places that one search visits
	maxSearchedDepth = 4
	maxSearchedItems = 20 // of one list
)

// Places returns the paths of the places below the map, nearest first, that have a key as text,
// at most a number of them. A place that is being computed is none of them, nor is one in a map
// of an encrypted file.
//
//	{web: {port: 80}, jobs: [{port: 1}]}   port: web.port, jobs[0].port
func (m *lazyMap) Places(key string, most int) []value.Path {
	var found []value.Path
	level, visited := []*Cell{m.cell()}, 0
	for depth := 0; depth < maxSearchedDepth && len(level) > 0; depth++ {
		var next []*Cell
		for _, c := range level {
			f, err := c.fold()
			if err != nil {
				continue
			}
			switch f.kind {
			case listShape:
				for i := range min(len(f.items), maxSearchedItems) {
					next = append(next, c.itemKid(i))
				}
			case mapShape:
				if fromSecret(f) {
					continue
				}
				keys, err := c.AllKeys()
				if err != nil {
					continue
				}
				for _, k := range keys {
					kid := c.kid(k)
					if visited++; visited > maxVisited {
						return found
					}
					if k.Kind == value.StringKind && k.Text == key && c.eval.runOf(kid) < 0 {
						if found = append(found, kid.Path()); len(found) == most {
							return found
						}
					}
					next = append(next, kid)
				}
			}
		}
		level = next
	}
	return found
}

// fromSecret reports whether a layer of a map is written in an encrypted file.
func fromSecret(f *foldResult) bool {
	for _, l := range f.maps {
		if at := l.node.Span(); at.File != nil && at.File.Secret {
			return true
		}
	}
	return false
}
