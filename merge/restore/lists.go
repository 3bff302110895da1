package restore

import (
	"errors"
	"slices"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
	"github.com/yaytpl/yaytpl/value/align"
)

// list edits a list so that it gives want. Over an older list it can only append, unless
// it replaces that list.
func (w *walk) list(s spot, seq *graph.Seq, base optional, want value.List) error {
	items, err := value.ItemsOf(want)
	if err != nil {
		return err
	}
	x := &listEdit{walk: w, spot: s, seq: seq, skip: s.markers(seq)}
	if err := x.read(); err != nil {
		return err
	}
	if !base.isList() || seq.Replace {
		return x.become(items)
	}
	return x.addTo(base, items)
}

// A listEdit edits the items of one list.
type listEdit struct {
	*walk
	spot
	seq    *graph.Seq
	skip   int // number of items before the first of seq: 1 with the mark "+%: replace"
	tokens []token
}

// A token is an item of the text with its values before the edit, as far as they are
// known, and now.
type token struct {
	node    graph.Node
	spliced bool // its values may be any number of items
	gone    bool // its target was removed
	was     optional
	values  []value.Value
	index   int // in the original document
}

// isMarked reports whether the item has a mark for its role in the join of the list.
func (t token) isMarked() bool {
	switch n := t.node.(type) {
	case *graph.Delete:
		return n.Of != nil
	case *graph.Map:
		return n.Strategy == graph.ReplaceStrategy
	}
	return isPositional(t.node)
}

// read evaluates the items.
func (x *listEdit) read() error {
	at := 0
	if x.layered && !x.seq.Replace {
		var err error
		n := 0
		if x.old.isList() {
			n = x.old.v.List().Len()
		}
		if x.placed, err = x.orig.isAll(x.spot, x.seq, n); err != nil {
			return err
		}
	}
	for i, item := range x.seq.Items {
		t := token{node: item, index: at}
		var err error
		t.values, t.spliced, err = spliced(x.world, x.spot, x.is, at, item)
		if isGone(err) {
			t.gone, err = true, nil
		}
		if err != nil {
			return err
		}
		if t.spliced {
			before, _, err := spliced(x.orig.World, x.spot, x.was, at, item)
			if err != nil {
				return err
			}
			at += len(before)
		} else {
			if t.was, t.values, err = x.single(i, at); err != nil {
				return err
			}
			at++
		}
		x.tokens = append(x.tokens, t)
	}
	x.placed = x.placed && x.old.isList() && x.old.v.List().Len() == at
	return nil
}

// single returns the old and the current value of an item that is not spliced.
func (x *listEdit) single(i, at int) (optional, []value.Value, error) {
	if x.old.isList() && x.placed {
		was, err := x.old.get(value.Index(at))
		if was.ok || err != nil {
			return was, []value.Value{was.v}, err
		}
	}
	kid := spot{syntax: x.syntax.Items[i+x.skip], node: x.seq.Items[i], lists: x.lists.Item(listsOf(x.seq.Items[i])), is: x.is.With(value.Index(at))}
	now, err := x.written(kid)
	if !now.ok {
		return none, nil, err
	}
	return now, []value.Value{now.v}, err
}

// addTo edits a list over an older one, in the first form that gives the wanted list: see items.go.
func (x *listEdit) addTo(base optional, want []value.Value) error {
	whole := value.FromList(value.Slice(want))
	marked := slices.ContainsFunc(x.tokens, func(t token) bool { return t.isMarked() })
	policy := x.lists.Policy()
	var own []value.Value
	for _, t := range x.tokens {
		own = append(own, t.values...)
	}
	unedited, err := x.old.sameAs(some(whole))
	if err == nil && !marked && policy.Kind != graph.ByField {
		var now value.Value
		if now, err = x.world.Join(base.v, value.FromList(value.Slice(own)), x.lists); err == nil {
			unedited, err = value.Same(now, whole)
		}
		if unedited {
			return err
		}
	}
	if err != nil {
		return err
	}
	if eq, err := base.sameAs(some(whole)); err != nil {
		return err
	} else if eq && x.entry && !unedited {
		x.delete(x.spot)
		return nil
	}
	older, err := value.ItemsOf(base.v.List())
	if err != nil {
		return err
	}
	forms := []func() (bool, error){
		func() (bool, error) { return x.joinTo(older, want) },
		func() (bool, error) { return x.mergeBy(older, want) },
	}
	if !marked {
		forms = []func() (bool, error){
			func() (bool, error) { return x.append(base, older, own, want) },
			func() (bool, error) { return x.mergeBy(older, want) },
			func() (bool, error) { return x.mergeTo(older, want) },
		}
	}
	switch {
	case isPrivate(x.is):
		forms = forms[:1]
	case x.careful.meets(x.is):
		forms = nil
	}
	for _, form := range forms {
		if done, err := x.attempt(form); done || err != nil {
			return err
		}
	}
	if isPrivate(x.is) {
		return &inexpressibleError{x.is}
	}
	return x.replaceOlder(want)
}

// attempt tries a form. If it does not give the wanted list, its edits are undone.
func (x *listEdit) attempt(form func() (bool, error)) (bool, error) {
	plan, gone, come := *x.plan, x.gone, x.come
	done, err := form()
	if _, ok := errors.AsType[*inexpressibleError](err); ok {
		done, err = false, nil
	}
	if !done {
		*x.plan, x.gone, x.come = plan, gone, come
	}
	return done, err
}

// append edits the list to the whole wanted list, or to the items after the older ones,
// whichever the list was before (spec: roundtrip, section 4).
func (x *listEdit) append(base optional, older, own, want []value.Value) (bool, error) {
	if x.lists.Policy().Kind == graph.ByField {
		return false, nil
	}
	for _, candidate := range candidates(older, own, want) {
		got, err := x.world.Join(base.v, value.FromList(value.Slice(candidate)), x.lists)
		if err != nil {
			return false, err
		}
		if eq, err := value.Same(got, value.FromList(value.Slice(want))); err != nil {
			return false, err
		} else if eq {
			return true, x.become(candidate)
		}
	}
	return false, nil
}

// candidates returns the lists that may give want over an older one: the items after the
// older ones, and all items; first the one that is closer to the current list.
func candidates(older, own, want []value.Value) [][]value.Value {
	if len(want) < len(older) || !slices.EqualFunc(older, want[:len(older)], value.IsSame) {
		return [][]value.Value{want}
	}
	tail := want[len(older):]
	repeated := map[uint64]bool{}
	for _, key := range align.Keys(own, nil) {
		repeated[key] = true
	}
	for _, key := range align.Keys(older, nil) {
		if !repeated[key] {
			return [][]value.Value{tail, want}
		}
	}
	return [][]value.Value{want, tail}
}

// replaceOlder edits the items so that they are want, and makes the list replace older ones.
func (x *listEdit) replaceOlder(want []value.Value) error {
	for i := range x.tokens {
		if t := &x.tokens[i]; t.isMarked() {
			t.values, t.gone = nil, true
		}
	}
	if err := x.become(want); err != nil {
		return err
	}
	x.edit(roundtrip.Edit{Op: roundtrip.Insert, Path: x.text.With(value.Index(0)), Value: Marker("replace"), Note: inFlow})
	return nil
}

// become edits the items of the text so that they are want.
func (x *listEdit) become(want []value.Value) error {
	plan := alignTokens(x.tokens, want, x.opts.KeepOrder)
	return x.follow(plan, want)
}

// follow edits the items of the text as a plan says: first those that stay, then their order.
func (x *listEdit) follow(plan alignment, want []value.Value) error {
	for i, t := range x.tokens {
		if t.spliced && len(t.values) > 0 && !plan.kept[i] {
			x.dropSplice(i)
		}
	}
	for j, i := range plan.from {
		if i < 0 || x.tokens[i].spliced {
			continue
		}
		t, kid := x.tokens[i], x.kid(i, j)
		// Compare with its old value, not with the value at its old index: it may have moved.
		eq, err := t.was.sameAs(some(want[j]))
		if err != nil {
			return err
		}
		if eq && kid.placed && !x.restless && !x.touched.meets(kid.text) {
			continue
		}
		kid.restless = true
		if err := x.place(kid, none, want[j]); err != nil {
			return err
		}
	}
	x.arrange(plan, want)
	return nil
}

// dropSplice warns of a splice whose items are written out, or makes it a conflict.
func (x *listEdit) dropSplice(i int) {
	item := x.syntax.Items[i+x.skip]
	at := item.At
	if len(item.Entries) > 0 {
		at = item.Entries[0].KeyAt
	}
	if !x.opts.mayInline() {
		x.plan.Conflicts = append(x.plan.Conflicts, Conflict{Path: x.is, Reason: source.ListNotAppendable, At: at, Inline: true})
		return
	}
	x.warnAt(at, source.Inlined, "%s in %s was expanded: its items are written out", at.Text(), x.is)
}

// kid returns the spot of item i of the text, which will be item j of the document.
func (x *listEdit) kid(i, j int) spot {
	t := x.tokens[i]
	return spot{
		syntax: x.syntax.Items[i+x.skip], node: t.node, lists: x.lists.Item(listsOf(t.node)), old: t.was, placed: x.placed && t.was.ok, restless: x.restless,
		text: x.text.With(value.Index(i + x.skip)), was: x.was.With(value.Index(t.index)), is: x.is.With(value.Index(j)),
	}
}

// arrange deletes the items that are not in the plan, and then inserts and moves items
// from the front. As many old items as possible stay in place: [a, b, c] becomes [c, a, b]
// with one move.
func (x *listEdit) arrange(plan alignment, want []value.Value) {
	var now []int // the tokens that are left
	for i := range x.tokens {
		if plan.kept[i] {
			now = append(now, i)
		}
	}
	for i := len(x.tokens) - 1; i >= 0; i-- {
		if !plan.kept[i] {
			x.edit(roundtrip.Edit{Op: roundtrip.Delete, Path: x.itemPath(i)})
		}
	}
	stays := plan.stays()
	at := 0
	for n, e := range plan.order {
		switch {
		case e.token < 0:
			item := e.override
			if item == nil {
				fresh := x.itemOf(x.is.With(value.Index(e.want)), want[e.want])
				item = &fresh
			}
			x.edit(roundtrip.Edit{Op: roundtrip.Insert, Path: x.itemPath(at), Value: item.v, Note: item.note})
			now = slices.Insert(now, at, -1)
			at++
		case stays[n]:
			at += slices.Index(now[at:], e.token) + 1
		default:
			at = x.moveItem(now, slices.Index(now, e.token), at)
		}
	}
}

// moveItem moves the item at from before the one at to, and returns the index after it.
func (x *listEdit) moveItem(now []int, from, to int) int {
	place := roundtrip.Position{Where: roundtrip.Before, Key: value.Index(to + x.skip)}
	if to == len(now) {
		place = roundtrip.Position{Where: roundtrip.Last}
	}
	if from != to {
		x.edit(roundtrip.Edit{Op: roundtrip.Move, Path: x.itemPath(from), Place: place})
	}
	token := now[from]
	if from < to {
		copy(now[from:to-1], now[from+1:to])
		now[to-1] = token
		return to
	}
	copy(now[to+1:from+1], now[to:from])
	now[to] = token
	return to + 1
}

func (x *listEdit) itemPath(i int) value.Path { return x.text.With(value.Index(i + x.skip)) }
