package yay

import (
	"iter"
	"slices"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// attribute is x.name: the value under a key of a mapping (spec: yay, section 4.4).
func (ev evaluator) attribute(n *expr.Select) (value.Value, error) {
	x, err := ev.eval(n.X)
	if err != nil {
		return value.Null, err
	}
	if !x.Is(value.MapKind) {
		return value.Null, noAttributes(n, x)
	}
	v, ok, err := mapItem(x.Map(), n.Name)
	switch {
	case err != nil:
		return value.Null, err
	case ok:
		return found(v, x.Marks(), n.NameAt)
	case ev.probing:
		return value.Null, errProbe
	}
	return value.Null, noKey(n.NameAt, n.X, x, n.Name)
}

func noAttributes(n *expr.Select, x value.Value) error {
	if x.Is(value.ListKind) {
		return wrongType(n.X.Span(), "a mapping", x).WithHint("an item of a list has an integer: [0]")
	}
	return wrongType(n.X.Span(), "a mapping or a list", x).WithHint("%s", foreignMethod(n.X, n.Name))
}

// index is x[key]: the value under a key, or the item of a list.
func (ev evaluator) index(n *expr.Index) (value.Value, error) {
	x, err := ev.eval(n.X)
	if err != nil {
		return value.Null, err
	}
	if !x.Is(value.MapKind) && !x.Is(value.ListKind) {
		return value.Null, wrongType(n.X.Span(), "a mapping or a list", x)
	}
	k, err := ev.eval(n.Key)
	if err != nil {
		return value.Null, reached(err)
	}
	if x.Is(value.MapKind) {
		return ev.mapIndex(n, x, k)
	}
	return ev.listIndex(n, x, k)
}

func (ev evaluator) mapIndex(n *expr.Index, x, k value.Value) (value.Value, error) {
	if !k.IsScalar() || k.IsNull() {
		return value.Null, wrongType(n.Key.Span(), "a string as the key of a mapping", k)
	}
	if k.Is(value.StringKind) {
		v, ok, err := mapItem(x.Map(), k.Str())
		if err != nil {
			return value.Null, err
		}
		if ok {
			return found(v, x.Marks()|k.Marks(), n.Key.Span())
		}
	}
	switch {
	case ev.probing:
		return value.Null, errProbe
	case k.Marks() != 0 || isSecret(n.At):
		return value.Null, source.Errorf(n.Key.Span(), source.NoMatching, "no such key%s", whose(n.X))
	case k.Is(value.StringKind):
		return value.Null, noKey(n.Key.Span(), n.X, x, k.Str())
	}
	return value.Null, noTextKey(n, x.Map(), k)
}

// noTextKey is the error of a key that is no text: keys of a mapping always are.
func noTextKey(n *expr.Index, m value.Map, k value.Value) error {
	key, _ := value.KeyOf(k)
	d := source.Errorf(n.Key.Span(), source.NoMatching, "no such key %s%s", key.Text, whose(n.X))
	have, err := hasKey(m, key.Text)
	if err != nil || !have {
		return d
	}
	return d.WithHint("keys are strings: %s[%q]", dotted(n.X), key.Text)
}

func (ev evaluator) listIndex(n *expr.Index, x, k value.Value) (value.Value, error) {
	at := n.Key.Span()
	if k.Is(value.BoolKind) {
		return value.Null, wrongType(at, "an integer as the index of a list", k)
	}
	i, err := asInteger(k, at)
	if err != nil {
		return value.Null, err
	}
	size := int64(x.List().Len())
	if i.BigInt().Sign() < 0 {
		return value.Null, source.Errorf(at, source.WrongType, "expected an integer from 0 as the index of a list, not a negative one").
			WithHint("a slice counts from the end: [-1:][0] is the last item")
	}
	if p, ok := i.Int(); ok && p < size {
		v, err := x.List().At(int(p))
		if err != nil {
			return value.Null, err
		}
		return found(v, x.Marks()|k.Marks(), at)
	}
	if ev.probing {
		return value.Null, errProbe
	}
	return value.Null, noItem(n, i, k.Marks(), size)
}

func noItem(n *expr.Index, i value.Value, marks value.Marks, size int64) error {
	text := " " + i.BigInt().String()
	if marks != 0 || isSecret(n.At) || len(text) > maxQuoted {
		text = ""
	}
	return source.Errorf(n.Key.Span(), source.NoMatching, "no such item%s%s: the list has %d", text, whose(n.X), size)
}

// found returns an item with the marks of what it was taken from and by.
func found(v value.Value, marks value.Marks, at source.Span) (value.Value, error) {
	if marks != 0 {
		v = v.Mark(marks)
	}
	return defined(v, at)
}

// mapItem returns the value under a key. Keys of YAML that are no texts are found by
// their text.
func mapItem(m value.Map, key string) (value.Value, bool, error) {
	v, ok, err := m.Get(value.K(key))
	if ok || err != nil {
		return v, ok, err
	}
	if !mayBeScalar(key) {
		return value.Null, false, nil
	}
	for _, k := range value.KeysSpelt(key)[1:] {
		if v, ok, err = m.Get(k); ok || err != nil {
			return v, ok, err
		}
	}
	return value.Null, false, nil
}

// mayBeScalar reports whether a word may be the text of a key that is no text: a
// number, true, false or null.
func mayBeScalar(word string) bool {
	switch word {
	case "":
		return false
	case "true", "false", "null":
		return true
	}
	return word[0] <= '9' // a digit, a sign, the point of .inf
}

// hasKey reports whether a map has a key of that text. The value under it is not
// evaluated.
func hasKey(m value.Map, text string) (bool, error) {
	if d, ok := m.(*value.Dict); ok {
		_, ok, err := mapItem(d, text)
		return ok, err
	}
	if lazy, ok := m.(value.Keyed); ok {
		for _, k := range value.KeysSpelt(text) {
			if has, err := lazy.Has(k); has || err != nil {
				return has, err
			}
		}
		return false, nil
	}
	for k := range m.Keys() {
		if k == value.UnknownKey {
			_, _, err := m.Get(k)
			return false, err
		}
		if k.Text == text {
			return true, nil
		}
	}
	return false, nil
}

// sortedKeys returns the keys of a map as texts in alphabetical order.
func sortedKeys(m value.Map, at source.Span) (value.List, error) {
	keys, err := value.KeysOf(m)
	if err != nil {
		return nil, placed(err, at)
	}
	texts := make([]string, len(keys))
	for i, k := range keys {
		texts[i] = k.Text
	}
	slices.Sort(texts)
	items := make(value.Slice, len(texts))
	for i, t := range texts {
		items[i] = value.String(t).Verbatim()
	}
	return items, nil
}

// noKey is the error of a key that the mapping x, which comes from a node, does not
// have. Those that it has are secret if it is.
func noKey(at source.Span, from expr.Node, x value.Value, key string) error {
	d := source.Errorf(at, source.NoMatching, "no such key %q%s", shorten(key), whose(from))
	if x.Marks() == 0 {
		d.DidYouMean(key, value.KeyTexts(x.Map()))
	}
	if d.Hint == "" {
		d.Hint = foreignMethod(from, key)
	}
	return d
}

// slice is x[from:to:step] of a list, as in Python (spec: yay, section 4.4).
func (ev evaluator) slice(n *expr.Slice) (value.Value, error) {
	x, err := ev.eval(n.X)
	if err != nil {
		return value.Null, err
	}
	if !x.Is(value.ListKind) {
		return value.Null, wrongType(n.X.Span(), "a list", x)
	}
	marks := x.Marks()
	var bounds [3]*int64
	for i, b := range [3]expr.Node{n.From, n.To, n.Step} {
		if b == nil {
			continue
		}
		v, err := ev.bound(b)
		if err != nil {
			return value.Null, reached(err)
		}
		marks |= v.Marks()
		at := clampInt(v)
		bounds[i] = &at
	}
	if bounds[2] != nil && *bounds[2] == 0 {
		return value.Null, source.Errorf(n.Step.Span(), source.WrongType, "expected an integer other than 0 as the step of a slice")
	}
	return value.FromList(part(x.List(), bounds)).Mark(marks), nil
}

func (ev evaluator) bound(n expr.Node) (value.Value, error) {
	v, err := ev.eval(n)
	if err != nil {
		return value.Null, err
	}
	i, err := asInteger(v, n.Span())
	return i.Mark(v.Marks()), err
}

// clampInt returns an integer, or the nearest that is small enough to count with.
func clampInt(v value.Value) int64 {
	const most = 1 << 62
	if i, ok := v.Int(); ok {
		return min(max(i, -most), most)
	}
	return int64(v.BigInt().Sign()) * most
}

// A sliceView is some items of a list, in a row with a constant distance. It costs the
// same however many there are.
type sliceView struct {
	list          value.List
	from, step, n int
}

// Len returns the number of items.
func (s *sliceView) Len() int { return s.n }

// At returns item i.
func (s *sliceView) At(i int) (value.Value, error) { return s.list.At(s.from + i*s.step) }

// part returns the items that a slice takes. Missing bounds are nil.
func part(l value.List, bounds [3]*int64) value.List {
	first, step, n := value.SliceOf(l.Len(), bounds)
	return &sliceView{l, first, step, n}
}

// A lazyItem is an item of a list or map that an expression writes out. Most are not
// evaluated until they are asked for (spec: yay, section 6.4), and then each time
// anew: in between, a guard may have been decided. What they refer to is remembered
// where it stands.
type lazyItem struct {
	val  value.Value // if node is nil
	node expr.Node
	busy int // evaluations under way
}

// maxBusy bounds how often an item is asked for while it is evaluated. An item that
// needs itself is a cycle; but while a condition is decided that lies on the way, it
// may be asked for with another outcome.
const maxBusy = 20

func (it *lazyItem) get(ev evaluator) (value.Value, error) {
	if it.node == nil {
		return it.val, nil
	}
	if it.busy == maxBusy {
		return value.Null, source.Errorf(it.node.Span(), source.Cycle, "a cycle: the value needs itself")
	}
	it.busy++
	v, err := ev.eval(it.node)
	it.busy--
	if err == nil && ev.around.isIn(v) {
		err = source.Errorf(it.node.Span(), source.Cycle, "a cycle: the value would contain itself")
	}
	return v, err
}

// An enclosure is a list or map that an expression writes out, with that around it.
type enclosure struct{ outer *enclosure }

// isIn reports whether v is e or one around it.
func (e *enclosure) isIn(v value.Value) bool {
	var of *enclosure
	switch v.Kind() {
	case value.ListKind:
		if l, ok := v.List().(*displayList); ok {
			of = &l.enclosure
		}
	case value.MapKind:
		if m, ok := v.Map().(*displayMap); ok {
			of = &m.enclosure
		}
	}
	for ; e != nil && of != nil; e = e.outer {
		if e == of {
			return true
		}
	}
	return false
}

// item prepares an item. What is written out, or bound by a comprehension, cannot
// fail and is evaluated at once.
func (ev evaluator) item(n expr.Node) (lazyItem, error) {
	switch n := n.(type) {
	case *expr.Lit:
		return lazyItem{val: n.Value}, nil
	case *expr.Name:
		if v, ok := ev.vars.get(n.Name); ok {
			return lazyItem{val: v}, nil
		}
	case *expr.List:
		v, err := ev.list(n)
		return lazyItem{val: v}, err
	case *expr.Map:
		if hasConstantKeys(n) {
			v, err := ev.mapping(n)
			return lazyItem{val: v}, err
		}
	}
	return lazyItem{node: n}, nil
}

func hasConstantKeys(n *expr.Map) bool {
	for _, e := range n.Entries {
		if lit, ok := e.Key.(*expr.Lit); !ok || !lit.Value.IsScalar() {
			return false
		}
	}
	return true
}

// A displayList is a list that an expression writes out.
type displayList struct {
	enclosure
	ev    evaluator
	items []lazyItem
}

// Len returns the number of items.
func (l *displayList) Len() int { return len(l.items) }

// At evaluates item i.
func (l *displayList) At(i int) (value.Value, error) { return l.items[i].get(l.ev) }

func (ev evaluator) list(n *expr.List) (value.Value, error) {
	l := &displayList{enclosure: enclosure{ev.around}, ev: ev, items: make([]lazyItem, len(n.Items))}
	l.ev.probing, l.ev.around = false, &l.enclosure
	for i, node := range n.Items {
		var err error
		if l.items[i], err = l.ev.item(node); err != nil {
			return value.Null, within(err)
		}
	}
	return value.FromList(l), nil
}

// A displayMap is a mapping that an expression writes out.
type displayMap struct {
	enclosure
	ev    evaluator
	index *value.Dict // the number of an item by its key
	items []lazyItem
}

// Len returns the number of entries.
func (m *displayMap) Len() int { return m.index.Len() }

// Keys yields the keys in order.
func (m *displayMap) Keys() iter.Seq[value.Key] { return m.index.Keys() }

// Get evaluates the value of k.
func (m *displayMap) Get(k value.Key) (value.Value, bool, error) {
	at, ok, _ := m.index.Get(k)
	if !ok {
		return value.Null, false, nil
	}
	i, _ := at.Int()
	v, err := m.items[i].get(m.ev)
	return v, err == nil, err
}

// mapping is {key: value}. Keys are evaluated at once and become texts (spec: yay,
// section 4.5). Of two equal keys the last counts.
func (ev evaluator) mapping(n *expr.Map) (value.Value, error) {
	m := &displayMap{enclosure: enclosure{ev.around}, ev: ev, index: value.NewMap(len(n.Entries)), items: make([]lazyItem, len(n.Entries))}
	m.ev.probing, m.ev.around = false, &m.enclosure
	marks := value.Marks(0)
	for i, e := range n.Entries {
		k, err := ev.operand(e.Key)
		if err != nil {
			return value.Null, err
		}
		text, err := textOf(k, e.Key.Span())
		if err != nil {
			return value.Null, err
		}
		marks |= k.Marks()
		m.index.Set(value.K(text), value.Int(int64(i)))
		if m.items[i], err = m.ev.item(e.Value); err != nil {
			return value.Null, within(err)
		}
	}
	return value.FromMap(m).Mark(marks), nil
}

// comprehension is [item for names in source if test], with any number of clauses, or
// {key: item for ...} (spec: yay, section 4.5). All of it is evaluated.
func (ev evaluator) comprehension(n *expr.For) (value.Value, error) {
	ev.probing = false
	if n.Key != nil {
		return ev.mapComprehension(n)
	}
	items := value.Slice{}
	marks := value.Marks(0)
	err := ev.turns(n.Clauses, &marks, func(turn evaluator) error {
		v, err := turn.eval(n.Item)
		items = append(items, v)
		if err == nil {
			err = placed(ev.in.Step(keptSteps), n.Item.Span())
		}
		return err
	})
	if err != nil {
		return value.Null, within(err)
	}
	return value.FromList(items).Mark(marks), nil
}

// keptSteps is what an item that is kept counts for, so that steps bound memory.
const keptSteps = 50

func (ev evaluator) mapComprehension(n *expr.For) (value.Value, error) {
	m := value.NewMap(0)
	marks := value.Marks(0)
	err := ev.turns(n.Clauses, &marks, func(turn evaluator) error {
		k, err := turn.eval(n.Key)
		if err != nil {
			return err
		}
		text, err := textOf(k, n.Key.Span())
		if err != nil {
			return err
		}
		marks |= k.Marks()
		v, err := turn.eval(n.Item)
		m.Set(value.K(text), v)
		if err == nil {
			err = placed(ev.in.Step(keptSteps), n.Item.Span())
		}
		return err
	})
	if err != nil {
		return value.Null, within(err)
	}
	return value.FromMap(m).Mark(marks), nil
}

// turns calls do for every turn of the clauses, with their names bound, and collects
// the marks of what they run over.
func (ev evaluator) turns(clauses []expr.ForClause, marks *value.Marks, do func(evaluator) error) error {
	if len(clauses) == 0 {
		return do(ev)
	}
	c := &clauses[0]
	src, err := ev.eval(c.In)
	if err != nil {
		return err
	}
	list, err := iterate(src, c.In.Span())
	if err != nil {
		return err
	}
	*marks |= src.Marks()
	for i := range list.Len() {
		item, err := list.At(i)
		if err != nil {
			return err
		}
		turn, err := ev.bind(c, item.Mark(src.Marks()))
		if err != nil {
			return err
		}
		takes, err := turn.passes(c.Ifs)
		if err != nil {
			return err
		}
		if !takes {
			continue
		}
		if err := turn.turns(clauses[1:], marks, do); err != nil {
			return err
		}
	}
	return nil
}

// bind returns the evaluator of one turn. Several names share out an item that is a
// list of as many items.
func (ev evaluator) bind(c *expr.ForClause, item value.Value) (evaluator, error) {
	if err := ev.in.Step(1); err != nil {
		return ev, placed(err, c.At)
	}
	if len(c.Names) == 1 {
		ev.vars = ev.vars.with(c.Names[0], item)
		return ev, nil
	}
	items, err := shareOut(item, len(c.Names), c.At)
	if err != nil {
		return ev, err
	}
	for i, name := range c.Names {
		ev.vars = ev.vars.with(name, items[i])
	}
	return ev, nil
}

// shareOut returns the items of a list that several names stand for.
func shareOut(v value.Value, names int, at source.Span) ([]value.Value, error) {
	if !v.Is(value.ListKind) {
		return nil, source.Errorf(at, source.WrongType, "expected a list of %d items for %d names, not %s", names, names, describe(v))
	}
	if n := v.List().Len(); n != names {
		return nil, source.Errorf(at, source.WrongType, "expected a list of %d items for %d names, not of %d", names, names, n)
	}
	items := make([]value.Value, names)
	for i := range items {
		item, err := v.List().At(i)
		if err != nil {
			return nil, err
		}
		items[i] = item.Mark(v.Marks())
	}
	return items, nil
}

func (ev evaluator) passes(tests []expr.Node) (bool, error) {
	for _, test := range tests {
		v, err := ev.eval(test)
		if err != nil {
			return false, err
		}
		if ok, err := holds(v, test.Span()); !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}
