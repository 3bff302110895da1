package expr

import (
	"iter"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Scope is where an expression stands: the map around it and the variables it
// sees. Scopes are immutable chains; [Scope.With] makes an inner one.
type Scope struct {
	Env  Env
	Self value.Value // the current map: SELF, and where relative paths start
	Base string      // base directory of relative file names; "" is the document's

	BaseMarks value.Marks // of what Base was computed from

	vars   *binding
	taint  *value.Marks
	item   bool // Self is an item of foreach or select: relative paths do not look above it
	strict strictness
}

type strictness uint8

const (
	strictByOption strictness = iota
	strictOn
	strictOff
)

// A binding is one variable. Its value may be computed on first use.
type binding struct {
	name  string
	value value.Value
	lazy  *lazy
	next  *binding
}

// NewScope returns the outermost scope of an expression.
func NewScope(env Env, self value.Value) *Scope { return &Scope{Env: env, Self: self} }

// enter counts one level of nested evaluation; the caller must call Env.Leave.
func (s *Scope) enter(at source.Span) error {
	if err := s.Env.Enter(); err != nil {
		return located(at, source.Limit, err, 0)
	}
	return nil
}

// step counts work at a place.
func (s *Scope) step(at source.Span, n int) error {
	if err := s.Env.Step(n); err != nil {
		return located(at, source.Limit, err, 0)
	}
	return nil
}

// With returns a scope that also sees name as v.
func (s *Scope) With(name string, v value.Value) *Scope {
	inner := *s
	inner.vars = &binding{name: name, value: v, next: s.vars}
	return &inner
}

// withLazy returns a scope that also sees name as what compute returns. It is
// called at most once, when the variable is read.
func (s *Scope) withLazy(name string, compute func() (value.Value, error)) *Scope {
	inner := *s
	inner.vars = &binding{name: name, lazy: &lazy{compute: compute}, next: s.vars}
	return &inner
}

// withSelf returns a scope whose current map is self.
func (s *Scope) withSelf(self value.Value) *Scope {
	inner := *s
	inner.Self = self
	inner.item = false
	return &inner
}

// withItem returns a scope whose current value is an item of a loop.
func (s *Scope) withItem(item value.Value) *Scope {
	inner := *s
	inner.Self = item
	inner.item = true
	return &inner
}

// withStrict returns a scope in which undefined names are errors, or are not.
func (s *Scope) withStrict(on bool) *Scope {
	inner := *s
	inner.strict = strictOff
	if on {
		inner.strict = strictOn
	}
	return &inner
}

// Lenient reports whether undefined names stay as text in templates: an expression
// object may say so for itself (spec: expressions, section 4, "strict").
func (s *Scope) Lenient() bool {
	if s.strict == strictByOption {
		return s.Env.Options().Lenient
	}
	return s.strict == strictOff
}

// Var returns a variable, and false if there is none of that name.
func (s *Scope) Var(name string) (value.Value, bool, error) {
	for b := s.vars; b != nil; b = b.next {
		if b.name == name {
			v, err := b.get()
			s.touch(v.Marks())
			return v, true, err
		}
	}
	return value.Null, false, nil
}

func (s *Scope) hasVar(name string) bool {
	for b := s.vars; b != nil; b = b.next {
		if b.name == name {
			return true
		}
	}
	return false
}

// varNames yields the names of the variables, innermost first, each once.
func (s *Scope) varNames() iter.Seq[string] {
	return func(yield func(string) bool) {
		seen := map[string]bool{}
		for b := s.vars; b != nil; b = b.next {
			if seen[b.name] {
				continue
			}
			seen[b.name] = true
			if !yield(b.name) {
				return
			}
		}
	}
}

// Tainted returns a scope that collects in marks the marks of every value that an
// expression in it looks at (spec: expressions, section 6).
func (s *Scope) Tainted(marks *value.Marks) *Scope {
	inner := *s
	inner.taint = marks
	return &inner
}

// touch records that a value with these marks was looked at.
func (s *Scope) touch(m value.Marks) {
	if s.taint != nil {
		*s.taint |= m
	}
}

func (b *binding) get() (value.Value, error) {
	if b.lazy != nil {
		return b.lazy.get()
	}
	return b.value, nil
}

// A lazy is a value that is computed when it is first asked for. A lazy that
// needs itself is a cycle.
type lazy struct {
	compute func() (value.Value, error)
	busy    bool
	done    bool
	val     value.Value
	err     error
}

// get returns the value.
func (l *lazy) get() (value.Value, error) {
	if l.done {
		return l.val, l.err
	}
	if l.busy {
		return value.Null, errSelfReference
	}
	l.busy = true
	l.val, l.err = l.compute()
	l.busy, l.done, l.compute = false, true, nil
	return l.val, l.err
}
