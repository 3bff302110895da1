package template

import (
	"strings"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
)

// A head is a statement as it stands between its delimiters: a word and what
// follows, which its Parser reads.
type head struct {
	*expr.Parser
	c      *compiler
	piece  *piece
	word   string
	at     source.Span // the whole, delimiters included
	wordAt source.Span
}

// read compiles the statement.
func (h *head) read() error {
	switch h.word {
	case "if":
		return h.ifHead()
	case "for":
		return h.forHead()
	case "set":
		return h.setHead()
	case "with":
		return h.withHead()
	case "macro":
		return h.macroHead()
	case "call":
		return h.callHead()
	case "filter":
		return h.filterHead()
	case "autoescape":
		return h.autoescapeHead()
	case "block":
		return h.blockHead()
	case "elif":
		return h.elifHead()
	case "else":
		return h.elseHead()
	case "do":
		return h.doHead()
	case "include":
		return h.includeHead()
	case "import":
		return h.importHead()
	case "from":
		return h.fromHead()
	case "extends":
		return h.extendsHead()
	case "break", "continue":
		return h.breakHead()
	}
	if strings.HasPrefix(h.word, "end") && isStatement(h.word[len("end"):]) {
		return h.endHead()
	}
	return h.unknown()
}

var statementWords = []string{
	"if", "for", "set", "with", "macro", "call", "filter", "autoescape", "block", "raw",
	"elif", "else", "do", "include", "import", "from", "extends", "break", "continue",
}

// bodyWords are the statements that have an end.
var bodyWords = []string{"if", "for", "set", "with", "macro", "call", "filter", "autoescape", "block", "raw"}

func isStatement(word string) bool {
	for _, w := range bodyWords {
		if w == word {
			return true
		}
	}
	return false
}

func (h *head) errorf(format string, args ...any) error {
	return source.Errorf(h.wordAt, source.Syntax, "template error: "+format, args...)
}

func (h *head) unknown() error {
	if h.word == "" {
		return source.Errorf(h.at, source.Syntax, "template error: a statement must begin with a word, such as \"if\" or \"for\"")
	}
	words := statementWords
	for _, w := range bodyWords {
		words = append(words[:len(words):len(words)], "end"+w)
	}
	return h.errorf("unknown statement %q%s", h.word, didYouMean(h.word, words))
}

// open begins a statement with bodies.
func (h *head) open(s statement) error {
	if len(h.c.open) > maxOpen {
		return source.Errorf(h.at, source.Limit, "template error: statements are nested more than %d deep", maxOpen)
	}
	h.c.begin(&openStatement{
		word: h.word, end: "end" + h.word, at: h.at, bodyStart: h.piece.end, statement: s,
	})
	return nil
}

func (h *head) endHead() error {
	o := h.c.inner()
	if o.word == "" {
		return h.errorf("%q without %q before it", h.word, strings.TrimPrefix(h.word, "end"))
	}
	if o.end != h.word {
		d := source.Errorf(h.wordAt, source.Syntax, "template error: %s, not %q", h.c.expected(o), h.word)
		return d.Note(o.at, "%q begins here", o.word)
	}
	if b, ok := o.statement.(*blockStatement); ok && h.PeekName() {
		if name, at, err := h.Name(); err != nil {
			return err
		} else if name != b.name {
			return source.Errorf(at, source.Syntax, "template error: this ends the block %q, not %q", b.name, name)
		}
	} else if _, ok := o.statement.(*macroStatement); ok && h.PeekName() {
		h.Accept(o.statement.(*macroStatement).name)
	}
	if e, ok := o.statement.(interface{ ended(body string) }); ok {
		e.ended(h.c.t.text[o.bodyStart:h.piece.start])
	}
	h.c.close()
	return nil
}

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

// misplaced is the error of a word that does not belong into the statement around it.
func (h *head) misplaced(word, of string) error {
	o := h.c.inner()
	if o.word == "" {
		return h.errorf("%q without %q before it", word, of)
	}
	d := source.Errorf(h.wordAt, source.Syntax, "template error: %s before %q", h.c.expected(o), word)
	return d.Note(o.at, "%q begins here", o.word)
}
