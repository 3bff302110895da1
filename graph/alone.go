package graph

// Alone returns a cell that is not part of the document, at the place of c, on which only
// n lies, as if the oldest document had it there. Pointers lead from it into the
// document.
func (c *Cell) Alone(n Node) *Cell {
	a := &Cell{eval: c.eval, up: c.up, key: c.key, item: c.item, hasLayer: true}
	a.layer = &layer{node: n, origin: c.eval.layers[0]}
	a.memo().standsFor = c
	return a
}

// standing returns the cell of the document at the place of c.
func (c *Cell) standing() *Cell {
	if c.more != nil && c.more.standsFor != nil {
		return c.more.standsFor
	}
	return c
}
