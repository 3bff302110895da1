package value

import (
	"math/big"
	"strconv"
	"strings"
)

// ParseBigInt reads a decimal integer of any size. Text that is none gives null.
func ParseBigInt(s string) Value {
	b, ok := new(big.Int).SetString(s, 10)
	if !ok {
		return Null
	}
	return BigInt(b)
}

// A Path leads from the root of a document to a place in it. List indexes are
// integer keys.
type Path []Key

// Index returns the key of a list item.
func Index(i int) Key { return Key{strconv.Itoa(i), IntKind} }

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
