package template

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Loader reads the template files named by include, import and extends. from is the
// name of the including file, empty for a text of the document, and asks the place of the name;
// relative names are relative to the document's directory. The error for a missing file is of class
// [source.ErrAccess], [source.ErrMissing] or fs.ErrNotExist.
type Loader func(name, from string, asks source.Span) (text string, at expr.Placer, err error)

// Options configure a template. The zero value suits a text inside of a document that
// includes no files.
type Options struct {
	// File marks the text as a file of its own: surrounding whitespace and the last
	// newline stay, and the result is always text.
	File bool

	// Data makes the text of a File that spells a list, a map or a truth value as a Python literal
	// that value, unless the file has no expression and no statement.
	Data bool

	// Settings are options as in a header line. Options of the header line of the text override
	// them.
	Settings []value.Named

	NoLiteral bool   // text that spells a Python literal stays text
	Lenient   bool   // undefined expressions stay in the text, with a warning
	Name      string // passed to Loader as from
	Loader    Loader // nil: include, import and extends are refused, unless the scope has an [Includer]
	Cache     *Cache // of parsed files, shared by several templates; may be nil
	MaxBytes  int    // of text that one rendering may produce; 0 means 256 MB

	includer *syntax // of the file that includes this one; nil for none
}

// An Includer is an [expr.Env] that reads the files that templates without Options.Loader name. A template
// that several evaluations share gets the files of each so, and keeps none of them in memory.
type Includer interface {
	TemplateFiles() (Loader, *Cache)
}

const defaultMaxBytes = 256 << 20

func (o Options) maxBytes() int { return cmp.Or(max(o.MaxBytes, 0), defaultMaxBytes) }

// A Template is a parsed template. It is immutable: several goroutines may render it
// at once.
type Template struct {
	text string
	at   expr.Placer
	opts Options
	syn  *syntax

	lastBreak string             // line break cut from the end of a loaded file
	warning   *source.Diagnostic // about an option without effect, or nil

	statements bool // the template has statements
	root       body
	blocks     map[string]*blockStatement
	exprs      []expr.Node // all expressions, for Check
	bound      []string    // the names that statements bind
}

// Parse parses a template. Its errors are diagnostics of code syntax, whose messages
// begin with "template error", or of code limit.
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
	base, err := withSettings(&defaultSyntax, t.opts.Settings)
	if err != nil {
		return err
	}
	inherited := t.opts.includer
	if inherited == nil {
		inherited = base
	}
	syn, start, terr := cutHeader(t.text, inherited, base)
	if terr == nil && strings.IndexByte(t.text, '\r') >= 0 && (syn.keepCRLF == no || syn.keepCRLF == unset && t.opts.File) {
		t.text, t.at = unifiedBreaks(t.text, t.at)
		syn, start, terr = cutHeader(t.text, inherited, base)
	}
	if terr != nil {
		return t.syntaxError(terr)
	}
	t.syn = syn
	text := t.text
	if t.opts.File {
		text = t.cutLastBreak(text)
	} else {
		text = strings.TrimRight(text, blanks)
		rest := text[min(start, len(text)):]
		start += len(rest) - len(strings.TrimLeft(rest, blanks))
		if syn.lastBreak == yes {
			t.warning = source.Warnf(t.at.TextSpan(0, len(expr.TemplateHeader)), source.Suspicious,
				"keep_trailing_newline has no effect here: white space around a template in a value is always removed").
				WithHint(`{{ text ~ "\n" }} ends in a line break`)
		}
	}
	pieces, terr := lex(text, min(start, len(text)), syn)
	if terr != nil {
		return t.syntaxError(terr)
	}
	t.statements = slices.ContainsFunc(pieces, func(p piece) bool { return p.kind == blockPiece })
	return compile(t, pieces)
}

// cutLastBreak cuts the last line break of a file, as the options say: by default, an
// included file loses it, so that an include adds no line break.
func (t *Template) cutLastBreak(text string) string {
	included := t.opts.includer != nil
	if t.syn.lastBreak == yes || t.syn.lastBreak == unset && !included {
		return text
	}
	cut, broken := strings.CutSuffix(text, "\n")
	if broken {
		cut = strings.TrimSuffix(cut, "\r")
	}
	if t.syn.lastBreak == unset {
		t.lastBreak = text[len(cut):]
	}
	return cut
}

// unifiedBreaks returns a text with LF in place of CRLF and CR, and a Placer for it.
func unifiedBreaks(text string, at expr.Placer) (string, expr.Placer) {
	u := unified{at: at}
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == '\r' {
			c = '\n'
			if i+1 < len(text) && text[i+1] == '\n' {
				i++
				u.pairs = append(u.pairs, len(out))
			}
		}
		out = append(out, c)
	}
	return string(out), u
}

// A unified Placer finds the places of a text whose line breaks were CRLF.
type unified struct {
	at    expr.Placer
	pairs []int // offsets of the line breaks that were two bytes, ascending
}

// TextSpan implements [expr.Placer].
func (u unified) TextSpan(start, end int) source.Span {
	before := func(i int) int {
		n, _ := slices.BinarySearch(u.pairs, i)
		return i + n
	}
	return u.at.TextSpan(before(start), before(end))
}

// marks returns the marks of the template's own text: secret in an encrypted file.
func (t *Template) marks() value.Marks {
	if f := placerFile(t.at); f != nil && f.Secret {
		return value.Secret
	}
	return 0
}

// Render evaluates the template. A template that is a single expression, or writes a
// single value, returns that value. Any other text returns the value that it spells as
// a Python literal, or itself (spec: expressions, section 7):
//
//	{{ port }}          the integer 8080
//	80{{ 80 }}          the integer 8080
//	:{{ port }}         the string ":8080"
//
// Results are verbatim: a template in a result is not evaluated again.
func (t *Template) Render(s *expr.Scope) (value.Value, error) {
	if t.warning != nil {
		s.Env.Warn(t.warning)
	}
	v, ok, err := t.renderSingle(s)
	if !ok {
		v, err = t.run(s)
	}
	if err != nil {
		return value.Null, t.explain(err)
	}
	return v.Verbatim().AsText(), nil
}

// run renders any template. It is no part of Render, so that values of single expressions that depend on each other
// take little of the stack.
//
//go:noinline
func (t *Template) run(s *expr.Scope) (value.Value, error) {
	r := newRun(t, s)
	if err := r.all(); err != nil {
		return value.Null, err
	}
	return r.result()
}

// renderSingle evaluates a template that is a single expression without setting up a
// run. ok is false for other templates.
func (t *Template) renderSingle(s *expr.Scope) (v value.Value, ok bool, err error) {
	if t.statements || t.opts.File || len(t.root) != 1 {
		return value.Null, false, nil
	}
	o, ok := t.root[0].(*outputOp)
	if !ok {
		return value.Null, false, nil
	}
	v, err = o.value(s.Escaping(t.syn.autoescape), t.lenient(s))
	v = v.Mark(t.marks())
	if t.syn.autoescape && v.Is(value.StringKind) {
		v = value.EscapeHTML(v)
	}
	switch {
	case err == nil && v.Is(value.FuncKind):
		return v, true, t.noResult()
	case err != nil || !v.Is(value.StringKind) || o.exempt:
		return v, true, err
	}
	v, err = t.literal(v, s)
	return v, true, err
}

// noResult returns the error for a template that evaluates to a function, usually
// because the name is not defined in the document.
func (t *Template) noResult() error {
	return source.Errorf(t.at.TextSpan(0, len(t.text)), source.Undefined, "the result is a function, which is not data").
		WithHint("call it, or define a key of that name")
}

// literal returns the value that the text v spells, with the marks of v, or v itself.
func (t *Template) literal(v value.Value, s *expr.Scope) (value.Value, error) {
	if !t.readsLiterals(s.Env) {
		return v, nil
	}
	lit, ok, err := readLiteral(v.Str(), s.Env)
	if err != nil || !ok {
		return v, err
	}
	if lit.IsNumber() && v.Marks() == 0 && s.Env.Options().Lint {
		t.warnOfNumber(lit, s.Env)
	}
	return lit.Mark(v.Marks()), nil
}

// warnOfNumber reports that a text becomes a number, which is seldom meant for a version or an identifier.
//
//go:noinline
func (t *Template) warnOfNumber(number value.Value, env expr.Env) {
	text, _ := value.Repr(number)
	env.Warn(source.Warnf(t.at.TextSpan(0, len(t.text)), source.Suspicious, "the text of this template becomes the number %s", text).
		WithHint("%s", t.keepsText()))
}

// data returns the list, map or truth value that the text of a file spells, or the text.
func (t *Template) data(v value.Value, env stepper) (value.Value, error) {
	text := v.Str()
	if text == "" || text[0] != '[' && text[0] != '{' && text != "True" && text != "False" {
		return v, nil
	}
	if !t.statements && len(t.exprs) == 0 {
		return v, nil
	}
	lit, ok, err := readWords(text, env)
	if err != nil || !ok {
		return v, err
	}
	return lit.Mark(v.Marks()), nil
}

// keepsText returns the hint that says how the text of the template stays text: only an
// expression that is the whole template does that.
func (t *Template) keepsText() string {
	if !t.statements && len(t.root) == 1 {
		return `{{ (...) | string }} keeps it a text`
	}
	return `one expression that ends in "| string" keeps it a text: {{ (a ~ b) | string }}`
}

// readsLiterals reports whether a text that spells a Python literal becomes its value.
func (t *Template) readsLiterals(env expr.Env) bool {
	return !t.opts.File && !t.opts.NoLiteral && !env.Options().NoLiteral
}

func (t *Template) lenient(s *expr.Scope) bool {
	return t.opts.Lenient || s.Lenient()
}

// RenderText evaluates the template and writes its text to w. It returns the marks of
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

// Check returns the errors that the template has for all values, such as unknown
// filters, including those in branches that a rendering does not take.
func (t *Template) Check(lib expr.Library) []*source.Diagnostic {
	var found []*source.Diagnostic
	for _, n := range t.exprs {
		found = append(found, expr.Check(n, lib)...)
	}
	return found
}

// Mentions calls visit for each key of the document that the template names, in branches that
// a rendering does not take as well. Names for which bound is true, and those that a statement
// anywhere in the template binds, are variables.
func (t *Template) Mentions(bound func(name string) bool, visit func(expr.Mention)) {
	own := bound
	if t.statements {
		own = func(name string) bool {
			return name == "loop" || name == "caller" || name == "super" || slices.Contains(t.bound, name) || bound(name)
		}
	}
	text := func(n *expr.Template, bound func(string) bool) {
		if inner, err := Parse(n.Text, n.Placer, t.opts); err == nil {
			inner.Mentions(bound, visit)
		}
	}
	for _, n := range t.exprs {
		expr.Mentions(n, own, visit, text)
	}
}

// A textError is an error in the byte range [start, end) of a template's text.
type textError struct {
	start, end int
	message    string
}

func (t *Template) syntaxError(e *textError) error {
	return source.Errorf(t.at.TextSpan(e.start, e.end), source.Syntax, "template error: %s", e.message)
}

// placed adds the place at to an error without one. Signals stay as they are.
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

// explain conceals secret values in an error. If the template was probably written for
// another tool, it adds a hint.
func (t *Template) explain(err error) error {
	whole := t.at.TextSpan(0, len(t.text))
	d := source.AsDiagnostic(expr.Conceal(placed(err, whole)), whole, source.BadValue)
	if d.Hint != "" || d.Code != source.Syntax && d.Code != source.Undefined {
		return d
	}
	if hint := statementHint(d.Message, d.At.Text()); hint != "" && d.Code == source.Syntax {
		explained := *d
		return explained.WithHint("%s", hint)
	}
	hint := foreignHint(t.text, d.At.Text(), !t.opts.File && inDocument(whole) && inDocument(d.At))
	if hint == "" {
		return d
	}
	explained := *d
	return explained.WithHint("%s", hint)
}

// inDocument reports whether a span is in a file, whose first comment can hold
// switches, and not in a query.
func inDocument(at source.Span) bool {
	return at.File != nil && (at.File.Path != "" || at.File.Name == "-")
}

func placerFile(p expr.Placer) *source.File {
	if p == nil {
		return nil
	}
	return p.TextSpan(0, 0).File
}

// maxIncludes bounds the includes listed in one error.
const maxIncludes = 20

// included adds to an error in file the place at which file was included. An error of
// another file, or one that has its includes already, is returned unchanged.
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

// didYouMean returns a suggestion to append to a message: the most similar of words, or
// "" if none is similar.
func didYouMean(word string, words []string) string {
	if best := source.Suggest(word, slices.Values(words)); best != "" {
		return fmt.Sprintf("; did you mean %q?", best)
	}
	return ""
}
