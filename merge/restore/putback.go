package restore

import (
	"slices"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// putBack returns the edited document with what was deleted there although something
// that stays refers to it (spec: roundtrip, section 4, "template-removed").
func (w *walk) putBack(edited value.Value) (value.Value, error) {
	told := map[string]bool{}
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
				if key := gone.Pointer(); !told[key] {
					told[key] = true
					w.warnAt(at.where, source.TemplateRemoved, "%s stays: %s is built on it", gone, at.now)
				}
				again = true
			}
		}
	}
	return edited, nil
}

// missing returns the path of the first thing on the way to what a site needs that is not
// there any more and has to be, nil for none.
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
		return nil, nil // the site was a part of what has gone, and got another key with that
	}
	had, err := some(w.orig.Value).at(was)
	if !had.ok || err != nil {
		return nil, err // it came to nothing before as well
	}
	return gone, nil
}

// stays reports whether a site still takes what it took: as long as it is a map, or what
// it was.
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

// firstMissing returns the part of a path that leads to the first thing that is not
// there, nil if all is.
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
			return nil, nil // something else stands there now: the edit means it
		}
		doc = next
	}
	return nil, nil
}

// restored returns a document with what the original has at another path: before the
// first of the entries that followed it there.
func (w *walk) restored(doc value.Value, p, from value.Path) (value.Value, error) {
	old, err := some(w.orig.Value).at(from)
	if err != nil {
		return doc, err
	}
	around, err := some(w.orig.Value).at(from[:len(from)-1])
	if err != nil {
		return doc, err
	}
	return withEntry(doc, p, old.v, followers(around, from[len(from)-1]))
}

// followers returns the keys of a map behind one of them.
func followers(m optional, k value.Key) map[value.Key]bool {
	behind := map[value.Key]bool{}
	if !m.isMap() {
		return behind
	}
	found := false
	for other := range m.v.Map().Keys() {
		if found {
			behind[other] = true
		}
		found = found || other == k
	}
	return behind
}

// withEntry returns a document with a value at a path, of which all but the last key is
// there: before the first of some keys, or at the end.
func withEntry(doc value.Value, p value.Path, v value.Value, before map[value.Key]bool) (value.Value, error) {
	if doc.Is(value.ListKind) {
		items, err := itemsOf(doc.List())
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
