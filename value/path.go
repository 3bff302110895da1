package value

import (
	"strconv"
	"strings"
)

// A Path leads from the root of a document to a place in it. List indexes are
// integer keys.
type Path []Key

// String writes the path as the command line takes it: a.b[0]."x.y". The root
// is ".".
func (p Path) String() string {
	if len(p) == 0 {
		return "."
	}
	var b strings.Builder
	for i, k := range p {
		switch {
		case k.Kind == IntKind:
			b.WriteString("[" + k.Text + "]")
			continue
		case i > 0:
			b.WriteByte('.')
		}
		if k.Kind == StringKind && plainPathKey(k.Text) {
			b.WriteString(k.Text)
		} else {
			b.WriteString(strconv.Quote(k.Text))
		}
	}
	return b.String()
}

func plainPathKey(s string) bool {
	return s != "" && !strings.ContainsAny(s, ".[]\"'\\ ")
}

// Pointer writes the path as a JSON pointer (RFC 6901).
func (p Path) Pointer() string {
	var b strings.Builder
	for _, k := range p {
		b.WriteByte('/')
		b.WriteString(strings.ReplaceAll(strings.ReplaceAll(k.Text, "~", "~0"), "/", "~1"))
	}
	return b.String()
}
