package template

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Existing templates build lists and maps by calling methods that change them:
//
//	{% set names = [] %}{% for u in users %}{% set _ = names.append(u.name) %}{% endfor %}
//
// Therefore a variable holds a mutable copy if its expression makes a new list or map, as
// [] does. Data of the document is never mutable: {% set l = users %}{{ l.append(1) }} is
// an error. freeze makes results plain again.

// changeable returns the value v of the expression n: as a mutable copy if n made it.
func (r *run) changeable(n expr.Node, v value.Value) value.Value {
	if !v.Is(value.ListKind) && !v.Is(value.MapKind) || !makes(n) {
		return v
	}
	if call, ok := n.(*expr.CallExpr); ok && call.Fn == expr.Node(namespaceMaker) {
		return r.namespace(call, v)
	}
	if copies(n) {
		return r.copied(v)
	}
	own := r.own(v)
	switch n := n.(type) {
	case *expr.List:
		if l, ok := own.List().(*list); ok && len(l.items) == len(n.Items) {
			l.shared = false
			for i, item := range n.Items {
				l.items[i] = r.changeable(item, l.items[i])
			}
		}
	case *expr.Map:
		if d, ok := own.Map().(*dict); ok {
			d.shared = false
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
	}
	return own
}

// namespace returns v, the value of a call of namespace, as a namespace. Arguments that
// make lists or maps become mutable as well.
func (r *run) namespace(call *expr.CallExpr, v value.Value) value.Value {
	r.makesMutable()
	ns := &namespace{dict{copyDict(v.Map()), r, false}}
	for _, a := range call.Args {
		if held, ok, _ := ns.Get(value.K(a.Name)); ok && a.Name != "" {
			ns.Set(value.K(a.Name), r.changeable(a.Value, held))
		}
	}
	return value.FromMap(ns).Mark(v.Marks())
}

// newNamespace implements the function namespace() inside of an expression. Lists and maps in
// its arguments stay as they are.
func (r *run) newNamespace(args value.Args) (value.Value, error) {
	maker, ok := r.base.Env.Library().Global("dict")
	if !ok || maker.Func() == nil {
		return value.Null, errors.New("there is no function dict()")
	}
	v, err := maker.Func().Call(args)
	if err != nil {
		return value.Null, err
	}
	r.makesMutable()
	return value.FromMap(&namespace{dict{copyDict(v.Map()), r, false}}).Mark(v.Marks()), nil
}

// makesMutable notes that lists or maps of the run may change.
func (r *run) makesMutable() { r.mutable = true }

// own returns a mutable list or map for a plain one, and any other value unchanged. The first change copies the
// plain one, so that most are never copied.
func (r *run) own(v value.Value) value.Value {
	switch v.Kind() {
	case value.ListKind:
		if s, ok := v.List().(value.Slice); ok {
			r.makesMutable()
			return value.FromList(&list{s, r, true}).Mark(v.Marks())
		}
	case value.MapKind:
		if m, ok := v.Map().(*value.Dict); ok {
			r.makesMutable()
			return value.FromMap(&dict{m, r, true}).Mark(v.Marks())
		}
	}
	return v
}

// copies reports whether an expression copies its list or map: x.copy(), x|list.
func copies(n expr.Node) bool {
	switch n := n.(type) {
	case *expr.CallExpr:
		method, ok := n.Fn.(*expr.Select)
		return ok && method.Name == "copy"
	case *expr.Filter:
		return n.Name == "list"
	}
	return false
}

// copied returns a mutable, shallow copy of a list or map, which may be one of the document or a mutable
// one. It returns v if its items cannot be read, or no more steps are left, which ends the evaluation at the
// next one.
func (r *run) copied(v value.Value) value.Value {
	switch v.Kind() {
	case value.ListKind:
		if r.moved(v.List().Len()) != nil {
			return v
		}
		items, err := value.ItemsOf(v.List())
		if err != nil {
			return v
		}
		r.makesMutable()
		return value.FromList(&list{items, r, false}).Mark(v.Marks())
	case value.MapKind:
		if r.base.Env.Step(entrySteps*v.Map().Len()) != nil {
			return v
		}
		r.makesMutable()
		return value.FromMap(&dict{copyDict(v.Map()), r, false}).Mark(v.Marks())
	}
	return v
}

// copyDict returns a shallow copy of m without entries that cannot be read.
func copyDict(m value.Map) *value.Dict {
	d := value.NewMap(m.Len())
	for k := range m.Keys() {
		if v, ok, err := m.Get(k); ok && err == nil {
			d.Set(k, v)
		}
	}
	return d
}

// makes reports whether an expression makes a new value instead of returning data that
// exists elsewhere.
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

// namespaceCall turns namespace(...) into dict(...), whose result becomes a namespace
// when it is bound to a variable. The library cannot provide it, because its functions
// return plain data only.
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

// namespaceMaker is the callee of such calls, by which changeable recognises them.
var namespaceMaker = &expr.Name{Name: "dict"}

// A changer is a method that changes a list or map, with the number of positional
// arguments that it takes.
type changer[T any] struct {
	name        string
	least, most int
	change      func(T, value.Args) (value.Value, error)
}

// takesNamed reports whether a method takes named arguments.
func takesNamed(name string) bool { return name == "sort" || name == "update" }

// callChanger calls a method of v. It returns false if there is none of that name.
func callChanger[T any](methods []changer[T], v T, name string, args value.Args) (value.Value, bool, error) {
	i := slices.IndexFunc(methods, func(m changer[T]) bool { return m.name == name })
	if i < 0 {
		return value.Null, false, nil
	}
	m := methods[i]
	switch n := len(args.Pos); {
	case len(args.Named) > 0 && !takesNamed(name):
		return value.Null, true, fmt.Errorf("%s() takes no keyword argument %q", name, args.Named[0].Name)
	case n < m.least || n > m.most:
		takes := countOf(m.most, "argument")
		if m.least < m.most {
			takes = fmt.Sprintf("%d or %d arguments", m.least, m.most)
		}
		return value.Null, true, fmt.Errorf("%s() takes %s, not %d", name, takes, n)
	}
	out, err := m.change(v, args)
	return out, true, err
}

// A list is a mutable list.
type list struct {
	items  value.Slice
	run    *run
	shared bool // items belong to a plain list, and must be copied before a change
}

// change copies the items if they are shared, so that l can change them.
func (l *list) change() {
	if l.shared {
		l.items, l.shared = slices.Clone(l.items), false
	}
}

// Len returns the number of items.
func (l *list) Len() int { return len(l.items) }

// At returns item i.
func (l *list) At(i int) (value.Value, error) {
	if i < 0 || i >= len(l.items) {
		return value.Null, errors.New("the list was shortened while it was read")
	}
	return l.items[i], nil
}

var listMethods = []changer[*list]{
	{"append", 1, 1, (*list).append},
	{"extend", 1, 1, (*list).extend},
	{"insert", 2, 2, (*list).insert},
	{"pop", 0, 1, (*list).pop},
	{"remove", 1, 1, (*list).remove},
	{"clear", 0, 0, (*list).clear},
	{"reverse", 0, 0, (*list).reverse},
	{"sort", 0, 0, (*list).sort},
}

// CallMethod calls the methods that change the list.
func (l *list) CallMethod(name string, args value.Args) (value.Value, bool, error) {
	l.run.changes()
	l.change()
	return callChanger(listMethods, l, name, args)
}

// changes notes that a list or map is about to change. If a secret condition in the same
// expression decides that, the output shows it: {{ l.append(1) if password == 'a' }}.
func (r *run) changes() {
	if r.branch.Around != 0 {
		r.out.decidedBy(r.branch.Around)
	}
}

// entrySteps is the cost of an entry that is set, of a key that is listed, and of an entry that moves
// because another one is removed.
const entrySteps = 48

func (d *dict) charge(entries int) error { return d.run.base.Env.Step(entrySteps * entries) }

// sortSteps is the cost of a comparison by which a list is sorted.
const sortSteps = 8

// moved charges steps for moving n items or entries.
func (r *run) moved(n int) error { return r.base.Env.Step(n / movesInStep) }

// movesInStep is the number of items that are moved in the time of a step.
const movesInStep = 8

func (l *list) append(args value.Args) (value.Value, error) {
	if err := l.run.grown(len(l.items)); err != nil {
		return value.Null, err
	}
	l.items = append(l.items, l.run.own(args.Pos[0]))
	return value.Null, nil
}

func (l *list) extend(args value.Args) (value.Value, error) {
	more := args.Pos[0]
	if err := expr.Raise(more); err != nil {
		return value.Null, err
	}
	l.run.out.decidedBy(more.Marks()) // visible in the length of the list
	switch more.Kind() {
	case value.ListKind, value.MapKind, value.StringKind:
	default:
		return value.Null, fmt.Errorf("extend() needs a list, not %s", value.Article(more.Kind()))
	}
	items, err := l.run.items(more, source.Span{})
	if err != nil {
		return value.Null, err
	}
	for item, err := range value.Items(items) {
		if err == nil {
			err = l.run.grown(len(l.items))
		}
		if err != nil {
			return value.Null, err
		}
		l.items = append(l.items, l.run.own(item))
	}
	return value.Null, nil
}

func (l *list) insert(args value.Args) (value.Value, error) {
	i, ok := args.Pos[0].Int()
	if !ok {
		return value.Null, errors.New("insert() needs an integer as its first argument")
	}
	n := int64(len(l.items))
	if i < 0 {
		i = max(i+n, 0)
	}
	i = min(i, n)
	if err := l.run.grown(len(l.items)); err != nil {
		return value.Null, err
	}
	l.items = slices.Insert(l.items, int(i), l.run.own(args.Pos[1]))
	return value.Null, l.run.moved(int(n - i))
}

func (l *list) pop(args value.Args) (value.Value, error) {
	i, ok := int64(-1), true
	if len(args.Pos) > 0 {
		i, ok = args.Pos[0].Int()
	}
	n := int64(len(l.items))
	if i < 0 {
		i += n
	}
	if !ok || i < 0 || i >= n {
		return value.Null, fmt.Errorf("pop() needs an index into a list of %s", countOf(len(l.items), "item"))
	}
	v := l.items[i]
	l.items = slices.Delete(l.items, int(i), int(i)+1)
	return v, l.run.moved(int(n - i))
}

func (l *list) remove(args value.Args) (value.Value, error) {
	if err := l.run.base.Env.Step(len(l.items)); err != nil {
		return value.Null, err
	}
	for i, item := range l.items {
		if eq, err := value.EqualCharged(item, args.Pos[0], l.run.base.Env.Step); err != nil {
			return value.Null, err
		} else if eq {
			l.items = slices.Delete(l.items, i, i+1)
			return value.Null, nil
		}
	}
	return value.Null, errors.New("remove() did not find the item in the list")
}

func (l *list) clear(value.Args) (value.Value, error) {
	l.items = nil
	return value.Null, nil
}

func (l *list) reverse(value.Args) (value.Value, error) {
	slices.Reverse(l.items)
	return value.Null, l.run.moved(len(l.items))
}

func (l *list) sort(args value.Args) (value.Value, error) {
	down := false
	for _, a := range args.Named {
		if a.Name != "reverse" {
			return value.Null, fmt.Errorf("sort() takes no keyword argument %q; use the filter \"sort\"", a.Name)
		}
		down = value.Truthy(a.Value)
	}
	if err := l.run.base.Env.Step(len(l.items)); err != nil {
		return value.Null, err
	}
	var failed error
	slices.SortStableFunc(l.items, func(a, b value.Value) int {
		if failed != nil {
			return 0
		}
		c := 0
		if failed = l.run.base.Env.Step(sortSteps); failed == nil {
			c, failed = value.CompareCharged(a, b, l.run.base.Env.Step)
		}
		if down {
			return -c
		}
		return c
	})
	return value.Null, failed
}

// A dict is a mutable map.
type dict struct {
	*value.Dict
	run    *run
	shared bool // Dict is a plain map
}

// change copies the entries if they are shared, so that d can change them.
func (d *dict) change() {
	if d.shared {
		d.Dict, d.shared = copyDict(d.Dict), false
	}
}

// Set sets an entry, as [value.Dict.Set].
func (d *dict) Set(k value.Key, v value.Value) {
	d.change()
	d.Dict.Set(k, v)
}

// Delete deletes an entry, as [value.Dict.Delete].
func (d *dict) Delete(k value.Key) {
	d.change()
	d.Dict.Delete(k)
}

// A namespace is a map with attributes that statements set: {% set ns.x = 1 %}.
type namespace struct{ dict }

var dictMethods = []changer[*dict]{
	{"update", 0, math.MaxInt, (*dict).update},
	{"pop", 1, 2, (*dict).pop},
	{"popitem", 0, 0, (*dict).popItem},
	{"setdefault", 1, 2, (*dict).setDefault},
	{"clear", 0, 0, (*dict).clear},
}

// CallMethod calls the methods that change the map.
func (d *dict) CallMethod(name string, args value.Args) (value.Value, bool, error) {
	d.run.changes()
	return callChanger(dictMethods, d, name, args)
}

func (d *dict) update(args value.Args) (value.Value, error) {
	for _, more := range args.Pos {
		if err := expr.Raise(more); err != nil {
			return value.Null, err
		}
		if err := d.merge(more); err != nil {
			return value.Null, err
		}
	}
	for _, a := range args.Named {
		d.Set(value.K(a.Name), d.run.own(a.Value))
	}
	return value.Null, nil
}

// merge adds the entries of a map, or of a list of pairs.
func (d *dict) merge(more value.Value) error {
	if more.Is(value.ListKind) {
		if err := d.charge(more.List().Len()); err != nil {
			return err
		}
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
	if err := d.charge(more.Map().Len()); err != nil {
		return err
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
	items, err := value.ItemsOf(pair.List())
	if err != nil {
		return err
	}
	key, err := value.KeyFor(items[0])
	if err == nil {
		d.add(key, items[1], items[0].Marks()|pair.Marks())
	}
	return err
}

// add sets an entry. marks are the marks of the value that became the key: a key has no marks itself, so
// the whole output gets them.
func (d *dict) add(k value.Key, v value.Value, marks value.Marks) {
	d.run.out.decidedBy(marks)
	d.Set(k, d.run.own(v.Mark(marks)))
}

func (d *dict) pop(args value.Args) (value.Value, error) {
	k, err := value.KeyFor(args.Pos[0])
	if err != nil {
		return value.Null, err
	}
	v, ok, _ := d.Get(k)
	switch {
	case ok:
		d.Delete(k)
		return v, d.charge(1 + d.Len())
	case len(args.Pos) > 1:
		return args.Pos[1], nil
	}
	return value.Null, fmt.Errorf("pop() did not find the key %q", k.Text)
}

func (d *dict) popItem(value.Args) (value.Value, error) {
	keys := slices.Collect(d.Keys())
	if len(keys) == 0 {
		return value.Null, errors.New("popitem() on an empty map")
	}
	k := keys[len(keys)-1]
	v, _, _ := d.Get(k)
	d.Delete(k)
	return value.ListOf(k.Value(), v), d.charge(1 + d.Len())
}

func (d *dict) clear(value.Args) (value.Value, error) {
	d.Dict, d.shared = value.NewMap(0), false
	return value.Null, nil
}

func (d *dict) setDefault(args value.Args) (value.Value, error) {
	k, err := value.KeyFor(args.Pos[0])
	if err != nil {
		return value.Null, err
	}
	if v, ok, _ := d.Get(k); ok {
		return v, nil
	}
	v := value.Null
	if len(args.Pos) > 1 {
		v = args.Pos[1]
	}
	d.add(k, v, args.Pos[0].Marks())
	v, _, _ = d.Get(k)
	return v, nil
}
