package template

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// fakeEnv is a document of plain data with a small library and limits.
type fakeEnv struct {
	root     value.Value
	opts     expr.Options
	steps    int
	maxSteps int
	depth    int
	maxDepth int
	warnings []string
}

func newEnv(pairs ...any) *fakeEnv {
	root := value.NewMap(len(pairs) / 2)
	for i := 0; i < len(pairs); i += 2 {
		root.Set(value.K(pairs[i].(string)), toValue(pairs[i+1]))
	}
	return &fakeEnv{root: value.FromMap(root), maxSteps: 1_500_000, maxDepth: 100_000}
}

func toValue(x any) value.Value {
	switch x := x.(type) {
	case value.Value:
		return x
	case string:
		return value.String(x)
	case int:
		return value.Int(int64(x))
	case bool:
		return value.Bool(x)
	case float64:
		return value.Float(x)
	case []any:
		items := value.Slice{}
		for _, e := range x {
			items = append(items, toValue(e))
		}
		return value.FromList(items)
	case map[string]any:
		m := value.NewMap(len(x))
		for k, e := range x {
			m.Set(value.K(k), toValue(e))
		}
		return value.FromMap(m)
	}
	return value.Null
}

func (e *fakeEnv) scope() *expr.Scope { return expr.NewScope(e, e.root) }

func (e *fakeEnv) Root() value.Value { return e.root }
func (e *fakeEnv) Global(name string) (value.Value, bool, error) {
	return e.root.Map().Get(value.K(name))
}
func (e *fakeEnv) Through(string) (value.Value, bool) { return value.Null, false }
func (e *fakeEnv) GlobalNames() []string {
	var names []string
	for k := range e.root.Map().Keys() {
		names = append(names, k.Text)
	}
	return names
}
func (e *fakeEnv) Library() expr.Library            { return fakeLibrary{} }
func (e *fakeEnv) Host(source.Span, bool) expr.Host { return fakeHost{} }
func (e *fakeEnv) Render(text string, at expr.Placer, s *expr.Scope) (value.Value, error) {
	t, err := Parse(text, at, Options{})
	if err != nil {
		return value.Null, err
	}
	return t.Render(s)
}
func (e *fakeEnv) RenderFile(expr.Host, string, string, *expr.Scope, expr.FileOptions) (value.Value, error) {
	return value.Null, errors.New("no files")
}
func (e *fakeEnv) Step(n int) error {
	if e.steps += n; e.steps > e.maxSteps {
		return source.Errorf(source.Span{}, source.Limit, "more than %d steps", e.maxSteps)
	}
	return nil
}
func (e *fakeEnv) Enter() error {
	if e.depth++; e.depth > e.maxDepth {
		e.depth--
		return source.Errorf(source.Span{}, source.Limit, "more than %d nested evaluations", e.maxDepth)
	}
	return nil
}
func (e *fakeEnv) Leave()                    { e.depth-- }
func (e *fakeEnv) Warn(d *source.Diagnostic) { e.warnings = append(e.warnings, d.Message) }
func (e *fakeEnv) Options() expr.Options     { return e.opts }

type fakeHost struct{ expr.Host }

func (fakeHost) Now() time.Time { return time.Unix(0, 0) }
func (fakeHost) Random() uint64 { return 4 }

// fakeLibrary is just enough of a library for the tests.
type fakeLibrary struct{ expr.Library }

func (fakeLibrary) Filter(c expr.Call, name string, in value.Value, args value.Args) (value.Value, bool, error) {
	text := func(f func(string) string) (value.Value, bool, error) {
		if err := expr.Raise(in); err != nil {
			return value.Null, true, err
		}
		s, err := value.Text(in)
		return value.String(f(s)), true, err
	}
	switch name {
	case "upper":
		return text(strings.ToUpper)
	case "trim":
		return text(strings.TrimSpace)
	case "string", "to_json":
		return text(func(s string) string { return s })
	case "replace":
		return text(func(s string) string { return strings.ReplaceAll(s, args.Pos[0].Str(), args.Pos[1].Str()) })
	case "default":
		if in.Is(value.UndefinedKind) {
			return args.Pos[0], true, nil
		}
		return in, true, nil
	case "safe":
		return in.AsHTML(), true, nil
	case "sensitive":
		return in.Mark(value.Sensitive), true, nil
	case "length":
		return value.Int(int64(in.List().Len())), true, nil
	case "list":
		var items value.Slice
		for v, err := range value.Items(in.List()) {
			if err != nil {
				return v, true, err
			}
			items = append(items, v)
		}
		return value.FromList(items), true, nil
	case "join":
		var parts []string
		for v := range value.Items(in.List()) {
			s, err := value.Text(v)
			if err != nil {
				return v, true, err
			}
			parts = append(parts, s)
		}
		return value.String(strings.Join(parts, args.Pos[0].Str())), true, nil
	}
	return value.Null, false, nil
}

func (fakeLibrary) Test(c expr.Call, name string, in value.Value, args value.Args) (value.Value, bool, error) {
	switch name {
	case "defined":
		return value.Bool(!in.Is(value.UndefinedKind)), true, nil
	case "even":
		i, _ := in.Int()
		return value.Bool(i%2 == 0), true, nil
	}
	return value.False, false, nil
}

func (fakeLibrary) Method(c expr.Call, recv value.Value, name string, args value.Args) (value.Value, bool, error) {
	switch {
	case name == "items" && recv.Is(value.MapKind):
		var items value.Slice
		for k := range recv.Map().Keys() {
			v, _, _ := recv.Map().Get(k)
			items = append(items, value.ListOf(k.Value(), v))
		}
		return value.FromList(items), true, nil
	case name == "upper":
		return value.String(strings.ToUpper(recv.Str())), true, nil
	}
	return value.Null, false, nil
}

func (fakeLibrary) Function(expr.Call, string, value.Args) (value.Value, bool, error) {
	return value.Null, false, nil
}

func (fakeLibrary) Global(name string) (value.Value, bool) {
	switch name {
	case "range":
		return value.FromFunc(&value.Func{Name: "range", Call: func(a value.Args) (value.Value, error) {
			n, _ := a.Pos[0].Int()
			return value.FromList(counting(n)), nil
		}}), true
	case "dict":
		return value.FromFunc(&value.Func{Name: "dict", Call: func(a value.Args) (value.Value, error) {
			m := value.NewMap(len(a.Named))
			for _, n := range a.Named {
				m.Set(value.K(n.Name), n.Value)
			}
			return value.FromMap(m), nil
		}}), true
	}
	return value.Null, false
}

// counting is the list 0, 1, ... without the memory.
type counting int64

func (c counting) Len() int                      { return int(c) }
func (c counting) At(i int) (value.Value, error) { return value.Int(int64(i)), nil }

func (fakeLibrary) HasFilter(n string) bool { return n == "upper" }
func (fakeLibrary) HasTest(string) bool     { return false }
func (fakeLibrary) FilterNames() []string   { return []string{"upper", "default"} }
func (fakeLibrary) TestNames() []string     { return []string{"defined"} }

func (fakeLibrary) MethodNames(value.Kind) []string { return nil }

// files is a loader of texts by name.
type files map[string]string

func (f files) load(name, from string, _ source.Span) (string, expr.Placer, error) {
	text, ok := f[name]
	if !ok {
		return "", nil, fmt.Errorf("%s: %w", name, fs.ErrNotExist)
	}
	file := source.NewFile(name, text)
	return text, expr.At(file.Span(0, len(text))), nil
}

// parse parses a text as if it were the whole of a file.
func parse(text string, opts Options) (*Template, error) {
	f := source.NewFile("main", text)
	return Parse(text, expr.At(f.Span(0, len(text))), opts)
}

// render returns the Python representation of a template's value.
func render(env *fakeEnv, text string, opts Options) (string, error) {
	t, err := parse(text, opts)
	if err != nil {
		return "", err
	}
	v, err := t.Render(env.scope())
	if err != nil {
		return "", err
	}
	return value.Repr(v)
}

// Decided implements [expr.Env].
func (e *fakeEnv) Decided() {}
