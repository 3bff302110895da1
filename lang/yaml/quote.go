package yaml

import (
	"fmt"
	"strings"
)

// quote writes a text in quotes: double ones, single ones where they save escapes.
func quote(s string) string {
	if strings.ContainsAny(s, `"\`) && quotable(s) {
		return singleQuote(s)
	}
	return doubleQuote(s)
}

// singleQuote writes a text in single quotes, which have no escapes: see quotable.
func singleQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// quotable reports whether a text can stand in quotes without escapes.
func quotable(s string) bool {
	for _, r := range s {
		if !plainRune(r) {
			return false
		}
	}
	return true
}

// doubleQuote writes a text in double quotes, with escapes where it needs them.
func doubleQuote(s string) string {
	if quotable(s) && !strings.ContainsAny(s, `"\`) {
		return `"` + s + `"`
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case plainRune(r):
			b.WriteRune(r)
		case r < 0x100:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
