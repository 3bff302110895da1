package graph

import (
	"strconv"

	"github.com/yaytpl/yaytpl/value"
)

// TagIn returns the explicit tag that v, a list or map, has under a key or index of the value around it:
//
//	a: !Ref {b: 1}     TagIn(root, a, v) is !Ref
//	c: {eval: ::a}     TagIn(root, c, v) is "", although v is the same map
//
// Unlike [value.Annotated] it does not need the other keys of a map.
func TagIn(around value.Value, k value.Key, v value.Value) string {
	if v.IsScalar() {
		return ""
	}
	if l, ok := around.List().(value.Annotated); ok {
		i, err := strconv.Atoi(k.Text)
		if note := l.AnnotationAt(i); err == nil && note != nil {
			return note.Tag
		}
		return ""
	}
	c := CellOf(v)
	if c == nil || c.up == nil || c.up != CellOf(around) || c.key != k {
		return ""
	}
	all, err := c.layers()
	if all == nil || err != nil {
		return ""
	}
	tag := ""
	all.leaves(func(l *layer) bool {
		note := l.annotation(k)
		if note != nil {
			tag = note.Tag
		}
		return note == nil
	})
	return tag
}

// annotation returns the annotation of the entry under k that brought l to the cell of k, nil for none.
func (l *layer) annotation(k value.Key) *value.Annotation {
	for ; l.up != nil; l = l.up {
		if e := l.up.entry(k); e != nil && e.Node == l.node {
			return e.Note
		}
	}
	return nil
}
