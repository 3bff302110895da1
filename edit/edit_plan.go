package edit

import (
	"slices"

	"github.com/yaytpl/yaytpl/internal/draft"
	"github.com/yaytpl/yaytpl/internal/overlay"
	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A plan is one change of an expanded document, with the ways to write it.
type plan struct {
	place place
	edit  roundtrip.Edit  // its path is that of the place
	ways  []overlay.Edits // that are left, the best first

	natural naturalPlaces // what may change with it
	refined bool          // a way was added that takes account of what came out
	wrong   bool          // it did not come to what was asked for
}

// plan adds an edit, and makes it in the draft.
func (b *batch) plan(e Edit, alone bool) error {
	switch e.Op {
	case Test:
		return b.test(e)
	case Copy, Move:
		return b.transfer(e, alone)
	}
	p, err := b.planOf(e)
	if err != nil {
		return err
	}
	d := b.drafts[p.place.index]
	if same, err := p.isDone(d.Root); same || err != nil {
		return err
	}
	if !alone && (bringsDirectives(p.edit.Value) || b.goesOn(p)) {
		return errApart
	}
	old, err := valueAt(d.Root, p.place.path)
	if err != nil {
		return err
	}
	if err := d.Apply(p.edit); err != nil {
		return err
	}
	b.plans = append(b.plans, p)
	b.remember(p)
	return b.findWays(p, old)
}

// goesOn reports whether a plan is about what an earlier one changes, so that what it takes
// can only be told when that is made.
func (b *batch) goesOn(p *plan) bool {
	if b.isAlone(p.place.doc) {
		return false
	}
	at := b.planned[p.place.index]
	for _, k := range p.place.path {
		switch {
		case at == nil:
			return false
		case at.last != nil:
			return true
		}
		at = at.below[k.Text]
	}
	return at != nil && (len(at.below) > 0 || at.last != nil && !p.follows(at.last))
}

// A planTree is a place that plans are about, or that such places lie in.
type planTree struct {
	last  *plan // about this very place, nil if there is none
	below map[string]*planTree
}

// remember makes a plan one that later ones may go on.
func (b *batch) remember(p *plan) {
	if b.planned == nil {
		b.planned = map[int]*planTree{}
	}
	at := b.planned[p.place.index]
	if at == nil {
		at = &planTree{}
		b.planned[p.place.index] = at
	}
	for _, k := range p.place.path {
		next := at.below[k.Text]
		if next == nil {
			next = &planTree{}
			if at.below == nil {
				at.below = map[string]*planTree{}
			}
			at.below[k.Text] = next
		}
		at = next
	}
	at.last = p
}

// follows reports whether a plan takes the same whether or not q was made before: one more
// item of a list, or another scalar in the place of one.
func (p *plan) follows(q *plan) bool {
	if p.edit.Op != q.edit.Op || !slices.Equal(p.place.path, q.place.path) {
		return false
	}
	setsScalar := func(e roundtrip.Edit) bool {
		return e.Op == roundtrip.Set && e.Value.IsScalar() && !e.Value.IsNull()
	}
	return p.edit.Op == roundtrip.Append || setsScalar(p.edit) && setsScalar(q.edit)
}

// planOf returns what an edit comes to in the expanded document.
func (b *batch) planOf(e Edit) (*plan, error) {
	mayBeNew := e.Op == Set || e.Op == Append || e.Op == Add
	place, err := b.locate(e.Path, mayBeNew)
	if err != nil {
		return nil, err
	}
	p := &plan{place: place, edit: roundtrip.Edit{Op: roundtrip.Set, Path: place.path, Value: e.Value, Create: true}}
	if len(place.path) == 0 && (e.Op == Delete || e.Op == Rename) {
		return nil, source.Errorf(source.Span{}, source.Usage, "the document as a whole has no key")
	}
	switch e.Op {
	case Delete:
		p.edit = roundtrip.Edit{Op: roundtrip.Delete, Path: place.path}
	case Rename:
		p.edit = roundtrip.Edit{Op: roundtrip.Rename, Path: place.path, Key: value.K(e.Key)}
	case Append:
		p.edit.Op = roundtrip.Append
	case Add:
		p.edit.Create = false
		return p, b.addTo(p)
	}
	return p, nil
}

// addTo makes an addition to a list one of an item. What it is added to has to be there.
func (b *batch) addTo(p *plan) error {
	n := len(p.place.path) - 1
	if n < 0 {
		return nil
	}
	up, err := valueAt(b.drafts[p.place.index].Root, p.place.path[:n])
	switch {
	case err != nil:
		return err
	case up.Is(value.ListKind):
		p.edit.Op = roundtrip.Insert
	case !up.Is(value.MapKind):
		return p.place.gone
	}
	return nil
}

// isItem reports whether a place is one in a list.
func (b *batch) isItem(at place) bool {
	if len(at.path) == 0 {
		return false
	}
	up, err := valueAt(b.drafts[at.index].Root, at.path[:len(at.path)-1])
	return err == nil && up.Is(value.ListKind)
}

// test makes no change: what stands at a path has to have the value.
func (b *batch) test(e Edit) error {
	at, err := b.locate(e.Path, false)
	if err != nil {
		return err
	}
	v, err := valueAt(b.drafts[at.index].Root, at.path)
	if err != nil {
		return err
	}
	if !value.IsSame(v, e.Value) {
		return source.Errorf(source.Span{}, source.BadValue, "%s has another value than the one that the edits test for", at.path)
	}
	return nil
}

// isDone reports whether a plan asks for what a document has already.
func (p *plan) isDone(doc value.Value) (bool, error) {
	if p.edit.Op != roundtrip.Set || p.place.gone != nil {
		return false, nil
	}
	old, err := valueAt(doc, p.edit.Path)
	if err != nil {
		return false, err
	}
	return value.IsSame(old, p.edit.Value), nil
}

// valueAt returns what stands at a path below v; null for nothing.
func valueAt(v value.Value, path value.Path) (value.Value, error) {
	v, _, err := draft.Find(v, path)
	return v, err
}

// bringsDirectives reports whether a map in v has a key that may be a directive.
func bringsDirectives(v value.Value) bool {
	if v.Is(value.ListKind) {
		for item, err := range value.Items(v.List()) {
			if err != nil || bringsDirectives(item) {
				return true
			}
		}
	}
	if v.Is(value.MapKind) {
		for k := range v.Map().Keys() {
			item, _, err := v.Map().Get(k)
			if err != nil || k.Text == "<<" || len(k.Text) > 1 && k.Text[0] == '+' || bringsDirectives(item) {
				return true
			}
		}
	}
	return false
}
