package graph

import (
	"iter"
	"strconv"

	"github.com/yaytpl/yaytpl/value"
)

// layers returns what lies on c, nil for nothing. It is found by asking the layers
// of the enclosing cell for the key.
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
		if parent.of == nil && parent.isPlainMap() { // most often: nothing else to ask
			m := parent.node.(*Map)
			if i, ok := m.Find(c.key); ok {
				l = parent.under(m.Entries[i].Node)
			}
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

// itemLayer returns what the list around c has at its index.
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

// A walk asks layers of a cell for what they have under a key.
type walk struct {
	cell       *Cell
	key        value.Key
	rule       *Rule // of the innermost group
	above      bool  // a newer layer is a map
	strategies bool  // a map with a strategy was met
}

// An effect is what a layer does to those below it that are maps.
type effect uint8

const (
	nothing effect = iota // it is not there, or adds nothing
	joins                 // it is a map
	yields                // it is null or a map that does not count: it hides what is no map, and shows no key
	hides                 // it is another value
	deletes               // it removes them, and then is nothing itself
	nulls                 // it removes them, and then is null
)

// under returns what l has under the key, and its effect on what is older.
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
		x, err := w.cell.reveal(l) // a map lies on it
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

func (w *walk) scalar(n *Scalar) effect {
	switch {
	case !n.Val.IsNull():
		return hides
	case n.Final:
		return nulls
	case w.rule == nil || w.rule.NullKeepsMap:
		return yields
	}
	return hides
}

// underMap asks one map. Where maps have strategies, only the fold of the groups that it
// is a member of can say whether it counts: see gathering.
func (w *walk) underMap(l *layer, m *Map) (*layer, effect, error) {
	if m.Strategy != DefaultStrategy && w.cell.layer != l {
		w.strategies = true
	}
	if i, ok := m.Find(w.key); ok {
		return l.under(m.Entries[i].Node), joins, nil
	}
	return nil, joins, nil
}

func (w *walk) underView(l *layer, v *View) (*layer, effect, error) {
	n, err := v.entry(w.key)
	if n == nil || err != nil {
		return nil, joins, err
	}
	return l.under(n), joins, nil
}

// underGroup asks the members of a group. To the outside the group is what its
// members come to: a deletion in it, for one, has done its work.
func (w *walk) underGroup(l *layer) (*layer, effect, error) {
	rule, above := w.rule, w.above
	w.rule = l.rule
	defer func() { w.rule, w.above = rule, above }()
	if !l.sealed && isMarker(l.members[len(l.members)-1].node) {
		w.strategies = true // it is the strategy of the map above it: see overMarker
	}
	g := gathering{walk: w, group: l}
	if l.keys == nil && len(l.members) > smallMap {
		l.keys = indexKeys(l.members)
	}
	if err := g.all(l.keys); err != nil {
		return nil, nothing, err
	}
	return joined(g.got, l, g.oldest), g.whole, nil
}

// underShared asks the cell that l is shared with. What it has is reached through
// where l was placed, not where it lies.
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

// ends reports whether what was found under a key certainly leaves nothing of what
// is older: then nobody need be asked for that.
func (l *layer) ends(rule *Rule) bool {
	switch n := l.node.(type) {
	case *Scalar:
		return !n.Val.IsNull()
	case *Computed:
		return true
	case *Seq:
		return !n.Weak && rule.replaces(n)
	}
	return false
}

// isSolid reports whether a node certainly is a value, and no deletion.
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

// isMarker reports whether a node only says what becomes of what is there.
func isMarker(n Node) bool {
	switch n := n.(type) {
	case *Delete:
		return true
	case *Scalar:
		return n.Final
	}
	return false
}

// mayDefine reports whether n can contribute something under key. A guard that
// cannot is not decided: reading one key must not depend on unrelated conditions.
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

func anyDefines(nodes []Node, key value.Key) bool {
	for _, n := range nodes {
		if mayDefine(n, key) {
			return true
		}
	}
	return false
}

// A gathering collects what the members of a group have under a key.
type gathering struct {
	walk   *walk
	group  *layer
	next   int // the member to be asked
	got    []*layer
	oldest bool // whether the last one found is from the oldest map
	whole  effect
}

// all asks the members; with an index, not those maps that do not have the key.
func (g *gathering) all(index *keyIndex) error {
	if index != nil {
		for i := range index.mayDefine(g.walk.key) {
			if g.walk.strategies {
				break // from here on it matters which maps there are
			}
			g.skipTo(i)
			if last, err := g.ask(); last || err != nil {
				return err
			}
		}
		if !g.walk.strategies {
			g.skipTo(len(g.group.members))
		}
	}
	for g.next < len(g.group.members) {
		if last, err := g.ask(); last || err != nil {
			return err
		}
	}
	return nil
}

// skipTo passes maps that do not have the key.
func (g *gathering) skipTo(i int) {
	if i == g.next {
		return
	}
	g.next, g.oldest = i, false
	g.join(joins)
}

// ask adds what the next member has. It reports whether that is the last one that
// counts. Where lists follow each other, a list over a map is an error of the whole
// and ends nothing.
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
	return eff == hides && !g.walk.rule.ConcatLists, nil
}

// under asks a member that counts. Where maps have strategies, only the fold of the group
// can tell.
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

// join adds the effect of a member that is older than those before. What yields to a map
// hides what is none, and is gone over a deletion. To the outside, null only yields.
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

// joined makes a group of what the members of l had under a key. A single layer
// stays in a group of its own if it may be a deletion that had an older member to
// work on.
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

// counts reports whether the member to be asked is no map, or one that shows through in
// what the group comes to. The cell remembers that for all members, up to the one that
// hides the rest.
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

// foldCounting folds the group with each member for the maps that it brings.
func (c *Cell) foldCounting(l *layer) ([]bool, error) {
	j := join{cell: c, rule: l.rule}
	shapes, err := j.shapes(l)
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

// A keyIndex finds, among many layers, those that define a key: a map that a
// thousand files are merged into must not ask all of them for each of its keys.
type keyIndex struct {
	newest map[value.Key]int32 // into places
	places []keyPlace
	others []int32 // layers that are no plain maps: they must be asked for every key
}

// A keyPlace is an entry of one of the layers.
type keyPlace struct {
	layer, entry int32
	older        int32 // the next place of the same key, or noPlace
}

const noPlace = -1

// indexKeys indexes layers that are sorted newest first.
func indexKeys(layers []*layer) *keyIndex {
	x := &keyIndex{newest: map[value.Key]int32{}}
	for i := len(layers) - 1; i >= 0; i-- {
		if layers[i].isPlainMap() {
			x.add(int32(i), layers[i].node.(*Map))
		}
	}
	for i, l := range layers {
		if !l.isPlainMap() {
			x.others = append(x.others, int32(i))
		}
	}
	return x
}

// isPlainMap reports whether a layer is a map that joins others and does nothing
// else to them.
func (l *layer) isPlainMap() bool {
	if l.group != nil {
		return false
	}
	m, ok := l.node.(*Map)
	return ok && m.Strategy == DefaultStrategy
}

func (x *keyIndex) add(layer int32, m *Map) {
	for i := range m.Entries {
		k := m.Entries[i].Key
		at, known := x.newest[k]
		switch {
		case !known:
			at = noPlace
		case x.places[at].layer == layer: // of equal keys the last one counts
			x.places[at].entry = int32(i)
			continue
		}
		x.newest[k] = int32(len(x.places))
		x.places = append(x.places, keyPlace{layer, int32(i), at})
	}
}

// mayDefine yields the layers that have to be asked for a key, newest first.
func (x *keyIndex) mayDefine(k value.Key) iter.Seq[int] {
	return func(yield func(int) bool) { x.eachThatMayDefine(k, yield) }
}

func (x *keyIndex) eachThatMayDefine(k value.Key, yield func(int) bool) {
	others := x.others
	at, ok := x.newest[k]
	if !ok {
		at = noPlace
	}
	for ; at != noPlace; at = x.places[at].older {
		p := x.places[at]
		for len(others) > 0 && others[0] < p.layer {
			if !yield(int(others[0])) {
				return
			}
			others = others[1:]
		}
		if !yield(int(p.layer)) {
			return
		}
	}
	for _, i := range others {
		if !yield(int(i)) {
			return
		}
	}
}
