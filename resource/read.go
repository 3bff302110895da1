package resource

import (
	"container/heap"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// each calls visit for the maps in the list under a key of a document. A missing list is empty.
func each(v value.Value, key string, visit func(value.Map) error) error {
	if !v.Is(value.MapKind) {
		return bad("a graph of resources is a map with resources and edges, not %s", value.Article(v.Kind()))
	}
	list, ok, err := v.Map().Get(value.K(key))
	switch {
	case err != nil || !ok:
		return err
	case !list.Is(value.ListKind):
		return bad("%s is %s, not a list", key, value.Article(list.Kind()))
	}
	for item, err := range value.Items(list.List()) {
		if err != nil {
			return err
		}
		if !item.Is(value.MapKind) {
			return bad("an item of %s is %s, not a map", key, value.Article(item.Kind()))
		}
		if err := visit(item.Map()); err != nil {
			return err
		}
	}
	return nil
}

// textAt returns the text under a key of a map, "" if it is missing.
func textAt(m value.Map, key string) (string, error) {
	v, ok, err := m.Get(value.K(key))
	if err == nil && ok && !v.Is(value.StringKind) {
		err = bad("%s is %s, not a text", key, value.Article(v.Kind()))
	}
	return v.Str(), err
}

// mapAt returns the map under a key of a map, an empty one if it is missing.
func mapAt(m value.Map, key string) (value.Map, error) {
	v, ok, err := m.Get(value.K(key))
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return value.NewMap(0), nil
	case !v.Is(value.MapKind):
		return nil, bad("%s is %s, not a map", key, value.Article(v.Kind()))
	}
	return v.Map(), nil
}

func idOf(m value.Map) (ID, error) {
	kind, err := textAt(m, "kind")
	if err != nil {
		return ID{}, err
	}
	name, err := textAt(m, "name")
	if err == nil && (kind == "" || name == "") {
		err = bad("a resource has no kind or no name")
	}
	return ID{kind, name}, err
}

func edgeOf(m value.Map) (Edge, error) {
	var e Edge
	for _, end := range []struct {
		key string
		id  *ID
	}{{"from", &e.From}, {"to", &e.To}} {
		text, err := textAt(m, end.key)
		if err != nil {
			return e, err
		}
		id, ok := ParseID(text)
		if !ok {
			return e, bad("%s of an edge is %q, not Kind[name]", end.key, text)
		}
		*end.id = id
	}
	notify, _, err := m.Get(value.K("notify"))
	if err != nil {
		return e, err
	}
	e.Notify = notify.Bool()
	if e.Send, err = textAt(m, "send"); err != nil {
		return e, err
	}
	e.Recv, err = textAt(m, "recv")
	return e, err
}

// check checks that IDs are unique, that the ends of edges exist, and that there is no cycle.
func (g *Graph) check() error {
	known := make(map[ID]bool, len(g.Resources))
	for _, r := range g.Resources {
		if known[r.ID] {
			return source.Errorf(source.Span{}, source.DuplicateResource, "there are two resources %s", r.ID)
		}
		known[r.ID] = true
	}
	for _, e := range g.Edges {
		for _, id := range []ID{e.From, e.To} {
			if !known[id] {
				return source.Errorf(source.Span{}, source.UnknownResource, "there is no resource %s", id)
			}
		}
	}
	if _, ok := g.order(); !ok {
		return source.Errorf(source.Span{}, source.EdgeCycle, "the edges have a cycle")
	}
	return nil
}

// order returns the indexes of the resources in their order, false if there is a cycle (Kahn's
// algorithm).
func (g *Graph) order() (order []int, ok bool) {
	index := make(map[ID]int, len(g.Resources))
	for i, r := range g.Resources {
		index[r.ID] = i
	}
	waits, after := make([]int, len(g.Resources)), make([][]int, len(g.Resources))
	for _, e := range g.Edges {
		from, to := index[e.From], index[e.To]
		after[from] = append(after[from], to)
		waits[to]++
	}
	var free indexes
	for i := range g.Resources {
		if waits[i] == 0 {
			free = append(free, i)
		}
	}
	for len(free) > 0 {
		next := heap.Pop(&free).(int)
		order = append(order, next)
		for _, to := range after[next] {
			if waits[to]--; waits[to] == 0 {
				heap.Push(&free, to)
			}
		}
	}
	return order, len(order) == len(g.Resources)
}

// indexes is a heap with the least index on top.
type indexes []int

func (h indexes) Len() int           { return len(h) }
func (h indexes) Less(i, j int) bool { return h[i] < h[j] }
func (h indexes) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *indexes) Push(x any)        { *h = append(*h, x.(int)) }
func (h *indexes) Pop() any {
	old := *h
	last := old[len(old)-1]
	*h = old[:len(old)-1]
	return last
}
