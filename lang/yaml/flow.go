package yaml

import (
	"strings"

	"github.com/yaytpl/yaytpl/value"
)

// flowWidth is up to where a line in flow style goes.
const flowWidth = 80

// flowText returns a list or map in flow style, or "" if the source did not have
// it so or it does not fit on the line any more.
func (e *encoder) flowText(a value.Annotation, v value.Value, col int) string {
	if !a.Flow || e.err != nil || isEmpty(v) {
		return ""
	}
	f := &flowWriter{encoder: e, room: flowWidth - min(col, flowWidth/2)}
	f.value(v)
	if f.gaveUp || f.b.Len() > f.room {
		return ""
	}
	return f.b.String()
}

// A flowWriter writes one line of flow style, and gives up where it gets too long
// or something does not belong into it: a comment, a failing value.
type flowWriter struct {
	*encoder
	b      strings.Builder
	room   int
	depth  int
	gaveUp bool
}

// maxFlowDepth is how deep flow style is nested.
const maxFlowDepth = 8

func (f *flowWriter) value(v value.Value) {
	v = f.shown(v)
	switch {
	case f.gaveUp || f.b.Len() > f.room || f.depth > maxFlowDepth:
		f.gaveUp = true
	case v.Is(value.MapKind):
		f.mapping(v.Map())
	case v.Is(value.ListKind):
		f.list(v.List())
	case v.IsScalar():
		f.scalar(v)
	default:
		f.gaveUp = true
	}
}

func (f *flowWriter) scalar(v value.Value) {
	if s := v.Source(); s != nil && s.Tag != "" && s.Tag != "!!binary" && !f.DropTags {
		if f.b.WriteString(s.Tag + " "); tagOnly(v) {
			return
		}
	}
	if !v.Is(value.StringKind) {
		f.b.WriteString(spelling(v))
		return
	}
	if strings.Contains(v.Str(), "\n") || len(v.Str()) > f.room {
		f.gaveUp = true
		return
	}
	f.b.WriteString(stringText(v, true))
}

// plainEnough reports whether an item's annotation leaves flow style possible.
func (f *flowWriter) plainEnough(a value.Annotation) bool {
	comments := a.Head != "" || a.Line != "" || a.Foot != ""
	return a.Tag == "" && (!comments || f.NoComments)
}

func (f *flowWriter) list(l value.List) {
	if f.tooMany(l.Len(), len("x, ")) {
		return
	}
	f.depth++
	f.b.WriteByte('[')
	for i := range l.Len() {
		v, err := l.At(i)
		if f.gaveUp = f.gaveUp || err != nil || !f.plainEnough(annotationOf(l, i)); f.gaveUp {
			return
		}
		if i > 0 {
			f.b.WriteString(", ")
		}
		f.value(v)
	}
	f.b.WriteByte(']')
	f.depth--
}

// tooMany gives up if n parts of at least size bytes cannot fit on the line: most
// long lists need not be written to see that.
func (f *flowWriter) tooMany(n, size int) bool {
	f.gaveUp = f.gaveUp || n*size > f.room-f.b.Len()+size
	return f.gaveUp
}

func (f *flowWriter) mapping(m value.Map) {
	if f.tooMany(m.Len(), len("k: v, ")) {
		return
	}
	f.depth++
	f.b.WriteByte('{')
	i, written := -1, false
	for k := range m.Keys() {
		i++
		a := annotationOf(m, i)
		v, ok, err := m.Get(k)
		if f.gaveUp = f.gaveUp || err != nil || !f.plainEnough(a); f.gaveUp {
			return
		}
		if !ok {
			continue
		}
		if written {
			f.b.WriteString(", ")
		}
		written = true
		f.b.WriteString(keyText(k, a.KeySpelling, true) + ": ")
		f.value(v)
	}
	f.b.WriteByte('}')
	f.depth--
}
