package yay

import (
	"errors"
	"io/fs"
	"iter"
	"maps"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A written is an expression of which a thunk works out something: what of it does not
// depend on the thunk.
type written struct{ node expr.Node }

// Raw returns the expression as text, secret if it stands in an encrypted file.
func (w written) Raw() value.Value {
	v := value.String("{{ " + w.node.Span().Text() + " }}").Verbatim()
	if isSecret(w.node.Span()) {
		v = v.Mark(value.Secret)
	}
	return v
}

// Soft is false: what needs itself is an error.
func (w written) Soft() bool { return false }

// Check returns what is wrong with the expression whatever values it meets.
func (w written) Check(expr.Library) []*source.Diagnostic { return lintExpression(w.node) }

// An exprThunk is a value that is one expression.
type exprThunk struct {
	written
	marks value.Marks
}

// Eval evaluates the expression at p.
func (t *exprThunk) Eval(p *graph.Place) (value.Value, error) {
	v, err := evalAt(t.node, p)
	return v.Mark(t.marks), err
}

// evalAt evaluates an expression that stands at p.
func evalAt(n expr.Node, p *graph.Place) (value.Value, error) {
	v, err := eval(n, (*site)(p), nil)
	return v, used(p.Included(expr.Conceal(err)), n.Span(), p)
}

// maxUses bounds the notes of one error.
const maxUses = 5

// used adds to an error in a text that is evaluated at p where the macros and
// prototypes are used that the text belongs to.
func used(err error, text source.Span, p *graph.Place) error {
	d, ok := err.(*source.Diagnostic)
	if !ok || len(d.Notes) > 0 || !text.Contains(d.At) {
		return err
	}
	uses := p.Frame.Uses()
	if len(uses) == 0 {
		return err
	}
	copied := *d
	for _, at := range uses[:min(len(uses), maxUses)] {
		copied.Note(at, "used here")
	}
	return &copied
}

// A textThunk is text with expressions in it.
type textThunk struct {
	text  *Text
	marks value.Marks
}

// Eval joins the parts.
func (t *textThunk) Eval(p *graph.Place) (value.Value, error) {
	v, err := joinText(t.text.Parts, (*site)(p))
	return v.Mark(t.marks), used(p.Included(expr.Conceal(err)), t.text.At, p)
}

// Raw returns the text as it is written.
func (t *textThunk) Raw() value.Value {
	text := ""
	for _, p := range t.text.Parts {
		if p.Node != nil {
			text += written{p.Node}.Raw().Str()
		} else {
			text += p.Text
		}
	}
	return value.String(text).Verbatim().Mark(t.marks)
}

// Soft is false.
func (t *textThunk) Soft() bool { return false }

// Check returns what is wrong with the expressions.
func (t *textThunk) Check(expr.Library) []*source.Diagnostic {
	var all []*source.Diagnostic
	for _, p := range t.text.Parts {
		if p.Node != nil {
			all = append(all, lintExpression(p.Node)...)
		}
	}
	return append(all, lintParts(t.text)...)
}

// A conditionThunk is the truth of an expression.
type conditionThunk struct{ written }

// Eval evaluates the condition at p.
func (t *conditionThunk) Eval(p *graph.Place) (value.Value, error) {
	v, err := evalAt(t.node, p)
	if err != nil {
		return v, err
	}
	noteWord((*site)(p), v, t.node.Span())
	holds, err := truth(v, t.node.Span())
	return value.Bool(holds), p.Included(err)
}

// A selectorThunk is the text that a "select" compares its cases with.
type selectorThunk struct {
	written
	of *Select
}

// Eval evaluates the operand at p.
func (t *selectorThunk) Eval(p *graph.Place) (value.Value, error) {
	v, err := evalAt(t.node, p)
	if err != nil {
		return v, err
	}
	text, err := textOf(v, t.node.Span())
	return value.String(text).Mark(v.Marks()), p.Included(err)
}

// Check returns what is wrong with the operand and the cases.
func (t *selectorThunk) Check(expr.Library) []*source.Diagnostic {
	return append(lintExpression(t.node), repeatedCases(t.of)...)
}

// An overThunk is the list that a loop runs over.
type overThunk struct{ written }

// Eval evaluates the source of the loop at p.
func (t *overThunk) Eval(p *graph.Place) (value.Value, error) {
	v, err := evalAt(t.node, p)
	if err != nil {
		return v, err
	}
	list, err := iterate(v, t.node.Span())
	if err != nil {
		return v, p.Included(err)
	}
	return value.FromList(list).Mark(v.Marks()), nil
}

// A binding is embedded by thunks of names and arguments, which are not part of the
// document.
type binding struct{}

// Raw returns nothing.
func (binding) Raw() value.Value { return value.Null }

// Soft is false.
func (binding) Soft() bool { return false }

// A targetThunk is one of several names that a "set" binds at once: an item of a
// list that is bound to a name of its own.
type targetThunk struct {
	binding
	whole string
	i, n  int
	at    source.Span // of the list
}

// Eval returns the item.
func (t *targetThunk) Eval(p *graph.Place) (value.Value, error) {
	v, _, err := (*site)(p).Lookup(t.whole)
	if err != nil {
		return v, err
	}
	list, err := listFor(t.n, v, t.at)
	if err != nil {
		return v, p.Included(err)
	}
	item, err := list.At(t.i)
	return item.Mark(v.Marks()), err
}

// A site is a place where expressions are evaluated: what they see around them.
type site graph.Place

func (s *site) place() *graph.Place { return (*graph.Place)(s) }

// Lookup returns what a bare name means: the nearest mapping, a name that an
// enclosing directive or block binds, a key of the finished document, a class of the
// host (spec: yay, section 6.3). The keys of a file that one of another language
// includes may lie anywhere in the document, so they are looked up there as well.
func (s *site) Lookup(name string) (value.Value, bool, error) {
	if name == "here" {
		return s.place().Here()
	}
	if v, ok, err := s.Frame.Lookup(name); ok || err != nil {
		return v, ok, err
	}
	e := s.place().Eval()
	if v, ok, err := e.Lookup(name); ok || err != nil {
		return v, ok, err
	}
	if v, ok, err := e.Root().Named(name); ok || err != nil {
		return v, ok, err
	}
	if outer := s.Origin.Outer; outer != nil && outer.Doc.Lang != Language {
		if v, ok, err := e.FileRoot(s.Origin).Named(name); ok || err != nil {
			return v, ok, err
		}
	}
	v, ok := s.runtime().class(name)
	return v, ok, nil
}

func (s *site) runtime() *Runtime { return s.place().Eval().User.(Host).YayRuntime() }

// Missing returns the error of a name that means nothing.
func (s *site) Missing(n *expr.Name) error {
	d := source.Errorf(n.At, source.NoMatching, "could not find %q", n.Name)
	if here, ok, err := s.place().Here(); ok && err == nil {
		if _, sibling, err := here.Map().Get(value.K(n.Name)); sibling && err == nil {
			return d.WithHint("did you mean here.%s?", n.Name)
		}
	}
	if hint := foreignName(n.Name); hint != "" {
		return d.WithHint("%s", hint)
	}
	return d.DidYouMean(n.Name, s.names())
}

// names yields the names that an expression can use, innermost first.
func (s *site) names() iter.Seq[string] {
	e := s.place().Eval()
	return func(yield func(string) bool) {
		for _, some := range [][]string{s.Frame.Names(), e.Names(), e.Root().TextKeys(), slices.Sorted(maps.Keys(s.runtime().Classes)), builtinNames()} {
			for _, name := range some {
				if !yield(name) {
					return
				}
			}
		}
	}
}

// Call calls a macro with arguments that are worked out where the call stands.
func (s *site) Call(at source.Span, callee value.Value, args []argument) (value.Value, error) {
	def, err := definitionOf(callee, macroKind, at, "call")
	if err != nil {
		return value.Null, err
	}
	n := &graph.Instance{At: at, Def: def}
	if len(args) > 0 {
		m := graph.Map{At: at, Entries: make([]graph.Entry, len(args))}
		for i, a := range args {
			m.Entries[i] = graph.Entry{Key: value.K(a.Name), KeyAt: a.At, Node: &graph.Computed{At: a.At, Thunk: argumentThunk{argument: a}}}
		}
		n.Args = graph.NewMap(m)
	}
	v, ok, err := n.Value(s.place())
	if err == nil && !ok {
		v = value.FromMap(value.NewMap(0))
	}
	return v, err
}

// An argumentThunk is an argument of a call in an expression.
type argumentThunk struct {
	binding
	argument
}

// Eval evaluates the argument where the call stands.
func (t argumentThunk) Eval(*graph.Place) (value.Value, error) { return t.Value() }

// Step counts work.
func (s *site) Step(n int) error { return s.place().Eval().Step(n) }

// Enter counts a level of nesting.
func (s *site) Enter() error { return s.place().Eval().Enter() }

// Leave ends a level.
func (s *site) Leave() { s.place().Eval().Leave() }

// MaxText returns how many bytes one text may have.
func (s *site) MaxText() int { return s.place().Eval().Limits().Output }

// A Host provides the Runtime of an evaluation. The User of a [graph.Eval] that
// evaluates Yay is one.
type Host interface{ YayRuntime() *Runtime }

// A Runtime is what the values of a document need while one evaluation runs.
type Runtime struct {
	// Dir is the directory of the main document: the first place of the search path.
	Dir string

	// Open opens the file of that name, relative to a directory or URL, along the
	// search path of the command. A file that is not there is fs.ErrNotExist.
	Open func(name, base string) (*source.File, error)

	// Lint says that warnings are wanted about what is allowed and probably not meant.
	Lint bool

	// Classes are what "new" and "create" make of the host, by name.
	Classes map[string]Class

	instances map[instanceKey]graph.Node
}

// A Class makes instances of the host (spec: yay, section 10.4). Instance returns the
// map of the one at p: what is given to it, and members that are worked out when one
// is asked for that is not among those.
type Class interface {
	Instance(p *graph.Place, params value.Value) value.Map
}

func runtimeOf(p *graph.Place) *Runtime { return (*site)(p).runtime() }

// An instanceKey tells what a directive was decided to be, so that the same decision
// gives the same node.
type instanceKey struct {
	directive *graph.Guard
	of        any // a definition, the names of files
}

// node returns the node that a directive comes to for a decision, made once.
func (rt *Runtime) node(g *graph.Guard, of any, make func() graph.Node) graph.Node {
	key := instanceKey{g, of}
	n := rt.instances[key]
	if n == nil {
		if rt.instances == nil {
			rt.instances = map[instanceKey]graph.Node{}
		}
		n = make()
		rt.instances[key] = n
	}
	return n
}

func (rt *Runtime) instance(g *graph.Guard, def *graph.Definition, make func() graph.Node) graph.Node {
	return rt.node(g, def.Identity(), make)
}

// class returns a class of the host as a value.
func (rt *Runtime) class(name string) (value.Value, bool) {
	c, ok := rt.Classes[name]
	if !ok {
		return value.Null, false
	}
	return value.FromFunc(&value.Func{Name: name, Definition: c}), true
}

// native returns what an instance of a class contributes at p: what is given to it,
// over the members that the class makes, which come last.
func (rt *Runtime) native(p *graph.Place, g *graph.Guard, c Class, given graph.Node) graph.Node {
	type instance struct {
		cell  *graph.Cell
		frame *graph.Frame
		class Class
	}
	return rt.node(g, instance{p.Cell, p.Frame, c}, func() graph.Node {
		var layers []graph.Node
		params := value.FromMap(value.NewMap(0))
		if given != nil {
			layers = append(layers, given)
			params = p.Bind(classKind, given).AsMap()
		}
		instance := c.Instance(p, params)
		view := &graph.View{At: g.At, Last: true, Map: func() (value.Map, error) { return instance, nil }}
		return &graph.Stack{At: g.At, Layers: append([]graph.Node{view}, layers...), Rule: graph.BlockRule}
	})
}

// find returns the full name of a file that an include names (spec: yay, sections
// 5.1, 9). The search path is the directory of the main document and the directories
// of the command, then those of "search", then the list yay.searchpath of the
// document; after it comes the directory of the file that holds the include. What
// comes later is not looked at if the file was found before.
func (s *site) find(name string, at source.Span) (string, error) {
	rt := s.runtime()
	if isRooted(runtime.GOOS, name) || hasScheme(name) {
		return s.found(name, "", at)
	}
	if full, err := s.found(name, rt.Dir, at); full != "" || err != nil {
		return full, err
	}
	dirs, marks, err := s.searchPath(at)
	if err != nil {
		return "", err
	}
	for _, dir := range dirs {
		if full, err := s.found(join(dir, name), rt.Dir, at); full != "" || err != nil {
			return full, err
		}
	}
	if base := s.Origin.Doc.Base; base != "" && base != rt.Dir {
		if full, err := s.found(name, base, at); full != "" || err != nil {
			return full, err
		}
	}
	d := source.Errorf(at, source.NotFound, "%q could not be found", name)
	if marks != 0 {
		return "", d
	}
	return "", d.WithHint("searched in %s", strings.Join(append([]string{"the directory of the main document"}, dirs...), ", "))
}

// isRooted reports whether a name of a file means the same whatever directory it is
// looked for in. On Windows a drive may stand before the separator.
func isRooted(system, name string) bool {
	if system == "windows" {
		if len(name) > 1 && name[1] == ':' {
			name = name[2:]
		}
		name = strings.ReplaceAll(name, `\`, "/")
	}
	return strings.HasPrefix(name, "/")
}

// hasScheme reports whether a name is a URL, of whatever scheme.
func hasScheme(name string) bool {
	scheme, _, ok := strings.Cut(name, "://")
	return ok && scheme != ""
}

// found returns the full name of a file if it is there.
func (s *site) found(name, base string, at source.Span) (string, error) {
	if err := s.Step(lookupSteps); err != nil {
		return "", placed(err, at)
	}
	f, err := s.runtime().Open(name, base)
	switch {
	case err == nil && f.Path != "":
		return f.Path, nil
	case err == nil:
		return f.Name, nil
	case !errors.Is(err, fs.ErrNotExist):
		return "", placed(err, at)
	case base == "":
		return "", source.Errorf(at, source.NotFound, "%q could not be found", name).WithHint("%s", schemeHint(name))
	}
	return "", nil
}

// schemeHint says who gives the files of a scheme, "" for what is a file itself.
func schemeHint(name string) string {
	if rest, ok := strings.CutPrefix(name, "package://"); ok {
		pkg, _, _ := strings.Cut(rest, "/")
		return "--repository " + pkg + "=DIR gives the directory of " + pkg
	}
	if strings.HasPrefix(name, "mem://") {
		return "only programs in Go can provide files of this scheme"
	}
	return ""
}

// lookupSteps is what looking for a file counts for.
const lookupSteps = 2000

// join puts a name below a directory or URL.
func join(dir, name string) string {
	if hasScheme(dir) {
		return strings.TrimRight(dir, "/") + "/" + name
	}
	return path.Join(filepath.ToSlash(dir), name)
}

// searchPath returns the directories that the document adds to the search path.
func (s *site) searchPath(at source.Span) (dirs []string, marks value.Marks, err error) {
	add := func(v value.Value, at source.Span) error {
		m, err := value.DeepMarks(v)
		if err != nil {
			return err
		}
		marks |= m
		texts, err := textsOf(v, at)
		dirs = append(dirs, texts...)
		return err
	}
	if err := s.place().Eval().Each("search", add); err != nil {
		return nil, 0, err
	}
	if err := s.Frame.Each("search", add); err != nil {
		return nil, 0, err
	}
	yay, ok, err := s.place().Eval().Root().Named("yay")
	if !ok || err != nil || !yay.Is(value.MapKind) {
		return dirs, marks, err
	}
	own, ok, err := yay.Map().Get(value.K("searchpath"))
	if ok && err == nil {
		err = add(own, at)
	}
	return dirs, marks, err
}
