package graph

import (
	"context"
	"math"
	"slices"
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
	hasVal   bool
	hasThunk bool
	ok       bool   // val is a value; otherwise there is none
	cyclic   bool   // it was null to itself at some point: see shaded
	busy     uint32 // computations of it under way

	layer *layer      // if hasLayer; nil when nothing is there
	shape *foldResult     // what that folds to, if it is known
	val   value.Value // if hasVal

	kids  *Cell     // the newest of those below; each knows the one before it
	older *Cell     // that one
	more  *cellMemo // nil for most
}

// A cellMemo is what only few cells have to remember.
type cellMemo struct {
	found      []expansion       // what references and guards on the cell came to
	foundIndex map[foundKey]int // only past smallMap found
	splices    map[foundKey]*Cell
	kidIndex   map[value.Key]*Cell // only past smallMap kids
	items      []*Cell             // of a list
	counting   map[*group][]bool   // of groups with strategies: see gathering
	original  *Cell               // the cell of the document at the place of one that is not in it
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
	slices.Reverse(p)
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

// Alone returns a cell that is not part of the document, at the place of c, on which only
// n lies, as if the oldest document had it there. Pointers lead from it into the
// document.
func (c *Cell) Alone(n Node) *Cell {
	a := &Cell{eval: c.eval, up: c.up, key: c.key, item: c.item, hasLayer: true}
	a.layer = &layer{node: n, origin: c.eval.layers[0]}
	a.memo().original = c
	return a
}

// standing returns the cell of the document at the place of c.
func (c *Cell) inDocument() *Cell {
	if c.more != nil && c.more.original != nil {
		return c.more.original
	}
	return c
}

// A layer is a node that lies on a cell, or a group of layers that belong
// together: those of one map with directives are folded into one before they join
// what is around them.
type layer struct {
	node   Node
	origin *Origin
	frame  *Frame
	up     *layer // the layer that holds this one, or that imports it here
	via    *Ref   // the reference that imports it here
	of     *Cell  // the cell whose layers these are, if they are shared with it

	*group // nil for a single node
}

// A group is several layers that are folded into one.
type group struct {
	members []*layer // newest first
	rule    *Rule
	sealed  bool     // a deletion in it has done its work inside
	foreign bool     // the strategies of its members are about another place
	overlay *Overlay // what it was made of, if it was an overlay

	keys *keyIndex // of the members, once asked for
}

// under returns the layer for an entry or item of l.
func (l *layer) under(n Node) *layer {
	return &layer{node: n, origin: l.origin, frame: l.frame, up: l}
}

// place copies l to where ref stands. The copies remember ref and the layer that
// holds it, so that a node that comes to contain itself is noticed.
func (l *layer) place(up *layer, ref *Ref) *layer {
	c := *l
	c.up, c.via = up, ref
	if l.group != nil {
		c.group = l.mapped(func(m *layer) *layer { return m.place(up, ref) })
	}
	return &c
}

// mapped returns a copy of a group with every member changed.
func (g *group) mapped(change func(*layer) *layer) *group {
	c := group{rule: g.rule, sealed: g.sealed, foreign: g.foreign, overlay: g.overlay, members: make([]*layer, len(g.members))}
	for i, m := range g.members {
		c.members[i] = change(m)
	}
	return &c
}

// sharedWith reports whether l was reached through layers shared with a cell.
func (l *layer) sharedWith(of *Cell) bool {
	for ; l != nil; l = l.up {
		if l.of == of {
			return true
		}
	}
	return false
}

// elsewhere returns l as what stands in another place, which its strategy is not about
// (merge, section 6).
func (l *layer) elsewhere(rule *Rule) *layer {
	if l.of != nil {
		return l // see sharedFold
	}
	if l.group != nil {
		c, g := *l, *l.group
		c.group, g.foreign = &g, true
		return &c
	}
	if m, ok := l.node.(*Map); !ok || m.Strategy == DefaultStrategy {
		return l
	}
	g := &group{members: []*layer{l}, rule: rule, foreign: true}
	return &layer{group: g, origin: l.origin, frame: l.frame, up: l.up, via: l.via}
}

// leaves calls visit for every single node of l, newest first.
func (l *layer) leaves(visit func(*layer) bool) bool {
	if l.group == nil {
		return visit(l)
	}
	for _, m := range l.members {
		if !m.leaves(visit) {
			return false
		}
	}
	return true
}

// within reports whether l was reached through a layer of the node n.
func (l *layer) within(n Node) bool {
	for ; l != nil; l = l.up {
		if l.node == n {
			return true
		}
	}
	return false
}

// depth returns through how many layers l was reached.
func (l *layer) depth() int {
	n := 0
	for ; l != nil; l = l.up {
		n++
	}
	return n
}

func (l *layer) span() source.Span {
	if l.node != nil {
		return l.node.Span()
	}
	if l.group != nil {
		for _, m := range l.members {
			if at := m.span(); !at.IsZero() {
				return at
			}
		}
	}
	return source.Span{}
}

// An Eval is one evaluation of a configuration: one revision, one goroutine.
type Eval struct {
	ctx          context.Context
	limits       Limits
	loader       Loader
	forms        Forms
	warn         func(*source.Diagnostic)
	strictCycles bool

	layers  []*Origin // of the document, oldest first
	root    *Cell
	files   map[*Doc]*Cell      // roots of documents on their own, for pointers into them
	anchors map[string]anchorAt // of the files that are included, once asked for
	warned  map[source.Span]bool

	steps, depth int // limits.go
	meter        *meter

	hidden   []*hiddenLayer // layers being decided, outermost first: refs.go
	hiddenAt map[hiddenKey]int
	low      int // lowest of them that was met by what is being worked out

	choices   map[guardAt]*choice // what guards picked: guard.go
	tentative []guardAt           // those that are not confirmed: guard.go
	settling  bool                // they are being confirmed
	assume    map[*Cell]snapshot   // what cells are taken to have meanwhile

	running []run // computations under way: values.go
	lowRun  int   // lowest of them that was seen as null

	// OnRead is reported of every value that a computation reads. It may be nil.
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
	Warn   func(*source.Diagnostic)
	User   any

	// StrictCycles makes an expression that needs itself an error, not null.
	StrictCycles bool
}

// none is the index of no hidden layer and of no computation: behind all of them.
const none = math.MaxInt

// A RootLayer is a document with its name as a layer. Rule says how it joins the
// layers below it; nil is MergeRule.
type RootLayer struct {
	Doc  *Doc
	Name string
	Rule *Rule
}

// New returns an evaluation of root layers, oldest first.
func New(ctx context.Context, layers []RootLayer, o Options) *Eval {
	limits := o.Limits.WithDefaults()
	e := &Eval{
		ctx: ctx, limits: limits, loader: o.Loader, forms: o.Forms, warn: o.Warn, strictCycles: o.StrictCycles,
		files: map[*Doc]*Cell{}, warned: map[source.Span]bool{}, meter: newMeter(limits.Memory),
		hiddenAt: map[hiddenKey]int{}, low: none,
		choices: map[guardAt]*choice{}, assume: map[*Cell]snapshot{},
		lowRun: none, User: o.User,
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
			rule = MergeRule
		}
		l := &layer{node: o.Doc.Root, origin: o}
		switch {
		case all == nil:
			all = l
		case all.group != nil && all.rule == rule:
			all.members = append(all.members, l)
		default:
			all = &layer{group: &group{members: []*layer{all, l}, rule: rule}}
		}
	}
	// They were collected oldest first; the last of a group may be a group.
	for l := all; l != nil && l.group != nil; l = l.members[len(l.members)-1] {
		slices.Reverse(l.members)
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
