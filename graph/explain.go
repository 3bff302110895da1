package graph

import (
	"slices"
	"strconv"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Role says what a layer does to the value of a cell.
type Role string

// The roles.
const (
	Sets    Role = "set"     // decides the value
	Merges  Role = "merged"  // adds entries or items to it
	Beaten  Role = "over"    // is hidden by a newer layer
	Deletes Role = "deleted" // removes what older layers have
	Refused Role = "refused" // does not apply
	Uses    Role = "uses"    // a value that was read to compute it
)

// A Fact is one layer of a cell, or a value that its computation read.
type Fact struct {
	Role     Role
	At       source.Span
	Val      value.Value   // as written; valid for Sets, Merges, Beaten, Uses
	Path     value.Path    // of Uses: the place that was read
	Layer    string        // the root layer that it belongs to
	Through  []source.Span // the references that imports it here, innermost first
	Includes []source.Span // the includes of its file, innermost first
	Reason   string        // of Refused
}

// Explain returns every layer of c, newest first: what set the value, what it
// beat, what was refused; then the values that computing it read, and those that the
// conditions on its way read. Nothing is recorded for this: the stack is walked
// without stopping where a value was found.
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
			continue // what a block comes to without anything in it
		}
		facts = append(facts, fact)
		if fact.Role == Sets {
			decided = c.conditions(l)
		}
	}
	facts = append(facts, x.refused...)
	// The cell is computed once more with somebody looking on.
	uses := c.reading(func() error {
		_, _, err := c.compute()
		return err
	})
	return append(append(facts, uses...), decided...), nil
}

// An explanation is the account of one cell.
type explanation struct {
	cell    *Cell
	folded  *foldResult
	refused []Fact
	below   *value.Key   // what is looked for in the layers of an enclosing cell
	whole   *explanation // of that
	set     bool         // the layer that decides was met
}

// account returns the account of the cell that is explained.
func (x *explanation) account() *explanation {
	if x.below != nil {
		return x.whole
	}
	return x
}

// everything returns all single layers of c, newest first, those that are hidden
// included.
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

// entryOf returns what a single layer of c has under a key, nil for nothing. A
// computed layer is worked out to see.
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

// singles returns the single layers that l comes to on c, references followed. What
// does not apply is noted in x.
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

func (x *explanation) fact(l *layer) Fact {
	f := Fact{Role: x.role(l), At: l.node.Span(), Val: written(l.node), Layer: l.origin.layerName(), Includes: l.origin.Includes()}
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
	return f
}

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
		if it.layer.within(l.node) {
			return Merges
		}
	}
	return Beaten
}

func (x *explanation) decides(l *layer) bool {
	f := x.folded
	if f.top != nil && sameOrigin(f.top.node, l.node) {
		return true
	}
	if _, ok := l.node.(*Computed); ok && f.kind == absentShape {
		return true // it lies in the map that an expression around it comes to
	}
	return len(f.maps) > 0 && f.maps[0].node == l.node
}

// sameOrigin reports whether two nodes are the same, or the same entry of a value, for
// which a node is made each time.
func sameOrigin(a, b Node) bool {
	if a == b {
		return true
	}
	x, ok := a.(*Computed)
	y, also := b.(*Computed)
	return ok && also && x.At == y.At && isEntry(x.Thunk) && isEntry(y.Thunk)
}

func isEntry(t Thunk) bool {
	_, ok := t.(entryThunk)
	return ok
}

func isWeak(n Node) bool {
	switch n := n.(type) {
	case *Map:
		return n.Weak
	case *Seq:
		return n.Weak
	}
	return false
}

func (o *Origin) layerName() string {
	for o != nil && o.Outer != nil {
		o = o.Outer
	}
	if o == nil {
		return ""
	}
	return o.Layer
}

// written returns what a node says, as data.
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

// passOver notes what the nodes that a guard on c did not pick say about the place
// that is explained. It reports whether they say something.
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
	if next, ok := picked.(*Guard); ok { // what "elif" is
		reported = x.addUnchosen(c, l.under(next), next) || reported
	}
	return reported
}

// nodesAt returns what is written at a path below n, newest first, as far as that
// can be reported without deciding anything.
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

func (x *explanation) refuse(l *layer) {
	if x.below != nil {
		// Further up only conditions count that could have given the key.
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
		f.Reason = "comes to nothing"
	}
	x.refused = append(x.refused, f)
}

// conditions returns the values that decided that l is there: those that the
// conditions on its way read.
func (c *Cell) conditions(l *layer) []Fact {
	var facts []Fact
	for ; l != nil; l = l.up {
		g, ok := l.node.(*Guard)
		if !ok {
			continue
		}
		at, ch := c.decision(l, g)
		if ch == nil {
			continue
		}
		read := at.reading(func() error {
			_, _, err := at.ask(ch.layer, g)
			return err
		})
		for i := range read {
			read[i].Reason = "for the " + g.label() + " in " + g.At.String()
		}
		facts = append(facts, read...)
	}
	return facts
}

// decision returns what was picked for a guard on the way to c, and the cell that it
// was picked on: one around c, or the place where a base lies that is the same
// everywhere. The same guard may have picked something else in another turn of a loop.
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

// reading returns what f, a computation on c, reads.
func (c *Cell) reading(f func() error) []Fact {
	e := c.eval
	outer := e.OnRead
	defer func() { e.OnRead = outer }()
	var cells []*Cell
	seen := map[string]bool{}
	e.OnRead = func(from, to *Cell) {
		path := to.Path().String()
		if from == c && to != c && !seen[path] && len(cells) < maxIncludeNotes {
			seen[path] = true
			cells = append(cells, to)
		}
	}
	if f() != nil {
		return nil // the error says what was wrong
	}
	e.OnRead = nil
	var facts []Fact
	for i, at := range cells {
		v, ok, err := at.Value()
		if !ok || err != nil || v.Is(value.FuncKind) || v.Is(value.MapKind) && (at.isBound() || c.isIn(at) || slices.ContainsFunc(cells[i+1:], func(to *Cell) bool { return to.isIn(at) })) {
			continue
		}
		used := Fact{Role: Uses, Path: at.Name(), Val: v}
		if l, err := at.layers(); err == nil && l != nil {
			used.At = l.span()
		}
		facts = append(facts, used)
	}
	return facts
}

// isIn reports whether c is up or a place in it.
func (c *Cell) isIn(up *Cell) bool {
	for ; c != nil; c = c.up {
		if c == up {
			return true
		}
	}
	return false
}
