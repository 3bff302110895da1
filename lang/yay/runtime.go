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
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// An exprBase is the expression of a thunk, with the methods that depend on nothing else.
type exprBase struct{ node expr.Node }

// Raw returns the expression as text, marked secret in an encrypted file.
func (b exprBase) Raw() value.Value {
	v := value.String("{{ " + b.node.Span().Text() + " }}").Verbatim()
	if isSecret(b.node.Span()) {
		v = v.Mark(value.Secret)
	}
	return v
}

// Soft is false: a value that needs itself is an error.
func (b exprBase) Soft() bool { return false }

// Check returns the findings about the expression that do not depend on values.
func (b exprBase) Check(expr.Library) []*source.Diagnostic { return lintExpression(b.node) }

// Mentions calls visit for each key of the document that the expression names.
func (b exprBase) Mentions(visit func(expr.Mention)) { mentions(b.node, visit) }

func mentions(n expr.Node, visit func(expr.Mention)) {
	none := func(string) bool { return false }
	expr.Mentions(n, none, func(m expr.Mention) {
		if m.From == expr.RootName {
			switch m.Keys[0] {
			case "here":
				m.From, m.Keys = expr.RootSelf, m.Keys[1:]
			case "self":
				m.From, m.Keys = expr.RootUnknown, m.Keys[1:]
			}
		}
		if len(m.Keys) > 0 {
			visit(m)
		}
	}, func(*expr.Template, func(string) bool) {})
}

// An exprThunk evaluates to a value that is one expression.
type exprThunk struct {
	exprBase
	marks value.Marks
}

// Eval evaluates the expression at p.
func (t *exprThunk) Eval(p *graph.Context) (value.Value, error) {
	v, err := evalAt(t.node, p)
	return v.Mark(t.marks), err
}

// evalAt evaluates an expression that is written at p.
func evalAt(n expr.Node, p *graph.Context) (value.Value, error) {
	v, err := eval(n, (*site)(p), nil)
	return v, used(p.Included(expr.Conceal(err)), n.Span(), p)
}

// maxUses bounds the notes of an error.
const maxUses = 5

// used notes on an error in a text where the macros and prototypes that contain the text
// are used. p is the place of the evaluation.
func used(err error, text source.Span, p *graph.Context) error {
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

// A textThunk evaluates to text with expressions in it.
type textThunk struct {
	text  *Text
	marks value.Marks
}

// Eval joins the parts.
func (t *textThunk) Eval(p *graph.Context) (value.Value, error) {
	v, err := joinText(t.text.Parts, (*site)(p))
	return v.Mark(t.marks), used(p.Included(expr.Conceal(err)), t.text.At, p)
}

// Raw returns the text as it is written.
func (t *textThunk) Raw() value.Value {
	text := ""
	for _, p := range t.text.Parts {
		if p.Node != nil {
			text += exprBase{p.Node}.Raw().Str()
		} else {
			text += p.Text
		}
	}
	return value.String(text).Verbatim().Mark(t.marks)
}

// Soft is false.
func (t *textThunk) Soft() bool { return false }

// Check returns the findings about the expressions and the text between them.
func (t *textThunk) Check(expr.Library) []*source.Diagnostic {
	var all []*source.Diagnostic
	for _, p := range t.text.Parts {
		if p.Node != nil {
			all = append(all, lintExpression(p.Node)...)
		}
	}
	return append(all, lintParts(t.text)...)
}

// Mentions calls visit for each key of the document that the expressions name.
func (t *textThunk) Mentions(visit func(expr.Mention)) {
	for _, p := range t.text.Parts {
		if p.Node != nil {
			mentions(p.Node, visit)
		}
	}
}

// A conditionThunk evaluates to the truth of an expression.
type conditionThunk struct{ exprBase }

// Eval evaluates the condition at p.
func (t *conditionThunk) Eval(p *graph.Context) (value.Value, error) {
	v, err := evalAt(t.node, p)
	if err != nil {
		return v, err
	}
	noteWord((*site)(p), v, t.node.Span())
	holds, err := truth(v, t.node.Span())
	return value.Bool(holds).Mark(v.Marks()), p.Included(err)
}

// A selectorThunk evaluates to the text that a "select" compares with its cases.
type selectorThunk struct {
	exprBase
	of *Select
}

// Eval evaluates the operand at p.
func (t *selectorThunk) Eval(p *graph.Context) (value.Value, error) {
	v, err := evalAt(t.node, p)
	if err != nil {
		return v, err
	}
	text, err := textOf(v, t.node.Span())
	return value.String(text).Mark(v.Marks()), p.Included(err)
}

// Check returns the findings about the operand and the cases.
func (t *selectorThunk) Check(expr.Library) []*source.Diagnostic {
	return append(lintExpression(t.node), repeatedCases(t.of)...)
}

// An overThunk evaluates to the list that a loop iterates over.
type overThunk struct{ exprBase }

// Eval evaluates the source of the loop at p.
func (t *overThunk) Eval(p *graph.Context) (value.Value, error) {
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

// A targetThunk evaluates to one of several names that a "set" binds at once: an item of
// the list that is bound to the name whole.
type targetThunk struct {
	binding
	whole string
	i, n  int
	at    source.Span // of the list
}

// Eval returns the item.
func (t *targetThunk) Eval(p *graph.Context) (value.Value, error) {
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

// A site is a place where expressions are evaluated. It implements surroundings.
type site graph.Context

func (s *site) place() *graph.Context { return (*graph.Context)(s) }

// Lookup returns the value of a bare name: "here" is the nearest mapping. Other names are
// looked up in the directives and blocks around, then among the names that a root layer binds, the keys
// of the finished document, and the classes of the host (spec: yay, section 6.3). If a
// file of another language includes this one, its keys may be anywhere in the document,
// so they are looked up as well.
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

func (s *site) runtime() *Runtime { return s.place().Eval().Runtimes[Language].(*Runtime) }

// Missing returns the error of an unknown name.
func (s *site) Missing(n *expr.Name) error {
	d := source.Errorf(n.At, source.NoMatching, "could not find %q", n.Name)
	if here, ok, err := s.place().Here(); ok && err == nil {
		if _, sibling, err := here.Map().Get(value.K(n.Name)); sibling && err == nil {
			return d.WithHint("did you mean here.%s?", n.Name)
		}
		if whole := expr.HyphenedWord(n); whole != "" {
			if _, sibling, err := here.Map().Get(value.K(whole)); sibling && err == nil {
				return d.WithHint(`"-" subtracts; the key is here['%s']`, whole)
			}
		}
	}
	if whole := expr.HyphenedWord(n); whole != "" && slices.Contains(slices.Collect(s.names()), whole) {
		return d.WithHint(`"-" subtracts; set name = here['%s'] at the top gives the value a name`, whole)
	}
	if hint := foreignName(n.Name); hint != "" {
		return d.WithHint("%s", hint)
	}
	return d.DidYouMean(n.Name, s.names())
}

// names yields the names that an expression can use, the innermost first.
func (s *site) names() iter.Seq[string] {
	e := s.place().Eval()
	return func(yield func(string) bool) {
		var global, keys []string
		if e.Looks(0) {
			global, keys = e.Names(), e.Root().TextKeys()
			e.Looks(len(global) + len(keys))
		}
		for _, some := range [][]string{s.Frame.Names(), global, keys, slices.Sorted(maps.Keys(s.runtime().Classes)), builtinNames()} {
			for _, name := range some {
				if !yield(name) {
					return
				}
			}
		}
	}
}

// Step counts n units of work.
func (s *site) Step(n int) error { return s.place().Eval().Step(n) }

// Enter counts a level of nesting.
func (s *site) Enter() error { return s.place().Eval().Enter() }

// Leave ends a level.
func (s *site) Leave() { s.place().Eval().Leave() }

// Keeps implements surroundings.
func (s *site) Keeps() bool { return s.place().Eval().Keeps() }

// Decided implements surroundings.
func (s *site) Decided() { s.place().Eval().Decided() }

// MaxText returns how many bytes one text may have.
func (s *site) MaxText() int { return s.place().Eval().Limits().Output }

// A Runtime is the state and the environment of one evaluation.
type Runtime struct {
	// Dir is the directory of the main document: the first place of the search path.
	Dir string

	// Open opens a file that a place names, relative to a directory or URL, along the search
	// path of the command. A missing file is fs.ErrNotExist.
	Open func(name, base string, at source.Span) (*source.File, error)

	// Near returns the name of a file that the name of a missing one may have meant, "" for
	// none. from is the path of the file that has the name. It may be nil.
	Near func(name, base, from string) string

	// Injector looks up keys in the bindings of the document; nil if it has none.
	Injector expr.Injector

	// Lint enables warnings about values that are allowed and probably not meant.
	Lint bool

	// Classes are the classes of the host for "new" and "create", by name.
	Classes map[string]Class

	instances map[instanceKey]graph.Node
	calls     map[*expr.CallExpr]*graph.Instance // the last instance that each made

	directKeys map[*expr.Select]*directKey
	onCells    bool // for tests: no call is direct
}

// A Class makes instances of the host (spec: yay, section 10.4). Instance returns the map
// of an instance at p: its parameters, and members that are computed when a key is asked
// for that is not a parameter.
type Class interface {
	Instance(p *graph.Context, params value.Value) value.Map
}

func runtimeOf(p *graph.Context) *Runtime { return (*site)(p).runtime() }

// An instanceKey identifies a directive and the value that it was resolved to. The same
// key always has the same node.
type instanceKey struct {
	directive *graph.Guard
	of        any // a definition, the names of files
}

// node returns the node of a directive that is resolved to a value. It calls make for the
// first one.
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

// class returns a class of the host as a function value.
func (rt *Runtime) class(name string) (value.Value, bool) {
	c, ok := rt.Classes[name]
	if !ok {
		return value.Null, false
	}
	return value.FromFunc(&value.Func{Name: name, Definition: c}), true
}

// native returns the instance of a class at p: the given arguments over the members that
// the class makes. The members come last, so the class is only asked for other keys.
func (rt *Runtime) native(p *graph.Context, g *graph.Guard, c Class, given graph.Node) graph.Node {
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

// find returns the full name of a file that an include names (spec: yay, sections 5.1,
// 9). It tries, in this order, and stops at the first that has the file:
//
//	the directory of the main document, the directories of the command
//	the directories of "search"
//	the list yay.searchpath of the document
//	the directory of the file with the include
func (s *site) find(name string, at source.Span) (string, error) {
	rt := s.runtime()
	if isRooted(runtime.GOOS, name) || hasScheme(name) {
		return s.found(name, "", at, shown)
	}
	if full, err := s.found(name, rt.Dir, at, shown); full != "" || err != nil {
		return full, err
	}
	dirs, marks, err := s.searchPath(at)
	if err != nil {
		return "", err
	}
	for _, dir := range dirs {
		if full, err := s.found(join(dir, name), rt.Dir, at, marks == 0); full != "" || err != nil {
			return full, err
		}
	}
	if base := s.Origin.Doc.Base; base != "" && base != rt.Dir {
		if full, err := s.found(name, base, at, shown); full != "" || err != nil {
			return full, err
		}
	}
	d := notFound(name, at)
	if marks != 0 || at.File != nil && at.File.Secret {
		return "", d
	}
	hint := "searched in " + strings.Join(append([]string{"the directory of the main document"}, dirs...), ", ")
	for _, dir := range append([]string{rt.Dir}, s.Origin.Doc.Base) {
		if near := rt.near(name, dir, at); near != "" {
			hint = "did you mean " + strconv.Quote(near) + "?"
			break
		}
	}
	return "", d.WithHint("%s", hint)
}

// notFound reports that an include names a missing file. It quotes no name from an encrypted file.
func notFound(name string, at source.Span) *source.Diagnostic {
	if at.File != nil && at.File.Secret {
		return source.Errorf(at, source.NotFound, "the file of this include could not be found; its name is in an encrypted file and is not shown").
			WithHint("yaytpl decrypt shows the file")
	}
	return source.Errorf(at, source.NotFound, "%q could not be found", name)
}

// isRooted reports whether a file name is absolute. On Windows a drive may precede the
// separator.
func isRooted(system, name string) bool {
	if system == "windows" {
		if len(name) > 1 && name[1] == ':' {
			name = name[2:]
		}
		name = strings.ReplaceAll(name, `\`, "/")
	}
	return strings.HasPrefix(name, "/")
}

// hasScheme reports whether a name is a URL of any scheme.
func hasScheme(name string) bool {
	scheme, _, ok := strings.Cut(name, "://")
	return ok && scheme != ""
}

// Whether an error may show the name of a file.
const shown = true

// found returns the full name of a file, "" if it is missing.
func (s *site) found(name, base string, at source.Span, show bool) (string, error) {
	if err := s.Step(lookupSteps); err != nil {
		return "", placed(err, at)
	}
	f, err := s.runtime().Open(name, base, at)
	switch {
	case err == nil && f.Path != "":
		return f.Path, nil
	case err == nil:
		return f.Name, nil
	case !errors.Is(err, fs.ErrNotExist) && show:
		return "", placed(err, at)
	case !errors.Is(err, fs.ErrNotExist):
		code := source.AsDiagnostic(err, at, source.NotFound).Code
		return "", source.Errorf(at, code, "the file cannot be opened: its name is not shown, because it is secret")
	case base == "":
		d := notFound(name, at)
		if at.File == nil || !at.File.Secret {
			d.WithHint("%s", schemeHint(name))
		}
		return "", d
	}
	return "", nil
}

// near returns the name of a file that a name at a place may have meant, "" for none.
func (rt *Runtime) near(name, base string, at source.Span) string {
	if rt.Near == nil || base == "" || at.File == nil {
		return ""
	}
	return rt.Near(name, base, at.File.Path)
}

// schemeHint returns a hint about where files of a scheme come from, "" for others.
func schemeHint(name string) string {
	if rest, ok := strings.CutPrefix(name, "package://"); ok {
		pkg, _, _ := strings.Cut(rest, "/")
		return "--repository " + pkg + "=DIR sets the directory of " + pkg
	}
	if strings.HasPrefix(name, "mem://") {
		return "only programs in Go can provide files of this scheme"
	}
	return ""
}

// lookupSteps is the cost of looking for a file.
const lookupSteps = 2000

// join appends a name to a directory or URL.
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
