package filters

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/yaytpl/yaytpl/value"
)

// dictFilters follow Ansible (dict2items, items2dict, rekey_on_member) and Jinja (items, attr).
func dictFilters() []Func {
	names := []Param{opt("key_name", Text, value.String("key")), opt("value_name", Text, value.String("value"))}
	return family("dicts",
		moving(row("dict2items", "Converts a map to a list of maps with key and value.",
			"{{ {'a': 1} | dict2items }}", `[{"key": "a", "value": 1}]`, with((*Ctx).entries, dictToItems), names...)),
		moving(row("items2dict", "Converts a list of maps with key and value to one map.",
			"{{ [{'key': 'a', 'value': 1}] | items2dict }}", `{"a": 1}`, with((*Ctx).list, itemsToDict), names...)),
		Func{
			Name: "items", Call: dictPairs, flow: moves,
			Doc:     "Returns the [key, value] pairs of a map.",
			Example: "{{ {'a': 1} | items }}", Result: `[["a", 1]]`,
			input: takesUndefined,
		},
		moving(row("rekey_on_member", "Converts a list or map of maps to a map whose keys are the values of one of their keys. Duplicates are an error, or overwrite each other.",
			"{{ [{'n': 'a', 'v': 1}] | rekey_on_member('n') }}", `{"a": {"n": "a", "v": 1}}`,
			rekeyOnMember, req("key", Any), opt("duplicates", Text, value.String("error")))),
		moving(row("attr", "Returns one attribute of the value.",
			"{{ {'a-b': 1} | attr('a-b') }}", "1", attrFilter, req("name", Text), opt("default", Any, value.Null))),
	)
}

func dictToItems(c *Ctx, entries []entry, a Bound) (value.Value, error) {
	if err := c.step(mapSteps * len(entries)); err != nil {
		return value.Null, err
	}
	out := make([]value.Value, len(entries))
	for i, e := range entries {
		m := value.NewMap(2)
		m.Set(value.K(a.Str("key_name")), e.name)
		m.Set(value.K(a.Str("value_name")), e.val)
		out[i] = value.FromMap(m)
	}
	return value.ListOf(out...), nil
}

// itemsToDict builds a map from [{key: k, value: v}, ...]; of equal keys the last one counts, as in Ansible.
func itemsToDict(c *Ctx, items []value.Value, a Bound) (value.Value, error) {
	if err := c.step(filledSteps * len(items)); err != nil {
		return value.Null, err
	}
	m := newMapping(len(items))
	for _, item := range items {
		k, err := member(item, a.Str("key_name"))
		if err != nil {
			return value.Null, err
		}
		v, err := member(item, a.Str("value_name"))
		if err != nil {
			return value.Null, err
		}
		if err := m.set(k, v); err != nil {
			return value.Null, err
		}
	}
	return m.value(), nil
}

// member returns item[name]. A missing key is an error.
func member(item value.Value, name string) (value.Value, error) {
	if !item.Is(value.MapKind) {
		return value.Null, fmt.Errorf("wants a list of maps, got %s in it", value.Article(item.Kind()))
	}
	v, ok, err := item.Map().Get(value.K(name))
	if err == nil && !ok {
		err = fmt.Errorf("an item has no key %q", name)
	}
	return v.Mark(item.Marks()), err
}

// A mapping builds a map. Since keys carry no marks, a marked one marks the whole map.
type mapping struct {
	dict  *value.Dict
	marks value.Marks
}

func newMapping(n int) *mapping { return &mapping{dict: value.NewMap(n)} }

func (m *mapping) set(key, v value.Value) error {
	k, err := value.KeyFor(key)
	if err != nil {
		return err
	}
	m.marks |= key.Marks()
	m.dict.Set(k, v)
	return nil
}

func (m *mapping) value() value.Value { return value.FromMap(m.dict).Mark(m.marks) }

// dictPairs returns the entries as pairs. As in Jinja an undefined value has none.
func dictPairs(c *Ctx, in value.Value, _ Bound) (value.Value, error) {
	if in.Is(value.UndefinedKind) {
		return value.ListOf(), nil
	}
	entries, err := c.entries(in)
	if err == nil {
		err = c.step(entrySteps * len(entries))
	}
	if err != nil {
		return value.Null, err
	}
	out := make([]value.Value, len(entries))
	for i, e := range entries {
		out[i] = value.ListOf(e.name, e.val)
	}
	return value.ListOf(out...), nil
}

// rekeyOnMember is Ansible's filter. The member must be in every item, and its value must be possible as a key.
func rekeyOnMember(c *Ctx, in value.Value, a Bound) (value.Value, error) {
	duplicates := a.Str("duplicates")
	if duplicates != "error" && duplicates != "overwrite" {
		return value.Null, fmt.Errorf("duplicates is \"error\" or \"overwrite\", not %q", duplicates)
	}
	items, err := c.valuesOf(in)
	if err == nil {
		err = c.step(filledSteps * len(items))
	}
	if err != nil {
		return value.Null, err
	}
	name, err := c.text(a.Get("key"))
	if err != nil {
		return value.Null, err
	}
	m := newMapping(len(items))
	for _, item := range items {
		k, err := member(item, name)
		if err != nil {
			return value.Null, err
		}
		before := m.dict.Len()
		if err := m.set(k, item); err != nil {
			return value.Null, err
		}
		if m.dict.Len() == before && duplicates == "error" {
			return value.Null, errors.New("two items have the same value under the key")
		}
	}
	return m.value(), nil
}

// attrFilter is Jinja's attr: it reads one attribute whose name may have dots and hyphens, which a path would split.
func attrFilter(c *Ctx, in value.Value, a Bound) (value.Value, error) {
	marks := in.Marks()
	v, err := c.oneAttr(in, a.Str("name"))
	if v.Is(value.UndefinedKind) && a.Given("default") {
		return a.Get("default"), err
	}
	return v.Mark(marks), err
}

func combineFilters() []Func {
	return family("combine",
		moving(row("combine", "Merges maps; later ones override earlier ones, with recursive also inside of maps. Lists are merged by list_merge: replace, keep, append, prepend, append_rp, prepend_rp.",
			"{{ {'a': {'x': 1}, 'l': [1]} | combine({'a': {'y': 2}, 'l': [2]}, recursive=true, list_merge='append') }}", `{"a": {"x": 1, "y": 2}, "l": [1, 2]}`,
			combine, variadic("others", Any), opt("recursive", Bool, value.False), opt("list_merge", Text, value.String("replace")))),
		moving(row("lists_mergeby", "Joins lists of maps. Maps with the same value under the key, which is the last argument, are merged; the result is sorted by that key.",
			"{{ [{'n': 'a', 'x': 1}] | lists_mergeby([{'n': 'a', 'y': 2}], 'n') }}", `[{"n": "a", "x": 1, "y": 2}]`,
			listsMergeBy, variadic("others", Any), opt("recursive", Bool, value.False), opt("list_merge", Text, value.String("replace")))),
	)
}

// A combiner merges maps for one call of combine or lists_mergeby.
//
//	{a: {x: 1}} | combine({a: {y: 2}})                     {a: {y: 2}}
//	{a: {x: 1}} | combine({a: {y: 2}}, recursive=true)     {a: {x: 1, y: 2}}
type combiner struct {
	c         *Ctx
	recursive bool
	listMerge string

	// made has the maps that this call created and that are in one place only, and so may change.
	made map[*value.Dict]bool

	// merged has the results for pairs of maps since the last argument was begun. A map that is in a hundred places of another is
	// merged with its partner once: {{ a | combine(a, recursive=true) }} takes time in proportion
	// to the maps of a, not to the places where they are.
	merged map[mapPair]value.Value
}

// A mapPair is two maps to merge, with the marks of both.
type mapPair struct {
	under, over value.Map
	marks       value.Marks
}

func (c *Ctx) newCombiner(a Bound) (*combiner, error) {
	switch mode := a.Str("list_merge"); mode {
	case "replace", "keep", "append", "prepend", "append_rp", "prepend_rp":
		return &combiner{c, a.Bool("recursive"), mode, map[*value.Dict]bool{}, map[mapPair]value.Value{}}, nil
	default:
		return nil, fmt.Errorf("unknown list_merge %q; it is replace, keep, append, prepend, append_rp or prepend_rp", mode)
	}
}

// combine is Ansible's combine. Arguments may be lists of maps, one level deep; nulls in them are skipped.
func combine(c *Ctx, in value.Value, a Bound) (value.Value, error) {
	cb, err := c.newCombiner(a)
	if err != nil {
		return value.Null, err
	}
	f := flattener{c: c, skipNulls: true}
	if err := f.add(value.ListOf(append([]value.Value{in}, a.Rest()...)...), 1, 0); err != nil {
		return value.Null, err
	}
	result := value.FromMap(value.NewMap(0))
	for _, m := range f.out {
		if !m.Is(value.MapKind) {
			if m.Is(value.UndefinedKind) {
				return value.Null, reason(m)
			}
			return value.Null, fmt.Errorf("wants maps, got %s", value.Article(m.Kind()))
		}
		if result, err = cb.maps(result, m, 0); err != nil {
			return value.Null, err
		}
	}
	return result, nil
}

// maps returns under with the entries of over, which override entries of the same key.
func (cb *combiner) maps(under, over value.Value, depth int) (value.Value, error) {
	if depth > maxDepth {
		return value.Null, errTooDeep
	}
	if depth == 0 {
		clear(cb.merged) // these maps may change now
	}
	pair := mapPair{under.Map(), over.Map(), under.Marks() | over.Marks()}
	if made, ok := pair.under.(*value.Dict); ok && cb.made[made] || !reflect.TypeOf(pair.under).Comparable() || !reflect.TypeOf(pair.over).Comparable() {
		return cb.merge(under, over, depth)
	}
	if v, ok := cb.merged[pair]; ok {
		if d, ok := v.Map().(*value.Dict); ok {
			delete(cb.made, d)
		}
		return v, nil
	}
	v, err := cb.merge(under, over, depth)
	if err == nil && depth > 0 {
		cb.merged[pair] = v
	}
	return v, err
}

// merge is maps for a pair that was not merged before.
func (cb *combiner) merge(under, over value.Value, depth int) (value.Value, error) {
	above, err := cb.c.entries(over)
	if err == nil {
		err = cb.c.step(filledSteps * len(above))
	}
	if err != nil {
		return value.Null, err
	}
	out, err := cb.own(under)
	if err != nil {
		return value.Null, err
	}
	for _, e := range above {
		if old, ok, _ := out.Get(e.key); ok {
			if e.val, err = cb.values(old, e.val, depth); err != nil {
				return value.Null, err
			}
		}
		out.Set(e.key, e.val)
	}
	return value.FromMap(out).Mark(under.Marks() | over.Marks()), nil
}

// mapSteps is the cost of a map that is made, filledSteps of an entry that is set in it.
const (
	mapSteps    = 20
	filledSteps = 32
)

// own returns m as a map that may be changed: m itself if this call created it, else a
// copy. So combining n maps one after the other does not copy the result n times. The maps in a
// copied map are in two places from then on.
func (cb *combiner) own(m value.Value) (*value.Dict, error) {
	if d, ok := m.Map().(*value.Dict); ok && cb.made[d] {
		return d, nil
	}
	entries, err := cb.c.entries(m)
	if err == nil {
		err = cb.c.step(mapSteps + filledSteps*len(entries))
	}
	if err != nil {
		return nil, err
	}
	d := value.NewMap(len(entries))
	for _, e := range entries {
		d.Set(e.key, e.val)
		if e.val.Is(value.MapKind) {
			if inner, ok := e.val.Map().(*value.Dict); ok {
				delete(cb.made, inner)
			}
		}
	}
	cb.made[d] = true
	return d, nil
}

// values joins the values of one key: maps only in a recursive call, lists by list_merge, all others by replacing.
func (cb *combiner) values(old, newer value.Value, depth int) (value.Value, error) {
	switch {
	case old.Is(value.MapKind) && newer.Is(value.MapKind) && cb.recursive:
		return cb.maps(old, newer, depth+1)
	case old.Is(value.ListKind) && newer.Is(value.ListKind):
		return cb.lists(old, newer)
	}
	return newer, nil
}

// lists joins two lists by list_merge. The modes that end with _rp ("remove present") first remove the items of
// the newer list from the older one.
func (cb *combiner) lists(old, newer value.Value) (value.Value, error) {
	switch cb.listMerge {
	case "keep":
		return old, nil
	case "append":
		return value.Add(old, newer)
	case "prepend":
		return value.Add(newer, old)
	case "append_rp", "prepend_rp":
		rest, err := cb.without(old, newer)
		if err != nil {
			return value.Null, err
		}
		if cb.listMerge == "append_rp" {
			return value.Add(rest, newer)
		}
		return value.Add(newer, rest)
	}
	return newer, nil
}

// without returns the items of list that are not in other, duplicates included.
func (cb *combiner) without(list, other value.Value) (value.Value, error) {
	items, err := cb.c.listItems(list)
	if err != nil {
		return value.Null, err
	}
	drop, err := cb.c.listItems(other)
	if err != nil {
		return value.Null, err
	}
	s := cb.c.newSet(len(drop))
	if _, err := keep(drop, s.add); err != nil {
		return value.Null, err
	}
	kept, err := keep(items, func(item value.Value) (bool, error) {
		found, err := s.has(item)
		return !found, err
	})
	return value.ListOf(kept...).Mark(list.Marks()), err
}

// listsMergeBy is community.general.lists_mergeby: the maps of all lists with the same value under a key are
// merged in the order of the lists, and the result is sorted by that value.
func listsMergeBy(c *Ctx, in value.Value, a Bound) (value.Value, error) {
	cb, err := c.newCombiner(a)
	if err != nil {
		return value.Null, err
	}
	args := a.Rest()
	if len(args) == 0 || !args[len(args)-1].Is(value.StringKind) {
		return value.Null, errors.New("the last argument must be the name of a key")
	}
	name := args[len(args)-1].Str()
	f := flattener{c: c}
	if err := f.add(value.ListOf(append([]value.Value{in}, args[:len(args)-1]...)...), 2, 0); err != nil {
		return value.Null, err
	}
	return cb.mergeBy(f.out, name)
}

func (cb *combiner) mergeBy(items []value.Value, name string) (value.Value, error) {
	byKey := value.NewMap(len(items))
	for _, item := range items {
		v, err := member(item, name)
		if err != nil {
			return value.Null, err
		}
		cb.c.look(v)
		k, err := value.KeyFor(v)
		if err != nil {
			return value.Null, err
		}
		if old, ok, _ := byKey.Get(k); ok {
			if item, err = cb.maps(old, item, 0); err != nil {
				return value.Null, err
			}
		}
		byKey.Set(k, item)
	}
	entries, err := cb.c.entries(value.FromMap(byKey))
	if err != nil {
		return value.Null, err
	}
	ordered := make([]sortItem, len(entries))
	for i, e := range entries {
		ordered[i] = sortItem{e.name, e.val}
	}
	err = cb.c.sortKeyed(ordered, false)
	return listOfItems(ordered), err
}
