package yay

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

func sumOf(c *builtinCall) (value.Value, error) {
	plus := &expr.Binary{Place: expr.Place{At: c.at(0)}, Op: "+", X: c.node.Args[0].Value, Y: c.node.Args[0].Value}
	sum, marks := value.Int(0), c.marks()
	if !c.args[0].Is(value.ListKind) {
		return value.Null, wrongType(c.at(0), "a list of numbers", c.args[0])
	}
	err := c.each(0, func(item value.Value) error {
		n, err := asNumber(item, c.at(0))
		if err != nil {
			return err
		}
		marks |= item.Marks()
		sum, err = arithmetic(c.in, plus, sum, n)
		return err
	})
	return sum.Mark(marks), err
}

func lengthOf(c *builtinCall) (value.Value, error) {
	n := 0
	switch v := c.args[0]; v.Kind() {
	case value.ListKind:
		n = v.List().Len()
	case value.MapKind:
		keys, err := value.KeysOf(v.Map())
		if err != nil {
			return value.Null, placed(err, c.at(0))
		}
		n = len(keys)
	case value.StringKind:
		n = utf8.RuneCountInString(v.Str())
	default:
		return value.Null, wrongType(c.at(0), "a list, a mapping or a string", v)
	}
	return value.Int(int64(n)).Mark(c.marks()), nil
}

func leastOf(c *builtinCall) (value.Value, error)    { return extreme(c, -1) }
func greatestOf(c *builtinCall) (value.Value, error) { return extreme(c, 1) }

// extreme returns the first item that is not before (sign -1) or behind (sign 1) any
// other.
func extreme(c *builtinCall, sign int) (value.Value, error) {
	var best value.Value
	some, marks := false, c.marks()
	take := func(item value.Value, at source.Span) error {
		marks |= item.Marks()
		if !some {
			best, some = item, true
			_, err := order(item, item, at)
			return err
		}
		o, err := order(item, best, at)
		if o*sign > 0 {
			best = item
		}
		return err
	}
	if len(c.args) > 1 {
		for i, v := range c.args {
			if err := take(v, c.at(i)); err != nil {
				return value.Null, err
			}
		}
		return best.Mark(marks), nil
	}
	err := c.each(0, func(item value.Value) error { return take(item, c.at(0)) })
	if err == nil && !some {
		err = source.Errorf(c.at(0), source.WrongType, "expected a list with an item, not an empty one")
	}
	return best.Mark(marks), err
}

// order compares two numbers or two strings.
func order(a, b value.Value, at source.Span) (int, error) {
	if a.Is(value.StringKind) && b.Is(value.StringKind) {
		return strings.Compare(a.Str(), b.Str()), nil
	}
	for _, v := range [2]value.Value{a, b} {
		if !number(v).IsNumber() && !v.Is(value.StringKind) {
			return 0, wrongType(at, "numbers or strings", v)
		}
	}
	if a.Is(value.StringKind) || b.Is(value.StringKind) {
		return 0, source.Errorf(at, source.WrongType, "expected numbers or strings, not a number and a string: they have no order")
	}
	return value.Compare(a, b)
}

func sortedOf(c *builtinCall) (value.Value, error) {
	var items value.Slice
	err := c.each(0, func(item value.Value) error {
		items = append(items, item)
		if len(items) > 1 {
			_, err := order(items[0], item, c.at(0))
			return err
		}
		_, err := order(item, item, c.at(0))
		return err
	})
	if err != nil {
		return value.Null, err
	}
	slices.SortStableFunc(items, func(a, b value.Value) int {
		o, _ := order(a, b, c.at(0)) // all are of the kind of the first
		return o
	})
	return value.FromList(items).Mark(c.marks()), nil
}

func keysOf(c *builtinCall) (value.Value, error) {
	if !c.args[0].Is(value.MapKind) {
		return value.Null, wrongType(c.at(0), "a mapping", c.args[0])
	}
	keys, err := sortedKeys(c.args[0].Map(), c.at(0))
	if err != nil {
		return value.Null, err
	}
	return value.FromList(keys).Mark(c.marks()), nil
}
