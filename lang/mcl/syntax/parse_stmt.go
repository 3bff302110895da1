package syntax

import (
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/source"
)

// statements reads statements up to the end of a block or of the text (spec: mcl, section 2).
func (p *parser) statements() []Stmt {
	var all []Stmt
	for {
		s := p.statement()
		if s == nil || p.err != nil {
			return all
		}
		all = append(all, s)
	}
}

// statement returns nil where no statement begins.
func (p *parser) statement() Stmt {
	switch p.tok.kind {
	case dollar:
		return p.bind()
	case capital:
		return p.edge()
	case word:
		if p.tok.start == p.last && p.pos > 0 && isDigit(p.file.Text[p.last-1]) {
			p.unexpected("expected the end of the number").WithHint(digits)
			return nil
		}
		if read := p.keyword(); read != nil {
			return read(p)
		}
		return p.resource()
	}
	return nil
}

// keyword returns the function for the statement that the current word begins, or nil if the
// word is a kind of resources. A keyword of today with a string after it is a kind of 2018.
func (p *parser) keyword() func(*parser) Stmt {
	isKind := p.ahead(1).kind == text
	switch p.textOf(p.tok) {
	case "if":
		return (*parser).ifStmt
	case "import":
		if !p.isAt(2, "{") {
			return (*parser).importStmt
		}
	case "for", "forkv":
		if !isKind {
			return (*parser).forStmt
		}
	case "func":
		if !isKind {
			return (*parser).funcStmt
		}
	case "class":
		if !isKind {
			return (*parser).class
		}
	case "include":
		if !isKind {
			return (*parser).include
		}
	case "panic":
		if !isKind {
			return (*parser).panicStmt
		}
	case "collect":
		if !isKind {
			return (*parser).collect
		}
	}
	return nil
}

// block reads statements between braces.
func (p *parser) block() *Block {
	p.enter()
	defer p.leave()
	b := &Block{Open: p.expect("{")}
	b.Stmts = p.statements()
	b.Close = p.closing("}", b.Open, "expected a statement or %q")
	return b
}

// closing reads the bracket that closes another one. The format says what was expected.
func (p *parser) closing(bracket string, open source.Span, format string) source.Span {
	at := p.at()
	if p.err == nil && !p.accept(bracket) {
		below := p.tok.kind == endOfText || strings.Contains(p.file.Text[p.last:p.tok.start], "\n")
		if d := p.unexpected(format, bracket); below && d.Code == source.Syntax {
			d.Note(open, "the %q that is open", open.Text())
		}
	}
	return at
}

func (p *parser) bind() Stmt {
	start := p.tok.start
	b := &Bind{Name: p.variable()}
	if !p.is("=") {
		b.Type = p.typeOf("expected \"=\" or a type")
	}
	p.expect("=")
	b.Value = p.expr()
	b.Range = p.since(start)
	return b
}

// kindName reads the kind of a resource, or the name of a class.
func (p *parser) kindName(what string) Word {
	return p.joined(":", func() Word { return p.anyName(what) })
}

func (p *parser) resource() Stmt {
	start := p.tok.start
	r := &Resource{Kind: p.kindName("the kind of a resource")}
	if p.is("=") || p.is("=>") {
		p.unexpected("expected the name of a resource of the kind %s", r.Kind.Text).WithHint("to bind a variable write $%s =", r.Kind.Text)
	}
	direct := p.is("[") && p.tok.start == r.Kind.At.End
	r.Name = p.expr()
	switch bound, ok := r.Name.(*Var); {
	case ok && slices.Contains(declarators, r.Kind.Text) && p.is("="):
		p.unexpected("expected \"{\"").WithHint("to bind a variable write $%s =", bound.Name)
	case direct && p.err == nil && !p.is("{"):
		p.unexpected("expected \"{\"").WithHint("the end of an edge has a capital letter: %s[...]", Capitalised(r.Kind.Text))
	}
	r.Open = p.expect("{")
	for p.err == nil && !p.is("}") && p.tok.kind != endOfText {
		r.Lines = append(r.Lines, p.line())
	}
	r.Close = p.closing("}", r.Open, "expected %q")
	r.Range = p.since(start)
	return r
}

func (p *parser) collect() Stmt {
	start := p.tok.start
	p.advance()
	if p.tok.kind != word {
		p.unexpected("expected a resource after \"collect\"")
	}
	r := p.resource().(*Resource)
	r.Collect = true
	r.Range = p.since(start)
	return r
}

// line reads a line of a resource with its comma, which is not part of its place.
func (p *parser) line() *Line {
	l, start := &Line{}, p.tok.start
	switch {
	case p.tok.kind == capital && p.is("Meta") && p.isAt(1, ":"):
		p.advance()
		p.advance()
		l.Kind, l.Name = MetaLine, p.name("a parameter such as noop", "=>")
	case p.tok.kind == capital && p.is("Meta") && p.ahead(2).kind != capital:
		p.advance()
		l.Kind = MetaAll
	case p.tok.kind == capital:
		l.Kind = EdgeLine
		l.Name = Word{strings.ToLower(p.textOf(p.tok)), p.at()}
		p.advance()
	default:
		l.Name = p.name("a field, an edge such as Before, or \"}\"", "=>")
	}
	p.arrow()
	p.lineValue(l)
	l.Range = p.since(start)
	p.lineEnd()
	return l
}

// lineValue reads the value after the arrow. A capitalised name begins the end of an edge.
func (p *parser) lineValue(l *Line) {
	if p.tok.kind != capital {
		l.Value = p.expr()
		if p.accept("?:") {
			l.Cond, l.Value = l.Value, nil
		}
	}
	switch {
	case l.Kind != EdgeLine && l.Value == nil && p.tok.kind == capital:
		explainLine(p.unexpected("expected an expression"), l.Name.Text)
	case l.Kind != EdgeLine && l.Value == nil:
		l.Value = p.expr()
	case l.Kind == EdgeLine && l.Value != nil:
		if p.err == nil {
			d := p.unexpected("expected \"?:\", since the value of %s is the end of an edge such as Kind[\"name\"]", l.Name.At.Text())
			if name, ok := l.Value.(*Str); ok && d.Hint == "" {
				d.WithHint("write Kind[%s]", name.At.Text())
			}
		}
	case l.Kind == EdgeLine:
		if !isProperty(l.Name.Text) {
			explainLine(p.problem(l.Name.At, "unexpected property %q: the edges of a resource are Before, Depend, Notify and Listen", l.Name.At.Text()).
				DidYouMean(l.Name.At.Text(), slices.Values([]string{"Before", "Depend", "Notify", "Listen"})), l.Name.Text)
		}
		l.Half = p.half()
	}
}

// Properties are the names of the lines of resources that are edges.
var Properties = []string{"before", "depend", "listen", "notify"}

func isProperty(name string) bool { return slices.Contains(Properties, name) }

// problem adds an error that the grammar does not know.
func (p *parser) problem(at source.Span, format string, args ...any) *source.Diagnostic {
	d := source.Errorf(at, source.Syntax, format, args...)
	if p.err == nil {
		p.problems = append(p.problems, d)
	}
	return d
}

// lineEnd reads the comma of a line. It is missing if the line ends without it.
func (p *parser) lineEnd() {
	if p.err != nil || p.accept(",") {
		return
	}
	next := p.file.Text[p.last:p.tok.start]
	named := p.tok.kind == word || p.tok.kind == capital
	switch {
	case p.is("}") || named && (strings.Contains(next, "\n") || p.isAt(1, "=>")):
		end := p.last
		p.fail(source.Errorf(p.span(end, end), source.Syntax, "unexpected end of the line: its comma is missing").WithHint("each line of a resource ends with a comma"))
	default:
		p.unexpected("expected a comma at the end of the line")
	}
}

// edge reads a chain of halves, or an edge that sends a value.
func (p *parser) edge() Stmt {
	start := p.tok.start
	e := &Edge{Halves: []*Half{p.half()}}
	if p.accept(".") {
		e.Send = p.anyWord("the name of the field that is sent")
		p.expect("->")
		e.Halves = append(e.Halves, p.half())
		p.expect(".")
		e.Recv = p.anyWord("the name of the field that receives")
		e.Range = p.since(start)
		return e
	}
	for p.accept("->") {
		e.Halves = append(e.Halves, p.half())
	}
	e.Range = p.since(start)
	if len(e.Halves) == 1 {
		p.problem(e.At, "unexpected single end of an edge").WithHint("an edge has two: %s -> Kind[\"name\"]; a resource begins with a small letter", e.Halves[0].Kind.At.Text()+"[...]")
	}
	return e
}

// half reads one end of an edge.
func (p *parser) half() *Half {
	start := p.tok.start
	h := &Half{Kind: p.joined(":", func() Word {
		if p.tok.kind != capital {
			p.unexpected("expected the end of an edge such as Kind[\"name\"]")
			return Word{At: p.at()}
		}
		w := Word{strings.ToLower(p.textOf(p.tok)), p.at()}
		p.advance()
		return w
	})}
	if p.tok.kind == text {
		d := p.unexpected("expected \"[\"")
		d.WithHint("a resource begins with a small letter: %s %s { ... }", h.Kind.Text, d.At.Text())
	}
	open := p.expect("[")
	h.Name = p.expr()
	p.closing("]", open, "expected %q")
	h.Range = p.since(start)
	return h
}

func (p *parser) ifStmt() Stmt {
	start := p.tok.start
	p.advance()
	s := &IfStmt{Cond: p.expr()}
	s.Then = p.block()
	if p.is("elseif") || p.is("elsif") || p.is("elif") {
		p.unexpected("expected \"else\" or the next statement").WithHint("nest it: else { if ... { } }")
	}
	if p.accept("else") {
		if p.is("if") {
			p.unexpected("expected \"{\" after \"else\"").WithHint("nest it: else { if ... { } }")
		}
		s.Else = p.block()
	}
	s.Range = p.since(start)
	return s
}

func (p *parser) forStmt() Stmt {
	start := p.tok.start
	s := &For{Map: p.is("forkv")}
	p.advance()
	s.Key = p.variable()
	if p.is("in") {
		p.unexpected("expected \",\"").WithHint("a loop has two variables: for $index, $%s in ..., forkv $key, $value in ...", s.Key.Text)
	}
	p.expect(",")
	s.Value = p.variable()
	p.expect("in")
	s.Over = p.expr()
	s.Body = p.block()
	s.Range = p.since(start)
	return s
}

func (p *parser) funcStmt() Stmt {
	start := p.tok.start
	p.advance()
	f := &FuncStmt{Name: p.anyName("the name of a function")}
	f.Func = p.function()
	f.Range = p.since(start)
	return f
}

func (p *parser) class() Stmt {
	start := p.tok.start
	p.advance()
	c := &Class{Name: p.kindName("the name of a class"), First: p.exprs}
	if p.is("(") {
		c.Params = p.params()
	}
	c.Body = p.block()
	c.Last = p.exprs
	c.Range = p.since(start)
	return c
}

func (p *parser) include() Stmt {
	start := p.tok.start
	p.advance()
	i := &Include{Name: p.joined(".", func() Word { return p.anyName("the name of a class") })}
	if p.is("(") {
		i.Args = p.args()
	}
	i.As = p.alias()
	if p.is("{") && p.err == nil {
		p.unexpected("expected the end of the statement").WithHint("the arguments of a class are in parentheses: include %s(...)", i.Name.Text)
	}
	i.Range = p.since(start)
	return i
}

// alias reads "as name". A resource of the kind "as" has a string after it.
func (p *parser) alias() Word {
	if !p.is("as") || p.ahead(1).kind == text {
		return Word{}
	}
	p.advance()
	return p.anyName("a name after \"as\"")
}

func (p *parser) importStmt() Stmt {
	start := p.tok.start
	p.advance()
	i := &Import{}
	if p.tok.kind != text {
		named := p.tok.kind == word
		if d := p.unexpected("expected a string: the name of a module, or a path"); named {
			d.WithHint("write %q", d.At.Text())
		}
	} else {
		i.Path = Word{p.file.Text[p.tok.start+1 : p.tok.end-1], p.at()}
		p.advance()
	}
	if p.is("as") && p.isAt(1, "*") {
		p.advance()
		i.As = Word{"*", p.at()}
		p.advance()
	} else {
		i.As = p.alias()
	}
	i.Range = p.since(start)
	return i
}

func (p *parser) panicStmt() Stmt {
	start := p.tok.start
	p.advance()
	s := &Panic{Args: p.args()}
	s.Range = p.since(start)
	return s
}
