package restore

import (
	"slices"

	"github.com/yaytpl/yaytpl/value"
)

// An alignment says which item of the text becomes which item of a list.
type alignment struct {
	from  []int     // for each wanted item its token, -1 for a new one
	kept  []bool    // for each token whether it stays
	order []element // the items of the text after the edit
}

// An element is an item of the text after the edit: a token, or a new item. That is a wanted item,
// or override, if that is set.
type element struct {
	token, want int
	override    *listItem
}

// stays marks the elements of the order that stay in place while others are moved around
// them: as many as possible.
func (a *alignment) stays() []bool {
	var seq, where []int
	for n, e := range a.order {
		if e.token >= 0 {
			seq, where = append(seq, e.token), append(where, n)
		}
	}
	stays := make([]bool, len(a.order))
	for i, rises := range longestRise(seq) {
		stays[where[i]] = rises
	}
	return stays
}

// align finds the source of each wanted item: first equal items in order, then equal items
// that were moved, then items with the same name, then items between the same neighbours
// (spec: roundtrip, section 4). With keepOrder nothing is moved.
func align(tokens []token, want []value.Value, keepOrder bool) alignment {
	x := &aligner{tokens: tokens, want: want}
	for i, t := range tokens {
		for _, v := range t.values {
			x.flat, x.owner = append(x.flat, v), append(x.owner, i)
		}
	}
	x.from, x.kept = make([]int, len(want)), make([]bool, len(tokens))
	match := Common(x.flat, want)
	dropBroken(tokens, x.owner, match)
	for j, f := range match {
		x.from[j] = -1
		if f >= 0 {
			x.from[j] = x.owner[f]
			x.kept[x.owner[f]] = true
		}
	}
	if slices.Contains(x.from, -1) {
		if !keepOrder {
			x.byEquality()
			x.byIdentity()
		}
		x.byPosition()
	}
	x.arranged()
	return x.alignment
}

// An aligner builds an alignment.
type aligner struct {
	alignment
	tokens []token
	want   []value.Value
	flat   []value.Value // the values of all tokens
	owner  []int         // the token of each value
}

// byEquality pairs tokens that were moved: all their items are wanted, one after the
// other, in a place that has no source yet. Each token gets the first such place.
func (x *aligner) byEquality() {
	wanted := map[string][]int{}
	texts := fingerprints(x.want)
	for j, text := range texts {
		if x.from[j] < 0 {
			wanted[text] = append(wanted[text], j)
		}
	}
	for i, t := range x.tokens {
		if len(t.values) == 0 || x.kept[i] {
			continue
		}
		items := fingerprints(t.values)
		first := items[0]
		for len(wanted[first]) > 0 && x.from[wanted[first][0]] >= 0 {
			wanted[first] = wanted[first][1:]
		}
		for _, j := range wanted[first] {
			end := j + len(items)
			if end > len(texts) || !slices.Equal(items, texts[j:end]) || slices.Max(x.from[j:end]) >= 0 {
				continue
			}
			for k := j; k < end; k++ {
				x.from[k] = i
			}
			x.kept[i] = true
			break
		}
	}
}

// dropBroken removes the matches of a splice whose items are not all wanted one after the
// other.
func dropBroken(tokens []token, owner, match []int) {
	for i, t := range tokens {
		if !t.spliced || len(t.values) == 0 || isWhole(i, len(t.values), owner, match) {
			continue
		}
		for j, f := range match {
			if f >= 0 && owner[f] == i {
				match[j] = -1
			}
		}
	}
}

// isWhole reports whether all n items of a token are matched one after the other.
func isWhole(token, n int, owner, match []int) bool {
	for j, f := range match {
		if f < 0 || owner[f] != token {
			continue
		}
		if j+n > len(match) {
			return false
		}
		for k := range n {
			if match[j+k] != f+k || owner[f+k] != token {
				return false
			}
		}
		return true
	}
	return false
}

// byIdentity pairs maps with the same name that are not paired yet.
func (x *aligner) byIdentity() {
	type place struct{ token, n int }
	free := map[string]place{}
	for i, t := range x.tokens {
		if t.spliced || len(t.values) != 1 || x.kept[i] {
			continue
		}
		if id, ok := identityOf(t.values[0]); ok {
			free[id] = place{i, free[id].n + 1}
		}
	}
	wanted := map[string]int{}
	for j, v := range x.want {
		if id, ok := identityOf(v); ok && x.from[j] < 0 {
			wanted[id]++
		}
	}
	for j, v := range x.want {
		id, ok := identityOf(v)
		if !ok || x.from[j] >= 0 || wanted[id] != 1 || free[id].n != 1 {
			continue
		}
		x.from[j] = free[id].token
		x.kept[free[id].token] = true
	}
}

// identityOf returns the name of a map, for example "id 3".
func identityOf(v value.Value) (string, bool) {
	for _, field := range value.ItemFields {
		if k, ok := value.FieldKey(v, field); ok {
			text, err := value.Repr(k.Value())
			return field + " " + text, err == nil
		}
	}
	return "", false
}

// byPosition pairs the remaining items between two pairs in order: all of them if both
// sides have the same number, otherwise those that may be the same thing.
func (x *aligner) byPosition() {
	token := 0
	for j := 0; j < len(x.want); {
		if x.from[j] >= 0 {
			token = x.from[j] + 1
			j++
			continue
		}
		end := j
		for end < len(x.want) && x.from[end] < 0 {
			end++
		}
		var free []int
		for i := token; i < len(x.tokens) && !x.kept[i]; i++ {
			if !x.tokens[i].spliced && len(x.tokens[i].values) == 1 {
				free = append(free, i)
			}
		}
		equally := len(free) == end-j
		for ; j < end; j++ {
			if len(free) == 0 || !equally && !mayBecome(x.tokens[free[0]].values[0], x.want[j]) {
				continue
			}
			i := free[0]
			free = free[1:]
			if x.tokens[i].values[0].IsScalar() == x.want[j].IsScalar() {
				x.from[j], x.kept[i] = i, true
			}
		}
	}
}

// mayBecome reports whether two items may be the same thing: they are of one kind, and do
// not have different names.
func mayBecome(a, b value.Value) bool {
	one, named := identityOf(a)
	other, alsoNamed := identityOf(b)
	return a.Kind() == b.Kind() && (!named || !alsoNamed || one == other)
}

// arranged sets the order of the remaining tokens and the new items. A token without a
// value stays after the token that it follows now.
func (x *aligner) arranged() {
	behind := map[int][]int{}
	last := -1
	for i, t := range x.tokens {
		switch {
		case len(t.values) == 0 && !t.gone:
			x.kept[i] = true
			behind[last] = append(behind[last], i)
		case x.kept[i]:
			last = i
		}
	}
	add := func(tokens []int) {
		for _, i := range tokens {
			x.order = append(x.order, element{token: i, want: -1})
		}
	}
	add(behind[-1])
	previous := -1
	for j, i := range x.from {
		switch {
		case i < 0:
			x.order = append(x.order, element{token: -1, want: j})
		case i != previous:
			x.order = append(x.order, element{token: i, want: j})
			add(behind[i])
		}
		previous = i
	}
}

// Common returns, for each item of b, the index of the same item of a, or -1: a longest
// common subsequence of the lists.
func Common(a, b []value.Value) []int { return value.Common(fingerprints(a), fingerprints(b)) }

// A move puts an entry after another one, or first.
type move struct {
	key, after value.Key
	first      bool
}

// movesTo returns the fewest moves that bring keys into a wanted order. The keys of a
// longest run that is in order already stay.
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
