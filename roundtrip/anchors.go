package roundtrip

import "github.com/yaytpl/yaytpl/source"

// checkAnchors refuses edits that take an anchor away that is still used, and warns
// where the data of one changes that is.
func (e *editor) checkAnchors() error {
	if len(e.anchored) == 0 && !anyAnchor(e.removed) {
		return nil
	}
	u := uses{there: map[Node]bool{}}
	u.draft(e.root)
	changed := map[Node]bool{}
	for _, n := range e.anchored {
		changed[n] = true
	}
	for _, alias := range u.aliases {
		target := alias.Target()
		name, at := target.Anchor()
		if !u.there[target] {
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

// uses collects the anchors and aliases that are there after the edits.
type uses struct {
	there   map[Node]bool
	aliases []Node
}

func (u *uses) draft(d *draft) {
	if d.node != nil && d.node.Kind() != Alias {
		if name, _ := d.node.Anchor(); name != "" {
			u.there[d.node] = true
		}
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
	if d.kind() != Map || k.orig < 0 {
		return
	}
	if key := d.node.Entry(k.orig).KeyNode; !k.renamed || key.Kind() != Alias {
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
	if name, _ := n.Anchor(); name != "" {
		u.there[n] = true
	}
	for i := range n.Len() {
		if n.Kind() == Map {
			u.node(n.Entry(i).KeyNode)
		}
		_, _, child := childAt(n, i)
		u.node(child)
	}
}
