package config

import (
	"context"
	"errors"
	"sync"

	"github.com/yaytpl/yaytpl/graph"
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

// instance returns an instance of a class, which must be registered, at p. The
// parameters are a map of the evaluation that p belongs to.
func (s *instances) instance(p *graph.Place, class string, params value.Value) value.Map {
	path := p.Cell.Path()
	return &instance{
		all: s, eval: p.Eval(), task: s.taskOf(p.Eval()), class: class,
		id: path.String() + " " + p.At.String(), path: path, at: p.At, params: params,
	}
}

// members returns what the class adds to the parameters.
func (in *instance) members() (value.Map, error) {
	return in.all.members(in.task, in)
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
