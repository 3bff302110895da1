package template

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/flosch/pongo2/v6"
	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
)

// maxOpen bounds how deep statements may be nested in a template.
const maxOpen = 500

// A compiler turns the pieces of one template into operations and statements, and
// writes the skeleton from which pongo2 learns how they are nested.
type compiler struct {
	t    *Template
	skel skeleton
	head *head // of the current statement

	cur        []op   // operations since the last tag of the skeleton
	runs       [][]op // earlier operations, numbered by the skeleton
	statements []statement
	open       []*openStatement
	blocks     map[string]source.Span // names of blocks, where they were defined
}

// An openStatement is a statement whose end has not been read yet.
type openStatement struct {
	word      string // its first word, empty for the root
	end       string // the word that ends it
	at        source.Span
	bodyExprs int // number of expressions before its first body
	statement statement
	hasElse   bool
	content   *piece // the first that is no white space
}

// compile sets the operations of t, or its tree if t has statements.
func compile(t *Template, pieces []piece) error {
	if !slices.ContainsFunc(pieces, func(p piece) bool { return p.kind == blockPiece }) {
		return compileSimple(t, pieces)
	}
	c := compiler{t: t}
	c.head = &head{c: &c}
	c.begin(&openStatement{statement: rootStatement{}})
	for i := range pieces {
		if err := c.piece(&pieces[i]); err != nil {
			return err
		}
	}
	if len(c.open) > 1 {
		o := c.inner()
		return source.Errorf(o.at, source.Syntax, "template error: %s", c.expected(o))
	}
	c.close()
	tree, err := build(&c.skel, c.runs, c.statements)
	if err != nil {
		return source.Errorf(t.at.TextSpan(0, len(t.text)), source.Internal, "template error: %v", err)
	}
	t.tree = tree
	return nil
}

// compileSimple sets the operations of t, which has no statements. It is a function of its own because only the
// compiler of statements is an allocation.
func compileSimple(t *Template, pieces []piece) error {
	c := compiler{t: t, cur: make([]op, 0, len(pieces))}
	for i := range pieces {
		if err := c.leaf(&pieces[i]); err != nil {
			return err
		}
	}
	t.simple = c.cur
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
		c.cur = append(c.cur, textOp(p.text))
		return nil
	}
	n, err := expr.ParseJinja(p.text, c.placer(p.body))
	if err != nil {
		return err
	}
	if len(c.open) > 0 {
		c.t.exprs = append(c.t.exprs, n)
	}
	c.cur = append(c.cur, &outputOp{node: n, source: p.text, exempt: staysText(n), at: c.t.at, start: p.start, end: p.end})
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
func (c *compiler) add(o op) { c.cur = append(c.cur, o) }

// flush ends the current run of operations.
func (c *compiler) flush() {
	if len(c.cur) == 0 {
		return
	}
	c.skel.numbered(runTag, len(c.runs))
	c.runs = append(c.runs, c.cur)
	c.cur = nil
}

// begin opens a statement: its first body follows.
func (c *compiler) begin(o *openStatement) {
	c.flush()
	c.skel.numbered(openTag, len(c.statements))
	c.statements = append(c.statements, o.statement)
	c.open = append(c.open, o)
}

// next ends the current body of the innermost statement and begins its next one.
func (c *compiler) next() {
	c.flush()
	c.skel.plain(nextTag)
}

// close ends the innermost statement.
func (c *compiler) close() {
	c.flush()
	c.skel.plain(closeTag)
	c.open = c.open[:len(c.open)-1]
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

// pongo2 builds and runs the tree of statements. It does not read the user's text but a
// skeleton of four tags of our own, so that none of its own tags, filters and expressions
// can be reached:
//
//	{%yrun 3%}   the operations of run 3: texts, expressions, simple statements
//	{%yopen 2%}  statement 2, whose first body follows
//	{%ynext%}    its next body
//	{%yclose%}   its end
//
// Statement 0 is the root, so that
//
//	{% for x in l %}{{ x }}{% else %}none{% endfor %}
//
// has the skeleton
//
//	{%yopen 0%}{%yopen 1%}{%yrun 0%}{%ynext%}{%yrun 1%}{%yclose%}{%yclose%}
const (
	runTag   = "yrun"
	openTag  = "yopen"
	nextTag  = "ynext"
	closeTag = "yclose"
)

// registerTags adds our tags to pongo2's global registry, once.
var registerTags = sync.OnceValue(func() error {
	return errors.Join(pongo2.RegisterTag(runTag, parseRun), pongo2.RegisterTag(openTag, parseOpen))
})

// stateKey is the key in pongo2's context of the one value that our nodes need: a
// *linker or a *run.
const stateKey = "yaytpl"

// A skeleton is the text that pongo2 reads.
type skeleton struct{ text strings.Builder }

func (s *skeleton) numbered(tag string, n int) {
	s.text.WriteString("{%" + tag + " " + strconv.Itoa(n) + "%}")
}

func (s *skeleton) plain(tag string) { s.text.WriteString("{%" + tag + "%}") }

// noFiles is the loader of our template sets: pongo2 reads no files.
type noFiles struct{}

func (noFiles) Abs(_, name string) string { return name }

func (noFiles) Get(string) (io.Reader, error) {
	return nil, errors.New("templates are not read by pongo2")
}

// A tree is a template as pongo2 holds it, linked to our statements.
type tree struct {
	root   body
	blocks map[string]*blockStatement
}

// A rootStatement contains a whole template. It is never run as a statement.
type rootStatement struct{}

func (rootStatement) exec(*run, []body) error { return nil }

// build has pongo2 parse a skeleton, and links its nodes to the operations and
// statements. Each template has a template set of its own, because pongo2 does not guard
// the fields of a set against concurrent use.
func build(s *skeleton, runs [][]op, statements []statement) (*tree, error) {
	if err := registerTags(); err != nil {
		return nil, err
	}
	t, err := pongo2.NewSet("yaytpl", noFiles{}).FromString(s.text.String())
	if err != nil {
		return nil, err
	}
	l := &linker{runs: runs, statements: statements, tree: &tree{}}
	err = t.ExecuteWriterUnbuffered(pongo2.Context{stateKey: l}, nowhere{})
	return l.tree, err
}

// A linker sets the operations and statements of the nodes in a new tree. It visits
// them by running the tree once.
type linker struct {
	runs       [][]op
	statements []statement
	tree       *tree
}

// A body is the part of the tree between two tags of a statement.
type body struct{ nodes *pongo2.NodeWrapper }

// exec runs the body in the current frame.
func (b body) exec(r *run) error {
	if err := r.enter(); err != nil {
		return err
	}
	defer r.leave()
	if err := b.nodes.Execute(&r.ctx, nowhere{}); err != nil {
		return err.OrigError
	}
	return nil
}

// wrap returns err as the error type of pongo2, from which body.exec takes it back.
func wrap(err error) *pongo2.Error {
	if err == nil {
		return nil
	}
	return &pongo2.Error{Sender: "yaytpl", OrigError: err}
}

// A runNode is a sequence of operations without bodies.
type runNode struct {
	index int
	ops   []op
}

func parseRun(_ *pongo2.Parser, _ *pongo2.Token, args *pongo2.Parser) (pongo2.INodeTag, *pongo2.Error) {
	n, err := indexArg(args)
	return &runNode{index: n}, err
}

// Execute runs or links the node.
func (n *runNode) Execute(ctx *pongo2.ExecutionContext, _ pongo2.TemplateWriter) *pongo2.Error {
	switch state := ctx.Public[stateKey].(type) {
	case *run:
		return wrap(state.ops(n.ops))
	case *linker:
		n.ops = state.runs[n.index]
	}
	return nil
}

// A statementNode is a statement with bodies.
type statementNode struct {
	index     int
	statement statement
	bodies    []body
}

// parseOpen parses a statement with its bodies.
func parseOpen(doc *pongo2.Parser, _ *pongo2.Token, args *pongo2.Parser) (pongo2.INodeTag, *pongo2.Error) {
	index, err := indexArg(args)
	n := &statementNode{index: index}
	for err == nil {
		var w *pongo2.NodeWrapper
		w, _, err = doc.WrapUntilTag(nextTag, closeTag)
		if err == nil {
			n.bodies = append(n.bodies, body{w})
			if w.Endtag == closeTag {
				return n, nil
			}
		}
	}
	return nil, err
}

func indexArg(args *pongo2.Parser) (int, *pongo2.Error) {
	t := args.MatchType(pongo2.TokenNumber)
	if t == nil {
		return 0, args.Error("expected a number", nil)
	}
	n, err := strconv.Atoi(t.Val)
	return n, wrap(err)
}

// Execute runs or links the node.
func (n *statementNode) Execute(ctx *pongo2.ExecutionContext, _ pongo2.TemplateWriter) *pongo2.Error {
	switch state := ctx.Public[stateKey].(type) {
	case *run:
		return wrap(n.statement.exec(state, n.bodies))
	case *linker:
		n.statement = state.statements[n.index]
		switch s := n.statement.(type) {
		case rootStatement:
			state.tree.root = n.bodies[0]
		case *blockStatement:
			s.body = n.bodies[0]
			if state.tree.blocks == nil {
				state.tree.blocks = map[string]*blockStatement{}
			}
			state.tree.blocks[s.name] = s
		}
		for _, b := range n.bodies {
			if err := b.nodes.Execute(ctx, nowhere{}); err != nil {
				return err
			}
		}
	}
	return nil
}

// nowhere is the writer that pongo2 gets: our operations write to the run.
type nowhere struct{}

func (nowhere) Write(p []byte) (int, error)       { return len(p), nil }
func (nowhere) WriteString(s string) (int, error) { return len(s), nil }
