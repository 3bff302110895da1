package graph

import (
	"slices"

	"github.com/yaytpl/yaytpl/value"
)

// uses returns the values that computing c reads. The cell is computed once more
// with somebody looking on.
func (c *Cell) uses() []Fact {
	return c.reading(func() error {
		_, _, err := c.compute()
		return err
	})
}

// conditions returns the values that decided that l is there: those that the
// conditions on its way read.
func (c *Cell) conditions(l *layer) []Fact {
	var facts []Fact
	for ; l != nil; l = l.up {
		g, ok := l.node.(*Guard)
		if !ok {
			continue
		}
		at, ch := c.decision(l, g)
		if ch == nil {
			continue
		}
		read := at.reading(func() error {
			_, _, err := at.ask(ch.layer, g)
			return err
		})
		for i := range read {
			read[i].Reason = "for the " + g.label() + " in " + g.At.String()
		}
		facts = append(facts, read...)
	}
	return facts
}

// decision returns what was picked for a guard on the way to c, and the cell that it
// was picked on: one around c, or the place where a base lies that is the same
// everywhere. The same guard may have picked something else in another turn of a loop.
func (c *Cell) decision(l *layer, g *Guard) (*Cell, *choice) {
	for up := c; up != nil; up = up.up {
		if ch := c.eval.choices[guardAt{g, up, l.frame}]; ch != nil {
			return up, ch
		}
	}
	for at, ch := range c.eval.choices {
		if at.guard == g && at.frame == l.frame {
			return at.cell, ch
		}
	}
	return nil, nil
}

// reading returns what f, a computation on c, reads.
func (c *Cell) reading(f func() error) []Fact {
	e := c.eval
	outer := e.OnRead
	defer func() { e.OnRead = outer }()
	var cells []*Cell
	seen := map[string]bool{}
	e.OnRead = func(from, to *Cell) {
		path := to.Path().String()
		if from == c && to != c && !seen[path] && len(cells) < maxIncludeNotes {
			seen[path] = true
			cells = append(cells, to)
		}
	}
	if f() != nil {
		return nil // the error says what was wrong
	}
	e.OnRead = nil
	var facts []Fact
	for i, at := range cells {
		v, ok, err := at.Value()
		if !ok || err != nil || v.Is(value.FuncKind) || v.Is(value.MapKind) && (at.isBound() || c.isIn(at) || passed(at, cells[i+1:])) {
			continue
		}
		facts = append(facts, at.used(v))
	}
	return facts
}

// isIn reports whether c is up or a place in it.
func (c *Cell) isIn(up *Cell) bool {
	for ; c != nil; c = c.up {
		if c == up {
			return true
		}
	}
	return false
}

// passed reports whether c was only read on the way to what lies in it.
func passed(c *Cell, later []*Cell) bool {
	return slices.ContainsFunc(later, func(to *Cell) bool { return to.isIn(c) })
}

// used is the account of a cell that was read.
func (c *Cell) used(v value.Value) Fact {
	f := Fact{Role: Uses, Path: c.Name(), Val: v}
	if l, err := c.layers(); err == nil && l != nil {
		f.At = l.span()
	}
	return f
}
