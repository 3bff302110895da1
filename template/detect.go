package template

import "strings"

// IsTemplate reports whether a text of a document is a template (spec:
// expressions, section 7): it has "{{" or "{%", or a header line that sets other
// delimiters. A "{{" directly after "$" belongs to another tool and is text up to
// its "}}". Comments and stray closing delimiters alone do not make a template.
func IsTemplate(text string) bool {
	if strings.IndexByte(text, '{') < 0 {
		return strings.HasPrefix(text, headerPrefix)
	}
	if strings.HasPrefix(strings.TrimLeft(text, blanks), headerPrefix) {
		return true
	}
	var other foreignText
	for i := 0; ; {
		j := strings.IndexByte(text[i:], '{')
		if j < 0 || i+j+1 >= len(text) {
			return false
		}
		i += j
		switch {
		case text[i+1] == '%':
			return true
		case text[i+1] != '{':
			i++
		case !foreign(text, i):
			return true
		default:
			i = other.end(text, i)
		}
	}
}

// foreign reports whether the "{{" at i is another tool's, as in "${{ x }}".
func foreign(text string, i int) bool { return i > 0 && text[i-1] == '$' }

// foreignText finds the ends of another tool's expressions in one text.
type foreignText struct {
	unclosed bool // no "}}" is left in the text
}

// end returns where the text that begins with the foreign "{{" at i ends: behind
// its "}}", or behind the "{{" if that is never closed.
func (f *foreignText) end(text string, i int) int {
	if !f.unclosed {
		if n := strings.Index(text[i+2:], "}}"); n >= 0 {
			return i + 2 + n + 2
		}
		f.unclosed = true
	}
	return i + 2
}

// goTemplateStarts are what follows "{{" in templates of Go programs (Helm,
// goreleaser, Prometheus) and never in Jinja.
var goTemplateStarts = [...]string{
	"range ", `include "`, `template "`, "if ", "else ", "else}", "with ", `define "`, `block "`, "/*", "printf ", "$.", "`",
}

// looksLikeGoTemplate reports whether a text with an error in it was probably
// written for another tool.
func looksLikeGoTemplate(text string) bool {
	for {
		_, rest, found := strings.Cut(text, "{{")
		if !found {
			return false
		}
		if startsGoAction(strings.TrimLeft(strings.TrimPrefix(rest, "-"), blanks)) {
			return true
		}
		text = rest
	}
}

func startsGoAction(s string) bool {
	if len(s) > 1 && (s[0] == '.' || s[0] == '$') {
		return s[1] == ' ' || s[1] == '}' || isLetter(s[1])
	}
	if rest, ok := strings.CutPrefix(s, "end"); ok {
		rest = strings.TrimLeft(rest, " -")
		return strings.HasPrefix(rest, "}}")
	}
	for _, start := range goTemplateStarts {
		if strings.HasPrefix(s, start) {
			return true
		}
	}
	return false
}

func isLetter(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func isWordByte(c byte) bool { return isLetter(c) || '0' <= c && c <= '9' || c >= 0x80 }
