package yaml

import (
	"encoding/base64"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/value"
)

// ScalarText returns a scalar as it is written on one line in a style that needs no
// lines of its own, and false if the style cannot hold it: text that readers would
// take for something else has no plain form, only text has quotes. The tag is left
// out; of bytes the base64 is returned that stands behind "!!binary".
func ScalarText(v value.Value, style Style, flow bool) (text string, ok bool) {
	s, src := v.Str(), v.Source()
	switch {
	case !v.IsScalar():
		return "", false
	case !v.Is(value.StringKind):
		return spelling(v), style == Plain
	case isBinary(s, src):
		return base64Text(s), style == DoubleQuoted
	}
	switch style {
	case Plain:
		return s, isPlain(s, src, flow)
	case SingleQuoted:
		return singleQuote(s), quotable(s)
	case DoubleQuoted:
		return doubleQuote(s), true
	}
	return "", false
}

// stringText returns a string on one line, in the best style for it.
func stringText(v value.Value, flow bool) string {
	s, src := v.Str(), v.Source()
	switch {
	case isBinary(s, src):
		return "!!binary " + base64Text(s)
	case isPlain(s, src, flow):
		return s
	case strings.ContainsAny(s, `"\`) && quotable(s): // single quotes save escapes
		return singleQuote(s)
	}
	return doubleQuote(s)
}

// isPlain reports whether a string is written without quotes: every reader takes it for
// that text then, or the source wrote it so. Of a computed one src is nil.
func isPlain(s string, src *value.Scalar, flow bool) bool {
	kept := src != nil && src.Plain && keepsPlain(s, src.Tag)
	return (kept || safePlain(s)) && (!flow || flowPlain(s))
}

// isBinary reports whether a string is bytes: it is no text, or the source gives it as
// !!binary. It stays that, or readers that have a type for bytes would get another one.
func isBinary(s string, src *value.Scalar) bool {
	return src != nil && src.Tag == "!!binary" || !utf8.ValidString(s)
}

func base64Text(s string) string {
	return `"` + base64.StdEncoding.EncodeToString([]byte(s)) + `"`
}

// safePlain reports whether a text can be written without quotes and is read as
// that text by YAML 1.1 and 1.2 alike.
func safePlain(s string) bool { return isWord(s) || plainSyntax(s) && !ambiguous(s) }

// isWord matches most of what is safe, fast: a letter and more letters, digits and
// signs that mean nothing. Short words that begin like yes, no, on, off, true, false or
// null need a closer look.
func isWord(s string) bool {
	if s == "" || s[0]|0x20 < 'a' || s[0]|0x20 > 'z' || len(s) <= len("false") && strings.IndexByte("ynotf", s[0]|0x20) >= 0 {
		return false
	}
	for i := range len(s) {
		if c := s[i]; !isNameByte[c] && c != '.' && c != '/' {
			return false
		}
	}
	return true
}

// plainSyntax reports whether a text can stand without quotes in block style.
func plainSyntax(s string) bool {
	if s == "" || !plainStart(s) || isBlank(s[len(s)-1]) || s[len(s)-1] == ':' || isMarker(s) {
		return false
	}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c >= utf8.RuneSelf:
			return plainUnicode(s[i:]) && !strings.Contains(s[i:], ": ") && !strings.Contains(s[i:], " #")
		case c < ' ' || c == 0x7F:
			return false
		case c == ':' && s[i+1] == ' ', c == '#' && s[i-1] == ' ':
			return false
		}
	}
	return true
}

// plainStart reports whether a plain scalar may begin as s does.
func plainStart(s string) bool {
	switch c := s[0]; c {
	case '-', '?', ':':
		return len(s) > 1 && s[1] != ' ' && s[1] != '\t'
	case ' ', '\t':
		return false
	default:
		return strings.IndexByte(",[]{}#&*!|>'\"%@`", c) < 0
	}
}

// plainUnicode reports whether all characters may stand in a plain scalar.
func plainUnicode(s string) bool {
	for i, r := range s {
		if !plainRune(r) || r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD") {
			return false
		}
	}
	return true
}

// plainRune leaves out what is not printable or looks like a line break or blank.
func plainRune(r rune) bool {
	return r == ' ' || unicode.IsGraphic(r) && !unicode.IsSpace(r) || unicode.In(r, unicode.Cf, unicode.Co) && r != 0xFEFF
}

// flowPlain reports whether a text that is plain in block style is so in flow
// style too.
func flowPlain(s string) bool {
	return !strings.ContainsAny(s, ",[]{}?") && s[0] != ':' && s != "-"
}

// ambiguous reports whether YAML 1.1 or 1.2 takes a plain scalar for something
// other than text.
func ambiguous(s string) bool {
	switch c := s[0]; {
	case c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.':
		return numberLike(s)
	case len(s) > len("false") || strings.IndexByte("ynotf~=<", c|0x20) < 0:
		return false
	}
	switch strings.ToLower(s) {
	case "y", "n", "yes", "no", "on", "off", "true", "false", "null", "~", "=", "<<":
		return true
	}
	return false
}

func numberLike(s string) bool {
	if _, ok := resolve(s); ok || dateLike(s) {
		return true
	}
	s = strings.ToLower(unsigned(s))
	switch {
	case s == "":
		return false
	case s == ".inf" || s == ".nan":
		return true
	}
	if digits, base := cutBase(s); base != 10 {
		return onlyOf(digits, "0123456789abcdef_")
	}
	whole := strings.TrimLeft(s, "0123456789_")
	if whole == s && s[0] != '.' || s[0] == '_' {
		return false
	}
	return whole == "" || sexagesimal(whole) || looseFloat(whole)
}

func onlyOf(s, set string) bool { return strings.Trim(s, set) == "" }

// sexagesimal matches what follows the first digits of 1:30 or 190:20:30.15.
func sexagesimal(s string) bool {
	if s[0] != ':' {
		return false
	}
	s, fraction, _ := strings.Cut(s[1:], ".")
	for part := range strings.SplitSeq(s, ":") {
		if !allDigits(part) || len(part) > 2 {
			return false
		}
	}
	return onlyOf(fraction, "0123456789_")
}

// looseFloat matches the fraction and exponent of YAML 1.1, with underscores.
func looseFloat(s string) bool {
	mantissa, exponent, ok := strings.Cut(s, "e")
	if ok && !allDigits(strings.TrimLeft(exponent, "+-")) {
		return false
	}
	return mantissa == "" && ok || mantissa != "" && mantissa[0] == '.' && onlyOf(mantissa[1:], "0123456789_")
}

// dateLike matches 2024-01-02 and what begins with it and goes on with a time.
func dateLike(s string) bool {
	if len(s) < len("2024-1-2") || s[4] != '-' || !allDigits(s[:4]) {
		return false
	}
	day, _, _ := strings.Cut(strings.ReplaceAll(strings.ToLower(s[5:]), "t", " "), " ")
	month, day, ok := strings.Cut(day, "-")
	return ok && allDigits(month) && allDigits(day) && len(month) <= 2 && len(day) <= 2
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

// A BlockText is a text as the lines of a literal or folded scalar, without their
// indentation.
type BlockText struct {
	Lines  []string
	Breaks int  // line breaks at the end of the text: 0 is "-", more than 1 is "+"
	Blank  bool // the first line begins with a blank: the header needs an indentation
}

// BlockTextOf returns a text as a literal or folded scalar, and false if the style
// cannot hold it. Folded lines are broken where they get longer than width
// characters; 0 leaves them as they are.
func BlockTextOf(s string, style Style, width int) (b BlockText, ok bool) {
	body := strings.TrimRight(s, "\n")
	if body == "" || !blockLinesFit(body) {
		return b, false
	}
	b = BlockText{Lines: strings.Split(body, "\n"), Breaks: len(s) - len(body), Blank: isBlank(strings.TrimLeft(s, "\n")[0])}
	switch style {
	case Literal:
		return b, true
	case Folded:
		b.Lines, ok = foldLines(b.Lines, width)
		return b, ok
	}
	return b, false
}

// blockLinesFit reports whether lines can be written without escapes: none of
// blanks only, no character that needs one.
func blockLinesFit(body string) bool {
	if !utf8.ValidString(body) {
		return false
	}
	for line := range strings.SplitSeq(body, "\n") {
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

// foldLines returns the lines that fold to the given ones. Lines that begin with a
// blank are not folded, and so have no place here.
func foldLines(lines []string, width int) ([]string, bool) {
	var folded []string
	seen := false // a line with text
	for _, line := range lines {
		switch {
		case line == "":
			folded = append(folded, "")
			continue
		case isBlank(line[0]):
			return nil, false
		case seen: // a single break would become a blank
			folded = append(folded, "")
		}
		seen = true
		for width > 0 {
			at := breakBefore(line, width)
			if at < 0 {
				break
			}
			folded = append(folded, line[:at])
			line = line[at+1:]
		}
		folded = append(folded, line)
	}
	return folded, true
}

// breakBefore returns the offset of the last single blank within the width, or of
// the first behind it, or -1 if the line is not longer or has none.
func breakBefore(line string, width int) int {
	at, count := -1, 0
	for i := range line {
		if count++; count > width+1 && at >= 0 {
			return at
		}
		single := line[i] == ' ' && i > 0 && i+1 < len(line) && !isBlank(line[i-1]) && !isBlank(line[i+1])
		if single {
			at = i
		}
	}
	if count <= width {
		return -1
	}
	return at
}
