package edit

import (
	"slices"

	"github.com/yaytpl/yaytpl/internal/overlay"
	"github.com/yaytpl/yaytpl/lang/yay"
	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// transfer copies or moves what stands at From. A key that only gets another name stays
// where it is.
func (b *batch) transfer(e Edit, alone bool) error {
	from, err := b.locate(e.From, false)
	if err != nil {
		return err
	}
	v, err := valueAt(b.drafts[from.index].Root, from.path)
	if err == nil {
		v, err = value.Plain(v) // the draft goes on
	}
	if err != nil {
		return err
	}
	add := Edit{Op: Add, Path: e.Path, Value: v}
	if e.Op == Copy {
		return b.plan(add, alone)
	}
	to, err := b.locate(e.Path, true)
	missing := err != nil || to.gone != nil
	switch {
	case err == nil && to.index == from.index && slices.Equal(to.path, from.path):
		return nil
	case err == nil && to.index == from.index && to.path.HasPrefix(from.path):
		return source.Errorf(source.Span{}, source.BadValue, "%s cannot be moved into itself", from.path)
	case err == nil && missing && !b.isItem(to) && samePlace(from, to):
		return b.plan(Edit{Op: Rename, Path: e.From, Key: to.path[len(to.path)-1].Text}, alone)
	case b.isAlone(from.doc) && b.Lang != yay.Language && (missing || b.isItem(to)):
		return b.move(from, e.Path)
	}
	if err := b.plan(Edit{Op: Delete, Path: e.From}, alone); err != nil {
		return err
	}
	return b.plan(add, alone)
}

// move plans a move in a document without directives: what moves keeps its comments.
func (b *batch) move(from place, path string) error {
	d := b.drafts[from.index]
	v, err := valueAt(d.Root, from.path)
	if err == nil {
		err = d.Apply(roundtrip.Edit{Op: roundtrip.Delete, Path: from.path})
	}
	if err != nil {
		return err
	}
	to, err := b.locate(path, true) // with what moves taken out
	if err != nil {
		return err
	}
	p := &plan{place: to, edit: roundtrip.Edit{Op: roundtrip.Insert, Path: to.path, Value: v}}
	if to.index != from.index || len(to.path) == 0 {
		return source.Errorf(source.Span{}, source.BadValue, "%s can only be moved inside its document", from.path)
	}
	if err := b.addTo(p); err != nil {
		return err
	}
	if err := d.Apply(p.edit); err != nil {
		return err
	}
	p.ways = []overlay.Edits{{b.inMain(p, roundtrip.Edit{Op: roundtrip.Move, Path: from.path, To: to.path})}}
	b.plans = append(b.plans, p)
	return nil
}

// samePlace reports whether two places are in one map.
func samePlace(a, b place) bool {
	n := len(a.path)
	return n > 0 && n == len(b.path) && a.index == b.index && b.path.HasPrefix(a.path[:n-1])
}
