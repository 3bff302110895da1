package filters

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/value"
)

// attr reads the attribute at a dotted path, as map(attribute='a.b.0') writes it.
func (c *Ctx) attr(v value.Value, path string) (value.Value, error) {
	for part := range strings.SplitSeq(path, ".") {
		marks := v.Marks()
		var err error
		if v, err = c.oneAttr(v, part); err != nil || v.Is(value.UndefinedKind) {
			return v, err
		}
		v = v.Mark(marks)
	}
	return v, nil
}

// oneAttr reads one attribute or item; a missing one is undefined.
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

// attributes returns the items of in, or of each the attribute at a dotted path.
func (c *Ctx) attributes(in, attribute value.Value) ([]value.Value, error) {
	items, err := c.items(in)
	if err != nil {
		return nil, err
	}
	return items, c.toAttributes(items, attribute)
}

// toAttributes puts an attribute of each item in its place. Null is the item itself.
func (c *Ctx) toAttributes(items []value.Value, attribute value.Value) error {
	if attribute.IsNull() {
		return nil
	}
	path, err := c.text(attribute)
	for i := range items {
		if err != nil {
			return err
		}
		items[i], err = c.attr(items[i], path)
	}
	return err
}

// replaceUndefined puts a value in the place of undefined ones.
func replaceUndefined(items []value.Value, by value.Value) {
	for i := range items {
		if items[i].Is(value.UndefinedKind) {
			items[i] = by
		}
	}
}
