package restore

import (
	"strings"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// An ownEntry is an entry that a map has itself, not from a directive.
type ownEntry struct {
	key    value.Key
	syntax *yaml.Entry
	node   graph.Node
}

// A mapping is a map of the text with its entries sorted by role.
type mapping struct {
	own        *graph.Map
	overlay    *graph.Overlay // nil without directives
	entries    []ownEntry
	index      map[value.Key]int // of entries
	directives []*yaml.Entry     // of the overlay, in the order of its bases
	merges     []*yaml.Entry     // YAML's "<<"
	lists      *yaml.Entry       // "+lists", or nil
	match      *yaml.Entry       // "+match", or nil

	// taken has the keys of directives and markers. No entry with such a key can be written, which
	// the document may have from a target with "raw".
	taken map[value.Key]bool
}

// mappingOf sorts the entries of a map. It returns false if s is not a map.
func mappingOf(s spot) (*mapping, bool) {
	if s.syntax.Kind != yaml.MapNode {
		return nil, false
	}
	m := &mapping{index: make(map[value.Key]int, len(s.syntax.Entries))}
	switch n := bare(s.node).(type) {
	case *graph.Map:
		m.own = n
	case *graph.Overlay:
		m.own, m.overlay = n.Own, n
	default:
		return nil, false
	}
	for i := range s.syntax.Entries {
		e := &s.syntax.Entries[i]
		at, ok := m.own.Find(e.Key)
		if ok {
			// The entry may be a directive, and the node an entry from "<<" with the same key.
			made := m.own.Entries[at].KeyAt
			ok = made.Start == e.KeyAt.Start && made.End == e.KeyAt.End
		}
		switch {
		case e.IsMerge():
			m.merges = append(m.merges, e)
		case ok:
			m.index[e.Key] = len(m.entries)
			m.entries = append(m.entries, ownEntry{e.Key, e, m.own.Entries[at].Node})
		default:
			switch {
			case e.Key.Text == "+match" || e.Key.Text == "+?match":
				m.match = e
			case e.Key == listsKey:
				m.lists = e
			case isDirective(e.Key):
				m.directives = append(m.directives, e)
			}
			if m.taken == nil {
				m.taken = map[value.Key]bool{}
			}
			m.taken[e.Key] = true
		}
	}
	return m, true
}

func isDirective(k value.Key) bool {
	return k.Kind == value.StringKind && strings.HasPrefix(k.Text, "+") && k.Text != "+%" && k.Text != "+&"
}

// find returns the entry with a key.
func (m *mapping) find(k value.Key) (ownEntry, bool) {
	i, ok := m.index[k]
	if !ok {
		return ownEntry{}, false
	}
	return m.entries[i], true
}

// underMap returns the part of base that a map is merged with: nothing if base is not a
// map, or if the map replaces older ones.
func underMap(m *mapping, base optional) optional {
	if m.own.Strategy == graph.ReplaceStrategy || !base.isMap() {
		return none
	}
	return base
}

// A mapEdit edits the entries of one map.
type mapEdit struct {
	*walk
	spot
	m    *mapping
	base optional // what the map with its "<<" is merged with
	soft optional // the entries from "<<", which own entries override
	want optional

	renamed map[value.Key]value.Key // new keys of renamed entries
	placed  map[value.Key]bool      // keys that the text has after the edits
	rules   []graph.ListRule        // new rules for lists
}

// entries edits a map over base so that it gives want, without the directives that are
// dropped. Renames come first, because an entry with a new key keeps its text; then the
// entries that stay, removals, the order, and additions.
func (w *walk) entries(s spot, m *mapping, base optional, dropped map[int]bool, want value.Value) error {
	x := &mapEdit{walk: w, spot: s, m: m, base: base, want: some(want)}
	x.restless = x.restless || len(dropped) > 0
	for _, step := range []func() error{x.mergeKeys, x.findRenames, x.keep, x.remove, x.reorder, x.add, x.addRules} {
		if err := step(); err != nil {
			return err
		}
	}
	for i, d := range m.directives {
		if dropped[i] {
			w.edit(roundtrip.Edit{Op: roundtrip.Delete, Path: s.text.With(d.Key)})
		}
	}
	return nil
}

// below returns the value of base at a key. A value that failed before the edit as well is missing: the
// map must hide it.
func (x *mapEdit) below(k value.Key) (optional, error) {
	v, err := x.base.get(k)
	if err == nil || !isGone(err) || !x.failedBefore(x.spot, x.m.overlay, k) {
		return v, err
	}
	return none, nil
}

// failedBefore reports whether the directives of a map, or the layers below the text, had a value at a key
// that failed.
func (w *walk) failedBefore(s spot, o *graph.Overlay, k value.Key) bool {
	if !s.placed {
		return false
	}
	if _, err := w.sites.below.at(s.was.With(k)); err != nil {
		return true
	}
	if o == nil {
		return false
	}
	v, ok, err := w.orig.World.Alone(s.was, basesOf(o, o.Bases), s.lists)
	if err != nil || !ok {
		return false
	}
	_, err = some(v).get(k)
	return err != nil
}

// keep edits the entries that stay.
func (x *mapEdit) keep() error {
	x.placed = map[value.Key]bool{}
	for _, e := range x.m.entries {
		key := e.key
		if to, ok := x.renamed[key]; ok {
			key = to
		}
		want, err := x.want.get(key)
		if err != nil {
			return err
		}
		if !want.ok {
			continue
		}
		kid, err := x.under(e)
		if err != nil {
			return err
		}
		kid.is, kid.in, kid.restless = x.is.With(key), x, x.restless
		below, err := x.below(key)
		if err != nil {
			return err
		}
		before := len(x.plan.Edits)
		if err := x.place(kid, below, want.v); err != nil {
			return err
		}
		x.placed[key] = !x.wasDeleted(before, kid.text)
		if key != e.key {
			x.edit(roundtrip.Edit{Op: roundtrip.Rename, Path: kid.text, Key: key})
		}
	}
	return nil
}

// wasDeleted reports whether the edits from index since on deleted an entry.
func (x *mapEdit) wasDeleted(since int, text value.Path) bool {
	gone := false
	for _, e := range x.plan.Edits[since:] {
		switch {
		case len(e.Path) != len(text):
		case e.Op == roundtrip.Delete:
			gone = true
		case e.Op == roundtrip.Rename: // another entry has the key now
			gone = false
		}
	}
	return gone
}

// remove deletes the entries that are not wanted. If base has the key, a whiteout replaces
// the entry.
func (x *mapEdit) remove() error {
	for _, e := range x.m.entries {
		if _, renamed := x.renamed[e.key]; renamed {
			continue
		}
		want, err := x.want.get(e.key)
		if want.ok || err != nil {
			if err != nil {
				return err
			}
			continue
		}
		below, err := x.below(e.key)
		if err != nil {
			return err
		}
		if _, hidden := e.node.(*graph.Delete); hidden {
			continue
		}
		kid, err := x.under(e)
		if err != nil {
			return err
		}
		was := true // false for an optional directive without a target: it has no value, but stays
		if kid.placed && !kid.old.ok {
			now, err := x.written(kid)
			if err != nil {
				return err
			}
			was = now.ok
		}
		switch {
		case below.ok:
			mark, err := whiteout(kid.is)
			if err != nil {
				return err
			}
			x.set(kid, mark)
		case was:
			x.delete(kid)
			if kid.old.ok {
				x.transferred(&x.gone, kid.old.v)
			}
		}
	}
	return x.hide()
}

// hide adds whiteouts for keys of base that are not wanted.
func (x *mapEdit) hide() error {
	if !x.base.isMap() {
		return nil
	}
	for k := range x.base.v.Map().Keys() {
		if _, explicit := x.m.find(k); explicit {
			continue
		}
		below, err := x.below(k) // a value that fails has no key in want either
		if err != nil {
			return err
		}
		want, err := x.want.get(k)
		if err != nil {
			return err
		}
		if below.ok && !want.ok {
			mark, err := whiteout(x.is.With(k))
			if err != nil {
				return err
			}
			x.insert(k, mark, roundtrip.Position{}, inFlow)
		}
	}
	return nil
}

// add inserts the keys that are wanted and missing, in the wanted order.
func (x *mapEdit) add() error {
	var before value.Key
	first := true
	for k := range x.want.v.Map().Keys() {
		if x.placed[k] {
			before, first = k, false
			continue
		}
		_, renamed := x.renamed[k]
		if _, explicit := x.m.find(k); explicit && !renamed {
			continue // its entry was deleted because base has the value
		}
		added, err := x.addKey(k, x.placeAfter(before, first))
		if err != nil {
			return err
		}
		if added {
			x.placed[k] = true
			before, first = k, false
		}
	}
	return nil
}

// placeAfter returns the position of a new entry: after the entry that precedes it in the
// document, if only the map determines that order; otherwise the end.
func (x *mapEdit) placeAfter(before value.Key, first bool) roundtrip.Position {
	switch {
	case x.base.ok || x.soft.ok:
		return roundtrip.Position{}
	case first:
		return x.m.first()
	}
	return roundtrip.Position{Where: roundtrip.After, Key: before}
}

// first returns the position of the first entry: after "+match".
func (m *mapping) first() roundtrip.Position {
	if m.match != nil {
		return roundtrip.Position{Where: roundtrip.After, Key: m.match.Key}
	}
	return roundtrip.Position{Where: roundtrip.First}
}

// addKey inserts an entry, unless base and "<<" give its value already. It reports whether
// it did.
func (x *mapEdit) addKey(k value.Key, where roundtrip.Position) (bool, error) {
	want, err := x.want.get(k)
	if err != nil {
		return false, err
	}
	below, err := x.below(k)
	if err != nil {
		return false, err
	}
	if x.m.taken[k] {
		return false, nil // the caller finds that the document is another one
	}
	now, err := x.shown(k, below)
	if err != nil {
		return false, err
	}
	if eq, err := now.sameAs(want); eq || err != nil {
		return false, err
	}
	if !below.ok {
		v, note := x.asWritten(x.is.With(k), want.v)
		x.insert(k, v, where, note)
		x.transferred(&x.come, want.v)
		return true, nil
	}
	v, err := x.override(x.slot(k, x.is.With(k)), below, want.v)
	if err != nil {
		return false, err
	}
	if v.field != "" {
		x.rule(k, v.field)
	}
	x.insert(k, v.v, where, x.style(x.is.With(k), v.v))
	return true, nil
}

// shown returns the value at a key that the map does not have itself.
func (x *mapEdit) shown(k value.Key, below optional) (optional, error) {
	soft, err := x.soft.get(k)
	if err != nil || !soft.ok || !below.ok {
		if soft.ok {
			return soft, err
		}
		return below, err
	}
	v, err := x.world.Join(below.v, soft.v, x.lists.Under(k.Text, nil))
	return some(v), err
}

// insert adds an edit that inserts an entry.
func (x *mapEdit) insert(k value.Key, v value.Value, where roundtrip.Position, note *value.Annotation) {
	x.edit(roundtrip.Edit{Op: roundtrip.Insert, Path: x.text.With(k), Value: v, Place: where, Note: note})
}

// findRenames finds removed and added entries with equal values. If there is exactly one
// of each, the entry was renamed.
func (x *mapEdit) findRenames() error {
	if x.opts.Plain || !x.old.isMap() {
		return nil
	}
	gone, err := x.goneEntries()
	if len(gone) == 0 || err != nil {
		return err
	}
	come, err := x.newEntries()
	x.renamed = renames(gone, come)
	return err
}

// goneEntries returns the removed entries that need no whiteout, with their old values.
func (x *mapEdit) goneEntries() ([]keyValue, error) {
	var gone []keyValue
	for _, e := range x.m.entries {
		if _, hidden := e.node.(*graph.Delete); hidden {
			continue
		}
		want, err := x.want.get(e.key)
		if err != nil {
			return nil, err
		}
		below, err := x.below(e.key)
		if err != nil {
			return nil, err
		}
		old, err := x.old.get(e.key)
		if err != nil {
			return nil, err
		}
		if old.ok && !want.ok && !below.ok {
			gone = append(gone, keyValue{e.key, old.v})
		}
	}
	return gone, nil
}

// newEntries returns the wanted entries with keys that did not exist before.
func (x *mapEdit) newEntries() ([]keyValue, error) {
	var come []keyValue
	for k := range x.want.v.Map().Keys() {
		old, err := x.old.get(k)
		if err != nil {
			return nil, err
		}
		below, err := x.below(k)
		if err != nil {
			return nil, err
		}
		want, err := x.want.get(k)
		if err != nil {
			return nil, err
		}
		if !old.ok && !below.ok {
			come = append(come, keyValue{k, want.v})
		}
	}
	return come, nil
}

// mergeKeys evaluates "<<". If some of its entries are not wanted, it is removed and the
// wanted ones are written out.
func (x *mapEdit) mergeKeys() error {
	if len(x.m.merges) == 0 {
		return nil
	}
	soft := value.NewMap(0)
	inline := x.opts.Inline[x.text.Pointer()]
	for _, e := range x.m.merges {
		for _, from := range mergeSources(e.Value) {
			v, err := x.mergeSource(from)
			if err != nil {
				return err
			}
			if !v.isMap() {
				inline = true
				continue
			}
			for k := range v.v.Map().Keys() {
				if _, ok, _ := soft.Get(k); ok {
					continue
				}
				item, err := v.get(k)
				if err != nil {
					return err
				}
				soft.Set(k, item.v)
			}
		}
	}
	x.soft = some(value.FromMap(soft))
	return x.inlineMerges(inline)
}

// inlineMerges removes "<<" if inline is set, or if it adds a key that is not wanted.
func (x *mapEdit) inlineMerges(inline bool) error {
	for k := range x.soft.v.Map().Keys() {
		want, err := x.want.get(k)
		if err != nil {
			return err
		}
		inline = inline || !want.ok
	}
	if !inline {
		return nil
	}
	for _, e := range x.m.merges {
		if x.opts.NoInline {
			x.plan.Conflicts = append(x.plan.Conflicts, Conflict{Path: x.is, Reason: source.NeedsInline, At: e.KeyAt, Inline: true})
			continue
		}
		x.warnAt(e.KeyAt, source.Inlined, `"<<" in %s was expanded: its entries are written out`, x.is)
		x.edit(roundtrip.Edit{Op: roundtrip.Delete, Path: x.text.With(e.Key)})
	}
	x.soft = none
	return nil
}

// mergeSources returns the maps in the value of a "<<", in order of precedence.
func mergeSources(n *yaml.Node) []*yaml.Node {
	if n.Kind == yaml.SeqNode {
		return n.Items
	}
	return []*yaml.Node{n}
}

// mergeSource returns the value of a map for "<<" in the edited document. A map without a
// place of its own in the document is data.
func (w *walk) mergeSource(n *yaml.Node) (optional, error) {
	if n.Kind == yaml.AliasNode {
		if w.sites.gone[n.Target] {
			return none, nil
		}
		if to, known := w.sites.anchors[n.Target]; known {
			return w.anchored(w.orig.Anchors[n.Target.Anchor], to)
		}
		n = n.Target
	}
	v, err := n.ToValue()
	return some(v), err
}

// reorder moves the entries of a map into the wanted order, if nothing else determines
// the order.
func (x *mapEdit) reorder() error {
	if x.opts.KeepOrder || x.base.ok || x.soft.ok {
		return nil
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
		e := roundtrip.Edit{Op: roundtrip.Move, Path: x.text.With(move.key)}
		if move.first {
			e.Place = x.m.first()
		} else {
			e.Place = roundtrip.Position{Where: roundtrip.After, Key: move.after}
		}
		x.edit(e)
	}
	return nil
}
