package graph

import (
	"cmp"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/source"
)

// # Lists by key
//
// A map may hold rules for the lists at or below it ([Lists]). Where a rule of a join appends
// lists ([Rule].appendLists), a newer list joins an older one by the first rule that names it,
// looked for from the newer list outwards: in each map that its layer was reached through, in the
// maps whose directives brought it there, then in [Options].Lists. The older list is not asked.
//
// So a rule is part of no layer: it is found on the way by which a layer was reached. An example:
//
//	main.yaml  {lists: {hosts: replace}, web: {include: web.yaml, hosts: [x]}}
//	web.yaml   {hosts: [p, q], env: [A]}
//	base.yaml  {web: {env: [B]}}
//
//	web.hosts   [x] was reached through the map of web, its overlay, and the map of main.yaml.
//	            There hosts has a rule: [x] replaces [p, q].
//	web.env     [A] was reached through the map of web.yaml, the include, the overlay and the map
//	            of main.yaml. None has a rule for env, so [A] and [B] are joined by default.
//
// A layer does not record keys. Of the layers around it only a map or a [View] is one key nearer to
// the root, so the keys come from the cell.

// A ListPolicy says how a newer list joins an older one. Field is set for ByField only.
type ListPolicy struct {
	Kind  PolicyKind
	Field string
}

// A PolicyKind is the kind of a ListPolicy.
//
//	policy           [{n: a, x: 1}, {n: b}] then [{n: b}, {n: a, y: 2}]
//	UnionPolicy      [{n: a, x: 1}, {n: b}, {n: a, y: 2}]
//	AppendPolicy     [{n: a, x: 1}, {n: b}, {n: b}, {n: a, y: 2}]
//	ReplacePolicy    [{n: b}, {n: a, y: 2}]
//	ByField, "n"     [{n: a, x: 1, y: 2}, {n: b}]
type PolicyKind uint8

// The kinds of policies.
const (
	UnionPolicy PolicyKind = iota
	AppendPolicy
	ReplacePolicy
	ByField
)

// String returns the policy as it is written.
func (p ListPolicy) String() string {
	if p.Kind == ByField {
		return "by " + p.Field
	}
	return [...]string{"union", "append", "replace"}[p.Kind]
}

// Lists are the rules of one map for the lists at or below it.
type Lists struct {
	Rules []ListRule

	// Written is the entry of the map as data, for references with "raw", and Before the number
	// of entries before it.
	Written *Entry
	Before  int

	index map[string]int // of Rules, by key
	paths bool           // a key has dots

	outer *Lists  // rules that apply where these do not: see Under
	key   *string // the key from the map of outer to this one
	skip  bool    // the first key to a list does not count: see Joining
}

// NewLists completes rules. It must be called when all of them are known.
func NewLists(l Lists) *Lists {
	l.index = make(map[string]int, len(l.Rules))
	for i := range l.Rules {
		key := l.Rules[i].Key
		l.index[key] = i
		l.paths = l.paths || strings.Contains(key, ".")
	}
	return &l
}

// Then returns the rules of l and, where none of them applies, the rules of outer. Both may be nil.
func (l *Lists) Then(outer *Lists) *Lists {
	if l == nil || outer == nil {
		return cmp.Or(l, outer)
	}
	both := *l
	both.outer = outer
	return &both
}

// Under returns the rules for the value under a key of a map: own, the rules of the value itself, then
// l, the rules for the map. Both may be nil.
func (l *Lists) Under(key string, own *Lists) *Lists {
	if l == nil || key == PrivateKey.Text {
		return own
	}
	in := l.Item(own)
	if in == l {
		in = &Lists{outer: l}
	}
	in.key = &key
	return in
}

// Item returns the rules for an item of a list: own, the rules of the item itself, then l, the rules for the
// list. Both may be nil.
func (l *Lists) Item(own *Lists) *Lists {
	switch {
	case l == nil:
		return own
	case own == nil:
		return l
	}
	return &Lists{Rules: own.Rules, index: own.index, paths: own.paths, outer: l}
}

// With returns the rules of a map, which may be nil, with one more of its own.
func (l *Lists) With(r ListRule) *Lists {
	if l == nil {
		return NewLists(Lists{Rules: []ListRule{r}})
	}
	more := *l
	more.Rules = append(slices.Clip(l.Rules), r)
	return NewLists(more)
}

// Joining returns the rules of a map with a single entry, for whose value the rules are l.
func (l *Lists) Joining() *Lists {
	if l == nil {
		return nil
	}
	return &Lists{outer: l, skip: true}
}

// Policy returns the policy of a list whose own rules are l, which may be nil.
func (l *Lists) Policy() ListPolicy {
	if l != nil {
		if r := l.find(nil); r != nil {
			return r.Policy
		}
	}
	return ListPolicy{}
}

// A ListRule is the policy of the lists that Key names: the keys from the map of the rule to the
// list, with dots between them; only the key of the list; or "*" for all lists. The more exact
// name wins, and of equal names the last one.
type ListRule struct {
	Key    string
	Policy ListPolicy
	At     source.Span
}

// reason describes the rule of a list that joined older ones.
func (r *ListRule) reason() string {
	text := "joined by the rule " + r.Key + ": " + r.Policy.String()
	if r.At.IsZero() {
		return text
	}
	return text + " in " + r.At.String()
}

// find returns the rule for the list at keys from the map, the key of the list last.
func (l *Lists) find(keys []string) *ListRule {
	if l.skip && len(keys) > 0 {
		keys = keys[1:]
	}
	i, ok := 0, false
	if l.paths {
		i, ok = l.index[strings.Join(keys, ".")]
	}
	if !ok && len(keys) > 0 {
		i, ok = l.index[keys[len(keys)-1]]
	}
	if !ok {
		i, ok = l.index["*"]
	}
	if ok {
		return &l.Rules[i]
	}
	if l.outer != nil {
		if l.key != nil {
			keys = append([]string{*l.key}, keys...)
		}
		return l.outer.find(keys)
	}
	return nil
}

// hasPaths reports whether a rule may depend on the distance between its map and a list.
func (l *Lists) hasPaths() bool { return l.paths || l.outer != nil && l.outer.hasPaths() }

// A scopeWalk visits the maps around a layer that have rules for lists, innermost first, then the
// rules of the evaluation.
type scopeWalk struct {
	layer *layer
	cell  *Cell    // the place of layer
	keys  []string // the keys passed, outermost first, unless keyless
	last  *Lists
	done  bool

	keyless bool
}

// next returns the rules of the next map, nil after the last.
func (w *scopeWalk) next(e *Eval) *Lists {
	for w.layer != nil {
		l := w.layer
		if l.up != nil && l.up.of != nil { // see underShared: the way through the shared cell
			if found, err := l.up.of.kid(w.cell.key).layers(); err == nil && found != nil && found.group == nil {
				l = found
			}
		}
		w.layer = l.up
		if l.up == nil {
			break
		}
		var lists *Lists
		switch up := l.up.node.(type) {
		case *Map:
			w.leave()
			lists = up.Lists
		case *View:
			w.leave()
		case *Overlay:
			lists = up.Own.Lists
		}
		if lists != nil && lists != w.last {
			w.last = lists
			return lists
		}
	}
	if w.done || e.lists == nil {
		return nil
	}
	w.done = true
	for !w.keyless && w.cell.up != nil {
		w.leave()
	}
	return e.lists
}

// leave goes from an entry, or an item below it, to the map around it.
func (w *scopeWalk) leave() {
	for w.cell.item && w.cell.up != nil {
		w.cell = w.cell.up
	}
	if w.cell.up == nil {
		return
	}
	if !w.keyless {
		w.keys = slices.Insert(w.keys, 0, w.cell.key.Text)
	}
	w.cell = w.cell.up
}

// listRule returns the rule by which the list of f, on c, joins older ones, nil for the default.
func (c *Cell) listRule(f foldResult) (*ListRule, error) {
	seq, ok := f.list.(*Seq)
	if !ok || seq.Replace || seq.Union || f.top == nil || slices.ContainsFunc(f.items, item.selects) {
		return nil, nil
	}
	w := scopeWalk{layer: f.top, cell: c}
	for lists := w.next(c.eval); lists != nil; lists = w.next(c.eval) {
		if err := c.eval.Step(1); err != nil {
			return nil, err
		}
		if r := lists.find(w.keys); r != nil {
			return r, nil
		}
	}
	return nil, nil
}

// selects reports whether the item selects the one that it joins.
func (it item) selects() bool { return it.joins != nil && it.joins.Where != nil }

// sameScopes reports whether the same rules for lists apply to layers a on ca and b on cb. Rules
// with paths are never the same for different cells.
func sameScopes(a *layer, ca *Cell, b *layer, cb *Cell) bool {
	wa, wb := scopeWalk{layer: a, cell: ca, keyless: true}, scopeWalk{layer: b, cell: cb, keyless: true}
	for {
		x, y := wa.next(ca.eval), wb.next(ca.eval)
		if x != y || ca != cb && x != nil && x.hasPaths() {
			return false
		}
		if x == nil {
			return true
		}
	}
}

// holdsFor reports whether a cached expansion on c is also the expansion of l. An included file that two
// layers of c include has the same node in both, but other rules around it:
//
//	base.yaml  {web: {include: web.yaml}}
//	main.yaml  {web: {include: web.yaml, lists: {hosts: replace}}}
func (r *expansion) holdsFor(l *layer, c *Cell) bool {
	if !c.eval.policies {
		return true
	}
	for from := r.layer; from != nil; from = from.up {
		if from.node == r.node {
			return from == l || sameScopes(from, c, l, c)
		}
	}
	return true
}

// A listNote is the rule of a list in a fold, and the rules of the older lists that it joined.
type listNote struct {
	rule    *ListRule // nil for the default
	of      *layer    // the list
	removes []removal
	older   *listNote
}

// A removal is {name: x, +%: whiteout} in a list, by its index among the items.
type removal struct {
	before int
	layer  *layer
}

// mayRemove reports whether items may have removals: in the list itself, or in one that is spliced.
func (f *features) mayRemove(s *Seq) bool {
	return s.removes || f.policies && slices.ContainsFunc(s.Items, func(n Node) bool { _, ok := n.(*Splice); return ok })
}

// removed marks an item as a removal, until splitRemovals.
var removed = &Positional{}

// splitRemovals takes the removals out of items.
func splitRemovals(items []item) ([]item, []removal) {
	var out []removal
	n := 0
	for _, it := range items {
		if it.joins == removed {
			out = append(out, removal{n, it.layer})
			continue
		}
		items[n] = it
		n++
	}
	return items[:n], out
}

// withRemovals returns the items of a list that is spliced, with its removals among them: they hold
// for the list around it.
func (f *foldResult) withRemovals(e *Eval) []item {
	if !e.policies || f.note == nil || len(f.note.removes) == 0 {
		return f.items
	}
	items := make([]item, 0, len(f.items)+len(f.note.removes))
	at := 0
	for _, r := range f.note.removes {
		items = append(append(items, f.items[at:r.before]...), item{layer: r.layer, joins: removed})
		at = r.before
	}
	return append(items, f.items[at:]...)
}

// withRule returns f with the rule of its list.
func (f foldResult) withRule(r *ListRule) foldResult {
	if r != nil {
		n := listNote{rule: r, of: f.top}
		if f.note != nil {
			n.removes, n.older = f.note.removes, f.note
		}
		f.note = &n
	}
	return f
}

// policy returns the policy of a list.
func (n *listNote) policy() ListPolicy {
	if n == nil || n.rule == nil {
		return ListPolicy{}
	}
	return n.rule.Policy
}

// replacesLists reports whether a rule makes the list of f hide older ones. A list with an item
// that has to join an older one does not hide it: that is an error.
func (f *foldResult) replacesLists() bool {
	return f.note.policy().Kind == ReplacePolicy && !slices.ContainsFunc(f.items, func(it item) bool { return it.joins != nil })
}

// joinLists joins the items of a newer list with the items of an older one by the policy of the newer.
func (j *join) joinLists(newer, older foldResult) (foldResult, error) {
	f := newer
	m := j.listMerge(older.items, newer.note.policy())
	var removes []removal
	if newer.note != nil {
		removes = newer.note.removes
	}
	if newer.note != nil || older.note != nil {
		f.note = &listNote{of: newer.top, older: older.note}
		if newer.note != nil {
			f.note.rule = newer.note.rule
		}
	}
	seq, _ := newer.list.(*Seq)
	m.ruled = newer.note != nil && newer.note.rule != nil || seq != nil && seq.Union
	if m.policy.Kind == ReplacePolicy {
		return f, j.noPlace(newer)
	}
	if err := j.cell.enterJoin(newer); err != nil {
		return f, err
	}
	defer j.cell.leaveJoin()
	for i, it := range newer.items {
		for len(removes) > 0 && removes[0].before <= i {
			if err := m.remove(removes[0].layer); err != nil {
				return f, err
			}
			removes = removes[1:]
		}
		if err := m.add(i, it); err != nil {
			return f, err
		}
	}
	for _, r := range removes {
		if err := m.remove(r.layer); err != nil {
			return f, err
		}
	}
	if w := j.cell.observer(); w != nil {
		if err := w.joined(m, older.top); err != nil {
			return f, err
		}
	}
	f.items, j.lists = m.items(), m
	return f, nil
}

// listMerge returns a merge with older items. If the merge before has made them, it goes on: of n lists that join each
// other, each item is prepared for comparison once.
func (j *join) listMerge(older []item, policy ListPolicy) *listMerge {
	m := j.lists
	if m != nil && len(older) > 0 && len(m.out) == len(older) && &m.out[0] == &older[0] && m.policy == policy && policy.Kind != ByField && !m.removed {
		m.older = len(older)
		return m
	}
	return &listMerge{cell: j.cell, rule: j.rule, older: len(older), out: append([]item(nil), older...), policy: policy}
}

// mostJoins bounds the joins of the lists of one cell that run inside of one another.
const mostJoins = 8

// enterJoin counts a join of the list on c. Items are evaluated to compare them; if one refers to the
// list, that is joined again:
//
//	base.yaml  l: [{s: {a: 1}}, {s: {+/l/0/s: }}]
//	main.yaml  {+include: base.yaml, l: [{s: {a: 2}}]}
func (c *Cell) enterJoin(newer foldResult) error {
	e := c.eval
	if e.joining[c] < mostJoins {
		if e.joining == nil {
			e.joining = map[*Cell]int{}
		}
		e.joining[c]++
		return nil
	}
	at := source.Span{}
	for i := len(e.hidden) - 1; i >= 0 && at.IsZero(); i-- {
		if ref, ok := e.hidden[i].node.(*Ref); ok {
			at = ref.At
		}
	}
	if at.IsZero() {
		at = newer.top.span()
	}
	return source.Errorf(at, source.Cycle, "%s needs its own items: its items are compared with those of an older list, and one refers to the list", c.label()).
		WithHint("{+%%: replace} as the first item, or a rule in +lists, joins the list without comparing items")
}

// leaveJoin ends a join that enterJoin began.
func (c *Cell) leaveJoin() {
	if c.eval.joining[c]--; c.eval.joining[c] == 0 {
		delete(c.eval.joining, c)
	}
}

// noPlace returns an error if an item of a list that replaces older ones has to join one of theirs.
func (j *join) noPlace(newer foldResult) error {
	for _, it := range newer.items {
		if it.joins != nil {
			rule := newer.note.rule
			d := source.Errorf(it.layer.span(), source.MergeConflict,
				"this item joins an older item, but the list %s replaces the older list", j.cell.label())
			if rule.At.IsZero() {
				return d
			}
			return d.Note(rule.At, "the rule for the list")
		}
	}
	return nil
}
