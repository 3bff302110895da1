package filters

import (
	"strings"

	"github.com/yaytpl/yaytpl/value"
)

// text returns v as templates write it, for a filter that goes through it. The size is checked first: a few shared
// lists can stand for an endless text.
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
	out := make([]string, len(items))
	for i, item := range items {
		if out[i], err = c.text(item); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// textList makes a list of texts.
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

// join joins texts, asking first whether the result may be made.
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
