package graph

import (
	"cmp"
	"slices"
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
	if all, err := c.layers(); all == nil || err != nil {
		return ""
	}
	return c.tag()
}

// TagOf returns the explicit tag that v, a list or map, has at its own place, wherever it was found:
//
//	a: !Ref {b: 1}     TagOf(v) of a is !Ref
//	c: {eval: ::a}     TagOf(v) of c too: it is the same map
func TagOf(v value.Value) string {
	c := CellOf(v)
	if c == nil || c.up == nil {
		return ""
	}
	if c.item {
		i, err := strconv.Atoi(c.key.Text)
		if err != nil {
			return ""
		}
		if note := c.up.itemAnnotation(i); note != nil {
			return note.Tag
		}
		return ""
	}
	if all, err := c.layers(); all == nil || err != nil {
		return ""
	}
	return c.tag()
}

// tag returns the explicit tag of the list or map on c: the tag of the newest layer with one, among the layers that
// are part of the value. A layer that a newer one replaces has no say:
//
//	base.yaml   a: !T {x: 1}     b: !T {x: 1}
//	site.yaml   a: {y: 2}        b: [1]
//	result      a: !T {...}      b: [1]
func (c *Cell) tag() string {
	f, err := c.fold()
	if err != nil {
		return ""
	}
	for _, l := range f.maps {
		if note := l.annotation(c.key); note != nil && note.Tag != "" {
			return note.Tag
		}
	}
	if f.kind == mapShape {
		return ""
	}
	tag := ""
	c.layer.leaves(func(l *layer) bool {
		if l == f.top || f.hasItemOf(l) {
			if note := l.annotation(c.key); note != nil {
				tag = note.Tag
			}
		}
		return tag == ""
	})
	return tag
}

// hasItemOf reports whether an item of a list was written in the list of l.
func (f *foldResult) hasItemOf(l *layer) bool {
	return slices.ContainsFunc(f.items, func(it item) bool { return it.layer.up == l })
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

// annotationAt returns the annotation of the entry under keys[i] of the map on c, from the newest layer with one,
// with the tag that the value has. err is the error of the keys.
func (c *Cell) annotationAt(keys []value.Key, err error, i int) *value.Annotation {
	f, _ := c.fold()
	if err != nil || f == nil || i >= len(keys) {
		return nil
	}
	var note *value.Annotation
	layers, tagged := 0, false
	f.newest(keys[i], func(e *Entry) bool {
		layers++
		if e.Note != nil {
			tagged = tagged || e.Note.Tag != ""
			if note == nil {
				note = e.Note
			}
		}
		return false
	})
	if !tagged || layers == 1 {
		return note
	}
	tag := c.kid(keys[i]).tag()
	if tag == note.Tag {
		return note
	}
	own := *note
	own.Tag = tag
	return &own
}

// joinedNote returns the annotation of an item that joins an older one: the older annotation, with the newer tag.
func joinedNote(newer, older item) *value.Annotation {
	tag := ""
	if newer.note != nil {
		tag = newer.note.Tag
	}
	if older.note == nil || older.note.Tag == tag || tag == "" && !isReplacement(newer.layer.node) {
		return cmp.Or(older.note, newer.note)
	}
	note := *older.note
	note.Tag = tag
	return &note
}

// isReplacement reports whether a list or map hides any older one.
func isReplacement(n Node) bool {
	switch n := n.(type) {
	case *Map:
		return n.Strategy == SetStrategy || n.Strategy == ReplaceStrategy
	case *Seq:
		return n.Replace
	}
	return false
}
