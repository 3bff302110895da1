package roundtrip

import (
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/value"
)

// assign makes v the data of a draft. What is equal already is left alone, so that it
// keeps its comments and its form.
func (e *editor) assign(d *draft, v value.Value) error {
	if d.fresh && d.node != nil && e.same.as(d.node, v) {
		d.reset()
		return nil
	}
	kind := d.kind()
	switch {
	case !d.fresh && e.same.as(d.node, v) && !d.isChanged():
		return nil
	case kind == yaml.MapNode && v.Is(value.MapKind) && !e.hasMerge(d):
		return e.assignMap(d, v.Map())
	case kind == yaml.SeqNode && v.Is(value.ListKind):
		return e.assignList(d, v.List())
	}
	if !d.fresh {
		e.replaced(d.node)
	}
	d.replace(v)
	return nil
}

// replaced notes that the data of a node goes. An anchor on the node itself stays.
func (e *editor) replaced(n *yaml.Node) {
	if n.Kind == yaml.AliasNode {
		return
	}
	e.anchors.loseInside(n)
	if n.Anchor != "" {
		e.anchors.replaced[n] = true
	}
}

func (e *editor) hasMerge(d *draft) bool {
	kids, err := d.children()
	for _, k := range kids {
		if k.merge {
			return true
		}
	}
	return err != nil
}

// assignMap goes through the entries in the order of the text: what an alias stands for
// has got its new data then.
func (e *editor) assignMap(d *draft, m value.Map) error {
	kids, err := d.children()
	if err != nil {
		return e.failed(d, err)
	}
	wanted, added, err := e.divided(kids, m)
	if err != nil {
		return e.failed(d, err)
	}
	kept := kids[:0]
	for _, k := range kids {
		v, stays := wanted[k.key]
		if !stays {
			e.gone(d, k)
			continue
		}
		kept = append(kept, k)
		if err := e.assignKid(k, v); err != nil {
			return err
		}
	}
	d.kids = append(kept, added...)
	return nil
}

// divided returns the entries of new data that are among kids, by their keys, and new
// kids for the others.
func (e *editor) divided(kids []*kid, m value.Map) (there map[value.Key]value.Value, added []*kid, err error) {
	has := make(map[value.Key]bool, len(kids))
	for _, k := range kids {
		has[k.key] = true
	}
	there = make(map[value.Key]value.Value, len(kids))
	notes, _ := m.(value.Annotated)
	i := -1
	for key := range m.Keys() {
		i++
		v, ok, err := m.Get(key)
		if err != nil {
			return nil, nil, err
		}
		switch key = e.textKey(key); {
		case !ok:
		case has[key]:
			there[key] = v
		default:
			added = append(added, addedKid(key, v, notes, i))
		}
	}
	return there, added, nil
}

// assignKid makes v the value of a kid.
func (e *editor) assignKid(k *kid, v value.Value) error {
	if k.d == nil && e.same.as(k.node, v) {
		return nil
	}
	return e.assign(e.draftOf(k), v)
}

// addedKid returns entry or item i of new data that is added to what is there.
func addedKid(key value.Key, v value.Value, notes value.Annotated, i int) *kid {
	k := newKid(key, v)
	if notes != nil {
		k.annotate(notes.AnnotationAt(i))
		k.d.form = unsaid
	}
	return k
}

// assignList aligns the items by equality; what lies between equal ones is paired.
func (e *editor) assignList(d *draft, l value.List) error {
	kids, err := d.children()
	if err != nil {
		return e.failed(d, err)
	}
	items := make([]value.Value, l.Len())
	for i := range items {
		if items[i], err = l.At(i); err != nil {
			return e.failed(d, err)
		}
	}
	notes, _ := l.(value.Annotated)
	same := func(i, j int) bool { return kids[i].d == nil && e.same.as(kids[i].node, items[j]) }
	var out []*kid
	i, j := 0, 0
	for _, m := range append(align(len(kids), len(items), same), [2]int{len(kids), len(items)}) {
		paired, err := e.pair(d, kids[i:m[0]], items[j:m[1]], notes, j)
		if err != nil {
			return err
		}
		out = append(out, paired...)
		if m[0] == len(kids) {
			break
		}
		kept := kids[m[0]]
		if e.anchors.areTouched() { // an alias in it may stand for something else by now
			if err := e.assignKid(kept, items[m[1]]); err != nil {
				return err
			}
		}
		out = append(out, kept)
		i, j = m[0]+1, m[1]+1
	}
	d.kids = out
	return nil
}

// pair turns some kids into as many items, of which the first is item number first of
// its list: one after the other, the rest is new or goes.
func (e *editor) pair(d *draft, kids []*kid, items []value.Value, notes value.Annotated, first int) ([]*kid, error) {
	var out []*kid
	for i, item := range items {
		if i >= len(kids) {
			out = append(out, addedKid(value.Key{}, item, notes, first+i))
			continue
		}
		if err := e.assign(e.draftOf(kids[i]), item); err != nil {
			return nil, err
		}
		out = append(out, kids[i])
	}
	for _, k := range kids[min(len(items), len(kids)):] {
		e.gone(d, k)
	}
	return out, nil
}

// maxAlign bounds the comparisons that align does: longer lists are paired in order.
const maxAlign = 4_000_000

// align returns pairs of positions of two lists whose items are the same, in order:
// as many as possible.
func align(n, m int, same func(i, j int) bool) [][2]int {
	var head, middle, tail [][2]int
	lo := 0
	for lo < n && lo < m && same(lo, lo) {
		head = append(head, [2]int{lo, lo})
		lo++
	}
	hi := 0
	for hi < n-lo && hi < m-lo && same(n-1-hi, m-1-hi) {
		hi++
	}
	for k := hi; k > 0; k-- {
		tail = append(tail, [2]int{n - k, m - k})
	}
	rows, cols := n-lo-hi, m-lo-hi
	if rows > 0 && cols > 0 && rows*cols <= maxAlign {
		middle = longest(rows, cols, lo, same)
	}
	return append(append(head, middle...), tail...)
}

// longest returns a longest common part of two lists that begin at lo.
func longest(rows, cols, lo int, same func(i, j int) bool) [][2]int {
	equal := make([]bool, rows*cols)
	length := make([]int32, (rows+1)*(cols+1))
	at := func(i, j int) int { return i*(cols+1) + j }
	for i := rows - 1; i >= 0; i-- {
		for j := cols - 1; j >= 0; j-- {
			if equal[i*cols+j] = same(lo+i, lo+j); equal[i*cols+j] {
				length[at(i, j)] = length[at(i+1, j+1)] + 1
			} else {
				length[at(i, j)] = max(length[at(i+1, j)], length[at(i, j+1)])
			}
		}
	}
	var out [][2]int
	for i, j := 0, 0; i < rows && j < cols; {
		switch {
		case equal[i*cols+j]:
			out = append(out, [2]int{lo + i, lo + j})
			i, j = i+1, j+1
		case length[at(i+1, j)] >= length[at(i, j+1)]:
			i++
		default:
			j++
		}
	}
	return out
}
