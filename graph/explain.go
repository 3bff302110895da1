package graph

import (
	"strconv"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Role says what a layer does to the value of a cell.
type Role string

// The roles.
const (
	Sets    Role = "set"     // decides the value
	Merges  Role = "merged"  // adds entries or items to it
	Beaten  Role = "over"    // is hidden by a newer layer
	Deletes Role = "deleted" // removes what older layers have
	Refused Role = "refused" // does not apply
	Uses    Role = "uses"    // a value that was read to compute it
)

// A Fact is one layer of a cell, or a value that its computation read.
type Fact struct {
	Role     Role
	At       source.Span
	Val      value.Value   // as written; valid for Sets, Merges, Beaten, Uses
	Path     value.Path    // of Uses: the place that was read
	Layer    string        // the root layer that it belongs to
	Through  []source.Span // the references that brought it here, innermost first
	Includes []source.Span // the includes of its file, innermost first
	Reason   string        // of Refused
}

// Explain returns every layer of c, newest first: what set the value, what it
// beat, what was refused; then the values that computing it read, and those that the
// conditions on its way read. Nothing is recorded for this: the stack is walked
// without stopping where a value was found.
func (c *Cell) Explain() ([]Fact, error) {
	f, err := c.fold()
	if err != nil {
		return nil, err
	}
	x := explanation{cell: c, folded: f}
	all, err := c.everything(&x)
	if err != nil {
		return nil, err
	}
	var facts []Fact
	var decided []Fact
	for _, l := range all {
		fact := x.fact(l)
		if fact.Role == Beaten && isWeak(l.node) {
			continue // what a block comes to without anything in it
		}
		facts = append(facts, fact)
		if fact.Role == Sets {
			decided = c.conditions(l)
		}
	}
	facts = append(facts, x.refused...)
	return append(append(facts, c.uses()...), decided...), nil
}

// An explanation is the account of one cell.
type explanation struct {
	cell    *Cell
	folded  *folded
	refused []Fact
	below   *value.Key   // what is looked for in the layers of an enclosing cell
	whole   *explanation // of that
	set     bool         // the layer that decides was met
}

// everything returns all single layers of c, newest first, those that are hidden
// included.
func (c *Cell) everything(x *explanation) ([]*layer, error) {
	if c.up == nil || c.item {
		l, err := c.layers()
		if err != nil {
			return nil, err
		}
		if l != nil {
			return c.singles(l, x)
		}
	}
	if c.up == nil {
		return nil, nil
	}
	parents, err := c.up.everything(x.above(&c.key))
	if err != nil {
		return nil, err
	}
	var all []*layer
	for _, p := range parents {
		n := c.up.entryOf(p, c.key)
		if n == nil {
			continue
		}
		more, err := c.singles(p.under(n), x)
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	return all, nil
}

// entryOf returns what a single layer of c has under a key, nil for nothing. A
// computed layer is worked out to see.
func (c *Cell) entryOf(l *layer, k value.Key) Node {
	switch n := l.node.(type) {
	case *Map:
		if i, ok := n.Find(k); ok {
			return n.Entries[i].Node
		}
	case *View:
		if entry, err := n.entry(k); err == nil {
			return entry
		}
	case *Seq:
		if i, err := strconv.Atoi(k.Text); err == nil && i >= 0 && i < len(n.Items) {
			return n.Items[i]
		}
	case *Computed:
		if x, err := c.reveal(l); err == nil && x.node != l.node {
			return c.entryOf(x, k)
		}
	}
	return nil
}

// singles returns the single layers that l comes to on c, references followed. What
// does not apply is noted in x.
func (c *Cell) singles(l *layer, x *explanation) ([]*layer, error) {
	if l.group != nil {
		var all []*layer
		for _, m := range l.members {
			more, err := c.singles(m, x)
			if err != nil {
				return nil, err
			}
			all = append(all, more...)
		}
		return all, nil
	}
	switch n := l.node.(type) {
	case *Scalar, *Computed, *Map, *Seq, *Extend, *Delete, *View, *Define:
		return []*layer{l}, nil
	case *Overlay:
		return c.overlaySingles(l, n, x)
	}
	target, err := c.expand(l)
	if err != nil {
		return nil, err
	}
	told := false
	if g, ok := l.node.(*Guard); ok {
		told = x.passOver(c, l, g)
	}
	if target != nil {
		return c.singles(target, x)
	}
	if !told {
		x.refuse(l)
	}
	return nil, nil
}

func (c *Cell) overlaySingles(l *layer, n *Overlay, x *explanation) ([]*layer, error) {
	var all []*layer
	if len(n.Own.Entries) > 0 || !n.Lone {
		all = append(all, l.under(n.Own))
	}
	for i := len(n.Bases) - 1; i >= 0; i-- {
		more, err := c.singles(l.under(n.Bases[i]), x)
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	return all, nil
}
