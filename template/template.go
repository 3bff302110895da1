package template

import (
	"io"
	"strings"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Loader reads the template files that include, import and extends name. from is
// the name of the file that asks, empty for a text of the document; relative names
// are relative to the document's directory. A file that does not exist is an error
// of class [source.ErrAccess], [source.ErrMissing] or fs.ErrNotExist.
type Loader func(name, from string) (text string, at expr.Placer, err error)

// Options are the switches of a template. The zero value is right for a text of a
// document that includes no files.
type Options struct {
	// File says that the text is a file of its own: whitespace around it and its
	// last newline stay, and the result is always text.
	File bool

	NoLiteral bool   // text that reads as a Python literal stays text
	Lenient   bool   // undefined expressions stay in the text, with a warning
	Name      string // what Loader is told about who asks
	Loader    Loader // nil: include, import and extends are refused
	Cache     *Cache // of loaded files, if several templates share them
	MaxBytes  int    // of text that one rendering may produce; 0 means 256 MB
}

const defaultMaxBytes = 256 << 20

func (o Options) maxBytes() int {
	if o.MaxBytes > 0 {
		return o.MaxBytes
	}
	return defaultMaxBytes
}

// A Template is a parsed template. It is immutable: it may be rendered many times,
// by several goroutines at once.
type Template struct {
	text string
	at   expr.Placer
	opts Options

	lastBreak string // the line break that was left out at the end of a loaded file

	simple []op // of a template without statements
	tree   *tree

	exprs []expr.Node // the expressions of a template with statements
}

// Parse reads a template. Errors are diagnostics of code syntax whose message
// begins with "template error", or of code limit.
func Parse(text string, at expr.Placer, opts Options) (*Template, error) {
	if at == nil {
		at = expr.Nowhere{}
	}
	t := &Template{text: text, at: at, opts: opts}
	if err := t.parse(); err != nil {
		return nil, t.explain(err)
	}
	return t, nil
}

func (t *Template) parse() error {
	syn, start, terr := cutHeader(t.text)
	if terr != nil {
		return t.syntaxError(terr)
	}
	text := t.text
	if !t.opts.File {
		text = strings.TrimRight(text, blanks)
		start += leadingBlanks(text[min(start, len(text)):])
	}
	pieces, terr := scan(text, min(start, len(text)), syn)
	if terr != nil {
		return t.syntaxError(terr)
	}
	return compile(t, pieces)
}

func leadingBlanks(s string) int { return len(s) - len(strings.TrimLeft(s, blanks)) }

// marks returns the marks of the text itself.
func (t *Template) marks() value.Marks {
	if f := placerFile(t.at); f != nil && f.Secret {
		return value.Secret
	}
	return 0
}

// Render evaluates the template. A template that is one expression, or writes only
// one value, has that value as its result; the text of any other becomes the value
// that it is a Python literal of, or stays text (spec: expressions, section 7).
// Results are verbatim.
func (t *Template) Render(s *expr.Scope) (value.Value, error) {
	v, err := t.render(s)
	if err != nil {
		return value.Null, t.explain(err)
	}
	return v.Verbatim(), nil
}

func (t *Template) render(s *expr.Scope) (value.Value, error) {
	if v, ok, err := t.renderSingle(s); ok {
		return v, err
	}
	r := newRun(t, s)
	if err := r.all(); err != nil {
		return value.Null, err
	}
	return r.result()
}

// renderSingle evaluates a template that is one expression without building
// anything around it. ok is false for other templates.
func (t *Template) renderSingle(s *expr.Scope) (v value.Value, ok bool, err error) {
	if t.tree != nil || t.opts.File || len(t.simple) != 1 {
		return value.Null, false, nil
	}
	o, ok := t.simple[0].(*outputOp)
	if !ok {
		return value.Null, false, nil
	}
	v, err = o.value(s, t.lenient(s))
	v = v.Mark(t.marks())
	switch {
	case err == nil && v.Is(value.FuncKind):
		return v, true, t.noResult()
	case err != nil || !v.Is(value.StringKind) || o.exempt:
		return v, true, err
	}
	v, err = t.literal(v, s)
	return v, true, err
}

// noResult is the error of a template that gives a function, most often because the
// name that was meant is not defined.
func (t *Template) noResult() error {
	return source.Errorf(t.at.TextSpan(0, len(t.text)), source.Undefined, "the result is a function, which is no data").
		WithHint("call it, or define a key of that name")
}

// literal returns the value that a text stands for. It keeps the marks.
func (t *Template) literal(v value.Value, s *expr.Scope) (value.Value, error) {
	if !t.readsLiterals(s.Env) {
		return v, nil
	}
	lit, ok, err := readLiteral(v.Str(), s.Env)
	if err != nil || !ok {
		return v, err
	}
	t.noteNumber(lit, v.Marks(), s)
	return lit.Mark(v.Marks()), nil
}

// readsLiterals reports whether a text that is a Python literal becomes its value.
func (t *Template) readsLiterals(env expr.Env) bool {
	return !t.opts.File && !t.opts.NoLiteral && !env.Options().NoLiteral
}

// noteNumber tells linters of text that became a number, which is seldom meant
// where a version or an identifier is put together.
func (t *Template) noteNumber(lit value.Value, marks value.Marks, s *expr.Scope) {
	if !lit.IsNumber() || marks != 0 || !s.Env.Options().Lint {
		return
	}
	text, _ := value.Repr(lit)
	s.Env.Warn(source.Warnf(t.at.TextSpan(0, len(t.text)), source.Suspicious, "the text of this template becomes the number %s", text).
		WithHint(`"| string" keeps it a text`))
}

func (t *Template) lenient(s *expr.Scope) bool {
	return t.opts.Lenient || s.Lenient()
}

// RenderText evaluates the template and writes its text. The marks are those of
// everything that the template looked at.
func (t *Template) RenderText(s *expr.Scope, w io.Writer) (value.Marks, error) {
	r := newRun(t, s)
	if err := r.all(); err != nil {
		return 0, t.explain(err)
	}
	v, err := r.out.value()
	if err != nil {
		return 0, t.explain(err)
	}
	_, err = io.WriteString(w, v.Str())
	return r.out.marks, err
}
