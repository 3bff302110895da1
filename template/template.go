package template

import (
	"errors"
	"fmt"
	"io"
	"slices"
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
		rest := text[min(start, len(text)):]
		start += len(rest) - len(strings.TrimLeft(rest, blanks))
	}
	pieces, terr := scan(text, min(start, len(text)), syn)
	if terr != nil {
		return t.syntaxError(terr)
	}
	return compile(t, pieces)
}

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
	v, ok, err := t.renderSingle(s)
	if !ok {
		r := newRun(t, s)
		if err = r.all(); err == nil {
			v, err = r.result()
		}
	}
	if err != nil {
		return value.Null, t.explain(err)
	}
	return v.Verbatim(), nil
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
	if lit.IsNumber() && v.Marks() == 0 && s.Env.Options().Lint { // seldom meant for a version or an identifier
		text, _ := value.Repr(lit)
		s.Env.Warn(source.Warnf(t.at.TextSpan(0, len(t.text)), source.Suspicious, "the text of this template becomes the number %s", text).
			WithHint(`"| string" keeps it a text`))
	}
	return lit.Mark(v.Marks()), nil
}

// readsLiterals reports whether a text that is a Python literal becomes its value.
func (t *Template) readsLiterals(env expr.Env) bool {
	return !t.opts.File && !t.opts.NoLiteral && !env.Options().NoLiteral
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

// Check returns what is wrong with the template whatever values it meets, in the
// branches that a rendering does not take as well.
func (t *Template) Check(lib expr.Library) []*source.Diagnostic {
	var found []*source.Diagnostic
	for _, o := range t.simple {
		if o, ok := o.(*outputOp); ok {
			found = append(found, expr.Check(o.node, lib)...)
		}
	}
	for _, n := range t.exprs {
		found = append(found, expr.Check(n, lib)...)
	}
	return found
}

// A textError is an error in the range [start, end) of a template's text.
type textError struct {
	start, end int
	message    string
}

func (t *Template) syntaxError(e *textError) error {
	return source.Errorf(t.at.TextSpan(e.start, e.end), source.Syntax, "template error: %s", e.message)
}

// placed gives an error without a place the one of the statement that met it.
func placed(err error, at source.Span) error {
	if err == nil || isSignal(err) {
		return err
	}
	var d *source.Diagnostic
	if !errors.As(err, &d) {
		return source.AsDiagnostic(err, at, source.BadValue)
	}
	if !d.At.IsZero() {
		return err
	}
	return d.Located(at)
}

// explain adds to an error what its text alone tells: that it was probably written
// for another tool.
func (t *Template) explain(err error) error {
	whole := t.at.TextSpan(0, len(t.text))
	d := source.AsDiagnostic(expr.Conceal(placed(err, whole)), whole, source.BadValue)
	explained := *d
	switch {
	case d.Code != source.Syntax && d.Code != source.Undefined:
		return d
	case looksLikeGoTemplate(t.text):
		return explained.WithHint(`this looks like a template for another tool; add "# yaytpl: templates=off" to the file's first comment, or quote it with {q: ...}`)
	case d.Hint == "" && !t.opts.File && inDocument(whole) && inDocument(d.At):
		return explained.WithHint(`if the template is for another tool, add "# yaytpl: templates=off" to the file's first comment`)
	}
	return d
}

// inDocument reports whether a span lies in a file that can say something about
// itself; a query cannot.
func inDocument(at source.Span) bool {
	return at.File != nil && (at.File.Path != "" || at.File.Name == "-")
}

func placerFile(p expr.Placer) *source.File {
	if p == nil {
		return nil
	}
	return p.TextSpan(0, 0).File
}

// maxIncludes bounds how many places an error names on the way to its file.
const maxIncludes = 20

// included adds to an error in an included file where that file was included.
func included(err error, file *source.File, at source.Span) error {
	var d *source.Diagnostic
	if file == nil || !errors.As(err, &d) || len(d.Includes) >= maxIncludes {
		return err
	}
	last := d.At.File
	if n := len(d.Includes); n > 0 {
		last = d.Includes[n-1].File
	}
	if last != file || at.File == nil || at.File == file && len(d.Includes) > 0 {
		return err
	}
	copied := *d
	copied.Includes = append(d.Includes[:len(d.Includes):len(d.Includes)], at)
	return &copied
}

// goTemplateStarts are what follows "{{" in templates of Go programs (Helm,
// goreleaser, Prometheus) and never in Jinja.
var goTemplateStarts = [...]string{
	"range ", `include "`, `template "`, "if ", "else ", "else}", "with ", `define "`, `block "`, "/*", "printf ", "`",
}

// looksLikeGoTemplate reports whether a text with an error in it was probably
// written for another tool.
func looksLikeGoTemplate(text string) bool {
	for {
		_, rest, found := strings.Cut(text, "{{")
		if !found {
			return false
		}
		s := strings.TrimLeft(strings.TrimPrefix(rest, "-"), blanks)
		switch {
		case len(s) > 1 && (s[0] == '.' || s[0] == '$') && (s[1] == ' ' || s[1] == '}' || isLetter(s[1])),
			strings.HasPrefix(s, "end") && strings.HasPrefix(strings.TrimLeft(s[3:], " -"), "}}"),
			slices.ContainsFunc(goTemplateStarts[:], func(start string) bool { return strings.HasPrefix(s, start) }):
			return true
		}
		text = rest
	}
}

// didYouMean names the word that was probably meant, or nothing.
func didYouMean(word string, words []string) string {
	if best := source.Suggest(word, slices.Values(words)); best != "" {
		return fmt.Sprintf("; did you mean %q?", best)
	}
	return ""
}
