package expr

import (
	"slices"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// An Injector looks up keys in bindings outside of the document (spec: bindings, section 9).
type Injector interface {
	// Inject calls inject, optionally_inject or lookup. The named arguments are type, merge and
	// default.
	Inject(c Injection) (value.Value, error)
}

// An Injection is a call of a function of an [Injector].
type Injection struct {
	Function string
	At       source.Span
	Args     []value.Value
	Named    []value.Named
}

// injectors are the functions that only bindings answer: they are never plugins.
var injectors = []string{"inject", "optionally_inject"}

// inject calls a function of the bindings of the document.
//
// Code: injection-not-allowed without bindings.
func (s *Scope) inject(c Injection) (value.Value, error) {
	in := s.Env.Options().Injector
	if in == nil {
		return value.Null, source.Errorf(c.At, source.InjectionNotAllowed, "%s() cannot be used here: the document has no bindings", c.Function).
			WithHint("--bindings SOURCE gives it bindings")
	}
	args := value.Args{Pos: c.Args, Named: c.Named}
	for _, v := range append(slices.Clone(c.Args), optionValues(c.Named)...) {
		if err := Raise(v); err != nil {
			return value.Null, err
		}
	}
	v, err := in.Inject(c)
	if err != nil {
		return value.Null, located(c.At, source.NotFound, err, s.quotable(args)|s.BaseMarks)
	}
	v = plain(v).Mark(argMarks(args) | s.BaseMarks)
	s.touch(v.Marks())
	return v, nil
}

// injectFunc returns the template function of a name that only bindings answer, or nil.
func (s *Scope) injectFunc(name string) *value.Func {
	if !slices.Contains(injectors, name) {
		return nil
	}
	return &value.Func{Name: name, Call: func(args value.Args) (value.Value, error) {
		return s.inject(Injection{Function: name, Args: args.Pos, Named: args.Named})
	}}
}

// bound reports whether the first argument of lookup names a binding: every text that is no
// plugin does, and a list of names, where the document has bindings.
func (s *Scope) bound(args []value.Value) bool {
	if s.Env.Options().Injector == nil || len(args) == 0 {
		return false
	}
	if args[0].Is(value.StringKind) {
		_, plugin := lookups().find(pluginName(args[0].Str()))
		return !plugin
	}
	return args[0].Is(value.ListKind)
}

// injected evaluates {lookup: NAME, type: T, merge: M, default: V}.
func (c *funcCall) injected(arg value.Value, s *Scope) (value.Value, error) {
	in := Injection{Function: "lookup", At: c.At, Args: []value.Value{arg}}
	for _, key := range []string{"type", "merge", "default"} {
		if !slices.ContainsFunc(c.kwargs, func(a Arg) bool { return a.Name == key }) {
			continue
		}
		v, err := c.kw(key, s)
		if err != nil {
			return value.Null, err
		}
		in.Named = append(in.Named, value.Named{Name: key, Value: v})
	}
	return s.inject(in)
}
