package restore

import (
	"slices"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A relocation maps places of the original to places of the edited document: indexes of
// items change, keys are renamed.
type relocation struct {
	before, after optional
	changed       *trail
	keepOrder     bool // items were not moved

	// By pointer before the edit:
	items   map[string][]int                   // of a list: the new indexes of its items, -1 for removed
	renames map[string]map[value.Key]value.Key // of a map: the new keys of renamed entries
}

func newRelocation(before, after value.Value, changed *trail, keepOrder bool) *relocation {
	return &relocation{
		before: some(before), after: some(after), changed: changed, keepOrder: keepOrder,
		items: map[string][]int{}, renames: map[string]map[value.Key]value.Key{},
	}
}

// of returns the new path of a place. A map entry that was removed keeps its path; for a
// removed item of a list it returns false, because another item may have the path
// now.
func (r *relocation) of(p value.Path) (value.Path, bool, error) {
	to := slices.Clone(p)
	old, now := r.before, r.after
	at := r.changed
	for i, k := range p {
		if at.isEmpty() {
			return to, true, nil
		}
		key, ok, err := r.key(p[:i], k, old, now)
		if err != nil || !ok {
			return to, !old.isList(), err
		}
		to[i] = key
		if old, err = old.get(k); err != nil {
			return nil, false, err
		}
		if now, err = now.get(key); err != nil {
			return nil, false, err
		}
		at = at.next(k)
	}
	return to, true, nil
}

// key returns the new key of an entry or item, or false if it was removed.
func (r *relocation) key(in value.Path, k value.Key, old, now optional) (value.Key, bool, error) {
	switch {
	case old.isMap() && now.isMap():
		if there, err := now.get(k); there.ok || err != nil {
			return k, true, err
		}
		names, err := r.renamesIn(in, old, now)
		to, renamed := names[k]
		if !renamed {
			to = k
		}
		return to, renamed, err
	case old.isList() && now.isList():
		items, err := r.itemsOf(in, old, now)
		i, ok := indexOf(k)
		if err != nil || !ok || i < 0 || i >= len(items) || items[i] < 0 {
			return k, false, err
		}
		return value.Index(items[i]), true, nil
	}
	return k, false, nil
}

// itemsOf returns the new indexes of the items of a list.
func (r *relocation) itemsOf(p value.Path, old, now optional) ([]int, error) {
	pointer := p.Pointer()
	if known, ok := r.items[pointer]; ok {
		return known, nil
	}
	were, err := value.ItemsOf(old.v.List())
	if err != nil {
		return nil, err
	}
	are, err := value.ItemsOf(now.v.List())
	if err != nil {
		return nil, err
	}
	tokens := make([]token, len(were))
	places := make([]int, len(were))
	for i, v := range were {
		tokens[i] = token{was: some(v), values: were[i : i+1]}
		places[i] = -1
	}
	for j, i := range alignTokens(tokens, are, r.keepOrder).from {
		if i >= 0 {
			places[i] = j
		}
	}
	r.items[pointer] = places
	return places, nil
}

// renamesIn returns the new keys of the renamed entries of a map.
func (r *relocation) renamesIn(p value.Path, old, now optional) (map[value.Key]value.Key, error) {
	pointer := p.Pointer()
	if known, ok := r.renames[pointer]; ok {
		return known, nil
	}
	gone, err := onlyIn(old, now)
	if err != nil {
		return nil, err
	}
	come, err := onlyIn(now, old)
	if err != nil {
		return nil, err
	}
	r.renames[pointer] = renames(gone, come)
	return r.renames[pointer], nil
}

// onlyIn returns the entries of a map whose keys are missing from another.
func onlyIn(m, other optional) ([]keyValue, error) {
	var found []keyValue
	for k := range m.v.Map().Keys() {
		elsewhere, err := other.get(k)
		if err != nil {
			return nil, err
		}
		item, err := m.get(k)
		if err != nil {
			return nil, err
		}
		if item.ok && !elsewhere.ok {
			found = append(found, keyValue{k, item.v})
		}
	}
	return found, nil
}

// putBack returns the edited document with the values that were deleted there but are
// still referred to (spec: roundtrip, section 4, "template-removed").
func (w *walk) putBack(edited value.Value) (value.Value, error) {
	warned := map[string]bool{}
	for again := true; again; {
		again = false
		for _, at := range w.sites.all {
			stays, err := w.stays(at, edited)
			if err != nil {
				return edited, err
			}
			if !stays {
				continue
			}
			for _, ref := range at.refs {
				gone, err := w.missing(at, ref, edited)
				if gone == nil || err != nil {
					if err != nil {
						return edited, err
					}
					continue
				}
				if edited, err = w.restored(edited, gone, ref.to[:len(gone)]); err != nil {
					return edited, err
				}
				if key := gone.Pointer(); !warned[key] {
					warned[key] = true
					w.warnAt(at.where, source.TemplateRemoved, "%s stays: %s is built on it", gone, at.now)
				}
				again = true
			}
		}
	}
	return edited, nil
}

// missing returns the path of the first missing value on the way to the target of a
// reference, nil if nothing is missing or the reference does not need it.
func (w *walk) missing(at *site, ref reference, edited value.Value) (value.Path, error) {
	if !ref.found || !ref.needed {
		return nil, nil
	}
	gone, err := firstMissing(some(edited), ref.now)
	if gone == nil || err != nil {
		return nil, err
	}
	was := ref.to[:len(gone)]
	if at.at.HasPrefix(was) {
		return nil, nil // the site was inside of the removed value, which was renamed or moved
	}
	had, err := some(w.orig.Value).at(was)
	if !had.ok || err != nil {
		return nil, err // it had no value before either
	}
	return gone, nil
}

// stays reports whether a site still uses its targets: it is still a map, or has its old
// value.
func (w *walk) stays(at *site, edited value.Value) (bool, error) {
	if !at.placed || !at.found {
		return false, nil
	}
	now, err := some(edited).at(at.now)
	if err != nil || !now.ok {
		return false, err
	}
	if now.isMap() {
		return true, nil
	}
	old, err := some(w.orig.Value).at(at.at)
	if err != nil {
		return false, err
	}
	return now.sameAs(old)
}

// firstMissing returns the part of a path that leads to the first missing value, nil if
// none is missing.
func firstMissing(doc optional, p value.Path) (value.Path, error) {
	for i, k := range p {
		next, err := doc.get(k)
		if err != nil {
			return nil, err
		}
		if !next.ok {
			if doc.isMap() {
				return slices.Clone(p[:i+1]), nil
			}
			return nil, nil // another value replaced the parent: that is intended
		}
		doc = next
	}
	return nil, nil
}

// restored returns a document with the value that the original has at another path: before
// the first of the entries that followed it there.
func (w *walk) restored(doc value.Value, p, from value.Path) (value.Value, error) {
	old, err := some(w.orig.Value).at(from)
	if err != nil {
		return doc, err
	}
	around, err := some(w.orig.Value).at(from[:len(from)-1])
	if err != nil {
		return doc, err
	}
	behind := map[value.Key]bool{}
	if around.isMap() {
		found := false
		for k := range around.v.Map().Keys() {
			if found {
				behind[k] = true
			}
			found = found || k == from[len(from)-1]
		}
	}
	return withEntry(doc, p, old.v, behind)
}

// withEntry returns a document with v at path p, whose parents exist. The new entry is the
// last, or goes before the first of the given keys.
func withEntry(doc value.Value, p value.Path, v value.Value, before map[value.Key]bool) (value.Value, error) {
	if doc.Is(value.ListKind) {
		items, err := value.ItemsOf(doc.List())
		if i, ok := indexOf(p[0]); err == nil && ok && i < len(items) && len(p) > 1 {
			items[i], err = withEntry(items[i], p[1:], v, before)
		}
		return value.FromList(value.Slice(items)), err
	}
	out := value.NewMap(doc.Map().Len() + 1)
	last := len(p) == 1
	for k := range doc.Map().Keys() {
		item, _, err := doc.Map().Get(k)
		if err == nil && k == p[0] && !last {
			item, err = withEntry(item, p[1:], v, before)
		}
		if err != nil {
			return doc, err
		}
		if last && before[k] {
			out.Set(p[0], v)
			last = false
		}
		out.Set(k, item)
	}
	if last {
		out.Set(p[0], v)
	}
	return value.FromMap(out), nil
}
