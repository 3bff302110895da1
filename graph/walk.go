package graph

import (
	"strconv"

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
	if m := parent.plainMap(); m != nil { // most often: nothing else to ask
		if i, ok := m.Find(c.key); ok {
			return parent.under(m.Entries[i].Node), nil
		}
		return nil, nil
	}
	w := walk{cell: c.up, key: c.key}
	l, _, err := w.under(parent)
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
	cell       *Cell
	key        value.Key
	rule       *Rule // of the innermost group
	above      bool  // a newer layer is a map
	strategies bool  // a map with a strategy was met
}

// An effect is what a layer does to those below it that are maps.
type effect uint8

const (
	nothing effect = iota // it is not there, or adds nothing
	joins                 // it is a map
	yields                // it is null or a map that does not count: it hides what is no map, and shows no key
	hides                 // it is another value
	deletes               // it removes them, and then is nothing itself
	nulls                 // it removes them, and then is null
)

// under returns what l has under the key, and its effect on what is older.
func (w *walk) under(l *layer) (*layer, effect, error) {
	if l.of != nil {
		return w.underShared(l)
	}
	if l.group != nil {
		return w.underGroup(l)
	}
	switch n := l.node.(type) {
	case *Map:
		return w.underMap(l, n)
	case *Scalar:
		return nil, w.scalar(n), nil
	case *View:
		return w.underView(l, n)
	case *Computed:
		if w.above && w.rule != nil && w.rule.Typed {
			return w.underComputed(l)
		}
		return nil, hides, nil
	case *Seq:
		if n.Weak {
			return nil, nothing, nil
		}
		return nil, hides, nil
	case *Extend, *Define:
		return nil, hides, nil
	case *Delete:
		return nil, deletes, nil
	case *Guard:
		if !mayDefine(n, w.key) {
			return nil, nothing, nil
		}
	}
	x, err := w.cell.expand(l)
	if x == nil || err != nil {
		return nil, nothing, err
	}
	return w.under(x)
}

func (w *walk) scalar(n *Scalar) effect {
	switch {
	case !n.Val.IsNull():
		return hides
	case n.Final:
		return nulls
	case w.rule == nil || w.rule.NullKeepsMap:
		return yields
	}
	return hides
}

// underMap asks one map. Where maps have strategies, only the fold of the groups that it
// is a member of can say whether it counts: see gathering.
func (w *walk) underMap(l *layer, m *Map) (*layer, effect, error) {
	if m.Strategy != DefaultStrategy && w.cell.layer != l {
		w.strategies = true
	}
	if i, ok := m.Find(w.key); ok {
		return l.under(m.Entries[i].Node), joins, nil
	}
	return nil, joins, nil
}

func (w *walk) underView(l *layer, v *View) (*layer, effect, error) {
	n, err := v.entry(w.key)
	if n == nil || err != nil {
		return nil, joins, err
	}
	return l.under(n), joins, nil
}

// underComputed asks a computed value that a map lies on.
func (w *walk) underComputed(l *layer) (*layer, effect, error) {
	x, err := w.cell.reveal(l)
	if err != nil {
		return nil, hides, err
	}
	return w.under(x)
}

// underGroup asks the members of a group. To the outside the group is what its
// members come to: a deletion in it, for one, has done its work.
func (w *walk) underGroup(l *layer) (*layer, effect, error) {
	rule, above := w.rule, w.above
	w.rule = l.rule
	defer func() { w.rule, w.above = rule, above }()
	if !l.sealed && isMarker(l.members[len(l.members)-1].node) {
		w.strategies = true // it is the strategy of the map above it: see overMarker
	}
	g := gathering{walk: w, group: l}
	if err := g.all(l.index()); err != nil {
		return nil, nothing, err
	}
	return joined(g.got, l, g.oldest), g.whole, nil
}

// underShared asks the cell that l is shared with. What it has is reached through
// where l was placed, not where it lies.
func (w *walk) underShared(l *layer) (*layer, effect, error) {
	found, err := l.of.kid(w.key).layers()
	if err != nil {
		return nil, nothing, err
	}
	if found != nil {
		here := *found
		here.up = l
		return &here, joins, nil
	}
	f, err := l.of.fold()
	if err != nil {
		return nil, nothing, err
	}
	switch f.kind {
	case mapShape:
		return nil, joins, nil
	case absentShape, deletedShape:
		return nil, nothing, nil
	case nullShape:
		return nil, w.scalar(&Scalar{}), nil
	}
	return nil, hides, nil
}

// ends reports whether what was found under a key certainly leaves nothing of what
// is older: then nobody need be asked for that.
func (l *layer) ends(rule *Rule) bool {
	switch n := l.node.(type) {
	case *Scalar:
		return !n.Val.IsNull()
	case *Computed:
		return true
	case *Seq:
		return !n.Weak && rule.replaces(n)
	}
	return false
}

// isSolid reports whether a node certainly is a value, and no deletion.
func isSolid(n Node) bool {
	switch n := n.(type) {
	case *Map:
		return n.Strategy == DefaultStrategy && !n.Weak
	case *Scalar:
		return !n.Final
	case *Seq:
		return !n.Weak
	case *Computed:
		return true
	}
	return false
}

// isMarker reports whether a node only says what becomes of what is there.
func isMarker(n Node) bool {
	switch n := n.(type) {
	case *Delete:
		return true
	case *Scalar:
		return n.Final
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
	case *Stack:
		for _, m := range n.Layers {
			if mayDefine(m, key) {
				return true
			}
		}
		return false
	}
	return true
}
