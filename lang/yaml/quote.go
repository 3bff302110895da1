package yaml

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/value"
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
	escape(&b, s)
	b.WriteByte('"')
	return b.String()
}

// escape writes what stands in double quotes for a text.
func escape(b *strings.Builder, s string) {
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
			fmt.Fprintf(b, `\x%02x`, r)
		case r < 0x10000:
			fmt.Fprintf(b, `\u%04x`, r)
		default:
			fmt.Fprintf(b, `\U%08x`, r)
		}
	}
}

// longText is the size from which on a text is escaped piece by piece.
const longText = 64 << 10

// escapesLong reports whether a text is long and gets double quotes with escapes.
func escapesLong(v value.Value) bool {
	s := v.Str()
	return len(s) > longText && !isBinary(s, v.Source()) && !isPlain(s, v.Source(), false) && !quotable(s)
}

// quotedText writes a text in double quotes. It ends where the limit of the output is
// reached: escapes may take ten times as much as what they stand for.
func (o *output) quotedText(s string) {
	o.write(`"`)
	for s != "" && o.err == nil {
		n := min(len(s), longText)
		for n < len(s) && !utf8.RuneStart(s[n]) {
			n++
		}
		var b strings.Builder
		escape(&b, s[:n])
		o.write(b.String())
		s = s[n:]
	}
	o.write(`"`)
}
