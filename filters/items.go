package filters

import (
	"fmt"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/value"
)

// items returns what iterating over v gives: items, characters or keys. What is in
// a marked collection is marked.
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
		if err := c.reserveItems(v.Map().Len()); err != nil {
			return nil, err
		}
		keys := make([]value.Value, 0, v.Map().Len())
		for k := range v.Map().Keys() {
			keys = append(keys, k.Value().Mark(v.Marks()))
		}
		return keys, nil
	case value.UndefinedKind:
		return nil, reason(v)
	}
	return nil, fmt.Errorf("wants a list, got %s", value.Article(v.Kind()))
}

func (c *Ctx) listItems(v value.Value) ([]value.Value, error) {
	if err := c.step(v.List().Len()); err != nil {
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

// An entry is a key of a map with its value.
type entry struct {
	key value.Key
	val value.Value
}

// entries returns what is in the map v, marked if v is.
func (c *Ctx) entries(v value.Value) ([]entry, error) {
	if !v.Is(value.MapKind) {
		return nil, fmt.Errorf("wants a map, got %s", value.Article(v.Kind()))
	}
	m := v.Map()
	if err := c.step(m.Len()); err != nil {
		return nil, err
	}
	out := make([]entry, 0, m.Len())
	for k := range m.Keys() {
		item, ok, err := m.Get(k)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, entry{k, item.Mark(v.Marks())})
		}
	}
	return out, nil
}

// sortEntries orders entries by their keys.
func sortEntries(entries []entry) {
	slices.SortStableFunc(entries, func(x, y entry) int { return strings.Compare(x.key.Text, y.key.Text) })
}

// valuesOf returns the items of a list or the values of a map.
func (c *Ctx) valuesOf(v value.Value) ([]value.Value, error) {
	if !v.Is(value.MapKind) {
		return c.items(v)
	}
	entries, err := c.entries(v)
	out := make([]value.Value, len(entries))
	for i, e := range entries {
		out[i] = e.val
	}
	return out, err
}

// pair reads a list of two.
func (c *Ctx) pair(v value.Value) ([]value.Value, error) {
	if !v.Is(value.ListKind) {
		return nil, fmt.Errorf("wants a list of two, got %s", value.Article(v.Kind()))
	}
	items, err := c.listItems(v)
	if err == nil && len(items) != 2 {
		err = fmt.Errorf("wants a list of two, got %d items", len(items))
	}
	return items, err
}

// pairs reads a map, or a list of lists of two.
func (c *Ctx) pairs(v value.Value) ([][2]value.Value, error) {
	var out [][2]value.Value
	if v.Is(value.MapKind) {
		entries, err := c.entries(v)
		for _, e := range entries {
			out = append(out, [2]value.Value{e.key.Value(), e.val})
		}
		return out, err
	}
	items, err := c.items(v)
	if err != nil {
		return nil, err
	}
	for _, item := range items {
		two, err := c.items(item)
		if err != nil {
			return nil, err
		}
		if len(two) != 2 {
			return nil, fmt.Errorf("wants a list of pairs, got %d items in one", len(two))
		}
		out = append(out, [2]value.Value{two[0], two[1]})
	}
	return out, nil
}
