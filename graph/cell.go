package graph

import (
	"context"
	"math"
	"strconv"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

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
	hasThunk bool
	cyclic   bool // it was null to itself at some point: see shaded
	ok       bool
	state    cellState
	busy     uint32 // computations of it under way

	layer *layer // nil also when nothing is there
	shape *folded
	kids  *Cell // the newest of those below; each knows the one before it
	older *Cell
	more  *cellMemo // nil for most
	val   value.Value
}

// A cellMemo is what only few cells have to remember.
type cellMemo struct {
	found      []resolved       // what references and guards on the cell came to
	foundIndex map[foundKey]int // only past smallMap found
	splices    map[foundKey]*Cell
	kidIndex   map[value.Key]*Cell // only past smallMap kids
	items      []*Cell             // of a list
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

type cellState uint8

const (
	unknown cellState = iota
	done
)

// An Eval is one evaluation of a configuration: one revision, one goroutine.
type Eval struct {
	ctx    context.Context
	limits Limits
	loader Loader
	forms  Forms
	rule   *Rule
	layers []*Origin

	root  *Cell
	files map[*Doc]*Cell // roots of documents on their own, for pointers into them

	steps, depth int
	meter        *meter

	hidden   []*hidden // layers being decided, outermost first
	hiddenAt map[hiddenKey]int
	low      int // lowest of them that was met by what is being worked out

	choices   map[guardAt]*choice
	tentative []guardAt
	settling  bool
	assume    map[*Cell]assumed

	running []run // computations under way
	lowRun  int   // lowest of them that was seen as null

	anchors      map[string]anchorAt
	warn         func(*source.Diagnostic)
	warned       map[source.Span]bool
	strictCycles bool
	// OnRead is told of every value that a computation reads. It may be nil.
	OnRead func(from, to *Cell)

	User any // what thunks need to know; the graph does not look at it
}

// Forms decides whether a map is an expression object. raw is the map with all its
// layers, not evaluated.
type Forms func(raw value.Value, p *Place) (Thunk, bool)

// Options say how to evaluate. The zero value evaluates with default limits,
// without includes.
type Options struct {
	Limits Limits
	Loader Loader
	Forms  Forms
	Rule   *Rule // of the root layers; nil is MergeRule
	Warn   func(*source.Diagnostic)
	User   any

	// StrictCycles makes an expression that needs itself an error, not null.
	StrictCycles bool
}

const none = math.MaxInt

// A RootLayer is a document with its name as a layer. Rule says how it joins the
// layers below it; nil is the rule of the evaluation.
type RootLayer struct {
	Doc  *Doc
	Name string
	Rule *Rule
}

// New returns an evaluation of root layers, oldest first.
func New(ctx context.Context, layers []RootLayer, o Options) *Eval {
	e := &Eval{
		ctx: ctx, limits: o.Limits.WithDefaults(), loader: o.Loader, forms: o.Forms, rule: o.Rule,
		files: map[*Doc]*Cell{}, hiddenAt: map[hiddenKey]int{}, low: none, lowRun: none,
		choices: map[guardAt]*choice{}, assume: map[*Cell]assumed{},
		meter: newMeter(o.Limits.WithDefaults().Memory), warned: map[source.Span]bool{}, warn: o.Warn, User: o.User, strictCycles: o.StrictCycles,
	}
	if e.rule == nil {
		e.rule = MergeRule
	}
	if e.warn == nil {
		e.warn = func(*source.Diagnostic) {}
	}
	for _, l := range layers {
		e.layers = append(e.layers, &Origin{Doc: l.Doc, Layer: l.Name})
	}
	e.root = &Cell{eval: e, layer: e.rootLayer(layers), hasLayer: true}
	return e
}

// rootLayer puts the layers of the document over one another. A layer joins all
// that is below it by its own rule.
func (e *Eval) rootLayer(layers []RootLayer) *layer {
	var all *layer
	for i, o := range e.layers {
		if o.Doc.Root == nil {
			continue
		}
		rule := layers[i].Rule
		if rule == nil {
			rule = e.rule
		}
		l := &layer{node: o.Doc.Root, origin: o}
		switch {
		case all == nil:
			all = l
		case all.group != nil && all.rule == rule:
			all.members = append([]*layer{l}, all.members...)
		default:
			all = &layer{group: &group{members: []*layer{l, all}, rule: rule}}
		}
	}
	return all
}

// Root returns the cell of the whole document.
func (e *Eval) Root() *Cell { return e.root }

// Limits returns the limits of the evaluation.
func (e *Eval) Limits() Limits { return e.limits }

// Warn reports a finding that does not stop the evaluation, once for each place.
func (e *Eval) Warn(d *source.Diagnostic) {
	if !d.At.IsZero() {
		if e.warned[d.At] {
			return
		}
		e.warned[d.At] = true
	}
	e.warn(d)
}

// FileRoot returns the root of one document on its own, outside of the
// configuration that it is included in.
func (e *Eval) FileRoot(o *Origin) *Cell {
	c := e.files[o.Doc]
	if c == nil {
		c = &Cell{eval: e, hasLayer: true}
		if o.Doc.Root != nil {
			c.layer = &layer{node: o.Doc.Root, origin: o}
		}
		e.files[o.Doc] = c
	}
	return c
}

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

// IsBound reports whether the cell is part of something bound to a name, not of the
// configuration.
func (c *Cell) IsBound() bool {
	for ; c != nil; c = c.up {
		if c.bound != unbound {
			return true
		}
	}
	return false
}

// Up returns the enclosing cell, nil for the root.
func (c *Cell) Up() *Cell { return c.up }

// Key returns the key or index of the cell in the enclosing one.
func (c *Cell) Key() value.Key { return c.key }

// kid returns the cell below c with the given key.
func (c *Cell) kid(k value.Key, item bool) *Cell {
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
		return c.kid(value.Index(i), true)
	}
	m := c.memo()
	if m.items == nil {
		m.items = make([]*Cell, len(c.shape.items))
	}
	if m.items[i] == nil {
		if c.kids == nil {
			m.items[i] = &Cell{eval: c.eval, up: c, key: value.Index(i), item: true}
		} else {
			m.items[i] = c.kid(value.Index(i), true)
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
