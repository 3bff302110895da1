package restore

import (
	"github.com/yaytpl/yaytpl/value"
)

// inFlow is what is said about values that are written on one line.
var inFlow = &value.Annotation{Flow: true}

// noteFor returns what is to be said about a value that is written over others.
func noteFor(v value.Value) *value.Annotation {
	if isMarker(v) {
		return inFlow
	}
	return nil
}

// isMarker reports whether a value is {+%: ...} and nothing else.
func isMarker(v value.Value) bool {
	if !v.Is(value.MapKind) || v.Map().Len() != 1 {
		return false
	}
	_, ok, _ := v.Map().Get(value.K("+%"))
	return ok
}

// An overrides is a map of overrides. Its markers are written on one line.
type overrides struct{ *value.Dict }

// AnnotationAt implements [value.Annotated].
func (m overrides) AnnotationAt(i int) *value.Annotation {
	for k := range m.Keys() {
		if i == 0 {
			v, _, _ := m.Get(k)
			return noteFor(v)
		}
		i--
	}
	return nil
}

// asWritten returns what stands at a path of the edited document with the comments and
// the spelling that it has there, if that is v; and what is said about it.
func (w *walk) asWritten(p value.Path, v value.Value) (value.Value, *value.Annotation) {
	var note *value.Annotation
	at := w.opts.Written
	for _, k := range p {
		i, next, ok := entryAt(at, k)
		if !ok {
			return v, nil
		}
		note = annotationAt(at, i)
		at = next
	}
	if eq, err := same(at, v); !eq || err != nil {
		return v, nil
	}
	return at, note
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
