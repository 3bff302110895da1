package mcl

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/lang/mcl/library"
	"github.com/yaytpl/yaytpl/lang/mcl/syntax"
	"github.com/yaytpl/yaytpl/source"
)

// unused returns the errors of binds of the main file that nothing uses, as warnings: the program runs
// without them (spec: mcl, section 5). Their names are resolved and their types inferred as far as that
// goes; parts whose types stay open are no error. A cycle is an error all the same: it has no meaning
// that the program could do without.
func unused(r *resolver, n *inference, m *module) ([]*source.Diagnostic, error) {
	var all []*source.Diagnostic
	said := map[source.Span]bool{}
	in := n.module(m)
	for _, sym := range r.binds {
		if sym.state != fresh || sym.scope.unit != m.unit {
			continue
		}
		err := r.symbol(sym)
		if err == nil {
			in = n.grown(in)
			_, err = n.bind(in, sym)
		}
		for _, d := range source.Findings(err) {
			switch d.Code {
			case source.Limit:
				return all, nil
			case source.BindCycle:
				return nil, d
			}
			if said[d.At] {
				continue // of a bind or a function that this one uses
			}
			said[d.At] = true
			copied := *d
			copied.Severity = source.Warning
			all = append(all, copied.Note(sym.at, "$%s is not used, so the program runs without it", sym.name))
		}
	}
	return all, nil
}

// contradictions returns the errors of annotations that the literals after them contradict, anywhere in
// the files of a program: they are a part of its grammar, whether anything uses the binds or not (spec:
// mcl, section 4).
func (r *resolver) contradictions(m *module) error {
	found := m.tree.Contradictions()
	for _, name := range slices.Sorted(maps.Keys(r.modules)) {
		found = append(found, r.modules[name].tree.Contradictions()...)
	}
	if len(found) == 0 {
		return nil
	}
	return source.OneOrMany(found)
}

// grown gives an instance room for the symbols that were declared after its types were inferred.
func (n *inference) grown(in *instance) *instance {
	for len(in.terms) < in.unit.terms {
		in.terms, in.binds = append(in.terms, nil), append(in.binds, fresh)
	}
	for len(in.includes) < in.unit.includes {
		in.includes = append(in.includes, nil)
	}
	return in
}

// lint returns findings about the names of the main file: definitions and imports that nothing uses, binds
// that hide others, texts that were perhaps meant to have a value inserted, and kinds of resources that
// are nearly the fields of the schema.
func lint(r *resolver, m *module, schema Schema) []*source.Diagnostic {
	var all []*source.Diagnostic
	warn := func(at source.Span, format string, args ...any) *source.Diagnostic {
		d := source.Warnf(at, source.Suspicious, format, args...)
		all = append(all, d)
		return d
	}
	for _, sym := range r.binds {
		if sym.scope.mod != m {
			continue
		}
		if sym.state == fresh {
			warn(sym.at, "$%s is not used", sym.name)
		}
		for s := sym.scope.up; s != nil; s = s.up {
			if outer := s.vars[sym.name]; outer != nil {
				warn(sym.at, "$%s hides another variable of this name", sym.name).Note(outer.at, "the other one is bound here")
				break
			}
		}
	}
	for _, f := range m.scope.funcs {
		if f.state == fresh {
			warn(f.unit.at, "the function %s is not used", f.unit.name)
		}
	}
	for _, c := range m.scope.classes {
		if c.state == fresh && !c.declared {
			warn(c.unit.at, "the class %s is not included", c.unit.name)
		}
	}
	said := mentions(m)
	for _, st := range said.imports {
		if !said.uses(st, m) {
			warn(st.Path.At, "the import of %q is not used", syntax.Shown(st.Path.At, st.Path.Text))
		}
	}
	for _, kind := range said.kinds {
		if _, known := schema[kind.Text]; known {
			continue
		}
		if near := source.Suggest(kind.Text, maps.Keys(schema)); near != "" {
			warn(kind.At, "the schema has no kind %s", kind.Text).WithHint("did you mean %q?", near)
		}
	}
	for _, e := range said.texts {
		if name := said.dollar(e); name != "" && !e.At.File.Secret {
			warn(e.At, "$%s is a variable, but is not inserted here", name).WithHint("\"${%s}\" inserts it", name)
		}
	}
	slices.SortFunc(all, func(a, b *source.Diagnostic) int { return cmp.Compare(a.At.Start, b.At.Start) })
	return all
}

// said is what the text of a file mentions, used or not.
type said struct {
	imports  []*syntax.Import
	texts    []*syntax.Str
	kinds    []syntax.Word   // of resources
	binds    map[string]bool // names of variables that it defines
	names    map[string]bool // names without a prefix: of variables with their "$", functions and classes
	prefixes map[string]bool
}

// mentions collects what a file mentions.
func mentions(m *module) *said {
	s := &said{binds: map[string]bool{}, names: map[string]bool{}, prefixes: map[string]bool{}}
	name := func(dollar, text string) {
		if prefix, _, dotted := strings.Cut(text, "."); dotted {
			s.prefixes[prefix] = true
		} else {
			s.names[dollar+text] = true
		}
	}
	named := map[syntax.Expr]bool{} // names of resources, about which warnDollar warns
	visit := func(e syntax.Expr) bool {
		switch e := e.(type) {
		case *syntax.Var:
			name("$", e.Name)
		case *syntax.History:
			name("$", e.Name)
		case *syntax.Call:
			name("", e.Name.Text)
		case *syntax.Str:
			if !named[e] && !strings.Contains(e.At.Text(), "{{") {
				s.texts = append(s.texts, e)
			}
		}
		return true
	}
	syntax.WalkBlock(&m.tree.Body, func(st syntax.Stmt) bool {
		switch st := st.(type) {
		case *syntax.Import:
			s.imports = append(s.imports, st)
		case *syntax.Include:
			name("", st.Name.Text)
		case *syntax.Resource:
			named[st.Name] = true
			s.kinds = append(s.kinds, st.Kind)
		case *syntax.Bind:
			s.binds[st.Name.Text] = true
		case *syntax.For:
			s.binds[st.Key.Text], s.binds[st.Value.Text] = true, true
		}
		for e := range syntax.Exprs(st) {
			syntax.Walk(e, visit)
		}
		return true
	})
	return s
}

// uses reports whether the text of a file mentions what one of its imports brings.
func (s *said) uses(st *syntax.Import, m *module) bool {
	switch st.As.Text {
	case "":
		return s.prefixes[prefixOf(st.Path.Text)]
	case "*":
	default:
		return s.prefixes[st.As.Text]
	}
	for _, star := range m.scope.stars {
		switch {
		case star.at != st.Span():
		case star.mod == nil:
			for name := range s.names {
				if library.Find(star.library+"."+name) != nil {
					return true
				}
			}
			return false
		}
	}
	return true
}

// dollar returns the name of a variable of the file that a text has with a dollar sign in front, "" for
// none: it is not inserted.
func (s *said) dollar(e *syntax.Str) string {
	for _, p := range e.Parts {
		for rest := p.Text; p.Ref == nil; {
			_, after, ok := strings.Cut(rest, "$")
			if !ok {
				break
			}
			end := strings.IndexFunc(after+" ", func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') && (r < '0' || r > '9') })
			if s.binds[after[:end]] {
				return after[:end]
			}
			rest = after
		}
	}
	return ""
}
