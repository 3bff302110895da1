package template

import (
	"fmt"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
)

// maxOpen bounds how deep statements may be nested in a template.
const maxOpen = 500

// A compiler turns the pieces of one template into operations. Those of
//
//	{% for x in l %}{{ x }}{% else %}none{% endfor %}
//
// are one nestedOp, a forStatement with two bodies of one operation each.
type compiler struct {
	t    *Template
	head *head // of the current statement

	body   body // the operations so far of the innermost open body
	open   []*openStatement
	blocks map[string]source.Span // names of blocks, where they were defined
}

// An openStatement is a statement whose end has not been read yet.
type openStatement struct {
	word      string // its first word, empty for the root
	end       string // the word that ends it
	at        source.Span
	bodyExprs int // number of expressions before its first body
	statement statement
	before    body   // the operations before it, of the body around it
	bodies    []body // the bodies that ended
	hasElse   bool
	content   *piece // the first that is no white space
}

// compile sets the operations of t.
func compile(t *Template, pieces []piece) error {
	c := compiler{t: t}
	c.head = &head{c: &c}
	c.begin(&openStatement{})
	c.body = make(body, 0, len(pieces))
	for i := range pieces {
		if err := c.piece(&pieces[i]); err != nil {
			return err
		}
	}
	if len(c.open) > 1 {
		o := c.inner()
		return source.Errorf(o.at, source.Syntax, "template error: %s", c.expected(o))
	}
	t.root = c.body
	return nil
}

// noteContent notes a piece that is no white space in the statements around it.
func (c *compiler) noteContent(p *piece) {
	if p.kind == textPiece && strings.TrimLeftFunc(p.text, isSpace) == "" {
		return
	}
	for i := len(c.open) - 1; i > 0 && c.open[i].content == nil; i-- {
		c.open[i].content = p
	}
}

// leaf compiles a text or an expression.
func (c *compiler) leaf(p *piece) error {
	if p.kind == textPiece {
		c.body = append(c.body, textOp(p.text))
		return nil
	}
	n, err := expr.ParseJinja(p.text, c.placer(p.body))
	if err != nil {
		return err
	}
	c.t.exprs = append(c.t.exprs, n)
	c.body = append(c.body, &outputOp{node: n, source: p.text, exempt: staysText(n), at: c.t.at, start: p.start, end: p.end})
	return nil
}

// placer returns a Placer for the text that begins at an offset of the template.
func (c *compiler) placer(offset int) expr.Placer {
	if at, ok := c.t.at.(expr.At); ok {
		s := source.Span(at)
		return expr.At(s.Sub(offset, int(s.End-s.Start)))
	}
	return shifted{c.t.at, offset}
}

// shifted is a Placer for a part of a text.
type shifted struct {
	at     expr.Placer
	offset int
}

// TextSpan implements [expr.Placer].
func (s shifted) TextSpan(start, end int) source.Span {
	return s.at.TextSpan(s.offset+start, s.offset+end)
}

// piece compiles a text, an expression or a statement.
func (c *compiler) piece(p *piece) error {
	if p.kind != blockPiece {
		c.noteContent(p)
		return c.leaf(p)
	}
	word, at := firstWord(p.text)
	if !strings.HasPrefix(word, "end") {
		c.noteContent(p)
	}
	h := c.head
	h.piece, h.word, h.at = p, word, c.t.at.TextSpan(p.start, p.end)
	h.Parser = expr.NewParser(p.text[at+len(word):], c.placer(p.body+at+len(word)))
	h.Parser.Note(&c.t.exprs)
	h.Parser.NoteNames(&c.t.bound)
	h.wordAt = c.t.at.TextSpan(p.body+at, p.body+at+len(word))
	depth := len(c.open)
	if err := h.read(); err != nil {
		return err
	}
	if depth < len(c.open) || word == "elif" || word == "else" {
		h.Accept(":") // as in Python
	}
	return h.End()
}

// add appends an operation to the current run.
func (c *compiler) add(o op) { c.body = append(c.body, o) }

// begin opens a statement: its first body follows.
func (c *compiler) begin(o *openStatement) {
	o.before, c.body = c.body, nil
	c.open = append(c.open, o)
}

// next ends the current body of the innermost statement and begins its next one.
func (c *compiler) next() {
	o := c.inner()
	o.bodies = append(o.bodies, c.body)
	c.body = nil
}

// close ends the innermost statement.
func (c *compiler) close() {
	c.next()
	o := c.inner()
	c.open = c.open[:len(c.open)-1]
	if b, ok := o.statement.(*blockStatement); ok {
		b.body = o.bodies[0]
		if c.t.blocks == nil {
			c.t.blocks = map[string]*blockStatement{}
		}
		c.t.blocks[b.name] = b
	}
	c.body = append(o.before, &nestedOp{o.statement, o.bodies})
}

// inner returns the innermost open statement.
func (c *compiler) inner() *openStatement { return c.open[len(c.open)-1] }

// expected returns the part of a message that names the missing end of o.
func (c *compiler) expected(o *openStatement) string {
	line := 1
	if f := o.at.File; f != nil {
		line, _ = f.Position(int(o.at.Start))
	}
	return fmt.Sprintf(`"{%% %s %%}" expected for "{%% %s %%}" at line %d`, o.end, o.word, line)
}

// inLoop reports whether "break" is in a loop of the same macro or block.
func (c *compiler) inLoop() bool {
	for i := len(c.open) - 1; i > 0; i-- {
		switch c.open[i].word {
		case "for":
			if !c.open[i].hasElse {
				return true
			}
		case "macro", "call", "block", "filter", "set":
			return false
		}
	}
	return false
}

// inFor reports whether a loop is open.
func (c *compiler) inFor() bool {
	return slices.ContainsFunc(c.open, func(o *openStatement) bool { return o.word == "for" })
}

// A head is the text of a statement between its delimiters: a word, and the rest, which
// its Parser reads.
type head struct {
	*expr.Parser
	c      *compiler
	piece  *piece
	word   string
	at     source.Span // of the piece, delimiters included
	wordAt source.Span
}

// heads lists the words that begin a statement. A statement with bodies ends with "end"
// and its word. The lexer reads raw blocks, so that "raw" only serves suggestions.
var heads = [...]struct {
	word   string
	bodies bool
	read   func(*head) error
}{
	{"if", true, (*head).ifHead},
	{"for", true, (*head).forHead},
	{"set", true, (*head).setHead},
	{"with", true, (*head).withHead},
	{"macro", true, (*head).macroHead},
	{"call", true, (*head).callHead},
	{"filter", true, (*head).filterHead},
	{"autoescape", true, (*head).autoescapeHead},
	{"block", true, (*head).blockHead},
	{"raw", true, nil},
	{"elif", false, (*head).elifHead},
	{"else", false, (*head).elseHead},
	{"do", false, (*head).doHead},
	{"print", false, (*head).printHead},
	{"include", false, (*head).includeHead},
	{"import", false, (*head).importHead},
	{"from", false, (*head).importHead},
	{"extends", false, (*head).extendsHead},
	{"break", false, (*head).breakHead},
	{"continue", false, (*head).breakHead},
}

// read compiles the statement.
func (h *head) read() error {
	if h.word == "" {
		return source.Errorf(h.at, source.Syntax, "template error: a statement must begin with a word, such as \"if\" or \"for\"")
	}
	begun, isEnd := strings.CutPrefix(h.word, "end")
	for i := range heads {
		f := &heads[i]
		switch {
		case f.word == h.word && f.read != nil:
			return f.read(h)
		case isEnd && f.bodies && f.word == begun:
			return h.endHead()
		}
	}
	var words, ends []string
	for _, f := range heads {
		words = append(words, f.word)
		if f.bodies {
			ends = append(ends, "end"+f.word)
		}
	}
	return h.errorf("unknown statement %q%s", h.word, didYouMean(h.word, append(words, ends...)))
}

// errorf returns a syntax error at the word of the statement.
func (h *head) errorf(format string, args ...any) error {
	return source.Errorf(h.wordAt, source.Syntax, "template error: "+format, args...)
}

// open begins a statement with bodies.
func (h *head) open(s statement) error {
	if len(h.c.open) > maxOpen {
		return source.Errorf(h.at, source.Limit, "template error: statements are nested more than %d deep", maxOpen)
	}
	h.c.begin(&openStatement{
		word: h.word, end: "end" + h.word, at: h.at, bodyExprs: len(h.c.t.exprs), statement: s,
	})
	return nil
}

// endHead parses the end of a statement with bodies, such as "endfor", "endblock NAME" or
// "endmacro NAME".
func (h *head) endHead() error {
	o := h.c.inner()
	if o.word == "" {
		return h.errorf("%q without %q before it", h.word, strings.TrimPrefix(h.word, "end"))
	}
	if o.end != h.word {
		d := source.Errorf(h.wordAt, source.Syntax, "template error: %s, not %q", h.c.expected(o), h.word)
		return d.Note(o.at, "%q begins here", o.word)
	}
	body := h.c.t.exprs[o.bodyExprs:]
	switch s := o.statement.(type) {
	case *blockStatement: // its name may follow
		if s.required && o.content != nil {
			return source.Errorf(h.c.t.at.TextSpan(o.content.start, o.content.end), source.Syntax, "template error: a required block can only have comments and white space in it").
				Note(o.at, "the block begins here")
		}
		if h.PeekName() {
			name, at, err := h.Name()
			if err != nil {
				return err
			}
			if name != s.name {
				return source.Errorf(at, source.Syntax, "template error: this ends the block %q, not %q", s.name, name)
			}
		}
	case *macroStatement:
		h.Accept(s.name)
		if err := s.ended(body); err != nil {
			return err
		}
	case *callStatement:
		if err := s.ended(body); err != nil {
			return err
		}
	}
	h.c.close()
	return nil
}

// elifHead parses "elif EXPR".
func (h *head) elifHead() error {
	o := h.c.inner()
	s, ok := o.statement.(*ifStatement)
	if !ok {
		return h.misplaced("elif", "if")
	}
	if o.hasElse {
		return h.errorf("\"elif\" after \"else\"")
	}
	n, err := h.Tuple()
	if err != nil {
		return err
	}
	s.tests = append(s.tests, n)
	h.c.next()
	return nil
}

// elseHead parses "else", of a condition or of a loop.
func (h *head) elseHead() error {
	o := h.c.inner()
	switch o.statement.(type) {
	case *ifStatement, *forStatement:
	default:
		return h.misplaced("else", "if")
	}
	if o.hasElse {
		return h.errorf("a second \"else\"")
	}
	if h.Peek("if") {
		return h.Errorf("unexpected \"if\" after \"else\"; did you mean \"elif\"?")
	}
	o.hasElse = true
	h.c.next()
	return nil
}

// misplaced returns the error for a word that the enclosing statement does not allow.
func (h *head) misplaced(word, of string) error {
	o := h.c.inner()
	if o.word == "" {
		return h.errorf("%q without %q before it", word, of)
	}
	d := source.Errorf(h.wordAt, source.Syntax, "template error: %s before %q", h.c.expected(o), word)
	return d.Note(o.at, "%q begins here", o.word)
}
