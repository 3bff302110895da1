package align

import (
	"slices"

	"github.com/yaytpl/yaytpl/value"
)

// Diff is [value.Diff], or with masked set [value.DiffMasked], with the items of lists compared in pairs. If there is
// a field (name, id or key) in which all items of both lists differ, they are paired by it in any order; otherwise
// pairs do not cross. With masked set, lists with hidden values and without such names are compared by position: nobody
// finds a hidden value by comparing it with guesses.
//
//	[x, p, y]             x is x, p becomes q, y is y, z is new
//	[x, q, y, z]
//
//	[{name: a}, {name: b, v: 1}]
//	[{name: b, v: 2}]     b has another v, a is deleted
func Diff(a, b value.Value, masked bool) ([]value.Change, error) {
	budget := MaxSteps
	return value.DiffItems(a, b, masked, func(a, b []value.Value) []int {
		for _, field := range value.ItemFields {
			if from, ok := byField(field, a, b); ok {
				return from
			}
		}
		if masked && (hidesAny(a) || hidesAny(b)) {
			return Common(make([]bool, len(a)), make([]bool, len(b)))
		}
		return Lists(a, b, Rules{InOrder: true, Budget: &budget}).From
	})
}

// hidesAny reports whether an item has a hidden part, or one that cannot be evaluated.
func hidesAny(items []value.Value) bool {
	return slices.ContainsFunc(items, func(v value.Value) bool {
		marks, err := value.DeepMarks(v)
		return err != nil || marks != 0
	})
}

// byField pairs maps by a field in which all of them differ: for each item of b the index of the one in a, -1 if it is
// new. It returns false if an item has no such field, or a hidden one.
func byField(field string, a, b []value.Value) ([]int, bool) {
	inA, okA := fieldKeys(field, a)
	inB, okB := fieldKeys(field, b)
	if !okA || !okB {
		return nil, false
	}
	from := slices.Repeat([]int{-1}, len(b))
	for key, j := range inB {
		if i, both := inA[key]; both {
			from[j] = i
		}
	}
	return from, true
}

// fieldKeys returns the indexes of items by the value of a field.
func fieldKeys(field string, items []value.Value) (map[value.Key]int, bool) {
	at := make(map[value.Key]int, len(items))
	for i, v := range items {
		key, ok := value.FieldKey(v, field)
		if _, again := at[key]; !ok || again || v.Marks() != 0 {
			return nil, false
		}
		if id, _, _ := v.Map().Get(value.K(field)); id.Marks() != 0 {
			return nil, false
		}
		at[key] = i
	}
	return at, true
}
