package notation

import (
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/lang/bind"
	"github.com/yaytpl/yaytpl/source"
)

// A parser reads one text by recursive descent. It looks one token ahead; where two forms
// begin alike it scans again from a mark.
type parser struct {
	scanner
	place func(start, end int) source.Span // of bytes of the text
	tok   token
	depth int
	noIn  bool  // "in" ends the expression: the value of a binding
	noMap bool  // "{" ends the expression: the operand of if, unless, case
	bare  bool  // a name is a variable: in ${...}
	notes notes // for the formatter, or nil
}

// maxDepth bounds the nesting of a source.
const maxDepth = 1000

// failure ends parsing.
type failure struct{ d *source.Diagnostic }

// newParser returns a parser of a text, with its first token read.
func newParser(src string, place func(start, end int) source.Span) *parser {
	return &parser{scanner: scanner{src: src}, place: place}
}

// run calls f and returns the error that ended it.
func (p *parser) run(f func()) (d *source.Diagnostic) {
	defer func() {
		if r := recover(); r != nil {
			failed, ok := r.(failure)
			if !ok {
				panic(r)
			}
			d = failed.d
		}
	}()
	p.advance()
	f()
	return nil
}

func (p *parser) fail(d *source.Diagnostic) { panic(failure{d}) }

func (p *parser) failf(start, end int, code source.Code, format string, args ...any) {
	p.fail(source.Errorf(p.place(start, end), code, format, args...))
}

// advance reads the next token.
func (p *parser) advance() {
	p.tok = p.next()
	if p.bad != nil {
		p.failf(p.bad.start, p.bad.end, source.Syntax, "%s", p.bad.message)
	}
}

// A mark is a position to which the parser can go back.
type mark struct {
	at        int
	tok, prev token
}

func (p *parser) mark() mark { return mark{p.at, p.tok, p.prev} }

func (p *parser) reset(m mark) { p.at, p.tok, p.prev = m.at, m.tok, m.prev }

// peek returns the token after the current one.
func (p *parser) peek() token {
	m := p.mark()
	defer p.reset(m)
	p.advance()
	return p.tok
}

// enter counts a level of nesting; the caller calls leave.
func (p *parser) enter() {
	if p.depth++; p.depth > maxDepth {
		p.failf(p.tok.start, p.tok.end, source.Limit, "the text is nested more than %d deep", maxDepth)
	}
}

func (p *parser) leave() { p.depth-- }

// expected fails because something else is needed here.
func (p *parser) expected(wanted string) {
	p.failf(p.tok.start, max(p.tok.end, p.tok.start), source.Syntax, "expected %s, found %s", wanted, p.tok.describe(p.src))
}

// is reports whether the token is a sign.
func (p *parser) is(sign string) bool { return p.tok.kind == signToken && p.tok.text == sign }

// isWord reports whether the token is a keyword, in any letter case.
func (p *parser) isWord(words ...string) bool {
	if p.tok.kind != nameToken && p.tok.kind != typeToken {
		return false
	}
	return slices.ContainsFunc(words, func(w string) bool { return strings.EqualFold(w, p.tok.text) })
}

// take skips a sign if it is next.
func (p *parser) take(sign string) bool {
	if !p.is(sign) {
		return false
	}
	p.advance()
	return true
}

// need skips a sign that must be next.
func (p *parser) need(sign string) {
	if !p.take(sign) {
		p.expected("\"" + sign + "\"")
	}
}

// takeWord skips a keyword if it is next.
func (p *parser) takeWord(word string) bool {
	if !p.isWord(word) {
		return false
	}
	p.advance()
	return true
}

// spanOf returns the place from a token to the end of the last one that was read.
func (p *parser) spanOf(start int) source.Span {
	end := p.tok.start
	for end > start && strings.IndexByte(" \t\r\n", p.src[end-1]) >= 0 {
		end--
	}
	return p.place(start, end)
}

// name reads a name.
func (p *parser) name(wanted string) (string, source.Span) {
	if p.tok.kind != nameToken {
		p.expected(wanted)
	}
	text, at := p.tok.text, p.place(p.tok.start, p.tok.end)
	p.advance()
	return text, at
}

// ident reads a name or a text.
func (p *parser) ident(wanted string) (string, source.Span) {
	switch p.tok.kind {
	case textToken:
		text, at := p.tok.text, p.place(p.tok.start, p.tok.end)
		p.advance()
		return text, at
	case joinToken:
		at := p.place(p.tok.start, p.tok.end)
		n := p.joined()
		text, ok := n.constant()
		if !ok {
			p.fail(source.Errorf(at, source.Syntax, "a name has no variables in it"))
		}
		return text.Str(), at
	}
	return p.name(wanted)
}

// A File is what a text of bindings says.
type File struct {
	Site *bind.Site

	// HasSite says that there is a section "site".
	HasSite bool
}

// ParsePP parses a .pp file: a site with its sets, or a file of sets.
//
// Codes: syntax, duplicate-section, unknown-type, limit.
func ParsePP(f *source.File) (*File, error) {
	p := newParser(f.Text, f.Span)
	out := &File{Site: &bind.Site{File: f}}
	if d := p.run(func() { p.program(out) }); d != nil {
		return nil, d
	}
	return out, nil
}

// program reads sites, sets and statements.
func (p *parser) program(f *File) {
	for p.tok.kind != endToken {
		p.note(startsLine)
		switch {
		case p.isWord("site") && p.peek().text == "{":
			f.HasSite = true
			p.site(f.Site)
		case p.isWord("bindings") && p.tok.kind == nameToken:
			f.Site.Sets = append(f.Site.Sets, p.set())
		case p.tok.kind == varToken && p.peek().text == "=":
			f.Site.Variables = append(f.Site.Variables, p.assignment())
		case p.take(";"):
		default:
			f.Site.Variables = append(f.Site.Variables, p.statementOutside())
		}
	}
}

// statementOutside reads an expression outside of sets, in which variables may be set. A word
// that is no section is more probably a mistake.
func (p *parser) statementOutside() bind.Variable {
	if p.tok.kind == nameToken && p.peek().text != "(" && !p.isWord("if", "unless", "case") {
		d := source.Errorf(p.place(p.tok.start, p.tok.end), source.Syntax, "expected site, bindings or a variable, found %s", p.tok.describe(p.src))
		p.fail(d.DidYouMean(p.tok.text, slices.Values([]string{"site", "bindings"})))
	}
	n := p.binary(0)
	return bind.Variable{At: n.span(), Value: topExpr{expr{n}}}
}

func (p *parser) assignment() bind.Variable {
	v := bind.Variable{Name: p.tok.text, At: p.place(p.tok.start, p.tok.end)}
	p.advance()
	p.need("=")
	v.Value = p.expression()
	return v
}
