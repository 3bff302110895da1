package graph

import (
	"strconv"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// layers returns what lies on c, nil for nothing. It is found by asking the layers
// of the enclosing cell for the key.
func (c *Cell) layers() (*layer, error) {
	if c.hasLayer {
		return c.layer, nil
	}
	var l *layer
	provisional, err := c.eval.provisionally(func() (err error) {
		l, err = c.askParent()
		return err
	})
	if err == nil && !provisional {
		c.layer, c.hasLayer = l, true
	}
	return l, err
}

func (c *Cell) askParent() (*layer, error) {
	if err := c.eval.Enter(); err != nil {
		return nil, err
	}
	defer c.eval.Leave()
	if c.item {
		return c.askList()
	}
	parent, err := c.up.layers()
	if parent == nil || err != nil {
		return nil, err
	}
	w := walk{cell: c.up, key: c.key}
	l, _, err := w.under(parent, false)
	return l, err
}

func (c *Cell) askList() (*layer, error) {
	f, err := c.up.fold()
	if err != nil || f.kind != listShape {
		return nil, err
	}
	i, err := strconv.Atoi(c.key.Text)
	if err != nil || i < 0 || i >= len(f.items) {
		return nil, nil
	}
	return f.items[i].layer, nil
}

// A walk asks layers of a cell for what they have under a key.
type walk struct {
	cell *Cell
	key  value.Key
}

// under returns what l has under the key, and whether l hides what is older. With
// covered, a newer layer of the cell is a map already.
func (w *walk) under(l *layer, covered bool) (found *layer, opaque bool, err error) {
	if l.members != nil {
		return w.underGroup(l, covered)
	}
	switch n := l.node.(type) {
	case *Map:
		return w.underMap(l, n, covered)
	case *Scalar:
		return nil, !n.Val.IsNull() || n.Final, nil
	case *Seq, *Extend, *Computed, *Delete:
		return nil, true, nil
	case *Guard:
		if !mayDefine(n, w.key) {
			return nil, false, nil
		}
	}
	x, err := w.cell.expand(l)
	if x == nil || err != nil {
		return nil, false, err
	}
	return w.under(x, covered)
}

func (w *walk) underMap(l *layer, m *Map, covered bool) (*layer, bool, error) {
	if covered {
		switch m.Strategy {
		case ReplaceStrategy:
			return nil, true, nil
		case ErrorStrategy:
			return nil, true, forbidden(w.cell, l.span(), source.Span{})
		}
	}
	i, ok := m.Find(w.key)
	if !ok {
		return nil, m.Strategy == ReplaceStrategy, nil
	}
	return l.under(m.Entries[i].Node), m.Strategy == ReplaceStrategy, nil
}

func (w *walk) underGroup(l *layer, covered bool) (*layer, bool, error) {
	var got []*layer
	oldest := false // whether the only one found is from the oldest member
	for i, m := range l.members {
		f, opaque, err := w.under(m, covered)
		if err != nil {
			return nil, false, err
		}
		if f != nil {
			got = append(got, f)
			oldest = i == len(l.members)-1
		}
		if opaque {
			return joined(got, l, oldest), true, nil
		}
		covered = true
	}
	return joined(got, l, oldest), false, nil
}

// joined makes a group of what the members of l had under a key. A single layer
// stays in a group of its own if it may be a deletion that had an older member to
// work on.
func joined(got []*layer, l *layer, oldest bool) *layer {
	switch {
	case len(got) == 0:
		return nil
	case len(got) == 1 && (oldest || got[0].members == nil && isSolid(got[0].node)):
		return got[0]
	}
	return &layer{members: got, rule: l.rule, origin: l.origin, up: l, sealed: !oldest}
}

// isSolid reports whether a node certainly is a value, and no deletion.
func isSolid(n Node) bool {
	switch n := n.(type) {
	case *Map:
		return n.Strategy == DefaultStrategy
	case *Scalar:
		return !n.Final
	case *Seq, *Computed:
		return true
	}
	return false
}

// mayDefine reports whether n can contribute something under key. A guard that
// cannot is not decided: reading one key must not depend on unrelated conditions.
func mayDefine(n Node, key value.Key) bool {
	switch n := n.(type) {
	case *Map:
		_, ok := n.Find(key)
		return ok
	case *Guard:
		if n.May == nil {
			return true
		}
		for _, m := range n.May {
			if mayDefine(m, key) {
				return true
			}
		}
		return false
	case *Let:
		return mayDefine(n.Body, key)
	}
	return true
}
