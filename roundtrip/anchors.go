package roundtrip

import (
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/source"
)

// checkAnchors refuses edits that take an anchor away that is still used, and warns
// where the data of one changes that is.
func (e *editor) checkAnchors() error {
	if len(e.anchored) == 0 && !anyAnchor(e.removed) {
		return nil
	}
	u := uses{there: map[Node]int{}}
	u.draft(e.root)
	changed := map[Node]bool{}
	for _, n := range e.anchored {
		changed[n] = true
	}
	for _, alias := range u.aliases {
		target := alias.Target()
		name, at := target.Anchor()
		if _, there := u.there[target]; !there {
			return refuse(e.shown(at), AnchorInUse, "the anchor &%s is still used", name).
				Note(e.shown(alias.At()), "here")
		}
		if changed[target] {
			e.warnings = append(e.warnings, source.Warnf(at, source.Suspicious, "what uses the anchor &%s changes as well", name))
			delete(changed, target)
		}
	}
	return nil
}

func anyAnchor(nodes []Node) bool {
	for _, n := range nodes {
		if hasAnchor(n) {
			return true
		}
	}
	return false
}

func hasAnchor(n Node) bool {
	if n.Kind() == Alias {
		return false
	}
	if name, _ := n.Anchor(); name != "" {
		return true
	}
	for i := range n.Len() {
		if n.Kind() == Map && hasAnchor(n.Entry(i).KeyNode) {
			return true
		}
		if _, _, child := childAt(n, i); hasAnchor(child) {
			return true
		}
	}
	return false
}

// areTargetsMeant reports whether the aliases of the new document stand for what those
// of the draft do: of several anchors with one name, the last one before an alias counts.
func (e *editor) areTargetsMeant(root Node) bool {
	if root == nil || !strings.Contains(e.src, "*") {
		return true
	}
	meant, is := uses{there: map[Node]int{}}, uses{there: map[Node]int{}}
	meant.draft(e.root)
	is.node(root)
	return slices.EqualFunc(meant.aliases, is.aliases, func(a, b Node) bool {
		return meant.there[a.Target()] == is.there[b.Target()]
	})
}

// uses collects the anchors, which it counts, and the aliases that are there after the
// edits.
type uses struct {
	there   map[Node]int
	aliases []Node
}

func (u *uses) anchor(n Node) {
	if _, met := u.there[n]; met {
		return
	}
	if name, _ := n.Anchor(); name != "" {
		u.there[n] = len(u.there)
	}
}

func (u *uses) draft(d *draft) {
	if d.node != nil && d.node.Kind() != Alias {
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
	if d.kind() != Map || o == nil || o.node.Kind() != Map {
		return
	}
	was, _, _ := childAt(o.node, o.index)
	if key := o.keyNode(); was == k.key || key.Kind() != Alias {
		u.node(key)
	}
}

func (u *uses) node(n Node) {
	if n.Kind() == Alias {
		if n.Target() != nil {
			u.aliases = append(u.aliases, n)
		}
		return
	}
	u.anchor(n)
	for i := range n.Len() {
		if n.Kind() == Map {
			u.node(n.Entry(i).KeyNode)
		}
		_, _, child := childAt(n, i)
		u.node(child)
	}
}
