package yaml

import "unicode/utf8"

const byteOrderMark = "\uFEFF"

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
