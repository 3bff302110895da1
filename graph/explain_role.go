package graph

import (
	"github.com/yaytpl/yaytpl/value"
)

func (x *explanation) fact(l *layer) Fact {
	f := Fact{Role: x.role(l), At: l.node.Span(), Val: written(l.node), Layer: l.origin.layerName(), Includes: l.origin.Includes()}
	from := l.node
	for up := l; up != nil && len(f.Through) < maxIncludeNotes; up = up.up {
		if up.via != nil && up.via.From != FromFile {
			f.Through = append(f.Through, up.via.At)
		}
		if use, ok := up.node.(*Instance); ok && from != use.Given {
			f.Through = append(f.Through, use.At)
		}
		from = up.node
	}
	return f
}

func (x *explanation) role(l *layer) Role {
	if !x.set {
		x.set = true
		if _, deleted := l.node.(*Delete); deleted {
			return Deletes
		}
		if x.decides(l) {
			return Sets
		}
		x.set = false
	}
	for _, m := range x.folded.maps {
		if m.node == l.node || m.up != nil && m.up.node == l.node && isView(m.node) {
			return Merges
		}
	}
	if x.shares(l) {
		return Merges
	}
	return Beaten
}

func (x *explanation) decides(l *layer) bool {
	f := x.folded
	if f.top != nil && sameOrigin(f.top.node, l.node) {
		return true
	}
	if _, ok := l.node.(*Computed); ok && f.kind == absentShape {
		return true // it lies in the map that an expression around it comes to
	}
	return len(f.maps) > 0 && f.maps[0].node == l.node
}

// sameOrigin reports whether two nodes are the same, or the same entry of a value, for
// which a node is made each time.
func sameOrigin(a, b Node) bool {
	if a == b {
		return true
	}
	x, ok := a.(*Computed)
	y, also := b.(*Computed)
	return ok && also && x.At == y.At && isEntry(x.Thunk) && isEntry(y.Thunk)
}

func isEntry(t Thunk) bool {
	_, ok := t.(entryThunk)
	return ok
}

func isWeak(n Node) bool {
	switch n := n.(type) {
	case *Map:
		return n.Weak
	case *Seq:
		return n.Weak
	}
	return false
}

func isView(n Node) bool {
	_, ok := n.(*View)
	return ok
}

// shares reports whether items of a list layer are in the merged list.
func (x *explanation) shares(l *layer) bool {
	for _, it := range x.folded.items {
		if it.layer.within(l.node) {
			return true
		}
	}
	return false
}

func (o *Origin) layerName() string {
	for o != nil && o.Outer != nil {
		o = o.Outer
	}
	if o == nil {
		return ""
	}
	return o.Layer
}

// written returns what a node says, as data.
func written(n Node) value.Value {
	switch n := n.(type) {
	case *Scalar:
		return n.Val
	case *Computed:
		return n.Thunk.Raw()
	case *Map:
		return value.FromMap(value.NewMap(0))
	case *Seq, *Extend:
		return value.ListOf()
	}
	return value.Null
}
