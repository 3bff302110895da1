package template

import (
	"fmt"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
)

// maxOpen bounds how deep statements may be nested in a template.
const maxOpen = 500

// A compiler turns the pieces of one template into operations and statements, and
// into the skeleton that tells pongo2 how they are nested.
type compiler struct {
	t    *Template
	skel skeleton

	cur        []op   // operations since the last statement with bodies
	runs       [][]op // those before
	statements []statement
	open       []*openStatement
	blocks     map[string]source.Span
}

// An openStatement is a statement whose end has not been read yet.
type openStatement struct {
	word      string // how it began
	end       string // the word that ends it
	at        source.Span
	bodyStart int // where its first body begins in the text
	statement statement
	hasElse   bool
}

// compile sets what t consists of.
func compile(t *Template, pieces []piece) error {
	c := compiler{t: t}
	if !hasStatements(pieces) {
		return c.simple(pieces)
	}
	c.begin(&openStatement{statement: rootStatement{}})
	for i := range pieces {
		if err := c.piece(&pieces[i]); err != nil {
			return err
		}
	}
	if len(c.open) > 1 {
		return c.missingEnd(c.open[len(c.open)-1])
	}
	c.close()
	tree, err := build(&c.skel, c.runs, c.statements)
	if err != nil {
		return source.Errorf(t.at.TextSpan(0, len(t.text)), source.Internal, "template error: %v", err)
	}
	t.tree = tree
	return nil
}

func hasStatements(pieces []piece) bool {
	for i := range pieces {
		if pieces[i].kind == blockPiece {
			return true
		}
	}
	return false
}

// simple compiles a template of texts and expressions, which needs no tree.
func (c *compiler) simple(pieces []piece) error {
	c.cur = make([]op, 0, len(pieces))
	for i := range pieces {
		if err := c.leaf(&pieces[i]); err != nil {
			return err
		}
	}
	c.t.simple = c.cur
	return nil
}

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

// placer finds the places of a text that begins at an offset of the template.
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

// TextSpan returns the place of a range of the part.
func (s shifted) TextSpan(start, end int) source.Span {
	return s.at.TextSpan(s.offset+start, s.offset+end)
}

func (c *compiler) piece(p *piece) error {
	if p.kind != blockPiece {
		return c.leaf(p)
	}
	word, at := firstWord(p.text)
	h := head{c: c, piece: p, word: word, at: c.t.at.TextSpan(p.start, p.end)}
	h.Parser = expr.NewParser(p.text[at+len(word):], c.placer(p.body+at+len(word)))
	h.Parser.Note(&c.t.exprs)
	h.wordAt = c.t.at.TextSpan(p.body+at, p.body+at+len(word))
	if err := h.read(); err != nil {
		return err
	}
	if !h.AtEnd() {
		return h.End()
	}
	return nil
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

// next begins the next body of the innermost statement.
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

// inner returns the innermost open statement; the root has an empty word.
func (c *compiler) inner() *openStatement { return c.open[len(c.open)-1] }

func (c *compiler) missingEnd(o *openStatement) error {
	return source.Errorf(o.at, source.Syntax, "template error: %s", c.expected(o))
}

// expected says which end is missing.
func (c *compiler) expected(o *openStatement) string {
	return fmt.Sprintf(`"{%% %s %%}" expected for "{%% %s %%}" at line %d`, o.end, o.word, lineOf(o.at))
}

func lineOf(s source.Span) int {
	if s.File == nil {
		return 1
	}
	line, _ := s.File.Position(int(s.Start))
	return line
}

// inLoop reports whether "break" has a loop to end: one in the same macro or block.
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
