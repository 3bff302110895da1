package graph

import (
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// An item is one item of a folded list.
type item struct {
	layer *layer
	note  *value.Annotation
	joins *Positional // the older item that it joins; nil is none
}

// itemsOf returns the items that a list node contributes on c: splices and loops
// are resolved, deleted items left out.
func (c *Cell) itemsOf(l *layer, nodes []Node, notes []*value.Annotation) ([]item, error) {
	items := make([]item, 0, len(nodes))
	for i, n := range nodes {
		var note *value.Annotation
		if notes != nil {
			note = notes[i]
		}
		switch n := n.(type) {
		case *Delete:
		case *Positional:
			items = append(items, item{layer: l.under(n.Node), note: note, joins: n})
		case *Splice:
			spliced, err := c.splice(l.under(n.Node), len(items), note, n.List)
			if err != nil {
				return nil, err
			}
			items = append(items, spliced...)
		case *Each:
			var err error
			if items, err = c.each(items, l, n); err != nil {
				return nil, err
			}
		case *Guard:
			spliced, err := c.splice(l.under(n), len(items), note, false)
			if err != nil {
				return nil, err
			}
			items = append(items, spliced...)
		default:
			items = append(items, item{layer: l.under(n), note: note})
		}
	}
	return items, c.eval.Step(len(items))
}

// splice returns the items of the list that l comes to; l itself if that is no
// list and need not be; nothing if that is nothing.
func (c *Cell) splice(l *layer, index int, note *value.Annotation, list bool) ([]item, error) {
	place := c.spliceCell(index, l)
	x, err := place.expand(l)
	if x == nil || err != nil {
		return nil, err
	}
	f, err := place.foldLayer(x)
	if err == nil && list {
		f, err = place.asList(f)
	}
	switch {
	case err != nil:
		return nil, err
	case f.kind == listShape:
		return f.items, nil
	case f.kind == absentShape, f.kind == deletedShape:
		return nil, nil
	}
	return []item{{layer: l, note: note}}, nil
}

// asList returns what must be a list or nothing, worked out if it is computed.
func (c *Cell) asList(f folded) (folded, error) {
	if f.kind == computedShape {
		x, err := c.reveal(f.top)
		if err != nil {
			return f, err
		}
		if f, err = c.foldLayer(x); err != nil {
			return f, err
		}
	}
	switch f.kind {
	case listShape, absentShape, deletedShape:
		return f, nil
	}
	return f, source.Errorf(f.top.span(), source.WrongType, "a list is needed to extend a list, not %s", f.kind.yay())
}

// itemCell is a cell for an item whose final index is not known yet.
func (c *Cell) itemCell(index int, l *layer) *Cell {
	return &Cell{eval: c.eval, up: c, key: value.Index(index), item: true, layer: l, hasLayer: true}
}

// spliceCell is the cell that the list of a splice is worked out on: the same one
// however often, so that a list that holds itself is noticed.
func (c *Cell) spliceCell(index int, l *layer) *Cell {
	key := foundKey{l.node, l.frame}
	m := c.memo()
	place := m.splices[key]
	if place == nil {
		if m.splices == nil {
			m.splices = map[foundKey]*Cell{}
		}
		place = c.itemCell(index, l)
		m.splices[key] = place
	}
	return place
}
