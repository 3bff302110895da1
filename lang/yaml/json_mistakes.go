package yaml

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// The usual mistakes in JSON, and their corrections (spec: everyday, A7).

// hinted is fail with a correction.
func (p *jsonParser) hinted(hint string, start, end int, format string, args ...any) bool {
	p.fail(start, end, format, args...)
	p.err.Hint = hint
	return false
}

// unexpected fails at the next character.
func (p *jsonParser) unexpected(hint, format string, args ...any) bool {
	_, n := utf8.DecodeRuneInString(p.src[p.pos:])
	return p.hinted(hint, p.pos, p.pos+n, format, args...)
}

// unclosed reports a bracket that is never closed.
func (p *jsonParser) unclosed(open int, closer byte) bool {
	return p.hinted(fmt.Sprintf("add the closing %q", string(closer)), open, open+1, "the %q is never closed", p.src[open:open+1])
}

// notSeparated reports what follows an item of the bracket at open and is neither a comma nor
// its closing bracket.
//
//	{"a": [1, 2, "b": 3}     the "[" is never closed: a list has no keys
//	{"a": {"b": [1, 2}}      the "[" is never closed: this "}" closes the "{" around it
//	{"a": "x["y"]"}          this inner quote ends the value
func (p *jsonParser) notSeparated(open int, closer byte) bool {
	c := p.peek()
	switch {
	case c == ':' && closer == ']' && p.encloses('{', open) && p.line(open) != p.line(p.pos):
		p.unclosed(open, closer)
		p.err.Note(p.file.Span(p.pos, p.pos+1), "a key, which a list does not have")
		return false
	case c == ':' && closer == ']':
		return p.unexpected(`write a map in braces: {"key": value}`, "a list has no keys")
	case c == ':':
		return p.unexpected(`write "," before the key`, "missing comma before the key of this")
	case (c == '}' || c == ']') && p.encloses(opener(c), open):
		p.unclosed(open, closer)
		p.err.Note(p.file.Span(p.pos, p.pos+1), "this %q closes the %q around it", string(c), string(opener(c)))
		return false
	case c == '}' || c == ']':
		p.unexpected("", "%q cannot close %q", string(c), p.src[open:open+1])
		p.err.Note(p.file.Span(open, open+1), "opened here")
		return false
	case c == '#' || c == '/':
		return p.comment()
	case p.src[p.pos-1] == '"' && c != '"':
		hint := `a double quote inside is written \"`
		if rest := p.src[p.pos:lineEnd(p.src, p.pos)]; strings.Contains(rest, "}}") || strings.Contains(rest, "%}") {
			hint = `use single quotes inside of the template`
		}
		return p.hinted(hint, p.pos-1, p.pos, "this inner quote ends the value")
	}
	return p.unexpected(`write "," after the value before it`, "missing comma or %q before this", string(closer))
}

func opener(closer byte) byte {
	if closer == '}' {
		return '{'
	}
	return '['
}

// encloses reports whether a bracket of a kind is open around the one at open.
func (p *jsonParser) encloses(bracket byte, open int) bool {
	for _, at := range p.opened {
		if at < open && p.src[at] == bracket {
			return true
		}
	}
	return false
}

// line returns the number of the line of an offset.
func (p *jsonParser) line(at int) int {
	line, _ := p.file.Position(at)
	return line
}

func (p *jsonParser) comment() bool {
	return p.unexpected("remove it, or name the file .yaml, whose comments begin with #", "JSON has no comments")
}

// badKey reports a key without double quotes.
func (p *jsonParser) badKey() bool {
	c := p.peek()
	rest := p.src[p.pos:lineEnd(p.src, p.pos)]
	key, _, isKey := strings.Cut(rest, ":")
	key = strings.Trim(strings.TrimSpace(key), "'")
	hint := ""
	switch {
	case c == '#' || strings.HasPrefix(rest, "//") || strings.HasPrefix(rest, "/*"):
		return p.comment()
	case c == ',':
		return p.unexpected("remove it", "nothing before this comma")
	case c == '{' && p.src[p.pos-1] == '{':
		hint = "quote the template"
	case isKey && key != "" && len(key) <= maxFix && !strings.ContainsAny(key, "\"'{}[],"):
		hint = `write "` + key + `"`
	}
	return p.unexpected(hint, "JSON needs a key in double quotes here")
}

// notAValue reports a character with which no value begins.
func (p *jsonParser) notAValue() bool {
	rest := p.src[p.pos:lineEnd(p.src, p.pos)]
	word := rest[:len(rest)-len(strings.TrimLeftFunc(rest, func(r rune) bool { return r == '_' || r == '-' || isWordRune(r) }))]
	hint := ""
	switch c := p.peek(); {
	case c == '#' || strings.HasPrefix(rest, "//") || strings.HasPrefix(rest, "/*"):
		return p.comment()
	case c == ',':
		return p.unexpected("write a value, or remove the comma", "nothing before this comma")
	case c == ']' || c == '}':
		return p.unexpected("", "a value is missing before this %q", string(c))
	case c == '\'':
		hint = `texts are in double quotes: "..."`
	case strings.HasPrefix(rest, "{{"):
		hint = "quote the template"
	case strings.EqualFold(word, "none") || strings.EqualFold(word, "null") || word == "undefined":
		hint = "write null"
	case strings.EqualFold(word, "true") || strings.EqualFold(word, "false"):
		hint = "write " + strings.ToLower(word)
	case word == "NaN" || strings.HasPrefix(word, "Inf"):
		hint = "JSON has no such number; YAML has .nan and .inf"
	case c == '+' || c == '.':
		hint = "a number begins with a digit or a minus sign"
	case word != "" && len(word) <= maxFix:
		hint = `write a text in double quotes: "` + word + `"`
	}
	return p.unexpected(hint, "no JSON value begins like this")
}

func isWordRune(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
}

// numberHint returns the correction of a number.
func numberHint(text string) string {
	digits := strings.TrimPrefix(text, "-")
	switch {
	case len(digits) > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9':
		return "remove the zeros in front, or write a text in double quotes"
	case strings.Count(digits, ".") > 1 || strings.Contains(digits, "-"):
		return `write a text in double quotes: "` + short(text) + `"`
	}
	return ""
}
