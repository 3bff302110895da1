package graph

import (
	"context"
	"math"
	"slices"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

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

	hidden   []*hidden // layers being decided, outermost first: hide.go
	hiddenAt map[hiddenKey]int
	low      int // lowest of them that was met by what is being worked out

	choices   map[guardAt]*choice // what guards picked: guard.go
	tentative []guardAt           // those that are not confirmed: settle.go
	settling  bool                // they are being confirmed
	assume    map[*Cell]assumed   // what cells are taken to have meanwhile

	running []run // computations under way: run.go
	lowRun  int   // lowest of them that was seen as null

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
		choices: map[guardAt]*choice{}, assume: map[*Cell]assumed{},
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
