package bind

import (
	"errors"
	"fmt"

	"github.com/yaytpl/yaytpl/lang/bind/types"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Call is a call of one of the functions that look up keys (spec: bindings, section 9).
//
//	inject(name)   inject(Type)   inject(Type, name)   optionally_inject(...)
//	lookup(name[, type[, merge[, default]]])   lookup(name, {...})   lookup([names...])
type Call struct {
	Function  string
	At        source.Span
	Args      []value.Value
	MayMiss   bool // a key that nothing binds is undef
	ParseType func(text string) (*types.Type, error)

	secret bool // the names
}

// Call calls a function. The result is undef where a key is missing and that is allowed.
//
// Codes: injection-not-allowed, not-found, bad-type, the codes of [Table.Lookup].
func (s *Scope) Call(c Call) (value.Value, error) {
	all, names, err := c.marks()
	if err != nil {
		return value.Null, err
	}
	c.secret = names != 0
	v, err := s.call(c)
	bad := (*source.Diagnostic)(nil)
	if all != 0 && errors.As(err, &bad) && bad.At == c.At {
		err = source.Errorf(c.At, bad.Code, "%s fails; why is not said, since an argument is secret", c.Function)
	}
	return v.Mark(names), err
}

// marks returns the marks of all arguments, and of the names that are looked up.
func (c Call) marks() (all, names value.Marks, err error) {
	for i, arg := range c.Args {
		m := arg.Marks()
		if !arg.IsScalar() {
			if m, err = value.DeepMarks(arg); err != nil {
				return 0, 0, err
			}
		}
		all |= m
		if i == 0 || c.Function != "lookup" {
			names |= m
		}
	}
	return all, names, nil
}

// call calls a function.
func (s *Scope) call(c Call) (value.Value, error) {
	var r Request
	fallback := &fallbackValue{}
	var err error
	switch c.Function {
	case "inject", "optionally_inject":
		r, err = c.inject()
	default:
		r, err = c.lookup(fallback)
	}
	if err != nil {
		return value.Null, err
	}
	r.Secret = c.secret
	if v, ok := byName(fallback.overrides, r); ok {
		return v, nil
	}
	a, err := s.Lookup(c.At, r)
	if err != nil {
		return value.Null, err
	}
	if a.Found {
		return a.Value, nil
	}
	if v, ok, err := fallback.value(s, c, r); ok || err != nil {
		return v, err
	}
	if c.MayMiss || c.Function == "optionally_inject" {
		return value.Null, nil
	}
	return value.Null, s.notFound(c, r)
}

// notFound reports a key that nothing binds.
func (s *Scope) notFound(c Call, r Request) error {
	text := r.Keys[0].Text
	for _, k := range r.Keys[1:] {
		text += "', '" + k.Text
	}
	d := source.Errorf(c.At, source.NotFound, "nothing binds '%s'", text)
	if near := s.table.Near(text); near != "" {
		d.WithHint("did you mean %q?", near)
	}
	return d
}

// bad returns the error of a wrong argument.
func (c Call) bad(format string, args ...any) error {
	return source.Errorf(c.At, source.BadType, "%s: %s", c.Function, fmt.Sprintf(format, args...))
}

// inject reads the arguments of inject and optionally_inject.
func (c Call) inject() (Request, error) {
	var r Request
	if len(c.Args) == 0 || len(c.Args) > 2 {
		return r, c.bad("it takes a name, a type, or both")
	}
	first := c.Args[0]
	if s := first.Source(); s != nil && s.Tag == types.ReferenceTag {
		t, err := c.ParseType(first.Str())
		if err != nil {
			return r, err
		}
		k := KeyPath{Text: t.String(), Type: t}
		if len(c.Args) == 2 {
			if !c.Args[1].Is(value.StringKind) {
				return r, c.bad("the name is a text")
			}
			k.Name = c.Args[1].Str()
			k.Text += ", " + k.Name
		} else if t.IsData() {
			return r, c.bad("the type %s is no key without a name: values of it have names", t)
		}
		r.Keys = []KeyPath{k}
		return r, nil
	}
	if len(c.Args) == 2 || !first.Is(value.StringKind) {
		return r, c.bad("it takes a name, a type, or both")
	}
	return c.named(r, first)
}

// named adds the keys of a name or a list of names.
func (c Call) named(r Request, names value.Value) (Request, error) {
	list := []value.Value{names}
	if names.Is(value.ListKind) {
		var err error
		if list, err = value.ItemsOf(names.List()); err != nil {
			return r, err
		}
		if len(list) == 0 {
			return r, c.bad("the list of names is empty")
		}
	}
	for _, name := range list {
		if !name.Is(value.StringKind) {
			return r, c.bad("the name is a text, and this is %s", value.Article(name.Kind()))
		}
		k, err := ParseKey(name.Str())
		if err != nil {
			return r, c.bad("%s", err)
		}
		r.Keys = append(r.Keys, k)
	}
	return r, nil
}

// A fallbackValue is what counts where a key is missing, or instead of it.
type fallbackValue struct {
	given     bool
	v         value.Value
	byName    value.Map
	overrides value.Map
}

// lookup reads the arguments of lookup.
func (c Call) lookup(f *fallbackValue) (Request, error) {
	var r Request
	if len(c.Args) == 0 || len(c.Args) > 4 {
		return r, c.bad("it takes a name, a type, a merge strategy and a default value")
	}
	args := c.Args
	if last := args[len(args)-1]; last.Is(value.MapKind) && len(args) <= 2 {
		var err error
		if r, err = c.options(r, f, last.Map(), len(args) == 1); err != nil {
			return r, err
		}
		args = args[:len(args)-1]
	}
	if len(args) > 0 {
		var err error
		if r, err = c.named(r, args[0]); err != nil {
			return r, err
		}
	}
	if len(args) > 1 {
		if err := c.valueType(&r, args[1]); err != nil {
			return r, err
		}
	}
	if len(args) > 2 {
		if err := c.merge(&r, args[2]); err != nil {
			return r, err
		}
	}
	if len(args) > 3 {
		f.given, f.v = true, args[3]
	}
	if len(r.Keys) == 0 {
		return r, c.bad("the name is missing")
	}
	return r, nil
}

// options reads the map of options. alone says that it has the name, too.
func (c Call) options(r Request, f *fallbackValue, m value.Map, alone bool) (Request, error) {
	for k := range m.Keys() {
		v, _, err := m.Get(k)
		if err != nil {
			return r, err
		}
		switch k.Text {
		case "name":
			if !alone {
				return r, c.bad("the name is given twice")
			}
			r, err = c.named(r, v)
		case "value_type":
			err = c.valueType(&r, v)
		case "merge":
			err = c.merge(&r, v)
		case "default_value":
			f.given, f.v = true, v
		case "default_values_hash":
			f.byName, err = c.mapOf(k.Text, v)
		case "override":
			f.overrides, err = c.mapOf(k.Text, v)
		default:
			err = c.bad("unknown option %q: there are name, value_type, merge, default_value, default_values_hash, override", k.Text)
		}
		if err != nil {
			return r, err
		}
	}
	return r, nil
}

// mapOf returns an option that is a map, nil for undef.
func (c Call) mapOf(option string, v value.Value) (value.Map, error) {
	if !v.IsNull() && !v.Is(value.MapKind) {
		return nil, c.bad("the option %s is a map, and this is %s", option, value.Article(v.Kind()))
	}
	return v.Map(), nil
}

// valueType sets the type that the value must have. Undef is no type, as in Puppet, where it holds a place before
// later arguments: lookup(name, undef, deep).
func (c Call) valueType(r *Request, v value.Value) error {
	if v.IsNull() {
		return nil
	}
	if !v.Is(value.StringKind) {
		return c.bad("the type is a type, and this is %s", value.Article(v.Kind()))
	}
	t, err := c.ParseType(v.Str())
	r.Type = t
	return err
}

// merge sets the strategy of the request, which replaces the strategy of the data. Undef keeps that one.
func (c Call) merge(r *Request, v value.Value) error {
	if v.IsNull() {
		return nil
	}
	s, err := ParseStrategy(v)
	if err != nil {
		return c.bad("%s", err)
	}
	r.Merge = s
	return nil
}

// byName returns the entry of a map for the first of the requested keys that it has.
func byName(m value.Map, r Request) (value.Value, bool) {
	if m == nil {
		return value.Null, false
	}
	for _, k := range r.Keys {
		if v, ok, err := m.Get(value.K(k.Text)); ok && err == nil {
			return v, true
		}
	}
	return value.Null, false
}

// value returns the value that counts where no key is bound, checked against the type.
func (f *fallbackValue) value(s *Scope, c Call, r Request) (value.Value, bool, error) {
	v, ok := byName(f.byName, r)
	if !ok {
		v, ok = f.v, f.given
	}
	if !ok || r.Type == nil {
		return v, ok, nil
	}
	err := types.Check(r.Type, v, s.Step)
	if m := (*types.Mismatch)(nil); errors.As(err, &m) {
		err = source.Errorf(c.At, source.TypeMismatch, "the default of '%s': %s", r.Keys[0].Text, m)
	}
	return v, err == nil, err
}
