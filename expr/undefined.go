package expr

import (
	"errors"
	"fmt"
	"iter"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// missing is the reason of an undefined value. The diagnostic is made when somebody
// wants it, since the search for a near miss is wasted if "default" catches it.
type missing struct {
	explain func() *source.Diagnostic
	made    *source.Diagnostic
	soft    bool // written as an empty text
}

func undefined(explain func() *source.Diagnostic) value.Value {
	return value.Undefined(&missing{explain: explain})
}

// Soft reports whether v is undefined only because an inline "if" without "else" did
// not hold. Templates write it as an empty text: {{ ", " if not loop.last }}.
func Soft(v value.Value) bool {
	m, ok := v.Reason().(*missing)
	return ok && m.soft
}

func (m *missing) diagnostic() *source.Diagnostic {
	if m.made == nil {
		m.made = m.explain()
		if quotesSecret(m.made) {
			m.made = concealedIn(m.made)
		}
	}
	return m.made
}

// Error returns the text of the diagnostic.
func (m *missing) Error() string { return m.diagnostic().Error() }

// Unwrap returns the diagnostic.
func (m *missing) Unwrap() error { return m.diagnostic() }

// Raise returns the error of using v: nil unless v is undefined.
func Raise(v value.Value) error {
	if !v.Is(value.UndefinedKind) {
		return nil
	}
	var d *source.Diagnostic
	if errors.As(v.Reason(), &d) {
		return d
	}
	if err := v.Reason(); err != nil {
		return source.Errorf(source.Span{}, source.Undefined, "%s", err)
	}
	return source.Errorf(source.Span{}, source.Undefined, "the value is undefined")
}

// undefinedName is the value of a name that nobody knows.
func undefinedName(n *Name, s *Scope) value.Value {
	return undefined(func() *source.Diagnostic {
		d := source.Errorf(n.At, source.Undefined, "%q is undefined", n.Name)
		return d.DidYouMean(n.Name, s.visibleNames())
	})
}

func (s *Scope) visibleNames() iter.Seq[string] {
	return func(yield func(string) bool) {
		for name := range s.varNames() {
			if !yield(name) {
				return
			}
		}
		for _, name := range append(s.Env.GlobalNames(), "SELF", "ROOT", "lookup", "query", "range", "dict") {
			if !yield(name) {
				return
			}
		}
	}
}

// undefinedKey is the value of a key or attribute that x does not have.
func undefinedKey(at source.Span, x Node, of value.Value, key string) value.Value {
	return undefined(func() *source.Diagnostic {
		d := source.Errorf(at, source.Undefined, "no such key %q%s", key, whose(x, of))
		if of.Is(value.MapKind) && of.Marks() == 0 {
			return d.DidYouMean(key, value.KeyTexts(of.Map()))
		}
		return d
	})
}

// whose says whose key is missing, as far as the expression has a name for it.
func whose(x Node, of value.Value) string {
	name := nodeName(x)
	switch {
	case name != "" && of.Is(value.MapKind):
		return " in " + name
	case name != "":
		return fmt.Sprintf(" in %s, which is %s", name, value.Article(of.Kind()))
	case !of.Is(value.MapKind):
		return " in " + value.Article(of.Kind())
	}
	return ""
}

// nodeName writes a chain of names, keys and indexes as in the source.
func nodeName(n Node) string {
	switch n := n.(type) {
	case *Name:
		return n.Name
	case *Select:
		if x := nodeName(n.X); x != "" {
			return x + "." + n.Name
		}
	case *Index:
		x, lit := nodeName(n.X), (*Lit)(nil)
		if l, ok := n.Key.(*Lit); ok {
			lit = l
		}
		if x != "" && lit != nil && lit.Value.IsScalar() {
			if text, err := value.Repr(lit.Value); err == nil {
				return x + "[" + text + "]"
			}
		}
	}
	return ""
}
