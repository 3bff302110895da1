package expr

import (
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/yaytpl/yaytpl/internal/scan"
	"github.com/yaytpl/yaytpl/source"
)

// A Parser parses Jinja expressions, and the heads of Jinja statements, which consist of
// expressions, names and keywords:
//
//	for key, v in pairs if v      Expect("for"), Target, Expect("in"), TupleNoCond, ...
//
// Every method may return the error of a text that is not a token.
type Parser struct {
	at    Placer
	text  string
	lex   scan.Scanner
	tok   scan.Token // the current one
	ahead scan.Token // the next one
	last  scan.Token // the previous one
	depth int        // of nesting
	notes *[]Node    // see Note
	names *[]string  // see NoteNames
	links int        // operators read, which bounds the depth of chains such as 1+1+1
}

const (
	maxNesting = 1000
	maxLinks   = 20_000
)

// jinjaSyntax is the syntax of Python without the operators that Jinja does not have.
var jinjaSyntax = scan.Syntax{
	Blanks:  blanks,
	Pairs:   []string{"**", "//", "==", "!=", "<=", ">="},
	Singles: "+-*/%~|.,:()[]{}<>=",
	Letters: true, Underscores: true,
}

// NewParser returns a parser of text.
func NewParser(text string, at Placer) *Parser {
	p := new(Parser)
	p.start(text, at)
	return p
}

// start makes p a parser of text.
func (p *Parser) start(text string, at Placer) {
	*p = Parser{at: at, text: text, lex: scan.Scanner{Syntax: &jinjaSyntax, Text: text, End: len(text)}}
	p.lex.Next(&p.tok)
	p.lex.Next(&p.ahead)
}

// parsers are the parsers of ParseJinja, kept because a parser is larger than the tree of most expressions.
var parsers = sync.Pool{New: func() any { return new(Parser) }}

// ParseJinja parses a Jinja expression. Several expressions with commas between them are
// a list. Errors have the code syntax and begin with "template error".
func ParseJinja(text string, at Placer) (Node, error) {
	p := parsers.Get().(*Parser)
	p.start(text, at)
	defer func() {
		*p = Parser{} // it must not keep the text
		parsers.Put(p)
	}()
	n, err := p.Tuple()
	if err == nil {
		err = p.End()
	}
	if err != nil {
		return nil, Conceal(err)
	}
	return n, nil
}

// NoteNames makes the parser append every name that a head binds to a list: targets,
// parameters, the names of macros.
func (p *Parser) NoteNames(list *[]string) { p.names = list }

// Note makes the parser append every outermost expression that it parses to a list.
func (p *Parser) Note(list *[]Node) { p.notes = list }

func (p *Parser) advance() {
	p.last, p.tok = p.tok, p.ahead
	if p.tok.Kind != scan.End && p.tok.Kind != scan.Bad {
		p.lex.Next(&p.ahead)
	}
}

// offset returns where the current token begins.
func (p *Parser) offset() int { return p.tok.Start }

// AtEnd reports whether everything has been read.
func (p *Parser) AtEnd() bool { return p.tok.Kind == scan.End }

// End returns an error unless everything has been read.
func (p *Parser) End() error {
	if p.AtEnd() {
		return nil
	}
	return p.Errorf("unexpected %s", p.found())
}

// Peek reports whether the current token is the given name or operator.
func (p *Parser) Peek(word string) bool { return p.tok.Is(word) }

// PeekBoth reports whether the current token and the next one are the given names or operators.
func (p *Parser) PeekBoth(word, next string) bool { return p.tok.Is(word) && p.ahead.Is(next) }

// PeekName reports whether the current token is a name.
func (p *Parser) PeekName() bool { return p.tok.Kind == scan.Name }

// Accept reads the given name or operator, and reports whether it is the current token.
func (p *Parser) Accept(word string) bool {
	if !p.tok.Is(word) {
		return false
	}
	p.advance()
	return true
}

// Expect reads the given name or operator. Any other token is an error.
func (p *Parser) Expect(word string) error {
	if p.Accept(word) {
		return nil
	}
	return p.Errorf("expected %q instead of %s", word, p.found())
}

// Name reads a name.
func (p *Parser) Name() (string, source.Span, error) {
	if p.tok.Kind != scan.Name || isReserved(p.tok.Text) {
		return "", source.Span{}, p.Errorf("expected a name instead of %s", p.found())
	}
	p.advance()
	if p.names != nil {
		*p.names = append(*p.names, p.last.Text)
	}
	return p.last.Text, p.spanOf(p.last), nil
}

// NewName is [Parser.Name] for a name that gets a value: a constant such as "true" is an error.
func (p *Parser) NewName() (string, source.Span, error) {
	switch p.tok.Text {
	case "true", "false", "none", "True", "False", "None":
		if p.tok.Kind == scan.Name {
			return "", source.Span{}, p.Errorf("cannot assign to %q, which is a constant", p.tok.Text)
		}
	}
	return p.Name()
}

// Errorf returns a syntax error at the current token.
func (p *Parser) Errorf(format string, args ...any) error {
	if p.tok.Kind == scan.Bad {
		format, args = "%s", []any{p.tok.Message(p.text, quoted)}
	}
	return p.syntaxError(fmt.Sprintf(format, args...))
}

// spanFrom returns the range from an offset to the end of the previous token.
func (p *Parser) spanFrom(start int) source.Span {
	return p.at.TextSpan(start, max(start, p.last.End))
}

func (p *Parser) spanOf(t scan.Token) source.Span { return p.at.TextSpan(t.Start, t.End) }

func (p *Parser) from(start int) Range { return Range{p.spanFrom(start)} }

// found describes the current token for messages.
func (p *Parser) found() string {
	if p.AtEnd() {
		return "the end"
	}
	return quoted(p.text[p.tok.Start:p.tok.End])
}

// maxFound bounds a token in a message, in bytes.
const maxFound = 40

// quoted writes a part of an expression for a message: its first line, cut if it is long.
func quoted(text string) string {
	line, rest, _ := strings.Cut(text, "\n")
	if len(line) > maxFound || rest != "" {
		line = strings.ToValidUTF8(line[:min(len(line), maxFound)], "") + "..."
	}
	if strconv.CanBackquote(line) && !strings.Contains(line, `"`) {
		return `"` + line + `"` // backslashes of an escape once
	}
	return strconv.Quote(line)
}

// isReserved reports whether a word is part of the expression grammar.
func isReserved(word string) bool {
	switch word {
	case "and", "or", "not", "in", "is", "if", "else":
		return true
	}
	return false
}

// enter counts one level of nesting; leave ends it.
func (p *Parser) enter() error {
	p.depth++
	if p.depth > maxNesting {
		return p.tooDeep()
	}
	return nil
}

func (p *Parser) leave() { p.depth-- }

func (p *Parser) link() error {
	p.links++
	if p.links > maxLinks {
		return p.tooDeep()
	}
	return nil
}

func (p *Parser) tooDeep() error {
	return source.Errorf(p.spanOf(p.tok), source.Limit, "template error: the expression is nested too deeply")
}

// A Target is the target of an assignment by "set" or "for": a name, an attribute of a
// namespace (ns.x), or several targets that each take an item of the value (a, b).
type Target struct {
	At    source.Span
	Name  string
	Attr  string   // not empty for ns.x
	Items []Target // not nil for a, b
}

// Names returns the names that the target assigns, without attributes.
func (t Target) Names() []string {
	if t.Items == nil {
		if t.Attr != "" {
			return nil
		}
		return []string{t.Name}
	}
	var names []string
	for _, item := range t.Items {
		names = append(names, item.Names()...)
	}
	return names
}

// Target reads an assignment target.
func (p *Parser) Target() (Target, error) {
	start := p.offset()
	first, err := p.targetItem()
	if err != nil || !p.Peek(",") {
		return first, err
	}
	items := []Target{first}
	for p.Accept(",") {
		if !p.PeekName() && !p.Peek("(") || p.Peek("in") {
			break
		}
		item, err := p.targetItem()
		if err != nil {
			return Target{}, err
		}
		items = append(items, item)
	}
	return Target{At: p.spanFrom(start), Items: items}, nil
}

// targetItem reads a name, name.attribute, or a nested target in parentheses: {% for (a, b), c in ... %}.
func (p *Parser) targetItem() (Target, error) {
	if err := p.enter(); err != nil {
		return Target{}, err
	}
	defer p.leave()
	if p.Accept("(") {
		t, err := p.Target()
		if err != nil {
			return t, err
		}
		return t, p.Expect(")")
	}
	start := p.offset()
	name, _, err := p.NewName()
	if err != nil {
		return Target{}, err
	}
	t := Target{Name: name}
	if p.Accept(".") {
		if t.Attr, _, err = p.Name(); err != nil {
			return Target{}, err
		}
	}
	t.At = p.spanFrom(start)
	return t, nil
}

// A Param is a parameter of a macro. Without a default, Default is nil.
type Param struct {
	Name    string
	At      source.Span
	Default Node
}

// Params reads the parameters of a macro: "(a, b=1)".
func (p *Parser) Params() ([]Param, error) {
	if err := p.Expect("("); err != nil {
		return nil, err
	}
	var params []Param
	for !p.Accept(")") {
		name, at, err := p.NewName()
		if err != nil {
			return nil, err
		}
		param := Param{Name: name, At: at}
		if p.Accept("=") {
			if param.Default, err = p.Expr(); err != nil {
				return nil, err
			}
		}
		params = append(params, param)
		if err := p.comma(")"); err != nil {
			return nil, err
		}
	}
	return params, nil
}

// An Assignment is "name = expression" in the head of a "with" statement.
type Assignment struct {
	Target Target
	Value  Node
}

// Assignments reads "a = EXPR, b = EXPR".
func (p *Parser) Assignments() ([]Assignment, error) {
	var all []Assignment
	for more := !p.AtEnd() && !p.Peek(":"); more; more = p.Accept(",") {
		target, err := p.Target()
		if err != nil {
			return nil, err
		}
		if err := p.Expect("="); err != nil {
			return nil, err
		}
		v, err := p.Expr()
		if err != nil {
			return nil, err
		}
		all = append(all, Assignment{target, v})
	}
	return all, nil
}

// Filters reads "name(args) | name | ...", the head of a "filter" statement, and applies
// the filters to x.
func (p *Parser) Filters(x Node) (Node, error) {
	n, err := p.filter(x, p.offset())
	if err != nil {
		return nil, err
	}
	if n, err = p.filters(n, p.offset()); err == nil && p.notes != nil {
		*p.notes = append(*p.notes, n)
	}
	return n, err
}
