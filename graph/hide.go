package graph

// A hidden layer is one that is being decided: a reference being followed or a
// guard being asked. Whoever meets it meanwhile sees the cell without it.
type hidden struct {
	node    Node
	cell    *Cell
	guard   bool
	met     bool
	sharing bool   // a reference that has found its target and asks what lies there
	way     []*Ref // references that led back to it when it was first met
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
		if !e.hidden[i].met {
			e.hidden[i].way = e.followed(i + 1)
		}
		e.hidden[i].met = true
		e.low = min(e.low, i)
	}
	return hidden
}

// followed returns the references that are being followed, from the i-th hidden
// layer on, as many as a finding names.
func (e *Eval) followed(i int) []*Ref {
	var refs []*Ref
	for ; i < len(e.hidden) && len(refs) < maxIncludeNotes; i++ {
		if ref, ok := e.hidden[i].node.(*Ref); ok {
			refs = append(refs, ref)
		}
	}
	return refs
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

// backTo returns the references that are being followed since cell c was begun.
func (e *Eval) backTo(c *Cell) []*Ref {
	for i := range e.hidden {
		if e.hidden[i].cell == c {
			return e.followed(i)
		}
	}
	return nil
}
