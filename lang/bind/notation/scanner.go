package notation

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/source"
)

// A tokenKind is the kind of a token.
type tokenKind uint8

const (
	endToken    tokenKind = iota
	nameToken             // ntp, ntp::server, ::ntp
	typeToken             // Array, Foo::Bar
	varToken              // $name, $::name
	textToken             // 'text'
	joinToken             // "text ${with} parts"
	numberToken           // 12, 0x1F, 1.5e3
	regexpToken           // /expression/
	signToken             // punctuation
)

// A token is a piece of source text.
type token struct {
	kind       tokenKind
	start, end int
	text       string // of a name, a type or a variable without the "$"; of a text its data; a sign
	newline    bool   // a line break is before it
}

// describe names a token for messages.
func (t token) describe(src string) string {
	if t.kind == endToken {
		return "the end of the text"
	}
	return strconv.Quote(source.Cut(src[t.start:t.end], 40))
}

// A scanner cuts a text into tokens. A "/" begins an expression where a value is due, which the
// token before it tells; elsewhere it divides.
type scanner struct {
	src  string
	at   int
	prev token
	bad  *scanError
}

// A scanError is a place where no token begins, or one that does not end.
type scanError struct {
	start, end int
	message    string
}

func (s *scanner) fail(start, end int, message string) token {
	if s.bad == nil {
		s.bad = &scanError{start, end, message}
	}
	s.at = len(s.src)
	return token{kind: endToken, start: start, end: end}
}

// signs, longer ones first.
var signs = []string{
	"=>", "==", "!=", "=~", "!~", "<=", ">=",
	"{", "}", "[", "]", "(", ")", ",", ";", ":", "=", "<", ">", "+", "-", "*", "/", "%", "!", "?", "|", ".",
}

// byteOrderMark is ignored at the start of a file.
const byteOrderMark = "\uFEFF"

// blank skips white space and comments. It reports whether a line ended.
func (s *scanner) blank() (newline bool) {
	for s.at < len(s.src) {
		switch c := s.src[s.at]; {
		case c == '\n':
			newline = true
			s.at++
		case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
			s.at++
		case c == '#':
			end := strings.IndexByte(s.src[s.at:], '\n')
			if end < 0 {
				end = len(s.src) - s.at
			}
			s.at += end
		case s.at == 0 && strings.HasPrefix(s.src, byteOrderMark):
			s.at += len(byteOrderMark)
		case strings.HasPrefix(s.src[s.at:], "\u00a0"):
			s.at += len("\u00a0")
		default:
			return newline
		}
	}
	return newline
}

// next returns the next token.
func (s *scanner) next() token {
	newline := s.blank()
	t := s.scan()
	t.newline = newline
	s.prev = t
	return t
}

// beforeValue are the words after which a value is due.
var beforeValue = []string{"to", "and", "or", "in", "if", "unless", "elsif", "case", "when", "optional"}

// valueDue reports whether a value may begin after the last token.
func (s *scanner) valueDue() bool {
	switch s.prev.kind {
	case endToken:
		return true
	case signToken:
		return s.prev.text != ")" && s.prev.text != "]" // a brace ends a body, and seldom a map that is divided
	case nameToken:
		return slices.Contains(beforeValue, strings.ToLower(s.prev.text))
	}
	return false
}

func (s *scanner) scan() token {
	start := s.at
	if start >= len(s.src) {
		return token{kind: endToken, start: start, end: start}
	}
	switch c := s.src[start]; {
	case c == '\'':
		return s.single()
	case c == '"':
		return s.double()
	case c == '$':
		return s.variable()
	case c >= '0' && c <= '9':
		return s.number()
	case c == '/' && s.valueDue():
		return s.regexp()
	case c == ':' && strings.HasPrefix(s.src[start:], "::"), c == '_', unicode.IsLetter(rune(c)), c >= utf8.RuneSelf:
		if t, ok := s.name(); ok {
			return t
		}
	}
	for _, sign := range signs {
		if strings.HasPrefix(s.src[start:], sign) {
			s.at += len(sign)
			return token{kind: signToken, start: start, end: s.at, text: sign}
		}
	}
	_, n := utf8.DecodeRuneInString(s.src[start:])
	return s.fail(start, start+n, "unexpected character "+strconv.Quote(s.src[start:start+n]))
}

// word returns the end of a name with its segments, which begins at start.
func (s *scanner) word(start int) int {
	at := start
	at += len(s.src[at:]) - len(strings.TrimPrefix(s.src[at:], "::"))
	for {
		begin := at
		for at < len(s.src) && isWord(s.src[at]) {
			at++
		}
		if at == begin {
			if begin > start {
				return begin - len("::") // the colons do not belong to it
			}
			return start
		}
		if !strings.HasPrefix(s.src[at:], "::") || at+2 >= len(s.src) || !isWord(s.src[at+2]) {
			return at
		}
		at += 2
	}
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func (s *scanner) name() (token, bool) {
	start := s.at
	end := s.word(start)
	if end <= start {
		return token{}, false
	}
	text := s.src[start:end]
	first := strings.TrimPrefix(text, "::")[0]
	if first >= '0' && first <= '9' {
		return token{}, false
	}
	s.at = end
	kind := nameToken
	if first >= 'A' && first <= 'Z' {
		kind = typeToken
	}
	return token{kind: kind, start: start, end: end, text: strings.TrimPrefix(text, "::")}, true
}

func (s *scanner) variable() token {
	start := s.at
	end := s.word(start + 1)
	if end <= start+1 {
		return s.fail(start, start+1, "the name of a variable is missing after \"$\"")
	}
	s.at = end
	return token{kind: varToken, start: start, end: end, text: strings.TrimPrefix(s.src[start+1:end], "::")}
}

func (s *scanner) number() token {
	start := s.at
	end := start
	for end < len(s.src) && isWord(s.src[end]) {
		end++
	}
	if end+1 < len(s.src) && s.src[end] == '.' && s.src[end+1] >= '0' && s.src[end+1] <= '9' && !strings.HasPrefix(s.src[start:], "0x") {
		for end++; end < len(s.src) && isWord(s.src[end]); end++ {
		}
	}
	if c := s.src[end-1]; (c == 'e' || c == 'E') && end+1 < len(s.src) && (s.src[end] == '-' || s.src[end] == '+') && !strings.HasPrefix(s.src[start:], "0x") {
		for end++; end < len(s.src) && isWord(s.src[end]); end++ {
		}
	}
	s.at = end
	return token{kind: numberToken, start: start, end: end, text: s.src[start:end]}
}

// single reads a text in single quotes, in which \\ and \' are escapes.
func (s *scanner) single() token {
	start := s.at
	var b strings.Builder
	for i := start + 1; i < len(s.src); i++ {
		switch c := s.src[i]; {
		case c == '\'':
			s.at = i + 1
			return token{kind: textToken, start: start, end: s.at, text: b.String()}
		case c == '\\' && i+1 < len(s.src) && (s.src[i+1] == '\\' || s.src[i+1] == '\''):
			i++
			b.WriteByte(s.src[i])
		default:
			b.WriteByte(c)
		}
	}
	return s.fail(start, start+1, "the text has no closing '")
}

// double finds the end of a text in double quotes, past the expressions in it. The parser
// reads its parts.
func (s *scanner) double() token {
	start := s.at
	end, ok := closing(s.src, start+1, inText)
	if !ok {
		return s.fail(start, start+1, "the text has no closing \"")
	}
	s.at = end + 1
	return token{kind: joinToken, start: start, end: s.at}
}

// inText says that the end of a text in double quotes is looked for: see closing.
const inText = -1

// closing returns the index of the sign that ends a text in double quotes, which began before from, or with
// depth 0 the expression in one. The braces and texts inside are passed over. For
//
//	"a ${b({x => "${c}"})} d"
//
// what is open when c is reached is the text, its expression with two braces, the inner text, its expression.
func closing(src string, from, depth int) (int, bool) {
	open := append(make([]int, 0, 16), depth) // of an expression the number of braces, of a text inText
	for i := from; i < len(src); i++ {
		top := &open[len(open)-1]
		c, ends := src[i], false
		switch {
		case *top == inText && c == '\\':
			i++
		case *top == inText && c == '"':
			ends = true
		case *top == inText && strings.HasPrefix(src[i:], "${"):
			open = append(open, 0)
			i++
		case *top == inText:
		case c == '{':
			*top++
		case c == '}' && *top == 0:
			ends = true
		case c == '}':
			*top--
		case c == '"':
			open = append(open, inText)
		case c == '\'':
			i = closingSingle(src, i+1)
		}
		if ends {
			if open = open[:len(open)-1]; len(open) == 0 {
				return i, true
			}
		}
	}
	return 0, false
}

// closingSingle returns the index of the quote that ends a text in single quotes which began before from, the
// length of the source if none does.
func closingSingle(src string, from int) int {
	for i := from; i < len(src); i++ {
		switch src[i] {
		case '\\':
			i++
		case '\'':
			return i
		}
	}
	return len(src)
}

func (s *scanner) regexp() token {
	start := s.at
	for i := start + 1; i < len(s.src) && s.src[i] != '\n'; i++ {
		switch s.src[i] {
		case '\\':
			i++
		case '/':
			s.at = i + 1
			return token{kind: regexpToken, start: start, end: s.at, text: strings.ReplaceAll(s.src[start+1:i], `\/`, "/")}
		}
	}
	return s.fail(start, start+1, "the regular expression has no closing /")
}
