package restore

import (
	"slices"

	"github.com/yaytpl/yaytpl/value"
)

// A relocation tells where the places of a document are after it was edited: items of
// lists have other indexes, keys were renamed.
type relocation struct {
	before, after optional
	changed       *trail
	keepOrder     bool // nothing was moved

	// By pointer before the edit:
	items   map[string][]int                   // of a list: where its items are now, -1 for nowhere
	renames map[string]map[value.Key]value.Key // of a map: the keys that entries have got
}

func newRelocation(before, after value.Value, changed *trail, keepOrder bool) *relocation {
	return &relocation{
		before: some(before), after: some(after), changed: changed, keepOrder: keepOrder,
		items: map[string][]int{}, renames: map[string]map[value.Key]value.Key{},
	}
}

// of returns where a place is now. What is not there any more would be where it is said
// to be; it is false for items of lists, which have no place of their own.
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

// key returns the key that an entry or item has now, false for one that is gone.
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

// itemsOf returns where the items of a list are now.
func (r *relocation) itemsOf(p value.Path, old, now optional) ([]int, error) {
	pointer := p.Pointer()
	if known, ok := r.items[pointer]; ok {
		return known, nil
	}
	were, err := itemsOf(old.v.List())
	if err != nil {
		return nil, err
	}
	are, err := itemsOf(now.v.List())
	if err != nil {
		return nil, err
	}
	tokens := make([]token, len(were))
	places := make([]int, len(were))
	for i, v := range were {
		tokens[i] = token{was: some(v), values: were[i : i+1]}
		places[i] = -1
	}
	for j, i := range align(tokens, are, r.keepOrder).from {
		if i >= 0 {
			places[i] = j
		}
	}
	r.items[pointer] = places
	return places, nil
}

// renamesIn returns the keys that entries of a map have got.
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

// onlyIn returns the entries of one of two maps whose keys are missing from the other.
func onlyIn(m, other optional) ([]keyed, error) {
	var found []keyed
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
			found = append(found, keyed{k, item.v})
		}
	}
	return found, nil
}
