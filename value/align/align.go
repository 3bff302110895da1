// Package align pairs the items of two lists: which item of a new list is which item of an old one.
//
// Edits keep the text and comments of an item that has a partner, comparisons report what changed in it,
// and every other item is new or removed. [Lists] pairs in three steps, here with
//
//		old  [a, {name: p, v: 1}, b, c,    {name: q}]
//		new  [n, a, b, {name: p, v: 2}, d, {name: q}]
//
//	 1. Equal items, as many as are in the same order in both lists: a, b and {name: q}. Items are compared by
//	    [value.Fingerprint]; common.go finds the longest common subsequence.
//	 2. Equal items in another order, then maps that have the same name, id or key: {name: p}, although it is
//	    after b now. Names count only if one item of each list has them.
//	 3. The remaining items between two pairs of step 1, in order. Before a, the old list has none, so n is
//	    new. Between b and {name: q} both lists have one item left, so c became d. If the numbers of
//	    items differ, only similar ones are paired: scalars, lists, maps without names.
//
// The result is [-1, 0, 2, 1, 3, 4]: for each new item the index of the old one. Time and memory are
// proportional to the size of the lists.
package align

import (
	"errors"
	"iter"
	"slices"
	"sync/atomic"

	"github.com/yaytpl/yaytpl/value"
)

// Rules say which items [Lists] may pair. With the zero Rules it makes all steps.
type Rules struct {
	InOrder bool // no pair crosses another: an item that moved is removed and new
	Sure    bool // no equal item is paired elsewhere, and the rest only where its number is the same in both lists

	// Budget is the number of values that may still be compared, nil for [MaxSteps]. When it is
	// used up, items are paired by their names and places.
	Budget *int
}

// MaxSteps is the number of values in both lists that are compared unless [Rules] say otherwise.
const MaxSteps = 20_000_000

// Lists pairs the items of two lists.
func Lists(old, new []value.Value, r Rules) *Pairing {
	p := Equal(old, new, r.Budget)
	p.Finish(r)
	return p
}

// Finish makes the steps after the first one.
func (p *Pairing) Finish(r Rules) {
	if !slices.Contains(p.From, -1) || !slices.Contains(p.To, -1) {
		return
	}
	if !r.InOrder && !r.Sure {
		p.Moved()
	}
	p.named(r.InOrder)
	p.Similar(r.Sure)
}

// A Pairing says which items of two lists belong together.
type Pairing struct {
	From []int // for each new item the index of the old one, -1 if it is new
	To   []int // for each old item the index of the new one, -1 if it was removed

	old, new         []value.Value
	oldKeys, newKeys []uint64 // equal for equal items
	inOrder          []int    // the part of From that does not cross
}

// Equal pairs equal items that are in the same order in both lists. The budget is the one of [Rules].
func Equal(old, new []value.Value, budget *int) *Pairing {
	return EqualKeys(old, new, Keys(old, budget), Keys(new, budget))
}

// EqualKeys is [Equal] for items that are equal if their keys are.
func EqualKeys(old, new []value.Value, oldKeys, newKeys []uint64) *Pairing {
	p := &Pairing{
		To:  slices.Repeat([]int{-1}, len(old)),
		old: old, new: new, oldKeys: oldKeys, newKeys: newKeys,
		inOrder: Common(oldKeys, newKeys),
	}
	p.From = slices.Clone(p.inOrder)
	for j, i := range p.From {
		if i >= 0 {
			p.To[i] = j
		}
	}
	return p
}

// Pair pairs an old item with a new one.
func (p *Pairing) Pair(i, j int) { p.To[i], p.From[j] = j, i }

// Remove takes an old item, and its pair, out of all further steps.
func (p *Pairing) Remove(i int) {
	if j := p.To[i]; j >= 0 {
		p.From[j], p.inOrder[j] = -1, -1
	}
	p.To[i] = removed
}

// removed is the index of no item, for items that must not be paired.
const removed = -2

// Moved pairs equal items that are left, in their order.
func (p *Pairing) Moved() {
	places := map[uint64][]int{}
	for j, i := range p.From {
		if i < 0 {
			places[p.newKeys[j]] = append(places[p.newKeys[j]], j)
		}
	}
	for i, j := range p.To {
		if free := places[p.oldKeys[i]]; j == -1 && len(free) > 0 {
			p.Pair(i, free[0])
			places[p.oldKeys[i]] = free[1:]
		}
	}
}

// Named pairs the maps that are left and have the same name, if no other item that is left has it.
func (p *Pairing) Named() { p.named(false) }

// named is Named, with inOrder only for pairs that cross no other.
func (p *Pairing) named(inOrder bool) {
	gaps := []gap{{endOld: len(p.old), endNew: len(p.new)}}
	if inOrder {
		gaps = slices.Collect(p.gaps())
	}
	for _, g := range gaps {
		old, new := p.sameNames(g)
		rises := Rise(old)
		for n, i := range old {
			if !inOrder || rises[n] {
				p.Pair(i, new[n])
			}
			if inOrder && rises[n] {
				p.inOrder[new[n]] = i
			}
		}
	}
}

// sameNames returns the items of a gap that have the same name, in the order of the new ones.
func (p *Pairing) sameNames(g gap) (old, new []int) {
	inOld, inNew := places(p.old, p.To, g.old, g.endOld), places(p.new, p.From, g.new, g.endNew)
	for name, j := range inNew {
		if i, both := inOld[name]; both && i != twice && j != twice {
			new = append(new, j)
		}
	}
	slices.Sort(new)
	for _, j := range new {
		name, _ := NameOf(p.new[j])
		old = append(old, inOld[name])
	}
	return old, new
}

// twice is the place of a name that several items have.
const twice = -1

// places returns the places of the names of the items from one place to another that have no partner.
func places(items []value.Value, partner []int, from, to int) map[Name]int {
	at := map[Name]int{}
	for i := from; i < to; i++ {
		if partner[i] != -1 {
			continue
		}
		if name, ok := NameOf(items[i]); ok {
			if _, again := at[name]; again {
				at[name] = twice
			} else {
				at[name] = i
			}
		}
	}
	return at
}

// A gap is the items of both lists between two pairs that do not cross; the ends are exclusive.
type gap struct{ old, endOld, new, endNew int }

func (p *Pairing) gaps() iter.Seq[gap] {
	return func(yield func(gap) bool) {
		g := gap{}
		for j := 0; j <= len(p.new); j++ {
			g.endOld, g.endNew = len(p.old), j
			if j < len(p.new) {
				if g.endOld = p.inOrder[j]; g.endOld < 0 {
					continue
				}
			}
			if (g.old < g.endOld || g.new < g.endNew) && !yield(g) {
				return
			}
			g.old, g.new = g.endOld+1, j+1
		}
	}
}

// Similar pairs the items that are left in the same gap, in order: all if both lists have as many, otherwise,
// unless equal numbers are asked for, the items of one class.
func (p *Pairing) Similar(onlyEqualNumbers bool) {
	for g := range p.gaps() {
		old, new := free(p.To, g.old, g.endOld), free(p.From, g.new, g.endNew)
		switch {
		case len(old) == len(new):
			for n, i := range old {
				p.Pair(i, new[n])
			}
		case !onlyEqualNumbers && len(old) > 0 && len(new) > 0:
			for n, m := range Common(classes(p.old, old), classes(p.new, new)) {
				if m >= 0 {
					p.Pair(old[m], new[n])
				}
			}
		}
	}
}

// A class is the kind of an item, the same for all scalars, and its name.
type class struct {
	kind value.Kind
	name Name
}

func classes(items []value.Value, at []int) []class {
	all := make([]class, len(at))
	for n, i := range at {
		if v := items[i]; !v.IsScalar() {
			all[n].kind = v.Kind()
			all[n].name, _ = NameOf(v)
		}
	}
	return all
}

// Rest pairs the items that are left, wherever they are.
func (p *Pairing) Rest() {
	old := free(p.To, 0, len(p.old))
	for n, j := range free(p.From, 0, len(p.new)) {
		if n < len(old) {
			p.Pair(old[n], j)
		}
	}
}

// free returns the places without a partner.
func free(partner []int, from, to int) []int {
	var at []int
	for i := from; i < to; i++ {
		if partner[i] == -1 {
			at = append(at, i)
		}
	}
	return at
}

// A Name tells an item of a list from the others: the scalar under one of [value.ItemFields].
type Name struct {
	Field string
	Key   value.Key
}

// NameOf returns the name of a map, false if it has none.
func NameOf(v value.Value) (Name, bool) {
	for _, field := range value.ItemFields {
		if k, ok := value.FieldKey(v, field); ok {
			return Name{field, k}, true
		}
	}
	return Name{}, false
}

// Keys returns a number for each item, equal numbers for items that are the [value.Same]. An item that cannot
// be compared, or not within the budget, equals none. A nil budget is [MaxSteps].
func Keys(items []value.Value, budget *int) []uint64 {
	if budget == nil {
		steps := MaxSteps
		budget = &steps
	}
	charge := func(steps int) error {
		if *budget -= steps; *budget < 0 {
			return errBudget
		}
		return nil
	}
	all := make([]uint64, len(items))
	for i, v := range items {
		key, err := uint64(0), charge(1)
		if err == nil {
			key, err = value.Fingerprint(v, charge)
		}
		if err != nil {
			key = none.Add(1)
		}
		all[i] = key
	}
	return all
}

var errBudget = errors.New("the lists are too big to find equal items")

// none is a number that no item has yet, except for rare hashes.
var none atomic.Uint64
