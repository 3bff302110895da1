package yay

import (
	"fmt"
	"iter"
	"slices"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// attribute is x.name: the value of a key of a mapping (spec: yay, section 4.4).
func (ev evaluator) attribute(n *expr.Select) (value.Value, error) {
	if v, err, done := ev.direct(n); done {
		return v, err
	}
	x, err := ev.eval(n.X)
	if err != nil {
		return value.Null, err
	}
	switch x.Kind() {
	case value.MapKind:
	case value.ListKind:
		return value.Null, wrongType(n.X.Span(), "a mapping", x).WithHint("the items of a list are indexed by integers: [0]")
	default:
		return value.Null, wrongType(n.X.Span(), "a mapping or a list", x).WithHint("%s", foreignMethod(n.X, n.Name))
	}
	if call, ok := n.X.(*expr.CallExpr); ok && len(call.Args) > 0 {
		ev.in.Ahead(x, n.Name)
	}
	v, ok, err := mapItem(x.Map(), n.Name)
	switch {
	case err != nil:
		return value.Null, err
	case ok:
		return found(v, x.Marks(), n.NameAt)
	}
	if ev.misses(x.Marks()); ev.probing {
		return value.Null, errProbe
	}
	return value.Null, noKey(n.NameAt, n.X, x, n.Name)
}

// index is x[key]: the value of a key, or an item of a list.
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

// mapIndex is x[key] of a mapping. Its keys are texts.
func (ev evaluator) mapIndex(n *expr.Index, x, k value.Value) (value.Value, error) {
	at := n.Key.Span()
	if !k.IsScalar() || k.IsNull() {
		return value.Null, wrongType(at, "a string as the key of a mapping", k)
	}
	ev.decided(k.Marks())
	if k.Is(value.StringKind) {
		v, ok, err := mapItem(x.Map(), k.Str())
		if err != nil {
			return value.Null, err
		}
		if ok {
			return found(v, x.Marks()|k.Marks(), at)
		}
	}
	ev.misses(x.Marks() | k.Marks())
	switch {
	case ev.probing:
		return value.Null, errProbe
	case k.Marks() != 0 || isSecret(n.At):
		return value.Null, source.Errorf(at, source.NoMatching, "no such key%s", whose(n.X))
	case k.Is(value.StringKind):
		return value.Null, noKey(at, n.X, x, k.Str())
	}
	key, _ := value.KeyOf(k)
	d := source.Errorf(at, source.NoMatching, "no such key %s%s", key.Text, whose(n.X))
	if have, err := hasKey(x.Map(), key.Text); have && err == nil {
		d.WithHint("keys are strings: %s[%q]", dotted(n.X), key.Text)
	}
	return value.Null, d
}

// listIndex is x[i] of a list.
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
	ev.decided(k.Marks())
	if p, ok := i.Int(); ok && p < size {
		v, err := x.List().At(int(p))
		if err != nil {
			return value.Null, err
		}
		return found(v, x.Marks()|k.Marks(), at)
	}
	if ev.misses(x.Marks() | k.Marks()); ev.probing {
		return value.Null, errProbe
	}
	text := " " + i.BigInt().String()
	if k.Marks() != 0 || isSecret(n.At) || len(text) > maxQuoted {
		text = ""
	}
	d := source.Errorf(at, source.NoMatching, "no such item%s%s", text, whose(n.X))
	if x.Marks() == 0 {
		d.Message += fmt.Sprintf(": the list has %d", size)
	}
	return value.Null, d
}

// found returns an item with the marks of its collection and of its key.
func found(v value.Value, marks value.Marks, at source.Span) (value.Value, error) {
	if marks != 0 {
		v = v.Mark(marks)
	}
	return defined(v, at)
}

// mapItem returns the value of a key. Keys of YAML that are not texts are found by their
// text: "1" finds the key 1.
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

// mayBeScalar reports whether a word may be the text of a key that is not a text: a
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

// hasKey reports whether a map has a key with that text, without evaluating its value.
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

// sortedKeys returns the texts of the keys of a map in alphabetical order.
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

// noKey returns the error of a key that is missing in the mapping x, the value of the
// node from. The keys of a secret mapping are secret.
func noKey(at source.Span, from expr.Node, x value.Value, key string) error {
	d := source.Errorf(at, source.NoMatching, "no such key %q%s", shorten(key), whose(from))
	if x.Marks() == 0 {
		if whole := expr.HyphenedKey(at, key); whole != "" && dotted(from) != "" {
			if has, err := hasKey(x.Map(), whole); has && err == nil {
				return d.WithHint(`"-" subtracts; the key is %s['%s']`, dotted(from), whole)
			}
		}
		d.DidYouMean(key, value.KeyTexts(x.Map()))
	}
	if d.Hint == "" {
		d.Hint = foreignMethod(from, key)
	}
	return d
}

// slice is x[from:to:step] of a list, as in Python (spec: yay, section 4.4). Bounds are
// clamped to a range in which sums do not overflow.
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
		v, err := ev.eval(b)
		if err != nil {
			return value.Null, reached(err)
		}
		whole, err := asInteger(v, b.Span())
		if err != nil {
			return value.Null, reached(err)
		}
		marks |= v.Marks()
		const most = 1 << 62
		at, ok := whole.Int()
		if !ok {
			at = int64(whole.BigInt().Sign()) * most
		}
		at = min(max(at, -most), most)
		bounds[i] = &at
	}
	if bounds[2] != nil && *bounds[2] == 0 {
		return value.Null, source.Errorf(n.Step.Span(), source.WrongType, "expected an integer other than 0 as the step of a slice")
	}
	ev.decided(marks)
	first, step, size := value.SliceOf(x.List().Len(), bounds)
	return value.FromList(&sliceView{x.List(), first, step, size}).Mark(marks), nil
}

// A sliceView is a range of items of a list with a constant step. It takes the same
// memory for any number of items.
type sliceView struct {
	list          value.List
	from, step, n int
}

// Len returns the number of items.
func (s *sliceView) Len() int { return s.n }

// At returns item i.
func (s *sliceView) At(i int) (value.Value, error) { return s.list.At(s.from + i*s.step) }

// A lazyItem is an item of a list or map display. Most items are evaluated when they are
// asked for (spec: yay, section 6.4). The result is kept if it is final; otherwise a guard
// may be decided before the item is asked for again.
type lazyItem struct {
	val  value.Value // if node is nil, or kept
	err  error       // likewise
	node expr.Node
	kept bool
	busy int // number of evaluations in progress
}

// maxBusy bounds how often an item is asked for during its own evaluation. An item that
// needs itself is a cycle, but while a condition that it depends on is decided, it may be
// asked for again with another result.
const maxBusy = 20

func (it *lazyItem) get(ev evaluator) (value.Value, error) {
	if it.node == nil || it.kept && ev.in.Keeps() {
		return it.val, it.err
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
	if it.busy == 0 && (err == nil || isMissing(err)) && ev.in.Keeps() {
		it.val, it.err, it.kept = v, err, true
	}
	return v, err
}

// An enclosure is a list or map display, with the ones around it.
type enclosure struct{ outer *enclosure }

// isIn reports whether v is e or a display around it.
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

// item prepares an item of a display. Literals, variables of comprehensions and nested
// displays cannot fail and are evaluated at once.
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
		computed := func(e expr.Entry) bool {
			lit, ok := e.Key.(*expr.Lit)
			return !ok || !lit.Value.IsScalar()
		}
		if !slices.ContainsFunc(n.Entries, computed) {
			v, err := ev.mapping(n)
			return lazyItem{val: v}, err
		}
	}
	return lazyItem{node: n}, nil
}

// A displayList is the value of a list display.
type displayList struct {
	enclosure
	ev    evaluator
	items []lazyItem
}

// Len returns the number of items.
func (l *displayList) Len() int { return len(l.items) }

// At evaluates item i.
func (l *displayList) At(i int) (value.Value, error) { return l.items[i].get(l.ev) }

// list is [item, ...].
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

// A displayMap is the value of a map display.
type displayMap struct {
	enclosure
	ev    evaluator
	index *value.Dict // the index of an item by its key
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

// mapping is {key: value, ...}. Keys are evaluated at once and converted to texts (spec:
// yay, section 4.5). Of equal keys the last one counts.
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
// {key: item for ...} (spec: yay, section 4.5). All of it is evaluated at once.
func (ev evaluator) comprehension(n *expr.For) (value.Value, error) {
	ev.probing = false
	items, marks := value.Slice{}, value.Marks(0)
	var entries *value.Dict
	reserve := func(n int) { items = slices.Grow(items, n) }
	if n.Key != nil {
		entries = value.NewMap(0)
		reserve = func(int) {}
	}
	err := ev.turns(n.Clauses, &marks, reserve, func(turn evaluator) error {
		var key string
		if n.Key != nil {
			k, err := turn.eval(n.Key)
			if err != nil {
				return err
			}
			if key, err = textOf(k, n.Key.Span()); err != nil {
				return err
			}
			marks |= k.Marks()
		}
		v, err := turn.eval(n.Item)
		if err != nil {
			return err
		}
		if n.Key != nil {
			entries.Set(value.K(key), v)
		} else {
			items = append(items, v)
		}
		if err := fitsItems(len(items), n.Item.Span()); err != nil {
			return err
		}
		return placed(ev.in.Step(keptSteps), n.Item.Span())
	})
	switch {
	case err != nil:
		return value.Null, within(err)
	case n.Key != nil:
		return value.FromMap(entries).Mark(marks), nil
	}
	return value.FromList(items).Mark(marks), nil
}

// fitsItems returns an error if a list would have too many items. A list that grows takes the memory of
// two, before the evaluation looks at its memory again.
func fitsItems(n int, at source.Span) error {
	const most = 4 << 20
	if n > most {
		return source.Errorf(at, source.Limit, "a list would have more than %d items", most)
	}
	return nil
}

// keptSteps is the cost of an item that is kept, so that the limit of steps bounds memory.
const keptSteps = 50

// mostReserved is the largest number of items for which a comprehension takes memory before it has them.
const mostReserved = 1 << 16

// turns calls do for each iteration of the clauses, with their names bound, and collects
// the marks of the collections that they iterate over. It calls reserve before up to n calls of do.
func (ev evaluator) turns(clauses []expr.ForClause, marks *value.Marks, reserve func(n int), do func(evaluator) error) error {
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
	if len(clauses) == 1 && len(c.Ifs) == 0 {
		reserve(min(list.Len(), mostReserved))
	}
items:
	for i := range list.Len() {
		item, err := list.At(i)
		if err != nil {
			return err
		}
		turn, err := ev.bind(c, item.Mark(src.Marks()))
		if err != nil {
			return err
		}
		for _, test := range c.Ifs {
			v, err := turn.eval(test)
			if err != nil {
				return err
			}
			noteWord(ev.in, v, test.Span())
			*marks |= v.Marks()
			ev.decided(v.Marks())
			if ok, err := holds(v, test.Span()); err != nil {
				return err
			} else if !ok {
				continue items
			}
		}
		if err := turn.turns(clauses[1:], marks, reserve, do); err != nil {
			return err
		}
	}
	return nil
}

// bind returns the evaluator of one iteration. Several names are bound to the items of an
// item, which must be a list of as many.
func (ev evaluator) bind(c *expr.ForClause, item value.Value) (evaluator, error) {
	if err := ev.in.Step(1); err != nil {
		return ev, placed(err, c.At)
	}
	if len(c.Names) == 1 {
		ev.vars = ev.vars.with(c.Names[0], item)
		return ev, nil
	}
	list, err := listFor(len(c.Names), item, c.At)
	if err != nil {
		return ev, err
	}
	for i, name := range c.Names {
		v, err := list.At(i)
		if err != nil {
			return ev, err
		}
		ev.vars = ev.vars.with(name, v.Mark(item.Marks()))
	}
	return ev, nil
}

// listFor returns v as a list with an item for each of several names.
func listFor(names int, v value.Value, at source.Span) (value.List, error) {
	if !v.Is(value.ListKind) {
		return nil, source.Errorf(at, source.WrongType, "expected a list of %d items for %d names, not %s", names, names, describe(v))
	}
	n := v.List().Len()
	switch {
	case n == names:
		return v.List(), nil
	case v.Marks() != 0:
		return nil, source.Errorf(at, source.WrongType, "expected a list of %d items for %d names, not of another number", names, names)
	}
	return nil, source.Errorf(at, source.WrongType, "expected a list of %d items for %d names, not of %d", names, names, n)
}
