package yay

import (
	"fmt"
	"strings"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/internal/scan"
	"github.com/yaytpl/yaytpl/source"
)

var tokenSyntax = scan.Syntax{
	Blanks:  " \t",
	Pairs:   []string{"**", "//", "<<", ">>", "<=", ">=", "==", "!=", "<>"},
	Singles: "+-*/%&|^~<>()[]{},:.=`@;",
	Points:  true, Words: true, Triple: true, Prefixes: true,
}

// A lexer splits an expression into tokens on demand. It reads up to the end of a line. In
// a directive, "\" at the end of a line continues it on the next one (spec: yay, section
// 1.9).
type lexer struct {
	scan.Scanner
	directive bool
	braces    int // number of open ones
	comment   int // start of the comment that ended the line, or -1
}

func newLexer(text string, start, end int, directive bool) lexer {
	s := scan.Scanner{Syntax: &tokenSyntax, Text: text, Pos: start, End: end}
	return lexer{Scanner: s, directive: directive, comment: -1}
}

// next sets t to the next token. "}}" is one token where no "{" is open.
func (l *lexer) next(t *scan.Token) {
	l.skip()
	l.Scan(t)
	switch {
	case t.Is("{"):
		l.braces++
	case t.Is("}") && l.braces > 0:
		l.braces--
	case t.Is("}") && t.End < l.End && l.Text[t.End] == '}':
		t.Text, t.End = "}}", t.End+1
		l.Pos = t.End
	case t.Kind == scan.Bad && strings.HasPrefix(t.Text, "string has no"):
		t.Text = "unexpected end of line: the " + t.Text
	}
}

// skip passes over blanks, a comment and, in a directive, line breaks after a backslash.
func (l *lexer) skip() {
	for {
		l.Pos = skipBlanks(l.Text, l.Pos, l.End)
		switch {
		case l.Pos == l.End:
			return
		case l.Text[l.Pos] == '#':
			l.comment = l.Pos
			l.Pos = l.End
			return
		case l.directive && l.Text[l.Pos] == '\\' && skipBlanks(l.Text, l.Pos+1, l.End) == l.End:
			l.Pos = nextLine(l.Text, l.End)
			l.End = lineEnd(l.Text, l.Pos)
		default:
			return
		}
	}
}

// isReserved reports whether a word can be neither a key at the start of a line nor a name
// in an expression (spec: yay, section 1.2).
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
	tok   scan.Token // the current one
	last  scan.Token // the one before it
	depth int        // of nesting
	max   int        // greatest depth
	links int        // number of operators, which bounds the depth of chains such as 1+1+1
	parts *partCount
}

const maxLinks = 20_000

// reset makes the parser read [start, end) of a file. The count of parts continues.
func (e *exprParser) reset(f *source.File, start, end int, directive bool, depth int) {
	*e = exprParser{file: f, max: depth, parts: e.parts}
	if e.parts == nil {
		e.parts = &partCount{most: mostParts}
	}
	e.lex = newLexer(f.Text, start, end, directive)
	e.last.End = start
	e.lex.next(&e.tok)
}

func (e *exprParser) advance() {
	e.last = e.tok
	switch {
	case e.tok.Kind == scan.End || e.tok.Kind == scan.Bad:
	case e.parts.add():
		e.lex.next(&e.tok)
	default:
		e.tok.Kind = scan.Bad
	}
}

func (e *exprParser) peek(word string) bool { return e.tok.Is(word) }

// follows reports whether word is the token after the current one.
func (e *exprParser) follows(word string) bool {
	ahead, t := e.lex, scan.Token{}
	ahead.next(&t)
	return t.Is(word)
}

func (e *exprParser) accept(word string) bool {
	if !e.tok.Is(word) {
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

// closes reads the end of the bracket at open.
func (e *exprParser) closes(open int, closing string) error {
	if e.atEnd() {
		return e.neverClosed(open, closing)
	}
	return e.expect(closing)
}

// atEnd reports whether the expression ends before the current token.
func (e *exprParser) atEnd() bool {
	return e.tok.Kind == scan.End && e.lex.comment < 0 || e.peek("}}")
}

// endsAtColon reports whether the current token is the ":" at the end of a directive.
func (e *exprParser) endsAtColon() bool {
	ahead, t := e.lex, scan.Token{}
	ahead.next(&t)
	return e.peek(":") && t.Kind == scan.End
}

// neverClosed returns the error of a bracket that is open at the end of the expression.
func (e *exprParser) neverClosed(open int, closing string) error {
	if open < 0 || open >= len(e.file.Text) || !strings.ContainsRune("([{", rune(e.file.Text[open])) {
		return e.unexpected(fmt.Sprintf("expected %q", closing))
	}
	return source.Errorf(e.file.Span(open, open+1), source.Syntax, "the %q is never closed", e.file.Text[open:open+1]).
		WithHint("add the closing %q", closing)
}

// end returns an error unless the whole line has been read.
func (e *exprParser) end() error {
	if e.tok.Kind == scan.End {
		return nil
	}
	return e.unexpected("")
}

// ident reads a name that is not reserved.
func (e *exprParser) ident(what string) (string, source.Span, error) {
	if e.tok.Kind != scan.Name || isReserved(e.tok.Text) {
		return "", source.Span{}, e.unexpected("expected " + what)
	}
	at := e.span(e.tok)
	e.advance()
	return e.last.Text, at, nil
}

// names reads names with commas between them. After two or more, another comma may follow.
func (e *exprParser) names() ([]Target, error) {
	var targets []Target
	for len(targets) < 2 || !e.peek("=") && !e.peek("in") {
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

func (e *exprParser) span(t scan.Token) source.Span { return e.file.Span(t.Start, t.End) }

func (e *exprParser) from(start int) expr.Range {
	return expr.Range{At: e.file.Span(start, e.last.End)}
}

// unexpected returns the error that the current token is out of place. expected is what
// the grammar allows there, or "".
func (e *exprParser) unexpected(expected string) *source.Diagnostic {
	var message string
	text := e.file.Text
	show := func(s string) string { return quote(s, e.file.Secret) }
	switch {
	case e.parts.over():
		return e.parts.tooMany(e.span(e.tok))
	case e.tok.Kind == scan.Bad:
		return source.Errorf(e.span(e.tok), source.Syntax, "%s", e.tok.Message(text, show)).WithHint("%s", e.hint())
	case e.tok.Kind == scan.Op:
		message = fmt.Sprintf("unexpected %q", e.tok.Text)
	case e.tok.Kind != scan.End:
		message = "unexpected " + show(text[e.tok.Start:e.tok.End])
	case e.lex.directive && e.tok.Start == len(text):
		message = "unexpected end of file"
	default:
		message = "unexpected end of line"
	}
	if expected != "" {
		message += ": " + expected
	}
	return source.Errorf(e.span(e.tok), source.Syntax, "%s", message).WithHint("%s", e.hint())
}

// hint returns a correction of the current token, "" if none is known.
func (e *exprParser) hint() string {
	text := e.file.Text[e.tok.Start:e.tok.End]
	switch {
	case e.tok.Kind == scan.End && e.lex.comment >= 0 && !e.lex.directive:
		return `"#" begins a comment here, which hides what follows`
	case e.tok.Kind == scan.Name && isReserved(text):
		return fmt.Sprintf("%q is a reserved word; a key of that name is here[%[1]q]", text)
	case e.tok.Kind == scan.String && e.last.Kind == scan.String:
		return `join texts with "+"`
	case e.tok.Kind == scan.Number && strings.HasPrefix(text, "."):
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

// missing returns the error of a missing operand.
func (e *exprParser) missing() error {
	if e.last.Kind == scan.End {
		return e.unexpected("expected an expression")
	}
	return e.unexpected("expected an expression after " + quote(e.file.Text[e.last.Start:e.last.End], e.file.Secret))
}

// refused returns the error of a construct of Python that Yay does not have.
func (e *exprParser) refused(t scan.Token, what, hint string) error {
	return source.Errorf(e.span(t), source.Syntax, "%s not supported", what).WithHint("%s", hint)
}

// enter counts a level of nesting; leave ends it.
func (e *exprParser) enter() error {
	e.depth++
	if e.depth > e.max {
		return e.tooDeep()
	}
	return nil
}

func (e *exprParser) leave() { e.depth-- }

// link counts an operator of a chain.
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
