package restore

import (
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/value"
)

// set writes a value in the place of another one.
func (w *walk) set(s spot, v value.Value) {
	note := w.style(s.is, v)
	if len(s.text) > 0 && s.syntax != nil && (w.looksDone(s, v) || isOneLine(note, s.syntax, v)) {
		w.replace(s, v, note)
		return
	}
	w.edit(roundtrip.Edit{Op: roundtrip.Set, Path: s.text, Value: v, Note: note})
}

// isOneLine reports whether a map or list is to stand on one line where there was none.
func isOneLine(note *value.Annotation, old *yaml.Node, v value.Value) bool {
	return note != nil && note.Flow && isCollection(v) && len(old.Entries)+len(old.Items) == 0
}

// looksDone reports whether setting a value would leave the text as it is although it has to
// change: an alias is to be what its anchor was, or a tag is to go.
func (w *walk) looksDone(s spot, v value.Value) bool {
	switch {
	case s.syntax.Kind != yaml.AliasNode && s.syntax.Tag == "":
		return false
	case s.syntax.Kind != yaml.AliasNode:
		return value.OwnTag(v) == "" && s.old.ok && s.old.v.Kind() == v.Kind()
	}
	eq, err := s.old.sameAs(some(v))
	return eq && err == nil
}

// replace puts a new entry or item in the place of one, with its comments.
func (w *walk) replace(s spot, v value.Value, style *value.Annotation) {
	note := &value.Annotation{}
	if _, was, ok := entryAtPath(w.orig.Written, s.was); ok && s.placed && was != nil {
		note.Head, note.Line, note.Foot = was.Head, was.Line, was.Foot
	}
	if w.isFirst(s) {
		note.Head = "" // it stays: it belongs to the document
	}
	note.Flow = style != nil && style.Flow
	around, last := s.text[:len(s.text)-1], s.text[len(s.text)-1]
	if !s.entry {
		w.delete(s)
		w.edit(roundtrip.Edit{Op: roundtrip.Insert, Path: s.text, Value: v, Note: note})
		return
	}
	other := value.Key{Text: last.Text + " ", Kind: value.StringKind}
	w.edit(roundtrip.Edit{
		Op: roundtrip.Insert, Path: longer(around, other), Value: v, Note: note,
		Place: roundtrip.Place{Where: roundtrip.After, Key: last},
	})
	w.delete(s)
	w.edit(roundtrip.Edit{Op: roundtrip.Rename, Path: longer(around, other), Key: last})
}

// isFirst reports whether an entry is the first of the document.
func (w *walk) isFirst(s spot) bool {
	entries := w.orig.Tree.Entries
	return len(s.text) == 1 && len(entries) > 0 && entries[0].Key == s.text[0]
}
