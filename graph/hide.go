package graph

// A hidden layer is one that is being decided: a reference being followed or a
// guard being asked. Whoever meets it meanwhile sees the cell without it.
type hidden struct {
	node    Node
	cell    *Cell
	guard   bool
	met     bool
	sharing bool   // a reference that has found its target and asks what lies there
	reads   []read // what a guard saw that may yet change
}

type hiddenKey struct {
	node Node
	cell *Cell
}

// provisionally runs f and reports whether what it found is provisional: whether
// it met a hidden layer. Such findings must not be remembered.
func (e *Eval) provisionally(f func() error) (bool, error) {
	outer := e.low
	e.low = none
	err := f()
	met := e.low != none || e.settling
	e.low = min(outer, e.low)
	return met, err
}

// meets reports whether the node is hidden on cell c, and notes that it was met.
func (e *Eval) meets(n Node, c *Cell) bool {
	i, hidden := e.hiddenAt[hiddenKey{n, c}]
	if hidden {
		e.hidden[i].met = true
		e.low = min(e.low, i)
	}
	return hidden
}

// hide runs f with the node hidden on c. It reports whether f met other hidden
// layers; meeting this one is what hiding is for.
func (e *Eval) hide(h *hidden, f func() error) (provisional bool, err error) {
	index, key := len(e.hidden), hiddenKey{h.node, h.cell}
	e.hidden = append(e.hidden, h)
	e.hiddenAt[key] = index
	outer := e.low
	e.low = none
	err = f()
	e.hidden = e.hidden[:index]
	delete(e.hiddenAt, key)
	if e.low >= index {
		e.low = none
	}
	provisional = e.low != none
	e.low = min(outer, e.low)
	return provisional, err
}

// sharesItself reports whether a cell is needed whole to work out what it is
// itself: references lead from it back to it, and none of them goes on into a part.
func (e *Eval) sharesItself(c *Cell) bool {
	for i := len(e.hidden) - 1; i >= 0 && e.hidden[i].sharing; i-- {
		if e.hidden[i].cell == c {
			return true
		}
	}
	return false
}
