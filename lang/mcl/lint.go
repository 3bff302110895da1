package mcl

import (
	"cmp"
	"maps"
	"slices"

	"github.com/yaytpl/yaytpl/source"
)

// unused returns the errors of binds of the main file that nothing uses, as warnings: the program runs
// without them (spec: mcl, section 5). Their names are resolved and their types inferred as far as that
// goes; parts whose types stay open are no error. A circle is an error all the same: it has no meaning
// that the program could do without.
func unused(r *resolver, n *inference, m *module) ([]*source.Diagnostic, error) {
	var all []*source.Diagnostic
	in := n.module(m)
	for _, sym := range r.binds {
		if sym.state != fresh || sym.scope.unit != m.unit {
			continue
		}
		err := r.symbol(sym, sym.at)
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

// lint returns findings about the names of the main file: definitions that nothing uses, and binds that
// hide others.
func lint(r *resolver, m *module) []*source.Diagnostic {
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
	slices.SortFunc(all, func(a, b *source.Diagnostic) int { return cmp.Compare(a.At.Start, b.At.Start) })
	return all
}
