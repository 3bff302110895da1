package yaml

import (
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// ToValue returns the plain data of a node: aliases share what they stand for,
// "<<" is resolved one level deep (a key of the map itself wins, then the map that
// comes first). A nil node is null.
//
// Codes: cycle (an anchor that contains its own alias), bad-type (a "<<" that is
// no map or list of maps), limit.
func (n *Node) ToValue() (value.Value, error) {
	t := &valuer{done: map[*Node]value.Value{}, open: map[*Node]bool{}}
	return t.value(n)
}

type valuer struct {
	done map[*Node]value.Value // of nodes with an anchor
	open map[*Node]bool

	merged int // maps and entries that were looked at for "<<"
}

// maxMerged bounds what "<<" may look at and copy: a big map merged in many places
// takes memory, and a list of maps time, that the text does not show.
const maxMerged = 1_000_000

func (t *valuer) value(n *Node) (value.Value, error) {
	switch {
	case n == nil:
		return value.Null, nil
	case n.Kind == ScalarNode:
		return n.Value, nil
	case n.Kind == AliasNode:
		return t.alias(n)
	}
	if n.Anchor == "" {
		return t.collection(n)
	}
	if v, ok := t.done[n]; ok {
		return v, nil
	}
	t.open[n] = true
	v, err := t.collection(n)
	delete(t.open, n)
	if err == nil {
		t.done[n] = v
	}
	return v, err
}

func (t *valuer) alias(n *Node) (value.Value, error) {
	if t.open[n.Target] {
		return value.Null, source.Errorf(n.At, source.Cycle, "the anchor %q contains its own alias", n.Anchor).
			Note(n.Target.AnchorAt, "the anchor")
	}
	return t.value(n.Target)
}

func (t *valuer) collection(n *Node) (value.Value, error) {
	if n.Kind == SeqNode {
		return t.list(n)
	}
	return t.mapping(n)
}

func (t *valuer) list(n *Node) (value.Value, error) {
	items := make(value.Slice, len(n.Items))
	var notes notes
	for i, item := range n.Items {
		v, err := t.value(item)
		if err != nil {
			return v, err
		}
		items[i] = v
		notes.add(i, annotate(item, item.Head, item.Line, item.Foot, ""))
	}
	if notes == nil {
		return value.FromList(items), nil
	}
	return value.FromList(&annotatedList{items, notes}), nil
}

func (t *valuer) mapping(n *Node) (value.Value, error) {
	m := value.NewMap(len(n.Entries))
	var notes notes
	own := ownKeys(n)
	for i := range n.Entries {
		e := &n.Entries[i]
		if e.Merge {
			if err := t.merge(m, e.Value, own); err != nil {
				return value.Null, err
			}
			continue
		}
		v, err := t.value(e.Value)
		if err != nil {
			return v, err
		}
		m.Set(e.Key, v)
		notes.add(m.Len()-1, annotate(e.Value, e.Head, e.Line, e.Foot, keySpelling(e)))
	}
	if notes == nil {
		return value.FromMap(m), nil
	}
	return value.FromMap(&annotatedMap{m, notes}), nil
}

// ownKeys returns the keys that a map with "<<" sets itself, or nil.
func ownKeys(n *Node) map[value.Key]bool {
	merges := false
	for i := range n.Entries {
		merges = merges || n.Entries[i].Merge
	}
	if !merges {
		return nil
	}
	own := make(map[value.Key]bool, len(n.Entries))
	for _, e := range n.Entries {
		if !e.Merge {
			own[e.Key] = true
		}
	}
	return own
}

// merge adds the entries that "<<" names and m does not have yet.
func (t *valuer) merge(m *value.Dict, from *Node, own map[value.Key]bool) error {
	v, err := t.value(from)
	if err != nil {
		return err
	}
	switch v.Kind() {
	case value.MapKind:
		return t.mergeMap(m, v.Map(), from, own)
	case value.ListKind:
		for item, err := range value.Items(v.List()) {
			if err != nil {
				return err
			}
			if !item.Is(value.MapKind) {
				return badMerge(from, item)
			}
			if err := t.mergeMap(m, item.Map(), from, own); err != nil {
				return err
			}
		}
		return nil
	}
	return badMerge(from, v)
}

func badMerge(from *Node, v value.Value) error {
	return source.Errorf(from.At, source.BadType, `"<<" needs a map or a list of maps, not %s`, value.Article(v.Kind()))
}

func (t *valuer) mergeMap(m *value.Dict, from value.Map, at *Node, own map[value.Key]bool) error {
	if t.merged += 1 + from.Len(); t.merged > maxMerged {
		return source.Errorf(at.At, source.Limit, `"<<" copies more than %d entries`, maxMerged)
	}
	if m.Len() == 0 {
		*m = *value.NewMap(from.Len() + len(own))
	}
	for k := range from.Keys() {
		if _, has, _ := m.Get(k); has || own[k] {
			continue
		}
		v, _, err := from.Get(k)
		if err != nil {
			return err
		}
		m.Set(k, v)
	}
	return nil
}

// notes holds the annotations of a collection by index; it is short where the
// last ones have none.
type notes []*value.Annotation

func (n *notes) add(i int, a *value.Annotation) {
	if a == nil {
		return
	}
	for len(*n) <= i {
		*n = append(*n, nil)
	}
	(*n)[i] = a
}

// AnnotationAt implements [value.Annotated].
func (n notes) AnnotationAt(i int) *value.Annotation {
	if i < 0 || i >= len(n) {
		return nil
	}
	return n[i]
}

// Annotated lists and maps are used by pointer: whoever visits data tells shared ones
// by it.
type annotatedList struct {
	value.Slice
	notes
}

type annotatedMap struct {
	*value.Dict
	notes
}

// Annotation returns what the text says about an entry beside its data, or nil
// if that is nothing.
func (e *Entry) Annotation() *value.Annotation {
	return annotate(e.Value, e.Head, e.Line, e.Foot, keySpelling(e))
}

// Annotation returns what the text says about a list item beside its data, or nil.
func (n *Node) Annotation() *value.Annotation {
	return annotate(n, n.Head, n.Line, n.Foot, "")
}

func annotate(v *Node, head, line, foot, key string) *value.Annotation {
	a := value.Annotation{Head: head, Line: line, Foot: foot, KeySpelling: key}
	for v.Kind == AliasNode && v.Target != nil {
		v = v.Target
	}
	if v.Kind != ScalarNode {
		a.Flow = v.Style == Flow
		if v.Tag != "!" && coreTag(v.Tag) == "" {
			a.Tag = v.Tag
		}
	}
	switch a {
	case value.Annotation{}:
		return nil
	case *onlyFlow:
		return onlyFlow
	}
	kept := a // a itself must not escape: most calls end above
	return &kept
}

// onlyFlow is the one annotation that is frequent: maps and lists in flow style share
// it. It is never changed.
var onlyFlow = &value.Annotation{Flow: true}

// keySpelling returns how a key was written, if the emitter would write it
// otherwise.
func keySpelling(e *Entry) string {
	s := e.KeyNode.Value.Source()
	if s == nil || !s.Plain || e.KeyNode.Kind != ScalarNode || s.Tag != "" {
		return ""
	}
	if s.Spelling != "" {
		return s.Spelling
	}
	return s.Text
}
