package draft

import (
	"slices"

	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A listDraft is a list with changes over one that stays as it is.
type listDraft struct {
	base  value.List
	items []itemDraft
}

// A itemDraft is an item of a listDraft: one of the base, or a new one.
type itemDraft struct {
	based bool
	index int
	val   value.Value
}

func newListDraft(base value.List) *listDraft {
	l := &listDraft{base: base, items: make([]itemDraft, base.Len())}
	for i := range l.items {
		l.items[i] = itemDraft{based: true, index: i}
	}
	return l
}

// Len implements [value.List].
func (l *listDraft) Len() int { return len(l.items) }

// At implements [value.List].
func (l *listDraft) At(i int) (value.Value, error) {
	if item := l.items[i]; !item.based {
		return item.val, nil
	}
	return l.base.At(l.items[i].index)
}

// find returns the index that a key means, -1 if there is no such item.
func (l *listDraft) find(k value.Key) int {
	i, ok := k.Value().Int()
	if !ok || i < 0 || int(i) >= len(l.items) {
		return -1
	}
	return int(i)
}

func (l *listDraft) apply(e roundtrip.Edit) error {
	key := e.Path[len(e.Path)-1]
	i := l.find(key)
	behind := key == value.Index(len(l.items))
	switch item := (itemDraft{val: e.Value}); {
	case e.Op == roundtrip.Rename:
		return source.Errorf(source.Span{}, source.BadType, "%s is no key of a map", e.Path)
	case e.Op != roundtrip.Delete && behind:
		l.items = append(l.items, item)
	case i < 0:
		return source.Errorf(source.Span{}, source.NotFound, "there is no %s", e.Path)
	case e.Op == roundtrip.Delete:
		l.items = slices.Delete(l.items, i, i+1)
	case e.Op == roundtrip.Insert:
		l.items = slices.Insert(l.items, i, item)
	default:
		l.items[i] = item
	}
	return nil
}
