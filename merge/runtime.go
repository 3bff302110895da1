package merge

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/template"
	"github.com/yaytpl/yaytpl/value"
)

// A templateThunk is a string that contains a template. It is compiled at the first
// evaluation, once for all places that the string is merged to.
type templateThunk struct {
	text  value.Value
	node  *yaml.Node
	omits bool // it may evaluate to omit

	once sync.Once
	tmpl *template.Template
	err  error

	places atomic.Pointer[yaml.TextMap]
}

// textMap returns the places of the parts of the text, which is decoded once.
func (t *templateThunk) textMap() *yaml.TextMap {
	m := t.places.Load()
	if m == nil {
		m = t.node.TextMap()
		t.places.Store(m)
	}
	return m
}

// Eval renders the template at p.
func (t *templateThunk) Eval(p *graph.Context) (value.Value, error) {
	rt := runtimeOf(p)
	t.once.Do(func() {
		o := rt.TemplateOptions(p.Origin.Doc)
		o.Loader, o.Cache = nil, nil // each evaluation has its own: env.TemplateFiles
		t.tmpl, t.err = template.Parse(t.text.Str(), t.textMap(), o)
	})
	if t.err != nil {
		return value.Null, p.Included(t.err)
	}
	v, err := t.tmpl.Render(rt.scope(p))
	if t.omits && err == nil {
		v, err = expr.WithoutOmitted(v, rt.eval.Step)
	}
	return v.Mark(t.text.Marks()), p.Included(err)
}

// Check returns the errors that the template has for all values.
func (t *templateThunk) Check(lib expr.Library) []*source.Diagnostic {
	tmpl, err := template.Parse(t.text.Str(), t.textMap(), template.Options{})
	if err != nil {
		return nil // reported by Eval
	}
	return tmpl.Check(lib)
}

// Mentions calls visit for each key of the document that the template names.
func (t *templateThunk) Mentions(visit func(expr.Mention)) {
	if tmpl, err := template.Parse(t.text.Str(), t.textMap(), template.Options{}); err == nil {
		tmpl.Mentions(unbound, visit)
	}
}

// unbound says that a name is no variable.
func unbound(string) bool { return false }

// Omits implements [graph.Omitter].
func (t *templateThunk) Omits() bool { return t.omits }

// TextSpan returns the place of a part of the text in the source.
func (t *templateThunk) TextSpan(start, end int) source.Span { return t.textMap().TextSpan(start, end) }

// Raw returns the text.
func (t *templateThunk) Raw() value.Value { return t.text }

// Soft is false: a template in a cycle is an error.
func (t *templateThunk) Soft() bool { return false }

// A vaultThunk is a text that ansible-vault encrypted.
type vaultThunk struct {
	text value.Value
	at   source.Span
}

// vaultSteps are charged for decrypting a value: the keys need some milliseconds.
const vaultSteps = 50_000

// Eval returns the decrypted text, which is secret.
func (t vaultThunk) Eval(p *graph.Context) (value.Value, error) {
	env := runtimeOf(p).env(p.Origin)
	text, ok, err := env.Host(t.at, false).Unvault(t.text.Str())
	if err == nil && ok {
		err = env.Step(vaultSteps)
	}
	if err != nil {
		return value.Null, p.Included(source.AsDiagnostic(err, t.at, source.Decryption).Located(t.at))
	}
	if !ok {
		return t.text, nil
	}
	return value.String(text).Mark(value.Secret).Verbatim(), nil
}

// Raw returns the encrypted text with its tag.
func (t vaultThunk) Raw() value.Value { return t.text }

// Soft is true: the text depends on nothing.
func (t vaultThunk) Soft() bool { return true }

// An exprThunk is an expression object.
type exprThunk struct {
	raw  value.Value
	node expr.Node
	err  error
}

// Eval evaluates the expression at p.
func (t *exprThunk) Eval(p *graph.Context) (value.Value, error) {
	if t.err != nil {
		return value.Null, p.Included(t.err)
	}
	rt := runtimeOf(p)
	v, err := expr.Eval(t.node, rt.scope(p))
	if err == nil && t.Omits() {
		v, err = expr.WithoutOmitted(v, rt.eval.Step)
	}
	if err == nil && v.Is(value.UndefinedKind) && !expr.IsOmit(v) {
		err = v.Reason()
	}
	return v, p.Included(err)
}

// Check returns the errors that the expression has for all values.
func (t *exprThunk) Check(lib expr.Library) []*source.Diagnostic {
	if t.err != nil {
		return nil // reported by Eval
	}
	return expr.Check(t.node, lib)
}

// Mentions calls visit for each key of the document that the expression names.
func (t *exprThunk) Mentions(visit func(expr.Mention)) {
	if t.err == nil {
		mentions(t.node, visit)
	}
}

// Mentions calls visit for each key of the document that an expression object names. raw is the
// object as data, at its place.
func Mentions(raw value.Value, at source.Span, visit func(expr.Mention)) {
	if n, err := expr.Compile(raw, at); err == nil {
		mentions(n, visit)
	}
}

func mentions(n expr.Node, visit func(expr.Mention)) {
	expr.Mentions(n, unbound, visit, func(n *expr.Template, bound func(string) bool) {
		if tmpl, err := template.Parse(n.Text, n.Placer, template.Options{}); err == nil {
			tmpl.Mentions(bound, visit)
		}
	})
}

// Raw returns the object as data.
func (t *exprThunk) Raw() value.Value { return t.raw }

// Omits implements [graph.Omitter].
func (t *exprThunk) Omits() bool { return t.err == nil && expr.TextMayOmit(t.raw) }

// Soft is true: in a cycle, an expression object gets null and a warning.
func (t *exprThunk) Soft() bool { return true }

// A quotedThunk is data that is never evaluated.
type quotedThunk struct{ raw, arg value.Value }

// Eval returns the data.
func (t quotedThunk) Eval(*graph.Context) (value.Value, error) { return t.arg.Verbatim(), nil }

// Raw returns the map with its key "q".
func (t quotedThunk) Raw() value.Value { return t.raw }

// Soft is true: the data depends on nothing.
func (t quotedThunk) Soft() bool { return true }

// An envThunk is the value of an environment variable, "" if it is unset.
type envThunk struct {
	name string
	at   source.Span
}

// Eval reads the variable.
func (t envThunk) Eval(p *graph.Context) (value.Value, error) {
	v, _ := runtimeOf(p).env(p.Origin).Host(t.at, false).Getenv(t.name)
	return value.String(v), nil
}

// Raw returns the name of the variable.
func (t envThunk) Raw() value.Value { return value.String(t.name) }

// Soft is true: the variable depends on nothing in the document.
func (t envThunk) Soft() bool { return true }

// A whenThunk is its Thunk if an environment variable is not empty, and null otherwise.
// Without a variable it is its Thunk.
type whenThunk struct {
	variable string
	at       source.Span
	graph.Thunk
}

// Mentions calls visit for each key of the document that the inner thunk names.
func (t whenThunk) Mentions(visit func(expr.Mention)) {
	if m, ok := t.Thunk.(interface{ Mentions(func(expr.Mention)) }); ok {
		m.Mentions(visit)
	}
}

// Omits implements [graph.Omitter].
func (t whenThunk) Omits() bool {
	o, ok := t.Thunk.(graph.Omitter)
	return ok && o.Omits()
}

// Eval evaluates the inner thunk or returns null.
func (t whenThunk) Eval(p *graph.Context) (value.Value, error) {
	if t.variable != "" {
		if v, _ := (envThunk{t.variable, t.at}).Eval(p); v.Str() == "" {
			return value.Null, nil
		}
	}
	return t.Thunk.Eval(p)
}

// Forms recognises expression objects among the maps of a configuration.
func Forms(raw value.Value, p *graph.Context) (graph.Thunk, bool) {
	if !raw.Is(value.MapKind) || !expr.IsExpression(raw.Map()) {
		return nil, false
	}
	node, err := expr.Compile(raw, p.At)
	return &exprThunk{raw: raw, node: node, err: err}, true
}

// A Runtime is the environment of the computed values in one evaluation.
type Runtime struct {
	// Host returns the outside world for the expressions of a file. documentDir and
	// srcDir are the directories of the main document and of the file.
	Host func(documentDir, srcDir string) expr.Asking
	// Dir is the directory of the main document.
	Dir     string
	Library expr.Library
	Options expr.Options

	eval      *graph.Eval
	envs      map[*graph.Doc]*env
	templates templates // of the documents
	cache     template.Cache
}

// templates are parsed templates.
type templates map[templateKey]*template.Template

type templateKey struct {
	text string
	at   source.Span
	doc  *graph.Doc
	form string // its options, "" for none
}

// Bind sets the evaluation that the runtime serves.
func (rt *Runtime) Bind(e *graph.Eval) {
	rt.eval = e
	rt.envs = map[*graph.Doc]*env{}
	rt.templates = templates{}
	if m := rt.Options.Misses; m != nil {
		m.Settled = e.Settled
	}
}

// Language is the name of the [Runtime] among the runtimes of an evaluation.
const Language = "yaml"

func runtimeOf(p *graph.Context) *Runtime { return p.Eval().Runtimes[Language].(*Runtime) }

// scope returns the scope of an expression at p. Its SELF is the map that contains the
// cell of p, or the cell itself if the expression is inside of it, as a file name is.
func (rt *Runtime) scope(p *graph.Context) *expr.Scope {
	env := rt.env(p.Origin)
	if p.Inside {
		return expr.NewScope(env, p.Cell.AsMap())
	}
	self, ok, err := p.Cell.Enclosing()
	if err != nil || !ok {
		self = p.Cell.RootMap()
	}
	return expr.NewScope(env, self)
}

// Scope returns the scope of an expression in the root of the document, such as one from
// the command line. It has a template cache of its own, since such texts do not recur.
func (rt *Runtime) Scope(o *graph.Origin) *expr.Scope {
	return expr.NewScope(rt.newEnv(o, templates{}), rt.eval.Root().RootMap())
}

func (rt *Runtime) env(o *graph.Origin) *env {
	e := rt.envs[o.Doc]
	if e == nil {
		e = rt.newEnv(o, rt.templates)
		rt.envs[o.Doc] = e
	}
	return e
}

func (rt *Runtime) newEnv(o *graph.Origin, t templates) *env {
	return &env{rt: rt, origin: o, host: rt.Host(rt.Dir, o.Doc.Base), templates: t}
}

// TemplateOptions returns the options of the templates in a file.
func (rt *Runtime) TemplateOptions(doc *graph.Doc) template.Options {
	return template.Options{
		NoLiteral: doc.Off[literals],
		Cache:     &rt.cache,
		MaxBytes:  rt.eval.Limits().Output,
		Loader:    rt.loader(rt.Dir, doc.Base),
	}
}

// TemplateFiles implements [template.Includer].
func (e *env) TemplateFiles() (template.Loader, *template.Cache) {
	return e.rt.loader(e.rt.Dir, e.origin.Doc.Base), &e.rt.cache
}

// LoaderIn returns a loader of template files whose names are relative to dir.
func (rt *Runtime) LoaderIn(dir string) template.Loader {
	return rt.loader(dir, dir)
}

func (rt *Runtime) loader(documentDir, srcDir string) template.Loader {
	return func(name, _ string, at source.Span) (string, expr.Placer, error) {
		f, err := rt.Host(documentDir, srcDir)(at, false).ReadFile(name, "")
		if err != nil {
			return "", nil, err
		}
		return f.Text, expr.At(f.Span(0, len(f.Text))), nil
	}
}

// FileMentions calls visit for each key of the document that a template file names which was
// included so far.
func (rt *Runtime) FileMentions(visit func(expr.Mention)) {
	for _, t := range rt.cache.Templates() {
		t.Mentions(unbound, visit)
	}
}

// An env is the [expr.Env] of the expressions in one file.
type env struct {
	rt        *Runtime
	origin    *graph.Origin
	host      expr.Asking
	templates templates
}

// Root implements [expr.Env].
func (e *env) Root() value.Value { return e.rt.eval.Root().RootMap() }

// Global implements [expr.Env]: it returns a top-level key of the finished document, or
// else of the included file that contains the expression.
func (e *env) Global(name string) (value.Value, bool, error) {
	v, ok, err := e.rt.eval.Root().Named(name)
	if ok || err != nil || e.origin.Ref == nil {
		return v, ok, err
	}
	return e.rt.eval.FileRoot(e.origin).Named(name)
}

// Through implements [expr.Env].
func (e *env) Through(name string) (value.Value, bool) {
	roots := []*graph.Cell{e.rt.eval.Root()}
	if e.origin.Ref != nil {
		roots = append(roots, e.rt.eval.FileRoot(e.origin))
	}
	for _, root := range roots {
		if v, ok, err := value.Through(root.RootMap().Map(), value.K(name)); ok && err == nil {
			return v, true
		}
	}
	return value.Null, false
}

// GlobalNames implements [expr.Env].
func (e *env) GlobalNames() []string {
	names := e.rt.eval.Root().TextKeys()
	if e.origin.Ref != nil {
		names = append(names, e.rt.eval.FileRoot(e.origin).TextKeys()...)
	}
	return names
}

// Library implements [expr.Env].
func (e *env) Library() expr.Library { return e.rt.Library }

// Host implements [expr.Env].
func (e *env) Host(at source.Span, secret bool) expr.Host { return e.host(at, secret) }

// Step implements [expr.Env].
func (e *env) Step(n int) error { return e.rt.eval.Step(n) }

// Enter implements [expr.Env].
func (e *env) Enter() error { return e.rt.eval.Enter() }

// Leave implements [expr.Env].
func (e *env) Leave() { e.rt.eval.Leave() }

// Decided implements [expr.Env].
func (e *env) Decided() { e.rt.eval.Decided() }

// Warn implements [expr.Env].
func (e *env) Warn(d *source.Diagnostic) {
	if there, ok := (&graph.Context{Origin: e.origin}).Included(d).(*source.Diagnostic); ok {
		d = there
	}
	e.rt.eval.Warn(d)
}

// Options implements [expr.Env].
func (e *env) Options() expr.Options { return e.rt.Options }

// Render implements [expr.Env].
func (e *env) Render(text string, at expr.Placer, s *expr.Scope) (value.Value, error) {
	t, err := e.parse(text, at, expr.FileOptions{})
	if err != nil {
		return value.Null, err
	}
	return t.Render(s)
}

// parse parses a template in an expression object, or a file. It caches the result, because loops
// render it for every item.
func (e *env) parse(text string, at expr.Placer, o expr.FileOptions) (*template.Template, error) {
	key := templateKey{text: text, doc: e.origin.Doc}
	if at != nil {
		key.at = at.TextSpan(0, len(text))
	}
	if o.Text || len(o.Settings) > 0 {
		settings, err := formOf(o.Settings)
		if err != nil {
			return nil, err
		}
		key.form = fmt.Sprint(o.Text, o.Data, settings)
	}
	if t := e.templates[key]; t != nil {
		return t, nil
	}
	opts := e.rt.TemplateOptions(e.origin.Doc)
	opts.File, opts.Data, opts.Settings = o.Text, o.Data && o.Text, o.Settings
	t, err := template.Parse(text, at, opts)
	if err == nil && len(e.templates) < maxTemplates {
		e.templates[key] = t
	}
	return t, err
}

// formOf returns settings as a text.
func formOf(settings []value.Named) (string, error) {
	form := ""
	for _, o := range settings {
		text, err := value.Repr(o.Value)
		if err != nil {
			return "", err
		}
		form += o.Name + "=" + text + " "
	}
	return form, nil
}

const maxTemplates = 10_000

// RenderFile implements [expr.Env].
func (e *env) RenderFile(host expr.Host, name, base string, s *expr.Scope, o expr.FileOptions) (value.Value, error) {
	f, err := host.ReadFile(name, base)
	if err != nil {
		return value.Null, err
	}
	if err := template.RefuseDialect(f, source.Span{}); err != nil {
		return value.Null, err
	}
	text := f.Text
	if o.Text {
		text = strings.TrimSuffix(text, "\n")
	}
	t, err := e.parse(text, expr.At(f.Span(0, len(text))), o)
	if err != nil {
		return value.Null, err
	}
	v, err := t.Render(s)
	if o.Text && err == nil {
		v = withBreaks(v, f.Text)
	}
	if f.Secret {
		v = v.Mark(value.Secret)
	}
	return v, err
}

// withBreaks returns the text of a rendered file with as many line breaks at its end as the file has, if
// it has fewer.
func withBreaks(v value.Value, file string) value.Value {
	if !v.Is(value.StringKind) {
		return v
	}
	breaks := func(text string) int { return len(text) - len(strings.TrimRight(text, "\n")) }
	missing := breaks(file) - breaks(v.Str())
	if missing <= 0 {
		return v
	}
	var all value.TextBuilder
	_ = all.WriteValue(v, v.Str()) // fails for lists and maps only
	all.WriteString(strings.Repeat("\n", missing))
	return all.Value().Verbatim()
}
