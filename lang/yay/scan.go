package yay

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

type tokenKind uint8

const (
	endToken tokenKind = iota
	nameToken
	numberToken
	stringToken
	opToken
	badToken // a text that is no token; its message is in str
)

// A token is one word of an expression.
type token struct {
	kind       tokenKind
	start, end int
	str        string // name, operator, text of a string, message of a bad token
	num        value.Value
}

func (t token) is(word string) bool {
	return t.str == word && (t.kind == nameToken || t.kind == opToken)
}

// A lexer splits an expression into tokens on demand. It reads up to the end of a
// line; in a directive a "\" continues on the next one (spec: yay, section 1.9).
type lexer struct {
	text      string
	pos, end  int
	directive bool
	braces    int // open ones, so that "}}" is two of them where two are open
	comment   int // start of the comment that ended the line, or -1
	secret    bool
}

func (l *lexer) next() token {
	l.skip()
	t := l.scan()
	l.pos = t.end
	return t
}

// skip passes over blanks, over a comment and, in a directive, over line breaks
// after a backslash.
func (l *lexer) skip() {
	for {
		l.pos = skipBlanks(l.text, l.pos, l.end)
		switch {
		case l.pos == l.end:
			return
		case l.text[l.pos] == '#':
			l.comment = l.pos
			l.pos = l.end
			return
		case l.directive && l.text[l.pos] == '\\' && skipBlanks(l.text, l.pos+1, l.end) == l.end:
			l.pos = nextLine(l.text, l.end)
			l.end = lineEnd(l.text, l.pos)
		default:
			return
		}
	}
}

// operators are those of two characters; "}}" is not among them.
var operators = [...]string{"**", "//", "<<", ">>", "<=", ">=", "==", "!=", "<>"}

func (l *lexer) scan() token {
	start := l.pos
	if start >= l.end {
		return token{kind: endToken, start: start, end: start}
	}
	c := l.text[start]
	switch {
	case isNameStart(c):
		return l.scanWord()
	case isDigit(c), c == '.' && start+1 < l.end && isDigit(l.text[start+1]):
		return l.scanNumber()
	case c == '"' || c == '\'':
		return l.scanString(start, false)
	}
	if start+1 < l.end {
		for _, op := range operators {
			if l.text[start:start+2] == op {
				return l.op(op)
			}
		}
	}
	return l.scanPunctuation(c)
}

func (l *lexer) scanPunctuation(c byte) token {
	switch {
	case c == '{':
		l.braces++
	case c == '}' && l.braces > 0:
		l.braces--
	case c == '}' && strings.HasPrefix(l.text[l.pos:l.end], "}}"):
		return l.op("}}")
	}
	if strings.IndexByte("+-*/%&|^~<>()[]{},:.=`@;", c) >= 0 {
		return l.op(l.text[l.pos : l.pos+1])
	}
	r, size := utf8.DecodeRuneInString(l.text[l.pos:l.end])
	return l.bad(l.pos, l.pos+size, "unexpected character %s", quote(string(r), l.secret))
}

func (l *lexer) op(text string) token {
	return token{kind: opToken, start: l.pos, end: l.pos + len(text), str: text}
}

func (l *lexer) bad(start, end int, format string, args ...any) token {
	return token{kind: badToken, start: start, end: end, str: fmt.Sprintf(format, args...)}
}

func isNameStart(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' }

func isNamePart(c byte) bool { return isNameStart(c) || isDigit(c) }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// scanWord reads a name, or a string with a prefix.
func (l *lexer) scanWord() token {
	end := l.wordEnd(l.pos)
	word := l.text[l.pos:end]
	if end < l.end && (l.text[end] == '"' || l.text[end] == '\'') {
		switch strings.ToLower(word) {
		case "r", "ur":
			return l.scanString(end, true)
		case "u":
			return l.scanString(end, false)
		}
	}
	return token{kind: nameToken, start: l.pos, end: end, str: word}
}

// scanNumber reads an integer or a float.
func (l *lexer) scanNumber() token {
	end := l.pos
	if base := l.base(); base != 0 {
		end = l.wordEnd(l.pos + 2)
		return l.integer(end, l.text[l.pos+2:end], base)
	}
	end = l.digits(end)
	float := false
	if end < l.end && l.text[end] == '.' && (end+1 == l.end || !isNameStart(l.text[end+1])) {
		float = true
		end = l.digits(end + 1)
	}
	if e := l.exponent(end); e > end {
		float = true
		end = e
	}
	if end < l.end && isNamePart(l.text[end]) {
		end = l.wordEnd(end)
		return l.bad(l.pos, end, "%s is not a number", quote(l.text[l.pos:end], l.secret))
	}
	if float {
		return l.float(end)
	}
	digits := l.text[l.pos:end]
	if len(digits) > 1 && digits[0] == '0' {
		return l.bad(l.pos, end, "a number cannot begin with 0: %s", quote(digits, l.secret))
	}
	return l.integer(end, digits, 10)
}

// base returns the base that a prefix such as 0x names, or 0.
func (l *lexer) base() int {
	if l.pos+2 >= l.end || l.text[l.pos] != '0' || !isNamePart(l.text[l.pos+2]) {
		return 0
	}
	switch l.text[l.pos+1] | 0x20 {
	case 'x':
		return 16
	case 'o':
		return 8
	case 'b':
		return 2
	}
	return 0
}

// digits returns the end of the digits at i.
func (l *lexer) digits(i int) int { return i + countDigits(l.text[i:l.end]) }

// wordEnd returns the end of the letters and digits at i.
func (l *lexer) wordEnd(i int) int {
	for i < l.end && isNamePart(l.text[i]) {
		i++
	}
	return i
}

// exponent returns the end of the exponent that begins at i, or i.
func (l *lexer) exponent(i int) int {
	if i >= l.end || l.text[i]|0x20 != 'e' {
		return i
	}
	j := i + 1
	if j < l.end && (l.text[j] == '+' || l.text[j] == '-') {
		j++
	}
	if end := l.digits(j); end > j {
		return end
	}
	return i
}

func (l *lexer) float(end int) token {
	f, err := strconv.ParseFloat(l.text[l.pos:end], 64)
	if err != nil {
		return l.bad(l.pos, end, "number %s is too large", quote(l.text[l.pos:end], l.secret))
	}
	return token{kind: numberToken, start: l.pos, end: end, num: value.Float(f)}
}

// maxDigits bounds integers: reading them takes quadratic time.
const maxDigits = 5000

func (l *lexer) integer(end int, digits string, base int) token {
	if len(digits) > maxDigits {
		return l.bad(l.pos, end, "integer has more than %d digits", maxDigits)
	}
	v, ok := parseInteger(digits, base)
	if !ok {
		return l.bad(l.pos, end, "%s is not a number", quote(l.text[l.pos:end], l.secret))
	}
	return token{kind: numberToken, start: l.pos, end: end, num: v}
}

// parseInteger reads digits, before which a sign may stand.
func parseInteger(digits string, base int) (value.Value, bool) {
	if i, err := strconv.ParseInt(digits, base, 64); err == nil {
		return value.Int(i), true
	}
	if strings.Contains(digits, "_") {
		return value.Null, false
	}
	i, ok := new(big.Int).SetString(digits, base)
	if !ok {
		return value.Null, false
	}
	return value.BigInt(i), true
}

// scanString reads the string literal whose quotes begin at an offset after its
// prefix. Escapes are Python's, and a backslash before anything else stays. A raw
// string keeps all of them.
func (l *lexer) scanString(quotes int, raw bool) token {
	closing := l.text[quotes : quotes+1]
	if triple := strings.Repeat(closing, 3); strings.HasPrefix(l.text[quotes:l.end], triple) {
		closing = triple
	}
	start := quotes + len(closing)
	for i := start; i < l.end; i++ {
		switch {
		case l.text[i] == '\\':
			i++
		case strings.HasPrefix(l.text[i:l.end], closing):
			return l.stringToken(start, i, i+len(closing), raw)
		}
	}
	return l.bad(l.pos, l.end, "unexpected end of line: the string has no closing %s", closing)
}

// stringToken returns the token of a literal whose text is [start, end).
func (l *lexer) stringToken(start, end, after int, raw bool) token {
	t := token{kind: stringToken, start: l.pos, end: after, str: l.text[start:end]}
	if raw || !strings.Contains(t.str, `\`) {
		return t
	}
	var b strings.Builder
	for rest := t.str; rest != ""; {
		if rest[0] != '\\' {
			n := len(rest)
			if i := strings.IndexByte(rest, '\\'); i >= 0 {
				n = i
			}
			b.WriteString(rest[:n])
			rest = rest[n:]
			continue
		}
		n, ok := expr.Unescape(&b, rest)
		if !ok {
			at := end - len(rest)
			return l.bad(at, at+n, "bad escape %s in a string", quote(rest[:n], l.secret))
		}
		rest = rest[n:]
	}
	t.str = b.String()
	return t
}

// isReserved reports whether a word can be neither a key at the start of a line nor
// a name in an expression (spec: yay, section 1.2).
func isReserved(word string) bool {
	switch word {
	case "and", "as", "call", "elif", "else", "extend", "for", "if", "in", "include",
		"is", "lambda", "macro", "new", "not", "or", "prototype", "search", "select", "set":
		return true
	}
	return false
}

// An exprParser reads the expressions of one line (spec: yay, section 2).
type exprParser struct {
	file  *source.File
	lex   lexer
	tok   token // the current one
	last  token // the one before it
	depth int   // of nesting
	max   int   // greatest depth
	links int   // operators read, which bounds the depth of chains such as 1+1+1
	parts *partCount
}

const maxLinks = 20_000

// reset makes the parser read [start, end) of a file. It goes on counting.
func (e *exprParser) reset(f *source.File, start, end int, directive bool, depth int) {
	*e = exprParser{file: f, max: depth, parts: e.parts}
	if e.parts == nil {
		e.parts = &partCount{most: mostParts}
	}
	e.lex = lexer{text: f.Text, pos: start, end: end, directive: directive, comment: -1, secret: f.Secret}
	e.last.end = start
	e.tok = e.lex.next()
}

func (e *exprParser) advance() {
	e.last = e.tok
	switch {
	case e.tok.kind == endToken || e.tok.kind == badToken:
	case e.parts.add():
		e.tok = e.lex.next()
	default:
		e.tok.kind = badToken
	}
}

func (e *exprParser) peek(word string) bool { return e.tok.is(word) }

// follows reports whether a token is the one after the current.
func (e *exprParser) follows(word string) bool {
	ahead := e.lex
	t := ahead.next()
	return t.is(word)
}

func (e *exprParser) accept(word string) bool {
	if !e.tok.is(word) {
		return false
	}
	e.advance()
	return true
}

func (e *exprParser) expect(word string) error {
	if e.accept(word) {
		return nil
	}
	return e.unexpected(fmt.Sprintf("expected %q", word))
}

// end returns an error unless the line has been read.
func (e *exprParser) end() error {
	if e.tok.kind == endToken {
		return nil
	}
	return e.unexpected("")
}

// ident reads a name that is not reserved.
func (e *exprParser) ident(what string) (string, source.Span, error) {
	if e.tok.kind != nameToken || isReserved(e.tok.str) {
		return "", source.Span{}, e.unexpected("expected " + what)
	}
	at := e.span(e.tok)
	e.advance()
	return e.last.str, at, nil
}

// names reads names with commas between them. After several there may be one more.
func (e *exprParser) names() ([]Target, error) {
	var targets []Target
	for len(targets) < 2 || !e.atTargetsEnd() {
		name, at, err := e.ident("a name")
		if err != nil {
			return nil, err
		}
		targets = append(targets, Target{name, at})
		if !e.accept(",") {
			break
		}
	}
	return targets, nil
}

// atTargetsEnd reports whether the current token follows the names of a "set" or "for".
func (e *exprParser) atTargetsEnd() bool { return e.tok.is("=") || e.tok.is("in") }

func (e *exprParser) span(t token) source.Span { return e.file.Span(t.start, t.end) }

func (e *exprParser) from(start int) expr.Place {
	return expr.Place{At: e.file.Span(start, e.last.end)}
}

// unexpected returns the error that the current token is out of place, with what
// was expected, or "".
func (e *exprParser) unexpected(expected string) *source.Diagnostic {
	message := "unexpected " + e.found()
	switch {
	case e.parts.over():
		return e.parts.tooMany(e.span(e.tok))
	case e.tok.kind == badToken:
		return source.Errorf(e.span(e.tok), source.Syntax, "%s", e.tok.str).WithHint("%s", e.hint())
	}
	if expected != "" {
		message += ": " + expected
	}
	return source.Errorf(e.span(e.tok), source.Syntax, "%s", message).WithHint("%s", e.hint())
}

// found names the current token.
func (e *exprParser) found() string {
	switch {
	case e.tok.kind == opToken:
		return fmt.Sprintf("%q", e.tok.str)
	case e.tok.kind != endToken:
		return quote(e.file.Text[e.tok.start:e.tok.end], e.file.Secret)
	case e.lex.directive && e.tok.start == len(e.file.Text):
		return "end of file"
	}
	return "end of line"
}

// hint says what would be right in place of the current token, if that is known.
func (e *exprParser) hint() string {
	text := e.file.Text[e.tok.start:e.tok.end]
	switch {
	case e.tok.kind == endToken && e.lex.comment >= 0 && !e.lex.directive:
		return `"#" begins a comment here, which hides what follows`
	case e.tok.kind == nameToken && isReserved(text):
		return fmt.Sprintf("%q is a reserved word; a key of that name is here[%[1]q]", text)
	case e.tok.kind == stringToken && e.last.kind == stringToken:
		return `join texts with "+"`
	case e.tok.kind == numberToken && strings.HasPrefix(text, "."):
		return "an item of a list is x[0]"
	}
	switch text {
	case "=":
		return `"==" compares`
	case "&", "|":
		return `write "and" or "or"`
	case "?":
		return "write a if test else b"
	case "!":
		return `write "not"`
	case "}":
		return `end the expression with "}}"`
	}
	return ""
}

// missing returns the error that an operand is not there.
func (e *exprParser) missing() error {
	if e.last.kind == endToken {
		return e.unexpected("expected an expression")
	}
	return e.unexpected("expected an expression after " + quote(e.file.Text[e.last.start:e.last.end], e.file.Secret))
}

// refused returns the error that Yay has no such thing.
func (e *exprParser) refused(t token, what, hint string) error {
	return source.Errorf(e.span(t), source.Syntax, "%s not supported", what).WithHint("%s", hint)
}

func (e *exprParser) enter() error {
	e.depth++
	if e.depth > e.max {
		return e.tooDeep()
	}
	return nil
}

func (e *exprParser) leave() { e.depth-- }

func (e *exprParser) link() error {
	e.links++
	if e.links > maxLinks {
		return e.tooDeep()
	}
	return nil
}

func (e *exprParser) tooDeep() error {
	return source.Errorf(e.span(e.tok), source.Limit, "the expression is nested too deeply")
}
