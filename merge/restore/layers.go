package restore

import (
	"slices"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/value"
)

// The text may be one of several layers. Those below it are like the directives of its outermost map: the
// text has to say the differences from them. They are evaluated in the edited world as well, since
// their pointers lead into the document. For example, with the layers
//
//	base.yaml   tmpl: {port: 80}
//	            web: {+/tmpl: }
//	over.yaml   tmpl: {port: 81}
//
// and an edited document in which only tmpl.port is 90, base.yaml gives web.port 90 in the edited world,
// where 81 is wanted: over.yaml gets web: {port: 81}.
//
// Of layers over the text this package knows nothing: the caller takes them off both documents, with
// [Moved].

// enter makes the world of the edited document.
func (w *walk) enter(want value.Value) error {
	intact, err := w.intact()
	if err != nil {
		return err
	}
	names, err := w.names()
	if err != nil {
		return err
	}
	w.world, err = w.opts.Edited(Edited{want, names, intact})
	return err
}

// older returns the value of the layers below the text in the edited document. Where it changed, the
// text has to be checked.
func (w *walk) older() (optional, error) {
	v, ok, err := w.world.Below()
	if err != nil || !ok {
		return none, err
	}
	// A value that fails is hidden by the text, or its place is wrong in the result, and then in doubt.
	if moved, err := differences(w.sites.below.v, v); err == nil {
		moved.visit(nil, func(p value.Path) { w.doubt.add(slices.Clone(p)) })
	}
	return some(v), nil
}

// names returns the nodes with a name.
func (w *walk) names() (map[string]Named, error) {
	names := map[string]Named{}
	for name, n := range w.orig.Anchors {
		p, ok := w.sites.nodes[n]
		if !ok {
			continue
		}
		own, ok, err := w.partOf(n, p)
		if err != nil {
			return nil, err
		}
		names[name] = Named{p, own, ok}
	}
	return names, nil
}

// partOf returns the value of a node of the text after the edit at its place p of the edited document, if
// layers below the text have a value there as well. It is the old value of the node with the changes of
// the document.
func (w *walk) partOf(n graph.Node, p value.Path) (value.Value, bool, error) {
	if older, err := w.sites.below.at(p); err != nil || !older.ok {
		return value.Null, false, nil
	}
	own, ok, err := w.orig.World.Alone(p, n, nil)
	if err != nil || !ok {
		return value.Null, false, err
	}
	was, err := some(w.orig.Value).at(p)
	if err != nil {
		return value.Null, false, err
	}
	now, err := some(w.plan.Want).at(p)
	if err != nil || !was.ok || !now.ok {
		return own, true, err
	}
	own, err = Moved(own, was.v, now.v)
	return own, true, err
}

// anchored returns the value of a node with an anchor, which an alias repeats; its place in the edited
// document is to.
func (w *walk) anchored(n graph.Node, to value.Path) (optional, error) {
	if own, ok, err := w.partOf(n, to); ok || err != nil {
		return some(own), err
	}
	return some(w.plan.Want).at(to)
}

// Moved returns a part of a document with the changes from one state of the document to the next. The part
// is what some of the layers have. If it is {a: 1, l: [x]}, and the document changes
// from {a: 1, b: 2, l: [x, y]} to {a: 3, b: 2, l: [x, z, y]}, the result is {a: 3, l: [x, z]}.
func Moved(part, was, now value.Value) (value.Value, error) {
	same, err := value.Same(was, now)
	switch {
	case err != nil || same:
		return part, err
	case part.Is(value.MapKind) && was.Is(value.MapKind) && now.Is(value.MapKind):
		return movedMap(part.Map(), some(was), some(now))
	case part.Is(value.ListKind) && was.Is(value.ListKind) && now.Is(value.ListKind):
		return movedList(part, was, now)
	}
	return now, nil
}

// movedMap is Moved for maps.
func movedMap(part value.Map, was, now optional) (value.Value, error) {
	out := value.NewMap(part.Len())
	for k := range part.Keys() {
		v, _, err := part.Get(k)
		if err != nil {
			return value.Null, err
		}
		old, err := was.get(k)
		if err != nil {
			return value.Null, err
		}
		next, err := now.get(k)
		switch {
		case err != nil:
			return value.Null, err
		case old.ok && next.ok:
			v, err = Moved(v, old.v, next.v)
		case next.ok:
			v = next.v
		case old.ok:
			continue
		}
		if err != nil {
			return value.Null, err
		}
		out.Set(k, v)
	}
	for k := range now.v.Map().Keys() {
		if _, known, _ := part.Get(k); known {
			continue
		}
		v, err := movedEntry(k, was, now)
		if err != nil {
			return value.Null, err
		}
		if v.ok {
			out.Set(k, v.v)
		}
	}
	return value.FromMap(out), nil
}

// movedEntry returns the changes of an entry that the part does not have.
func movedEntry(k value.Key, was, now optional) (optional, error) {
	old, err := was.get(k)
	if err != nil {
		return none, err
	}
	next, err := now.get(k)
	if err != nil {
		return none, err
	}
	same, err := old.sameAs(next)
	switch {
	case err != nil || same:
		return none, err
	case old.isMap() && next.isMap():
		v, err := movedMap(value.NewMap(0), old, next)
		return some(v), err
	}
	return next, nil
}

// movedList is Moved for lists. Items that only other layers have are before the items of the part, or after
// them, or between them where a field tells them apart.
func movedList(part, was, now value.Value) (value.Value, error) {
	var items [3][]value.Value
	for i, v := range []value.Value{part, was, now} {
		var err error
		if items[i], err = value.ItemsOf(v.List()); err != nil {
			return value.Null, err
		}
	}
	own, old, next := items[0], items[1], items[2]
	n := len(old) - len(own)
	switch {
	case n == 0:
		if len(next) != len(old) || !slices.EqualFunc(own, old, value.IsSame) {
			return movedByField(own, old, next)
		}
		return now, nil
	case n > 0 && n <= len(next) && slices.EqualFunc(own, old[:len(own)], value.IsSame) && slices.EqualFunc(old[len(own):], next[len(next)-n:], value.IsSame):
		return value.FromList(value.Slice(next[:len(next)-n])), nil
	case n > 0 && n <= len(next) && slices.EqualFunc(own, old[n:], value.IsSame) && slices.EqualFunc(old[:n], next[:n], value.IsSame):
		return value.FromList(value.Slice(next[n:])), nil
	}
	return movedByField(own, old, next)
}

// movedByField is Moved for lists whose items a field tells apart. Other lists change as a whole.
func movedByField(own, old, next []value.Value) (value.Value, error) {
	for _, field := range value.ItemFields {
		if !haveOwn(field, old) || !haveOwn(field, own) {
			continue
		}
		parts, was := byField(field, own), byField(field, old)
		var out value.Slice
		for _, v := range next {
			k, ok := value.FieldKey(v, field)
			before, known := was[k]
			part, mine := parts[k]
			var err error
			switch {
			case !ok || !known:
			case mine:
				v, err = Moved(part, before, v)
			case value.IsSame(before, v):
				continue
			}
			if err != nil {
				return value.Null, err
			}
			out = append(out, v)
		}
		return value.FromList(out), nil
	}
	return value.FromList(value.Slice(next)), nil
}

// byField returns items by their field.
func byField(field string, items []value.Value) map[value.Key]value.Value {
	found := make(map[value.Key]value.Value, len(items))
	for _, v := range items {
		if k, ok := value.FieldKey(v, field); ok {
			found[k] = v
		}
	}
	return found
}
