package yaml

import (
	"slices"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Kind says what a node is.
type Kind uint8

// The kinds of nodes.
const (
	ScalarNode Kind = iota
	MapNode
	SeqNode
	AliasNode
)

// A Style says how a node was written.
type Style uint8

// The styles. A scalar has one of the first five; a map or list is block or flow.
const (
	Plain Style = iota
	SingleQuoted
	DoubleQuoted
	Literal // |
	Folded  // >
	Block   // map or list
	Flow    // map or list
)

// A Node is one value of a YAML or JSON text. Nodes are immutable after parsing
// and may be shared between goroutines.
type Node struct {
	Kind  Kind
	Style Style

	// At is the value as written: quotes, block header and the brackets of flow
	// style included; tag, anchor and comments not. An empty value has an empty
	// span at the place where it would stand.
	At source.Span

	// Value is the data of a scalar, with its source spelling where that matters.
	Value value.Value

	// Items are the items of a list.
	Items []*Node

	// Entries are the entries of a map, in source order. YAML's "<<" is an entry
	// like any other here: see [Entry.Merge].
	Entries []Entry

	// Details are what few nodes have. It is never nil: the others share an empty
	// one, since nodes are most of the memory that a big text takes.
	*Details
}

// Details are the parts of a node that are not its data.
type Details struct {
	// Tag is an explicit tag as written ("!Ref", "!!str", "!<...>"), or "".
	Tag   string
	TagAt source.Span

	// Anchor is the name after "&", or "". For an AliasNode it is the name after "*".
	Anchor   string
	AnchorAt source.Span

	// Target is what an alias stands for.
	Target *Node

	// Comments are those around the node; for the value of an entry they stand on
	// the entry.
	Comments
}

// Comments are the comments around something, each line with its "#".
type Comments struct{ Head, Line, Foot string }

// What nodes and entries have that have nothing. They are never changed.
var (
	noDetails  = &Details{}
	noComments = &Comments{}
)

// newNode returns a node without details.
func newNode(nodes *slab[Node]) *Node {
	n := nodes.one()
	n.Details = noDetails
	return n
}

// details returns details of n's own, to be filled in.
func (n *Node) details() *Details {
	if n.Details == noDetails {
		n.Details = &Details{}
	}
	return n.Details
}

// takeComments returns the comments of n and removes them there.
func (n *Node) takeComments() Comments {
	taken := n.Comments
	if taken != (Comments{}) {
		n.details().Comments = Comments{}
	}
	return taken
}

// isAbsent reports whether nothing at all is written for a node.
func isAbsent(n *Node) bool {
	return n.Kind == ScalarNode && n.Style == Plain && n.At.Start == n.At.End && n.Tag == "" && n.Anchor == ""
}

// An Entry is one entry of a map.
type Entry struct {
	Key     value.Key
	KeyNode *Node // its span, style, spelling
	Value   *Node

	// Merge says that the key is YAML's plain "<<".
	Merge bool

	// Comments are those around the entry. It is never nil.
	*Comments
}

func (e *Entry) setComments(c Comments) {
	e.Comments = noComments
	if c != (Comments{}) {
		e.Comments = &c
	}
}

// A Document is one document of a file.
type Document struct {
	Root *Node // nil if the document is empty
	At   source.Span

	// Head and Foot are the comments before and behind the content that stand
	// apart from it.
	Head, Foot string

	// Options are the switches in the file's first comment block,
	// "# yaytpl: templates=off literals=off", by name; true means on.
	// They are those of the file, the same for each of its documents.
	Options map[string]bool
}

// A slab allocates values of one type many at a time.
type slab[T any] struct {
	free []T
	size int // of the last block
}

const (
	fewInSlab  = 8 // for a small text
	manyInSlab = 256
)

// one returns a new zero value.
func (s *slab[T]) one() *T {
	s.reserve(1)
	v := &s.free[0]
	s.free = s.free[1:]
	return v
}

// copyOf returns a copy of a list that has no room for more.
func (s *slab[T]) copyOf(list []T) []T {
	n := len(list)
	if n > manyInSlab/4 {
		return append(make([]T, 0, n), list...)
	}
	s.reserve(n)
	out := s.free[:n:n]
	s.free = s.free[n:]
	copy(out, list)
	return out
}

func (s *slab[T]) reserve(n int) {
	if len(s.free) < n || s.free == nil {
		s.size = min(max(2*s.size, fewInSlab, n), manyInSlab)
		s.free = make([]T, s.size)
	}
}

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
		if t.open[n.Target] {
			return value.Null, source.Errorf(n.At, source.Cycle, "the anchor %q contains its own alias", n.Anchor).
				Note(n.Target.AnchorAt, "the anchor")
		}
		return t.value(n.Target)
	case n.Anchor == "":
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

// ownKeys returns the keys that a map with "<<" sets itself, nil for a map without "<<".
func ownKeys(n *Node) map[value.Key]bool {
	if !slices.ContainsFunc(n.Entries, func(e Entry) bool { return e.Merge }) {
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

// FromValue returns the tree of a value that was not read from a text: without spans,
// comments and anchors.
func FromValue(v value.Value) (*Node, error) {
	n := &Node{Details: noDetails}
	switch {
	case v.Is(value.ListKind):
		n.Kind, n.Style = SeqNode, Block
		for item, err := range value.Items(v.List()) {
			if err != nil {
				return nil, err
			}
			kid, err := FromValue(item)
			if err != nil {
				return nil, err
			}
			n.Items = append(n.Items, kid)
		}
	case v.Is(value.MapKind):
		n.Kind, n.Style = MapNode, Block
		for k := range v.Map().Keys() {
			item, _, err := v.Map().Get(k)
			if err != nil {
				return nil, err
			}
			kid, err := FromValue(item)
			if err != nil {
				return nil, err
			}
			key := &Node{Details: noDetails, Value: k.Value()}
			n.Entries = append(n.Entries, Entry{Key: k, KeyNode: key, Value: kid, Comments: noComments})
		}
	default:
		n.Value = v
		if s := v.Source(); s != nil && s.Tag != "" {
			n.details().Tag = s.Tag
		}
	}
	return n, nil
}
