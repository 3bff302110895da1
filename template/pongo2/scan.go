package pongo2

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/source"
)

// A token is a part of a tag. Its kind is one of the constants below.
type token struct {
	kind       byte
	text       string // of a string with its quotes
	start, end int
}

const (
	nameToken    = 'n'
	keywordToken = 'k'
	numberToken  = '0'
	quotedToken  = '"'
	symbolToken  = '+'
)

// A group is a tag, {% ... %}, or an output, {{ ... }}, without these delimiters in its tokens.
type group struct {
	start, end int
	tag        bool
	trimLeft   bool // {%- or {{-
	trimRight  bool
	tokens     []token
}

// A textError is an error in the byte range [start, end) of a text.
type textError struct {
	start, end int
	code       source.Code
	message    string
}

func syntaxError(start, end int, format string, args ...any) *textError {
	return &textError{start, end, source.Syntax, fmt.Sprintf(format, args...)}
}

// A scanner finds the groups of a text, by the rules of the library's own lexer, whose tokens cannot be had:
// a text in which the scanner overlooks a tag would run unguarded. FuzzScan compares the two.
type scanner struct {
	text   string
	pos    int
	tokens int
}

const (
	verbatim    = "{% verbatim %}"
	endVerbatim = "{% endverbatim %}"
)

// maxTokens bounds the tokens of a file, and the tokens of all files of a run: the library keeps some 200 bytes for each.
const maxTokens = 1_000_000

// scan passes the groups of text to take. Everything that it refuses is an error of the library, or would be cut off
// or ignored by it.
func scan(text string, take func(group) *textError) *textError {
	if i := strings.IndexByte(text, 1); i >= 0 {
		return syntaxError(i, i+1, "the character U+0001, which ends the text for pongo2")
	}
	s := scanner{text: text}
	for s.pos < len(text) {
		rest := text[s.pos:]
		switch {
		case strings.HasPrefix(rest, verbatim):
			_, first := utf8.DecodeRuneInString(rest[len(verbatim):]) // the library looks for the end after it
			inner := len(verbatim) + first
			n := strings.Index(rest[inner:], endVerbatim)
			if n < 0 {
				return syntaxError(s.pos, s.pos+len(verbatim), "verbatim has no end")
			}
			s.pos += inner + n + len(endVerbatim)
		case strings.HasPrefix(rest, "{#"):
			n := strings.Index(rest[2:], "#}")
			if n < 0 || strings.Contains(rest[:2+n], "\n") {
				return syntaxError(s.pos, s.pos+2, "the comment has no end on its line; {%% comment %%} may have several")
			}
			s.pos += n + 4
		case strings.HasPrefix(rest, "{{"), strings.HasPrefix(rest, "{%"):
			g, err := s.group()
			if err == nil {
				err = take(g)
			}
			if err != nil {
				return err
			}
		default:
			n := strings.IndexByte(rest[1:], '{')
			if n < 0 {
				return nil
			}
			s.pos += 1 + n
		}
	}
	return nil
}

// group reads a group.
func (s *scanner) group() (group, *textError) {
	g := group{start: s.pos, tag: s.text[s.pos+1] == '%'}
	s.pos += 2
	if g.trimLeft = strings.HasPrefix(s.text[s.pos:], "-"); g.trimLeft {
		s.pos++
	}
	for {
		t, err := s.token()
		switch {
		case err != nil:
			return g, err
		case t.start == len(s.text):
			return g, syntaxError(g.start, g.start+2, "%s has no end", s.text[g.start:g.start+2])
		case t.kind == symbolToken && strings.HasPrefix(t.text, "{"):
			return g, syntaxError(t.start, t.end, "unexpected %s", t.text)
		case t.kind == symbolToken && strings.HasSuffix(t.text, "}"):
			if strings.HasSuffix(t.text, "%}") != g.tag {
				return g, syntaxError(t.start, t.end, "unexpected %s", t.text)
			}
			g.end, g.trimRight = t.end, len(t.text) == 3
			return g, nil
		}
		if s.tokens++; s.tokens > maxTokens {
			return g, tooMany(g.start, t.end)
		}
		g.tokens = append(g.tokens, t)
	}
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// isWord reports whether c may be in a name, which may begin with a digit.
func isWord(c byte) bool {
	return isDigit(c) || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_'
}

// isKeyword reports whether a word is a keyword.
func isKeyword(word string) bool {
	switch word {
	case "in", "and", "or", "not", "true", "false", "as", "export":
		return true
	}
	return false
}

// token reads a token of a group, an empty one at the end of the text.
func (s *scanner) token() (token, *textError) {
	for s.pos < len(s.text) && strings.IndexByte(" \r\t", s.text[s.pos]) >= 0 {
		s.pos++
	}
	start := s.pos
	rest := s.text[start:]
	run := func(is func(c byte) bool) int {
		n := 0
		for n < len(rest) && is(rest[n]) {
			n++
		}
		return n
	}
	token := func(kind byte, n int) (token, *textError) {
		s.pos += n
		return token{kind, rest[:n], start, s.pos}, nil
	}
	switch {
	case rest == "":
		return token(0, 0)
	case rest[0] == '\n':
		return refused(start, "a line break, which a tag must not have")
	case isWord(rest[0]):
		n := run(isWord)
		switch {
		case run(isDigit) == n:
			return token(numberToken, n)
		case isKeyword(rest[:n]):
			return token(keywordToken, n)
		}
		return token(nameToken, n)
	case rest[0] == '"', rest[0] == '\'':
		return s.quoted()
	}
	for n := min(3, len(rest)); n > 0; n-- {
		if isSymbol(rest[:n]) {
			return token(symbolToken, n)
		}
	}
	r, _ := utf8.DecodeRuneInString(rest)
	return refused(start, fmt.Sprintf("unexpected character %q", r))
}

func refused(at int, message string) (token, *textError) {
	return token{}, syntaxError(at, at+1, "%s", message)
}

// isSymbol reports whether a text is a symbol.
func isSymbol(text string) bool {
	switch text {
	case "{{-", "-}}", "{%-", "-%}",
		"==", ">=", "<=", "&&", "||", "{{", "}}", "{%", "%}", "!=", "<>",
		"(", ")", "+", "-", "*", "<", ">", "/", "^", ",", ".", "!", "|", ":", "=", "%", "[", "]":
		return true
	}
	return false
}

// quoted reads a text in quotes, in which a backslash is allowed before " and before a backslash only.
func (s *scanner) quoted() (token, *textError) {
	start := s.pos
	for i := start + 1; i < len(s.text); i++ {
		switch s.text[i] {
		case s.text[start]:
			s.pos = i + 1
			return token{quotedToken, s.text[start:s.pos], start, s.pos}, nil
		case '\n':
			return refused(start, "a text with a line break, which pongo2 does not have")
		case '\\':
			if i++; i == len(s.text) || s.text[i] != '"' && s.text[i] != '\\' {
				return refused(i-1, `only \" and \\ may follow a backslash`)
			}
		}
	}
	return refused(start, "the quote is not closed")
}

// plain returns the text of a token, without quotes.
func (t token) plain() string {
	if t.kind != quotedToken {
		return t.text
	}
	text := strings.ReplaceAll(t.text[1:len(t.text)-1], `\"`, `"`)
	return strings.ReplaceAll(text, `\\`, `\`)
}

func (t token) is(text string) bool { return t.kind == symbolToken && t.text == text }
