package graph

import (
	"context"
	"math"
	"slices"
	"strconv"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Cell is a place in the configuration. It caches its layers, the result of their fold
// and its value. Cells are created on demand and belong to one Eval.
type Cell struct {
	eval *Eval
	up   *Cell
	key  value.Key

	item     bool // an item of a list
	bound    boundness
	hasLayer bool
	hasVal   bool
	hasThunk bool
	ok       bool   // val is a value; otherwise the place is absent
	cyclic   bool   // it was null for itself at some point: see shaded
	apart    bool   // the result of an Instance in an expression
	clocked  bool   // val depends on the clock: tick.go
	viewed   bool   // it has questions in Eval.viewed
	busy     uint32 // number of running computations of it

	layer *layer      // if hasLayer; nil if the place is empty
	shape *foldResult // the result of their fold, once known
	val   value.Value // if hasVal

	kids  *Cell     // the newest cell below; each links to the one before it
	older *Cell     // the previous cell below the same cell
	more  *cellMemo // nil for most cells
}

// A cellMemo caches the results that few cells have.
type cellMemo struct {
	shown      []int            // the items of a list that are not omit: see omit.go
	found      []expansion      // the expansions of references and guards on the cell
	foundIndex map[foundKey]int // only for more than smallMap found
	splices    map[foundKey]*Cell
	kidIndex   map[value.Key]*Cell // only for more than smallMap kids
	indexed    []*Cell             // of a map of many layers, by their keys in foldResult.index
	items      []*Cell             // of a list
	counting   map[*group][]bool   // of groups with strategies: see gathering.counts
	original   *Cell               // the cell of the document at the place of a cell made by Alone or Oldest
	whole      bool                // it was made by Oldest: the cells below it have places in the document, too
	thunk      Thunk               // of a map that is an expression object
	looping    bool                // it has turns in Eval.looping
	endless    error               // of a value that contains the cell: see Cell.passed
	err        error
}

// memo returns the memo of c, creating it if needed.
func (c *Cell) memo() *cellMemo {
	if c.more == nil {
		c.more = &cellMemo{}
	}
	return c.more
}

// A boundness says whether a cell is bound to a name next to its enclosing cell instead of
// being part of the configuration; boundInMap if the enclosing cell is known to be a map.
type boundness uint8

const (
	unbound boundness = iota
	bound
	boundInMap
)

// Path returns the path from the root to c.
func (c *Cell) Path() value.Path {
	var p value.Path
	for ; c.up != nil; c = c.up {
		p = append(p, c.key)
	}
	slices.Reverse(p)
	return p
}

// label describes the place of c in messages.
func (c *Cell) label() string {
	if c.up == nil {
		return "the document"
	}
	return c.Name().String()
}

// Name returns the path by which expressions reach c: its full path or, for a cell below a
// bound name, the path from that name on.
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

// Up returns the enclosing cell, nil for the root.
func (c *Cell) Up() *Cell { return c.up }

// kid returns the cell under a key of the map on c.
func (c *Cell) kid(k value.Key) *Cell { return c.below(k, false) }

// below returns the cell of a key, or of an item of the list on c. For key 0 these are two
// different cells, because newer layers may turn a list into a map.
func (c *Cell) below(k value.Key, item bool) *Cell {
	if item && c.more != nil && c.more.items != nil {
		if i, err := strconv.Atoi(k.Text); err == nil && i >= 0 && i < len(c.more.items) && c.more.items[i] != nil {
			return c.more.items[i]
		}
	}
	var at **Cell
	if !item {
		if at = c.indexedKid(k); at != nil && *at != nil {
			return *at
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
	switch {
	case at != nil:
		*at = kid
	case c.keepsKids():
		c.keep(kid)
	}
	return kid
}

// itemKid returns the cell of item i of the list on c. Once the length of the list is
// known, the cells are in a slice.
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

// keepsKids is false for constant data, whose cells are cheaper to create again than to
// keep.
func (c *Cell) keepsKids() bool {
	return c.layer == nil || c.layer.group != nil || !isConstant(c.layer.node)
}

// keep adds a cell to the cells below c.
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

// Alone returns a cell at the place of c, but outside of the document, with n as its only
// layer, as if the i-th of the root layers had n there. Pointers in n lead into the document. The rules
// for the value of n are lists, which may be nil.
func (c *Cell) Alone(i int, n Node, lists *Lists) *Cell {
	a := &Cell{eval: c.eval, up: c.up, key: c.key, item: c.item, hasLayer: true}
	a.layer = &layer{node: n, origin: c.eval.layers[i]}
	if lists != nil {
		a.layer.up = &layer{node: &Overlay{At: n.Span(), Own: NewMap(Map{At: n.Span(), Lists: lists})}, origin: a.layer.origin}
	}
	a.memo().original = c
	c.eval.policies = true // n may have rules for lists
	return a
}

// Oldest returns a cell at the root, but outside of the document, with only the n oldest root layers.
// Pointers in them lead into the document.
func (e *Eval) Oldest(n int) *Cell {
	c := &Cell{eval: e, layer: e.rootLayer(0, n), hasLayer: true}
	c.memo().original, c.more.whole, e.outside = e.root, true, true
	return c
}

// inDocument returns the cell of the document at the place of c.
func (c *Cell) inDocument() *Cell {
	if c.more != nil && c.more.original != nil {
		return c.more.original
	}
	if c.eval.outside {
		top := c
		for top.up != nil {
			top = top.up
		}
		if top.more != nil && top.more.whole {
			return c.up.inDocument().below(c.key, c.item)
		}
	}
	return c
}

// A layer is a node on a cell, or a group of layers that are folded into one before they
// join the other layers, such as a map with its bases.
type layer struct {
	node   Node
	origin *Origin
	frame  *Frame
	up     *layer // the layer that contains this one, or placed it here
	via    *Ref   // the reference that placed it here
	of     *Cell  // the cell that shares its layers here: see Cell.shared

	*group // nil for a single node
}

// A group is several layers that are folded into one.
type group struct {
	members []*layer // newest first
	rule    *Rule
	sealed  bool     // no older layer can join: a deletion in it is complete
	foreign bool     // the strategies of its members refer to another place
	noted   bool     // its single nodes are in Eval.based
	overlay *Overlay // the overlay that it expands, or nil

	keys *keyIndex // index of the members, built on first use
}

// under returns the layer for an entry or item of l.
func (l *layer) under(n Node) *layer {
	return &layer{node: n, origin: l.origin, frame: l.frame, up: l}
}

// place copies l to the place of ref. The copies record ref and the layer that contains it,
// so that a node that would contain itself is noticed.
func (l *layer) place(up *layer, ref *Ref) *layer {
	c := *l
	c.up, c.via = up, ref
	if l.group != nil {
		c.group = l.mapped(func(m *layer) *layer { return m.place(up, ref) })
	}
	return &c
}

// mapped returns a copy of a group with change applied to every member.
func (g *group) mapped(change func(*layer) *layer) *group {
	c := group{rule: g.rule, sealed: g.sealed, foreign: g.foreign, overlay: g.overlay, members: make([]*layer, len(g.members))}
	for i, m := range g.members {
		c.members[i] = change(m)
	}
	return &c
}

// sharedWith reports whether l was reached through layers that a cell shares.
func (l *layer) sharedWith(of *Cell) bool {
	for ; l != nil; l = l.up {
		if l.of == of {
			return true
		}
	}
	return false
}

// elsewhere returns l without the strategies of its maps, which refer to the place where
// they were written (merge, section 6).
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

// leaves calls visit for every single node of l, newest first, until visit returns false.
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

// within reports whether l was reached through a layer of node n.
func (l *layer) within(n Node) bool {
	for ; l != nil; l = l.up {
		if l.node == n {
			return true
		}
	}
	return false
}

// depth returns the number of layers through which l was reached.
func (l *layer) depth() int {
	n := 0
	for ; l != nil; l = l.up {
		n++
	}
	return n
}

// span returns the position of l. A group has the position of its newest member with one.
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

// isIn reports whether c is up or a cell below it.
func (c *Cell) isIn(up *Cell) bool {
	for ; c != nil; c = c.up {
		if c == up {
			return true
		}
	}
	return false
}

// An Eval is one evaluation of a configuration. Only one goroutine at a time may use it. Its state is in parts, each
// next to the code that changes it.
type Eval struct {
	budget       // the work done and allowed: limits.go
	documents    // what is evaluated: include.go
	features     // what the documents make necessary: features.go
	findings     // warnings, and what searches for them cost: near.go
	hiding       // layers that are being resolved: refs.go
	decisions    // choices of guards: guard.go
	computations // values that are being computed: values.go
	preparations // values that are computed ahead: values.go
	turns        // loops and views that are being evaluated: list.go
	clock        // what depends on the time: tick.go

	root   *Cell
	frames []*Frame          // of the root layers that bind names, newest first; nil until needed
	raw    map[Node]Node     // nodes with directives as data: raw.go
	shady  map[*Cell][]shade // what secret conditions choose: shade.go
	shapes []foldResult      // of the members of the groups being folded, outermost first
	mapped mapList

	observed *Cell        // whose list is joined to observe how
	observer listObserver // nil, unless there is such a list

	// OnRead, if not nil, is called for every value that a computation reads; with Discreet
	// only until a secret decides what it reads.
	OnRead   func(from, to *Cell)
	Discreet bool

	// Ticks says that the evaluation may be asked again after a [Eval.Tick]. All that its thunks keep must
	// then be values of cells.
	Ticks bool

	// Runtimes are the state of each language during the evaluation, by its name. Thunks use
	// them, this package does not.
	Runtimes map[string]any
}

// Forms reports whether a map is an expression object, and returns its thunk. raw is the
// map with all its layers, not evaluated.
type Forms func(raw value.Value, p *Context) (Thunk, bool)

// Options configure an evaluation. The zero value has the default limits and no includes.
type Options struct {
	Limits Limits
	Loader Loader
	Forms  Forms
	Warn   func(*source.Diagnostic)

	Runtimes map[string]any // see [Eval.Runtimes]

	// Lists are the rules for lists to which no rule in a document applies, or nil.
	Lists *Lists

	// Before is the [LiveMemory] before the documents of the layers were parsed. Then the limit of
	// memory includes their nodes, and is higher for large texts. 0 means that it is unknown.
	Before uint64

	// StrictCycles makes it an error if an expression object needs its own value. Otherwise
	// that value is null and a warning is reported.
	StrictCycles bool

	// Apart is the number of the oldest layers that are no part of the document: another one has their
	// values. Their anchors have names in the document, and [Eval.Oldest] evaluates them.
	Apart int
}

// none is an index above the indexes of all hidden layers and computations.
const none = math.MaxInt

// A RootLayer is a document as a layer, with a name. Rule joins it with older layers, nil
// is MergeRule.
type RootLayer struct {
	Doc  *Doc
	Name string
	Rule *Rule
}

// New returns an evaluation of root layers, oldest first.
func New(ctx context.Context, layers []RootLayer, o Options) *Eval {
	limits := o.Limits.WithDefaults()
	e := &Eval{
		budget:       budget{ctx: ctx, limits: limits, meter: newMeter(limits.Memory, o.Before, textOf(layers))},
		documents:    documents{loader: o.Loader, files: map[*Doc]*Cell{}},
		features:     features{forms: o.Forms, strictCycles: o.StrictCycles, lists: o.Lists, policies: o.Lists != nil},
		findings:     findings{warn: o.Warn, warned: map[source.Span]bool{}},
		hiding:       hiding{hiddenAt: map[hiddenKey]int{}, low: none},
		decisions:    decisions{choices: map[guardAt]*choice{}, assume: map[*Cell]snapshot{}},
		computations: computations{lowRun: none},
		Runtimes:     o.Runtimes,
	}
	if e.warn == nil {
		e.warn = func(*source.Diagnostic) {}
	}
	for _, l := range layers {
		e.layers = append(e.layers, &Origin{Doc: l.Doc, Layer: l.Name})
		e.rules = append(e.rules, l.Rule)
		e.heed(l.Doc)
	}
	e.root = &Cell{eval: e, layer: e.rootLayer(o.Apart, len(layers)), hasLayer: true}
	return e
}

// textOf returns the bytes of the texts of layers.
func textOf(layers []RootLayer) (n uint64) {
	for _, l := range layers {
		if l.Doc.File != nil {
			n += uint64(len(l.Doc.File.Text))
		}
	}
	return n
}

// Root returns the cell of the whole document.
func (e *Eval) Root() *Cell { return e.root }

// Begin resets the count of steps, for an evaluation that is asked several questions. It
// must not be called during an evaluation.
func (e *Eval) Begin() {
	e.restart()
	e.lazily = false
}

// placedIn gives the place of a layer to an error without one. Only limits have such errors: a directive may exceed one where
// nothing is computed.
func (e *Eval) placedIn(l *layer, err error) error {
	if d, ok := err.(*source.Diagnostic); ok && d.At.IsZero() {
		placed := *d
		placed.At, placed.Includes = l.span(), l.origin.Includes()
		return e.exceeds(&placed)
	}
	return err
}

// Decided notes that a secret decides what the running computation reads from now on: see
// Discreet of [Eval].
func (e *Eval) Decided() {
	if n := len(e.running); n > 0 {
		e.running[n-1].decided = true
	}
}

// FileRoot returns the root of one document on its own, without the configuration that
// includes it.
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

// A Context is the context of a thunk: the cell that it is on, and where it was written.
type Context struct {
	Cell   *Cell
	Origin *Origin
	Frame  *Frame
	At     source.Span

	// Inside says that the thunk is evaluated in the map on the cell, as the name of an
	// include is; otherwise it is the value of the cell.
	Inside bool
}

// Here returns the map around the thunk, false if there is none.
func (p *Context) Here() (value.Value, bool, error) {
	if p.Inside {
		return p.Cell.AsMap(), true, nil
	}
	return p.Cell.Enclosing()
}

// Eval returns the evaluation.
func (p *Context) Eval() *Eval { return p.Cell.eval }
