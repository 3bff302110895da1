package roundtrip

import (
	"math"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
	"github.com/yaytpl/yaytpl/value/align"
)

// assign makes v the data of a draft. Parts that are equal already are not touched: they
// keep their comments and style.
func (e *editor) assign(d *draft, v value.Value) error {
	if d.fresh && d.node != nil && e.same.as(d.node, v) {
		d.fresh, d.value, d.tag, d.open, d.kids = false, value.Null, "", false, nil
		return nil
	}
	kind := d.kind()
	switch {
	case !d.fresh && e.same.as(d.node, v) && !d.isChanged():
		return nil
	case kind == yaml.MapNode && v.Is(value.MapKind) && !e.hasMerge(d):
		return e.assignMap(d, v.Map())
	case kind == yaml.SeqNode && v.Is(value.ListKind):
		return e.assignList(d, v.List())
	}
	e.overwrite(d, v)
	return nil
}

// overwrite makes v the data of a draft, of which nothing stays but its anchor.
func (e *editor) overwrite(d *draft, v value.Value) {
	if !d.fresh && d.node.Kind != yaml.AliasNode {
		e.anchors.loseInside(d.node)
		if d.node.Anchor != "" {
			e.anchors.replaced[d.node] = true
		}
	}
	d.replace(v)
}

// hasMerge reports whether a map has "<<", or cannot be read: then its entries are not all that it has.
func (e *editor) hasMerge(d *draft) bool {
	kids, err := d.children()
	for _, k := range kids {
		if k.merge {
			return true
		}
	}
	return err != nil
}

// assignMap makes m the entries of a map. It assigns old entries in the order of the text:
// an anchor has its new value before the aliases that refer to it are compared.
func (e *editor) assignMap(d *draft, m value.Map) error {
	kids, err := d.children()
	if err != nil {
		return e.failed(d, err)
	}
	has := make(map[value.Key]bool, len(kids))
	for _, k := range kids {
		has[k.key] = true
	}
	wanted := make(map[value.Key]value.Value, len(kids))
	var added []*kid
	notes, _ := m.(value.Annotated)
	i := -1
	for key := range m.Keys() {
		i++
		v, ok, err := m.Get(key)
		if err != nil {
			return e.failed(d, err)
		}
		switch key = e.textKey(key); {
		case !ok:
		case has[key]:
			wanted[key] = v
		default:
			added = append(added, addedKid(key, v, notes, i))
		}
	}
	kept := kids[:0]
	for _, k := range kids {
		v, stays := wanted[k.key]
		if !stays {
			e.gone(d, k)
			continue
		}
		kept = append(kept, k)
		if err := e.assignKid(k, v); err != nil {
			return err
		}
	}
	d.kids = append(kept, added...)
	return nil
}

// assignKid makes v the value of a kid.
func (e *editor) assignKid(k *kid, v value.Value) error {
	if k.d == nil && e.same.as(k.node, v) {
		return nil
	}
	return e.assign(e.draftOf(k), v)
}

// addedKid returns entry or item i of a new value as a kid for an old map or list.
func addedKid(key value.Key, v value.Value, notes value.Annotated, i int) *kid {
	k := newKid(key, v)
	if notes != nil {
		k.annotate(notes.AnnotationAt(i))
		k.d.form = unsaid
	}
	return k
}

// assignList makes l the items of a list. Items that have a partner among the new ones keep their text and
// comments: see [align.Lists]. The others are removed, and new ones added.
func (e *editor) assignList(d *draft, l value.List) error {
	kids, err := d.children()
	if err != nil {
		return e.failed(d, err)
	}
	items, err := value.ItemsOf(l)
	if err != nil {
		return e.failed(d, err)
	}
	p := align.Lists(e.dataOf(d, kids), items, align.Rules{InOrder: true, Budget: &e.budget})
	for i, j := range p.To {
		if j < 0 {
			e.gone(d, kids[i])
		} else if err := e.assignKid(kids[i], items[j]); err != nil {
			return err
		}
	}
	notes, _ := l.(value.Annotated)
	d.kids = make([]*kid, len(items))
	for j, i := range p.From {
		if i >= 0 {
			d.kids[j] = kids[i]
		} else {
			d.kids[j] = addedKid(value.Key{}, items[j], notes, j)
		}
	}
	return nil
}

// dataOf returns the data of the items of a list, as far as it is known without the edits inside of them.
func (e *editor) dataOf(d *draft, kids []*kid) []value.Value {
	data := make([]value.Value, len(kids))
	if d.node != nil && !d.fresh && e.budget > 0 {
		if old, err := d.node.ToValue(); err == nil && old.Is(value.ListKind) {
			for i, k := range kids {
				if k.orig >= 0 {
					data[i], _ = old.List().At(k.orig)
				}
			}
		}
	}
	for i, k := range kids {
		if k.d != nil && k.d.fresh {
			data[i] = k.d.value
		}
	}
	return data
}

// A sameness compares nodes with data for one edit. Through aliases a small text can be a
// huge tree: after maxSameSteps steps nothing is equal any more.
type sameness struct {
	anchors      *anchors
	steps, depth int
}

const (
	maxSameSteps = 50_000_000
	maxSameDepth = 10_000
)

// as reports whether a node has the data v, so that nothing needs to be written. A value
// with another spelling or tag is different: 0x1F is not 31.
func (c *sameness) as(n *yaml.Node, v value.Value) bool {
	if c.steps++; c.steps > maxSameSteps || c.depth > maxSameDepth {
		return false
	}
	c.depth++
	defer func() { c.depth-- }()
	target, ok := c.target(n)
	if !ok {
		return false
	}
	switch target.Kind {
	case yaml.ScalarNode:
		return sameScalar(target.Value, v) && sameForm(target.Value, v)
	case yaml.SeqNode:
		if !v.Is(value.ListKind) || target.Len() != v.List().Len() {
			return false
		}
		for i, item := range target.Items {
			is, err := v.List().At(i)
			if err != nil || !c.as(item, is) {
				return false
			}
		}
		return true
	case yaml.MapNode:
		return v.Is(value.MapKind) && c.entries(target, v.Map())
	}
	return false
}

// target returns the node that an alias refers to, or n itself. It returns false if edits
// changed the target.
func (c *sameness) target(n *yaml.Node) (*yaml.Node, bool) {
	for n.Kind == yaml.AliasNode && n.Target != nil {
		if n = n.Target; c.anchors.lost[n] || c.anchors.drafts[n].isChanged() { // lost counts even if it came back
			return nil, false
		}
	}
	return n, true
}

// sameScalar reports whether two scalars are equal and of the same kind.
func sameScalar(a, b value.Value) bool {
	if a.Kind() != b.Kind() {
		return false
	}
	if a.Is(value.FloatKind) && math.IsNaN(a.Float()) {
		return math.IsNaN(b.Float())
	}
	eq, err := value.Equal(a, b)
	return eq && err == nil
}

// sameForm reports whether a has the spelling and tag that b asks for, if b asks for any.
func sameForm(a, b value.Value) bool {
	want := b.Source()
	if want == nil {
		return true
	}
	have := value.Scalar{}
	if s := a.Source(); s != nil {
		have = *s
	}
	return (want.Spelling == "" || want.Spelling == have.Spelling) && (want.Tag == "" || want.Tag == have.Tag)
}

// entries compares a map with its entries and the entries that "<<" adds.
func (c *sameness) entries(n *yaml.Node, m value.Map) bool {
	want, ok := c.entriesOf(n, 0)
	if !ok || len(want) != m.Len() {
		return false
	}
	for key := range m.Keys() {
		v, ok, err := m.Get(key)
		if err != nil || !ok || want[key] == nil || !c.as(want[key], v) {
			return false
		}
	}
	return true
}

const maxMergeDepth = 100

// entriesOf returns the entries of a map and the entries that "<<" adds. It returns false if a
// "<<" has a value other than maps, aliases of maps and lists of them.
func (c *sameness) entriesOf(n *yaml.Node, depth int) (map[value.Key]*yaml.Node, bool) {
	out := make(map[value.Key]*yaml.Node, n.Len())
	var merged []*yaml.Node
	for i := range n.Len() {
		key, merge, child := childAt(n, i)
		if merge {
			merged = append(merged, child)
		} else {
			out[key] = child
		}
	}
	for _, from := range merged {
		if !c.mergeInto(out, from, depth) {
			return nil, false
		}
	}
	return out, true
}

// mergeInto adds the entries of a map, an alias or a list of them to out, unless out has
// their keys. The depth is bounded because maps can merge each other.
func (c *sameness) mergeInto(out map[value.Key]*yaml.Node, from *yaml.Node, depth int) bool {
	from, ok := c.target(from)
	if !ok || depth > maxMergeDepth {
		return false
	}
	switch from.Kind {
	case yaml.SeqNode:
		for i := range from.Len() {
			if !c.mergeInto(out, from.Items[i], depth+1) {
				return false
			}
		}
		return true
	case yaml.MapNode:
		more, ok := c.entriesOf(from, depth+1)
		for key, child := range more {
			if out[key] == nil {
				out[key] = child
			}
		}
		return ok
	}
	return false
}

// anchors records the effect of edits on nodes with an anchor.
type anchors struct {
	drafts   map[*yaml.Node]*draft // of nodes that an edit reached
	lost     map[*yaml.Node]bool   // nodes that were removed, even if they came back
	replaced map[*yaml.Node]bool   // nodes that got other data
}

// draftOf returns the draft of the value of a kid for changing it.
func (e *editor) draftOf(k *kid) *draft {
	if k.d == nil {
		k.d = &draft{node: k.node}
		e.anchors.came(k.d)
	}
	return k.d
}

// came records that an edit reached a draft.
func (a *anchors) came(d *draft) {
	if d.anchor() != "" {
		a.drafts[d.node] = d
	}
}

// lose records the removal of a node and everything in it.
func (a *anchors) lose(n *yaml.Node) {
	if n.Kind == yaml.AliasNode {
		return
	}
	if n.Anchor != "" {
		a.lost[n] = true
	}
	a.loseInside(n)
}

// loseInside records the removal of everything in a node.
func (a *anchors) loseInside(n *yaml.Node) {
	for child := range nodesIn(n) {
		a.lose(child)
	}
}

// checkAnchors refuses edits that remove an anchor that is still used, and warns if an
// anchor that is used gets other data.
func (e *editor) checkAnchors() error {
	changed := e.anchors.replaced
	if len(changed) == 0 && len(e.anchors.lost) == 0 {
		return nil
	}
	u := uses{there: map[*yaml.Node]int{}}
	u.draft(e.root)
	for _, alias := range u.aliases {
		target := alias.Target
		if _, there := u.there[target]; !there {
			return source.Refuse(e.shown(target.AnchorAt), source.AnchorInUse, "the anchor &%s is still used", target.Anchor).
				Note(e.shown(alias.At), "here")
		}
		if changed[target] {
			e.warnings = append(e.warnings, source.Warnf(target.AnchorAt, source.Suspicious, "other uses of the anchor &%s change as well", target.Anchor))
			delete(changed, target)
		}
	}
	return nil
}

// areTargetsMeant reports whether the aliases of the new document refer to the same
// anchors as in the draft. In YAML an alias refers to the last anchor of its name before
// it, so a move can change that.
func (e *editor) areTargetsMeant(root *yaml.Node) bool {
	if root == nil || !strings.Contains(e.src, "*") {
		return true
	}
	meant, is := uses{there: map[*yaml.Node]int{}}, uses{there: map[*yaml.Node]int{}}
	meant.draft(e.root)
	is.node(root)
	return slices.EqualFunc(meant.aliases, is.aliases, func(a, b *yaml.Node) bool {
		return meant.there[a.Target] == is.there[b.Target]
	})
}

// uses numbers the anchors of a document after the edits, in order, and lists its aliases.
type uses struct {
	there   map[*yaml.Node]int
	aliases []*yaml.Node
}

// anchor numbers an anchor by its first place, which is the one that aliases after it refer to.
func (u *uses) anchor(n *yaml.Node) {
	if _, met := u.there[n]; met {
		return
	}
	if n.Anchor != "" {
		u.there[n] = len(u.there)
	}
}

// draft visits a draft in the order in which it will be written: by its kids if it is open, else by its old node.
func (u *uses) draft(d *draft) {
	if d.node != nil && d.node.Kind != yaml.AliasNode {
		u.anchor(d.node)
	}
	switch {
	case d.open:
		for _, k := range d.kids {
			u.key(d, k)
			if k.d == nil {
				u.node(k.node)
			} else {
				u.draft(k.d)
			}
		}
	case !d.fresh:
		u.node(d.node)
	}
}

// key adds the old node of a key. A renamed alias does not count: its new key is written
// as text.
func (u *uses) key(d *draft, k *kid) {
	o := k.from
	if k.orig >= 0 {
		o = &origin{d.node, k.orig}
	}
	if d.kind() != yaml.MapNode || o == nil || o.node.Kind != yaml.MapNode {
		return
	}
	was, _, _ := childAt(o.node, o.index)
	if key := o.keyNode(); was == k.key || key.Kind != yaml.AliasNode {
		u.node(key)
	}
}

// node visits an old node and everything in it, but not the targets of aliases.
func (u *uses) node(n *yaml.Node) {
	if n.Kind == yaml.AliasNode {
		if n.Target != nil {
			u.aliases = append(u.aliases, n)
		}
		return
	}
	u.anchor(n)
	for child := range nodesIn(n) {
		u.node(child)
	}
}
