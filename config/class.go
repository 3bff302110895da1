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

// A Class is a native class: Go code that a configuration makes instances of (spec: yay,
// section 10.4). An instance is a map of its parameters and of the members that the class
// returns for them, of any type that [Config.Add] takes:
//
//	web:                       params: image, size
//	    new Compute:           members: ip and others that Compute returns
//	        image: debian
//	        size: 2
//	url: http://{{ web.ip }}/
//
// A class is applied at most once for each instance, when a key that is not a parameter is
// needed, or all keys are. After a change of the configuration all instances are new. Classes
// may be applied at the same time.
//
// A class reads the configuration through params only: using the Config would be a deadlock.
// Values in params may need other instances. Params cannot be used after the class returned.
//
// A panic of a class is passed on to the goroutine that needed the instance first. For other
// goroutines, and if the class was applied ahead, it is an error.
//
// ctx is the context of [New].
type Class func(ctx context.Context, params Node) (members map[string]any, err error)

// An instance is the map of an instance of a native class in one evaluation. Its members are
// computed when they are needed.
type instance struct {
	all    *instances
	eval   *graph.Eval
	task   *task
	class  string
	id     string     // the same in every evaluation of a revision
	path   value.Path // of the instance in the document
	at     source.Span
	params value.Value // a map
}

// apply calls the class and returns the members.
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

// failure converts the error of a class to a finding about its instance. A finding that the
// class got from params keeps its place.
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

// ended returns the error of a context that is done, with code timeout for a deadline.
func ended(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return source.Errorf(source.Span{}, source.Timeout, "time is up")
	}
	return err
}

// params is the tree of the parameters of an instance while its class is applied. The class may
// use several goroutines: they hold a lock.
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

func (p *params) path(below string) string { return under(p.of.path.String(), below) }

func (p *params) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
}

// A nativeClass adapts a registered class to package frontend.
type nativeClass struct {
	instances *instances
	name      string
}

// Instance implements [frontend.Class]: it returns an instance at p. params is a map of the
// evaluation of p.
func (c nativeClass) Instance(p *graph.Context, params value.Value) value.Map {
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

// native returns all classes by name, for an evaluation of the revision.
func (s *instances) native() map[string]frontend.Class {
	classes := make(map[string]frontend.Class, len(s.classes))
	for name := range s.classes {
		classes[name] = nativeClass{s, name}
	}
	return classes
}

// Keys implements [value.Map]: it yields the parameters, then the members that are not
// parameters, or [value.UnknownKey] if the class fails.
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

// members is the map of the members of an instance, with sorted keys. A member that cannot be
// converted fails when it is asked for, and the others remain usable.
type members struct {
	keys []value.Key
	vals map[value.Key]member
}

type member struct {
	val value.Value
	err error
}

// membersOf converts the members that the class of in returned.
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
