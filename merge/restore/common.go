package restore

import (
	"slices"
	"sort"

	"github.com/yaytpl/yaytpl/value"
)

// Common returns, for each item of b, the index of the item of a that it is, -1 for none:
// a longest common subsequence of two lists.
func Common(a, b []value.Value) []int {
	match := slices.Repeat([]int{-1}, len(b))
	x, y := fingerprints(a), fingerprints(b)
	start := 0
	for start < len(x) && start < len(y) && x[start] == y[start] {
		match[start] = start
		start++
	}
	endA, endB := len(x), len(y)
	for endA > start && endB > start && x[endA-1] == y[endB-1] {
		endA, endB = endA-1, endB-1
		match[endB] = endA
	}
	for _, p := range commonPairs(x[start:endA], y[start:endB]) {
		match[start+p.b] = start + p.a
	}
	return match
}

// A pair is the index of an item in each of two lists.
type pair struct{ a, b int }

// A link is a pair at the end of a sequence of pairs.
type link struct {
	pair
	before *link
}

// commonPairs returns a longest common subsequence, by way of the longest increasing
// sequence of the places of equal items (Hunt and Szymanski 1977).
func commonPairs(x, y []string) []pair {
	places := map[string][]int{}
	for i, s := range x {
		places[s] = append(places[s], i)
	}
	var ends []*link // ends[n] is the end of a sequence of n+1 pairs, as early in x as can be
	for j, s := range y {
		for _, i := range slices.Backward(nearby(places[s], j-len(y)+len(x))) {
			n := sort.Search(len(ends), func(n int) bool { return ends[n].a >= i })
			if n < len(ends) && ends[n].a == i {
				continue
			}
			next := &link{pair: pair{i, j}}
			if n > 0 {
				next.before = ends[n-1]
			}
			if n == len(ends) {
				ends = append(ends, next)
			} else {
				ends[n] = next
			}
		}
	}
	var found []pair
	if len(ends) > 0 {
		for at := ends[len(ends)-1]; at != nil; at = at.before {
			found = append(found, at.pair)
		}
	}
	return found
}

// mostPlaces bounds how many of the items that are equal to one item are considered:
// lists of nothing but equal items would take time in the square of their length.
const mostPlaces = 64

// nearby returns those of some places in order that are about at one.
func nearby(places []int, at int) []int {
	if len(places) <= mostPlaces {
		return places
	}
	from := min(sort.SearchInts(places, at-mostPlaces/2), len(places)-mostPlaces)
	return places[from:][:mostPlaces]
}
