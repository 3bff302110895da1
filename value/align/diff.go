package align

import (
	"slices"

	"github.com/yaytpl/yaytpl/value"
)

// Diff is [value.Diff], or with masked set [value.DiffMasked], with the items of lists compared in pairs. If all
// items of both lists have names of their own, the order of the lists does not count; otherwise pairs do not
// cross. With masked set, lists with hidden values and without such names are compared by position: nobody
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
		switch {
		case areNamed(a) && areNamed(b):
			p := Equal(a, b, &budget)
			p.Named()
			return p.From
		case masked && (hidesAny(a) || hidesAny(b)):
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

// areNamed reports whether all items have names of their own that are not hidden.
func areNamed(items []value.Value) bool {
	seen := make(map[Name]bool, len(items))
	for _, v := range items {
		name, ok := NameOf(v)
		if !ok || seen[name] || v.Marks() != 0 {
			return false
		}
		if id, _, _ := v.Map().Get(value.K(name.Field)); id.Marks() != 0 {
			return false
		}
		seen[name] = true
	}
	return true
}
