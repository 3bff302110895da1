package expr

import (
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Located is implemented by raw maps and lists that know where their entries stand.
// Diagnostics about an expression in them are then precise.
type Located interface {
	// Locate returns the place of an entry; list items go by [value.Index].
	Locate(k value.Key) (Placer, bool)
}

// A compiler turns raw data into nodes.
type compiler struct {
	depth, parts int
	marks        value.Marks // of the data that was looked at
}

const (
	maxDataNesting = 10_000
	maxParts       = 1_000_000 // of one expression: lists that hold each other have no end of them
)

// enter counts a part of the data; leave ends it.
func (c *compiler) enter(v value.Value, at Placer) error {
	c.marks |= v.Marks()
	if c.depth++; c.depth > maxDataNesting {
		return source.Errorf(at.TextSpan(0, 0), source.Limit, "data in an expression is nested more than %d deep", maxDataNesting)
	}
	if c.parts++; c.parts > maxParts {
		return source.Errorf(at.TextSpan(0, 0), source.Limit, "the expression has more than %d parts", maxParts)
	}
	return nil
}

func (c *compiler) leave() { c.depth-- }

// data compiles a value. Constant parts stay the values that they are.
func (c *compiler) data(v value.Value, at Placer) (Node, error) {
	if err := c.enter(v, at); err != nil {
		return nil, err
	}
	defer c.leave()
	if v.IsVerbatim() {
		return &Lit{placeOf(at, v), v}, nil
	}
	switch v.Kind() {
	case value.StringKind:
		if IsTemplate(v.Str()) {
			return c.text(v, at)
		}
	case value.ListKind:
		return c.list(v, at)
	case value.MapKind:
		if _, final := instance(v); final {
			break
		}
		if isObject(v.Map()) {
			return c.object(v, at)
		}
		return c.plainMap(v, at)
	}
	return &Lit{placeOf(at, v), v}, nil
}

func placeOf(at Placer, v value.Value) Place { return Place{at.TextSpan(0, len(v.Str()))} }

func entryPlace(of any, k value.Key, otherwise Placer) Placer {
	if l, ok := of.(Located); ok {
		if at, ok := l.Locate(k); ok {
			return at
		}
	}
	return Nowhere(otherwise.TextSpan(0, 0))
}

func (c *compiler) list(v value.Value, at Placer) (Node, error) {
	items := make([]Node, 0, v.List().Len())
	constant := true
	for item, err := range value.Items(v.List()) {
		if err != nil {
			return nil, err
		}
		n, err := c.data(item, entryPlace(v.List(), value.Index(len(items)), at))
		if err != nil {
			return nil, err
		}
		constant = constant && isLit(n)
		items = append(items, n)
	}
	if constant {
		return &Lit{placeOf(at, v), v}, nil
	}
	return &List{placeOf(at, v), items}, nil
}

func (c *compiler) plainMap(v value.Value, at Placer) (Node, error) {
	m := v.Map()
	entries := make([]Entry, 0, m.Len())
	constant := true
	for k := range m.Keys() {
		item, _, err := m.Get(k)
		if err != nil {
			return nil, err
		}
		n, err := c.data(item, entryPlace(m, k, at))
		if err != nil {
			return nil, err
		}
		constant = constant && isLit(n)
		entries = append(entries, Entry{&Lit{placeOf(at, v), k.Value()}, n})
	}
	if constant {
		return &Lit{placeOf(at, v), v}, nil
	}
	return &Map{placeOf(at, v), entries}, nil
}

func isLit(n Node) bool {
	_, ok := n.(*Lit)
	return ok
}

// text compiles a text that stands where an expression is wanted. What it gives has
// the marks of the text.
func (c *compiler) text(v value.Value, at Placer) (Node, error) {
	c.marks |= v.Marks()
	if IsTemplate(v.Str()) && !v.IsVerbatim() {
		return &Template{placeOf(at, v), v.Str(), at, v.Marks()}, nil
	}
	p, err := ParsePath(v.Str(), at)
	if err != nil {
		return nil, err
	}
	p.marks = v.Marks()
	return p, nil
}

// verbatim returns v with everything in it marked as final.
func (c *compiler) verbatim(v value.Value, at Placer) (value.Value, error) {
	if err := c.enter(v, at); err != nil {
		return v, err
	}
	defer c.leave()
	switch v.Kind() {
	case value.ListKind:
		items, err := listItems(v)
		if err != nil {
			return v, err
		}
		for i := range items {
			if items[i], err = c.verbatim(items[i], at); err != nil {
				return v, err
			}
		}
		v = value.ListOf(items...).Mark(v.Marks())
	case value.MapKind:
		m := value.NewMap(v.Map().Len())
		for k := range v.Map().Keys() {
			item, _, err := v.Map().Get(k)
			if err != nil {
				return v, err
			}
			if item, err = c.verbatim(item, at); err != nil {
				return v, err
			}
			m.Set(k, item)
		}
		v = value.FromMap(m).Mark(v.Marks())
	}
	return v.Verbatim(), nil
}
