package yay

import (
	"iter"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A site is a place where expressions are evaluated: what they see around them.
type site graph.Place

func (s *site) place() *graph.Place { return (*graph.Place)(s) }

// Lookup returns what a bare name means: the nearest mapping, a name that an
// enclosing directive or block binds, a key of the finished document, a class of the
// host (spec: yay, section 6.3).
func (s *site) Lookup(name string) (value.Value, bool, error) {
	if name == "here" {
		return s.place().Here()
	}
	if v, ok, err := s.Frame.Lookup(name); ok || err != nil {
		return v, ok, err
	}
	e := s.place().Eval()
	if v, ok, err := e.Lookup(name); ok || err != nil {
		return v, ok, err
	}
	if v, ok, err := e.Root().Named(name); ok || err != nil {
		return v, ok, err
	}
	if s.isGuest() {
		if v, ok, err := e.FileRoot(s.Origin).Named(name); ok || err != nil {
			return v, ok, err
		}
	}
	return s.runtime().class(name)
}

// isGuest reports whether the file was included by one of another language, where
// its keys may lie anywhere.
func (s *site) isGuest() bool {
	o := s.Origin
	return o.Outer != nil && o.Outer.Doc.Lang != Language
}

func (s *site) runtime() *Runtime { return s.place().Eval().User.(Host).YayRuntime() }

// Missing returns the error of a name that means nothing.
func (s *site) Missing(n *expr.Name) error {
	d := source.Errorf(n.At, source.NoMatching, "could not find %q", n.Name)
	if here, ok, err := s.place().Here(); ok && err == nil {
		if _, sibling, err := here.Map().Get(value.K(n.Name)); sibling && err == nil {
			return d.WithHint("did you mean here.%s?", n.Name)
		}
	}
	if hint := foreignName(n.Name); hint != "" {
		return d.WithHint("%s", hint)
	}
	return d.DidYouMean(n.Name, s.names())
}

// names yields the names that an expression can use, innermost first.
func (s *site) names() iter.Seq[string] {
	e := s.place().Eval()
	return func(yield func(string) bool) {
		for _, some := range [][]string{s.Frame.Names(), e.Names(), e.Root().TextKeys(), s.runtime().classNames(), builtinNames()} {
			for _, name := range some {
				if !yield(name) {
					return
				}
			}
		}
	}
}

// Call calls a macro with arguments that are worked out where the call stands.
func (s *site) Call(at source.Span, callee value.Value, args []argument) (value.Value, error) {
	def, err := definitionOf(callee, macroKind, at, "call")
	if err != nil {
		return value.Null, err
	}
	n := &graph.Instance{At: at, Def: def, Args: argumentMap(at, args)}
	v, ok, err := n.Value(s.place())
	if err == nil && !ok {
		v = value.FromMap(value.NewMap(0))
	}
	return v, err
}

func argumentMap(at source.Span, args []argument) graph.Node {
	if len(args) == 0 {
		return nil
	}
	m := graph.Map{At: at, Entries: make([]graph.Entry, len(args))}
	for i, a := range args {
		m.Entries[i] = graph.Entry{Key: value.K(a.Name), KeyAt: a.At, Node: &graph.Computed{At: a.At, Thunk: argumentThunk{a}}}
	}
	return graph.NewMap(m)
}

// An argumentThunk is an argument of a call in an expression.
type argumentThunk struct{ argument }

// Eval evaluates the argument where the call stands.
func (t argumentThunk) Eval(*graph.Place) (value.Value, error) { return t.Value() }

// Raw returns nothing: arguments are not part of the document.
func (t argumentThunk) Raw() value.Value { return value.Null }

// Soft is false.
func (t argumentThunk) Soft() bool { return false }

// Step counts work.
func (s *site) Step(n int) error { return s.place().Eval().Step(n) }

// Enter counts a level of nesting.
func (s *site) Enter() error { return s.place().Eval().Enter() }

// Leave ends a level.
func (s *site) Leave() { s.place().Eval().Leave() }

// MaxText returns how many bytes one text may have.
func (s *site) MaxText() int { return s.place().Eval().Limits().Output }
