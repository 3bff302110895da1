package template

import "strings"

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
