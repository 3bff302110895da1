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
		start := p.tok.start
		s := p.statement()
		if s == nil || p.err != nil {
			return all
		}
		s.setRange(p.since(start))
		all = append(all, s)
	}
}

// statement reads a statement, whose range the caller sets. It returns nil where none begins.
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
	switch {
	case p.is("if"):
		return (*parser).ifStmt
	case p.is("import") && !p.isAt(2, "{"):
		return (*parser).importStmt
	case p.is("import") || p.ahead(1).kind == text:
		return nil
	}
	switch p.textOf(p.tok) {
	case "for", "forkv":
		return (*parser).forStmt
	case "func":
		return (*parser).funcStmt
	case "class":
		return (*parser).class
	case "include":
		return (*parser).include
	case "panic":
		return (*parser).panicStmt
	case "collect":
		return (*parser).collect
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
	b := &Bind{Name: p.variable()}
	if !p.is("=") {
		b.Type = p.typeOf("expected \"=\" or a type")
	}
	p.expect("=")
	b.Value = p.expr()
	return b
}

// kindName reads the kind of a resource, or the name of a class.
func (p *parser) kindName(what string) Word {
	return p.joined(":", func() Word { return p.anyName(what) })
}

func (p *parser) resource() Stmt {
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
	return r
}

func (p *parser) collect() Stmt {
	p.advance()
	if p.tok.kind != word {
		p.unexpected("expected a resource after \"collect\"")
	}
	r := p.resource().(*Resource)
	r.Collect = true
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
		return e
	}
	for p.accept("->") {
		e.Halves = append(e.Halves, p.half())
	}
	if len(e.Halves) == 1 {
		p.problem(p.since(start).At, "unexpected single end of an edge").WithHint("an edge has two: %s -> Kind[\"name\"]; a resource begins with a small letter", e.Halves[0].Kind.At.Text()+"[...]")
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
	return s
}

func (p *parser) forStmt() Stmt {
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
	return s
}

func (p *parser) funcStmt() Stmt {
	p.advance()
	return &FuncStmt{Name: p.anyName("the name of a function"), Func: p.function()}
}

func (p *parser) class() Stmt {
	p.advance()
	c := &Class{Name: p.kindName("the name of a class"), First: p.exprs}
	if p.is("(") {
		c.Params = p.params()
	}
	c.Body = p.block()
	c.Last = p.exprs
	return c
}

func (p *parser) include() Stmt {
	p.advance()
	i := &Include{Name: p.joined(".", func() Word { return p.anyName("the name of a class") })}
	if p.is("(") {
		i.Args = p.args()
	}
	i.As = p.alias()
	if p.is("{") && p.err == nil {
		p.unexpected("expected the end of the statement").WithHint("the arguments of a class are in parentheses: include %s(...)", i.Name.Text)
	}
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
	return i
}

func (p *parser) panicStmt() Stmt {
	p.advance()
	return &Panic{Args: p.args()}
}
