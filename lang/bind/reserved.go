package bind

import (
	"cmp"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/lang/bind/types"
	"github.com/yaytpl/yaytpl/value"
)

// reserved looks up a name that begins with "/": one that operations made, or one of the maps
// of all parameters, variables and classes.
func (t *Table) reserved(a Answer, name string, r Request) (Answer, error) {
	var v value.Value
	var err error
	switch {
	case name == classesName:
		v, err = t.classes()
	case name == strings.TrimSuffix(varPrefix, "/"):
		v, err = t.collected(varPrefix)
	case t.isReference(name):
		v, err = t.parameters(name)
		if err == nil && v.Map().Len() == 0 {
			return a, nil
		}
	default:
		e, err := t.resolve(Key{Name: name})
		if err != nil {
			return a, err
		}
		return t.whole(a, e, r)
	}
	if err != nil {
		return a, err
	}
	a.Found, a.Value = true, v
	a.Type, err = types.Infer(v)
	return a, err
}

// isReference reports whether a name is /param/REF, without a parameter.
func (t *Table) isReference(name string) bool {
	rest, ok := strings.CutPrefix(name, paramPrefix)
	return ok && rest != "" && !strings.Contains(rest, "/")
}

// collected returns the map of all keys with a prefix, in the order of text.
func (t *Table) collected(prefix string) (value.Value, error) {
	var found []*entry
	for k, e := range t.entries {
		rest, ok := strings.CutPrefix(k.Name, prefix)
		if ok && k.Type == "" && !strings.Contains(rest, "/") && len(e.candidates) > 0 {
			found = append(found, e)
		}
	}
	slices.SortFunc(found, func(a, b *entry) int {
		return cmp.Or(cmp.Compare(a.order(), b.order()), strings.Compare(a.key.Name, b.key.Name))
	})
	out := value.NewMap(len(found))
	for _, e := range found {
		a, err := t.whole(Answer{}, e, Request{})
		if err != nil {
			return value.Null, err
		}
		if a.Found {
			out.Set(value.K(strings.TrimPrefix(e.key.Name, prefix)), a.Value)
		}
	}
	return value.FromMap(out), nil
}

// parameters returns the map of the parameters of a reference: its own, its component's, and the ones that data
// has as names of a class:
//
//	/param/Web[one]      /param/Web[one]/port, /param/Web/port
//	/param/Class[ntp]    /param/Class[ntp]/port, ntp::port
func (t *Table) parameters(name string) (value.Value, error) {
	v, err := t.collected(name + "/")
	if err != nil {
		return v, err
	}
	var more value.Value
	component, title, titled := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(name, paramPrefix), "]"), "[")
	switch {
	case titled && component == "Class":
		more, err = t.ofClass(title, v.Map())
	case titled:
		more, err = t.collected(paramPrefix + component + "/")
	default:
		return v, nil
	}
	if err != nil {
		return v, err
	}
	out := value.NewMap(v.Map().Len())
	for _, from := range []value.Value{v, more} {
		for k := range from.Map().Keys() {
			item, _, err := from.Map().Get(k)
			if err != nil {
				return v, err
			}
			if _, ok, _ := out.Get(k); !ok {
				out.Set(k, item)
			}
		}
	}
	return value.FromMap(out), nil
}

// ofClass returns the map of the values that a class has by names, without the names that known has.
func (t *Table) ofClass(class string, known value.Map) (value.Value, error) {
	names, err := t.namesOf(class)
	if err != nil {
		return value.Null, err
	}
	out := value.NewMap(len(names))
	for _, name := range names {
		if _, ok, _ := known.Get(value.K(name)); ok {
			continue
		}
		e, err := t.resolve(Key{Name: class + "::" + name})
		if err != nil {
			return value.Null, err
		}
		a, err := t.whole(Answer{}, e, Request{})
		if err != nil {
			return value.Null, err
		}
		if a.Found {
			out.Set(value.K(name), a.Value)
		}
	}
	return value.FromMap(out), nil
}

// namesOf returns the names of the parameters of a class that are bound as names, or that providers have:
// the parameters of ntp::port and ntp::servers are port and servers. Bindings are in the order of text, before the keys of
// providers.
func (t *Table) namesOf(class string) ([]string, error) {
	var bound []*entry
	nameIn := func(key string) string {
		rest, ok := strings.CutPrefix(key, class+"::")
		if !ok || strings.Contains(rest, "::") {
			return ""
		}
		return rest
	}
	for k, e := range t.entries {
		if k.Type == "" && nameIn(k.Name) != "" && e.bound() {
			bound = append(bound, e)
		}
	}
	order := func(e *entry) int32 { return e.firstOrder(func(n *Candidate) bool { return n.Level == nil }) }
	slices.SortFunc(bound, func(a, b *entry) int {
		return cmp.Or(cmp.Compare(order(a), order(b)), strings.Compare(a.key.Name, b.key.Name))
	})
	var out []string
	seen := map[string]bool{}
	add := func(key string) {
		if name := nameIn(key); name != "" && !seen[name] {
			seen[name] = true
			out = append(out, name)
		}
	}
	for _, e := range bound {
		add(e.key.Name)
	}
	return out, t.provided(add)
}

// provided calls add with the keys of all providers, in their order.
func (t *Table) provided(add func(key string)) error {
	t.asking++
	defer func() { t.asking-- }()
	for _, p := range t.providers {
		names, err := p.provider.Names(t.scope)
		if err != nil {
			return err
		}
		for _, name := range names {
			if name != "lookup_options" && p.provider.Owns(name) {
				add(name)
			}
		}
	}
	return nil
}
