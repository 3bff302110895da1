package yaml

// A templateFinder finds the unquoted templates of a text: {{ x }} and {% x %}.
type templateFinder struct {
	src  string
	off  bool // it has none
	none int  // none begins before this offset
}

// end returns the end of the template that begins at i, or 0. A template that does not
// end on its line is none.
func (t *templateFinder) end(i int) int {
	if t.off || i < t.none || i+1 >= len(t.src) || t.src[i] != '{' || t.src[i+1] != '{' && t.src[i+1] != '%' {
		return 0
	}
	end, ok := templateEnd(t.src, i)
	if !ok {
		t.none = end
		return 0
	}
	return end
}

// templateEnd returns the offset behind the template at i, or how far it looked.
func templateEnd(src string, i int) (int, bool) {
	closer := byte('}')
	if src[i+1] == '%' {
		closer = '%'
	}
	depth := 0
	for i += 2; i < len(src) && breakAt(src, i) == 0; i++ {
		switch c := src[i]; {
		case c == '"' || c == '\'':
			n := stringLength(src[i:])
			if n == 0 {
				return i, false
			}
			i += n - 1
		case c == '{' && closer == '}':
			depth++
		case c == closer && depth == 0:
			if i+1 < len(src) && src[i+1] == '}' {
				return i + 2, true
			}
		case c == '}' && depth > 0:
			depth--
		}
	}
	return i, false
}

// stringLength returns the length of the string literal that s begins with, or 0
// if it does not end on its line.
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
