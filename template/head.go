package template

import (
	"slices"
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
	if begun, ok := strings.CutPrefix(h.word, "end"); ok && slices.Contains(bodyWords, begun) {
		return h.endHead()
	}
	return h.unknown()
}

// bodyWords are the statements that have an end, and otherWords those that have none.
var (
	bodyWords  = []string{"if", "for", "set", "with", "macro", "call", "filter", "autoescape", "block", "raw"}
	otherWords = []string{"elif", "else", "do", "include", "import", "from", "extends", "break", "continue"}
)

func (h *head) errorf(format string, args ...any) error {
	return source.Errorf(h.wordAt, source.Syntax, "template error: "+format, args...)
}

func (h *head) unknown() error {
	if h.word == "" {
		return source.Errorf(h.at, source.Syntax, "template error: a statement must begin with a word, such as \"if\" or \"for\"")
	}
	words := slices.Concat(bodyWords, otherWords)
	for _, w := range bodyWords {
		words = append(words, "end"+w)
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
	if err := h.endName(o.statement); err != nil {
		return err
	}
	if e, ok := o.statement.(interface{ ended(body string) }); ok {
		e.ended(h.c.t.text[o.bodyStart:h.piece.start])
	}
	h.c.close()
	return nil
}

// endName reads the name that may stand behind the end of a block or macro.
func (h *head) endName(s statement) error {
	switch s := s.(type) {
	case *blockStatement:
		if !h.PeekName() {
			return nil
		}
		name, at, err := h.Name()
		if err == nil && name != s.name {
			err = source.Errorf(at, source.Syntax, "template error: this ends the block %q, not %q", s.name, name)
		}
		return err
	case *macroStatement:
		h.Accept(s.name)
	}
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
