package graph

import (
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Place is where a thunk is evaluated: the cell that it lies on, and where it
// was written.
type Place struct {
	Cell   *Cell
	Origin *Origin
	Frame  *Frame
	At     source.Span

	// Inside says that what is evaluated stands in the map on the cell, as the
	// name of an include does; otherwise it is the value of the cell.
	Inside bool
}

// Here returns the map that what is evaluated stands in, false if there is none.
func (p *Place) Here() (value.Value, bool, error) {
	if p.Inside {
		return p.Cell.AsMap(), true, nil
	}
	return p.Cell.Enclosing()
}

// Eval returns the evaluation.
func (p *Place) Eval() *Eval { return p.Cell.eval }
