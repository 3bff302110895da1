package graph

import (
	"slices"
	"strconv"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Role is the effect of a layer on the value of a cell.
type Role string

// The roles.
const (
	Sets    Role = "set"     // decides the value
	Merges  Role = "merged"  // adds entries or items to it
	Beaten  Role = "over"    // is hidden by a newer layer
	Deletes Role = "deleted" // removes older layers
	Refused Role = "refused" // does not apply
	Uses    Role = "uses"    // a value that was read to compute it

	Either Role = "either" // sets the value or not: a secret decides that

	IsPrivate Role = "private" // says that the value, or one around it, is no part of the output
)

// A Fact is one layer of a cell, or a value that its computation read.
type Fact struct {
	Role     Role
	At       source.Span
	Val      value.Value   // as written; valid for Sets, Merges, Beaten, Either, Uses, IsPrivate
	Path     value.Path    // of Uses: the cell that was read
	Layer    string        // the name of its root layer
	Through  []source.Span // the references that placed it here, innermost first
	Includes []source.Span // the includes of its file, innermost first
	Reason   string        // of Refused, of Uses by a condition, and the rule of a list
}

// Explain returns every layer of c, newest first: the layer that sets the value, those it
// overrides, those that do not apply; then the values that the computation read, and those
// that the conditions of the deciding layer read. It needs no records of the evaluation,
// because layers are never dropped: it walks the stack past the layer that hides the rest.
//
//	a: 1, then a: {{ b }}   set a: {{ b }}, over a: 1, uses b
func (c *Cell) Explain() ([]Fact, error) {
	f, err := c.fold()
	if err != nil {
		return nil, err
	}
	x := explanation{cell: c, folded: f}
	all, err := c.everything(&x)
	if err != nil {
		return nil, err
	}
	var facts []Fact
	var decided []Fact
	for _, l := range all {
		fact := x.fact(l)
		if fact.Role == Beaten && isWeak(l.node) {
			continue // the empty value of a block
		}
		facts = append(facts, fact)
		if fact.Role == Sets {
			decided = c.conditions(l)
		}
	}
	facts = append(facts, x.refused...)
	private, err := c.privateFacts()
	if err != nil {
		return nil, err
	}
	facts = append(facts, private...)
	// Compute the cell again and record its reads.
	uses := c.reading(func() error {
		_, _, err := c.compute()
		return err
	})
	return append(append(facts, uses...), decided...), nil
}

// KeyPlace returns the place of the key of c in the newest map that has it, and the includes of its file.
// It is zero for the root, items and entries of computed maps.
func (c *Cell) KeyPlace() (source.Span, []source.Span) {
	if c.up == nil || c.item {
		return source.Span{}, nil
	}
	f, err := c.up.fold()
	if err != nil {
		return source.Span{}, nil
	}
	for _, m := range f.maps {
		if n, ok := m.node.(*Map); ok {
			if i, ok := n.Find(c.key); ok {
				return n.Entries[i].KeyAt, originOf(m).Includes
			}
		}
	}
	return source.Span{}, nil
}

// SetAt returns the place of the layer that sets the value of c. It is zero if there is none, or the layers
// cannot be told.
func (c *Cell) SetAt() source.Span {
	f, err := c.fold()
	if err != nil {
		return source.Span{}
	}
	x := explanation{cell: c, folded: f}
	all, err := c.everything(&x)
	if err != nil {
		return source.Span{}
	}
	for _, l := range all {
		if x.role(l) == Sets {
			return l.node.Span()
		}
	}
	return source.Span{}
}

// An explanation collects the facts of one cell.
type explanation struct {
	cell    *Cell
	folded  *foldResult
	refused []Fact
	below   *value.Key   // the key to explain, if the cell is around the explained one
	whole   *explanation // the explanation of the explained cell
	set     bool         // the deciding layer was met
}

// account returns the explanation of the explained cell.
func (x *explanation) account() *explanation {
	if x.below != nil {
		return x.whole
	}
	return x
}

// everything returns all single layers of c, newest first, hidden ones included.
func (c *Cell) everything(x *explanation) ([]*layer, error) {
	if c.up == nil || c.item {
		l, err := c.layers()
		if err != nil {
			return nil, err
		}
		if l != nil {
			return c.singles(l, x)
		}
	}
	if c.up == nil {
		return nil, nil
	}
	parents, err := c.up.everything(&explanation{below: &c.key, whole: x.account()})
	if err != nil {
		return nil, err
	}
	var all []*layer
	for _, p := range parents {
		n := c.up.entryOf(p, c.key)
		if n == nil {
			continue
		}
		more, err := c.singles(p.under(n), x)
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	return all, nil
}

// entryOf returns the node of a single layer of c under a key, nil for none. It evaluates a
// computed layer.
func (c *Cell) entryOf(l *layer, k value.Key) Node {
	switch n := l.node.(type) {
	case *Map:
		if i, ok := n.Find(k); ok {
			return n.Entries[i].Node
		}
	case *View:
		if entry, err := n.entry(k); err == nil {
			return entry
		}
	case *Seq:
		if i, err := strconv.Atoi(k.Text); err == nil && i >= 0 && i < len(n.Items) {
			return n.Items[i]
		}
	case *Computed:
		if x, err := c.reveal(l); err == nil && x.node != l.node {
			return c.entryOf(x, k)
		}
	}
	return nil
}

// singles expands l to its leaf layers, following references. It adds those that do not
// apply to x.
func (c *Cell) singles(l *layer, x *explanation) ([]*layer, error) {
	if l.group != nil {
		var all []*layer
		for _, m := range l.members {
			more, err := c.singles(m, x)
			if err != nil {
				return nil, err
			}
			all = append(all, more...)
		}
		return all, nil
	}
	switch n := l.node.(type) {
	case *Scalar, *Computed, *Map, *Seq, *Extend, *Delete, *View, *Define:
		return []*layer{l}, nil
	case *Overlay:
		var all []*layer
		if len(n.Own.Entries) > 0 || !n.Lone {
			all = append(all, l.under(n.Own))
		}
		for i := len(n.Bases) - 1; i >= 0; i-- {
			more, err := c.singles(l.under(n.Bases[i]), x)
			if err != nil {
				return nil, err
			}
			all = append(all, more...)
		}
		if n.older != nil {
			more, err := c.singles(n.older, x)
			if err != nil {
				return nil, err
			}
			all = append(all, more...)
		}
		return all, nil
	}
	target, err := c.expand(l)
	if err != nil {
		return nil, err
	}
	reported := false
	if g, ok := l.node.(*Guard); ok {
		reported = x.addUnchosen(c, l, g)
	}
	if target != nil {
		return c.singles(target, x)
	}
	if !reported {
		x.refuse(l)
	}
	return nil, nil
}

// fact returns the fact of a layer.
func (x *explanation) fact(l *layer) Fact {
	f := originOf(l)
	f.Role, f.At, f.Val = x.role(l), l.node.Span(), written(l.node)
	for n := x.folded.note; n != nil; n = n.older {
		if n.rule != nil && n.of.node == l.node {
			f.Reason = n.rule.reason()
			break
		}
	}
	return f
}

// originOf returns a fact with the way by which a layer takes part.
func originOf(l *layer) Fact {
	f := Fact{Layer: l.origin.layerName(), Includes: l.origin.Includes()}
	from := l.node
	for up := l; up != nil && len(f.Through) < maxIncludeNotes; up = up.up {
		if up.via != nil && up.via.From != FromFile {
			f.Through = append(f.Through, up.via.At)
		}
		if use, ok := up.node.(*Instance); ok && from != use.Given {
			f.Through = append(f.Through, use.At)
		}
		from = up.node
	}
	for o := l.origin; o != nil; o = o.Outer {
		if o.Outer == nil && o.Doc.Match != nil {
			f.Through = append(f.Through, o.Doc.Match.At)
		}
	}
	return f
}

// role returns the effect of a layer. It is called for the layers from newest to oldest.
func (x *explanation) role(l *layer) Role {
	if !x.set {
		x.set = true
		if _, deleted := l.node.(*Delete); deleted {
			return Deletes
		}
		if x.decides(l) {
			return Sets
		}
		x.set = false
	}
	for _, m := range x.folded.maps {
		_, isView := m.node.(*View)
		if m.node == l.node || m.up != nil && m.up.node == l.node && isView {
			return Merges
		}
	}
	for _, it := range x.folded.items {
		if !it.layer.leaves(func(part *layer) bool { return !part.within(l.node) }) {
			return Merges // the item, or a part of it
		}
	}
	return Beaten
}

// decides reports whether l sets the value.
func (x *explanation) decides(l *layer) bool {
	f := x.folded
	if f.top != nil && sameOrigin(f.top.node, l.node) {
		return true
	}
	if _, ok := l.node.(*Computed); ok && f.kind == absentShape {
		return true // an entry of the map that is the value of an enclosing expression
	}
	return len(f.maps) > 0 && f.maps[0].node == l.node
}

// sameOrigin reports whether two nodes are the same, or the same entry of a value, for
// which a node is created each time.
func sameOrigin(a, b Node) bool {
	if a == b {
		return true
	}
	x, ok := a.(*Computed)
	y, also := b.(*Computed)
	return ok && also && x.At == y.At && isEntry(x.Thunk) && isEntry(y.Thunk)
}

// isEntry reports whether a thunk evaluates to an entry of a map.
func isEntry(t Thunk) bool {
	_, ok := t.(entryThunk)
	return ok
}

// isWeak reports whether a node counts only if no other layer does.
func isWeak(n Node) bool {
	switch n := n.(type) {
	case *Map:
		return n.Weak
	case *Seq:
		return n.Weak
	}
	return false
}

// layerName returns the name of the root layer of o.
func (o *Origin) layerName() string {
	for o != nil && o.Outer != nil {
		o = o.Outer
	}
	if o == nil {
		return ""
	}
	return o.Layer
}

// written returns the data of a node as written.
func written(n Node) value.Value {
	switch n := n.(type) {
	case *Scalar:
		return n.Val
	case *Computed:
		return n.Thunk.Raw()
	case *Map:
		return value.FromMap(value.NewMap(0))
	case *Seq, *Extend:
		return value.ListOf()
	}
	return value.Null
}

// addUnchosen adds the nodes for the explained place that a guard on c did not pick. It
// reports whether there are any.
func (x *explanation) addUnchosen(c *Cell, l *layer, g *Guard) (reported bool) {
	picked, err := c.decide(l, g)
	if err != nil {
		return false
	}
	whole := x.account()
	path := whole.cell.Path()[len(c.Path()):]
	for _, n := range g.May {
		if n == picked {
			continue
		}
		for _, at := range nodesAt(n, path) {
			reported = true
			whole.refused = append(whole.refused, Fact{
				Role: Refused, At: at.Span(), Val: written(at), Layer: l.origin.layerName(), Includes: l.origin.Includes(),
				Reason: "not chosen by the " + g.label() + " in " + g.At.String(),
			})
		}
	}
	if next, ok := picked.(*Guard); ok { // an "elif"
		reported = x.addUnchosen(c, l.under(next), next) || reported
	}
	return reported
}

// nodesAt returns the nodes at a path below n, newest first, as far as they are known
// without deciding a guard.
func nodesAt(n Node, path value.Path) []Node {
	switch n := n.(type) {
	case *Let:
		return nodesAt(n.Body, path)
	case *Stack:
		var all []Node
		for _, m := range slices.Backward(n.Layers) {
			all = append(all, nodesAt(m, path)...)
		}
		return all
	case *Guard:
		var all []Node
		for _, m := range n.May {
			all = append(all, nodesAt(m, path)...)
		}
		return all
	case *Map:
		if len(path) > 0 {
			if i, ok := n.Find(path[0]); ok {
				return nodesAt(n.Entries[i].Node, path[1:])
			}
			return nil
		}
		if n.Weak {
			return nil
		}
	}
	if len(path) > 0 {
		return nil
	}
	return []Node{n}
}

// refuse adds a layer that does not apply. Around the explained cell only conditions that
// could define its key are added.
func (x *explanation) refuse(l *layer) {
	if x.below != nil {
		// Around the explained cell only conditions count that could define the key.
		if g, ok := l.node.(*Guard); ok && g.May != nil && mayDefine(g, *x.below) {
			x.whole.refuse(l)
		}
		return
	}
	f := Fact{Role: Refused, At: l.node.Span(), Layer: l.origin.layerName(), Includes: l.origin.Includes()}
	switch n := l.node.(type) {
	case *Ref:
		f.Reason = n.Key + " is optional and has no target"
	case *Guard:
		f.Reason = "the " + n.label() + " does not apply"
	default:
		f.Reason = "contributes nothing"
	}
	x.refused = append(x.refused, f)
}

// conditions returns the values that the conditions around l read, innermost first.
func (c *Cell) conditions(l *layer) []Fact {
	var facts []Fact
	for ; l != nil; l = l.up {
		g, ok := l.node.(*Guard)
		if !ok {
			continue
		}
		at, ch := c.decision(l, g)
		switch {
		case ch == nil:
		case g.Causes != nil:
			p := at.rangeOf(ch.layer, g)
			for _, cause := range g.Causes(p, ch.on, c.Path()[len(at.Path()):]) {
				facts = append(facts, at.readBy(cause.Label, cause.At, func() error {
					_, err := at.run(cause.On, p)
					return err
				})...)
			}
		default:
			facts = append(facts, at.readBy(g.label(), g.At, func() error {
				_, _, err := at.ask(ch.layer, g)
				return err
			})...)
		}
	}
	return facts
}

// readBy returns the values that a condition or the like, a computation on c, reads.
func (c *Cell) readBy(label string, where source.Span, f func() error) []Fact {
	read := c.reading(f)
	for i := range read {
		read[i].Reason = "for the " + label + " in " + where.String()
	}
	return read
}

// decision returns the choice of a guard around c in the same frame (that is, the same turn
// of a loop), and the cell it was made on: an enclosing cell, or the cell of a shared base.
func (c *Cell) decision(l *layer, g *Guard) (*Cell, *choice) {
	for up := c; up != nil; up = up.up {
		if ch := c.eval.choices[guardAt{g, up, l.frame}]; ch != nil {
			return up, ch
		}
	}
	for at, ch := range c.eval.choices {
		if at.guard == g && at.frame == l.frame {
			return at.cell, ch
		}
	}
	return nil, nil
}

// reading returns the values that f, a computation on c, reads.
func (c *Cell) reading(f func() error) []Fact {
	e := c.eval
	outer, wasDiscreet := e.OnRead, e.Discreet
	defer func() { e.OnRead, e.Discreet = outer, wasDiscreet }()
	e.Discreet = true
	var cells []*Cell
	type variable struct {
		path string
		at   source.Span // of a bound name, which several values may have
	}
	seen := map[variable]bool{}
	e.OnRead = func(from, to *Cell) {
		read := variable{path: to.Path().String()}
		if to.bound != unbound && to.layer != nil {
			read.at = to.layer.span()
		}
		if from == c && to != c && !seen[read] && len(cells) < maxIncludeNotes {
			seen[read] = true
			cells = append(cells, to)
		}
	}
	if f() != nil {
		return nil // the caller reports the error of the value
	}
	e.OnRead = nil
	var facts []Fact
	for i, at := range cells {
		v, ok, err := at.Value()
		if !ok || err != nil || v.Is(value.FuncKind) || v.Is(value.MapKind) && (c.isIn(at) || slices.ContainsFunc(cells[i+1:], func(to *Cell) bool { return to.isIn(at) })) {
			continue
		}
		used := Fact{Role: Uses, Path: at.Name(), Val: v}
		if l, err := at.layers(); err == nil && l != nil && !at.Shaded() {
			if at.apart {
				l = l.up // the call, instead of the body of the macro
			}
			used.At = l.span()
		}
		facts = append(facts, used)
	}
	return facts
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

// WrittenKinds returns the kinds of the values that the layers of c have, hidden ones too, as far as they
// are known without evaluation. Layers that another one removes do not count.
func (c *Cell) WrittenKinds() []value.Kind {
	f, err := c.fold()
	if err != nil {
		return nil
	}
	all, err := c.everything(&explanation{cell: c, folded: f})
	if err != nil {
		return nil
	}
	var kinds []value.Kind
	for _, l := range all {
		switch n := l.node.(type) {
		case *Scalar:
			kinds = append(kinds, n.Val.Kind())
		case *Map:
			if !n.Form && !n.Weak {
				kinds = append(kinds, value.MapKind)
			}
		case *Seq:
			if !n.Weak {
				kinds = append(kinds, value.ListKind)
			}
		case *Extend:
			kinds = append(kinds, value.ListKind)
		case *Delete:
			return kinds
		}
	}
	return kinds
}
