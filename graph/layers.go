package graph

import (
	"slices"
	"strconv"

	"github.com/yaytpl/yaytpl/value"
)

// # Looking up a key
//
// The layers of a cell under a key are found by asking each layer of the enclosing cell, newest
// first. Each one answers with the layer that it has under the key, if any, and with its effect on
// older layers:
//
//	effect    of                                            older layers
//	nothing   an absent place, a weak list, a guard         are asked
//	          that cannot define the key
//	joins     a map                                         are asked
//	yields    null under a rule with nullKeepsMap           are asked
//	hides     any other value                               are not asked (*)
//	deletes   a whiteout                                    are not asked
//	nulls     a nullout                                     are not asked
//
//	(*) With concatLists they are: a list over a map is an error of the whole group.
//
// A layer under the key that certainly hides all older ones, such as a scalar, ends the walk too.
//
// A group answers like a single layer: with the layers of its members under the key, as a group, and
// with the effect of all members together. That is found by adding the effect of each older member
// (columns) to the effect of the newer ones (rows):
//
//	          nothing   joins   yields   hides    deletes   nulls
//	nothing   nothing   joins   yields   hides    nothing   yields
//	yields    yields    joins   yields   yields   nothing   yields
//	joins     joins     joins   joins    joins    joins     joins
//	hides     hides     hides   hides    hides    hides     hides
//
// So a deletion has no effect outside of its group, and null yields to a map below it.
//
// An example: server has three layers, which are the members of one group.
//
//	server: {port: 1, host: a}   oldest file
//	server: {port: 80}
//	server: null                 newest file
//
//	server.port   null yields, then the second file has 80: a scalar, which ends the walk.
//	              The oldest file is not asked.
//	server.host   null yields, the second file joins without the key, the oldest has a.
//	              The group joins.
//
// With server: {+%: whiteout} in the second file, null yields and the whiteout ends the walk: there
// is no server.port. The group has the effect nothing.

// layers returns the layers of c, nil for none, by asking each layer of the enclosing cell
// for the key of c. Constant maps, the most frequent case, take a short cut.
func (c *Cell) layers() (*layer, error) {
	if c.hasLayer {
		return c.layer, nil
	}
	var l *layer
	provisional, err := c.eval.provisionally(func() (err error) {
		if err = c.eval.Enter(); err != nil {
			return err
		}
		defer c.eval.Leave()
		if c.item {
			l, err = c.itemLayer()
			return err
		}
		parent, err := c.up.layers()
		if parent == nil || err != nil {
			return err
		}
		if in, e := c.up.entry(parent, c.key); e != nil {
			l = in.under(e.Node)
			return nil
		}
		if parent.of == nil && parent.isPlainMap() {
			return nil
		}
		w := walk{cell: c.up, key: c.key}
		l, _, err = w.under(parent)
		return err
	})
	if err == nil && !provisional {
		c.layer, c.hasLayer = l, true
	}
	return l, err
}

// entry returns the only entry that contributes to a key of the map on c, and the layer that has it, as far as this
// is known without a walk. Otherwise the entry is nil. l has the layers of c.
func (c *Cell) entry(l *layer, k value.Key) (*layer, *Entry) {
	if l.of == nil && l.isPlainMap() {
		return l, l.entry(k)
	}
	if in, e := l.only(k); e != nil {
		return in, e
	}
	if c.shape == nil {
		return nil, nil
	}
	return c.shape.decisive(k)
}

// itemLayer returns the layer of c, which is an item of the list around it.
func (c *Cell) itemLayer() (*layer, error) {
	f, err := c.up.fold()
	if err != nil || f.kind != listShape {
		return nil, err
	}
	i, err := strconv.Atoi(c.key.Text)
	if err != nil || i < 0 || i >= len(f.items) {
		return nil, nil
	}
	return f.items[i].layer, nil
}

// A walk asks the layers of a cell for a key.
type walk struct {
	cell       *Cell
	key        value.Key
	rule       *Rule // of the innermost group
	above      bool  // a newer layer is a map
	strategies bool  // a map with a strategy was met
}

// An effect is the effect of a layer on older layers that are maps.
type effect uint8

// The effects. The tables at the top of this file say how they add up.
const (
	nothing effect = iota // absent, or contributes nothing
	joins                 // a map
	yields                // null, or a map that does not count: it hides other values and has no keys
	hides                 // another value
	deletes               // removes older layers, then is absent itself
	nulls                 // removes older layers, then is null itself
)

// under returns the layer that l has under the key, nil for none, and the effect of l on
// older layers.
func (w *walk) under(l *layer) (*layer, effect, error) {
	if l.of != nil {
		return w.underShared(l)
	}
	if l.group != nil {
		return w.underGroup(l)
	}
	switch n := l.node.(type) {
	case *Map:
		return w.underMap(l, n)
	case *Scalar:
		return nil, w.scalar(n), nil
	case *View:
		return w.underView(l, n)
	case *Computed:
		if !w.above || w.rule == nil || !w.rule.Typed {
			return nil, hides, nil
		}
		x, err := w.cell.reveal(l) // a map is above it
		if err != nil {
			return nil, hides, err
		}
		return w.under(x)
	case *Seq:
		if n.Weak {
			return nil, nothing, nil
		}
		return nil, hides, nil
	case *Extend, *Define:
		return nil, hides, nil
	case *Delete:
		return nil, deletes, nil
	case *Guard:
		if !mayDefine(n, w.key) {
			return nil, nothing, nil
		}
	}
	x, err := w.cell.expand(l)
	if x == nil || err != nil {
		return nil, nothing, err
	}
	return w.under(x)
}

// scalar returns the effect of a scalar, which is not in an entry but in place of the map.
func (w *walk) scalar(n *Scalar) effect {
	switch {
	case !n.Val.IsNull():
		return hides
	case n.Final:
		return nulls
	case w.rule == nil || w.rule.nullKeepsMap:
		return yields
	}
	return hides
}

// underMap asks one map. If maps have strategies, only the fold of the group can tell
// whether this one counts: see gathering.counts.
func (w *walk) underMap(l *layer, m *Map) (*layer, effect, error) {
	if m.Strategy != DefaultStrategy && w.cell.layer != l {
		w.strategies = true
	}
	if i, ok := m.Find(w.key); ok {
		return l.under(m.Entries[i].Node), joins, nil
	}
	return nil, joins, nil
}

// underView asks a map that is a value already.
func (w *walk) underView(l *layer, v *View) (*layer, effect, error) {
	n, err := v.entry(w.key)
	if n == nil || err != nil {
		return nil, joins, err
	}
	return l.under(n), joins, nil
}

// underGroup asks the members of a group. Seen from outside the group is the result of its
// fold: a deletion in it, for example, has no effect on layers below the group.
func (w *walk) underGroup(l *layer) (*layer, effect, error) {
	rule, above := w.rule, w.above
	w.rule = l.rule
	defer func() { w.rule, w.above = rule, above }()
	if !l.sealed && isMarker(l.members[len(l.members)-1].node) {
		w.strategies = true // the marker is the strategy of the map above it: see overMarker
	}
	g := gathering{walk: w, group: l}
	var index *keyIndex
	if len(l.members) > smallMap {
		index = l.index()
	}
	if err := g.all(index); err != nil {
		return nil, nothing, err
	}
	return joined(g.got, l, g.oldest), g.whole, nil
}

// underShared asks the cell that shares l. The result is reached through the place of l,
// not through the cell.
func (w *walk) underShared(l *layer) (*layer, effect, error) {
	found, err := l.of.kid(w.key).layers()
	if err != nil {
		return nil, nothing, err
	}
	if found != nil {
		here := *found
		here.up = l
		return &here, joins, nil
	}
	f, err := l.of.fold()
	if err != nil {
		return nil, nothing, err
	}
	switch f.kind {
	case mapShape:
		return nil, joins, nil
	case absentShape, deletedShape:
		return nil, nothing, nil
	case nullShape:
		return nil, w.scalar(&Scalar{}), nil
	}
	return nil, hides, nil
}

// ends reports whether a layer found under a key certainly hides all older ones, so that no
// further layer need be asked.
func (l *layer) ends(rule *Rule) bool {
	if n, ok := l.node.(*Seq); ok {
		return !n.Weak && rule.replaces(n)
	}
	return endsAlways(l.node)
}

// endsAlways is ends for a node of which no rule needs to be known.
func endsAlways(n Node) bool {
	switch n := n.(type) {
	case *Scalar:
		return !n.Val.IsNull()
	case *Computed:
		return true
	}
	return false
}

// isSolid reports whether a node certainly evaluates to a value, and is no deletion.
func isSolid(n Node) bool {
	switch n := n.(type) {
	case *Map:
		return n.Strategy == DefaultStrategy && !n.Weak
	case *Scalar:
		return !n.Final
	case *Seq:
		return !n.Weak
	case *Computed:
		return true
	}
	return false
}

// isMarker reports whether a node only deletes or nulls older layers.
func isMarker(n Node) bool {
	switch n := n.(type) {
	case *Delete:
		return true
	case *Scalar:
		return n.Final
	}
	return false
}

// definable calls add for every key under which n can contribute, as mayDefine reports it. It returns false if these
// keys are not known.
func definable(n Node, add func(value.Key)) bool {
	each := func(nodes []Node) bool {
		return !slices.ContainsFunc(nodes, func(n Node) bool { return !definable(n, add) })
	}
	switch n := n.(type) {
	case *Map:
		for i := range n.Entries {
			add(n.Entries[i].Key)
		}
		return true
	case *Guard:
		return n.May != nil && each(n.May)
	case *Let:
		return definable(n.Body, add)
	case *Stack:
		return each(n.Layers)
	}
	return false
}

// mayDefine reports whether n can contribute under key. A guard that cannot is not decided:
// reading a key must not depend on unrelated conditions.
func mayDefine(n Node, key value.Key) bool {
	switch n := n.(type) {
	case *Map:
		_, ok := n.Find(key)
		return ok
	case *Guard:
		if n.May == nil {
			return true
		}
		return anyDefines(n.May, key)
	case *Let:
		return mayDefine(n.Body, key)
	case *Stack:
		return anyDefines(n.Layers, key)
	}
	return true
}

// anyDefines reports whether one of the nodes may define key.
func anyDefines(nodes []Node, key value.Key) bool {
	for _, n := range nodes {
		if mayDefine(n, key) {
			return true
		}
	}
	return false
}

// A gathering collects the layers that the members of a group have under a key.
type gathering struct {
	walk   *walk
	group  *layer
	next   int // index of the member to ask next
	got    []*layer
	oldest bool   // the last layer found is from the oldest map
	whole  effect // of the members asked so far
}

// all asks the members. With an index it skips maps without the key.
func (g *gathering) all(index *keyIndex) error {
	if index != nil {
		for i := range index.mayDefine(g.walk.key) {
			if g.walk.strategies {
				break // from here on maps without the key matter too
			}
			g.skipTo(i, index)
			if last, err := g.ask(); last || err != nil {
				return err
			}
		}
		if !g.walk.strategies {
			g.skipTo(len(g.group.members), index)
		}
	}
	for g.next < len(g.group.members) {
		if last, err := g.ask(); last || err != nil {
			return err
		}
	}
	return nil
}

// skipTo skips maps without the key, and guards that cannot define it.
func (g *gathering) skipTo(i int, index *keyIndex) {
	if i > g.next && index.hasMap(g.next, i) {
		g.oldest, g.walk.above = false, true
		g.join(joins)
	}
	g.next = i
}

// ask adds the result of the next member. It reports whether older members cannot matter.
// They do with concatLists, because a list over a map is an error of the whole group.
func (g *gathering) ask() (last bool, err error) {
	f, eff, err := g.under(g.group.members[g.next])
	if err != nil {
		return true, err
	}
	g.next++
	g.walk.above = g.walk.above || eff == joins
	if f != nil {
		g.got = append(g.got, f)
		g.oldest = true
	} else if eff == joins {
		g.oldest = false
	}
	g.join(eff)
	switch {
	case eff == deletes, eff == nulls, f != nil && f.ends(g.walk.rule.below()):
		return true, nil
	}
	return eff == hides && !g.walk.rule.concatLists, nil
}

// under asks a member, unless it is a map that does not count because of strategies.
func (g *gathering) under(member *layer) (*layer, effect, error) {
	known := g.walk.strategies
	if known {
		if counts, err := g.counts(); !counts || err != nil {
			return nil, yields, err
		}
	}
	f, eff, err := g.walk.under(member)
	if err == nil && g.walk.strategies && !known && eff == joins {
		var counts bool
		if counts, err = g.counts(); !counts {
			return nil, yields, err
		}
	}
	return f, eff, err
}

// join adds the effect of the next older member to the effect of the newer ones, by the second
// table at the top of this file.
func (g *gathering) join(eff effect) {
	switch {
	case g.whole != nothing && g.whole != yields:
	case eff == deletes:
		g.whole = nothing
	case eff == nulls:
		g.whole = yields
	case g.whole == nothing, eff == joins:
		g.whole = eff
	}
}

// joined makes a layer of those that the members of l had under a key. A single layer stays
// in a group of its own if it may be a deletion, and an older member was there to delete
// from:
//
//	y: {+/x: , k: {+%: whiteout}}   has a base, so the whiteout ends in y
//	y: {k: {+%: whiteout}}          has none: where y is put over z, it deletes z.k
func joined(got []*layer, l *layer, oldest bool) *layer {
	switch {
	case len(got) == 0:
		return nil
	case len(got) == 1 && (oldest || l.rule.Typed || got[0].group == nil && isSolid(got[0].node)):
		return got[0]
	}
	g := &group{members: got, rule: l.rule.below(), sealed: !oldest}
	return &layer{group: g, origin: l.origin, up: l}
}

// counts reports whether the next member is not a map, or a map that is visible in the fold
// of the group. The cell caches that for all members, up to the one that hides the rest.
func (g *gathering) counts() (bool, error) {
	c, l := g.walk.cell, g.group
	var counting []bool
	if c.more != nil {
		counting = c.more.counting[l.group]
	}
	if counting == nil {
		provisional, err := c.eval.provisionally(func() (err error) {
			counting, err = c.foldCounting(l)
			return err
		})
		if err != nil {
			return false, err
		}
		if !provisional {
			m := c.memo()
			if m.counting == nil {
				m.counting = map[*group][]bool{}
			}
			m.counting[l.group] = counting
		}
	}
	return g.next < len(counting) && counting[g.next], nil
}

// foldCounting folds the group with each map replaced by its member, and returns which of
// them are left. Members that are not maps always count.
func (c *Cell) foldCounting(l *layer) ([]bool, error) {
	j := join{cell: c, rule: l.rule}
	defer c.eval.unstack(len(c.eval.shapes))
	shapes, err := j.shapes(l, false)
	if err != nil {
		return nil, err
	}
	at := make(map[*layer]int, len(shapes))
	counting := make([]bool, len(shapes))
	for i := range shapes {
		if shapes[i].kind != mapShape {
			counting[i] = true
			continue
		}
		member := &layer{}
		at[member] = i
		shapes[i].maps = []*layer{member}
	}
	if len(shapes) > smallMap {
		shapes = joinRuns(shapes)
	}
	f, err := j.all(shapes)
	for _, member := range f.maps {
		counting[at[member]] = true
	}
	return counting, err
}

// isPlainMap reports whether a layer is a map that joins others and has no other effect.
func (l *layer) isPlainMap() bool {
	if l.group != nil {
		return false
	}
	m, ok := l.node.(*Map)
	return ok && m.Strategy == DefaultStrategy
}
