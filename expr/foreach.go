package expr

import (
	"errors"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A loop is the body of "select" or "foreach". Without key and value it takes the
// items as they are; with a key it builds one map.
type loop struct {
	Place
	key, value Node
}

// loop compiles the body. False and null ask for nothing, true for the items.
func (c *compiler) loop(v value.Value, at Placer) (*loop, error) {
	l := &loop{Place: placeOf(at, v)}
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
		if isKeyedBody(v.Map()) {
			return l, c.keyedBody(l, v.Map(), at)
		}
	}
	var err error
	l.value, err = c.item(v, at)
	return l, err
}

func isKeyedBody(m value.Map) bool {
	for k := range m.Keys() {
		if k != value.K("key") && k != value.K("value") {
			return false
		}
	}
	return m.Len() > 0
}

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

// item compiles what is evaluated for each item: a text is an expression, anything
// else is data that may hold expressions.
func (c *compiler) item(v value.Value, at Placer) (Node, error) {
	if v.Is(value.StringKind) {
		return c.text(v, at)
	}
	return c.data(v, at)
}

// An each is one turn of a loop.
type each struct {
	key, item value.Value
}

// run evaluates the body for the results of an expression. If there is one result
// and it is a list, its items are taken. For "select" all matches of an item count;
// for "foreach" each item gives one value.
func (l *loop) run(found []value.Value, s *Scope, all bool) ([]value.Value, error) {
	collection := value.ListOf(found...)
	if len(found) == 1 && found[0].Is(value.ListKind) {
		collection = found[0]
	}
	turns := make([]each, 0, collection.List().Len())
	for item, err := range value.Items(collection.List()) {
		if err != nil {
			return nil, located(l.At, source.BadValue, err, 0)
		}
		turns = append(turns, each{value.Int(int64(len(turns))), item.Mark(collection.Marks())})
	}
	return l.over(turns, collection, s, all)
}

// turnSteps is what a turn costs at least: it is more work than a step of a path, and
// loops in loops should end soon.
const turnSteps = 20

func (l *loop) over(turns []each, collection value.Value, s *Scope, all bool) ([]value.Value, error) {
	r := loopRun{loop: l, stop: signal("$break"), skip: signal("$continue"), all: all}
	if l.key != nil {
		r.keyed = value.NewMap(len(turns))
	}
	s = s.With("collection", collection).With("break", r.stop).With("continue", r.skip)
	for i, t := range turns {
		if err := s.step(l.At, turnSteps); err != nil {
			return nil, err
		}
		inner := s.withItem(t.item).With("item", t.item).With("index", value.Int(int64(i))).With("key", t.key)
		more, err := r.turn(t.item, inner)
		if err != nil {
			return nil, err
		}
		if !more {
			break
		}
	}
	if r.keyed != nil {
		return []value.Value{value.FromMap(r.keyed).Mark(r.keyMarks)}, nil
	}
	return r.out, nil
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
	all        bool
	keyed      *value.Dict
	keyMarks   value.Marks // of the values that became keys, which have none
	out        []value.Value
}

func (r *loopRun) turn(item value.Value, s *Scope) (more bool, err error) {
	found := []value.Value{item}
	if r.loop.value != nil {
		if found, err = matchesOf(r.loop.value, s); err != nil {
			return false, err
		}
	}
	if len(found) == 0 {
		return true, nil
	}
	for i, v := range found {
		if r.is(v, r.stop) {
			return false, nil
		}
		if r.is(v, r.skip) {
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
	r.out = append(r.out, found...)
	return true, nil
}

func (r *loopRun) is(v, signal value.Value) bool { return v.Func() != nil && v.Func() == signal.Func() }

// enter adds an entry to the map that a loop with a key builds.
func (r *loopRun) enter(v value.Value, s *Scope) (more bool, err error) {
	found, err := matchesOf(r.loop.key, s)
	if err != nil || len(found) == 0 {
		return true, err
	}
	k := plain(One(found))
	switch {
	case r.is(k, r.stop):
		return false, nil
	case r.is(k, r.skip):
		return true, nil
	}
	key, ok := value.KeyOf(k)
	if !ok {
		return false, source.Errorf(r.loop.key.Span(), source.BadKey, "%s cannot be a key", value.Article(k.Kind()))
	}
	r.keyed.Set(key, v)
	r.keyMarks |= k.Marks()
	return true, nil
}

// overCurrent is "foreach" as a function: it takes the entries of the current map,
// or the items of a list, or the one value that there is.
func (l *loop) overCurrent(s *Scope) (value.Value, error) {
	if !s.Self.Is(value.MapKind) {
		items, err := l.run([]value.Value{s.Self}, s, false)
		return value.ListOf(items...), err
	}
	var turns []each
	for k := range s.Self.Map().Keys() {
		v, ok, err := s.Self.Map().Get(k)
		if err != nil {
			return value.Null, located(l.At, source.BadValue, err, 0)
		}
		if ok {
			turns = append(turns, each{k.Value(), v.Mark(s.Self.Marks())})
		}
	}
	items, err := l.over(turns, s.Self, s, false)
	return value.ListOf(items...), err
}
