package template

import (
	"errors"
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

// A list is a list that the template may change.
type list struct {
	items value.Slice
	run   *run
}

// Len returns the number of items.
func (l *list) Len() int { return len(l.items) }

// At returns item i.
func (l *list) At(i int) (value.Value, error) {
	if i < 0 || i >= len(l.items) {
		return value.Null, errors.New("the list became shorter while it was read")
	}
	return l.items[i], nil
}

// A dict is a map that the template may change.
type dict struct {
	*value.Dict
	run *run
}

// A namespace is a map whose entries statements set: {% set ns.x = 1 %}.
type namespace struct{ dict }

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

// arguments are those of one method call.
type arguments struct {
	method string
	args   value.Args
}

// between checks the number of positional arguments; named ones are refused.
func (a arguments) between(least, most int) error {
	if len(a.args.Named) > 0 {
		return fmt.Errorf("%s() takes no keyword argument %q", a.method, a.args.Named[0].Name)
	}
	if n := len(a.args.Pos); n < least || n > most {
		return fmt.Errorf("%s() takes %s, not %d", a.method, argumentCount(least, most), n)
	}
	return nil
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

// CallMethod calls the methods that change the list.
func (l *list) CallMethod(name string, args value.Args) (value.Value, bool, error) {
	a := arguments{name, args}
	var v value.Value
	var err error
	switch name {
	case "append":
		if err = a.between(1, 1); err == nil {
			l.items = append(l.items, l.run.own(args.Pos[0]))
		}
	case "extend":
		if err = a.between(1, 1); err == nil {
			err = l.extend(args.Pos[0])
		}
	case "insert":
		if err = a.between(2, 2); err == nil {
			err = l.insert(args.Pos[0], args.Pos[1])
		}
	case "pop":
		if err = a.between(0, 1); err == nil {
			v, err = l.pop(args.Pos)
		}
	case "remove":
		if err = a.between(1, 1); err == nil {
			err = l.remove(args.Pos[0])
		}
	case "clear":
		if err = a.between(0, 0); err == nil {
			l.items = nil
		}
	case "reverse":
		if err = a.between(0, 0); err == nil {
			slices.Reverse(l.items)
		}
	case "sort":
		err = l.sort(args)
	default:
		return value.Null, false, nil
	}
	return v, true, err
}

func (l *list) extend(more value.Value) error {
	if err := expr.Raise(more); err != nil {
		return err
	}
	l.run.out.decidedBy(more.Marks()) // it shows in the length of the list
	switch more.Kind() {
	case value.ListKind:
		for item, err := range value.Items(more.List()) {
			if err != nil {
				return err
			}
			l.items = append(l.items, l.run.own(item.Mark(more.Marks())))
		}
	case value.MapKind:
		l.items = append(l.items, keysOf(more)...)
	case value.StringKind:
		l.items = append(l.items, characters(more)...)
	default:
		return fmt.Errorf("extend() needs a list, not %s", value.Article(more.Kind()))
	}
	return nil
}

func (l *list) insert(at, v value.Value) error {
	i, ok := at.Int()
	if !ok {
		return errors.New("insert() needs an integer as its first argument")
	}
	n := int64(len(l.items))
	if i < 0 {
		i = max(i+n, 0)
	}
	l.items = slices.Insert(l.items, int(min(i, n)), l.run.own(v))
	return nil
}

func (l *list) pop(args []value.Value) (value.Value, error) {
	i, ok := int64(-1), true
	if len(args) > 0 {
		i, ok = args[0].Int()
	}
	n := int64(len(l.items))
	if i < 0 {
		i += n
	}
	if !ok || i < 0 || i >= n {
		return value.Null, fmt.Errorf("pop() needs an index into a list of %s", countOf(len(l.items)))
	}
	v := l.items[i]
	l.items = slices.Delete(l.items, int(i), int(i)+1)
	return v, nil
}

func (l *list) remove(v value.Value) error {
	for i, item := range l.items {
		if eq, err := value.Equal(item, v); err != nil {
			return err
		} else if eq {
			l.items = slices.Delete(l.items, i, i+1)
			return nil
		}
	}
	return errors.New("remove() did not find the item in the list")
}

func (l *list) sort(args value.Args) error {
	down := false
	for _, a := range args.Named {
		if a.Name != "reverse" {
			return fmt.Errorf("sort() takes no keyword argument %q; use the filter \"sort\"", a.Name)
		}
		down = value.Truthy(a.Value)
	}
	var failed error
	slices.SortStableFunc(l.items, func(a, b value.Value) int {
		c, err := value.Compare(a, b)
		if err != nil {
			failed = err
		}
		if down {
			return -c
		}
		return c
	})
	return failed
}

// CallMethod calls the methods that change the map.
func (d *dict) CallMethod(name string, args value.Args) (value.Value, bool, error) {
	a := arguments{name, args}
	var v value.Value
	var err error
	switch name {
	case "update":
		err = d.update(args)
	case "pop":
		if err = a.between(1, 2); err == nil {
			v, err = d.pop(args.Pos)
		}
	case "popitem":
		if err = a.between(0, 0); err == nil {
			v, err = d.popItem()
		}
	case "setdefault":
		if err = a.between(1, 2); err == nil {
			v, err = d.setDefault(args.Pos)
		}
	case "clear":
		if err = a.between(0, 0); err == nil {
			d.Dict = value.NewMap(0)
		}
	default:
		return value.Null, false, nil
	}
	return v, true, err
}

func (d *dict) update(args value.Args) error {
	for _, more := range args.Pos {
		if err := expr.Raise(more); err != nil {
			return err
		}
		if err := d.merge(more); err != nil {
			return err
		}
	}
	for _, a := range args.Named {
		d.Set(value.K(a.Name), d.run.own(a.Value))
	}
	return nil
}

// merge takes over the entries of a map, or those of a list of pairs.
func (d *dict) merge(more value.Value) error {
	if more.Is(value.ListKind) {
		for pair, err := range value.Items(more.List()) {
			if err != nil {
				return err
			}
			if err := d.setPair(pair.Mark(more.Marks())); err != nil {
				return err
			}
		}
		return nil
	}
	if !more.Is(value.MapKind) {
		return fmt.Errorf("update() needs a map, not %s", value.Article(more.Kind()))
	}
	for _, k := range slices.Collect(more.Map().Keys()) {
		v, ok, err := more.Map().Get(k)
		if err != nil {
			return err
		}
		if ok {
			d.add(k, v, more.Marks())
		}
	}
	return nil
}

func (d *dict) setPair(pair value.Value) error {
	if !pair.Is(value.ListKind) || pair.List().Len() != 2 {
		return errors.New("update() needs a map or a list of pairs")
	}
	k, err := pair.List().At(0)
	if err != nil {
		return err
	}
	v, err := pair.List().At(1)
	if err != nil {
		return err
	}
	key, err := keyOf(k)
	if err == nil {
		d.add(key, v, k.Marks()|pair.Marks())
	}
	return err
}

// add sets an entry. The key came from a value with these marks. Keys have none of
// their own, so that the whole text has to have them.
func (d *dict) add(k value.Key, v value.Value, marks value.Marks) {
	d.run.out.decidedBy(marks)
	d.Set(k, d.run.own(v.Mark(marks)))
}

func keyOf(v value.Value) (value.Key, error) {
	k, ok := value.KeyOf(v)
	if !ok {
		return k, fmt.Errorf("%s cannot be a key", value.Article(v.Kind()))
	}
	return k, nil
}

func (d *dict) pop(args []value.Value) (value.Value, error) {
	k, err := keyOf(args[0])
	if err != nil {
		return value.Null, err
	}
	v, ok, _ := d.Get(k)
	switch {
	case ok:
		d.Delete(k)
		return v, nil
	case len(args) > 1:
		return args[1], nil
	}
	return value.Null, fmt.Errorf("pop() did not find the key %q", k.Text)
}

func (d *dict) popItem() (value.Value, error) {
	keys := slices.Collect(d.Keys())
	if len(keys) == 0 {
		return value.Null, errors.New("popitem() on an empty map")
	}
	k := keys[len(keys)-1]
	v, _, _ := d.Get(k)
	d.Delete(k)
	return value.ListOf(k.Value(), v), nil
}

func (d *dict) setDefault(args []value.Value) (value.Value, error) {
	k, err := keyOf(args[0])
	if err != nil {
		return value.Null, err
	}
	if v, ok, _ := d.Get(k); ok {
		return v, nil
	}
	v := value.Null
	if len(args) > 1 {
		v = args[1]
	}
	d.add(k, v, args[0].Marks())
	v, _, _ = d.Get(k)
	return v, nil
}
