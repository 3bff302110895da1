package roundtrip

import (
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/value"
)

// A draft is a node as it will be after the edits. Nodes that no edit reaches have no
// draft: their kid refers to the old node.
type draft struct {
	node *yaml.Node // the node in the text, nil for a new value

	fresh bool        // the data is value, not the data of the node
	value value.Value // the data if fresh
	tag   string      // its explicit tag if fresh or retagged
	form  form        // the form of value in its source

	open bool // kids is set
	kids []*kid

	retagged *value.Value // the old map or list gets another tag; this is its new data, without drafts
	rewrite  bool         // to be written from scratch, although it is not fresh
}

// A form is the style in which a new map or list is written if it can be.
type form uint8

const (
	unsaid form = iota
	inFlow
	inBlock
)

// A kid is an entry of a map or an item of a list.
type kid struct {
	key   value.Key  // of an entry
	merge bool       // the key is "<<"
	orig  int        // position in the node, or -1 for a new one
	node  *yaml.Node // the value, nil for a new one
	d     *draft     // the new value; nil if it stays

	renamed  bool
	moved    bool
	from     *origin           // the old position of a kid from another map or list
	note     *value.Annotation // the comments of a new kid
	spelling string            // the plain spelling of the key of a new kid, "0x10" for 16
	before   bool              // a new kid belongs to the entry after it, not to the one before it

	stays bool // its text stays where it is; set by settle
	at    int  // its position now; set by settle
}

// view returns the draft of the value for reading. Changes go through [editor.draftOf].
func (k *kid) view() *draft {
	if k.d == nil {
		return &draft{node: k.node}
	}
	return k.d
}

// newKid returns a new entry or item.
func newKid(key value.Key, v value.Value) *kid {
	return &kid{key: key, orig: -1, d: newDraft(v)}
}

// newDraft returns a draft of a new value.
func newDraft(v value.Value) *draft {
	return &draft{fresh: true, value: v, tag: tagFor(v, nil)}
}

// kind returns the kind of the new value.
func (d *draft) kind() yaml.Kind {
	switch {
	case !d.fresh:
		return d.node.Kind
	case d.value.Is(value.MapKind):
		return yaml.MapNode
	case d.value.Is(value.ListKind):
		return yaml.SeqNode
	}
	return yaml.ScalarNode
}

// anchor returns the anchor of the draft's node: a new value keeps the
// anchor of the value that it replaces.
func (d *draft) anchor() string {
	if d.node == nil || d.node.Kind == yaml.AliasNode {
		return ""
	}
	return d.node.Anchor
}

// tagName returns the explicit tag of the draft.
func (d *draft) tagName() string {
	if d.fresh || d.retagged != nil {
		return d.tag
	}
	return d.node.Tag
}

// scalar returns the data of a draft that is a scalar.
func (d *draft) scalar() value.Value {
	if d.fresh {
		return d.value
	}
	return d.node.Value
}

// children returns the kids of a map or list, and opens the draft for changes. It fails if
// the value is computed on demand and the computation fails.
func (d *draft) children() ([]*kid, error) {
	switch {
	case d.open:
		return d.kids, nil
	case d.fresh:
		kids, err := kidsOf(d.value, d.form)
		if err != nil {
			return nil, err
		}
		d.kids = kids
	default:
		d.kids = make([]*kid, d.node.Len())
		slab := make([]kid, len(d.kids))
		for i := range d.kids {
			k := &slab[i]
			k.orig = i
			k.key, k.merge, k.node = childAt(d.node, i)
			d.kids[i] = k
		}
	}
	d.open = true
	return d.kids, nil
}

// kidsOf returns the entries or items of a new value that is written in form f. Flow style
// inside is kept only where f is block style: inside of flow style the source may have had
// no choice.
func kidsOf(v value.Value, f form) ([]*kid, error) {
	var kids []*kid
	add := func(key value.Key, item value.Value, i int) {
		k := newKid(key, item)
		k.annotate(value.NoteAt(v, i))
		switch {
		case f != inBlock:
			k.d.form = unsaid
		case k.d.form == unsaid:
			k.d.form = inBlock
		}
		kids = append(kids, k)
	}
	if v.Is(value.ListKind) {
		for i := range v.List().Len() {
			item, err := v.List().At(i)
			if err != nil {
				return nil, err
			}
			add(value.Key{}, item, i)
		}
		return kids, nil
	}
	i := -1
	for key := range v.Map().Keys() {
		i++
		item, ok, err := v.Map().Get(key)
		if err != nil {
			return nil, err
		}
		if ok {
			add(key, item, i)
		}
	}
	return kids, nil
}

// find returns the position of a key or index among the kids, or -1.
func find(kind yaml.Kind, kids []*kid, key value.Key) int {
	if kind == yaml.SeqNode {
		i, err := strconv.Atoi(key.Text)
		if err != nil || key.Kind != value.IntKind || i < 0 || i >= len(kids) {
			return -1
		}
		return i
	}
	for i, k := range kids {
		if k.key == key {
			return i
		}
	}
	return -1
}

// replace makes v the data of the draft.
func (d *draft) replace(v value.Value) {
	d.tag, d.retagged = tagFor(v, d.node), nil
	d.fresh, d.value, d.form, d.open, d.kids = true, v, unsaid, false, nil
}

// tagFor returns the tag to write for a value: its own, or the tag of the old node if that
// still fits.
func tagFor(v value.Value, old *yaml.Node) string {
	if s := v.Source(); s != nil && s.Tag != "" {
		return s.Tag
	}
	if v.Is(value.StringKind) && !utf8.ValidString(v.Str()) {
		return "!!binary"
	}
	if old == nil || old.Kind == yaml.AliasNode {
		return ""
	}
	if old.Tag != "" && tagFits(old.Tag, old.Kind, v) {
		return old.Tag
	}
	return ""
}

// tagFits reports whether the tag of an old node of the given kind is right for a new
// value. An unknown tag such as !Ref fits a value of the same kind, and on a scalar only
// text.
func tagFits(tag string, old yaml.Kind, v value.Value) bool {
	switch tag {
	case "!!str", "!":
		return v.Is(value.StringKind) && old == yaml.ScalarNode
	case "!!int":
		return v.Is(value.IntKind)
	case "!!float":
		return v.Is(value.FloatKind)
	case "!!bool":
		return v.Is(value.BoolKind)
	case "!!null":
		return v.IsNull()
	case "!!binary":
		return false
	}
	switch old {
	case yaml.MapNode:
		return v.Is(value.MapKind)
	case yaml.SeqNode:
		return v.Is(value.ListKind)
	}
	return v.Is(value.StringKind)
}

// settle numbers the kids and decides which of them stay in place: all old ones if they
// are still in order, otherwise those that no edit moved.
func settle(kids []*kid) {
	last, inOrder := -1, true
	for _, k := range kids {
		if k.orig >= 0 {
			inOrder = inOrder && k.orig > last
			last = k.orig
		}
	}
	for i, k := range kids {
		k.at = i
		k.stays = k.orig >= 0 && (inOrder || !k.moved)
	}
}

// isChanged reports whether edits made the draft differ from its node.
func (d *draft) isChanged() bool {
	if d == nil || !d.fresh && !d.open && d.retagged == nil {
		return false
	}
	return d.fresh || d.retagged != nil || d.isReshaped() ||
		slices.ContainsFunc(d.kids, func(k *kid) bool { return k.renamed || k.d.isChanged() })
}

// isReshaped reports whether kids were added, removed or reordered.
func (d *draft) isReshaped() bool {
	if len(d.kids) != d.node.Len() {
		return true
	}
	for i, k := range d.kids {
		if k.orig != i {
			return true
		}
	}
	return false
}
