package restore

import (
	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/value"
)

// reorder brings the entries of a map into the order in which they are wanted, if the map
// alone says what that is.
func (x *mapEdit) reorder() {
	if x.opts.KeepOrder || x.base.ok || x.soft.ok {
		return
	}
	var now, want []value.Key
	for _, e := range x.m.entries {
		key := e.key
		if to, ok := x.renamed[key]; ok {
			key = to
		}
		if x.placed[key] {
			now = append(now, key)
		}
	}
	staying := map[value.Key]bool{}
	for _, k := range now {
		staying[k] = true
	}
	for k := range x.want.v.Map().Keys() {
		if staying[k] {
			want = append(want, k)
		}
	}
	for _, move := range movesTo(now, want) {
		e := roundtrip.Edit{Op: roundtrip.Move, Path: longer(x.text, move.key)}
		if move.first {
			e.Place.Where = roundtrip.First
		} else {
			e.Place = roundtrip.Place{Where: roundtrip.After, Key: move.after}
		}
		x.edit(e)
	}
}

// A move puts an entry behind another one, or at the front.
type move struct {
	key, after value.Key
	first      bool
}

// movesTo returns the fewest moves that bring keys into an order of the same keys. Those
// of the longest run that is in order already stay where they are.
func movesTo(now, want []value.Key) []move {
	at := make(map[value.Key]int, len(now))
	for i, k := range now {
		at[k] = i
	}
	positions := make([]int, len(want))
	for i, k := range want {
		positions[i] = at[k]
	}
	stays := longestRise(positions)
	var moves []move
	for i, k := range want {
		switch {
		case stays[i]:
		case i == 0:
			moves = append(moves, move{key: k, first: true})
		default:
			moves = append(moves, move{key: k, after: want[i-1]})
		}
	}
	return moves
}

// longestRise marks a longest increasing subsequence (patience sorting).
func longestRise(seq []int) []bool {
	before := make([]int, len(seq))
	var ends []int // of runs of length i+1: the index of the smallest last element
	for i, n := range seq {
		lo, hi := 0, len(ends)
		for lo < hi {
			mid := (lo + hi) / 2
			if seq[ends[mid]] < n {
				lo = mid + 1
			} else {
				hi = mid
			}
		}
		before[i] = -1
		if lo > 0 {
			before[i] = ends[lo-1]
		}
		if lo == len(ends) {
			ends = append(ends, i)
		} else {
			ends[lo] = i
		}
	}
	in := make([]bool, len(seq))
	if len(ends) == 0 {
		return in
	}
	for i := ends[len(ends)-1]; i >= 0; i = before[i] {
		in[i] = true
	}
	return in
}
