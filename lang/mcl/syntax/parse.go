package syntax

import (
	"fmt"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/source"
)

// Limits of a program. Passes over a tree may recurse: it is not higher than maxHeight.
const (
	maxDepth  = 1000   // of nested brackets, blocks and prefix operators
	maxHeight = 20_000 // of an expression: "1 + 1 + 1" has height 3
)

// Parse reads a program. Errors that the grammar does not know are in Problems of the program, warnings
// in Findings.
//
// An error is a [source.Diagnostic], or [source.Errors] of several: after an error the parser goes on
// at the next statement that begins a line, if all brackets before it are closed.
//
// Codes: syntax, limit.
func Parse(f *source.File) (*Program, error) {
	p := newParser(f, false)
	prog := &Program{File: f}
	end := len(f.Text)
	prog.Body = Block{Open: f.Span(0, 0), Close: f.Span(end, end)}
	var failures []*source.Diagnostic
	for {
		prog.Body.Stmts = append(prog.Body.Stmts, p.statements()...)
		if p.err == nil && p.tok.kind != endOfText {
			p.unexpected("expected a statement")
		}
		if p.err == nil {
			break
		}
		failures = append(failures, p.err)
		if len(failures) == source.MaxErrors || !p.recover() {
			break
		}
	}
	if len(failures) > 0 {
		return nil, source.OneOrMany(source.CutOff(failures))
	}
	slices.SortStableFunc(p.problems, func(a, b *source.Diagnostic) int { return int(a.At.Start) - int(b.At.Start) })
	prog.Comments, prog.Exprs = p.comments, p.exprs
	prog.Problems, prog.Findings = p.problems, p.findings
	return prog, nil
}

// A parser reads tokens by recursive descent, expressions by the precedence of operators. An error
// moves it to the end of the text: so each function goes on to its end, and its result is dropped.
type parser struct {
	file     *source.File
	tokens   []token
	comments []Comment
	bad      map[uint32]*source.Diagnostic

	pos  int    // of the current token
	tok  token  // the current token
	last uint32 // end of the token before it

	err    *source.Diagnostic
	failed int // position of the token that err is about

	depth  int // of nesting
	height int // of the expression that was read last
	exprs  int // number of expressions

	problems []*source.Diagnostic
	findings []*source.Diagnostic
}

func newParser(f *source.File, signature bool) *parser {
	s := scanner{file: f, text: f.Text, bad: map[uint32]*source.Diagnostic{}, signature: signature}
	s.scan()
	p := &parser{file: f, tokens: s.tokens, comments: s.comments, bad: s.bad}
	p.tok = p.tokens[0]
	return p
}

func (p *parser) textOf(t token) string { return p.file.Text[t.start:t.end] }

// is reports whether the current token is a symbol or a word.
func (p *parser) is(s string) bool { return p.isAt(0, s) }

// isAt reports whether the token that many places ahead is a symbol or a word.
func (p *parser) isAt(ahead int, s string) bool {
	t := p.ahead(ahead)
	return int(t.end-t.start) == len(s) && p.textOf(t) == s
}

// ahead returns the token that many places after the current one.
func (p *parser) ahead(n int) token {
	if p.err != nil {
		return p.tok
	}
	return p.tokens[min(p.pos+n, len(p.tokens)-1)]
}

func (p *parser) advance() {
	if p.tok.kind == endOfText || p.err != nil {
		return
	}
	p.last = p.tok.end
	p.pos++
	p.tok = p.tokens[p.pos]
}

func (p *parser) accept(s string) bool {
	if !p.is(s) {
		return false
	}
	p.advance()
	return true
}

// expect reads a symbol or a word, and returns its place.
func (p *parser) expect(s string) source.Span {
	at := p.at()
	if !p.accept(s) {
		p.unexpected("expected %q", s)
	}
	return at
}

// at returns the place of the current token.
func (p *parser) at() source.Span { return p.span(p.tok.start, p.tok.end) }

func (p *parser) span(start, end uint32) source.Span {
	return source.Span{File: p.file, Start: start, End: max(start, end)}
}

// since returns the place from start to the token that was read last.
func (p *parser) since(start uint32) Range { return Range{p.span(start, p.last)} }

// fail sets the error, unless there is one, and moves to the end of the text.
func (p *parser) fail(d *source.Diagnostic) {
	if p.err != nil {
		return
	}
	p.err, p.failed = d, p.pos
	p.tok = p.tokens[len(p.tokens)-1]
}

// unexpected makes the current token an error. The format says what was expected.
func (p *parser) unexpected(format string, args ...any) *source.Diagnostic {
	d := p.bad[p.tok.start]
	if p.tok.kind != bad {
		met := fmt.Sprintf("unexpected %q", p.textOf(p.tok))
		if p.tok.kind == endOfText {
			met = "unexpected end of text"
		}
		d = source.Errorf(p.at(), source.Syntax, "%s: %s", met, fmt.Sprintf(format, args...))
		p.explain(d)
	}
	p.fail(d)
	return d
}

// enter begins a level of nesting. Each call needs one of leave.
func (p *parser) enter() {
	if p.depth++; p.depth > maxDepth {
		p.fail(source.Errorf(p.at(), source.Limit, "the program is nested more than %d levels deep", maxDepth))
	}
}

func (p *parser) leave() { p.depth-- }

// recover moves to the next statement after an error, and reports whether there is one: a token that
// begins a line, without blanks before it, where all brackets are closed.
func (p *parser) recover() bool {
	if p.err.Code != source.Syntax {
		return false
	}
	open := 0
	for i, t := range p.tokens {
		starts := t.kind == word || t.kind == capital || t.kind == dollar
		if i > p.failed && open == 0 && starts && p.file.Text[t.start-1] == '\n' {
			p.pos, p.tok, p.last = i, t, t.start
			p.err, p.depth, p.height = nil, 0, 0
			return true
		}
		if t.kind != symbol {
			continue
		}
		switch p.file.Text[t.start:t.end] {
		case "{", "[", "(":
			open++
		case "}", "]", ")":
			open--
		}
	}
	return false
}

// name reads a name. It may be a keyword of today if the symbol before follows.
func (p *parser) name(what, before string) Word {
	t := p.textOf(p.tok)
	if isNew(t) && !p.isAt(1, before) {
		return p.noName(what)
	}
	return p.anyName(what)
}

// anyName reads a name that may be a keyword of today.
func (p *parser) anyName(what string) Word {
	t := p.textOf(p.tok)
	if isCommon(t) {
		return p.noName(what)
	}
	return p.anyWord(what)
}

// anyWord reads a name that may be any word, where nothing else is possible: B["y"].in.
func (p *parser) anyWord(what string) Word {
	if p.tok.kind != word {
		return p.noName(what)
	}
	w := Word{p.textOf(p.tok), p.at()}
	p.advance()
	return w
}

func (p *parser) noName(what string) Word {
	met := p.tok.kind
	d := p.unexpected("expected %s", what)
	switch {
	case met == text:
		d.WithHint("a name has no quotes")
	case met == word:
		d.WithHint("%q is a word of the language: it cannot be a name", d.At.Text())
	case met == capital:
		d.WithHint("names have small letters, digits and \"_\"")
	}
	return Word{At: p.at()}
}

// joined reads a name with parts: each is read by part, and separator is between them.
func (p *parser) joined(separator string, part func() Word) Word {
	w := part()
	if !p.is(separator) {
		return w
	}
	var b strings.Builder
	b.WriteString(w.Text)
	for p.accept(separator) {
		b.WriteString(separator)
		b.WriteString(part().Text)
	}
	return Word{b.String(), p.span(w.At.Start, p.last)}
}

// variable reads "$name", for a place that defines it. Its place has the "$".
func (p *parser) variable() Word {
	start := p.tok.start
	if p.tok.kind != dollar {
		named := p.tok.kind == word
		if d := p.unexpected("expected a variable such as $x"); named {
			d.WithHint("write $%s", d.At.Text())
		}
		return Word{At: p.at()}
	}
	p.advance()
	w := p.anyName("the name of a variable")
	w.At.Start = start
	return w
}
