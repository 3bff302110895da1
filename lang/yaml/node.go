package yaml

import (
	"slices"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Kind is the kind of a node: scalar, map, list or alias.
type Kind uint8

// The kinds of nodes.
const (
	ScalarNode Kind = iota
	MapNode
	SeqNode
	AliasNode
)

// A Style is the notation of a node.
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

	// At is the value as written, with quotes, block header and the brackets of flow
	// style, without tag, anchor and comments. An empty value has an empty span: in
	// "a:" it is after the colon.
	At source.Span

	// Value is the data of a scalar, with its source spelling where that matters.
	Value value.Value

	// Parts are what not every node has. It is never nil: most scalars share an empty one, since nodes
	// take most of the memory of a big text.
	*Parts
}

// Parts are the items of a list or the entries of a map, and the details of a node.
type Parts struct {
	Items []*Node

	// Entries are in source order. YAML's "<<" is an entry like any other here: see
	// [Entry.IsMerge].
	Entries []Entry

	// Details are what few nodes have. It is never nil: the others share an empty one.
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

	// Target is the node that an alias refers to.
	Target *Node

	// Comments are the comments around the node. The value of an entry has none: they are
	// in the entry.
	Comments
}

// Comments are the comments above, after and below a node or entry, each line with its
// "#":
//
//	# head
//	a: 1 # line
//	# foot
type Comments struct{ Head, Line, Foot string }

// The empty parts, details and comments that nodes and entries share. They are never changed.
var (
	noParts    = &Parts{Details: &emptyDetails}
	noDetails  = &emptyDetails
	noComments = &Comments{}

	emptyDetails Details
)

// newNode returns a node without parts.
func newNode(nodes *slab[Node]) *Node {
	n := nodes.one()
	n.Parts = noParts
	return n
}

// parts returns parts that n does not share, to be filled in.
func (n *Node) parts() *Parts {
	if n.Parts == noParts {
		n.Parts = &Parts{Details: noDetails}
	}
	return n.Parts
}

// details returns details that n does not share, to be filled in.
func (n *Node) details() *Details {
	if n.Details == noDetails {
		n.parts().Details = &Details{}
	}
	return n.Details
}

// isAbsent reports whether a node has no text: no value, tag or anchor.
func isAbsent(n *Node) bool {
	return n.Kind == ScalarNode && n.Style == Plain && n.At.Start == n.At.End && n.Tag == "" && n.Anchor == ""
}

// Aliased returns the node that an alias refers to, n for other nodes.
func (n *Node) Aliased() *Node {
	if n.Kind == AliasNode && n.Target != nil {
		return n.Target
	}
	return n
}

// Len returns the number of entries of a map or of items of a list, 0 for other nodes.
func (n *Node) Len() int { return len(n.Entries) + len(n.Items) }

// Child returns the value of entry i of a map, or item i of a list.
func (n *Node) Child(i int) *Node {
	if n.Kind == MapNode {
		return n.Entries[i].Value
	}
	return n.Items[i]
}

// An Entry is one entry of a map.
type Entry struct {
	Key   value.Key
	KeyAt source.Span // the key as written, as [Node.At]
	Value *Node

	// key is the node of the key, nil for an ordinary one: see KeyNode.
	key *Node

	// Comments are the comments around the entry. It is never nil.
	*Comments
}

// entryOf returns an entry with the node of its key.
func entryOf(k value.Key, key, val *Node) Entry {
	return Entry{Key: k, KeyAt: key.At, key: key, Value: val, Comments: noComments}
}

// KeyNode returns the node of the key. A key that is a text, without escapes, a tag or an anchor, and
// whose spelling does not matter, has none in the tree: nodes of such keys would be a quarter of the
// memory of most texts, and few are asked for. They are made here, a new one for each call.
func (e *Entry) KeyNode() *Node {
	if e.key != nil {
		return e.key
	}
	n := &Node{At: e.KeyAt, Value: value.String(e.Key.Text), Parts: noParts}
	switch e.KeyAt.Text()[0] {
	case '"':
		n.Style = DoubleQuoted
	case '\'':
		n.Style = SingleQuoted
	}
	return n
}

// IsMerge reports whether the key is YAML's plain "<<".
func (e *Entry) IsMerge() bool {
	return e.Key.Text == "<<" && e.KeyAt.Text() == "<<" && (e.key == nil || e.key.Tag == "")
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

	// Head and Foot are the comments before and after the content, separated from it
	// by an empty line.
	Head, Foot string

	// Options are the switches in the file's first comment block,
	// "# yaytpl: templates=off literals=off", by name; true means on. All documents
	// of a file have the same options.
	Options map[string]bool
}

// Further returns the first document after the first one that is not empty, nil if there is none:
// where one document is wanted, its data would be ignored.
func Further(docs []*Document) *Document {
	for i, d := range docs {
		if i > 0 && d.Root != nil {
			return d
		}
	}
	return nil
}

// A slab allocates values of one type in blocks. The blocks double in size from minSlab to
// maxSlab values, so that a small text takes little memory.
type slab[T any] struct {
	free []T
	size int // of the last block
}

// The runtime keeps 8 bytes with a block of this size and rounds the sum up, 16 kB and 8 bytes to
// 18 kB: so blocks have 255 values of 64 bytes, not 256.
const (
	minSlab = 8
	maxSlab = 255
)

// one returns a new zero value.
func (s *slab[T]) one() *T {
	s.reserve(1)
	v := &s.free[0]
	s.free = s.free[1:]
	return v
}

// copyOf returns a copy of a list without spare capacity.
func (s *slab[T]) copyOf(list []T) []T {
	n := len(list)
	if n > maxSlab/4 {
		return append(make([]T, 0, n), list...)
	}
	s.reserve(n)
	out := s.free[:n:n]
	s.free = s.free[n:]
	copy(out, list)
	return out
}

// reserve makes room for n values.
func (s *slab[T]) reserve(n int) {
	if len(s.free) < n || s.free == nil {
		s.size = min(max(2*s.size, minSlab, n), maxSlab)
		s.free = make([]T, s.size)
	}
}

// ToValue returns the plain data of a node. Aliases share the value of their target.
// "<<" is resolved one level deep: a key of the map itself wins, then the first map in the
// list of "<<". The value of b is {y: 1, x: 2} in
//
//	a: &a {x: 1, y: 1}
//	b: {<<: *a, x: 2}
//
// A nil node is null.
//
// Codes: cycle (an anchor that contains its own alias), bad-type (a "<<" that is neither a
// map nor a list of maps), limit.
func (n *Node) ToValue() (value.Value, error) {
	t := &valuer{done: map[*Node]value.Value{}, open: map[*Node]bool{}}
	return t.value(n)
}

type valuer struct {
	done map[*Node]value.Value // of nodes with an anchor
	open map[*Node]bool

	merged int // maps and entries that "<<" visited
}

// maxMerged limits the maps and entries that "<<" visits: a short text can merge a big
// map in many places, which takes memory, or a long list of empty maps, which takes time.
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
		notes.add(i, item.Annotation())
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
		if e.IsMerge() {
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
		notes.add(m.Len()-1, e.Annotation())
	}
	if notes == nil {
		return value.FromMap(m), nil
	}
	return value.FromMap(&annotatedMap{m, notes}), nil
}

// ownKeys returns the keys that a map with "<<" sets itself, nil for a map without "<<".
func ownKeys(n *Node) map[value.Key]bool {
	if !slices.ContainsFunc(n.Entries, func(e Entry) bool { return e.IsMerge() }) {
		return nil
	}
	own := make(map[value.Key]bool, len(n.Entries))
	for _, e := range n.Entries {
		if !e.IsMerge() {
			own[e.Key] = true
		}
	}
	return own
}

// merge adds the entries of the value of "<<" whose keys m does not have yet.
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

// badMerge returns the error for a value of "<<" that cannot be merged.
func badMerge(from *Node, v value.Value) error {
	return source.Errorf(from.At, source.BadType, `"<<" needs a map or a list of maps, not %s`, value.Article(v.Kind()))
}

// mergeMap adds the entries of a map whose keys are neither in m nor in own.
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

// notes are the annotations of a list or map by index. It is shorter than the list if the
// last items have none.
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

// Annotated lists and maps are pointers: walks over data recognise shared ones by them.
type annotatedList struct {
	value.Slice
	notes
}

type annotatedMap struct {
	*value.Dict
	notes
}

// Annotation returns the comments, tag and style of an entry, or nil if it has none.
func (e *Entry) Annotation() *value.Annotation {
	return annotate(e.Value, e.Head, e.Line, e.Foot, keySpelling(e))
}

// Annotation returns the comments, tag and style of a list item, or nil if it has none.
func (n *Node) Annotation() *value.Annotation {
	return annotate(n, n.Head, n.Line, n.Foot, "")
}

// annotate returns the annotation of the value v with the given comments and spelling of its
// key, or nil if it is empty.
func annotate(v *Node, head, line, foot, key string) *value.Annotation {
	a := value.Annotation{Head: head, Line: line, Foot: foot, KeySpelling: key}
	if f := v.At.File; f != nil && f.Secret {
		a.Secret = head != "" || line != "" || foot != ""
	}
	if v = v.Aliased(); v.Kind != ScalarNode {
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

// onlyFlow is the only frequent annotation, shared by lists and maps in flow style. It is
// never changed.
var onlyFlow = &value.Annotation{Flow: true}

// keySpelling returns the spelling of a key, or "" if it is the one that the encoder
// chooses.
func keySpelling(e *Entry) string {
	if e.key == nil {
		return ""
	}
	s := e.key.Value.Source()
	if s == nil || !s.Plain || s.Tag != "" {
		return ""
	}
	if s.Spelling != "" {
		return s.Spelling
	}
	return s.Text
}

// FromValue returns a tree of a computed value. It has no spans, comments or anchors.
func FromValue(v value.Value) (*Node, error) {
	n := &Node{Parts: noParts}
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
			n.parts().Items = append(n.Items, kid)
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
			key := &Node{Parts: noParts, Value: k.Value()}
			n.parts().Entries = append(n.Entries, entryOf(k, key, kid))
		}
	default:
		n.Value = v
		if s := v.Source(); s != nil && s.Tag != "" {
			n.details().Tag = s.Tag
		}
	}
	return n, nil
}
