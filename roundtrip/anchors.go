package roundtrip

import (
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
)

// anchors is what edits did to the nodes with an anchor.
type anchors struct {
	drafts   map[*yaml.Node]*draft // of those that an edit came to
	lost     map[*yaml.Node]bool   // those that were taken away, though some may be there again
	replaced map[*yaml.Node]bool   // those that got other data
}

func newAnchors() anchors {
	return anchors{drafts: map[*yaml.Node]*draft{}, lost: map[*yaml.Node]bool{}, replaced: map[*yaml.Node]bool{}}
}

// draftOf returns the draft of the value of a kid, to be changed.
func (e *editor) draftOf(k *kid) *draft {
	if k.d == nil {
		k.d = &draft{node: k.node}
		e.anchors.came(k.d)
	}
	return k.d
}

// came notes that an edit came to a draft.
func (a *anchors) came(d *draft) {
	if d.anchor() != "" {
		a.drafts[d.node] = d
	}
}

// lose notes that a node goes, with all that is in it.
func (a *anchors) lose(n *yaml.Node) {
	if n.Kind == yaml.AliasNode {
		return
	}
	if n.Anchor != "" {
		a.lost[n] = true
	}
	a.loseInside(n)
}

// loseInside notes that what is in a node goes.
func (a *anchors) loseInside(n *yaml.Node) {
	for i := range n.Len() {
		if n.Kind == yaml.MapNode {
			a.lose(n.Entries[i].KeyNode)
		}
		child := n.Child(i)
		a.lose(child)
	}
}

// areTouched reports whether edits came to any node with an anchor.
func (a *anchors) areTouched() bool { return len(a.drafts)+len(a.lost) > 0 }

// isAsBefore reports whether a node with an anchor is what it was before the edits. One
// that went and came back is not.
func (a *anchors) isAsBefore(n *yaml.Node) bool { return !a.lost[n] && !a.drafts[n].isChanged() }

// checkAnchors refuses edits that take an anchor away that is still used, and warns
// where the data of one changes that is.
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
			e.warnings = append(e.warnings, source.Warnf(target.AnchorAt, source.Suspicious, "what uses the anchor &%s changes as well", target.Anchor))
			delete(changed, target)
		}
	}
	return nil
}

// areTargetsMeant reports whether the aliases of the new document stand for what those
// of the draft do: of several anchors with one name, the last one before an alias counts.
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

// uses collects the anchors, which it counts, and the aliases that are there after the
// edits.
type uses struct {
	there   map[*yaml.Node]int
	aliases []*yaml.Node
}

func (u *uses) anchor(n *yaml.Node) {
	if _, met := u.there[n]; met {
		return
	}
	if n.Anchor != "" {
		u.there[n] = len(u.there)
	}
}

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

func (u *uses) node(n *yaml.Node) {
	if n.Kind == yaml.AliasNode {
		if n.Target != nil {
			u.aliases = append(u.aliases, n)
		}
		return
	}
	u.anchor(n)
	for i := range n.Len() {
		if n.Kind == yaml.MapNode {
			u.node(n.Entries[i].KeyNode)
		}
		child := n.Child(i)
		u.node(child)
	}
}
