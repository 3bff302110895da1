package graph

import (
	"slices"
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// An item is one item of a folded list.
type item struct {
	layer *layer
	note  *value.Annotation
	joins *Positional // set if it merges into an older item
}

// itemsOf returns the items that a list node contributes on c. Splices, loops and guards
// are replaced by their items, deleted items are left out. It is no part of foldLayer, of which maps that extend each
// other have many on the stack.
//
//go:noinline
func (c *Cell) itemsOf(l *layer, nodes []Node, notes []*value.Annotation) ([]item, error) {
	items := make([]item, 0, len(nodes))
	for i, n := range nodes {
		var note *value.Annotation
		if notes != nil {
			note = notes[i]
		}
		switch n := n.(type) {
		case *Delete:
			if n.Of != nil {
				items = append(items, item{layer: l.under(n.Of), joins: removed})
			}
		case *Positional:
			items = append(items, item{layer: l.under(n.Node), note: note, joins: n})
		case *Splice:
			spliced, err := c.splice(l.under(n.Node), len(items), note, n.List)
			if err != nil {
				return nil, err
			}
			items = append(items, spliced...)
		case *Each:
			var err error
			if items, err = c.each(items, l, n); err != nil {
				return nil, err
			}
		case *Guard:
			spliced, err := c.splice(l.under(n), len(items), note, false)
			if err != nil {
				return nil, err
			}
			items = append(items, spliced...)
		default:
			items = append(items, item{layer: l.under(n), note: note})
		}
	}
	return items, c.eval.Step(len(items))
}

// splice returns the items of the list that l evaluates to: none if l is absent, l itself
// if it is another value, unless it has to be a list.
func (c *Cell) splice(l *layer, index int, note *value.Annotation, list bool) ([]item, error) {
	key := foundKey{l.node, l.frame}
	m := c.memo()
	place := m.splices[key] // the same cell however often, so that a list that holds itself is noticed
	if place == nil {
		if m.splices == nil {
			m.splices = map[foundKey]*Cell{}
		}
		place = c.itemCell(index, l)
		m.splices[key] = place
	}
	x, err := place.expand(l)
	if x == nil || err != nil {
		c.shadeFrom(place)
		return nil, err
	}
	f, err := place.foldLayer(x)
	c.shadeFrom(place)
	if err == nil && list {
		f, err = place.asList(f)
	}
	switch {
	case err != nil:
		return nil, err
	case f.kind == listShape:
		return f.withRemovals(c.eval), nil
	case f.kind == absentShape, f.kind == deletedShape:
		return nil, nil
	}
	return []item{{layer: l, note: note}}, nil
}

// asList returns a fold that must be a list or absent, evaluated if it is computed.
func (c *Cell) asList(f foldResult) (foldResult, error) {
	f, err := c.revealed(f)
	if err != nil {
		return f, err
	}
	switch f.kind {
	case listShape, absentShape, deletedShape:
		return f, nil
	}
	return f, source.Errorf(f.top.span(), source.WrongType, "a list is needed to extend a list, not %s", f.kind.yay())
}

// itemCell returns a cell for an item whose final index is not known yet.
func (c *Cell) itemCell(index int, l *layer) *Cell {
	return &Cell{eval: c.eval, up: c, key: value.Index(index), item: true, layer: l, hasLayer: true}
}

// each appends the items of a loop: the items of its body, for each item of the list.
func (c *Cell) each(items []item, l *layer, n *Each) ([]item, error) {
	over, err := c.run(n.Over, &Context{Cell: c, Origin: l.origin, Frame: l.frame, At: n.At})
	if err != nil {
		return nil, err
	}
	c.shadeBy(over, nil)
	seq, plain := n.Body.(*Seq)
	plain = plain && !seq.special()
	for v, err := range value.Items(over.List()) {
		if err != nil {
			return nil, err
		}
		if err := c.eval.Step(1); err != nil {
			return nil, at(err, &Context{Origin: l.origin, At: n.At})
		}
		frame, err := n.bind(l.frame, v.Mark(over.Marks()))
		if err != nil {
			return nil, err
		}
		if plain { // the items are known without evaluating anything
			for _, it := range seq.Items {
				items = append(items, item{layer: &layer{node: it, origin: l.origin, frame: frame, up: l}})
			}
			continue
		}
		turn := l.under(n.Body)
		turn.frame = frame
		spliced, err := c.turn(turn, len(items), n)
		if err != nil {
			return nil, err
		}
		items = append(items, spliced...)
	}
	return items, nil
}

// The turns that are being evaluated. Each list returns to what it was when its turn, question or join ends. What is in one of
// them already, in the same view, would not end.
type turns struct {
	looping []looping     // turns of loops, outermost first
	viewed  []viewed      // questions to maps that are layers of others, outermost first: lazy.go
	joining map[*Cell]int // joins of lists, by their place: see enterJoin
}

// A looping is a turn of a loop that is being evaluated for the list of a cell.
type looping struct {
	cell     *Cell
	loop     *Each
	hidden   int // the number of hidden layers outside of it
	settling bool
}

// turn returns the items of one turn of a loop. It is an error if what decides them, such as a condition, needs the
// list that the loop makes: the turns would be made anew for it, and decided again.
//
//	r:
//	  for i in [1, 2] if i > len(r):
//	    - {{ i }}
func (c *Cell) turn(l *layer, index int, n *Each) ([]item, error) {
	e, m := c.eval, c.memo()
	if m.looping && slices.ContainsFunc(e.looping, func(of looping) bool { return of.isAgain(c, n) }) {
		return nil, source.Errorf(n.At, source.Cycle, "%s needs its own value", c.label()).
			WithHint("what decides the items of a turn must not read the list that the loop makes")
	}
	was := m.looping
	m.looping, e.looping = true, append(e.looping, looping{c, n, len(e.hidden), e.settling})
	items, err := c.splice(l, index, nil, false)
	m.looping, e.looping = was, e.looping[:len(e.looping)-1]
	return items, err
}

// isAgain reports whether a turn of a loop on c is evaluated within a turn of it that sees the same layers. What is hidden
// in the list itself does not count: the conditions of other turns are others each time.
func (of looping) isAgain(c *Cell, n *Each) bool {
	e := c.eval
	if of.cell != c || of.loop != n || of.settling != e.settling || of.hidden > len(e.hidden) {
		return false
	}
	for _, h := range e.hidden[of.hidden:] {
		if !h.cell.isIn(c) {
			return false
		}
	}
	return true
}

// bind returns the frame with the names of the loop bound to one item.
func (n *Each) bind(up *Frame, v value.Value) (*Frame, error) {
	if len(n.Names) == 1 {
		return &Frame{up: up, name: n.Names[0], val: v}, nil
	}
	if !v.Is(value.ListKind) || v.List().Len() != len(n.Names) {
		got := value.Article(v.Kind())
		if v.Is(value.ListKind) {
			got = "a list of " + strconv.Itoa(v.List().Len())
		}
		d := source.Errorf(n.At, source.WrongType, "each item of this loop must be a list of %d items, not %s", len(n.Names), got)
		if v.IsScalar() {
			d.WithHint("a loop over a mapping yields only its keys: take one name")
		}
		return nil, d
	}
	for i, name := range n.Names {
		part, err := v.List().At(i)
		if err != nil {
			return nil, err
		}
		up = &Frame{up: up, name: name, val: part.Mark(v.Marks())}
	}
	return up, nil
}

// special reports whether an item of the list may contribute other than one item.
func (s *Seq) special() bool {
	for _, n := range s.Items {
		switch n.(type) {
		case *Delete, *Positional, *Splice, *Each, *Guard:
			return true
		}
	}
	return false
}

// A listMerge joins the items of a newer list with the items of an older one. By default it appends
// items that the older list does not have (merge, section 6):
//
//	[a, {k: 1}] then [a, b]         equal items are not repeated          [a, {k: 1}, b]
//	[a, {k: 1}] then [{k: 2}]       a map joins the first with its key    [a, {k: 2}]
//	[{j: 1}]    then [pos {k: 2}]   a marked item joins by position       [{j: 1, k: 2}]
//
// Its indexes find an equal item in constant time. Items are compared only when the first newer
// item needs it.
type listMerge struct {
	cell   *Cell
	rule   *Rule
	older  int // length of the older list, whose items keep their index
	out    []item
	known  []comparand       // the first items of out, prepared for comparison
	open   []int             // the items of known that are prepared only when a map or list is added
	count  map[string]int    // number of items with each text
	single map[value.Key]int // index of the first map with only that key

	policy  ListPolicy
	ruled   bool              // a rule has set the policy
	fields  []*value.Key      // the first items of out under the field of the policy
	byKey   map[value.Key]int // index of the first item with each of them
	again   map[value.Key]int // number of later items with each of them
	removed bool              // an item of out has no layer any more
}

// A comparand is an item prepared for comparison.
type comparand struct {
	text string     // equal for equal items
	key  *value.Key // the key of a map with only one
	open bool       // it is a map or list, of which neither is known yet
}

// add adds the i-th newer item.
func (m *listMerge) add(i int, it item) error {
	if m.policy.Kind == ByField {
		if done, err := m.byField(it); done || err != nil {
			return err
		}
	}
	if it.joins != nil {
		return m.position(i, it)
	}
	if m.policy.Kind == AppendPolicy {
		m.out = append(m.out, it)
		return nil
	}
	inner, err := m.isCollection(it)
	if err == nil {
		err = m.learn(inner)
	}
	if err != nil {
		return err
	}
	d, err := m.describe(it)
	if err != nil {
		return err
	}
	if d.key != nil {
		if at, ok := m.single[*d.key]; ok {
			return m.mergeAt(at, it)
		}
	}
	if m.count[d.text] == 0 {
		m.out = append(m.out, it)
	} else if w := m.cell.observer(); w != nil && !m.ruled {
		return w.repeats(m, it, d.text)
	}
	return nil
}

// position merges a marked item into an older one. An index refers to the older list, which
// newer items appended meanwhile do not change.
func (m *listMerge) position(i int, it item) error {
	where := it.joins.Where
	it.joins = nil
	if where != nil {
		var err error
		if i, err = m.selected(where, it); err != nil {
			return err
		}
	} else if i >= m.older {
		m.out = append(m.out, it)
		return nil
	}
	f, err := m.cell.itemCell(i, m.out[i].layer).fold()
	if err != nil {
		return err
	}
	if f.kind == mapShape || f.kind == listShape && isList(it.layer.node) {
		return m.mergeAt(i, it)
	}
	return m.put(i, it)
}

// isList reports whether a node contributes a list.
func isList(n Node) bool {
	switch n.(type) {
	case *Seq, *Extend:
		return true
	}
	return false
}

// selected returns the index of the one item that where selects.
func (m *listMerge) selected(where *Where, it item) (int, error) {
	if where.Key == "" {
		i := where.Index
		if i < 0 {
			i += len(m.out)
		}
		if i < 0 || i >= len(m.out) {
			return 0, source.Errorf(it.layer.span(), source.NotFound, "%s has no item %d, it has %d", m.cell.Path(), where.Index, len(m.out))
		}
		return i, nil
	}
	found := -1
	for i := range m.out {
		raw, _, err := m.cell.itemCell(i, m.out[i].layer).Raw()
		if err != nil {
			return 0, err
		}
		if !Selects(raw, where.Key, where.Text) {
			continue
		}
		if found >= 0 {
			return 0, source.Errorf(it.layer.span(), source.NotFound, "%s has several items with %s=%s", m.cell.Path(), where.Key, where.Text)
		}
		found = i
	}
	if found < 0 {
		return 0, source.Errorf(it.layer.span(), source.NotFound, "%s has no item with %s=%s", m.cell.Path(), where.Key, where.Text)
	}
	return found, nil
}

// Selects reports whether v is a map with a scalar of the given text under key.
func Selects(v value.Value, key, text string) bool {
	if !v.Is(value.MapKind) {
		return false
	}
	item, ok, err := v.Map().Get(value.K(key))
	if !ok || err != nil {
		return false
	}
	k, isKey := value.KeyOf(item)
	return isKey && k.Text == text
}

// mergeAt merges an item into the i-th one, under its rule.
func (m *listMerge) mergeAt(i int, it item) error {
	g := &group{members: []*layer{it.layer, m.out[i].layer}, rule: m.rule, sealed: true}
	l := &layer{group: g, origin: it.layer.origin, up: it.layer.up}
	return m.put(i, item{layer: l, note: joinedNote(it, m.out[i])})
}

// put replaces the i-th item and updates the index.
func (m *listMerge) put(i int, it item) error {
	m.out[i] = it
	if i >= len(m.known) {
		return nil
	}
	d, err := m.describe(it)
	if err != nil {
		return err
	}
	err = m.replaceKnown(i, d)
	m.count[d.text]++
	m.offer(d.key, i)
	return err
}

// replaceKnown replaces the comparand of the i-th item in the index.
func (m *listMerge) replaceKnown(i int, d comparand) error {
	was := m.known[i]
	m.known[i] = d
	if was.open {
		return nil
	}
	m.count[was.text]--
	if was.key != nil && (d.key == nil || *d.key != *was.key) && m.single[*was.key] == i {
		return m.passOn(*was.key, i)
	}
	return nil
}

// forget removes the i-th item from the index.
func (m *listMerge) forget(i int) error {
	if i >= len(m.known) {
		return nil
	}
	return m.replaceKnown(i, comparand{})
}

// passOn indexes the next map with only that key after item i, which was the first.
func (m *listMerge) passOn(key value.Key, i int) error {
	delete(m.single, key)
	for j, d := range m.known[i+1:] {
		if d.key != nil && *d.key == key {
			m.single[key] = i + 1 + j
			return m.cell.eval.Step(j)
		}
	}
	return m.cell.eval.Step(len(m.known) - i)
}

// offer indexes item i as a map with only that key, if it is the first.
func (m *listMerge) offer(key *value.Key, i int) {
	if key == nil {
		return
	}
	if at, ok := m.single[*key]; !ok || i < at {
		m.single[*key] = i
	}
}

// learn prepares the items for comparison that are not prepared yet. Maps and lists are compared with
// one another only, so that no item in them is evaluated for a list of scalars.
func (m *listMerge) learn(collections bool) error {
	if m.count == nil {
		m.count, m.single = map[string]int{}, map[value.Key]int{}
	}
	for i := len(m.known); i < len(m.out); i++ {
		if m.out[i].layer == nil {
			m.known = append(m.known, comparand{})
			continue
		}
		inner, err := m.isCollection(m.out[i])
		if err != nil {
			return err
		}
		if inner {
			m.known, m.open = append(m.known, comparand{open: true}), append(m.open, i)
			continue
		}
		d, err := m.describe(m.out[i])
		if err != nil {
			return err
		}
		m.known = append(m.known, d)
		m.count[d.text]++
	}
	if !collections {
		return nil
	}
	for _, i := range m.open {
		if !m.known[i].open {
			continue
		}
		d, err := m.describe(m.out[i])
		if err != nil {
			return err
		}
		m.known[i] = d
		m.count[d.text]++
		m.offer(d.key, i)
	}
	m.open = m.open[:0]
	return nil
}

// isCollection reports whether an item is a map or a list.
func (m *listMerge) isCollection(it item) (bool, error) {
	f, err := m.cell.itemCell(0, it.layer).fold()
	if err != nil {
		return false, err
	}
	return f.kind == mapShape || f.kind == listShape, nil
}

// describe prepares an item for comparison.
func (m *listMerge) describe(it item) (comparand, error) {
	c := m.cell.itemCell(0, it.layer)
	raw, ok, err := c.Raw()
	if err != nil || !ok {
		return comparand{}, err
	}
	var b strings.Builder
	if err := fingerprint(&b, raw, m.cell.eval); err != nil {
		return comparand{}, err
	}
	d := comparand{text: b.String()}
	if len(d.text) > maxFingerprint {
		d.text = hashed(d.text)
	}
	if raw.Is(value.MapKind) && raw.Map().Len() <= 1 {
		d.key, err = c.onlyKey()
	}
	return d, err
}

// onlyKey returns the key of the map on c if it is written with just one, even if a
// deletion is under that key.
func (c *Cell) onlyKey() (*value.Key, error) {
	f, err := c.fold()
	if err != nil || f.kind != mapShape {
		return nil, err
	}
	keys, err := c.keysWhere(f, func(k value.Key) (bool, error) {
		under, err := c.kid(k).fold()
		return err == nil && under.kind != absentShape, err
	})
	if err != nil || len(keys) != 1 {
		return nil, err
	}
	return &keys[0], nil
}

// A listObserver is told how the layers of a list are joined, by an evaluation that looks for joins that are probably
// not meant.
type listObserver interface {
	removing(all []removal)                           // whiteouts of a layer
	ruledBy(of *Map)                                  // the list of a whiteout joins older ones by a field
	removed(of *Map)                                  // a whiteout removed an item
	namesOf(m *listMerge) error                       // no item has the field of a whiteout
	repeats(m *listMerge, it item, text string) error // an item is dropped, since an older one is equal
	joined(m *listMerge, older *layer) error          // all layers are joined; older is the last one
}

// observer returns the observer of the list on c, nil for none.
func (c *Cell) observer() listObserver {
	if e := c.eval; e.observed == c {
		return e.observer
	}
	return nil
}
