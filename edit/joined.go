package edit

import (
	"slices"
	"strconv"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/overlay"
	"github.com/yaytpl/yaytpl/lang/yay"
	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/value"
	"github.com/yaytpl/yaytpl/value/align"
)

// joinedAtSource returns the edits that change a list whose items come from several lists: each item is edited in the
// list that has it, and a new one is added to the list of the item before it.
//
//	base.yaml   l: [a, b]                         l: [a, q]
//	main.yaml   l: [c]       [a, q, c, d]         l: [c, d]
//
// It returns nothing for a list that is written in one place, and for one whose items have no such places.
func (b *batch) joinedAtSource(p *plan, path value.Path, facts []graph.Fact, old, v value.Value) (overlay.Edits, error) {
	if !b.isJoined(facts) {
		return nil, nil
	}
	return itemEdits(path, old, v, itemWays{
		set: func(at value.Path, was, item value.Value) (overlay.Edits, error) {
			return b.setAtSource(p, at, was, item, true)
		},
		delete: func(at value.Path) (overlay.Edits, error) {
			return b.itemAtSource(p, at, roundtrip.Edit{Op: roundtrip.Delete})
		},
		insert: func(at value.Path, item value.Value, by int) (overlay.Edits, error) {
			return b.besideAtSource(p, at, item, by)
		},
	})
}

// An itemWays has the ways to edit the items of a list.
type itemWays struct {
	set    func(at value.Path, was, item value.Value) (overlay.Edits, error)
	delete func(at value.Path) (overlay.Edits, error)
	insert func(at value.Path, item value.Value, by int) (overlay.Edits, error) // so many places after the item at a path
}

// itemEdits returns the edits of items that change a list from old to v. It returns nothing for a list that
// has no such edits.
func itemEdits(path value.Path, old, v value.Value, ways itemWays) (overlay.Edits, error) {
	if !old.Is(value.ListKind) || !v.Is(value.ListKind) || old.List().Len() == 0 {
		return nil, nil
	}
	was, err := value.ItemsOf(old.List())
	if err != nil {
		return nil, err
	}
	now, err := value.ItemsOf(v.List())
	if err != nil {
		return nil, err
	}
	after := make([][]value.Value, len(was)+1) // the new items after an old one; at 0 the new items before all
	become := map[int]value.Value{}
	last := -1
	for j, i := range align.Lists(was, now, align.Rules{InOrder: true}).From {
		if i < 0 {
			after[last+1] = append(after[last+1], now[j])
			continue
		}
		last = i
		become[i] = now[j]
	}
	var all overlay.Edits
	add := func(edits overlay.Edits, err error) bool {
		all = append(all, edits...)
		return err == nil
	}
	// From the end: an edit does not move the items before it.
	for i := len(was) - 1; i >= 0; i-- {
		at := path.With(value.Index(i))
		for _, item := range slices.Backward(after[i+1]) {
			if !add(ways.insert(at, item, 1)) {
				return nil, nil
			}
		}
		item, stays := become[i]
		ok := true
		switch {
		case !stays:
			ok = add(ways.delete(at))
		case !value.IsSame(item, was[i]):
			ok = add(ways.set(at, was[i], item))
		}
		if !ok {
			return nil, nil
		}
	}
	for _, item := range slices.Backward(after[0]) {
		if !add(ways.insert(path.With(value.Index(0)), item, 0)) {
			return nil, nil
		}
	}
	return all, nil
}

// isJoined reports whether the facts of a list are about several definitions that are part of it, or about
// one in Yay, where only its items can be edited.
func (b *batch) isJoined(facts []graph.Fact) bool {
	n := 0
	for _, f := range facts {
		if f.Defines() {
			n++
			if b.languageOf(f.At.File) == yay.Language {
				return true
			}
		}
	}
	return n > 1
}

// besideAtSource returns the edit that inserts an item some places after another one, in the list that has that one.
func (b *batch) besideAtSource(p *plan, path value.Path, v value.Value, by int) (overlay.Edits, error) {
	edits, err := b.itemAtSource(p, path, roundtrip.Edit{Op: roundtrip.Insert, Value: v})
	for i := range edits {
		at := slices.Clone(edits[i].Edit.Path)
		n, err := strconv.Atoi(at[len(at)-1].Text)
		if err != nil {
			return nil, b.undefinedPlace(path)
		}
		at[len(at)-1] = value.Index(n + by)
		edits[i].Edit.Path = at
	}
	return edits, err
}
