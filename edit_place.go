package yaytpl

import (
	"errors"
	"slices"
	"strconv"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// An editPlace is where an edit takes place.
type editPlace struct {
	doc  *Document
	path value.Path
	gone error // why nothing is there yet, nil if something is
}

// locate finds the document and the path of an edit. What is set or appended to need
// not be there.
func (x *editing) locate(p *Project, e Edit) (editPlace, error) {
	steps, err := parsePath(e.Path)
	if err != nil {
		return editPlace{}, err
	}
	if len(steps) == 0 && e.Op != AppendValue && e.Op != SetValue {
		return editPlace{}, source.Errorf(source.Span{}, source.Usage, "the document as a whole has no key")
	}
	mayBeNew := e.Op == SetValue || e.Op == AppendValue
	var places []editPlace
	var missing error
	for _, d := range p.Documents() {
		at, err := d.placeOf(steps)
		var diag *source.Diagnostic
		if err == nil && at.gone != nil && !(mayBeNew && len(p.Documents()) == 1) {
			err = at.gone
		}
		switch {
		case err == nil:
			places = append(places, at)
		case !errors.As(err, &diag) || diag.Code != source.NotFound:
			return editPlace{}, err
		case missing == nil:
			missing = err
		}
	}
	switch len(places) {
	case 0:
		return editPlace{}, missing
	case 1:
		return places[0], nil
	}
	return editPlace{}, source.Errorf(source.Span{}, source.NotFound, "documents %d and %d both have %s", places[0].doc.index, places[1].doc.index, e.Path)
}

// placeOf follows steps in the expanded document. Keys that are not there are those of
// maps to be made; an index must be one of the list, or that behind its last item.
func (d *Document) placeOf(steps []step) (editPlace, error) {
	v, err := d.Expanded()
	if err != nil {
		return editPlace{}, err
	}
	at := editPlace{doc: d}
	for len(steps) > 0 {
		var key value.Key
		n := 1
		switch s := steps[0]; {
		case s.match != "":
			v, key, err = matchItem(v, s, at.path)
		case v.Is(value.ListKind):
			if s.index && s.number == v.List().Len() {
				return at.behind(steps, notFound(at.path, s.key, nil)), nil
			}
			v, key, err = itemAt(v, s, at.path)
		case v.Is(value.MapKind):
			next, k, taken, missing := entryAt(v, steps, at.path)
			if missing != nil {
				return at.behind(steps, missing), nil
			}
			v, key, n = next, k, taken
		case v.IsNull():
			return at.behind(steps, notFound(at.path, s.key, nil)), nil
		default:
			err = notFound(at.path, s.key, nil).WithHint("%s is %s", at.path, value.Article(v.Kind()))
		}
		if err != nil {
			return at, err
		}
		at.path = append(at.path, key)
		steps = steps[n:]
	}
	return at, nil
}

// behind adds the steps that lead to what is not there yet.
func (at editPlace) behind(steps []step, gone error) editPlace {
	at.gone = gone
	for _, s := range steps {
		if s.index && s.exact {
			at.path = append(at.path, value.Index(s.number))
		} else {
			at.path = append(at.path, value.K(s.key))
		}
	}
	return at
}

// wanted returns what the document is to come to.
func (at editPlace) wanted(before value.Value, e Edit) (value.Value, error) {
	switch e.Op {
	case DeletePath:
		return changed(before, at.path, nil)
	case AppendValue:
		return changed(before, at.path, func(old value.Value) (value.Value, error) {
			if !old.IsNull() && !old.Is(value.ListKind) {
				return old, source.Errorf(source.Span{}, source.BadType, "%s is %s, not a list", at.path, value.Article(old.Kind()))
			}
			items := value.Slice{}
			for item, err := range value.Items(old.List()) {
				if err != nil {
					return old, err
				}
				items = append(items, item)
			}
			return value.FromList(append(items, e.Value)), nil
		})
	case RenameKey:
		return renamed(before, at.path, e.Key)
	}
	return changed(before, at.path, func(value.Value) (value.Value, error) { return e.Value, nil })
}

// changed returns v with another value at a path; without a change, nothing there.
func changed(v value.Value, path value.Path, change func(value.Value) (value.Value, error)) (value.Value, error) {
	if len(path) == 0 {
		if change == nil {
			return value.Null, nil
		}
		return change(v)
	}
	if v.Is(value.ListKind) {
		return changedItem(v.List(), path, change)
	}
	out := value.NewMap(v.Map().Len())
	done := false
	for k := range v.Map().Keys() {
		item, _, err := v.Map().Get(k)
		if err == nil && k == path[0] {
			done = true
			if len(path) == 1 && change == nil {
				continue
			}
			item, err = changed(item, path[1:], change)
		}
		if err != nil {
			return v, err
		}
		out.Set(k, item)
	}
	if !done && change != nil {
		item, err := changed(value.Null, path[1:], change)
		if err != nil {
			return v, err
		}
		out.Set(path[0], item)
	}
	return value.FromMap(out), nil
}

func changedItem(l value.List, path value.Path, change func(value.Value) (value.Value, error)) (value.Value, error) {
	var out value.Slice
	for i := range l.Len() + 1 {
		item := value.Null
		var err error
		if i < l.Len() {
			item, err = l.At(i)
		}
		switch {
		case err != nil:
			return value.Null, err
		case value.Index(i) != path[0]:
			if i == l.Len() {
				continue
			}
		case len(path) == 1 && change == nil:
			continue
		default:
			if item, err = changed(item, path[1:], change); err != nil {
				return value.Null, err
			}
		}
		out = append(out, item)
	}
	return value.FromList(out), nil
}

// renamed returns v with another name for the last key of a path.
func renamed(v value.Value, path value.Path, name string) (value.Value, error) {
	last := path[len(path)-1]
	return changed(v, path[:len(path)-1], func(m value.Value) (value.Value, error) {
		item, _, err := m.Map().Get(last)
		switch {
		case err != nil:
			return m, err
		case !m.Is(value.MapKind):
			return m, source.Errorf(source.Span{}, source.BadType, "%s is no key of a map", path)
		}
		if _, taken, _ := m.Map().Get(value.K(name)); taken {
			return m, source.Errorf(source.Span{}, source.DuplicateKey, "there is a key %q beside %s already", name, path)
		}
		without, err := changed(m, value.Path{last}, nil)
		if err != nil {
			return m, err
		}
		return changed(without, value.Path{value.K(name)}, func(value.Value) (value.Value, error) { return item, nil })
	})
}

// overwritesResult returns an error if an edit would put the result of an expression or
// template in its place.
func (at editPlace) overwritesResult(e Edit) error {
	if e.Op != SetValue || at.gone != nil {
		return nil
	}
	eval, err := at.doc.eval()
	if err != nil {
		return err
	}
	cell := eval.Root().At(at.path)
	raw, _, err := cell.Raw()
	if err != nil {
		return nil // the edit may be what mends it
	}
	result, ok, err := cell.Value()
	if !ok || err != nil {
		return nil
	}
	same, err := value.Equal(result, e.Value)
	written, rawErr := value.Equal(raw, e.Value)
	if err != nil || rawErr != nil || !same || written {
		return nil
	}
	return source.Errorf(source.Span{}, source.Output, "%s is the result of an expression already", at.path).
		WithHint("--literal writes the value in the place of the expression")
}

// The values of directives that an override may need (spec: merge, section 6).
func directive(name string) value.Value {
	m := value.NewMap(1)
	m.Set(value.K("+%"), value.String(name))
	return value.FromMap(m)
}

// ways returns the ways to write an edit, the simplest first.
func (at editPlace) ways(e Edit) [][]roundtrip.Edit {
	set := func(v value.Value) []roundtrip.Edit {
		return []roundtrip.Edit{{Op: roundtrip.Set, Path: at.path, Value: v, Create: true}}
	}
	switch e.Op {
	case DeletePath:
		ways := [][]roundtrip.Edit{{{Op: roundtrip.Delete, Path: at.path}}}
		if at.isBuilt() {
			ways = append(ways, set(directive("whiteout")))
		}
		return ways
	case AppendValue:
		return [][]roundtrip.Edit{{{Op: roundtrip.Append, Path: at.path, Value: e.Value, Create: true}}, set(value.ListOf(e.Value))}
	case RenameKey:
		return [][]roundtrip.Edit{{{Op: roundtrip.Rename, Path: at.path, Key: value.K(e.Key)}}}
	}
	ways := [][]roundtrip.Edit{set(e.Value)}
	if e.Value.IsNull() && at.isBuilt() {
		ways = append(ways, set(directive("nullout")))
	}
	return ways
}

// standsAlone reports whether the document has no directives and no anchors.
func (at editPlace) standsAlone() bool {
	doc := at.doc.layers[0].Doc
	return len(doc.Anchors) == 0 && (doc.Root == nil || isWritten(doc.Root))
}

// isWritten reports whether a node and those in it are just what is written.
func isWritten(n graph.Node) bool {
	switch n := n.(type) {
	case *graph.Scalar:
		return !n.Final
	case *graph.Computed:
		return true
	case *graph.Map:
		for i := range n.Entries {
			if !isWritten(n.Entries[i].Node) {
				return false
			}
		}
		return n.Strategy == graph.DefaultStrategy
	case *graph.Seq:
		return !n.Replace && !slices.ContainsFunc(n.Items, func(n graph.Node) bool { return !isWritten(n) })
	}
	return false
}

// isBuilt reports whether a map on the way to the place has directives. In others, which
// are plain YAML to every reader, no directive is to appear.
func (at editPlace) isBuilt() bool {
	n := at.doc.layers[0].Doc.Root
	for _, k := range at.path {
		switch m := n.(type) {
		case *graph.Overlay:
			return true
		case *graph.Map:
			i, ok := m.Find(k)
			if !ok {
				return false
			}
			n = m.Entries[i].Node
		case *graph.Seq:
			i, err := strconv.Atoi(k.Text)
			if err != nil || i >= len(m.Items) {
				return false
			}
			n = m.Items[i]
		default:
			return false
		}
	}
	_, built := n.(*graph.Overlay)
	return built
}

// refined returns what to try if a map was set and keys of older layers show through:
// the map with those taken away.
func (at editPlace) refined(e Edit, after value.Value) [][]roundtrip.Edit {
	if e.Op != SetValue || !e.Value.Is(value.MapKind) || !at.isBuilt() {
		return nil
	}
	got := after
	for _, k := range at.path {
		var err error
		if got, _, err = got.Map().Get(k); err != nil {
			return nil
		}
	}
	return [][]roundtrip.Edit{{{Op: roundtrip.Set, Path: at.path, Value: withoutOthers(e.Value, got), Create: true}}}
}

// withoutOthers returns a map with a whiteout for each key that only another one has,
// at every depth.
func withoutOthers(want, got value.Value) value.Value {
	if !want.Is(value.MapKind) || !got.Is(value.MapKind) {
		return want
	}
	out := value.NewMap(want.Map().Len())
	for k := range want.Map().Keys() {
		item, _, _ := want.Map().Get(k)
		other, _, _ := got.Map().Get(k)
		out.Set(k, withoutOthers(item, other))
	}
	for k := range got.Map().Keys() {
		if _, ok, _ := want.Map().Get(k); !ok {
			out.Set(k, directive("whiteout"))
		}
	}
	return value.FromMap(out)
}
