package restore

import (
	"errors"
	"slices"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// overlay edits a map with directives. If an override of the values from a directive is
// impossible, the directive is removed and its values are written out.
func (w *walk) overlay(s spot, o *graph.Overlay, base optional, want value.Value) error {
	s.restless = s.restless || !s.placed || w.touched.meets(s.text)
	m, ok := mappingOf(s)
	if !ok || !want.Is(value.MapKind) {
		return w.lone(s, o, base, want)
	}
	base = underMap(m, base)
	dropped := map[int]bool{}
	if w.opts.Inline[s.text.Pointer()] {
		for i := range m.overlay.Bases {
			w.drop(s, m, i, dropped)
		}
	}
	for {
		err := w.layer(s, m, base, dropped, want)
		if isGone(err) {
			if err = w.dropGone(s, m, dropped, err); err == nil {
				continue
			}
		}
		var e *inexpressibleError
		switch {
		case err == errConflict:
			return nil
		case !errors.As(err, &e):
			return err
		}
		done, err := w.dropGuilty(s, m, e, dropped)
		if done || err != nil {
			return err
		}
	}
}

// layer edits a map over base and the directives that are not dropped. If it fails, it
// undoes its edits.
func (w *walk) layer(s spot, m *mapping, base optional, dropped map[int]bool, want value.Value) error {
	below, ok, err := w.below(s, m.overlay, base, dropped)
	switch {
	case err != nil:
		return err
	case !ok:
		return errNoMap
	}
	plan, gone, come := *w.plan, w.gone, w.come
	if err = w.entries(s, m, below, dropped, want); err != nil {
		*w.plan, w.gone, w.come = plan, gone, come
	}
	return err
}

// dropGuilty drops the directives with a value at the place of e. It returns true if that
// is a conflict.
func (w *walk) dropGuilty(s spot, m *mapping, e *inexpressibleError, dropped map[int]bool) (bool, error) {
	guilty, err := w.guilty(s, m.overlay, e.at[len(s.is):], dropped)
	if err != nil || len(guilty) == 0 {
		return false, errors.Join(err, e)
	}
	if !w.opts.mayInline() {
		w.plan.Conflicts = append(w.plan.Conflicts, Conflict{Path: e.at, Reason: source.NeedsInline, At: m.overlay.Bases[guilty[0]].Span(), Inline: true})
		return true, nil
	}
	for _, i := range guilty {
		w.drop(s, m, i, dropped)
	}
	return false, nil
}

// isGone reports whether an error says that the target of a directive is missing, or is
// not a map any more, or contains the map with the directive.
func isGone(err error) bool {
	var d *source.Diagnostic
	return err == errNoMap || errors.Is(err, source.ErrMissing) ||
		errors.As(err, &d) && (d.Code == source.MergeConflict || d.Code == source.RecursiveInclude)
}

var (
	errConflict = errors.New("conflict") // a conflict is recorded, stop
	errNoMap    = errors.New("a map with directives does not evaluate to a map")
)

// dropGone drops the directives without a target. If all have a target, it returns why.
func (w *walk) dropGone(s spot, m *mapping, dropped map[int]bool, why error) error {
	found := false
	for i, b := range m.overlay.Bases {
		if dropped[i] {
			continue
		}
		v, ok, err := w.world.Alone(s.is, basesOf(m.overlay, []graph.Node{b}), s.lists)
		if err == nil && ok && v.Is(value.MapKind) {
			err = w.failsNow(s, m.overlay, v) // entries may refer to something that was removed
		}
		if err != nil && !isGone(err) {
			return err
		}
		if err == nil && (!ok || v.Is(value.MapKind)) {
			continue
		}
		if w.opts.NoInline {
			w.plan.Conflicts = append(w.plan.Conflicts, Conflict{Path: slices.Clone(s.is), Reason: source.BaseRemoved, At: b.Span(), Inline: true})
			return errConflict
		}
		w.drop(s, m, i, dropped)
		found = true
	}
	if !found {
		return why
	}
	return nil
}

// failsNow returns the error of an entry of v, the value of directives of a map, unless the entry
// failed before the edit as well.
func (w *walk) failsNow(s spot, o *graph.Overlay, v value.Value) error {
	for k := range v.Map().Keys() {
		item, _, err := v.Map().Get(k)
		if err == nil {
			_, err = value.Plain(item)
		}
		if err != nil && !(isGone(err) && w.failedBefore(s, o, k)) {
			return err
		}
	}
	return nil
}

// below returns the value that a map is merged with: base, then the values from its directives. It
// returns false if these are not a map.
func (w *walk) below(s spot, o *graph.Overlay, base optional, dropped map[int]bool) (optional, bool, error) {
	var bases []graph.Node
	for i, b := range o.Bases {
		if !dropped[i] {
			bases = append(bases, b)
		}
	}
	if len(bases) == 0 {
		return base, true, nil
	}
	v, ok, err := w.world.Alone(s.is, basesOf(o, bases), s.lists)
	switch {
	case err != nil || !ok || v.Is(value.MapKind) && v.Map().Len() == 0:
		return base, true, err
	case !v.Is(value.MapKind):
		return none, false, nil
	case !base.ok:
		return some(v), true, nil
	}
	v, err = w.world.Join(base.v, v, s.lists)
	return some(v), true, err
}

// basesOf returns an overlay of bases without own entries.
func basesOf(o *graph.Overlay, bases []graph.Node) graph.Node {
	return &graph.Overlay{
		At: o.At, Bases: bases, Own: graph.NewMap(graph.Map{At: o.At}), Rule: o.Rule,
		Lone: len(bases) == 1, Written: o.Written,
	}
}

// guilty returns the directives with a value at a path below the map.
func (w *walk) guilty(s spot, o *graph.Overlay, at value.Path, dropped map[int]bool) ([]int, error) {
	var guilty []int
	for i, b := range o.Bases {
		if dropped[i] {
			continue
		}
		v, ok, err := w.world.Alone(s.is, basesOf(o, []graph.Node{b}), s.lists)
		if err != nil {
			return nil, err
		}
		there, err := optional{v, ok}.at(at)
		if err != nil {
			return nil, err
		}
		if there.ok {
			guilty = append(guilty, i)
		}
	}
	return guilty, nil
}

// drop removes a directive from its map.
func (w *walk) drop(s spot, m *mapping, i int, dropped map[int]bool) {
	dropped[i] = true
	if i < len(m.directives) {
		w.warnInlined(m.directives[i].KeyNode(), s)
	}
}

// warnInlined warns that a directive was replaced by its values: these do not follow later changes of its target.
func (w *walk) warnInlined(key *yaml.Node, s spot) {
	w.warnAt(key.At, source.Inlined, "%s in %s was expanded: its values are written out", key.At.Text(), s.is)
}

// lone edits a map with directives whose value is not a map, or will not be one, such as
// {+include: list.yaml}. If it does not give want, it is replaced with want, or with
// NoInline it is a conflict.
func (w *walk) lone(s spot, o *graph.Overlay, base optional, want value.Value) error {
	if done, err := w.comesTo(s, base, want); done || err != nil {
		return err
	}
	wasMap := s.old.isMap()
	if !wasMap && w.opts.NoInline {
		reason := source.NeedsInline
		if s.old.isList() && want.Is(value.ListKind) {
			reason = source.ListNotAppendable
		}
		w.plan.Conflicts = append(w.plan.Conflicts, Conflict{Path: slices.Clone(s.is), Reason: reason, At: o.Bases[0].Span(), Inline: true})
		return nil
	}
	if !wasMap && len(s.syntax.Entries) > 0 {
		w.warnInlined(s.syntax.Entries[0].KeyNode(), s)
	}
	return w.over(s, base, want)
}

// An override is a value that has to be written over another one. If field is set, its map needs
// the rule "by field" for it.
type override struct {
	v     value.Value
	field string
}

// override returns the override of base that gives want (spec: roundtrip, section 1;
// everyday, A5).
func (w *walk) override(s slot, base optional, want value.Value) (override, error) {
	switch {
	case !base.ok:
		return override{v: want}, nil
	case isPrivate(s.at) && !(base.isList() && want.Is(value.ListKind)):
		return override{}, &inexpressibleError{s.at}
	case base.isMap() && want.Is(value.MapKind):
		v, err := w.overrideMap(s, base, want.Map())
		return override{v: v}, err
	case base.isMap() && want.IsNull():
		return override{v: Marker("nullout")}, nil
	case base.isList() && want.Is(value.ListKind):
		return w.overrideList(s, base, want)
	}
	return override{v: want}, nil
}

// overrideMap returns the entries of want that differ from base, and whiteouts for the
// keys that only base has. To get {log: debug} over {log: info, port: 80} it returns {log:
// debug, port: {+%: whiteout}}.
func (w *walk) overrideMap(s slot, base optional, want value.Map) (value.Value, error) {
	entries, rules := value.NewMap(want.Len()), value.NewMap(0)
	lists := s.lists
	for k := range want.Keys() {
		v, _, err := want.Get(k)
		if err != nil {
			return value.Null, err
		}
		below, err := base.get(k)
		if err != nil {
			return value.Null, err
		}
		if eq, err := below.sameAs(some(v)); eq || err != nil {
			if err != nil {
				return value.Null, err
			}
			continue
		}
		over, err := w.override(w.slotUnder(s.at, k, lists), below, v)
		if err != nil {
			return value.Null, err
		}
		if over.field != "" {
			lists = lists.With(ruleBy(k, over.field))
			rules.Set(k, value.String("by "+over.field))
		}
		entries.Set(k, over.v)
	}
	for k := range base.v.Map().Keys() {
		below, err := base.get(k)
		if err != nil {
			return value.Null, err
		}
		if _, ok, err := want.Get(k); err != nil {
			return value.Null, err
		} else if below.ok && !ok {
			mark, err := whiteout(s.at.With(k))
			if err != nil {
				return value.Null, err
			}
			entries.Set(k, mark)
		}
	}
	if rules.Len() == 0 {
		return value.FromMap(overrides{entries, w, s.at}), nil
	}
	out := value.NewMap(entries.Len() + 1)
	out.Set(listsKey, value.FromMap(rules))
	for k := range entries.Keys() {
		v, _, _ := entries.Get(k)
		out.Set(k, v)
	}
	return value.FromMap(overrides{out, w, s.at}), nil
}

// Marker returns {+%: name}: the value that makes a key whiteout or nullout over older
// layers (spec: merge, section 6).
func Marker(name string) value.Value {
	m := value.NewMap(1)
	m.Set(value.K("+%"), value.String(name))
	return value.FromMap(m)
}

// whiteout returns the value that removes the value of older layers at a path. Nothing removes
// private keys: layers only add to them.
func whiteout(at value.Path) (value.Value, error) {
	if isPrivate(at) {
		return value.Null, &inexpressibleError{at}
	}
	return Marker("whiteout"), nil
}

// isPrivate reports whether a path ends at the directive for private keys.
func isPrivate(at value.Path) bool { return len(at) > 0 && at[len(at)-1] == graph.PrivateKey }

// isMarker reports whether a value is {+%: ...} and nothing else.
func isMarker(v value.Value) bool {
	if !v.Is(value.MapKind) || v.Map().Len() != 1 {
		return false
	}
	_, ok, _ := v.Map().Get(value.K("+%"))
	return ok
}

// An overrides is a map of overrides. It has the style that the edited document has at its
// place.
type overrides struct {
	*value.Dict
	walk *walk
	at   value.Path
}

// AnnotationAt implements [value.Annotated].
func (m overrides) AnnotationAt(i int) *value.Annotation {
	for k := range m.Keys() {
		if i == 0 {
			if k == listsKey {
				return inFlow
			}
			v, _, _ := m.Get(k)
			return m.walk.style(m.at.With(k), v)
		}
		i--
	}
	return nil
}
