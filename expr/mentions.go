package expr

import (
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Mention is a key of a document that an expression names: the keys "web" and "port" of
// {{ web.port }}, "port" of the path ::web::port (spec: everyday, A5).
type Mention struct {
	At   source.Span // the key as it is written, in quotes in x['port'] and in data
	Form Form
	From Root
	Keys []string // the keys from there to this one, which is the last; AnyKey for a "*"
}

// AnyKey is the key of a [Mention] that matches every key.
const AnyKey = "\x00*"

// A Form says how a key is written.
type Form uint8

// The forms.
const (
	FormName      Form = iota // a name: port, web.port
	FormSegment               // a segment of a path
	FormQuoted                // a text: web['port']
	FormPointer               // a segment of a pointer: +/web/port
	FormText                  // any other text, such as map(attribute='port'), which may be a key
	FormDirective             // a text of a directive that names keys: +private: [port]
)

// A Root says where the keys of a [Mention] begin.
type Root uint8

// The roots.
const (
	RootName    Root = iota // a bare name, which each language looks up in its own way
	RootDoc                 // the document
	RootSelf                // the current map
	RootNearest             // the nearest map around with the first key, the current one included
	RootUnknown             // a value that is only known after evaluation, such as an item
)

// Mentions calls visit for each key of a document that n names. Names for which bound is true
// are variables. Templates in n, which package template parses, are passed to text.
func Mentions(n Node, bound func(name string) bool, visit func(Mention), text func(t *Template, bound func(string) bool)) {
	m := mentions{bound: bound, visit: visit, text: text}
	m.walk(n)
}

type mentions struct {
	bound func(string) bool
	visit func(Mention)
	text  func(*Template, func(string) bool)
}

// walk visits the keys of n.
func (m mentions) walk(n Node) {
	Walk(n, func(n Node) bool {
		switch n := n.(type) {
		case *Name, *Select, *Index:
			m.chain(n)
			return false
		case *For:
			m.comprehension(n)
			return false
		case *Object:
			m.object(n)
			return false
		case *Path:
			m.path(n)
			return false
		case *Template:
			m.text(n, m.bound)
		case *Lit:
			if n.Value.Is(value.StringKind) {
				m.visit(Mention{At: n.At, Form: FormText, From: RootUnknown, Keys: []string{n.Value.Str()}})
			}
		}
		return true
	})
}

// chain visits the keys of a name with attributes and items, and returns where they begin and
// the keys. from is RootUnknown for keys of a value that is only known after evaluation.
func (m mentions) chain(n Node) (from Root, keys []string) {
	switch n := n.(type) {
	case *Name:
		switch {
		case m.bound(n.Name):
			return RootUnknown, nil
		case n.Name == "SELF":
			return RootSelf, nil
		case n.Name == "ROOT":
			return RootDoc, nil
		}
		keys = []string{n.Name}
		m.visit(Mention{At: n.At, Form: FormName, From: RootName, Keys: keys})
		return RootName, keys
	case *Select:
		from, keys = m.chain(n.X)
		keys = append(slices.Clip(keys), n.Name)
		m.visit(Mention{At: n.NameAt, Form: FormName, From: from, Keys: keys})
		return from, keys
	case *Index:
		from, keys = m.chain(n.X)
		lit, ok := n.Key.(*Lit)
		if !ok {
			m.walk(n.Key)
			return from, append(slices.Clip(keys), AnyKey)
		}
		k, isKey := value.KeyOf(lit.Value)
		if !isKey {
			return RootUnknown, nil
		}
		keys = append(slices.Clip(keys), k.Text)
		if lit.Value.Is(value.StringKind) {
			m.visit(Mention{At: lit.At, Form: FormQuoted, From: from, Keys: keys})
		}
		return from, keys
	}
	m.walk(n)
	return RootUnknown, nil
}

// with returns m with more bound names.
func (m mentions) with(names []string) mentions {
	outer := m.bound
	m.bound = func(name string) bool { return slices.Contains(names, name) || outer(name) }
	return m
}

// comprehension visits the keys of a comprehension.
func (m mentions) comprehension(n *For) {
	var names []string
	for _, c := range n.Clauses {
		m.with(names).walk(c.In)
		names = append(names, c.Names...)
		for _, test := range c.Ifs {
			m.with(names).walk(test)
		}
	}
	for _, part := range present(n.Key, n.Item) {
		m.with(names).walk(part)
	}
}

// object visits the keys of an expression object.
func (m mentions) object(n *Object) {
	var names []string
	for _, v := range n.vars {
		m.walk(v.value)
		names = append(names, v.name)
	}
	inner := m.with(names)
	for _, part := range present(n.Body, n.trace, n.strict, n.baseDir) {
		inner.walk(part)
	}
	item := inner.with([]string{"item", "index", "key"})
	for _, l := range []*loop{n.sel, n.each} {
		if l != nil {
			for _, part := range present(l.key, l.value) {
				item.walk(part)
			}
		}
	}
}

// path visits the keys of a path, and of its conditions.
func (m mentions) path(n *Path) {
	segments, from := n.Segments, RootNearest
	var keys []string
	switch first := segments[0]; {
	case n.absolute():
		segments, from = segments[1:], RootDoc
	case first.Kind == VarKey:
		segments, from = segments[1:], RootUnknown
	case first.empty():
		segments, from = segments[1:], RootSelf
	case m.bound("item"):
		from = RootUnknown
	}
	for _, s := range segments {
		switch s.Kind {
		case NameKey:
			if strings.HasPrefix(s.Key, ".") { // .parent and others
				from, keys = RootUnknown, nil
				break
			}
			keys = append(slices.Clip(keys), s.Key)
			m.visit(Mention{At: s.keyAt(), Form: FormSegment, From: from, Keys: keys})
		case StarKey, VarKey:
			keys = append(slices.Clip(keys), AnyKey)
		case IndexKey:
			keys = append(slices.Clip(keys), s.Key)
		}
		for _, f := range s.Filters {
			m.with([]string{"item"}).path(f.Path)
		}
	}
}

// keyAt returns the place of the key of a segment.
func (s *Segment) keyAt() source.Span {
	text := s.At.Text()
	i := strings.Index(text, s.Key)
	if i < 0 {
		return s.At
	}
	return s.At.Sub(i, i+len(s.Key))
}
