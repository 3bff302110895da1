package restore

import "github.com/yaytpl/yaytpl/value"

// onlyPairs pairs values that went with equal ones that came, where there is one of each:
// what has just one twin is most likely the same thing in another place. It returns the
// index in come for each index in gone, -1 for none.
func onlyPairs(gone, come []value.Value) []int {
	pairs := make([]int, len(gone))
	for i := range pairs {
		pairs[i] = -1
	}
	if len(gone) == 0 || len(come) == 0 {
		return pairs
	}
	type count struct{ gone, come, last int }
	counts := map[string]count{}
	texts := fingerprints(gone)
	for _, text := range texts {
		c := counts[text]
		c.gone++
		counts[text] = c
	}
	for j, text := range fingerprints(come) {
		c := counts[text]
		c.come++
		c.last = j
		counts[text] = c
	}
	for i, text := range texts {
		if c := counts[text]; c.gone == 1 && c.come == 1 {
			pairs[i] = c.last
		}
	}
	return pairs
}

// A keyed is an entry of a map.
type keyed struct {
	key value.Key
	v   value.Value
}

// renames returns the keys that entries have got which went while others came with the same
// value.
func renames(gone, come []keyed) map[value.Key]value.Key {
	names := map[value.Key]value.Key{}
	for i, j := range onlyPairs(valuesOf(gone), valuesOf(come)) {
		if j >= 0 {
			names[gone[i].key] = come[j].key
		}
	}
	return names
}

func valuesOf(entries []keyed) []value.Value {
	values := make([]value.Value, len(entries))
	for i, e := range entries {
		values[i] = e.v
	}
	return values
}
