package yaml

import (
	"encoding/base64"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/value"
)

// ScalarText returns a scalar in a style of one line: plain or quoted. It returns false if
// the style cannot represent the scalar: "5" has no plain form, since it would be read as a
// number, and the number 5 has no quoted one. Tags are omitted; for bytes it returns the
// base64 text after "!!binary".
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

// isPlain reports whether a string is written without quotes: all readers take it for the
// same text, or it is plain in the source. src is nil for a computed string.
func isPlain(s string, src *value.Scalar, flow bool) bool {
	kept := src != nil && src.Plain && keepsPlain(s, src.Tag)
	return (kept || safePlain(s)) && (!flow || flowPlain(s))
}

// isBinary reports whether a string is written as !!binary: it is not UTF-8, or it is
// !!binary in the source. Readers with a type for bytes would get another type otherwise.
func isBinary(s string, src *value.Scalar) bool {
	return src != nil && src.Tag == "!!binary" || !utf8.ValidString(s)
}

func base64Text(s string) string {
	return `"` + base64.StdEncoding.EncodeToString([]byte(s)) + `"`
}

// safePlain reports whether YAML 1.1 and 1.2 both read a text without quotes as that text.
func safePlain(s string) bool { return isWord(s) || plainSyntax(s) && !ambiguous(s) }

// isWord is a fast test for most safe texts: a letter, then ASCII characters without a meaning in block style. It
// returns false for short words that begin like yes, no, on, off, true, false or null, which may be safe or not.
func isWord(s string) bool {
	if s == "" || !isLetter(s[0]) || len(s) <= len("false") && beginsKeyword[s[0]] {
		return false
	}
	for i := 1; i < len(s); i++ {
		switch wordBytes[s[i]] {
		case neverInWord:
			return false
		case blankInWord:
			if i+1 == len(s) || s[i+1] == '#' {
				return false
			}
		case colonInWord:
			if i+1 == len(s) || s[i+1] == ' ' {
				return false
			}
		case braceInWord:
			if i+1 < len(s) && (s[i+1] == '{' || s[i+1] == '%') {
				return false
			}
		}
	}
	return true
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

var beginsKeyword = [256]bool{
	'y': true, 'n': true, 'o': true, 't': true, 'f': true, 'Y': true, 'N': true, 'O': true, 'T': true, 'F': true,
}

// The kinds of bytes after the first one of a word.
const (
	neverInWord uint8 = iota
	alwaysInWord
	blankInWord // unless it is the last byte, or a "#" follows
	colonInWord // unless it is the last byte, or a blank follows
	braceInWord // unless it begins a template
)

var wordBytes = [256]uint8{
	' ': blankInWord, ':': colonInWord, '{': braceInWord,
	'!': alwaysInWord, '"': alwaysInWord, '#': alwaysInWord, '$': alwaysInWord, '%': alwaysInWord, '&': alwaysInWord, '\'': alwaysInWord, '(': alwaysInWord,
	')': alwaysInWord, '*': alwaysInWord, '+': alwaysInWord, ',': alwaysInWord, '-': alwaysInWord, '.': alwaysInWord, '/': alwaysInWord, '0': alwaysInWord,
	'1': alwaysInWord, '2': alwaysInWord, '3': alwaysInWord, '4': alwaysInWord, '5': alwaysInWord, '6': alwaysInWord, '7': alwaysInWord, '8': alwaysInWord,
	'9': alwaysInWord, ';': alwaysInWord, '<': alwaysInWord, '=': alwaysInWord, '>': alwaysInWord, '?': alwaysInWord, '@': alwaysInWord, 'A': alwaysInWord,
	'B': alwaysInWord, 'C': alwaysInWord, 'D': alwaysInWord, 'E': alwaysInWord, 'F': alwaysInWord, 'G': alwaysInWord, 'H': alwaysInWord, 'I': alwaysInWord,
	'J': alwaysInWord, 'K': alwaysInWord, 'L': alwaysInWord, 'M': alwaysInWord, 'N': alwaysInWord, 'O': alwaysInWord, 'P': alwaysInWord, 'Q': alwaysInWord,
	'R': alwaysInWord, 'S': alwaysInWord, 'T': alwaysInWord, 'U': alwaysInWord, 'V': alwaysInWord, 'W': alwaysInWord, 'X': alwaysInWord, 'Y': alwaysInWord,
	'Z': alwaysInWord, '[': alwaysInWord, '\\': alwaysInWord, ']': alwaysInWord, '^': alwaysInWord, '_': alwaysInWord, '`': alwaysInWord, 'a': alwaysInWord,
	'b': alwaysInWord, 'c': alwaysInWord, 'd': alwaysInWord, 'e': alwaysInWord, 'f': alwaysInWord, 'g': alwaysInWord, 'h': alwaysInWord, 'i': alwaysInWord,
	'j': alwaysInWord, 'k': alwaysInWord, 'l': alwaysInWord, 'm': alwaysInWord, 'n': alwaysInWord, 'o': alwaysInWord, 'p': alwaysInWord, 'q': alwaysInWord,
	'r': alwaysInWord, 's': alwaysInWord, 't': alwaysInWord, 'u': alwaysInWord, 'v': alwaysInWord, 'w': alwaysInWord, 'x': alwaysInWord, 'y': alwaysInWord,
	'z': alwaysInWord, '|': alwaysInWord, '}': alwaysInWord, '~': alwaysInWord,
}

// plainSyntax reports whether a text can be a plain scalar in block style.
func plainSyntax(s string) bool {
	if s == "" || !plainStart(s) || isBlank(s[len(s)-1]) || s[len(s)-1] == ':' || isMarker(s) || opensTemplate(s) {
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

// opensTemplate reports whether a template begins in a text and does not end in it. What follows the text on its
// line, the colon of a key or a comment, would be a part of the template:
//
//	a {{: 1 # }}
func opensTemplate(s string) bool {
	t := templateFinder{src: s}
	for i := 0; ; {
		brace := strings.IndexByte(s[i:], '{')
		if brace < 0 || i+brace+1 == len(s) {
			return false
		}
		i += brace
		if c := s[i+1]; c != '{' && c != '%' {
			i++
		} else if i = t.end(i); i == 0 {
			return true
		}
	}
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

// plainUnicode reports whether all characters are allowed in a plain scalar.
func plainUnicode(s string) bool {
	for i, r := range s {
		if !plainRune(r) || r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD") {
			return false
		}
	}
	return true
}

// plainRune reports whether a character is printable and is neither a line break nor a
// blank other than " ".
func plainRune(r rune) bool {
	return r == ' ' || unicode.IsGraphic(r) && !unicode.IsSpace(r) || unicode.In(r, unicode.Cf, unicode.Co) && r != 0xFEFF
}

// flowPlain reports whether a text that can be plain in block style can be plain in flow
// style too.
func flowPlain(s string) bool {
	return !strings.ContainsAny(s, ",[]{}?") && s[0] != ':' && s != "-"
}

// ambiguous reports whether YAML 1.1 or 1.2 reads a plain scalar as something other than
// text.
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

// numberLike reports whether YAML 1.1 or 1.2 reads a plain scalar as a number or a date.
func numberLike(s string) bool {
	if _, ok := resolve(s); ok || dateLike(s) {
		return true
	}
	s = unsigned(s)
	if s == "" || !maybeNumber(s) {
		return false
	}
	if s = strings.ToLower(s); s == ".inf" || s == ".nan" {
		return true
	}
	if digits, base := value.CutBase(s); base != 10 {
		return onlyOf(digits, "0123456789abcdef_")
	}
	whole := strings.TrimLeft(s, "0123456789_")
	if whole == s && s[0] != '.' || s[0] == '_' {
		return false
	}
	return whole == "" || sexagesimal(whole) || looseFloat(whole)
}

// onlyOf reports whether s has only characters of a set.
func onlyOf(s, set string) bool { return strings.Trim(s, set) == "" }

// sexagesimal matches the text after the first digits of 1:30 or 190:20:30.15.
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

// dateLike matches 2024-01-02, with or without a time after it.
func dateLike(s string) bool {
	if len(s) < len("2024-1-2") || s[4] != '-' || !allDigits(s[:4]) {
		return false
	}
	day, _, _ := strings.Cut(strings.ReplaceAll(strings.ToLower(s[5:]), "t", " "), " ")
	month, day, ok := strings.Cut(day, "-")
	return ok && allDigits(month) && allDigits(day) && len(month) <= 2 && len(day) <= 2
}

// keepsPlain reports whether a text that is plain in the source is read as the same text
// if it is written so again.
func keepsPlain(s, tag string) bool {
	if !plainSyntax(s) {
		return false
	}
	_, other := resolve(s)
	return tag != "" || !other && s != "<<"
}

// singleQuote returns a text in single quotes, which have no escapes: see quotable.
func singleQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// quotable reports whether a text needs no escapes in quotes, except for quotes and
// backslashes.
func quotable(s string) bool {
	for _, r := range s {
		if !plainRune(r) {
			return false
		}
	}
	return true
}

// doubleQuote returns a text in double quotes, with escapes where needed.
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

// escape writes a text with the escapes of double quotes.
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

// longText is the size in bytes above which a text is escaped in pieces.
const longText = 64 << 10

// quotedText writes a text in double quotes, in pieces. It stops at the limit of the
// output: an escape may be ten times as long as its character.
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

// A BlockText has the lines of a literal or folded scalar, without their indentation.
type BlockText struct {
	Lines  []string
	Breaks int  // line breaks at the end of the text: 0 is "-", more than 1 is "+"
	Blank  bool // the first line begins with a blank: the header needs an indentation
}

// BlockTextOf returns a text as a literal or folded scalar. It returns false if the style
// cannot represent the text. Folded lines of more than width characters are broken; 0 is no
// limit.
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

// blockLinesFit reports whether lines can be written in a block scalar, which has no
// escapes: there is no line of blanks only and no character that needs an escape.
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

// foldLines returns the lines that fold to the given ones: between two lines of text it
// adds an empty line, since a single line break folds to a blank. Lines that begin with a
// blank are never folded, so it returns false for them.
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

// breakBefore returns the offset of the last single blank within the width, or else of the
// first one after it. It returns -1 if there is none, or if the line is short enough.
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
