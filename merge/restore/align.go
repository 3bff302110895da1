package restore

import (
	"github.com/yaytpl/yaytpl/value"
)

// An alignment says which item of the text becomes which item of a list.
type alignment struct {
	from  []int     // for each wanted item the token that it comes from, -1 for a new one
	kept  []bool    // for each token whether it stays
	order []element // the items of the text in the end
}

// An element is an item of the text in the end: a token, or a new item.
type element struct{ token, want int }

// align finds for each wanted item where it comes from: items that are equal first, in
// order, then those of one name, then those that stand between the same neighbours
// (spec: roundtrip, section 4).
func (x *listEdit) align(want []value.Value) alignment {
	var flat []value.Value
	var owner []int
	for i, t := range x.tokens {
		for _, v := range t.values {
			flat, owner = append(flat, v), append(owner, i)
		}
	}
	a := alignment{from: make([]int, len(want)), kept: make([]bool, len(x.tokens))}
	match := common(flat, want)
	x.dropBroken(owner, match)
	for j, f := range match {
		a.from[j] = -1
		if f >= 0 {
			a.from[j] = owner[f]
			a.kept[owner[f]] = true
		}
	}
	x.byIdentity(&a, want)
	x.byPosition(&a, want)
	x.arranged(&a)
	return a
}

// dropBroken takes the matches of a splice away that is not wanted with all its items,
// one after the other.
func (x *listEdit) dropBroken(owner, match []int) {
	for i, t := range x.tokens {
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

// byIdentity pairs maps that have the same name and were not paired yet.
func (x *listEdit) byIdentity(a *alignment, want []value.Value) {
	type place struct{ token, n int }
	free := map[string]place{}
	for i, t := range x.tokens {
		if id, ok := identity(t); ok && !a.kept[i] {
			free[id] = place{i, free[id].n + 1}
		}
	}
	wanted := map[string]int{}
	for j, v := range want {
		if id, ok := identityOf(v); ok && a.from[j] < 0 {
			wanted[id]++
		}
	}
	for j, v := range want {
		id, ok := identityOf(v)
		if !ok || a.from[j] >= 0 || wanted[id] != 1 || free[id].n != 1 {
			continue
		}
		a.from[j] = free[id].token
		a.kept[free[id].token] = true
	}
}

func identity(t token) (string, bool) {
	if t.spliced || len(t.values) != 1 {
		return "", false
	}
	return identityOf(t.values[0])
}

// identityKeys are the keys that tell the items of a list apart, the surest first.
var identityKeys = [...]string{"name", "id", "key"}

// identityOf returns what tells a map from others.
func identityOf(v value.Value) (string, bool) {
	if !v.Is(value.MapKind) {
		return "", false
	}
	for _, k := range identityKeys {
		id, ok, err := v.Map().Get(value.K(k))
		if err == nil && ok && id.IsScalar() && !id.IsNull() {
			text, err := value.Repr(id)
			return k + " " + text, err == nil
		}
	}
	return "", false
}

// byPosition pairs what is left between two pairs, in order: all of it if it is as much
// on both sides, otherwise what is not known to be something else.
func (x *listEdit) byPosition(a *alignment, want []value.Value) {
	token := 0
	for j := 0; j < len(want); {
		if a.from[j] >= 0 {
			token = a.from[j] + 1
			j++
			continue
		}
		end := j
		for end < len(want) && a.from[end] < 0 {
			end++
		}
		var free []int
		for i := token; i < len(x.tokens) && !a.kept[i]; i++ {
			if !x.tokens[i].spliced && len(x.tokens[i].values) == 1 {
				free = append(free, i)
			}
		}
		x.pair(a, free, want, j, end)
		j = end
	}
}

func (x *listEdit) pair(a *alignment, free []int, want []value.Value, from, to int) {
	equally := len(free) == to-from
	for j := from; j < to && len(free) > 0; j++ {
		i := free[0]
		if !equally && !mayBecome(x.tokens[i].values[0], want[j]) {
			continue
		}
		free = free[1:]
		if x.tokens[i].values[0].IsScalar() != want[j].IsScalar() {
			continue
		}
		a.from[j], a.kept[i] = i, true
	}
}

// mayBecome reports whether two items are not known to be different things.
func mayBecome(a, b value.Value) bool {
	x, named := identityOf(a)
	y, alsoNamed := identityOf(b)
	return a.Kind() == b.Kind() && (!named || !alsoNamed || x == y)
}

// arranged puts the tokens that stay and the new items into order. Tokens that come to
// nothing stay behind the one that they follow.
func (x *listEdit) arranged(a *alignment) {
	behind := map[int][]int{}
	last := -1
	for i, t := range x.tokens {
		switch {
		case len(t.values) == 0 && !t.gone:
			a.kept[i] = true
			behind[last] = append(behind[last], i)
		case a.kept[i]:
			last = i
		}
	}
	add := func(tokens []int) {
		for _, i := range tokens {
			a.order = append(a.order, element{i, -1})
		}
	}
	add(behind[-1])
	previous := -1
	for j, i := range a.from {
		switch {
		case i < 0:
			a.order = append(a.order, element{-1, j})
		case i != previous:
			a.order = append(a.order, element{i, j})
			add(behind[i])
		}
		previous = i
	}
}
