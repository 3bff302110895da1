package filters

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/value"
)

// items returns the items of a list, characters of a text or keys of a map, with the
// marks of v.
func (c *Ctx) items(v value.Value) ([]value.Value, error) {
	switch v.Kind() {
	case value.ListKind:
		return c.listItems(v)
	case value.StringKind:
		if err := c.reserveItems(len(v.Str())); err != nil {
			return nil, err
		}
		return characters(v), nil
	case value.MapKind:
		if err := c.reserveItems(entrySteps * v.Map().Len()); err != nil {
			return nil, err
		}
		keys, err := value.KeyScalars(v.Map())
		for i := range keys {
			keys[i] = keys[i].Mark(v.Marks())
		}
		return keys, err
	case value.UndefinedKind:
		return nil, reason(v)
	}
	return nil, value.Wants("a list", v.Kind())
}

// itemsIfAny returns the items of v. As in Jinja a value that counts as false, such as null, has
// none.
func (c *Ctx) itemsIfAny(v value.Value) ([]value.Value, error) {
	if !value.Truthy(v) {
		return nil, nil
	}
	return c.items(v)
}

func (c *Ctx) listItems(v value.Value) ([]value.Value, error) {
	if err := c.step(itemSteps * (1 + v.List().Len())); err != nil { // making a list of no item takes time, too
		return nil, err
	}
	items := make([]value.Value, 0, v.List().Len())
	for item, err := range value.Items(v.List()) {
		if err != nil {
			return nil, err
		}
		items = append(items, item.Mark(v.Marks()))
	}
	return items, nil
}

func characters(v value.Value) []value.Value {
	s := v.Str()
	items := make([]value.Value, 0, len(s))
	for i, r := range s {
		n := len(string(r))
		if r == '\uFFFD' && s[i] != 0xEF {
			n = 1
		}
		items = append(items, value.String(s[i:i+n]).Mark(v.Marks()))
	}
	return items
}

// An entry is a key of a map with its value. name is the key as a scalar, with the spelling
// of the source.
type entry struct {
	key       value.Key
	name, val value.Value
}

// entries returns the entries of the map v, with the marks of v.
func (c *Ctx) entries(v value.Value) ([]entry, error) {
	if !v.Is(value.MapKind) {
		return nil, value.Wants("a map", v.Kind())
	}
	m := v.Map()
	if err := c.step(entrySteps * m.Len()); err != nil {
		return nil, err
	}
	out := make([]entry, 0, m.Len())
	for k, name := range value.KeyValues(m) {
		item, ok, err := m.Get(k)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, entry{k, name, item.Mark(v.Marks())})
		}
	}
	return out, nil
}

// sortEntries sorts entries by their keys.
func sortEntries(entries []entry) {
	slices.SortStableFunc(entries, func(x, y entry) int { return strings.Compare(x.key.Text, y.key.Text) })
}

// valuesOf returns the items of a list or the values of a map.
func (c *Ctx) valuesOf(v value.Value) ([]value.Value, error) {
	if !v.Is(value.MapKind) {
		return c.items(v)
	}
	entries, err := c.entries(v)
	if err != nil {
		return nil, err
	}
	return convert(entries, func(e entry) (value.Value, error) { return e.val, nil })
}

// list returns the items of a list. Other values are an error.
func (c *Ctx) list(v value.Value) ([]value.Value, error) {
	if !v.Is(value.ListKind) {
		return nil, value.Wants("a list", v.Kind())
	}
	return c.listItems(v)
}

// oneOrMany returns the items of a list; another value is the only item.
func (c *Ctx) oneOrMany(v value.Value) ([]value.Value, error) {
	if v.Is(value.ListKind) {
		return c.listItems(v)
	}
	return []value.Value{v}, nil
}

// pair returns the items of a list of two.
func (c *Ctx) pair(v value.Value) ([]value.Value, error) {
	items, err := c.list(v)
	if err == nil && len(items) != 2 {
		err = fmt.Errorf("wants a list of two, got %d items", len(items))
	}
	return items, err
}

// pairs returns the entries of a map, or the items of a list of lists of two.
func (c *Ctx) pairs(v value.Value) ([][2]value.Value, error) {
	var out [][2]value.Value
	if v.Is(value.MapKind) {
		entries, err := c.entries(v)
		for _, e := range entries {
			out = append(out, [2]value.Value{e.name, e.val})
		}
		return out, err
	}
	items, err := c.items(v)
	if err != nil {
		return nil, err
	}
	return convert(items, func(item value.Value) (pair [2]value.Value, err error) {
		two, err := c.items(item)
		if err == nil && len(two) != 2 {
			err = fmt.Errorf("wants a list of pairs, got %d items in one", len(two))
		}
		if err != nil {
			return pair, err
		}
		return [2]value.Value(two), nil
	})
}

// attr returns the attribute at a dotted path, such as a.b.0 in map(attribute='a.b.0').
func (c *Ctx) attr(v value.Value, path string) (value.Value, error) {
	for more := true; more; {
		var part string
		part, path, more = strings.Cut(path, ".")
		marks := v.Marks()
		var err error
		if v, err = c.oneAttr(v, part); err != nil || v.Is(value.UndefinedKind) {
			return v, err
		}
		v = v.Mark(marks)
	}
	return v, nil
}

// oneAttr returns one attribute or item; a missing one is undefined.
func (c *Ctx) oneAttr(v value.Value, name string) (value.Value, error) {
	if c.Caller != nil {
		return c.Caller.Attr(v, name)
	}
	return attribute(v, name)
}

// attribute is oneAttr for plain maps and lists.
func attribute(v value.Value, name string) (value.Value, error) {
	switch v.Kind() {
	case value.MapKind:
		for _, k := range []value.Key{value.K(name), {Text: name, Kind: value.IntKind}} {
			if item, ok, err := v.Map().Get(k); ok || err != nil {
				return item, err
			}
		}
	case value.ListKind:
		i, err := strconv.Atoi(name)
		if n := v.List().Len(); err == nil && i < n && i >= -n {
			return v.List().At((i + n) % n)
		}
	case value.UndefinedKind:
		return v, nil
	}
	return value.Undefined(fmt.Errorf("%s has no attribute %q", value.Article(v.Kind()), name)), nil
}

// convert returns f of each item, or the first error.
func convert[S, T any](items []S, f func(S) (T, error)) ([]T, error) {
	out := make([]T, len(items))
	for i, item := range items {
		var err error
		if out[i], err = f(item); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// keep returns the items that f reports true for, or the first error.
func keep(items []value.Value, f func(value.Value) (bool, error)) ([]value.Value, error) {
	out := []value.Value{}
	for _, item := range items {
		ok, err := f(item)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, item)
		}
	}
	return out, nil
}

// listOf returns items as a list; its parameters are the results of a function.
func listOf(items []value.Value, err error) (value.Value, error) {
	return value.ListOf(items...), err
}

// attributes returns the items of in, or the attribute at a dotted path of each item.
func (c *Ctx) attributes(in, attribute value.Value) ([]value.Value, error) {
	items, err := c.items(in)
	if err != nil {
		return nil, err
	}
	return items, c.toAttributes(items, attribute)
}

// toAttributes replaces each item by its attribute. If the attribute is null it does
// nothing.
func (c *Ctx) toAttributes(items []value.Value, attribute value.Value) error {
	if attribute.IsNull() {
		return nil
	}
	path, err := c.digits(attribute)
	for i := 0; i < len(items) && err == nil; i++ {
		items[i], err = c.attr(items[i], path)
	}
	return err
}

// replaceUndefined replaces undefined items.
func replaceUndefined(items []value.Value, by value.Value) {
	for i := range items {
		if items[i].Is(value.UndefinedKind) {
			items[i] = by.Mark(items[i].Marks())
		}
	}
}

// text returns v as templates write it, and counts the work of reading it. It checks the
// size first: a list that has another twice, which has another twice and so on, is small
// and its text is not.
func (c *Ctx) text(v value.Value) (string, error) {
	if err := c.measure(v); err != nil {
		return "", err
	}
	s, err := value.Text(v)
	if err != nil {
		return "", err
	}
	return s, c.read(len(s))
}

// digits is text for filters that read a number in the text: a number has the spelling of a
// computed one.
func (c *Ctx) digits(v value.Value) (string, error) { return c.text(v.WithoutSource()) }

func (c *Ctx) repr(v value.Value) (string, error) {
	if err := c.measure(v); err != nil {
		return "", err
	}
	return value.Repr(v)
}

// texts returns the texts of the items of a list.
func (c *Ctx) texts(v value.Value) ([]string, error) {
	items, err := c.items(v)
	if err != nil {
		return nil, err
	}
	return convert(items, c.text)
}

// textList returns a list of texts.
func (c *Ctx) textList(parts []string) (value.Value, error) {
	if err := c.reserveItems(len(parts)); err != nil {
		return value.Null, err
	}
	items := make([]value.Value, len(parts))
	for i, s := range parts {
		items[i] = value.String(s)
	}
	return value.ListOf(items...), nil
}

// join joins texts. It checks the limit before it allocates.
func (c *Ctx) join(parts []string, sep string) (value.Value, error) {
	size := 0
	for _, p := range parts {
		size += len(p) + len(sep)
		if err := c.fits(size); err != nil {
			return value.Null, err
		}
	}
	return value.String(strings.Join(parts, sep)), nil
}

// joinValues joins the texts of values.
func (c *Ctx) joinValues(items []value.Value, sep value.Value) (value.Value, error) {
	var b value.TextBuilder
	for i, item := range items {
		if i > 0 {
			_ = b.WriteValue(sep, sep.Str()) // fails for lists and maps only
		}
		text, err := c.text(item)
		if err == nil {
			err = c.fits(b.Len() + len(text) + len(sep.Str()))
		}
		if err == nil {
			err = b.WriteValue(item, text)
		}
		if err != nil {
			return value.Null, err
		}
	}
	return b.Value(), nil
}

func pick(holds bool, a, b string) string {
	if holds {
		return a
	}
	return b
}

// A call does the work of a Func on bound arguments.
type call = func(c *Ctx, in value.Value, a Bound) (value.Value, error)

// itself is the call of filters and methods that return the piped value.
func itself(_ *Ctx, in value.Value, _ Bound) (value.Value, error) { return in, nil }

// with returns a call of f, which takes the piped value as read returns it:
// with((*Ctx).items, f) calls f with the items of a list.
func with[T any](read func(*Ctx, value.Value) (T, error), f func(*Ctx, T, Bound) (value.Value, error)) call {
	return func(c *Ctx, in value.Value, a Bound) (value.Value, error) {
		v, err := read(c, in)
		if err != nil {
			return value.Null, err
		}
		return f(c, v, a)
	}
}
