package yay

import (
	"iter"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

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
