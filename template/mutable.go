package template

import (
	"fmt"
	"slices"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/value"
)

// Templates in the wild build lists and maps by calling methods that change them:
//
//	{% set names = [] %}{% for u in users %}{% set _ = names.append(u.name) %}{% endfor %}
//
// A variable that is set to a list or map which its expression made therefore holds
// a changeable one. Data of the document never is. Results are plain again.

// changeable returns v as a value that the template may change, if n made it.
func (r *run) changeable(n expr.Node, v value.Value) value.Value {
	if !v.Is(value.ListKind) && !v.Is(value.MapKind) || !makes(n) {
		return v
	}
	if call, ok := n.(*expr.CallExpr); ok && isNamespaceCall(call) {
		return r.namespace(call, v)
	}
	own := r.own(v)
	switch n := n.(type) {
	case *expr.List:
		if l, ok := own.List().(*list); ok && len(l.items) == len(n.Items) {
			for i, item := range n.Items {
				l.items[i] = r.changeable(item, l.items[i])
			}
		}
	case *expr.Map:
		if d, ok := own.Map().(*dict); ok {
			r.changeEntries(n, d)
		}
	}
	return own
}

// namespace returns the namespace with the entries of v, which the arguments of the
// call made.
func (r *run) namespace(call *expr.CallExpr, v value.Value) value.Value {
	r.mutable = true
	ns := &namespace{dict{copyDict(v.Map()), r}}
	for _, a := range call.Args {
		if held, ok, _ := ns.Get(value.K(a.Name)); ok && a.Name != "" {
			ns.Set(value.K(a.Name), r.changeable(a.Value, held))
		}
	}
	return value.FromMap(ns).Mark(v.Marks())
}

func (r *run) changeEntries(n *expr.Map, d *dict) {
	for _, e := range n.Entries {
		lit, ok := e.Key.(*expr.Lit)
		if !ok {
			continue
		}
		if k, ok := value.KeyOf(lit.Value); ok {
			v, _, _ := d.Get(k)
			d.Set(k, r.changeable(e.Value, v))
		}
	}
}

// own returns a changeable copy of a plain list or map, and other values as they are.
func (r *run) own(v value.Value) value.Value {
	switch v.Kind() {
	case value.ListKind:
		if s, ok := v.List().(value.Slice); ok {
			r.mutable = true
			return value.FromList(&list{slices.Clone(s), r}).Mark(v.Marks())
		}
	case value.MapKind:
		if m, ok := v.Map().(*value.Dict); ok {
			r.mutable = true
			return value.FromMap(&dict{copyDict(m), r}).Mark(v.Marks())
		}
	}
	return v
}

func copyDict(m value.Map) *value.Dict {
	d := value.NewMap(m.Len())
	for k := range m.Keys() {
		if v, ok, err := m.Get(k); ok && err == nil {
			d.Set(k, v)
		}
	}
	return d
}

// makes reports whether an expression makes its value, instead of finding it.
func makes(n expr.Node) bool {
	switch n := n.(type) {
	case *expr.List, *expr.Map, *expr.Filter, *expr.Binary, *expr.CallExpr, *expr.Slice:
		return true
	case *expr.Cond:
		return makes(n.Then) || n.Else != nil && makes(n.Else)
	case *expr.Logic:
		return makes(n.X) || makes(n.Y)
	}
	return false
}

// namespaceCall turns namespace(...) into dict(...), whose result becomes a
// namespace when it is bound to a variable. It cannot be a function of the library,
// which makes plain data only.
func namespaceCall(n expr.Node) expr.Node {
	call, ok := n.(*expr.CallExpr)
	if !ok {
		return n
	}
	if name, ok := call.Fn.(*expr.Name); !ok || name.Name != "namespace" {
		return n
	}
	made := *call
	made.Fn = namespaceMaker
	return &made
}

// namespaceMaker is the callee by which a call of namespace is known again.
var namespaceMaker = &expr.Name{Name: "dict"}

func isNamespaceCall(n *expr.CallExpr) bool { return n.Fn == expr.Node(namespaceMaker) }

// A changer is a method of changeable lists or maps, with the number of positional
// arguments that it takes.
type changer[T any] struct {
	least, most int
	change      func(T, value.Args) (value.Value, error)
}

// takeNamed lists the methods that take arguments by name.
var takeNamed = map[string]bool{"sort": true, "update": true}

// callChanger calls one of the methods of v. The result is false if there is none of that name.
func callChanger[T any](methods map[string]changer[T], v T, name string, args value.Args) (value.Value, bool, error) {
	m, ok := methods[name]
	switch n := len(args.Pos); {
	case !ok:
		return value.Null, false, nil
	case len(args.Named) > 0 && !takeNamed[name]:
		return value.Null, true, fmt.Errorf("%s() takes no keyword argument %q", name, args.Named[0].Name)
	case n < m.least || n > m.most:
		return value.Null, true, fmt.Errorf("%s() takes %s, not %d", name, argumentCount(m.least, m.most), n)
	}
	out, err := m.change(v, args)
	return out, true, err
}

func argumentCount(least, most int) string {
	switch {
	case least == most && least == 1:
		return "1 argument"
	case least == most:
		return fmt.Sprintf("%d arguments", least)
	}
	return fmt.Sprintf("%d or %d arguments", least, most)
}
