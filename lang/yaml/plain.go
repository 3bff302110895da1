package yaml

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

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
	case len(s) > 2 && s[0] == '0' && baseOf(s[1]) != 0:
		return onlyOf(s[2:], "0123456789abcdef_")
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
