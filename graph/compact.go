package graph

import "github.com/yaytpl/yaytpl/value"

// Compact lets go of the cells below item i of a list once its value is known as a
// whole, which stays as plain data: a loop of many turns keeps no more of each than
// its result. What is asked for later is worked out again. Only what stands inside
// names, as the items of loops do, is let go: nothing looks at where such data lie.
func (c *Cell) Compact(i int) error {
	f := c.shape
	if f == nil || f.kind != listShape || i >= len(f.items) || f.items[i].layer.frame == nil {
		return nil
	}
	item := c.kid(value.Index(i), true)
	if item.state != done || item.kids == nil || CellOf(item.val) != item {
		return nil
	}
	plain, err := value.Plain(item.val)
	if err != nil {
		return err
	}
	item.val = plain.Mark(item.val.Marks())
	item.kids, item.shape, item.more = nil, nil, nil
	return nil
}
