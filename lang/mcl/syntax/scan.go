package syntax

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/source"
)

// A kind is the kind of a token.
type kind uint8

const (
	endOfText kind = iota
	bad            // text that is no token
	word           // a name or a keyword
	capital        // a capitalised name
	integer
	float
	text // a string with its quotes
	symbol
	dollar
)

// A token is text[start:end]. Of a bad one the scanner keeps a diagnostic.
type token struct {
	kind       kind
	start, end uint32
}

// A scanner splits a text into tokens and comments (spec: mcl, section 1). The longest token wins.
type scanner struct {
	file     *source.File
	text     string
	pos      int
	tokens   []token
	comments []Comment
	bad      map[uint32]*source.Diagnostic // by the start of the token

	// signature is set for the types of the library, which have "?1" and "...".
	signature bool
}

// symbols are the tokens of several characters, by the first one; all others of the language are in
// singles.
var symbols = [128][]string{
	'<': {"<|>", "<="}, '=': {"=>", "=="}, '-': {"->"}, '?': {"?:"}, '!': {"!="}, '>': {">="}, '&': {"&&"}, '|': {"||"},
}

const singles = "{}()[],:;.=<>+-*/!"

// scan reads the whole text. It stops after a bad token; the last token is an endOfText.
func (s *scanner) scan() {
	s.tokens = make([]token, 0, len(s.text)/4+1)
	if strings.HasPrefix(s.text, "\uFEFF") {
		s.pos = len("\uFEFF")
	}
	for s.skip() && s.next() {
	}
	s.pos = len(s.text)
	s.add(endOfText, s.pos)
}

// add makes a token of the text from the position up to end.
func (s *scanner) add(k kind, end int) {
	s.tokens = append(s.tokens, token{k, uint32(s.pos), uint32(end)})
	s.pos = end
}

// fail makes a bad token of the text up to end. The diagnostic is about [start, end).
func (s *scanner) fail(start, end int, format string, args ...any) *source.Diagnostic {
	d := source.Errorf(s.file.Span(start, end), source.Syntax, format, args...)
	s.bad[uint32(s.pos)] = d
	s.add(bad, end)
	return d
}

// skip passes over white space and comments, and reports whether a token follows.
func (s *scanner) skip() bool {
	for s.pos < len(s.text) {
		switch c := s.text[s.pos]; {
		case c == ' ' || c == '\t' || c == '\n':
			s.pos++
		case c == '\r' && strings.HasPrefix(s.text[s.pos:], "\r\n"):
			s.pos += 2
		case c == '#':
			if !s.comment() {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// comment reads a comment. It reports whether all of it is text: false leaves the position at a
// character that [scanner.next] refuses.
func (s *scanner) comment() bool {
	end := len(s.text)
	if i := strings.IndexByte(s.text[s.pos:], '\n'); i >= 0 {
		end = s.pos + i
	}
	line := s.text[s.pos:end]
	if end < len(s.text) {
		line = strings.TrimSuffix(line, "\r")
	}
	if i := notText(line, false); i >= 0 {
		s.pos += i
		return false
	}
	s.comments = append(s.comments, Comment{s.file.Span(s.pos, s.pos+len(line))})
	s.pos = end
	return true
}

// notText returns the offset of the first byte that no part of a program can have: NUL, a carriage
// return, which only strings may have, or bytes that are not UTF-8. It returns -1 if there is none.
func notText(text string, inString bool) int {
	for i, r := range text {
		if r == 0 || r == '\r' && !inString || r == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD") {
			return i
		}
	}
	return -1
}

// next reads a token, and reports whether it is a good one.
func (s *scanner) next() bool {
	c := s.text[s.pos]
	switch {
	case c == '$':
		s.add(dollar, s.pos+1)
	case c >= 'a' && c <= 'z':
		return s.name(word)
	case c >= 'A' && c <= 'Z':
		return s.name(capital)
	case isDigit(c) || c == '-' && s.pos+1 < len(s.text) && isDigit(s.text[s.pos+1]):
		s.number()
	case c == '"':
		return s.quoted()
	case s.signature && c == '?':
		s.add(symbol, s.pos+1)
	case s.signature && strings.HasPrefix(s.text[s.pos:], "..."):
		s.add(symbol, s.pos+3)
	default:
		return s.symbol()
	}
	return true
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isWordByte(c byte) bool { return c >= 'a' && c <= 'z' || c == '_' || isDigit(c) }

// IsName reports whether a text is a name: a lower-case letter, then letters, digits and "_", which is
// not at the end (spec: mcl, section 1). A name may be a word of the language.
func IsName(text string) bool {
	for i := range len(text) {
		if !isWordByte(text[i]) {
			return false
		}
	}
	return text != "" && text[0] >= 'a' && text[0] <= 'z' && text[len(text)-1] != '_'
}

func (s *scanner) name(k kind) bool {
	end := s.pos + 1
	for end < len(s.text) && isWordByte(s.text[end]) {
		end++
	}
	name := s.text[s.pos:end]
	if short := strings.TrimRight(name, "_"); short != name {
		s.fail(s.pos, end, "unexpected %q at the end of the name %q", "_", name).WithHint("write %s", short)
		return false
	}
	s.add(k, end)
	return true
}

// number reads an integer or a float. Its sign belongs to it.
func (s *scanner) number() {
	digits := func(i int) int { return len(s.text) - len(strings.TrimLeft(s.text[i:], "0123456789")) }
	end := digits(s.pos + 1)
	if end+1 < len(s.text) && s.text[end] == '.' && isDigit(s.text[end+1]) {
		s.add(float, digits(end+1))
		return
	}
	s.add(integer, end)
}

// quoted reads a string. Its escapes are decoded by the parser: here a backslash only keeps the
// quote after it from closing the string.
func (s *scanner) quoted() bool {
	for end := s.pos + 1; end < len(s.text); end++ {
		switch s.text[end] {
		case '\\':
			end++
		case '"':
			if i := notText(s.text[s.pos:end], true); i >= 0 {
				return s.character(s.pos + i)
			}
			s.add(text, end+1)
			return true
		}
	}
	s.fail(s.pos, s.pos+1, "unexpected end of text: the string has no closing quote")
	return false
}

func (s *scanner) symbol() bool {
	rest := s.text[s.pos:]
	for _, long := range symbols[rest[0]&127] {
		if strings.HasPrefix(rest, long) {
			s.add(symbol, s.pos+len(long))
			return true
		}
	}
	if strings.IndexByte(singles, rest[0]) >= 0 {
		s.add(symbol, s.pos+1)
		return true
	}
	return s.character(s.pos)
}

// character refuses the character at an offset.
func (s *scanner) character(at int) bool {
	r, size := utf8.DecodeRuneInString(s.text[at:])
	shown := fmt.Sprintf("unexpected character %q", string(r))
	switch {
	case r == utf8.RuneError && size == 1:
		shown = fmt.Sprintf("unexpected byte %#02x: the file is not UTF-8", s.text[at])
	case r == 0:
		shown = "unexpected NUL character: the file is not text"
	case r == '\r':
		shown = "unexpected carriage return without a line break"
	}
	d := s.fail(at, at+size, "%s", shown)
	if hint, ok := hints.Get()[r]; ok {
		d.Hint = hint
	}
	return false
}

// commonKeywords are reserved in both dialects.
var commonKeywords = []string{"bool", "else", "false", "float", "if", "in", "int", "str", "struct", "true", "variant"}

// newKeywords are reserved in the dialect of today only. They serve as names where nothing else is
// possible.
var newKeywords = []string{"and", "as", "class", "collect", "for", "forkv", "func", "import", "include", "map", "not", "or", "panic"}

func isCommon(name string) bool { return slices.Contains(commonKeywords, name) }
func isNew(name string) bool    { return slices.Contains(newKeywords, name) }
