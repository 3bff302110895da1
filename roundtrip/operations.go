package roundtrip

import (
	"slices"
	"strconv"

	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// set assigns a value at a path: to what is there, or as a new entry of the map, or as the item after the last one of
// the list. It does not fill gaps in lists. A "<<" has no value of its own to set.
func (e *editor) set(edit Edit) error {
	if len(edit.Path) == 0 {
		return e.put(e.root, edit)
	}
	d, kids, key, err := e.parent(edit.Path, edit.Create)
	if err != nil {
		return err
	}
	at := find(d.kind(), kids, key)
	switch {
	case at >= 0 && kids[at].merge:
		return e.throughMerge(d, edit.Path)
	case at >= 0:
		return e.put(e.draftOf(kids[at]), edit)
	case d.kind() == yaml.MapNode:
		d.kids = append(kids, edit.kid(e.textKey(key)))
		return nil
	case key == value.Index(len(kids)):
		d.kids = append(kids, edit.kid(value.Key{}))
		return nil
	}
	return e.notFound(d, edit.Path)
}

// put assigns the value of an edit to a draft.
func (e *editor) put(d *draft, edit Edit) error {
	if edit.Note != nil && edit.Note.Tag != "" && !edit.Value.IsScalar() {
		if err := e.putTagged(d, edit); err != nil {
			return err
		}
	} else if err := e.assign(d, edit.Value); err != nil {
		return err
	}
	if edit.Note != nil && edit.Note.Flow {
		d.form = inFlow
	}
	return nil
}

// putTagged assigns a map or list with a tag. An old one of that kind keeps what stays the same, with
// its comments.
func (e *editor) putTagged(d *draft, edit Edit) error {
	sameKind := !d.fresh && e.syntax.blocks() && (d.kind() == yaml.MapNode && edit.Value.Is(value.MapKind) && !e.hasMerge(d) ||
		d.kind() == yaml.SeqNode && edit.Value.Is(value.ListKind))
	if !sameKind {
		e.overwrite(d, edit.Value)
		d.tag = edit.Note.Tag
		return nil
	}
	if err := e.assign(d, edit.Value); err != nil {
		return err
	}
	d.tag = edit.Note.Tag
	if !d.fresh && d.tag != d.node.Tag {
		d.retagged = &edit.Value
	}
	return nil
}

// kid returns the entry or item that an edit adds.
func (e Edit) kid(key value.Key) *kid {
	k := newKid(key, e.Value)
	k.annotate(e.Note)
	return k
}

// insert adds an entry at a position of a map, whose key must be new, or an item at an index of a list.
func (e *editor) insert(edit Edit) error {
	d, kids, key, err := e.parent(edit.Path, edit.Create)
	if err != nil {
		return err
	}
	if d.kind() == yaml.SeqNode {
		at, err := e.insertAt(d, kids, key, edit.Path)
		if err != nil {
			return err
		}
		d.kids = slices.Insert(kids, at, edit.kid(value.Key{}))
		return nil
	}
	key = e.textKey(key)
	if at := find(yaml.MapNode, kids, key); at >= 0 {
		return e.duplicate(d, kids[at], edit.Path)
	}
	at, err := e.position(d, edit.Place, edit.Path)
	if err != nil {
		return err
	}
	k := edit.kid(key)
	k.before = edit.Place.Where == Before
	d.kids = slices.Insert(kids, at, k)
	return nil
}

// duplicate is the error of a key that the map has already, with the place of that key as it is shown to users.
func (e *editor) duplicate(d *draft, there *kid, path value.Path) error {
	out := source.Errorf(e.span(d), source.DuplicateKey, "%s exists already", path)
	if there.node != nil {
		out.Note(e.shown(there.node.At), "here")
	}
	return out
}

// position returns the index among the kids of d that a place means.
func (e *editor) position(d *draft, p Position, path value.Path) (int, error) {
	switch p.Where {
	case First:
		return 0, nil
	case Last:
		return len(d.kids), nil
	}
	at := find(d.kind(), d.kids, p.Key)
	if at < 0 {
		other := path[:len(path)-1].With(p.Key)
		return 0, e.notFound(d, other)
	}
	if p.Where == After {
		at++
	}
	return at, nil
}

// append adds an item to a list. With Create a null, and an empty map that an edit made on the way to the path,
// become lists.
func (e *editor) append(edit Edit) error {
	d, err := e.descend(edit.Path, edit.Create)
	if err != nil {
		return err
	}
	isNull := d.kind() == yaml.ScalarNode && d.scalar().IsNull()
	isMade := d.fresh && d.node == nil && len(d.kids) == 0 && d.value.Is(value.MapKind) && d.value.Map().Len() == 0
	if edit.Create && (isNull || isMade) {
		d.replace(value.ListOf())
	}
	if d.kind() == yaml.MapNode || d.kind() == yaml.ScalarNode {
		what := value.Article(value.MapKind)
		if d.kind() == yaml.ScalarNode {
			what = value.Article(d.scalar().Kind())
		}
		return source.Errorf(e.span(d), source.BadType, "%s is %s, not a list", edit.Path, what)
	}
	kids, err := e.enter(d, edit.Path, false)
	if err != nil {
		return err
	}
	d.kids = append(kids, edit.kid(value.Key{}))
	return nil
}

// remove removes an entry or item. Aliases of an anchor in it lose their target: gone notes it for them.
func (e *editor) remove(edit Edit) error {
	d, kids, key, err := e.parent(edit.Path, false)
	if err != nil {
		return err
	}
	at := find(d.kind(), kids, key)
	if at < 0 {
		return e.notFound(d, edit.Path)
	}
	e.gone(d, kids[at])
	d.kids = slices.Delete(kids, at, at+1)
	return nil
}

// gone records that a kid of d was removed.
func (e *editor) gone(d *draft, k *kid) {
	o := k.from
	switch {
	case k.orig >= 0:
		o = &origin{d.node, k.orig}
	case o == nil:
		return
	}
	child := o.node.Child(o.index)
	e.anchors.lose(child)
	if o.node.Kind == yaml.MapNode {
		e.anchors.lose(o.keyNode())
	}
}

// rename gives an entry another key, at the same position and with its value and comments. An entry that gets its
// old key back counts as unchanged.
func (e *editor) rename(edit Edit) error {
	d, kids, key, err := e.parent(edit.Path, false)
	if err != nil {
		return err
	}
	if d.kind() != yaml.MapNode {
		return source.Errorf(e.span(d), source.BadType, "%s is an item of a list and has no key", edit.Path)
	}
	at := find(yaml.MapNode, kids, key)
	to := e.textKey(edit.Key)
	switch {
	case at < 0:
		return e.notFound(d, edit.Path)
	case kids[at].merge:
		return e.throughMerge(d, edit.Path)
	case to == key:
		return nil
	}
	if twin := find(yaml.MapNode, kids, to); twin >= 0 {
		return e.duplicate(d, kids[twin], edit.Path[:len(edit.Path)-1].With(to))
	}
	k := kids[at]
	k.key, k.spelling = to, ""
	k.renamed = k.orig >= 0
	if k.renamed {
		was, _, _ := childAt(d.node, k.orig)
		k.renamed = was != to
	}
	return nil
}

// move changes the position of an entry or item in its map or list; with a path in edit.To see moveTo. The position
// refers to the list before the move, so an index behind the old one is one less after it.
func (e *editor) move(edit Edit) error {
	e.moves = true
	if len(edit.To) > 0 {
		return e.moveTo(edit)
	}
	d, kids, key, err := e.parent(edit.Path, false)
	if err != nil {
		return err
	}
	from := find(d.kind(), kids, key)
	if from < 0 {
		return e.notFound(d, edit.Path)
	}
	to, err := e.position(d, edit.Place, edit.Path)
	if err != nil {
		return err
	}
	k := kids[from]
	k.moved = true
	kids = slices.Delete(kids, from, from+1)
	if to > from {
		to--
	}
	d.kids = slices.Insert(kids, to, k)
	return nil
}

// moveTo moves an entry or item to another path. It is removed first, so edit.To is a path
// in the document without it.
func (e *editor) moveTo(edit Edit) error {
	into := len(edit.To) > len(edit.Path) && slices.Equal(edit.To[:len(edit.Path)], edit.Path)
	k, err := e.takeOut(edit.Path)
	if err != nil {
		return err
	}
	if into {
		return source.Errorf(e.span(k.d), source.BadType, "%s cannot be moved into itself", edit.Path)
	}
	d, kids, key, err := e.parent(edit.To, edit.Create)
	if err != nil {
		return err
	}
	if d.kind() == yaml.SeqNode {
		at, err := e.insertAt(d, kids, key, edit.To)
		if err != nil {
			return err
		}
		e.putIn(d, at, k, value.Key{})
		return nil
	}
	key = e.textKey(key)
	if at := find(yaml.MapNode, kids, key); at >= 0 {
		return e.duplicate(d, kids[at], edit.To)
	}
	at, err := e.position(d, edit.Place, edit.To)
	if err != nil {
		return err
	}
	k.before = edit.Place.Where == Before
	e.putIn(d, at, k, key)
	return nil
}

// insertAt returns the index at which an item with the given key is inserted into a list.
func (e *editor) insertAt(d *draft, kids []*kid, key value.Key, path value.Path) (int, error) {
	at, err := strconv.Atoi(key.Text)
	if err != nil || key.Kind != value.IntKind || at < 0 || at > len(kids) {
		return 0, e.notFound(d, path)
	}
	return at, nil
}

// An origin is the old position of a kid that was moved out of its map or list.
type origin struct {
	node  *yaml.Node // the map or list
	index int
}

// keyNode returns the node of the key, nil for an item.
func (o origin) keyNode() *yaml.Node {
	if o.node.Kind != yaml.MapNode {
		return nil
	}
	return o.node.Entries[o.index].KeyNode()
}

// isRenamed reports whether a kid from this position has another key now.
func (o origin) isRenamed(k *kid) bool {
	if o.node.Kind != yaml.MapNode {
		return false
	}
	was, _, _ := childAt(o.node, o.index)
	return was != k.key
}

// takeOut removes the entry or item at a path and returns it, with its origin.
func (e *editor) takeOut(path value.Path) (*kid, error) {
	d, kids, key, err := e.parent(path, false)
	if err != nil {
		return nil, err
	}
	at := find(d.kind(), kids, key)
	switch {
	case at < 0:
		return nil, e.notFound(d, path)
	case kids[at].merge:
		return nil, e.throughMerge(d, path)
	}
	k := kids[at]
	d.kids = slices.Delete(kids, at, at+1)
	e.draftOf(k)
	if k.orig >= 0 {
		k.from = &origin{d.node, k.orig}
		k.orig, k.node, k.renamed, k.moved = -1, nil, false, false
	}
	return k, nil
}

// putIn puts a kid from takeOut into a map or list. A kid that returns to its old map or
// list becomes an old kid again, which was moved or renamed.
func (e *editor) putIn(d *draft, at int, k *kid, key value.Key) {
	if k.key != key {
		k.key, k.spelling = key, ""
	}
	switch {
	case k.from == nil:
	case k.from.node == d.node && !d.fresh:
		k.orig, k.moved = k.from.index, true
		was, _, child := childAt(d.node, k.orig)
		k.node, k.from = child, nil
		k.renamed = d.kind() == yaml.MapNode && was != key
	case d.kind() == yaml.SeqNode && k.from.node.Kind == yaml.MapNode:
		e.anchors.lose(k.from.keyNode())
	}
	d.kids = slices.Insert(d.kids, at, k)
}
