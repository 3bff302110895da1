package restore

import (
	"slices"

	"github.com/yaytpl/yaytpl/value"
	"github.com/yaytpl/yaytpl/value/align"
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
	for i, rises := range align.Rise(seq) {
		stays[where[i]] = rises
	}
	return stays
}

// alignTokens finds the source of each wanted item (spec: roundtrip, section 4): see package [align]. The items of
// a splice stay together or are all new. With keepOrder nothing is moved.
func alignTokens(tokens []token, want []value.Value, keepOrder bool) alignment {
	x := &aligner{tokens: tokens, want: want}
	for i, t := range tokens {
		x.first = append(x.first, len(x.flat))
		for _, v := range t.values {
			x.flat, x.owner = append(x.flat, v), append(x.owner, i)
		}
	}
	x.flatKeys, x.wantKeys = align.Keys(x.flat, nil), align.Keys(want, nil)
	x.Pairing = align.EqualKeys(x.flat, want, x.flatKeys, x.wantKeys)
	x.splices(keepOrder)
	x.Finish(align.Rules{InOrder: keepOrder})
	x.from, x.kept = make([]int, len(want)), make([]bool, len(tokens))
	for j, f := range x.From {
		x.from[j] = -1
		if f >= 0 && x.flat[f].IsScalar() == want[j].IsScalar() {
			x.from[j] = x.owner[f]
			x.kept[x.owner[f]] = true
		}
	}
	x.arranged()
	return x.alignment
}

// An aligner builds an alignment.
type aligner struct {
	alignment
	*align.Pairing
	tokens             []token
	want               []value.Value
	first              []int         // the index of the first value of each token
	flat               []value.Value // the values of all tokens
	flatKeys, wantKeys []uint64
	owner              []int // the token of each value
}

// splices dissolves the pairs of splices whose items are not all wanted one after the other, and pairs them
// where they are: each splice gets the first such place.
func (x *aligner) splices(keepOrder bool) {
	var places map[uint64][]int // of the wanted items
	for i, t := range x.tokens {
		if !t.spliced || len(t.values) == 0 || x.isRun(i, x.To[x.first[i]]) {
			continue
		}
		start, end := x.first[i], x.first[i]+len(t.values)
		for f := start; f < end; f++ {
			x.Remove(f)
		}
		if keepOrder {
			continue
		}
		if places == nil {
			places = map[uint64][]int{}
			for j, key := range x.wantKeys {
				places[key] = append(places[key], j)
			}
		}
		for _, j := range places[x.flatKeys[start]] {
			to := j + len(t.values)
			if to <= len(x.want) && slices.Max(x.From[j:to]) < 0 && slices.Equal(x.flatKeys[start:end], x.wantKeys[j:to]) {
				for f := start; f < end; f++ {
					x.Pair(f, j+f-start)
				}
				break
			}
		}
	}
}

// isRun reports whether the items of a token are paired with the items from j on.
func (x *aligner) isRun(token, j int) bool {
	for n := range x.tokens[token].values {
		if j < 0 || x.To[x.first[token]+n] != j+n {
			return false
		}
	}
	return true
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
	stays := align.Rise(positions)
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
