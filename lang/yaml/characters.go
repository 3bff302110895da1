package yaml

import (
	"strings"
	"unicode/utf8"
)

const byteOrderMark = "\uFEFF"

// behindMark returns the offset behind the byte order mark of a text, 0 if it has none.
func behindMark(s string) int { return len(s) - len(strings.TrimPrefix(s, byteOrderMark)) }

// isSpace holds blanks and the bytes that line breaks are made of.
var isSpace = [256]bool{' ': true, '\t': true, '\n': true, '\r': true}

// isCommonByte holds the bytes that need no look: ASCII but for control characters.
var isCommonByte = func() (set [256]bool) {
	for c := ' '; c < 0x7F; c++ {
		set[c] = true
	}
	set['\n'], set['\t'] = true, true
	return set
}()

// commonCharacters reports whether a text holds nothing but the characters that
// YAML allows, and no line breaks but "\n" and "\r\n".
func commonCharacters(s string) bool {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case isCommonByte[c]:
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRuneInString(s[i:])
			if !commonRune(r, n) {
				return false
			}
			i += n - 1
		case c != '\r' || i+1 >= len(s) || s[i+1] != '\n':
			return false
		}
	}
	return true
}

// commonRune reports whether a character beyond ASCII, n bytes long, is neither
// invalid nor a control character, a line break or a byte order mark.
func commonRune(r rune, n int) bool {
	switch r {
	case 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF:
		return false
	}
	return n > 1 && r >= 0xA0
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

// breakAt returns the length of the line break at i, or 0. The library breaks
// lines at NEL, LS and PS too.
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
	case 0xC2:
		if i+1 < len(s) && s[i+1] == 0x85 {
			return 2
		}
	case 0xE2:
		if i+2 < len(s) && s[i+1] == 0x80 && (s[i+2] == 0xA8 || s[i+2] == 0xA9) {
			return 3
		}
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
