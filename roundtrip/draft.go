package roundtrip

import (
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/value"
)

// A draft is a node as it is meant to be after the edits. What no edit touches has no
// draft of its own, only the node that it was.
type draft struct {
	node *yaml.Node // what stands in the text, nil for something new

	fresh bool        // the data is not that of the node
	value value.Value // if fresh
	tag   string      // if fresh: its explicit tag
	form  form        // that its source had

	open bool // kids are those of the draft
	kids []*kid

	rewrite bool // to be written anew, although it is not fresh
}

// A form is how new data is to be written, if it can be.
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
	d     *draft     // what becomes of the value; nil if it stays

	renamed  bool
	moved    bool
	from     *origin           // of one that was moved here from elsewhere
	note     *value.Annotation // of a new one: the comments that it brings
	spelling string            // of a new one: how its key was written without quotes
	before   bool              // a new one stands close to what follows, not to what precedes it

	stays bool // its text stays where it is; set by settle
	at    int  // its position now; set by settle
}

// view returns the draft of the value, to be looked at.
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

// newDraft returns a draft of something new.
func newDraft(v value.Value) *draft {
	return &draft{fresh: true, value: v, tag: tagFor(v, nil)}
}

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

// anchor returns the anchor of the draft: that of the node whose place it has.
func (d *draft) anchor() string {
	if d.node == nil || d.node.Kind == yaml.AliasNode {
		return ""
	}
	return d.node.Anchor
}

// tagName returns the explicit tag of the draft.
func (d *draft) tagName() string {
	if d.fresh {
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

// children returns the kids of a map or list. It can fail for values that are
// computed when they are asked for.
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

// kidsOf returns the entries or items of new data of a form. If that was in block style,
// those that were in flow style are it again; otherwise there may have been no choice.
func kidsOf(v value.Value, f form) ([]*kid, error) {
	var in any = v.List()
	if v.Is(value.MapKind) {
		in = v.Map()
	}
	notes, _ := in.(value.Annotated)
	var kids []*kid
	add := func(key value.Key, item value.Value, i int) {
		k := newKid(key, item)
		if notes != nil {
			k.annotate(notes.AnnotationAt(i))
		}
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
	d.tag = tagFor(v, d.node)
	d.fresh, d.value, d.form, d.open, d.kids = true, v, unsaid, false, nil
}

// tagFor returns the tag that a value is written with: its own, or the one that stands
// there already if it still fits.
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

func tagFits(tag string, old yaml.Kind, v value.Value) bool {
	switch tag {
	case "!!str", "!":
		return v.Is(value.StringKind)
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

// settle numbers the kids and decides which of them stay in place: all that were there, if
// they are still in order, else those that were not moved.
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

// isChanged reports whether the draft differs from its node in any way that an edit
// made.
func (d *draft) isChanged() bool {
	if d == nil || !d.fresh && !d.open {
		return false
	}
	return d.fresh || d.isReshaped() ||
		slices.ContainsFunc(d.kids, func(k *kid) bool { return k.renamed || k.d.isChanged() })
}

// isReshaped reports whether kids are new, gone or elsewhere.
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
