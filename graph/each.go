package graph

import (
	"strconv"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// each appends the items of all turns of a loop.
func (c *Cell) each(items []item, l *layer, n *Each) ([]item, error) {
	over, err := c.run(n.Over, &Place{Cell: c, Origin: l.origin, Frame: l.frame, At: n.At})
	if err != nil {
		return nil, err
	}
	for v, err := range value.Items(over.List()) {
		if err != nil {
			return nil, err
		}
		if err := c.eval.Step(1); err != nil {
			return nil, at(err, &Place{Origin: l.origin, At: n.At})
		}
		frame, err := n.bind(l.frame, v.Mark(over.Marks()))
		if err != nil {
			return nil, err
		}
		if items, err = c.turn(items, l, n, frame); err != nil {
			return nil, err
		}
	}
	return items, nil
}

// bind returns the names of one turn.
func (n *Each) bind(up *Frame, v value.Value) (*Frame, error) {
	if len(n.Names) == 1 {
		return &Frame{up: up, name: n.Names[0], val: v}, nil
	}
	if !v.Is(value.ListKind) || v.List().Len() != len(n.Names) {
		d := source.Errorf(n.At, source.WrongType, "this loop needs items that are lists of %d, not %s", len(n.Names), describeItem(v))
		if v.IsScalar() {
			d.WithHint("a loop over a mapping runs over its keys alone: take one name")
		}
		return nil, d
	}
	for i, name := range n.Names {
		part, err := v.List().At(i)
		if err != nil {
			return nil, err
		}
		up = &Frame{up: up, name: name, val: part.Mark(v.Marks())}
	}
	return up, nil
}

func describeItem(v value.Value) string {
	if v.Is(value.ListKind) {
		return "one of " + strconv.Itoa(v.List().Len())
	}
	return value.Article(v.Kind())
}

// turn appends the items of one turn. Those of a list that has nothing to be worked
// out are taken as they are.
func (c *Cell) turn(items []item, l *layer, n *Each, frame *Frame) ([]item, error) {
	if seq, ok := n.Body.(*Seq); ok && !seq.special() {
		for _, it := range seq.Items {
			items = append(items, item{layer: &layer{node: it, origin: l.origin, frame: frame, up: l}})
		}
		return items, nil
	}
	turn := l.under(n.Body)
	turn.frame = frame
	spliced, err := c.splice(turn, len(items), nil, false)
	return append(items, spliced...), err
}

// special reports whether some item does not stand for just itself.
func (s *Seq) special() bool {
	for _, n := range s.Items {
		switch n.(type) {
		case *Delete, *Positional, *Splice, *Each, *Guard:
			return true
		}
	}
	return false
}
