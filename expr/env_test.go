package expr

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/yaytpl/yaytpl/filters"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// testEnv is an Env over one JSON document whose expressions and templates are
// evaluated when they are looked at.
type testEnv struct {
	root     value.Value
	host     *testHost
	options  Options
	warnings []*source.Diagnostic
	steps    int
	depth    int
}

func newEnv(t testing.TB, document string) *testEnv {
	t.Helper()
	e := &testEnv{host: &testHost{
		files: map[string]string{"/doc/data.txt": "line\n", "/doc/t.csv": "a,1\nb,2\n", "/doc/x.ini": "[s]\nk = v\n"},
		env:   map[string]string{"SET": "here", "HOME": "/home/me", "PATH": "/bin"},
	}}
	raw := parseJSON(t, document)
	if raw.Is(value.MapKind) {
		e.root = value.FromMap(&cell{env: e, raw: raw.Map(), name: value.String(""), vals: map[value.Key]*lazy{}})
	} else {
		e.root = raw
	}
	return e
}

func (e *testEnv) scope() *Scope { return NewScope(e, e.root) }

func (e *testEnv) Root() value.Value { return e.root }
func (e *testEnv) Global(name string) (value.Value, bool, error) {
	return e.root.Map().Get(value.K(name))
}
func (e *testEnv) Through(string) (value.Value, bool) { return value.Null, false }
func (e *testEnv) GlobalNames() []string {
	return slices.Collect(value.KeyTexts(e.root.Map()))
}
func (e *testEnv) Library() Library            { return testLibrary{} }
func (e *testEnv) Host(source.Span, bool) Host { return e.host }

func (e *testEnv) Render(text string, at Placer, s *Scope) (value.Value, error) {
	text = strings.TrimSpace(text)
	var out value.Value
	var b strings.Builder
	for pieces := 0; ; pieces++ {
		before, rest, found := strings.Cut(text, "{{")
		b.WriteString(before)
		if !found {
			if pieces == 1 && b.Len() == len(before) && before == "" && !out.Is(value.StringKind) {
				return out, nil
			}
			return value.String(b.String()).Verbatim(), nil
		}
		inner, after, _ := strings.Cut(rest, "}}")
		n, err := ParseJinja(inner, Nowhere{})
		if err != nil {
			return value.Null, err
		}
		v, err := Eval(n, s)
		if err == nil {
			err = Raise(v)
		}
		if err != nil {
			return value.Null, err
		}
		if out = v; before == "" && strings.TrimSpace(after) == "" && pieces == 0 {
			text = ""
			if v.Is(value.StringKind) {
				return v.Verbatim(), nil
			}
			continue
		}
		s, err := value.Text(v)
		if err != nil {
			return value.Null, err
		}
		b.WriteString(s)
		text = after
	}
}

func (e *testEnv) RenderFile(_ Host, name, base string, s *Scope, o FileOptions) (value.Value, error) {
	f, err := e.host.ReadFile(name, base)
	if err != nil {
		return value.Null, err
	}
	_ = o
	return e.Render(f.Text, Nowhere{}, s)
}

func (e *testEnv) Step(n int) error {
	if e.steps += n; e.steps > 200_000 {
		return source.Errorf(source.Span{}, source.Limit, "too many steps")
	}
	return nil
}

func (e *testEnv) Enter() error {
	if e.depth++; e.depth > 2000 {
		e.depth--
		return source.Errorf(source.Span{}, source.Limit, "nested too deeply")
	}
	return nil
}
func (e *testEnv) Leave()                    { e.depth-- }
func (e *testEnv) Warn(d *source.Diagnostic) { e.warnings = append(e.warnings, d) }
func (e *testEnv) Options() Options          { return e.options }

// A cell is a map of the document.
type cell struct {
	env    *testEnv
	raw    value.Map
	parent *cell
	name   value.Value
	vals   map[value.Key]*lazy
}

func (c *cell) Len() int                  { return c.raw.Len() }
func (c *cell) Keys() iter.Seq[value.Key] { return c.raw.Keys() }
func (c *cell) Name() value.Value         { return c.name }
func (c *cell) Document() value.Value     { return c.env.root }
func (c *cell) Parent() (value.Value, bool, error) {
	if c.parent == nil {
		return value.Null, false, nil
	}
	return value.FromMap(c.parent), true, nil
}

func (c *cell) Get(k value.Key) (value.Value, bool, error) {
	raw, ok, err := c.raw.Get(k)
	if !ok || err != nil {
		return raw, ok, err
	}
	l := c.vals[k]
	if l == nil {
		l = &lazy{compute: func() (value.Value, error) { return c.finish(raw, k.Value()) }}
		c.vals[k] = l
	}
	v, err := l.get()
	if errors.Is(err, source.ErrCycle) {
		return value.Null, true, nil
	}
	return v, true, err
}

func (c *cell) finish(raw, name value.Value) (value.Value, error) {
	s := NewScope(c.env, value.FromMap(c))
	switch raw.Kind() {
	case value.StringKind:
		if IsTemplate(raw.Str()) {
			return c.env.Render(raw.Str(), Nowhere{}, s)
		}
	case value.ListKind:
		items, _ := listItems(raw)
		for i, item := range items {
			v, err := c.finish(item, value.Int(int64(i)))
			if err != nil {
				return v, err
			}
			items[i] = v
		}
		return value.ListOf(items...), nil
	case value.MapKind:
		if IsExpression(raw.Map()) {
			n, err := Compile(raw, source.Span{})
			if err != nil {
				return value.Null, err
			}
			return Eval(n, s)
		}
		return value.FromMap(&cell{env: c.env, raw: raw.Map(), parent: c, name: name, vals: map[value.Key]*lazy{}}), nil
	}
	return raw, nil
}

type testHost struct {
	files map[string]string
	env   map[string]string
}

func (h *testHost) Getenv(name string) (string, bool) { v, ok := h.env[name]; return v, ok }
func (h *testHost) Environ() []string                 { return []string{"HOME", "PATH", "SET"} }
func (h *testHost) ReadFile(name, base string) (*source.File, error) {
	full, _ := h.Abs(name, base)
	text, ok := h.files[full]
	if !ok {
		return nil, source.Errorf(source.Span{}, source.Access, "cannot read %s", name)
	}
	return source.NewFile(name, text), nil
}
func (h *testHost) Unvault(string) (string, bool, error) { return "", false, nil }
func (h *testHost) Find(name, base string) (string, error) {
	full, _ := h.Abs(name, base)
	if _, ok := h.files[full]; !ok {
		return "", nil
	}
	return full, nil
}
func (h *testHost) Glob(pattern, base string) ([]string, error) {
	full, _ := h.Abs(pattern, base)
	var out []string
	for name := range h.files {
		if ok, _ := path.Match(full, name); ok {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out, nil
}
func (h *testHost) WriteFile(name, base string, data []byte) (string, error) {
	full, _ := h.Abs(name, base)
	h.files[full] = string(data)
	return full, nil
}
func (h *testHost) CreatePrivate(name, base string, data []byte) (string, error) {
	full, _ := h.Abs(name, base)
	if _, ok := h.files[full]; ok {
		return full, fs.ErrExist
	}
	return h.WriteFile(name, base, data)
}
func (h *testHost) TempFile(suffix string, data []byte) (string, error) {
	h.files["/tmp/x"+suffix] = string(data)
	return "/tmp/x" + suffix, nil
}
func (h *testHost) Abs(name, base string) (string, error) {
	if base == "" {
		base = "/doc"
	}
	if path.IsAbs(name) {
		return path.Clean(name), nil
	}
	return path.Join(base, name), nil
}
func (h *testHost) Stat(name, base string, _ bool) (fs.FileInfo, error) {
	full, err := h.Abs(name, base)
	if _, ok := h.files[full]; !ok || err != nil {
		return nil, err
	}
	return os.Stat("env_test.go")
}
func (h *testHost) IsMount(name, base string) (bool, error)    { return false, nil }
func (h *testHost) RealPath(name, base string) (string, error) { return h.Abs(name, base) }
func (h *testHost) Dir(name string) (string, bool) {
	dir, ok := map[string]string{".": "/doc", "src": "/src", "tmp": "/tmp"}[name]
	return dir, ok
}
func (h *testHost) LookPath(name string) string {
	if name == "sh" {
		return "/bin/sh"
	}
	return ""
}
func (h *testHost) Run(args []string) (string, error) { return "ran " + args[2] + "\nb\n", nil }
func (h *testHost) Get(url string) (*source.File, error) {
	return source.NewFile(url, "page\nend\n"), nil
}
func (h *testHost) Now() time.Time     { return time.Unix(1000, 0) }
func (h *testHost) Random() uint64     { return 7 }
func (h *testHost) Executable() string { return "/bin/yaytpl" }

// testLibrary has just enough to test the calls of it.
type testLibrary struct{}

func (testLibrary) Filter(c Call, name string, in value.Value, args value.Args) (value.Value, bool, error) {
	switch name {
	case "default":
		if in.Is(value.UndefinedKind) {
			return args.Pos[0], true, nil
		}
		return in, true, nil
	case "abs":
		if i, _ := in.Int(); i < 0 {
			v, err := value.Neg(in)
			return v, true, err
		}
		return in, true, nil
	case "upper":
		return value.String(strings.ToUpper(in.Str())).Mark(in.Marks()), true, in.Reason()
	case "join":
		items, err := listItems(in)
		v, err2 := c.(*caller).s.joinText(source.Span{}, items, value.Null, value.Text)
		return v, true, errors.Join(err, err2)
	case "fail":
		return value.Null, true, fmt.Errorf("cannot do it with %q", in.Str())
	case "sensitive":
		return in.Mark(value.Sensitive), true, nil
	case "to_json":
		s, err := value.Repr(in)
		return value.String(s), true, err
	case "attr":
		v, err := c.Attr(in, args.Pos[0].Str())
		return v, true, err
	case "map":
		v, err := c.CallFilter(args.Pos[0].Str(), in, value.Args{})
		return v, true, err
	case "dict2items", "flatten", "product", "zip_longest", "subelements":
		f, _ := filters.LookupFilter(name)
		v, err := f.Apply(&filters.Ctx{Caller: c}, in, args)
		return v, true, err
	}
	return value.Null, false, nil
}

func (testLibrary) Test(c Call, name string, in value.Value, args value.Args) (value.Value, bool, error) {
	switch name {
	case "defined":
		return value.Bool(!in.Is(value.UndefinedKind)), true, nil
	case "none":
		return value.Bool(in.IsNull()), true, nil
	case "in":
		v, err := c.(*caller).s.compare(source.Span{}, "in", in, args.Pos[0])
		return v, true, err
	case "divisibleby":
		v, err := value.Mod(in, args.Pos[0])
		return value.Bool(!value.Truthy(v)), true, err
	}
	return value.False, false, nil
}

func (testLibrary) Method(_ Call, recv value.Value, name string, args value.Args) (value.Value, bool, error) {
	switch name {
	case "upper":
		return value.String(strings.ToUpper(recv.Str())), recv.Is(value.StringKind), nil
	case "items":
		var items []value.Value
		for k := range recv.Map().Keys() {
			v, _, _ := recv.Map().Get(k)
			items = append(items, value.ListOf(k.Value(), v))
		}
		return value.ListOf(items...), recv.Is(value.MapKind), nil
	}
	return value.Null, false, nil
}

func (testLibrary) Function(_ Call, name string, args value.Args) (value.Value, bool, error) {
	if name != "to_label" {
		return value.Null, false, nil
	}
	return value.ListOf(args.Pos[0], value.Int(int64(len(args.Named)))), true, nil
}

func (testLibrary) Global(name string) (value.Value, bool) {
	if name != "range" {
		return value.Null, false
	}
	return value.FromFunc(&value.Func{Name: "range", Call: func(args value.Args) (value.Value, error) {
		n, _ := args.Pos[0].Int()
		var items []value.Value
		for i := range n {
			items = append(items, value.Int(i))
		}
		return value.ListOf(items...), nil
	}}), true
}

func (testLibrary) HasFilter(name string) bool {
	return slices.Contains(testLibrary{}.FilterNames(), name)
}
func (testLibrary) HasTest(name string) bool { return slices.Contains(testLibrary{}.TestNames(), name) }
func (testLibrary) FilterNames() []string {
	return []string{"default", "abs", "upper", "join", "fail", "sensitive", "to_json", "attr", "map", "subelements"}
}
func (testLibrary) MethodNames(value.Kind) []string { return nil }

func (testLibrary) TestNames() []string { return []string{"defined", "none", "in", "divisibleby"} }

// parseJSON reads JSON and keeps the order of keys. A key that begins with "#" is an
// integer key.
func parseJSON(t testing.TB, text string) value.Value {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	v, err := readJSON(d)
	if err != nil && err != io.EOF {
		t.Fatalf("bad JSON %s: %v", text, err)
	}
	return v
}

func readJSON(d *json.Decoder) (value.Value, error) {
	tok, err := d.Token()
	switch tok := tok.(type) {
	case json.Delim:
		if tok == '[' {
			items := []value.Value{}
			for d.More() {
				v, err := readJSON(d)
				if err != nil {
					return v, err
				}
				items = append(items, v)
			}
			_, err = d.Token()
			return value.ListOf(items...), err
		}
		m := value.NewMap(4)
		for d.More() {
			k, err := d.Token()
			if err != nil {
				return value.Null, err
			}
			v, err := readJSON(d)
			if err != nil {
				return v, err
			}
			key := value.K(k.(string))
			if rest, ok := strings.CutPrefix(key.Text, "#"); ok {
				key = value.Key{Text: rest, Kind: value.IntKind}
			}
			m.Set(key, v)
		}
		_, err = d.Token()
		return value.FromMap(m), err
	case string:
		return value.String(tok), err
	case bool:
		return value.Bool(tok), err
	case json.Number:
		if i, e := tok.Int64(); e == nil {
			return value.Int(i), err
		}
		f, _ := tok.Float64()
		return value.Float(f), err
	}
	return value.Null, err
}

// show writes a value as a Python literal, marks included.
func show(v value.Value, err error) string {
	if err == nil {
		err = Raise(v)
	}
	if err != nil {
		return "error: " + err.Error()
	}
	s, err := value.Repr(v)
	if err != nil {
		return "error: " + err.Error()
	}
	if v.Marks()&value.Sensitive != 0 {
		s = "sensitive " + s
	}
	return s
}

func jsonDecoder(text string) *json.Decoder {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	return d
}

// Decided implements [Env].
func (e *testEnv) Decided() {}
