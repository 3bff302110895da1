package graph

import (
	"strconv"

	"github.com/yaytpl/yaytpl/value"
)

// kid returns the cell under a key of the map on c.
func (c *Cell) kid(k value.Key) *Cell { return c.below(k, false) }

// below returns the cell of a key, or of an item of the list on c: they are two cells.
func (c *Cell) below(k value.Key, item bool) *Cell {
	if item && c.more != nil && c.more.items != nil {
		if i, err := strconv.Atoi(k.Text); err == nil && i >= 0 && i < len(c.more.items) && c.more.items[i] != nil {
			return c.more.items[i]
		}
	}
	if c.more != nil && c.more.kidIndex != nil {
		if kid := c.more.kidIndex[k]; kid != nil && kid.item == item {
			return kid
		}
	} else {
		for kid := c.kids; kid != nil; kid = kid.older {
			if kid.key == k && kid.item == item {
				return kid
			}
		}
	}
	kid := &Cell{eval: c.eval, up: c, key: k, item: item}
	if c.keepsKids() {
		c.keep(kid)
	}
	return kid
}

// itemKid returns the cell of item i of the list on c. Once the length of the list is
// known, the cells stand side by side.
func (c *Cell) itemKid(i int) *Cell {
	if c.shape == nil || i >= len(c.shape.items) || !c.keepsKids() {
		return c.below(value.Index(i), true)
	}
	m := c.memo()
	if m.items == nil {
		m.items = make([]*Cell, len(c.shape.items))
	}
	if m.items[i] == nil {
		if c.kids == nil {
			m.items[i] = &Cell{eval: c.eval, up: c, key: value.Index(i), item: true}
		} else {
			m.items[i] = c.below(value.Index(i), true)
		}
	}
	return m.items[i]
}

// keepsKids is false for data that needs no evaluation: its cells are cheaper to
// make again than to keep.
func (c *Cell) keepsKids() bool {
	return c.layer == nil || c.layer.group != nil || !isConstant(c.layer.node)
}

func (c *Cell) keep(kid *Cell) {
	kid.older, c.kids = c.kids, kid
	if c.more != nil && c.more.kidIndex != nil {
		c.more.kidIndex[kid.key] = kid
		return
	}
	n := 0
	for k := c.kids; k != nil; k = k.older {
		n++
	}
	if n <= smallMap {
		return
	}
	c.memo().kidIndex = make(map[value.Key]*Cell, 2*n)
	for k := c.kids; k != nil; k = k.older {
		if c.more.kidIndex[k.key] == nil {
			c.more.kidIndex[k.key] = k
		}
	}
}
