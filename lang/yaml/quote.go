package yaml

import (
	"encoding/base64"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/value"
)

// stringText returns a string on one line: plain if every reader takes it for that
// text or the source wrote it so, else quoted.
func stringText(v value.Value, flow bool) string {
	s := v.Str()
	if !utf8.ValidString(s) || isBinary(v) {
		return `!!binary "` + base64.StdEncoding.EncodeToString([]byte(s)) + `"`
	}
	if src := v.Source(); src != nil && src.Plain && keepsPlain(s, src.Tag) && (!flow || flowPlain(s)) {
		return s
	}
	if safePlain(s) && (!flow || flowPlain(s)) {
		return s
	}
	return quote(s)
}

// isBinary reports whether the source gives a text as !!binary. It stays that, or
// readers that have a type for bytes would get another one.
func isBinary(v value.Value) bool {
	s := v.Source()
	return s != nil && s.Tag == "!!binary"
}

// keepsPlain reports whether a text that the source wrote plain is read back as
// the same text.
func keepsPlain(s, tag string) bool {
	if !plainSyntax(s) {
		return false
	}
	_, other := resolve(s)
	return tag != "" || !other && s != "<<"
}

// quote writes a text in quotes: double ones, single ones where they save escapes.
func quote(s string) string {
	if !quotable(s) {
		return doubleQuote(s)
	}
	if !strings.ContainsAny(s, `"\`) {
		return `"` + s + `"`
	}
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}

// quotable reports whether a text can stand in quotes without escapes.
func quotable(s string) bool {
	for _, r := range s {
		if !plainRune(r) {
			return false
		}
	}
	return true
}

// doubleQuote writes a text in double quotes with escapes.
func doubleQuote(s string) string {
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

// literalFits reports whether a text of several lines can be written as a literal
// block: no line of blanks only, nothing that needs an escape.
func literalFits(s string) bool {
	if !strings.Contains(s, "\n") || strings.Trim(s, "\n") == "" || !utf8.ValidString(s) {
		return false
	}
	for line := range strings.SplitSeq(s, "\n") {
		if line != "" && strings.TrimLeft(line, " \t") == "" {
			return false
		}
		for _, r := range line {
			if r != '\t' && !plainRune(r) {
				return false
			}
		}
	}
	return true
}

// startsBlank reports whether the first line with text begins with a blank, so
// that a literal block needs an indentation indicator.
func startsBlank(s string) bool {
	s = strings.TrimLeft(s, "\n")
	return s != "" && isBlank(s[0])
}

// literal writes a literal block that belongs to something at column col.
func (e *encoder) literal(s string, col int, comment string) {
	header := "|"
	if startsBlank(s) {
		header += "2"
	}
	body := strings.TrimRight(s, "\n")
	switch len(s) - len(body) {
	case 0:
		header += "-"
	case 1:
	default:
		header += "+"
	}
	e.write(header + comment)
	for line := range strings.SplitSeq(body, "\n") {
		e.write("\n")
		if line != "" {
			e.indent(max(col, 0) + 2)
			e.write(line)
		}
	}
	for range max(len(s)-len(body)-1, 0) {
		e.write("\n")
	}
}
