package yay

import (
	"fmt"
	"strings"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
)

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

// follows reports whether a token is the one behind the current.
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

// names reads names with commas between them. Behind several there may be one more.
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
		return `the words are "and" and "or"`
	case "?":
		return "write a if test else b"
	case "!":
		return `the word is "not"`
	case "}":
		return `an expression ends with "}}"`
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
