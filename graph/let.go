package graph

import (
	"slices"
)

// letNames are the names of a Let on a cell.
type letNames struct {
	let     *Let
	cell    *Cell
	layer   *layer // of the body: what is bound sees the other names
	cells   []*Cell
	brought map[string]*Cell // names that were looked for in imports; nil: not there

	// shared says that the names are also among those that the Let around this one
	// imports, or that all root layers share: they are looked for there, where a
	// later stanza may bind them anew.
	shared bool
}

// let returns the body of a Let with its names bound: the same ones however often
// it is asked for.
func (c *Cell) let(l *layer, n *Let) *layer {
	if r := c.recall(l); r != nil {
		return r.layer
	}
	body := l.under(n.Body)
	body.frame = &Frame{up: l.frame, more: &letNames{let: n, cell: c, layer: body, shared: c.shares(l)}}
	c.learn(l, body, nil)
	return body
}

// shares reports whether a Let is the whole of a file that Yay includes, or of a
// layer of the document.
func (c *Cell) shares(l *layer) bool {
	if l.via != nil {
		return l.via.Deep && l.frame != nil
	}
	return c == c.eval.root && l.up == nil
}

// lookup implements names. What a later stanza binds or brings counts (spec: yay,
// section 6.3).
func (b *letNames) lookup(name string) (*Cell, error) {
	own := b.find(name)
	if len(b.let.Imports) > 0 {
		if c, err := b.imported(name, own); c != nil || err != nil {
			return c, err
		}
	}
	if own < 0 {
		return nil, nil
	}
	return b.at(own), nil
}

func (b *letNames) find(name string) int {
	for i := len(b.let.Names) - 1; i >= 0; i-- {
		if b.let.Names[i].Key.Text == name {
			return i
		}
	}
	return -1
}

// at returns the cell of the i-th name. It stands beside the map that the Let is
// about: see [Cell.Enclosing].
func (b *letNames) at(i int) *Cell {
	if b.cells == nil {
		b.cells = make([]*Cell, len(b.let.Names))
	}
	if b.cells[i] == nil {
		name := &b.let.Names[i]
		as := bound
		if b.let.Map {
			as = boundInMap
		}
		b.cells[i] = &Cell{eval: b.cell.eval, up: b.cell, key: name.Key, bound: as, layer: b.layer.under(name.Node), hasLayer: true}
	}
	return b.cells[i]
}

// imported asks the imports that are newer than the Let's own definition of a name,
// which is -1 for none.
func (b *letNames) imported(name string, own int) (*Cell, error) {
	if c, ok := b.brought[name]; ok {
		return c, nil
	}
	var found *Cell
	provisional, err := b.cell.eval.provisionally(func() (err error) {
		for i := len(b.let.Imports) - 1; i >= 0 && found == nil && err == nil; i-- {
			if imp := b.let.Imports[i]; imp.Before > own {
				found, err = b.cell.importFrom(b.layer.under(imp.Node), name)
			}
		}
		return err
	})
	if err == nil && !provisional {
		if b.brought == nil {
			b.brought = map[string]*Cell{}
		}
		b.brought[name] = found
	}
	return found, err
}

// importFrom looks for a name among those of a layer that lies on c.
func (c *Cell) importFrom(l *layer, name string) (found *Cell, err error) {
	err = c.brings(l, func(n names) error {
		if found == nil {
			found, err = n.lookup(name)
		}
		return err
	})
	return found, err
}

// brings calls visit for the names of the Lets around the whole of a layer that lies
// on c, newest first.
func (c *Cell) brings(l *layer, visit func(names) error) error {
	if err := c.eval.Enter(); err != nil {
		return err
	}
	defer c.eval.Leave()
	if _, isLet := l.node.(*Let); !isLet {
		var err error
		if l, err = c.expand(l); l == nil || err != nil {
			return err
		}
	}
	if let, ok := l.node.(*Let); ok {
		return visit(c.let(l, let).frame.more)
	}
	if l.group == nil {
		return nil
	}
	for _, m := range l.members {
		if err := c.brings(m, visit); err != nil {
			return err
		}
	}
	return nil
}

// each implements names.
func (b *letNames) each(name string, visit func(*Cell) error) error {
	next := 0
	for i := 0; i <= len(b.let.Names); i++ {
		for ; next < len(b.let.Imports) && b.let.Imports[next].Before == i; next++ {
			err := b.cell.brings(b.layer.under(b.let.Imports[next].Node), func(n names) error { return n.each(name, visit) })
			if err != nil {
				return err
			}
		}
		if i < len(b.let.Names) && b.let.Names[i].Key.Text == name {
			if err := visit(b.at(i)); err != nil {
				return err
			}
		}
	}
	return nil
}

// known implements names.
func (b *letNames) known() []string {
	var all []string
	for i := range slices.Backward(b.let.Names) {
		all = append(all, b.let.Names[i].Key.Text)
	}
	return all
}
