package graph

import (
	"strconv"

	"github.com/yaytpl/yaytpl/value"
)

// At returns the cell at a path of keys below c. There need not be anything. What is
// wrong on the way is the error of the cell.
func (c *Cell) At(p value.Path) *Cell {
	for _, k := range p {
		item := false
		if k.Kind == value.IntKind { // an index, or a key of a map
			f, err := c.fold()
			item = err != nil || f.kind == listShape
		}
		c = c.below(k, item)
	}
	return c
}

// Find returns the cell that a pointer leads to from c, nil if there is none.
func (c *Cell) Find(path []string) (*Cell, error) {
	for _, seg := range path {
		if err := c.eval.Step(1); err != nil {
			return nil, err
		}
		next, err := c.step(seg)
		if next == nil || err != nil {
			return nil, err
		}
		c = next
	}
	return c, nil
}

// step returns the cell below c that a pointer segment names, nil if there is none:
// an index of a list, or a key, as text first.
func (c *Cell) step(seg string) (*Cell, error) {
	f, err := c.fold()
	if err != nil {
		return nil, err
	}
	switch f.kind {
	case listShape:
		return c.itemAt(seg, len(f.items)), nil
	case mapShape:
		for _, k := range value.KeysSpelt(seg) {
			kid := c.kid(k)
			here, err := kid.present()
			if here || err != nil {
				return kid, err
			}
		}
	}
	return nil, nil
}

// present reports whether there is something at c: what it is need not be known.
func (c *Cell) present() (bool, error) {
	f, err := c.fold()
	return err == nil && f.kind != absentShape && f.kind != deletedShape, err
}

func (c *Cell) itemAt(seg string, n int) *Cell {
	i, err := strconv.Atoi(seg)
	if err != nil {
		return nil
	}
	if i < 0 {
		i += n
	}
	if i < 0 || i >= n {
		return nil
	}
	return c.itemKid(i)
}
