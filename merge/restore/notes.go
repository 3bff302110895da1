package restore

import (
	"strings"

	"github.com/yaytpl/yaytpl/value"
)

// inFlow is what is said about values that are written on one line.
var inFlow = &value.Annotation{Flow: true}

// style returns what is to be said about a value that is written over others: it stands on
// one line if it does so in the edited document. The comments there are those of the others.
func (w *walk) style(p value.Path, v value.Value) *value.Annotation {
	if isMarker(v) {
		return inFlow
	}
	if _, note, ok := entryAtPath(w.opts.Written, p); ok && note != nil && note.Flow {
		return inFlow
	}
	return nil
}

// asWritten returns what stands at a path of the edited document with the comments and
// the spelling that it has there, if that is v; and what is said about it.
func (w *walk) asWritten(p value.Path, v value.Value) (value.Value, *value.Annotation) {
	at, note, ok := entryAtPath(w.opts.Written, p)
	if !ok {
		return v, nil
	}
	if eq, err := value.Same(at, v); !eq || err != nil {
		return v, nil
	}
	return at, w.withoutOld(note)
}

// withoutOld returns a note without the comments around a value that were there before:
// they stand around what is new, and do not belong to it.
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

// newLines returns the lines of a comment of which the edited document has more than the
// original.
func (w *walk) newLines(comment string) string {
	var kept []string
	for _, line := range strings.Split(comment, "\n") {
		if w.comments[line] > 0 || strings.TrimSpace(line) == "" {
			kept = append(kept, line)
		}
	}
	return strings.Trim(strings.Join(kept, "\n"), "\n")
}

// countComments adds n to the number of each line of the comments in a document.
func countComments(v value.Value, n int, lines map[string]int) {
	for i, item := range children(v) {
		if note := annotationAt(v, i); note != nil {
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

// entryAtPath returns what stands at a path with what is said about it.
func entryAtPath(v value.Value, p value.Path) (value.Value, *value.Annotation, bool) {
	var note *value.Annotation
	for _, k := range p {
		i, next, ok := entryAt(v, k)
		if !ok {
			return v, nil, false
		}
		note = annotationAt(v, i)
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

func annotationAt(v value.Value, i int) *value.Annotation {
	var in any = v.List()
	if v.Is(value.MapKind) {
		in = v.Map()
	}
	if a, ok := in.(value.Annotated); ok {
		return a.AnnotationAt(i)
	}
	return nil
}
