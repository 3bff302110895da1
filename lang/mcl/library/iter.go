package library

import (
	"github.com/yaytpl/yaytpl/value"
)

// iterFunctions returns the functions that call others for the items of lists.
func iterFunctions() []*Func {
	return []*Func{
		{
			Name: "iter.map", Signatures: []string{"func(inputs []?1, function func(?1) ?2) []?2"}, Doc: "the results of a function for each item",
			Example: `iter.map([1, 2], func($x) { $x * 10 })`, Result: `[10, 20]`,
			Call: iterMap,
		},
		{
			Name: "iter.filter", Signatures: []string{"func(inputs []?1, function func(?1) bool) []?1"}, Doc: "the items for which a function is true",
			Example: `iter.filter([1, 2, 3], func($x) { $x > 1 })`, Result: `[2, 3]`,
			Call: iterFilter,
		},
		{
			Name: "iter.reduce",
			Signatures: []string{
				"func(inputs []?1, function func(x ?1, y ?1) ?1) ?1",
				"func(initval ?1, inputs []?1, function func(x ?1, y ?1) ?1) ?1",
			},
			Doc: "the result of a function for the result so far and the next item, from the left", Example: `iter.reduce(["a", "b", "c"], func($a, $x) { "(" + $a + $x + ")" })`, Result: `"((ab)c)"`,
			Call: iterReduce,
		},
		{
			Name: "iter.range", Signatures: []string{"func(int) []int", "func(int, int) []int", "func(int, int, int) []int"},
			Doc: "the integers from a start up to, not with, a stop: (stop), (start, stop), (start, stop, step)", Example: `iter.range(10, 0, -4)`, Result: `[10, 6, 2]`,
			Call: iterRange,
		},
		{
			Name: "iter.flatten", Signatures: []string{"func(inputs [][]?1) []?1"}, Doc: "the items of the lists in a list",
			Example: `iter.flatten([[1], [], [2, 3]])`, Result: `[1, 2, 3]`,
			Call: func(c *Call) (value.Value, error) {
				lists, err := c.items(0)
				if err != nil {
					return value.Null, err
				}
				v, err := c.concat(lists)
				return v.Mark(c.Args[0].Marks()), err
			},
		},
		{
			Name: "iter.zip", Signatures: []string{"func(inputs1 []?1, inputs2 []?2, function func(x ?1, y ?2) ?3) []?3"},
			Doc: "the results of a function for the items of two lists side by side, as long as the shorter one", Example: `iter.zip([1, 2, 3], [10, 20], func($x, $y) { $x + $y })`, Result: `[11, 22]`,
			Call: iterZip,
		},
	}
}

func iterMap(c *Call) (value.Value, error) {
	out := itemList{call: c}
	var args [1]value.Value
	for item, err := range value.Items(c.Args[0].List()) {
		if err != nil {
			return value.Null, err
		}
		args[0] = item
		v, err := c.Apply(c.Args[1], args[:])
		if err != nil {
			return value.Null, err
		}
		if err := out.add(v); err != nil {
			return value.Null, err
		}
	}
	return out.value().Mark(c.Args[0].Marks() | c.Args[1].Marks()), nil
}

func iterFilter(c *Call) (value.Value, error) {
	marks := c.Args[0].Marks() | c.Args[1].Marks()
	out := itemList{call: c}
	var args [1]value.Value
	for item, err := range value.Items(c.Args[0].List()) {
		if err != nil {
			return value.Null, err
		}
		args[0] = item
		holds, err := c.Apply(c.Args[1], args[:])
		if err != nil {
			return value.Null, err
		}
		marks |= holds.Marks()
		if !holds.Bool() {
			continue
		}
		if err := out.add(item); err != nil {
			return value.Null, err
		}
	}
	return out.value().Mark(marks), nil
}

func iterReduce(c *Call) (value.Value, error) {
	last := len(c.Args) - 1
	result, some := c.Args[0], last == 2
	var args [2]value.Value
	for item, err := range value.Items(c.Args[last-1].List()) {
		switch {
		case err != nil:
			return value.Null, err
		case !some:
			result, some = item, true
			continue
		}
		args = [2]value.Value{result, item}
		if result, err = c.Apply(c.Args[last], args[:]); err != nil {
			return value.Null, err
		}
	}
	if !some {
		return value.Null, c.Fail("reduce of an empty list needs a first value")
	}
	return result.Mark(c.Args[last-1].Marks() | c.Args[last].Marks()), nil
}

func iterRange(c *Call) (value.Value, error) {
	start, stop, step := int64(0), c.int(0), int64(1)
	if len(c.Args) > 1 {
		start, stop = c.int(0), c.int(1)
	}
	if len(c.Args) > 2 {
		step = c.int(2)
	}
	if step == 0 {
		return value.Null, c.Fail("the step of a range is zero")
	}
	marks, err := c.Marks()
	r := rangeOf(start, stop, step)
	if err == nil {
		err = c.Step(r.n)
	}
	return value.FromList(r).Mark(marks), err
}

func iterZip(c *Call) (value.Value, error) {
	xs, ys := c.Args[0].List(), c.Args[1].List()
	out := itemList{call: c}
	for i := range min(xs.Len(), ys.Len()) {
		x, err := xs.At(i)
		if err != nil {
			return value.Null, err
		}
		y, err := ys.At(i)
		if err != nil {
			return value.Null, err
		}
		v, err := c.Apply(c.Args[2], []value.Value{x, y})
		if err != nil {
			return value.Null, err
		}
		if err := out.add(v); err != nil {
			return value.Null, err
		}
	}
	return out.value().Mark(c.Args[0].Marks() | c.Args[1].Marks() | c.Args[2].Marks()), nil
}
