package yaml

import (
	"strings"
	"unicode/utf8"
)

const byteOrderMark = "\uFEFF"

// afterMark returns the offset after the byte order mark of a text, 0 if it has none.
func afterMark(s string) int { return len(s) - len(strings.TrimPrefix(s, byteOrderMark)) }

// isSpace holds blanks and the bytes of ASCII line breaks.
var isSpace = [256]bool{' ': true, '\t': true, '\n': true, '\r': true}

// isCommonByte reports whether a byte is allowed everywhere: ASCII without control characters other than "\n"
// and "\t".
func isCommonByte(c byte) bool { return ' ' <= c && c < 0x7F || c == '\n' || c == '\t' }

// scanCharacters reports whether a text has only characters that YAML allows, and whether it
// has a carriage return that is a line break by itself.
func scanCharacters(s string) (valid, loneReturn bool) {
	for i := 0; i < len(s); i++ {
		for i+8 <= len(s) && allCommon(s[i:i+8]) {
			i += 8
		}
		if i == len(s) {
			break
		}
		switch c := s[i]; {
		case isCommonByte(c):
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRuneInString(s[i:])
			if !commonRune(r, n) {
				return false, loneReturn
			}
			i += n - 1
		case c != '\r':
			return false, loneReturn
		case i+1 >= len(s) || s[i+1] != '\n':
			loneReturn = true
		}
	}
	return true, loneReturn
}

// allCommon reports whether eight bytes are between " " and "~", or "\n".
func allCommon(s string) bool {
	const each, high, low = 0x0101010101010101, 0x8080808080808080, 0x7F7F7F7F7F7F7F7F
	x := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
	y := x ^ '\n'*each                    // 0 for a line break
	breaks := ^((y&low + low) | y) & high // the high bits of the line breaks
	x |= breaks >> 2                      // "\n" becomes "*"
	return (x|(x-' '*each)|(x+each))&high == 0
}

// replaceReturns writes "\n" for each carriage return that is a line break by itself.
func replaceReturns(s string) string {
	b := []byte(s)
	for i := range b {
		if b[i] == '\r' && (i+1 >= len(b) || b[i+1] != '\n') {
			b[i] = '\n'
		}
	}
	return string(b)
}

// commonRune reports whether a non-ASCII character of n bytes is valid and is not a
// control character.
func commonRune(r rune, n int) bool {
	return n > 1 && (r >= 0xA0 || r == 0x85) && r != 0xFFFE && r != 0xFFFF
}

func isFlowIndicator(c byte) bool {
	return c == ',' || c == '[' || c == ']' || c == '{' || c == '}'
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// isMarker reports whether a line begins with a document marker.
func isMarker(line string) bool {
	if len(line) < 3 || line[:3] != "---" && line[:3] != "..." {
		return false
	}
	return len(line) == 3 || isBlank(line[3]) || breakAt(line, 3) > 0
}

// breakAt returns the length of the line break at i, or 0. U+0085, U+2028 and U+2029 are none in
// YAML 1.2.
func breakAt(s string, i int) int {
	if i >= len(s) {
		return 0
	}
	switch s[i] {
	case '\n':
		return 1
	case '\r':
		if i+1 < len(s) && s[i+1] == '\n' {
			return 2
		}
		return 1
	}
	return 0
}

// spaceAt returns the length of the blank or line break at i, or 0.
func spaceAt(s string, i int) int {
	if isBlank(s[i]) {
		return 1
	}
	return breakAt(s, i)
}

// lineEnd returns the offset of the first line break from i on, or the length of the text.
func lineEnd(s string, i int) int {
	for i < len(s) && breakAt(s, i) == 0 {
		i++
	}
	return i
}

// endBefore returns the offset of the first "\n" from i on, or of the "\r" before it, or the length of the text.
func endBefore(s string, i int) int {
	n := strings.IndexByte(s[i:], '\n')
	if n < 0 {
		n = len(s) - i
	}
	if n > 0 && s[i+n-1] == '\r' {
		n--
	}
	return i + n
}

// skipBlanks returns the offset of the first byte from i on that is not a blank, or the
// length of the text.
func skipBlanks(s string, i int) int {
	for i < len(s) && isBlank(s[i]) {
		i++
	}
	return i
}

// isNameByte holds letters, digits, "-" and "_".
var isNameByte = [256]bool{
	'A': true, 'B': true, 'C': true, 'D': true, 'E': true, 'F': true, 'G': true, 'H': true, 'I': true, 'J': true, 'K': true, 'L': true, 'M': true,
	'N': true, 'O': true, 'P': true, 'Q': true, 'R': true, 'S': true, 'T': true, 'U': true, 'V': true, 'W': true, 'X': true, 'Y': true, 'Z': true,
	'a': true, 'b': true, 'c': true, 'd': true, 'e': true, 'f': true, 'g': true, 'h': true, 'i': true, 'j': true, 'k': true, 'l': true, 'm': true,
	'n': true, 'o': true, 'p': true, 'q': true, 'r': true, 's': true, 't': true, 'u': true, 'v': true, 'w': true, 'x': true, 'y': true, 'z': true,
	'0': true, '1': true, '2': true, '3': true, '4': true, '5': true, '6': true, '7': true, '8': true, '9': true, '-': true, '_': true,
}

// nameLength returns the number of leading bytes of s that are name bytes.
func nameLength(s string) int {
	n := 0
	for n < len(s) && isNameByte[s[n]] {
		n++
	}
	return n
}

// anchorEnd returns the end of the name of an anchor or alias that begins at i: a blank, a
// line break or a flow indicator (YAML 1.2, production 102). A colon at the end is not a
// part of the name, since it makes the alias a key, as in "*a: b".
func anchorEnd(src string, i int) int {
	end := i
	for end < len(src) && spaceAt(src, end) == 0 && !isFlowIndicator(src[end]) {
		end++
	}
	if end > i && src[end-1] == ':' {
		end--
	}
	return end
}

// isAnchorName reports whether a name of an anchor is not empty and has only characters
// that YAML allows.
func isAnchorName(name string) bool {
	for i, r := range name {
		if r < ' ' || r >= 0x7F && !commonRune(r, utf8.RuneLen(r)) || r == utf8.RuneError && !strings.HasPrefix(name[i:], "\uFFFD") {
			return false
		}
	}
	return name != ""
}

// A templateFinder finds the unquoted templates of a text: {{ x }} and {% x %}.
type templateFinder struct {
	src  string
	off  bool // templates are off: there are none
	none int  // no template begins before this offset
}

// end returns the end of the template that begins at i, or 0 if there is none. A
// template ends on the line where it begins.
func (t *templateFinder) end(i int) int {
	src := t.src
	if t.off || i < t.none || i+1 >= len(src) || src[i] != '{' || src[i+1] != '{' && src[i+1] != '%' {
		return 0
	}
	closer, depth := byte('}'), 0
	if src[i+1] == '%' {
		closer = '%'
	}
	for i += 2; i < len(src) && breakAt(src, i) == 0; i++ {
		switch c := src[i]; {
		case c == '"' || c == '\'':
			n := stringLength(src[i:])
			if n == 0 {
				t.none = i
				return 0
			}
			i += n - 1
		case c == '{' && closer == '}':
			depth++
		case c == closer && depth == 0:
			if i+1 < len(src) && src[i+1] == '}' {
				return i + 2
			}
		case c == '}' && depth > 0:
			depth--
		}
	}
	t.none = i
	return 0
}

// stringLength returns the length of the string literal at the beginning of s, or 0 if
// there is no closing quote on the line.
func stringLength(s string) int {
	for i := 1; i < len(s) && s[i] != '\n' && s[i] != '\r'; i++ {
		if s[i] == '\\' {
			i++
		} else if s[i] == s[0] {
			return i + 1
		}
	}
	return 0
}
