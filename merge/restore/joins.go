package restore

import (
	"math"
	"slices"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/value"
)

// This file edits a list of the text that joins an older one, item by item. items.go has the forms that are
// tried. With the rule +lists: {l: by name}, older list and text
//
//	[{name: a, v: 1}, {name: b, v: 1}]        from an include
//	[{name: b, v: 2}, {name: c}]              the text
//
// the document is [{name: a, v: 1}, {name: b, v: 2}, {name: c}], and is edited to
//
//	[{name: a, v: 3}, {name: b, v: 2}, {name: d}, {name: c}]
//
// [listEdit.mergeBy] goes on in these steps:
//
//  1. [matchBy] compares the older list with the wanted one by the field: a and b stay, in their order, and new items
//     begin at index 2. If b were before a, merging could not give that order, and the next form would be tried.
//  2. [fieldEdit.findTokens] finds which item of the text each older one is merged with: none for a, the
//     first for b. The other items of the text, {name: c}, are fresh.
//  3. [fieldEdit.item] edits each older item. a differs and has no item in the text: {name: a, v: 3} is
//     added. b has one and does not differ: its text stays. An item that a removed older one is
//     merged with would become {name: b, +%: whiteout}.
//  4. [fieldEdit.addFresh] pairs the fresh items with the new ones, {name: d} and {name: c}: c stays,
//     d is added.
//  5. Each element has a key for its place: added ones are half an index before or after the items of the text
//     that they belong to. In their order the list is [{name: a, v: 3}, {name: b, v: 2}, {name: d}, {name: c}].

// mergeBy edits items that are merged by a field. Without a rule for the list, its map gets one if
// all older items can be told apart by a field.
func (x *listEdit) mergeBy(older, want []value.Value) (bool, error) {
	to := slot{at: x.is, lists: x.lists}
	if x.in != nil {
		to = x.in.slot(x.text[len(x.text)-1], x.is)
	}
	field, lists, isNew := to.field(older)
	if field == "" {
		return false, nil
	}
	match, ok := matchBy(field, older, want, isNew)
	if !ok {
		return false, nil
	}
	m := &fieldEdit{listEdit: x, match: match, over: listOver{walk: x.walk, slot: to, older: older, want: want}, lists: lists}
	if ok, err := m.findTokens(); !ok || err != nil {
		return false, err
	}
	was := x.lists
	x.lists = lists
	err := m.run()
	if x.lists = was; err != nil {
		return false, err
	}
	if isNew {
		x.in.rule(x.text[len(x.text)-1], field)
	}
	return true, nil
}

// A fieldEdit edits the items of a list that are merged by a field.
type fieldEdit struct {
	*listEdit
	match fieldMatch
	over  listOver
	lists *graph.Lists

	before map[value.Key]value.Value // the items of the list before the edit by the field; nil until needed

	at    []int // for each older item the token that is merged with it, -1 for none
	fresh []int // the other tokens

	kept  []bool
	order []element
	keys  []float64 // for each element of order, where it belongs: the index of a token or next to it
}

// findTokens finds the tokens that are merged with older items. It returns false if a token cannot
// be edited by itself: it is merged by position, or with the same item as another.
func (m *fieldEdit) findTokens() (bool, error) {
	m.at = slices.Repeat([]int{-1}, len(m.over.older))
	for i, t := range m.tokens {
		if isPositional(t.node) {
			return false, nil
		}
		v := optional{}
		if n, ok := t.node.(*graph.Delete); ok && n.Of != nil {
			of, ok, err := m.world.Alone(m.is.With(value.Index(i)), n.Of, nil)
			if err != nil {
				return false, err
			}
			v = optional{of, ok}
		} else if !t.spliced && len(t.values) == 1 {
			v = some(t.values[0])
		}
		if k, ok := value.FieldKey(v.v, m.match.field); ok && v.ok {
			if older, known := m.match.older[k]; known {
				if m.at[older] >= 0 {
					return false, nil
				}
				m.at[older] = i
				continue
			}
		}
		m.fresh = append(m.fresh, i)
	}
	return true, nil
}

// run edits the items that are merged, then the new ones, then their order.
func (m *fieldEdit) run() error {
	m.kept = make([]bool, len(m.tokens))
	before := -0.5
	for i := range m.match.now {
		if err := m.item(i, before); err != nil {
			return err
		}
		if t := m.at[i]; t >= 0 && m.kept[t] {
			before = float64(t) + 0.5
		}
	}
	if err := m.addFresh(); err != nil {
		return err
	}
	m.arrange(alignment{kept: m.kept, order: m.inOrder()}, m.over.want)
	return nil
}

// add adds an element to the order.
func (m *fieldEdit) add(e element, key float64) {
	if e.token >= 0 {
		m.kept[e.token] = true
	}
	m.order, m.keys = append(m.order, e), append(m.keys, key)
}

// inOrder returns the elements by their keys.
func (m *fieldEdit) inOrder() []element {
	by := make([]int, len(m.order))
	for i := range by {
		by[i] = i
	}
	slices.SortStableFunc(by, func(a, b int) int {
		switch {
		case m.keys[a] < m.keys[b]:
			return -1
		case m.keys[a] > m.keys[b]:
			return 1
		}
		return 0
	})
	sorted := make([]element, len(by))
	for i, at := range by {
		sorted[i] = m.order[at]
	}
	return sorted
}

// item edits the item that is merged with the i-th older one. A new one is written at the key.
func (m *fieldEdit) item(i int, key float64) error {
	t, j := m.at[i], m.match.now[i]
	over, differs, err := m.over.merged(m.match, i, m.lists)
	switch {
	case err != nil:
		return err
	case t < 0 && !differs:
		return nil
	case t < 0:
		m.add(element{token: -1, want: j, override: &over}, key)
		return nil
	}
	_, removes := m.tokens[t].node.(*graph.Delete)
	switch {
	case removes && j < 0:
	case removes && !differs:
		return nil
	case removes || j < 0:
		m.edit(roundtrip.Edit{Op: roundtrip.Set, Path: m.itemPath(t), Value: over.v, Note: over.note})
	default:
		if needless, err := m.isNeedless(i, j, differs); needless || err != nil {
			return err
		}
		kid := m.kid(t, j)
		kid.restless, kid.placed = true, false
		if err := m.place(kid, some(m.over.older[i]), m.over.want[j]); err != nil {
			return err
		}
	}
	m.add(element{token: t, want: j}, float64(t))
	return nil
}

// isNeedless reports whether an item of the text was edited to the value of the older item.
func (m *fieldEdit) isNeedless(i, j int, differs bool) (bool, error) {
	if differs || !m.old.isList() {
		return false, nil
	}
	if m.before == nil {
		items, err := value.ItemsOf(m.old.v.List())
		if err != nil {
			return false, err
		}
		m.before = make(map[value.Key]value.Value, len(items))
		for _, v := range items {
			if k, ok := value.FieldKey(v, m.match.field); ok {
				m.before[k] = v
			}
		}
	}
	id, _ := value.FieldKey(m.over.older[i], m.match.field)
	was, ok := m.before[id]
	return !ok || !value.IsSame(was, m.over.want[j]), nil
}

// addFresh edits the items that are not merged with older ones.
func (m *fieldEdit) addFresh() error {
	part := &listEdit{walk: m.walk, spot: m.spot, seq: m.seq, skip: m.skip}
	for _, i := range m.fresh {
		part.tokens = append(part.tokens, m.tokens[i])
	}
	want := m.over.want[m.match.tail:]
	plan := alignTokens(part.tokens, want, m.opts.KeepOrder)
	last, key, rises := -1, math.Inf(1), true
	for _, e := range plan.order {
		if e.token >= 0 {
			i := m.fresh[e.token]
			if last < 0 {
				key = float64(i) - 0.5
			}
			rises, last = rises && i > last, i
		}
	}
	for _, e := range plan.order {
		if e.want >= 0 {
			e.want += m.match.tail
		}
		if e.token >= 0 {
			e.token = m.fresh[e.token]
			key = float64(e.token)
		}
		if !rises {
			key = math.Inf(1)
		}
		m.add(e, key)
		if e.token >= 0 {
			key += 0.25
		}
	}
	for n, i := range m.fresh {
		if t := m.tokens[i]; t.spliced && len(t.values) > 0 && !plan.kept[n] {
			m.dropSplice(i)
		}
	}
	return m.editFresh(plan)
}

// editFresh edits the items of the text that stay.
func (m *fieldEdit) editFresh(plan alignment) error {
	for n, from := range plan.from {
		if from < 0 || m.tokens[m.fresh[from]].spliced {
			continue
		}
		j := m.match.tail + n
		kid := m.kid(m.fresh[from], j)
		kid.restless = true
		if err := m.place(kid, none, m.over.want[j]); err != nil {
			return err
		}
	}
	return nil
}

// mergeTo edits a list without marks so that its first items are merged with the older ones by
// position.
func (x *listEdit) mergeTo(older, want []value.Value) (bool, error) {
	over := listOver{walk: x.walk, slot: slot{at: x.is, lists: x.lists}, older: older, want: want}
	items, err := over.byPosition()
	if items == nil || err != nil {
		return false, err
	}
	n := len(items) - (len(want) - len(older))
	plan := alignTokens(x.tokens, want[len(older):], x.opts.KeepOrder)
	for j, from := range plan.from {
		if from >= 0 && !x.tokens[from].spliced {
			kid := x.kid(from, len(older)+j)
			kid.restless = true
			if err := x.place(kid, none, want[len(older)+j]); err != nil {
				return false, err
			}
		}
	}
	for i, t := range x.tokens {
		if t.spliced && len(t.values) > 0 && !plan.kept[i] {
			x.dropSplice(i)
		}
	}
	order := make([]element, 0, len(items))
	for i := range n {
		order = append(order, element{token: -1, want: -1, override: &items[i]})
	}
	for _, e := range plan.order {
		if e.want >= 0 {
			e.want += len(older)
		}
		order = append(order, e)
	}
	plan.order = order
	x.arrange(plan, want)
	return true, nil
}

// isPositional reports whether an item is merged with the item of an older list at the
// same index (spec: merge, section 6).
func isPositional(n graph.Node) bool {
	p, ok := n.(*graph.Positional)
	return ok && p.Where == nil
}

// joinTo edits items that are merged with items of an older list by position. More of them can
// follow, and new items after the older list.
func (x *listEdit) joinTo(older, want []value.Value) (bool, error) {
	n := 0 // the first items, which are merged by position
	for n < len(x.tokens) && isPositional(x.tokens[n].node) {
		n++
	}
	if n == 0 || len(want) < len(older) {
		return false, nil
	}
	for _, t := range x.tokens[n:] {
		if t.isMarked() {
			return false, nil
		}
	}
	for i, v := range older[:min(n, len(older))] {
		if !v.Is(value.MapKind) || !want[i].Is(value.MapKind) || x.syntax.Items[i+x.skip].Kind != yaml.MapNode {
			return false, nil
		}
		kid := x.kid(i, i)
		kid.restless = true
		if err := x.place(kid, some(v), want[i]); err != nil {
			return false, err
		}
	}
	more, err := x.furtherOverrides(n, older, want)
	if err != nil {
		return false, ignoreInexpressible(err)
	}
	var tail []value.Value
	for i, t := range x.tokens {
		if i >= n || i >= len(older) {
			tail = append(tail, t.values...)
		}
	}
	if len(tail) > len(want)-len(older) || !slices.EqualFunc(want[len(older):][:len(tail)], tail, value.IsSame) {
		return false, nil
	}
	for i, item := range more {
		x.edit(roundtrip.Edit{Op: roundtrip.Insert, Path: x.itemPath(n + i), Value: item.v, Note: item.note})
	}
	at := len(x.tokens) + len(more)
	for j := len(older) + len(tail); j < len(want); j++ {
		item := x.itemOf(x.is.With(value.Index(j)), want[j])
		x.edit(roundtrip.Edit{Op: roundtrip.Insert, Path: x.itemPath(at), Value: item.v, Note: item.note})
		at++
	}
	return true, nil
}

// furtherOverrides returns the items that turn the older ones from the n-th on into what is wanted,
// by position.
func (x *listEdit) furtherOverrides(n int, older, want []value.Value) ([]listItem, error) {
	over := listOver{walk: x.walk, slot: slot{at: x.is, lists: x.lists}, older: older, want: want}
	var items []listItem
	used := 0
	for i := n; i < len(older); i++ {
		if !older[i].Is(value.MapKind) || !want[i].Is(value.MapKind) {
			if !value.IsSame(older[i], want[i]) {
				return nil, &inexpressibleError{x.is}
			}
			items = append(items, listItem{})
			continue
		}
		item, err := over.placed(i)
		if err != nil {
			return nil, err
		}
		items = append(items, item)
		if !isMarker(item.v) {
			used = len(items)
		}
	}
	if slices.ContainsFunc(items[:used], func(item listItem) bool { return item.v.IsNull() }) {
		return nil, &inexpressibleError{x.is}
	}
	return items[:used], nil
}
