package expr

import (
	"errors"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A loop is the body of "select" or "foreach". Without key and value its results are
// the items; with a key they form one map.
type loop struct {
	Range
	key, value Node
}

// loop compiles the body. False and null mean no loop, true means the items.
func (c *compiler) loop(v value.Value, at Placer) (*loop, error) {
	l := &loop{Range: rangeOf(at, v)}
	switch v.Kind() {
	case value.NullKind:
		return nil, nil
	case value.BoolKind:
		if !v.Bool() {
			return nil, nil
		}
		return l, nil
	case value.StringKind:
		if v.Str() == "$true" {
			return l, nil
		}
	case value.MapKind:
		keyed := v.Map().Len() > 0
		for k := range v.Map().Keys() {
			keyed = keyed && (k == value.K("key") || k == value.K("value"))
		}
		if keyed {
			return l, c.keyedBody(l, v.Map(), at)
		}
	}
	var err error
	l.value, err = c.item(v, at)
	return l, err
}

// keyedBody compiles {key: ..., value: ...}, the body of a loop that builds a map.
func (c *compiler) keyedBody(l *loop, m value.Map, at Placer) error {
	for k := range m.Keys() {
		v, _, err := m.Get(k)
		if err != nil {
			return err
		}
		n, err := c.item(v, entryPlace(m, k, at))
		if err != nil {
			return err
		}
		if k.Text == "key" {
			l.key = n
		} else {
			l.value = n
		}
	}
	return nil
}

// item compiles the key or value of a loop: a text is an expression, anything else is
// data that may contain expressions.
func (c *compiler) item(v value.Value, at Placer) (Node, error) {
	if v.Is(value.StringKind) {
		return c.text(v, at)
	}
	return c.data(v, at)
}

// An each is one iteration of a loop.
type each struct {
	key, item value.Value
}

// run evaluates the body for each result of an expression, or for the items if the only
// result is a list. With all, which "select" sets, all matches of the body are results;
// otherwise each item has one result.
func (l *loop) run(m matches, s *Scope, all bool) (matches, error) {
	collection := value.ListOf(m.found...)
	if len(m.found) == 1 && m.found[0].Is(value.ListKind) {
		collection = m.found[0]
	}
	collection = collection.Mark(m.chosen)
	turns := make([]each, 0, collection.List().Len())
	for item, err := range value.Items(collection.List()) {
		if err != nil {
			return matches{}, located(l.At, source.BadValue, err, 0)
		}
		turns = append(turns, each{value.Int(int64(len(turns))), item.Mark(collection.Marks())})
	}
	out, err := l.over(turns, collection, s, all)
	out.chosen |= m.chosen
	return out, err
}

// turnSteps is the least cost of an iteration: it is more work than a step of a path,
// and loops in loops should reach the limit soon.
const turnSteps = 40

// over runs the body for each item, with the variables item, index, key and collection. $break and $continue are
// values that the body may return. With all, each match of a turn is a result; otherwise several become one list.
func (l *loop) over(turns []each, collection value.Value, s *Scope, all bool) (matches, error) {
	r := loopRun{loop: l, stop: signal("$break"), skip: signal("$continue"), all: all, signals: l.signals()}
	if l.key != nil {
		r.keyed = value.NewMap(len(turns))
	}
	s = s.With("collection", collection).With("break", r.stop).With("continue", r.skip)
	for i, t := range turns {
		if err := s.step(l.At, turnSteps); err != nil {
			return matches{}, err
		}
		inner := s.withItem(t.item).With("item", t.item).With("index", value.Int(int64(i))).With("key", t.key)
		more, err := r.turn(t.item, inner)
		if err != nil {
			return matches{}, err
		}
		if !more {
			break
		}
	}
	if r.keyed != nil {
		return matches{[]value.Value{value.FromMap(r.keyed)}, r.out.chosen}, nil
	}
	return r.out, nil
}

// signals reports whether the body may return $break or $continue. Then each result decides
// which items there are, whether or not it is one of them.
func (l *loop) signals() bool {
	found := false
	for _, n := range present(l.key, l.value) {
		Walk(n, func(n Node) bool {
			if p, ok := n.(*Path); ok && p.Segments[0].Kind == VarKey {
				found = found || p.Segments[0].Key == "break" || p.Segments[0].Key == "continue"
			}
			return !found
		})
	}
	return found
}

// signal returns a value that is equal only to itself.
func signal(name string) value.Value {
	return value.FromFunc(&value.Func{Name: name, Call: func(value.Args) (value.Value, error) {
		return value.Null, errors.New(name + " is not a function")
	}})
}

// A loopRun collects the results of one run of a loop.
type loopRun struct {
	*loop
	stop, skip value.Value
	signals    bool // see [loop.signals]
	all        bool
	keyed      *value.Dict
	out        matches // chosen has the marks of the keys too, which cannot have any
}

// turn evaluates the body for an item and adds the results. It returns false after $break.
func (r *loopRun) turn(item value.Value, s *Scope) (more bool, err error) {
	m := matches{found: []value.Value{item}}
	if r.loop.value != nil {
		if m, err = matchesOf(r.loop.value, s); err != nil {
			return false, err
		}
	}
	found := m.found
	r.out.chosen |= m.chosen
	if len(found) == 0 {
		return true, nil
	}
	for i, v := range found {
		if r.signals {
			s.decided(v.Marks())
			r.out.chosen |= v.Marks()
		}
		if r.is(v, r.stop) {
			return false, nil
		}
		if r.is(v, r.skip) || IsOmit(v) {
			return true, nil
		}
		found[i] = plain(v)
	}
	if r.keyed != nil {
		return r.enter(One(found), s)
	}
	if !r.all {
		found = []value.Value{One(found)}
	}
	r.out.found = append(r.out.found, found...)
	return true, nil
}

func (r *loopRun) is(v, signal value.Value) bool { return v.Func() != nil && v.Func() == signal.Func() }

// enter adds an entry to the map that a loop with a key builds.
func (r *loopRun) enter(v value.Value, s *Scope) (more bool, err error) {
	m, err := matchesOf(r.loop.key, s)
	k := plain(m.one())
	r.out.chosen |= k.Marks()
	if err != nil || len(m.found) == 0 {
		return true, err
	}
	switch {
	case r.is(k, r.stop):
		return false, nil
	case r.is(k, r.skip):
		return true, nil
	}
	key, err := value.KeyFor(k)
	if err != nil {
		return false, source.Errorf(r.loop.key.Span(), source.BadKey, "%s", err)
	}
	r.keyed.Set(key, v)
	return true, nil
}

// overCurrent evaluates the function "foreach": over the entries of the current map, the
// items of a list, or only the current value.
func (l *loop) overCurrent(s *Scope) (value.Value, error) {
	if !s.Self.Is(value.MapKind) {
		items, err := l.run(matches{found: []value.Value{s.Self}}, s, false)
		return value.ListOf(items.found...).Mark(items.chosen), err
	}
	var turns []each
	for k, name := range value.KeyValues(s.Self.Map()) {
		v, ok, err := s.Self.Map().Get(k)
		if err != nil {
			return value.Null, located(l.At, source.BadValue, err, 0)
		}
		if ok {
			turns = append(turns, each{name, v.Mark(s.Self.Marks())})
		}
	}
	items, err := l.over(turns, s.Self, s, false)
	return value.ListOf(items.found...).Mark(items.chosen), err
}
