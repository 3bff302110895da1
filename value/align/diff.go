package align

import "github.com/yaytpl/yaytpl/value"

// Diff is [value.Diff], or with masked set [value.DiffMasked], with the items of lists compared in pairs. If all
// items of both lists have a field "name", "id" or "key" of their own, the lists are compared by it in any order;
// otherwise the pairs are in the order of both lists. With masked set, lists with hidden values and without such a
// field are compared by position: nobody finds a hidden value by comparing it with guesses.
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
			if of, ok := pairBy(field, a, b); ok {
				return of
			}
		}
		p := &Pairing{}
		if masked && (hidesAny(a) || hidesAny(b)) {
			p = EqualKeys(a, b, make([]uint64, len(a)), make([]uint64, len(b)))
		} else {
			p = Lists(a, b, Rules{InOrder: true, Budget: &budget})
		}
		return p.From
	})
}

// hidesAny reports whether an item has a hidden part, or one that cannot be evaluated.
func hidesAny(items []value.Value) bool {
	for _, v := range items {
		if marks, err := value.DeepMarks(v); err != nil || marks != 0 {
			return true
		}
	}
	return false
}

// pairBy pairs maps by a field that all of them have, each another one. It returns false if some do not.
func pairBy(field string, a, b []value.Value) ([]int, bool) {
	x, okA := identities(field, a)
	y, okB := identities(field, b)
	if !okA || !okB {
		return nil, false
	}
	of := make([]int, len(b))
	for j := range of {
		of[j] = -1
	}
	for id, j := range y {
		if i, ok := x[id]; ok {
			of[j] = i
		}
	}
	return of, true
}

// identities returns the indexes of items by the value of a field, and false if an item has none of
// its own, or one that is hidden.
func identities(field string, items []value.Value) (map[value.Key]int, bool) {
	at := make(map[value.Key]int, len(items))
	for i, v := range items {
		k, ok := value.FieldKey(v, field)
		if _, twice := at[k]; !ok || twice || v.Marks() != 0 {
			return nil, false
		}
		if id, _, _ := v.Map().Get(value.K(field)); id.Marks() != 0 {
			return nil, false
		}
		at[k] = i
	}
	return at, true
}
