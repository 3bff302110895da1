package graph

import "github.com/yaytpl/yaytpl/value"

// Compact lets go of the cells below item i of a list once its value is known as a
// whole, which stays as plain data: a loop of many turns keeps no more of each than
// its result. What is asked for later is worked out again. Only what stands inside
// names, as the items of loops do, is let go: nothing looks at where such data lie.
func (c *Cell) Compact(i int) error {
	item := c.turnOf(i)
	if item == nil {
		return nil
	}
	plain, err := value.Plain(item.val)
	if err != nil {
		return err
	}
	item.val = plain.Mark(item.val.Marks())
	item.forget()
	return nil
}

// Release implements [value.Releasing]: unlike after Compact, nothing stays.
func (l *lazyList) Release(i int) {
	if item := l.cell().turnOf(i); item != nil {
		item.forget()
	}
}

// turnOf returns the cell of item i if that stands inside names and is a map or list
// that was looked into.
func (c *Cell) turnOf(i int) *Cell {
	f := c.shape
	if f == nil || f.kind != listShape || i >= len(f.items) || f.items[i].layer.frame == nil {
		return nil
	}
	item := c.itemKid(i)
	if !item.hasVal || !item.looked() || CellOf(item.val) != item {
		return nil
	}
	return item
}

// looked reports whether there are cells below c.
func (c *Cell) looked() bool { return c.kids != nil || c.more != nil && c.more.items != nil }

func (c *Cell) forget() { c.kids, c.shape, c.more = nil, nil, nil }
