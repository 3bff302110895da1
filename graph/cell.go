package graph

import "github.com/yaytpl/yaytpl/value"

// A Cell is a place in the configuration. It holds what has been worked out there:
// its layers, what they fold to, its value. Cells are made on demand and belong to
// one Eval.
type Cell struct {
	eval *Eval
	up   *Cell
	key  value.Key

	item     bool // an item of a list
	bound    boundness
	hasLayer bool
	hasVal   bool
	hasThunk bool
	ok       bool   // val is a value; otherwise there is none
	cyclic   bool   // it was null to itself at some point: see shaded
	busy     uint32 // computations of it under way

	layer *layer      // if hasLayer; nil when nothing is there
	shape *folded     // what that folds to, if it is known
	val   value.Value // if hasVal

	kids  *Cell     // the newest of those below; each knows the one before it
	older *Cell     // that one
	more  *cellMemo // nil for most
}

// A cellMemo is what only few cells have to remember.
type cellMemo struct {
	found      []resolved       // what references and guards on the cell came to
	foundIndex map[foundKey]int // only past smallMap found
	splices    map[foundKey]*Cell
	kidIndex   map[value.Key]*Cell // only past smallMap kids
	items      []*Cell             // of a list
	counting   map[*group][]bool   // of groups with strategies: see gathering
	standsFor  *Cell               // the cell of the document at the place of one that is not in it
	thunk      Thunk               // of a map that is an expression object
	err        error
}

// memo returns what there is to remember, to be added to.
func (c *Cell) memo() *cellMemo {
	if c.more == nil {
		c.more = &cellMemo{}
	}
	return c.more
}

// A boundness says that a cell is not part of the configuration, but bound to a name
// beside its enclosing cell; perhaps that is known to be a map.
type boundness uint8

const (
	unbound boundness = iota
	bound
	boundInMap
)

// Path returns where the cell is.
func (c *Cell) Path() value.Path {
	var p value.Path
	for ; c.up != nil; c = c.up {
		p = append(p, c.key)
	}
	for i, j := 0, len(p)-1; i < j; i, j = i+1, j-1 {
		p[i], p[j] = p[j], p[i]
	}
	return p
}

// label says where the cell is, in messages.
func (c *Cell) label() string {
	if c.up == nil {
		return "the document"
	}
	return c.Name().String()
}

// Name returns how expressions reach the cell: its path, or what follows the name that
// it is bound to.
func (c *Cell) Name() value.Path {
	for up := c; up.up != nil; up = up.up {
		switch {
		case up.bound == unbound:
		case up.key == argumentsKey:
			return c.Path()[len(up.Path()):]
		default:
			return c.Path()[len(up.Path())-1:]
		}
	}
	return c.Path()
}

// isBound reports whether the cell is part of something bound to a name, not of the
// configuration.
func (c *Cell) isBound() bool {
	for ; c != nil; c = c.up {
		if c.bound != unbound {
			return true
		}
	}
	return false
}

// Up returns the enclosing cell, nil for the root.
func (c *Cell) Up() *Cell { return c.up }
