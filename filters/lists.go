package filters

import (
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// listFilters follow Jinja's filters of the same names; flatten, subelements and extract follow Ansible. A text is
// a list of its characters and a map is a list of its keys, as for a loop of Python.
func listFilters() []Func {
	return family("lists",
		moving(row("list", "Returns the items of a list, the characters of a text or the keys of a map as a list.",
			"{{ 'abc' | list }}", `["a", "b", "c"]`, toList)),
		Func{
			Name: "length", Aliases: []string{"count"}, Call: length,
			Doc:     "Returns the number of items, entries or characters.",
			Example: "{{ [1, 2] | length }}", Result: "2",
		},
		moving(row("first", "Returns the first item; undefined if there is none.",
			"{{ [3, 4] | first }}", "3", itemAt(func(int) int { return 0 }, "first item"))),
		moving(row("last", "Returns the last item; undefined if there is none.",
			"{{ [3, 4] | last }}", "4", itemAt(func(n int) int { return n - 1 }, "last item"))),
		moving(row("reverse", "Reverses the items of a list, or the characters of a text.",
			"{{ [1, 2] | reverse }}", "[2, 1]", reverse)),
		joining(row("join", "Joins the items, or an attribute of each, to one text with d between them.",
			"{{ [1, 'a'] | join('-') }}", `"1-a"`, joinItems, opt("d", Text, value.String("")), opt("attribute", Any, value.Null))),
		moving(row("batch", "Splits the items into lists of linecount items. The last list is filled up with fill_with, if given.",
			"{{ [1, 2, 3] | batch(2, 0) }}", "[[1, 2], [3, 0]]",
			with((*Ctx).items, batch), req("linecount", Int), opt("fill_with", Any, value.Null))),
		moving(row("slice", "Splits the items into the given number of lists, with lengths as equal as possible.",
			"{{ [1, 2, 3, 4, 5] | slice(2) }}", "[[1, 2, 3], [4, 5]]",
			with((*Ctx).items, slice), req("slices", Int), opt("fill_with", Any, value.Null))),
		moving(row("flatten", "Flattens lists in lists, all levels or the given number. Nulls are dropped unless skip_nulls is false.",
			"{{ [1, [2, [3]]] | flatten(levels=1) }}", "[1, 2, [3]]",
			flatten, opt("levels", Int, value.Null), opt("skip_nulls", Bool, value.True))),
		moving(row("subelements", "Returns pairs of each item with each entry of a list inside it. A dotted path names that list.",
			"{{ [{'n': 'a', 'k': [1, 2]}] | subelements('k') | map('last') }}", "[1, 2]",
			subelements, req("subelements", Any), opt("skip_missing", Bool, value.False))),
		Func{
			Name: "extract", Call: extract, flow: moves, input: takesUndefined,
			Params:  []Param{req("container", Any), opt("morekeys", Any, value.Null)},
			Doc:     "Looks the piped value up in a container as a key or index; morekeys continue from the result.",
			Example: "{{ ['x', 'y'] | map('extract', {'x': 1, 'y': 2}) }}", Result: "[1, 2]",
		},
	)
}

func toList(c *Ctx, in value.Value, _ Bound) (value.Value, error) { return listOf(c.items(in)) }

// length returns the length as Python's len. A text has as many characters as code points, so it is read; the
// length of a list or map is known.
func length(c *Ctx, in value.Value, _ Bound) (value.Value, error) {
	n := 0
	switch in.Kind() {
	case value.StringKind:
		n = utf8.RuneCountInString(in.Str())
		if err := c.read(n / 16); err != nil {
			return value.Null, err
		}
	case value.ListKind:
		n = in.List().Len()
	case value.MapKind:
		n = in.Map().Len()
	default:
		return value.Null, fmt.Errorf("%s has no length", value.Article(in.Kind()))
	}
	return value.Int(int64(n)), nil
}

// itemAt returns a call for one item: index chooses it from n items. Of a list only that
// item is read.
func itemAt(index func(n int) int, description string) call {
	return func(c *Ctx, in value.Value, _ Bound) (value.Value, error) {
		if in.Is(value.ListKind) && in.List().Len() > 0 {
			return in.List().At(index(in.List().Len()))
		}
		items, err := c.items(in)
		if err != nil || len(items) == 0 {
			return value.Undefined(errEmpty(description)), err
		}
		return items[index(len(items))], nil
	}
}

// reverse reverses a text by its code points, as Python does.
func reverse(c *Ctx, in value.Value, _ Bound) (value.Value, error) {
	if in.Is(value.StringKind) {
		r := []rune(in.Str())
		slices.Reverse(r)
		return value.String(string(r)), nil
	}
	items, err := c.items(in)
	slices.Reverse(items)
	return value.ListOf(items...), err
}

// joinItems joins texts as Jinja's join: numbers and booleans are converted, nulls are "None", and items may be
// replaced by one of their attributes first.
func joinItems(c *Ctx, in value.Value, a Bound) (value.Value, error) {
	items, err := c.attributes(in, a.Get("attribute"))
	if err != nil {
		return value.Null, err
	}
	return c.joinValues(items, a.Get("d"))
}

// batch is Jinja's batch. The fill is reserved before the last list is padded: batch(10 ** 9, 0) of one item
// would have that many items.
func batch(c *Ctx, items []value.Value, a Bound) (value.Value, error) {
	n := a.Int("linecount")
	if n < 1 {
		return value.Null, errAtLeastOne("linecount")
	}
	if fill := a.Get("fill_with"); !fill.IsNull() && len(items) > 0 {
		if err := c.reserveItems(n); err != nil {
			return value.Null, err
		}
		for len(items)%n != 0 {
			items = append(items, fill)
		}
	}
	var out []value.Value
	for len(items) > 0 {
		k := min(n, len(items))
		out = append(out, value.ListOf(items[:k:k]...))
		items = items[k:]
	}
	return value.ListOf(out...), nil
}

// slice is Jinja's slice: the first lists are one item longer if the items do not divide evenly. Only the shorter
// lists get fill_with, also if no list is longer.
//
//	[1, 2, 3, 4, 5] | slice(3, 0)     [[1, 2], [3, 4], [5, 0]]
func slice(c *Ctx, items []value.Value, a Bound) (value.Value, error) {
	count := a.Int("slices")
	if count < 1 {
		return value.Null, errAtLeastOne("slices")
	}
	if err := c.reserveItems(count); err != nil {
		return value.Null, err
	}
	size, longer := len(items)/count, len(items)%count
	out := make([]value.Value, count)
	for i := range out {
		n := size
		if i < longer {
			n++
		}
		part := items[:n:n]
		items = items[n:]
		if fill := a.Get("fill_with"); !fill.IsNull() && i >= longer {
			part = append(part, fill)
		}
		out[i] = value.ListOf(part...)
	}
	return value.ListOf(out...), nil
}

// flatten is Ansible's flatten: nulls, and the texts None and null, are dropped on every level.
func flatten(c *Ctx, in value.Value, a Bound) (value.Value, error) {
	levels := maxInt
	if !a.Get("levels").IsNull() {
		levels = a.Int("levels")
	}
	if !in.Is(value.ListKind) {
		return value.Null, value.Wants("a list", in.Kind())
	}
	f := flattener{c: c, skipNulls: a.Bool("skip_nulls")}
	err := f.add(in, levels, 0)
	return value.ListOf(f.out...), err
}

// flatSteps is the cost of an item of a list that is made flat.
const flatSteps = 8

// A flattener collects the items of nested lists. It counts them while it descends: a list in a list may be the
// same one again and again, and then the result is larger than the input by any factor.
type flattener struct {
	c         *Ctx
	skipNulls bool
	out       []value.Value
}

func (f *flattener) add(list value.Value, levels, depth int) error {
	if depth > maxDepth {
		return errTooDeep
	}
	items, err := f.c.listItems(list)
	if err == nil {
		err = f.c.step(flatSteps * len(items))
	}
	if err != nil {
		return err
	}
	for _, item := range items {
		if item.IsNull() || item.Is(value.ListKind) { // it decides how many items there are
			f.c.look(item)
		}
		switch {
		case f.skipNulls && spellsNull(item):
		case item.Is(value.ListKind) && levels > 0:
			if err := f.add(item, levels-1, depth+1); err != nil {
				return err
			}
		default:
			if err := f.c.fits(len(f.out) * itemBytes); err != nil {
				return err
			}
			f.out = append(f.out, item)
		}
	}
	return nil
}

// spellsNull reports whether v is null, or a text that Ansible's flatten takes for it.
func spellsNull(v value.Value) bool {
	return v.IsNull() || v.Is(value.StringKind) && (v.Str() == "None" || v.Str() == "null")
}

// subelements pairs items as the lookup of Ansible: [item, sub] for each sub in the list below item. A
// pair counts as three items: the list and what it holds.
func subelements(c *Ctx, in value.Value, a Bound) (value.Value, error) {
	if path := a.Get("subelements"); !path.Is(value.StringKind) && !path.Is(value.ListKind) {
		return value.Null, fmt.Errorf("subelements is a key or a list of keys, not %s", value.Article(path.Kind()))
	}
	items, err := c.valuesOf(in)
	if err != nil {
		return value.Null, err
	}
	var out []value.Value
	for _, item := range items {
		subs, err := c.subelementsOf(item, a)
		if err != nil {
			return value.Null, err
		}
		for _, sub := range subs {
			out = append(out, value.ListOf(item, sub))
		}
		if err := c.fits(3 * len(out) * itemBytes); err != nil {
			return value.Null, err
		}
	}
	return value.ListOf(out...), nil
}

// subelementsOf returns the list inside of an item that the path names. A missing key is an error, or no list if
// skip_missing is set; a value of another kind is always an error.
func (c *Ctx) subelementsOf(item value.Value, a Bound) ([]value.Value, error) {
	path, err := c.oneOrMany(a.Get("subelements"))
	if err != nil {
		return nil, err
	}
	for _, name := range path {
		s, err := c.digits(name)
		if err != nil {
			return nil, err
		}
		if item, err = c.attr(item, s); err != nil {
			return nil, err
		}
		if item.Is(value.UndefinedKind) {
			if a.Bool("skip_missing") {
				return nil, nil
			}
			return nil, fmt.Errorf("item without %q: %w", s, reason(item))
		}
	}
	c.look(item)
	if !item.Is(value.ListKind) {
		return nil, fmt.Errorf("the subelements must be a list, got %s", value.Article(item.Kind()))
	}
	return c.listItems(item)
}

// extract looks a chain of keys up: 'a' | extract(m, ['b', 'c']) is m['a']['b']['c']. Every container on the
// way adds its marks to the result.
func extract(c *Ctx, in value.Value, a Bound) (value.Value, error) {
	if in.Is(value.UndefinedKind) {
		return value.Null, reason(in)
	}
	keys := []value.Value{in}
	if more := a.Get("morekeys"); !more.IsNull() {
		items, err := c.oneOrMany(more)
		if err != nil {
			return value.Null, err
		}
		keys = append(keys, items...)
	}
	v := a.Get("container")
	for _, k := range keys {
		marks := v.Marks()
		var err error
		if v, err = item(v, k); err != nil || v.Is(value.UndefinedKind) {
			return v, err
		}
		v = v.Mark(marks)
	}
	return v, nil
}

// item returns container[key]; a missing one is undefined.
func item(container, key value.Value) (value.Value, error) {
	switch container.Kind() {
	case value.MapKind:
		k, err := value.KeyFor(key)
		if err != nil {
			return value.Null, err
		}
		if v, ok, err := container.Map().Get(k); ok || err != nil {
			return lateMissing(v, err)
		}
		return value.Undefined(fmt.Errorf("the map has no key %s", k.Text)), nil
	case value.ListKind:
		i, ok := value.AsNumber(key).Int()
		n := int64(container.List().Len())
		if ok && i < n && i >= -n {
			return lateMissing(container.List().At(int((i + n) % n)))
		}
		return value.Undefined(fmt.Errorf("the index is out of range, the list has %d items", n)), nil
	}
	if container.Is(value.UndefinedKind) {
		return container, nil
	}
	return value.Null, fmt.Errorf("wants a list or map, got %s", value.Article(container.Kind()))
}

// lateMissing returns an undefined value for an item whose own template uses an undefined
// name.
func lateMissing(v value.Value, err error) (value.Value, error) {
	if err == nil {
		return v, nil
	}
	var d *source.Diagnostic
	if errors.As(err, &d) && d.Code == source.Undefined {
		return value.Undefined(d), nil
	}
	return v, err
}

// selectFilters call filters and tests by name, through the caller if there is one, which knows more of them
// than this package, such as eval.
func selectFilters() []Func {
	test := []Param{variadic("test", Any), keywords("named")}
	attrTest := []Param{req("attribute", Any), variadic("test", Any), keywords("named")}
	return family("select",
		moving(row("map", "Applies a filter to each item. With attribute= it returns that attribute of each item instead, or default= for items without it.",
			"{{ [{'a': {'b': 1}}, {}] | map(attribute='a.b', default=0) }}", "[1, 0]",
			mapItems, variadic("filter", Any), keywords("named"))),
		moving(row("select", "Returns the items that pass a test; without a test, those that are true.",
			"{{ [1, 2, 3] | select('odd') }}", "[1, 3]", selecting(true, false), test...)),
		moving(row("reject", "Returns the items that fail a test; without a test, those that are false.",
			"{{ [1, 2, 3] | reject('gt', 1) }}", "[1]", selecting(false, false), test...)),
		moving(row("selectattr", "Returns the items with an attribute that passes a test; without a test, that is true.",
			"{{ [{'n': 1}, {'n': 2}] | selectattr('n', 'gt', 1) }}", `[{"n": 2}]`, selecting(true, true), attrTest...)),
		moving(row("rejectattr", "Returns the items with an attribute that fails a test; without a test, that is false.",
			"{{ [{'n': 1}, {}] | rejectattr('n', 'defined') }}", "[{}]", selecting(false, true), attrTest...)),
	)
}

// mapItems is Jinja's map: the name of a filter with its arguments, or else attribute= and default=. A value that
// counts as false has no items, as in Jinja.
func mapItems(c *Ctx, in value.Value, a Bound) (value.Value, error) {
	if len(a.Rest()) == 0 {
		return mapAttribute(c, in, a)
	}
	name := a.Rest()[0]
	if !name.Is(value.StringKind) {
		return value.Null, errors.New("the first argument must be the name of a filter")
	}
	items, err := c.itemsIfAny(in)
	if err != nil {
		return value.Null, err
	}
	args := value.Args{Pos: a.Rest()[1:], Named: a.Named()}
	for i := 0; i < len(items) && err == nil; i++ {
		items[i], err = c.callFilter(name.Str(), items[i], args)
	}
	return value.ListOf(items...), err
}

// mapAttribute returns an attribute of each item. Without default, a missing attribute is undefined: using it later
// is the error, with the place of the item.
func mapAttribute(c *Ctx, in value.Value, a Bound) (value.Value, error) {
	attribute, def, hasDefault := value.Null, value.Null, false
	for _, n := range a.Named() {
		switch n.Name {
		case "attribute":
			attribute = n.Value
		case "default":
			def, hasDefault = n.Value, true
		default:
			return value.Null, errors.New("wants the name of a filter, or attribute= and default=")
		}
	}
	if attribute.IsNull() {
		return value.Null, errors.New("wants the name of a filter, or attribute=")
	}
	items, err := c.itemsIfAny(in)
	if err == nil {
		err = c.toAttributes(items, attribute)
	}
	if err != nil {
		return value.Null, err
	}
	if hasDefault {
		replaceUndefined(items, def)
	}
	return value.ListOf(items...), nil
}

// selecting returns a call for the items that pass or fail a test. With ofAttribute it
// tests an attribute, the first argument, instead of the item.
func selecting(passing, ofAttribute bool) call {
	return with((*Ctx).itemsIfAny, func(c *Ctx, items []value.Value, a Bound) (value.Value, error) {
		subjects := items
		if ofAttribute {
			subjects = slices.Clone(items)
			if err := c.toAttributes(subjects, a.Get("attribute")); err != nil {
				return value.Null, err
			}
		}
		kept := []value.Value{}
		for i, s := range subjects {
			ok, err := c.passes(s, a)
			if err != nil {
				return value.Null, err
			}
			if ok == passing {
				kept = append(kept, items[i])
			}
		}
		return value.ListOf(kept...), nil
	})
}

// passes reports whether a value passes the test in the arguments, or is true if there is none. The value decides
// which items are kept, so its marks become marks of the result.
func (c *Ctx) passes(v value.Value, a Bound) (bool, error) {
	if len(a.Rest()) == 0 {
		if v.Is(value.UndefinedKind) {
			return false, reason(v)
		}
		c.look(v)
		return value.Truthy(v), nil
	}
	name := a.Rest()[0]
	if !name.Is(value.StringKind) {
		return false, errors.New("the test must be a name")
	}
	return c.callTest(name.Str(), v, value.Args{Pos: a.Rest()[1:], Named: a.Named()})
}
