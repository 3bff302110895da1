package graph

import (
	"errors"
	"slices"
	"strconv"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// An expansion is the cached result of expanding a node on a cell.
type expansion struct {
	foundKey
	layer *layer // nil for an empty place
	err   error
}

// A foundKey distinguishes the layers of one cell that expand to others.
type foundKey struct {
	node  Node
	frame *Frame
}

// expand replaces a node that refers to other layers by these: an overlay by its bases, a
// reference by its target, a guard by its choice. It returns nil for no layer.
func (c *Cell) expand(l *layer) (*layer, error) {
	if l.group != nil {
		return l, nil
	}
	switch n := l.node.(type) {
	case *Let:
		return c.let(l, n), nil
	case *Stack:
		return c.stack(l, n), nil
	case *Instance:
		return c.instance(l, n)
	case *Overlay, *Ref, *Guard:
		return c.remembered(l)
	case *Splice:
		return c.expand(l.under(n.Node))
	case *Positional:
		return c.expand(l.under(n.Node))
	}
	return l, nil
}

// remembered expands a node and caches the result, unless it is provisional.
func (c *Cell) remembered(l *layer) (*layer, error) {
	if r := c.recall(l); r != nil {
		return r.layer, r.err
	}
	if err := c.eval.Enter(); err != nil {
		return nil, err
	}
	defer c.eval.Leave()
	var x *layer
	provisional, err := c.eval.provisionally(func() (err error) {
		switch n := l.node.(type) {
		case *Overlay:
			x, err = c.overlay(l, n)
		case *Ref:
			x, err = c.follow(l, n)
		case *Guard:
			var picked Node
			if picked, err = c.decide(l, n); picked != nil && err == nil {
				x, err = c.expandPicked(l.under(picked))
			}
		}
		return err
	})
	if !provisional {
		c.learn(l, x, err)
	}
	return x, err
}

// recall returns the cached expansion of l on c, nil if there is none.
func (c *Cell) recall(l *layer) *expansion {
	if c.more == nil {
		return nil
	}
	key := foundKey{l.node, l.frame}
	if c.more.foundIndex != nil {
		if i, ok := c.more.foundIndex[key]; ok && c.more.found[i].holdsFor(l, c) {
			return &c.more.found[i]
		}
		return nil
	}
	for i := range c.more.found {
		if r := &c.more.found[i]; r.foundKey == key && r.holdsFor(l, c) {
			return r
		}
	}
	return nil
}

// expect makes room for the expansions of n nodes.
func (c *Cell) expect(n int) {
	m := c.memo()
	m.found = slices.Grow(m.found, n)
	if n += len(m.found); n > smallMap && m.foundIndex == nil {
		m.foundIndex = make(map[foundKey]int, n)
		for i, r := range m.found {
			m.foundIndex[r.foundKey] = i
		}
	}
}

// learn caches the expansion of l on c.
func (c *Cell) learn(l, x *layer, err error) {
	m := c.memo()
	key := foundKey{l.node, l.frame}
	m.found = append(m.found, expansion{key, x, err})
	if m.foundIndex != nil {
		m.foundIndex[key] = len(m.found) - 1
	} else if len(m.found) > smallMap {
		m.foundIndex = make(map[foundKey]int, 2*len(m.found))
		for i, r := range m.found {
			m.foundIndex[r.foundKey] = i
		}
	}
}

// stack returns the layers of a Stack as a group.
func (c *Cell) stack(l *layer, n *Stack) *layer {
	if r := c.recall(l); r != nil {
		return r.layer
	}
	c.expect(1 + len(n.Layers))
	g := &group{members: make([]*layer, len(n.Layers)), rule: n.Rule, sealed: true}
	all := make([]layer, 1+len(n.Layers))
	for i := range n.Layers {
		all[i] = layer{node: n.Layers[i], origin: l.origin, frame: l.frame, up: l}
		g.members[len(g.members)-1-i] = &all[i]
	}
	x := &all[len(n.Layers)]
	*x = layer{group: g, origin: l.origin, frame: l.frame, up: l}
	c.learn(l, x, nil)
	return x
}

// overlay returns the group of a map and its bases. Bases without a target are left out; a
// map without any base left is no group.
func (c *Cell) overlay(l *layer, n *Overlay) (*layer, error) {
	own := l.under(n.Own)
	members := append(make([]*layer, 0, 1+len(n.Bases)), own)
	c.expect(1 + len(n.Bases))
	for i := len(n.Bases) - 1; i >= 0; i-- {
		if g, ok := n.Bases[i].(*Guard); ok && g.May != nil && !n.Lone {
			members = append(members, l.under(g)) // decided only for keys that it may define
			continue
		}
		base, err := c.expand(l.under(n.Bases[i]))
		if err != nil {
			return nil, err
		}
		if base != nil {
			members = append(members, base)
		}
	}
	if n.older != nil {
		older, err := c.expand(n.older)
		if err != nil {
			return nil, err
		}
		if older != nil {
			members = append(members, older)
		}
	}
	switch {
	case n.Lone && len(members) == 2:
		return members[1].elsewhere(n.Rule), nil
	case n.Lone && !isInclude(n.Bases[0]):
		return nil, nil
	case len(members) == 1:
		return own, nil
	}
	g := &group{members: members, rule: n.Rule, overlay: n, sealed: true}
	return &layer{group: g, origin: l.origin, frame: l.frame, up: l}, nil
}

// A hiddenLayer is a reference being followed or a guard being decided. Until that is done,
// the cell is evaluated without it:
//
//	m: {+/m/base: 1, base: {a: 1}}   /m/base is looked up in m without the reference
type hiddenLayer struct {
	node    Node
	cell    *Cell
	guard   bool
	met     bool
	sharing bool   // a reference whose target is found and being expanded
	way     []*Ref // the references that led back to it when it was first met
	reads   []read // provisional values that a guard read
}

// The hiding part has the layers that are hidden now. The result of a computation is provisional if it met one of them, as
// low tells: the lowest index of those that the current computation met, none if it met none. What is found
// while low is not none must not be kept longer than that layer is hidden.
type hiding struct {
	hidden   []*hiddenLayer    // outermost first
	hiddenAt map[hiddenKey]int // the indexes of the hidden layers after the first smallMap
	low      int
}

// A hiddenKey identifies a hidden layer.
type hiddenKey struct {
	node Node
	cell *Cell
}

// provisionally calls f and reports whether its results are provisional, because f met a
// hidden layer. Provisional results must not be cached. Others are kept also when the clock ticks.
func (e *Eval) provisionally(f func() error) (bool, error) {
	before := e.begin()
	met, err := e.provisional(f)
	e.timed = e.end(before) || e.timed
	return met, err
}

// provisional is provisionally for the values of cells, which a tick of the clock can forget.
func (e *Eval) provisional(f func() error) (bool, error) {
	outer := e.low
	e.low = none
	err := f()
	met := e.low != none || e.settling
	e.low = min(outer, e.low)
	return met, err
}

// Settled reports whether the values that the current computation has read are final. If not, it
// will be done again.
func (e *Eval) Settled() bool { return e.low == none && !e.settling && e.lowRun == none }

// Keeps reports whether what the current computation has found may be kept as long as the evaluation,
// and used in place of finding it again: all that was read is final, nothing of it depends on the
// clock, and nothing listens to the reads.
func (e *Eval) Keeps() bool { return e.Settled() && !e.ticking && e.isQuiet() }

// meets reports whether n is hidden on c, and records that it was met.
func (s *hiding) meets(n Node, c *Cell) bool {
	i := s.hiddenIndex(n, c)
	if i >= 0 {
		if !s.hidden[i].met {
			s.hidden[i].way = s.followed(i + 1)
		}
		s.hidden[i].met = true
		s.low = min(s.low, i)
	}
	return i >= 0
}

// hiddenIndex returns the index of n on c among the hidden layers, -1 for none.
func (s *hiding) hiddenIndex(n Node, c *Cell) int {
	for i, h := range s.hidden[:min(len(s.hidden), smallMap)] {
		if h.cell == c && h.node == n {
			return i
		}
	}
	if i, ok := s.hiddenAt[hiddenKey{n, c}]; ok {
		return i
	}
	return -1
}

// followed returns the references being followed, from the i-th hidden layer on, up to the
// number that a finding names.
func (s *hiding) followed(i int) []*Ref {
	var refs []*Ref
	for ; i < len(s.hidden) && len(refs) < maxIncludeNotes; i++ {
		if ref, ok := s.hidden[i].node.(*Ref); ok {
			refs = append(refs, ref)
		}
	}
	return refs
}

// hide calls f with h hidden. It reports whether f met other hidden layers; results that
// only depend on h are final.
func (s *hiding) hide(h *hiddenLayer, f func() error) (provisional bool, err error) {
	index, key := len(s.hidden), hiddenKey{h.node, h.cell}
	s.hidden = append(s.hidden, h)
	if index >= smallMap {
		s.hiddenAt[key] = index
	}
	outer := s.low
	s.low = none
	err = f()
	s.hidden = s.hidden[:index]
	if index >= smallMap {
		delete(s.hiddenAt, key)
	}
	if s.low >= index {
		s.low = none
	}
	provisional = s.low != none
	s.low = min(outer, s.low)
	return provisional, err
}

// sharesItself reports whether the whole of c is needed to expand c: a chain of references
// leads from it back to it, and none of them into a part of it.
func (s *hiding) sharesItself(c *Cell) bool {
	for i := len(s.hidden) - 1; i >= 0 && s.hidden[i].sharing; i-- {
		if s.hidden[i].cell == c {
			return true
		}
	}
	return false
}

// backTo returns the references being followed since c was first involved.
func (s *hiding) backTo(c *Cell) []*Ref {
	for i := range s.hidden {
		if s.hidden[i].cell == c {
			return s.followed(i)
		}
	}
	return nil
}

// follow finds the target of a reference and places it on c. Meanwhile it hides the
// reference, because the target may be in the map that it adds to.
func (c *Cell) follow(l *layer, ref *Ref) (*layer, error) {
	e := c.eval
	if e.meets(ref, c) {
		return nil, nil
	}
	if err := e.Enter(); err != nil {
		return nil, err
	}
	defer e.Leave()
	var target *layer
	h := &hiddenLayer{node: ref, cell: c}
	provisional, err := e.hide(h, func() (err error) {
		target, err = c.find(l, ref)
		if h.met && errors.Is(err, source.ErrMissing) && c.vanishes(ref) {
			return c.recursive(l, ref, nil, h.way...)
		}
		return err
	})
	if len(e.hidden) == 0 && len(e.tentative) > 0 && !e.settling && err == nil {
		err = e.settle()
	}
	if errors.Is(err, source.ErrMissing) && (provisional || ref.Optional) {
		// The target may exist when no layer is hidden any more.
		if !provisional {
			e.absent(err, ref)
		}
		return nil, nil
	}
	if errors.Is(err, source.ErrMissing) {
		err = c.explainMissing(l, ref, err)
	}
	if target == nil || err != nil {
		return nil, err
	}
	if ref.Deep {
		return target, nil
	}
	return target, c.noCycle(l, ref, target)
}

// find returns the layers that a reference names, placed on c.
func (c *Cell) find(l *layer, ref *Ref) (*layer, error) {
	switch ref.From {
	case FromFile:
		return c.findInFile(l, ref)
	case FromAnchor:
		return c.findAnchor(l, ref)
	}
	var at *Cell
	var err error
	if ref.From == FromHere {
		start := c.inDocument()
		for range ref.Up {
			if start.up == nil {
				return nil, missing(l, ref)
			}
			start = start.up.inDocument()
		}
		at, err = start.Find(ref.Path)
	} else { // the document first, then the file that the pointer was written in (merge, section 2)
		at, err = c.eval.root.Find(ref.Path)
		if err == nil && at == nil && l.origin != nil && l.origin.Ref != nil {
			at, err = c.eval.FileRoot(l.origin).Find(ref.Path)
		}
	}
	if err != nil {
		return nil, err
	}
	return c.target(l, ref, at)
}

// target returns the layers of the cell at which a pointer ends, placed on c.
func (c *Cell) target(l *layer, ref *Ref, at *Cell) (*layer, error) {
	if at == nil {
		return nil, missing(l, ref)
	}
	for up := c; up != nil; up = up.up {
		if up == at {
			return nil, c.recursive(l, ref, at)
		}
	}
	t, err := at.layers()
	if err != nil {
		return nil, err
	}
	if t == nil {
		return nil, missing(l, ref)
	}
	switch {
	case ref.Raw:
		return c.eval.rawLayer(t.place(l, ref)), nil
	case isPortable(t) && (!c.eval.policies || sameScopes(l, c, t, at)):
		return c.shared(l, ref, at, t)
	}
	return t.place(l, ref), nil
}

// isPortable reports whether a layer expands to the same layers on any cell: no directive
// of it is relative to the cell.
func isPortable(l *layer) bool {
	o, ok := l.node.(*Overlay)
	if !ok {
		return false
	}
	for _, b := range o.Bases {
		if ref, ok := b.(*Ref); !ok || ref.From == FromHere {
			return false
		}
	}
	return true
}

// shared returns the expansion of a portable layer from the cell that it is on, so that a
// map which is the base of many others is expanded once.
func (c *Cell) shared(l *layer, ref *Ref, at *Cell, t *layer) (*layer, error) {
	e := c.eval
	e.hidden[len(e.hidden)-1].sharing = true
	if e.sharesItself(at) || l.sharedWith(at) {
		return nil, c.recursive(l, ref, at, e.backTo(at)...)
	}
	x, err := at.expand(t)
	if err != nil {
		return nil, err
	}
	if x == nil {
		return nil, missing(l, ref)
	}
	// Unlike in a copy that place makes, the members of a group stay as they are.
	here := *x
	here.up, here.via, here.of = l, ref, at
	return &here, nil
}

// vanishes reports whether a pointer without a target ends at a place that is empty only
// because ref is hidden.
func (c *Cell) vanishes(ref *Ref) bool {
	at := c.eval.root
	switch ref.From {
	case FromAnchor, FromFile:
		return false
	case FromHere:
		at = c
		for range ref.Up {
			if at = at.up; at == nil {
				return false
			}
		}
	}
	for _, seg := range ref.Path {
		next, err := at.step(seg)
		if err != nil {
			return false
		}
		if next == nil {
			l, err := at.kid(value.K(seg)).layers()
			if err != nil || l == nil {
				return false
			}
			_, deleted := l.node.(*Delete)
			return !deleted
		}
		at = next
	}
	return false
}

// missing returns the error of a reference without a target.
func missing(l *layer, ref *Ref) *source.Diagnostic {
	d := source.Errorf(ref.At, source.MissingInclude, "missing include: %s has no target", ref.Key)
	d.Includes = l.origin.Includes()
	if n := len(ref.Path); n > 0 && ref.Path[n-1] == "" {
		return d.WithHint(`the slash at the end leads to the key "": remove it, unless that is meant`)
	}
	return d.WithHint(`a "?" after the "+" would make it optional`)
}

// recursive returns the error of a cycle of references. Its notes name each step: those
// back to ref, in way, and those through which ref was reached.
func (c *Cell) recursive(l *layer, ref *Ref, at *Cell, way ...*Ref) *source.Diagnostic {
	what := ref.Key
	if ref.From == FromFile {
		what = ref.File
	} else if at != nil {
		what = at.Path().String()
	}
	d := source.Errorf(ref.At, source.RecursiveInclude, "recursive include: %q would contain itself, by %s%s", what, ref.Key, c.place())
	d.Includes = l.origin.Includes()
	for _, step := range way {
		if step != ref {
			d.Note(step.At, "through %s", step.Key)
		}
	}
	for up := l; up != nil && len(d.Notes) < maxIncludeNotes; up = up.up {
		if up.via != nil {
			d.Note(up.via.At, "through %s", up.via.Key)
		}
	}
	return d.WithHint("point to a map that does not lie around this one, nor comes from it")
}

// At returns the cell at a path of keys below c, which may be empty. An error on the way
// becomes the error of that cell.
func (c *Cell) At(p value.Path) *Cell {
	for _, k := range p {
		c = c.below(k, c.isItem(k))
	}
	return c
}

// Shown is At for a path of the value of c, in which items that are omit do not count.
func (c *Cell) Shown(p value.Path) *Cell {
	for _, k := range p {
		item := c.isItem(k)
		if item {
			if i, err := strconv.Atoi(k.Text); err == nil {
				if at, err := c.itemAt(i); err == nil {
					k = value.Index(at)
				}
			}
		}
		c = c.below(k, item)
	}
	return c
}

// isItem reports whether k is an index of a list on c, and not a key of a map.
func (c *Cell) isItem(k value.Key) bool {
	if k.Kind != value.IntKind {
		return false
	}
	f, err := c.fold()
	return err != nil || f.kind == listShape
}

// Find returns the cell at the end of a pointer from c, nil if there is none.
func (c *Cell) Find(path []string) (*Cell, error) {
	for _, seg := range path {
		if err := c.eval.Step(1); err != nil {
			return nil, err
		}
		next, err := c.step(seg)
		if next == nil || err != nil {
			return nil, err
		}
		c = next
	}
	return c, nil
}

// step returns the cell below c that a pointer segment names, nil if there is none: an
// index of a list, or a key of a map, preferably of text.
func (c *Cell) step(seg string) (*Cell, error) {
	f, err := c.fold()
	if err != nil {
		return nil, err
	}
	switch f.kind {
	case listShape:
		i, err := strconv.Atoi(seg)
		if err != nil {
			return nil, nil
		}
		n := (*lazyList)(c).Len()
		if i < 0 {
			i += n
		}
		if i < 0 || i >= n {
			return nil, nil
		}
		i, err = c.itemAt(i)
		if err != nil {
			return nil, err
		}
		return c.itemKid(i), nil
	case mapShape:
		for _, k := range value.KeysSpelt(seg) {
			kid := c.kid(k)
			here, err := kid.present()
			if here || err != nil {
				return kid, err
			}
		}
	}
	return nil, nil
}
