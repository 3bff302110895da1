package expr

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/internal/scan"
	"github.com/yaytpl/yaytpl/source"
)

// syntaxError returns the error of a template at the current token, with the correction of a usual
// mistake (spec: everyday, A7). A bracket that is never closed is reported where it was opened.
//
//	(1 + 2     the "(" is never closed
//	a && b     write "and"
func (p *Parser) syntaxError(message string) *source.Diagnostic {
	if at := p.openBracket(message); at >= 0 {
		closer := string("])}"[strings.IndexByte("[({", p.text[at])])
		return source.Errorf(p.at.TextSpan(at, at+1), source.Syntax, "template error: the %q is never closed", p.text[at:at+1]).
			WithHint("add the closing %q", closer)
	}
	d := source.Errorf(p.spanOf(p.tok), source.Syntax, "template error: %s", message)
	d.Hint = syntaxHint(p.text, p.tok.Start, message)
	return d
}

// openBracket returns the offset of the bracket that is open where a closing one is expected, -1
// if the error is another one.
func (p *Parser) openBracket(message string) int {
	expected := false
	for _, closer := range [...]string{`")"`, `"]"`, `"}"`} {
		expected = expected || strings.HasPrefix(message, "expected "+closer) || strings.HasPrefix(message, `expected "," or `+closer)
	}
	end := min(p.tok.Start, len(p.text))
	if !expected || p.tok.Kind != scan.End && strings.IndexByte(")]}", p.text[end]) < 0 {
		return -1
	}
	var open []int
	quote := byte(0)
	for i := 0; i < end; i++ {
		switch c := p.text[i]; {
		case quote != 0 && c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case strings.IndexByte("([{", c) >= 0:
			open = append(open, i)
		case strings.IndexByte(")]}", c) >= 0 && len(open) > 0:
			open = open[:len(open)-1]
		}
	}
	if len(open) == 0 {
		return -1
	}
	return open[len(open)-1]
}

// syntaxHint returns the correction of a usual mistake at an offset of an expression, "" if it is
// none.
func syntaxHint(text string, start int, message string) string {
	start = min(max(start, 0), len(text))
	before, rest := strings.TrimRight(text[:start], " \t\r\n"), text[start:]
	first, _ := utf8.DecodeRuneInString(rest)
	last := func(suffix string) bool { return strings.HasSuffix(before, suffix) }
	switch {
	case strings.HasPrefix(message, "string has no closing"):
		return "add the closing quote"
	case strings.HasPrefix(message, `expected "in" instead of`):
		return "write {% for item in list %}"
	case first == '=' && last("=="):
		return `write "=="`
	case strings.HasPrefix(message, `expected "=" after the name`):
		return "write {% set x = ... %}"
	case first == '=' && !strings.HasPrefix(rest, "=="):
		return `"==" compares; {% set x = ... %} sets a variable`
	case first == '&':
		return `write "and"`
	case first == '|' && last("|"):
		return `write "or"`
	case first == '!':
		return `write "not"`
	case first == '?':
		return "write x if condition else y"
	case first == ';':
		return "remove it"
	case strings.HasPrefix(rest, "${"):
		return "write the name alone: an expression needs no ${ } around it"
	case strings.ContainsRune("\u2018\u2019\u201c\u201d", first) && rest != "":
		return "this is a typographic quote: write ' or \""
	case strings.HasPrefix(rest, "::"):
		return `a path with "::" is for {eval: ::a::b}; here write a.b`
	case last("++") || last("--"):
		return fmt.Sprintf("there is no %q: write x %s 1", before[len(before)-2:], before[len(before)-1:])
	case first == '>' && last("-"):
		return "write a.b"
	case strings.HasPrefix(rest, "for ") && strings.HasPrefix(message, `expected "," or "]"`):
		return "write list | map(...) or list | select(...) in place of a comprehension"
	case first == '}' && strings.Contains(before, "{{"):
		return "templates do not nest: write the expression without the inner braces"
	case strings.HasPrefix(rest, "}}"):
		return `a statement ends with "%}"`
	}
	return ""
}
