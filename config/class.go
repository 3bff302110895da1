package config

import (
	"context"
	"errors"
	"iter"
	"maps"
	"slices"
	"sync"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/frontend"
	"github.com/yaytpl/yaytpl/internal/godata"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Class is a native class: code of the program that a configuration makes instances
// of (spec: yay, section 10.4). The instance is a map with the parameters that it was
// given and the members that the class returns for them: maps, slices, texts, numbers
// and what else [Config.Add] takes.
//
// A class is applied at most once for each instance, and only when a key that is no
// parameter is asked for, or all keys are; after another layer is loaded, the
// configuration is another one, and so are its instances. Classes may be applied at
// the same time. What they need of the configuration, other instances too, they are
// given in params, which is of no use once they have returned; to use the Config
// itself there would wait for itself.
//
// A class that panics does so in the goroutine that needed it first; where it was applied
// ahead of that, and to others, it is an error.
//
// The context is that of [NewConfig].
type Class func(ctx context.Context, params Node) (members map[string]any, err error)

// An instance is what an instance of a native class is to one evaluation: a map whose
// members are worked out when they are needed.
type instance struct {
	all    *instances
	eval   *graph.Eval
	task   *task
	class  string
	id     string     // the same in every evaluation of a revision
	path   value.Path // where it lies
	at     source.Span
	params value.Value // a map
}

// apply applies the class.
func (in *instance) apply(ctx context.Context) (value.Map, error) {
	if err := ctx.Err(); err != nil {
		return nil, ended(err)
	}
	p := &params{of: in}
	defer p.close()
	out, err := in.all.classes[in.class](ctx, Node{in: p})
	if err != nil {
		return nil, in.failure(err)
	}
	return membersOf(out, in), nil
}

// failure returns the error of a class as a finding about its instance.
func (in *instance) failure(err error) error {
	switch err := err.(type) {
	case *source.Diagnostic:
		return inside(err).Note(in.at, "the class %s needs it", in.class)
	case *source.Errors:
		all := make([]*source.Diagnostic, len(err.Diagnostics))
		for i, d := range err.Diagnostics {
			all[i] = inside(d)
		}
		return source.OneOrMany(all)
	}
	d := source.Errorf(in.at, source.BadValue, "%s of class %s: %s", in.path, in.class, err)
	if !errors.Is(err, NoMatching) {
		d.Cause = err
	}
	return d
}

func ended(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return source.Errorf(source.Span{}, source.Timeout, "time is up")
	}
	return err
}

// params are the parameters of an instance while its class is applied. The class may
// look at them from several goroutines.
type params struct {
	of     *instance
	mu     sync.Mutex
	closed bool
}

// look implements [tree].
func (p *params) look(f func(view) error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return source.Errorf(p.of.at, source.Usage, "the parameters of %s are used after its class was applied", p.of.path)
	}
	return f(view{root: p.of.params, at: graph.CellOf(p.of.params), eval: p.of.eval})
}

func (p *params) path(below value.Path) string {
	return append(p.of.path[:len(p.of.path):len(p.of.path)], below...).String()
}

func (p *params) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
}

// A nativeClass is a class of the program as the languages use it.
type nativeClass struct {
	instances *instances
	name      string
}

// Instance implements [frontend.Class].
func (c nativeClass) Instance(p *graph.Place, params value.Value) value.Map {
	s := c.instances
	s.mu.Lock()
	t := s.tasks[p.Eval()]
	s.mu.Unlock()
	path := p.Cell.Path()
	return &instance{
		all: s, eval: p.Eval(), task: t, class: c.name,
		id: path.String() + " " + p.At.String(), path: path, at: p.At, params: params,
	}
}

// native returns the classes for the evaluations of a revision, by name.
func (s *instances) native() map[string]frontend.Class {
	classes := make(map[string]frontend.Class, len(s.classes))
	for name := range s.classes {
		classes[name] = nativeClass{s, name}
	}
	return classes
}

// Keys implements [value.Map]: the parameters, then the other members or, if these
// cannot be had, [value.UnknownKey].
func (in *instance) Keys() iter.Seq[value.Key] {
	return func(yield func(value.Key) bool) {
		for k := range in.params.Map().Keys() {
			if !yield(k) {
				return
			}
		}
		m, err := in.members()
		switch {
		case err == errPending:
			return
		case err != nil:
			yield(value.UnknownKey)
			return
		}
		for k := range m.Keys() {
			if _, given, err := in.params.Map().Get(k); !given && err == nil && !yield(k) {
				return
			}
		}
	}
}

// Len implements [value.Map].
func (in *instance) Len() int {
	n := 0
	for range in.Keys() {
		n++
	}
	return n
}

// Get implements [value.Map].
func (in *instance) Get(k value.Key) (value.Value, bool, error) {
	if k != value.UnknownKey {
		if v, ok, err := in.params.Map().Get(k); ok || err != nil {
			return v, ok, err
		}
	}
	m, err := in.members()
	if err != nil {
		return value.Null, false, err
	}
	return m.Get(k)
}

// members are the members of an instance, in the order of their keys. Each is
// converted for itself: one that a configuration cannot hold fails when it is asked
// for.
type members struct {
	keys []value.Key
	vals map[value.Key]member
}

type member struct {
	val value.Value
	err error
}

func membersOf(data map[string]any, in *instance) *members {
	m := &members{vals: make(map[value.Key]member, len(data))}
	for _, name := range slices.Sorted(maps.Keys(data)) {
		v, err := godata.ToValue(data[name])
		if err != nil {
			err = source.Errorf(in.at, source.WrongType, "the member %s of class %s: %s", name, in.class, source.AsDiagnostic(err, in.at, source.WrongType).Message)
		}
		k := value.K(name)
		m.keys = append(m.keys, k)
		m.vals[k] = member{v, err}
	}
	return m
}

// Len implements [value.Map].
func (m *members) Len() int { return len(m.keys) }

// Keys implements [value.Map].
func (m *members) Keys() iter.Seq[value.Key] { return slices.Values(m.keys) }

// Get implements [value.Map].
func (m *members) Get(k value.Key) (value.Value, bool, error) {
	v, ok := m.vals[k]
	return v.val, ok, v.err
}
