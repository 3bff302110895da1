package graph

import (
	"errors"
	"slices"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// # Joins that are probably not meant
//
// A layer that joins older ones may do less, or more, than its author thinks: a null over a map adds
// nothing, a union drops an argument that the older list has. [Eval.Joins] finds these places. It
// walks over the layers of the document once more, from the root down, so that an evaluation that is
// not asked pays nothing. On each cell it has the parts, newest first: what each visible map around
// the cell has under its key. An example, with the newest file last:
//
//	base.yaml  {web: {args: [-v, "1"], tls: {on: true}, port: 80}}
//	prod.yaml  {web: {args: [-w, "1"], tls: null, port: "80"}}
//
//	web        two maps: their keys are next
//	web.args   two lists: they are joined again, and the union drops "1"
//	web.tls    null over a map
//	web.port   a text over a number
//
// Only visible parts count, and the first one below them. Values that are computed, and files that
// are included below a hidden key, are not evaluated.

// A Join is a place where layers join in a way that was probably not meant.
type Join struct {
	Kind         JoinKind
	Path         value.Path
	Newer, Older Side
	Field        string   // of Twins and Unmatched: the key that identifies the items; of NewKey: the key
	Rule         string   // of Twins: the field by which the list joins, which neither item has; "" for none
	Ruled        bool     // of Unmatched: the list joins older ones by a field
	Names        []string // of Unmatched: the names of older items, unless they are secret; of NotPrivate and NewKey: the keys
}

// A JoinKind is the kind of a [Join].
type JoinKind uint8

// The kinds of joins (spec: everyday, A3 and B8).
const (
	KindChange  JoinKind = iota // a value is overridden by one of another kind
	NullIgnored                 // null over a map adds nothing
	Repeats                     // a union drops a scalar that the older list has
	Twins                       // two maps of a joined list have the same name
	Unmatched                   // a whiteout in a list matches no older item
	NotPrivate                  // a private name is no key of its map
	NewKey                      // a key is added to a map whose keys a program defines
)

// A Side is one of the layers of a [Join].
type Side struct {
	At       source.Span
	Includes []source.Span // the includes of its file, innermost first
	Val      value.Value   // a scalar; of Twins and Unmatched the name of the item
	Shape    string        // of KindChange: "a map", "a list", "a text", "a number", "a boolean"
}

// Joins calls visit for each join of the document that was probably not meant, until it returns
// false. Layers that cannot be evaluated are passed over.
//
// Code: limit.
func (e *Eval) Joins(visit func(Join) bool) error {
	warn := e.warn
	e.warn = func(*source.Diagnostic) {}
	defer func() { e.warn = warn }()
	w := joinWalk{eval: e, visit: visit}
	if e.root.layer == nil {
		return nil
	}
	if err := w.cell(e.root, spread(nil, e.root.layer)); err != nil {
		return err
	}
	w.notPrivate()
	return nil
}

// A joinWalk visits the cells of a document with their parts.
type joinWalk struct {
	eval  *Eval
	visit func(Join) bool
	done  bool // visit returned false

	private map[source.Span]*Join // private names, nil where one is a key of its map
	around  map[*Cell]*mapsAround // for newKeys
}

// spread appends the layers of l, newest first, each of which was written as one.
func spread(parts []*layer, l *layer) []*layer {
	if l.group == nil || l.of != nil {
		return append(parts, l)
	}
	for _, m := range l.members {
		parts = spread(parts, m)
	}
	return parts
}

// found reports a join.
func (w *joinWalk) found(j Join) { w.done = w.done || !w.visit(j) }

// cell compares the parts of c, and the parts of all cells below.
func (w *joinWalk) cell(c *Cell, parts []*layer) error {
	if err := w.eval.Enter(); err != nil {
		return err
	}
	defer w.eval.Leave()
	if err := w.eval.Step(stepsOfDirective + len(parts)); err != nil || w.done {
		return err
	}
	f, err := c.fold()
	if err != nil {
		return onlyLimit(err)
	}
	if c.up != nil {
		if err := w.compare(c, f, parts); err != nil {
			return onlyLimit(err)
		}
	}
	switch f.kind {
	case mapShape:
		if t, _, err := c.form(f); t != nil || err != nil {
			return onlyLimit(err)
		}
		if err := w.privateNames(c); err != nil {
			return onlyLimit(err)
		}
		if err := w.newKeys(c, f); err != nil {
			return err
		}
		return w.entries(c, f)
	case listShape:
		return w.list(c, f)
	}
	return nil
}

// onlyLimit returns an error that ends the walk, nil for others: the evaluation reports them.
func onlyLimit(err error) error {
	if errors.Is(err, source.ErrLimit) {
		return err
	}
	return nil
}

// entries visits the cells below the map on c.
func (w *joinWalk) entries(c *Cell, f *foldResult) error {
	under := map[value.Key][]*layer{}
	var keys []value.Key
	for _, m := range f.maps {
		n, ok := m.node.(*Map)
		if !ok {
			continue
		}
		for i := range n.Entries {
			k := n.Entries[i].Key
			parts := under[k]
			if len(parts) == 0 {
				keys = append(keys, k)
			} else if parts[len(parts)-1].up == m {
				parts = parts[:len(parts)-1] // a duplicate key: the last one counts
			}
			under[k] = append(parts, m.under(n.Entries[i].Node))
		}
	}
	for _, k := range keys {
		if parts := under[k]; k == PrivateKey && f.privacy != nil && f.privacy.declared {
			continue // a directive
		} else if len(parts) > 1 || !isConstant(parts[0].node) || w.eval.private {
			if err := w.cell(c.kid(k), parts); err != nil {
				return err
			}
		}
	}
	return nil
}

// list visits the items of the list on c, and joins its parts once more if they may be remarkable.
func (w *joinWalk) list(c *Cell, f *foldResult) error {
	l, err := c.layers()
	if err != nil {
		return onlyLimit(err)
	}
	if seq, plain := l.node.(*Seq); l.group != nil || !plain || seq.removes {
		if err := w.watch(c, l); err != nil {
			return onlyLimit(err)
		}
	}
	for i, it := range f.items {
		if it.layer.group == nil && isConstant(it.layer.node) {
			continue
		}
		if err := w.cell(c.itemKid(i), spread(nil, it.layer)); err != nil {
			return err
		}
	}
	return nil
}

// A listWatch observes how the parts of one list are joined. It is a listObserver.
type listWatch struct {
	cell    *Cell
	removes []removal     // all whiteouts with other keys
	matched map[*Map]bool // maps that removed an item
	ruled   map[*Map]bool // maps whose list joins older ones by a field
	below   *layer        // the newest list that another one joined, or nil
	names   []string      // of the older items of such a list
	joins   []Join
}

// watch joins the list on c once more and reports what is remarkable, each kind once.
func (w *joinWalk) watch(c *Cell, l *layer) error {
	watch := &listWatch{cell: c, matched: map[*Map]bool{}, ruled: map[*Map]bool{}}
	w.eval.observed, w.eval.observer = c, watch
	defer func() { w.eval.observed, w.eval.observer = nil, nil }()
	if _, err := c.foldLayer(l); err != nil {
		return err
	}
	w.eval.observed, w.eval.observer = nil, nil
	if err := watch.unmatched(); err != nil {
		return err
	}
	told := map[JoinKind]bool{}
	for _, j := range watch.joins {
		if !told[j.Kind] {
			told[j.Kind] = true
			w.found(j)
		}
	}
	return nil
}

// removing implements listObserver.
func (w *listWatch) removing(all []removal) { w.removes = append(w.removes, all...) }

// ruledBy implements listObserver.
func (w *listWatch) ruledBy(of *Map) { w.ruled[of] = true }

// removed implements listObserver.
func (w *listWatch) removed(of *Map) { w.matched[of] = true }

// repeats notes that an item was dropped, since an older one is equal.
func (w *listWatch) repeats(m *listMerge, it item, text string) error {
	if slices.ContainsFunc(w.joins, func(j Join) bool { return j.Kind == Repeats }) {
		return nil // the first one is enough
	}
	v, ok, err := m.cell.itemCell(0, it.layer).Raw()
	if err != nil || !ok || !v.IsScalar() {
		return err
	}
	for i, d := range m.known {
		if d.text == text && m.out[i].layer != nil {
			w.joins = append(w.joins, Join{
				Kind: Repeats, Path: m.cell.Path(), Newer: sideOf(it.layer, v), Older: sideOf(m.out[i].layer, v),
			})
			break
		}
	}
	return nil
}

func sideOf(l *layer, v value.Value) Side {
	s := Side{At: l.span(), Val: v}
	if l.origin != nil {
		s.Includes = l.origin.Includes()
	}
	return s
}

// joined implements listObserver.
func (w *listWatch) joined(m *listMerge, older *layer) error {
	w.below = older
	return w.twins(m)
}

// twins notes an appended map that has the same name as an older one. A rule says that it is meant, but one by a
// field that neither has joins nothing: its field may be misspelt.
func (w *listWatch) twins(m *listMerge) error {
	if m.ruled && m.policy.Kind != ByField {
		return nil
	}
	type name struct {
		field string
		value value.Key
	}
	at := map[name]*layer{}
	for i, it := range m.out {
		if it.layer == nil {
			continue
		}
		if joins, err := m.joinsByField(it.layer); err != nil {
			return err
		} else if joins {
			continue
		}
		field, v, err := m.cell.itemCell(i, it.layer).identity()
		if err != nil {
			return err
		}
		k, ok := value.KeyOf(v)
		if field == "" || !ok {
			continue
		}
		id := name{field, k}
		if i < m.older {
			at[id] = it.layer
		} else if older := at[id]; older != nil {
			w.joins = append(w.joins, Join{
				Kind: Twins, Path: m.cell.Path(), Field: field, Rule: m.policy.Field, Newer: sideOf(it.layer, v), Older: sideOf(older, v),
			})
			return nil
		}
	}
	return nil
}

// identity returns the first of the keys name, id and key that the map on c has, with its value,
// and "" if there is none with a constant scalar.
func (c *Cell) identity() (field string, v value.Value, err error) {
	f, err := c.fold()
	if err != nil || f.kind != mapShape {
		return "", v, err
	}
	for _, field := range [...]string{"name", "id", "key"} {
		under, err := c.kid(value.K(field)).fold()
		if err != nil {
			return "", v, err
		}
		switch under.kind {
		case absentShape, deletedShape:
			continue
		case scalarShape:
			return field, under.top.node.(*Scalar).Val, nil
		}
		return "", v, nil
	}
	return "", v, nil
}

// unmatched adds the first whiteout that removed no item.
func (w *listWatch) unmatched() error {
	for _, r := range w.removes {
		of, ok := r.layer.node.(*Map)
		if !ok || w.matched[of] {
			continue
		}
		field, v, err := w.cell.itemCell(0, r.layer).identity()
		if err != nil {
			return err
		}
		j := Join{
			Kind: Unmatched, Path: w.cell.Path(), Field: field, Newer: sideOf(r.layer, v),
			Ruled: w.ruled[of], Names: w.names,
		}
		if w.below != nil {
			j.Older = sideOf(w.below, value.Null)
		}
		w.joins = append(w.joins, j)
		return nil
	}
	return nil
}

// namesOf adds the names of the items of a list, for which a whiteout looked in vain.
func (w *listWatch) namesOf(m *listMerge) error {
	for i, it := range m.out {
		if it.layer == nil {
			continue
		}
		_, v, err := m.cell.itemCell(i, it.layer).identity()
		if err != nil {
			return err
		}
		if k, ok := value.KeyOf(v); ok && v.Marks() == 0 && !v.IsNull() {
			w.names = append(w.names, k.Text)
		}
	}
	return nil
}

// nameSteps is the cost of looking at a private name.
const nameSteps = 4

// privateNames notes the private names of the map on c. A map that is included in several places
// may have the key in some of them only.
func (w *joinWalk) privateNames(c *Cell) error {
	p, err := c.privacy()
	if p == nil || err != nil {
		return err
	}
	keys, err := c.keys()
	if err != nil {
		return err
	}
	isKey := make(map[string]bool, len(keys))
	var names []string
	for _, k := range keys {
		if isKey[k.Text] = true; k != PrivateKey {
			names = append(names, k.Text)
		}
	}
	if w.private == nil {
		w.private = map[source.Span]*Join{}
	}
	for _, l := range p.from {
		of := l.node.(*Map).Private.Names
		if err := c.eval.Step(nameSteps * (1 + len(of))); err != nil {
			return err
		}
		for _, n := range of {
			if _, known := w.private[n.At]; n.pattern().rest != "" || isKey[n.Text] {
				w.private[n.At] = nil
			} else if !known {
				w.private[n.At] = &Join{Kind: NotPrivate, Path: c.Path(), Field: n.Text, Names: names,
					Newer: Side{At: n.At, Includes: originOf(l).Includes}}
			}
		}
	}
	return nil
}

// notPrivate reports the private names that are no key of any map that has them.
func (w *joinWalk) notPrivate() {
	for _, j := range w.private {
		if j != nil && !w.done {
			w.found(*j)
		}
	}
}
