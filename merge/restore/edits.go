package restore

import (
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/value"
)

// set replaces the value at a spot.
func (w *walk) set(s spot, v value.Value) {
	note := w.style(s.is, v)
	if len(s.text) > 0 && s.syntax != nil {
		toOneLine := note != nil && note.Flow && isCollection(v) && s.syntax.Len() == 0
		if toOneLine || w.looksDone(s, v) {
			w.replace(s, v, note)
			return
		}
	}
	w.edit(roundtrip.Edit{Op: roundtrip.Set, Path: s.text, Value: v, Note: note})
}

// looksDone reports whether setting v would not change the text although it has to change:
// an alias is replaced with the value of its anchor, or a tag is removed.
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

// replace replaces an entry or item with a new one that has its comments.
func (w *walk) replace(s spot, v value.Value, style *value.Annotation) {
	note := &value.Annotation{}
	if _, was, ok := entryAtPath(w.orig.Written, s.was); ok && s.placed && was != nil {
		note.Head, note.Line, note.Foot = was.Head, was.Line, was.Foot
	}
	if first := w.orig.Tree.Entries; len(s.text) == 1 && len(first) > 0 && first[0].Key == s.text[0] {
		note.Head = "" // it belongs to the document and stays
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
		Op: roundtrip.Insert, Path: around.With(other), Value: v, Note: note,
		Place: roundtrip.Position{Where: roundtrip.After, Key: last},
	})
	w.delete(s)
	w.edit(roundtrip.Edit{Op: roundtrip.Rename, Path: around.With(other), Key: last})
}

// inFlow and inBlock are the annotations of values on one line and on several.
var (
	inFlow  = &value.Annotation{Flow: true}
	inBlock = &value.Annotation{}
)

// style returns the annotation of an override: it is on one line if the edited document
// has the value on one line. Comments are not taken: those at that place belong to the
// overridden value.
func (w *walk) style(p value.Path, v value.Value) *value.Annotation {
	if isMarker(v) {
		return inFlow
	}
	if _, note, ok := entryAtPath(w.opts.Written, p); ok && note != nil && note.Flow {
		return inFlow
	}
	if v.Is(value.ListKind) {
		if _, marked := v.List().(listValue); marked {
			return inBlock // its items have a style of their own
		}
	}
	return nil
}

// asWritten returns the value at a path of the edited document with its comments and
// spelling, if it is equal to v, and its annotation.
func (w *walk) asWritten(p value.Path, v value.Value) (value.Value, *value.Annotation) {
	at, note, ok := entryAtPath(w.opts.Written, p)
	if !ok || !value.IsSame(at, v) {
		return v, nil
	}
	return at, w.withoutOld(note)
}

// withoutOld returns a note without the comments that the original has as well: they are
// next to the new value, but do not belong to it.
func (w *walk) withoutOld(note *value.Annotation) *value.Annotation {
	if note == nil || note.Head == "" && note.Foot == "" {
		return note
	}
	if w.comments == nil {
		w.comments = map[string]int{}
		countComments(w.opts.Written, 1, w.comments)
		countComments(w.orig.Written, -1, w.comments)
	}
	kept := *note
	kept.Head, kept.Foot = w.newLines(note.Head), w.newLines(note.Foot)
	return &kept
}

// newLines returns the lines of a comment that occur more often in the edited document
// than in the original.
func (w *walk) newLines(comment string) string {
	var kept []string
	for _, line := range strings.Split(comment, "\n") {
		if w.comments[line] > 0 || strings.TrimSpace(line) == "" {
			kept = append(kept, line)
		}
	}
	return strings.Trim(strings.Join(kept, "\n"), "\n")
}

// countComments adds n to the count of each line of the comments in a document.
func countComments(v value.Value, n int, lines map[string]int) {
	for i, item := range children(v) {
		if note := value.NoteAt(v, i); note != nil {
			for _, text := range []string{note.Head, note.Foot} {
				for _, line := range strings.Split(text, "\n") {
					lines[line] += n
				}
			}
		}
		countComments(item, n, lines)
	}
}

// children returns the values of a map or list.
func children(v value.Value) []value.Value {
	var all []value.Value
	switch {
	case v.Is(value.MapKind):
		for k := range v.Map().Keys() {
			item, _, _ := v.Map().Get(k)
			all = append(all, item)
		}
	case v.Is(value.ListKind):
		for item, err := range value.Items(v.List()) {
			if err == nil {
				all = append(all, item)
			}
		}
	}
	return all
}

// entryAtPath returns the value at a path and its annotation.
func entryAtPath(v value.Value, p value.Path) (value.Value, *value.Annotation, bool) {
	var note *value.Annotation
	for _, k := range p {
		i, next, ok := entryAt(v, k)
		if !ok {
			return v, nil, false
		}
		note = value.NoteAt(v, i)
		v = next
	}
	return v, note, true
}

// entryAt returns the index and the value of an entry or item.
func entryAt(v value.Value, k value.Key) (int, value.Value, bool) {
	item, err := some(v).get(k)
	if err != nil || !item.ok {
		return 0, v, false
	}
	if v.Is(value.ListKind) {
		i, _ := indexOf(k)
		return i, item.v, true
	}
	i := 0
	for other := range v.Map().Keys() {
		if other == k {
			break
		}
		i++
	}
	return i, item.v, true
}

// A transfer is an edit that removes or adds a value.
type transfer struct {
	edit  int // index in the plan
	value value.Value
}

// transferred appends the last edit, which removes or adds v, to w.gone or w.come.
func (w *walk) transferred(list *[]transfer, v value.Value) {
	if isCollection(v) {
		*list = append(*list, transfer{len(w.plan.Edits) - 1, v})
	}
}

// isCollection reports whether a value is a map or list that is not empty: specific enough
// to recognize it elsewhere.
func isCollection(v value.Value) bool {
	return v.Is(value.MapKind) && v.Map().Len() > 0 || v.Is(value.ListKind) && v.List().Len() > 0
}

// findMoves replaces a deletion and an addition of equal values with one move, if there is
// exactly one of each, so that the value keeps its text and directives.
func (w *walk) findMoves() {
	if w.opts.Plain {
		return
	}
	drop := map[int]bool{}
	for i, j := range onlyPairs(w.gone, w.come, func(t transfer) value.Value { return t.value }) {
		if j < 0 {
			continue
		}
		from, to := w.plan.Edits[w.gone[i].edit], &w.plan.Edits[w.come[j].edit]
		if passesList(from.Path) || passesList(to.Path) || to.Path.HasPrefix(from.Path) {
			continue
		}
		*to = roundtrip.Edit{Op: roundtrip.Move, Path: from.Path, To: to.Path, Place: to.Place}
		drop[w.gone[i].edit] = true
	}
	i := -1
	w.plan.Edits = slices.DeleteFunc(w.plan.Edits, func(roundtrip.Edit) bool { i++; return drop[i] })
}

// passesList reports whether a path leads through a list, whose indexes other edits
// change.
func passesList(p value.Path) bool {
	return slices.ContainsFunc(p, func(k value.Key) bool { return k.Kind == value.IntKind })
}
