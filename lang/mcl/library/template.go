package library

import (
	"errors"
	"slices"
	"strings"
	"text/template"

	"github.com/yaytpl/yaytpl/lang/mcl/types"
	"github.com/yaytpl/yaytpl/value"
)

// templateFunctions returns golang.template.
func templateFunctions() []*Func {
	return []*Func{{
		Name: "golang.template", Alias: "template", Signatures: []string{"func(template str) str", "func(template str, vars ?1) str"}, Rule: Template,
		Doc:     "the text of a template in Go's text/template; the fields of a struct have capital letters in front, or their own names",
		Example: `golang.template("{{ .A }}", struct{a => 1})`, Result: `"1"`,
		Call: renderTemplate,
	}}
}

// The prices of a template, which runs by reflection: a turn of a loop, a piece of output.
const (
	turnSteps  = 128
	writeSteps = 64
	dataSteps  = 32 // a value of the data, which is copied
)

// errTooLong ends a template whose output is too long.
var errTooLong = errors.New("the output is too long")

// A counter is a text that counts the work of writing it.
type counter struct {
	strings.Builder
	call *Call
	err  error
}

// Write appends to the text.
func (w *counter) Write(p []byte) (int, error) {
	if w.err = w.call.grow(w.Len(), len(p)); w.err == nil {
		w.err = w.call.Step(writeSteps)
	}
	if w.err != nil {
		return 0, errTooLong
	}
	return w.Builder.Write(p)
}

// renderTemplate renders a template of Go. Its data are plain maps, lists and scalars, so that no
// method of Go can be called.
func renderTemplate(c *Call) (value.Value, error) {
	marks, err := c.Marks()
	if err != nil {
		return value.Null, err
	}
	problem := func(err error) error {
		if marks != 0 {
			return c.Fail("the template fails; its text or data must not be shown")
		}
		return c.Fail("%s", templateProblem(err))
	}
	t, err := template.New("template").Option("missingkey=error").Funcs(c.templateFuncs()).Parse(c.text(0))
	if err != nil {
		return value.Null, problem(err)
	}
	if err := adapt(t); err != nil {
		return value.Null, problem(err)
	}
	var data any
	if len(c.Args) > 1 {
		if data, err = c.plain(c.Args[1]); err != nil {
			return value.Null, err
		}
	}
	w := &counter{call: c}
	if err := t.Execute(w, data); err != nil {
		if w.err != nil {
			return value.Null, w.err
		}
		var limit *value.LimitError
		if errors.As(err, &limit) {
			return value.Null, limit
		}
		return value.Null, problem(err)
	}
	return value.String(w.String()).Mark(marks), nil
}

// templateProblem returns the message of an error of Go's template in the words of programs.
//
//	template: template:1:3: executing "template" at <.Name>: map has no entry for key "Name"
//	line 1 of the template, at .Name: there is no field or key "Name"
func templateProblem(err error) string {
	text, ok := strings.CutPrefix(err.Error(), "template: template:")
	if !ok {
		return text
	}
	line, rest, _ := strings.Cut(text, ": ")
	line, _, _ = strings.Cut(line, ":")
	where := "line " + line + " of the template"
	if _, problem, ok := strings.Cut(rest, "error calling _items: "); ok {
		return where + ": " + problem
	}
	var field *fieldError
	if errors.As(err, &field) {
		return where + ", " + field.Error()
	}
	if at, problem, ok := strings.Cut(rest, ">: "); ok && strings.HasPrefix(rest, "executing ") {
		_, at, _ = strings.Cut(at, " at <")
		where, rest = where+", at "+at, problem
	}
	if key, ok := strings.CutPrefix(rest, "map has no entry for key "); ok {
		rest = "there is no field or key " + key
	}
	if name, ok := strings.CutPrefix(strings.TrimSuffix(rest, " not defined"), "function "); ok {
		rest = "there is no function " + name + "; functions of the library are written with _ for the dot, as strings_to_upper"
	}
	return where + ": " + rest
}

// templateFuncs returns the functions of the library that a template can call: those without type
// variables, with underscores for dots.
func (c *Call) templateFuncs() template.FuncMap {
	funcs := template.FuncMap{
		"_step":  func() (string, error) { return "", c.Step(turnSteps) },
		"_items": items, "_field": field,
	}
	for f := range All() {
		if !f.inTemplates() {
			continue
		}
		name := strings.ReplaceAll(f.Name, ".", "_")
		if f.Name == "concat" {
			name = "_concat"
		}
		funcs[name] = func(args ...any) (any, error) { return c.fromTemplate(f, args) }
	}
	return funcs
}

// notInTemplates are the functions that templates cannot call, though their types would allow it.
var notInTemplates = []string{"os.readfile", "os.file_exists", "os.system", "sys.hostname", "sys.cpu_count", "random1"}

// inTemplates reports whether templates can call the function.
func (f *Func) inTemplates() bool {
	if slices.Contains(notInTemplates, f.Name) || len(f.Signatures) != 1 || f.Rule != BySignature || f.Old {
		return false
	}
	f.Scheme(-1)
	return f.schemes[0].Vars == 0
}

// fromTemplate calls a function with the data of a template.
func (c *Call) fromTemplate(f *Func, args []any) (any, error) {
	s := f.Scheme(len(args))
	if s == nil {
		return nil, errors.New(f.Name + " takes " + f.Counts())
	}
	call := *c
	call.Args, call.Types, call.Result = make([]value.Value, len(args)), make([]*types.Type, len(args)), s.Type.Elem
	for i, a := range args {
		t := s.Type.Fields[i].Type
		v, ok := fromPlain(a, t)
		if !ok {
			return nil, errors.New(f.Name + " takes " + t.String())
		}
		call.Args[i], call.Types[i] = v, t
	}
	v, err := f.Call(&call)
	if err != nil {
		return nil, err
	}
	return c.plain(v)
}

// plain returns a value as data of a template.
func (c *Call) plain(v value.Value) (any, error) {
	if err := c.Step(dataSteps); err != nil {
		return nil, err
	}
	switch v.Kind() {
	case value.BoolKind:
		return v.Bool(), nil
	case value.IntKind:
		n, _ := v.Int()
		return n, nil
	case value.FloatKind:
		return v.Float(), nil
	case value.StringKind:
		return v.Str(), nil
	case value.ListKind:
		var all []any
		for item, err := range value.Items(v.List()) {
			if err != nil {
				return nil, err
			}
			data, err := c.plain(item)
			if err != nil {
				return nil, err
			}
			all = append(all, data)
		}
		return all, nil
	}
	return c.plainMap(v.Map())
}

// plainMap returns a map or struct as data of a template. The fields of a struct have names with a capital
// letter, of today; templates of 2018 have the field's own one: see adapt.
func (c *Call) plainMap(m value.Map) (any, error) {
	switch m := m.(type) {
	case *types.Structure:
		data := structure{}
		for i, name := range m.Names {
			v, err := c.plain(m.Items[i])
			if err != nil {
				return nil, err
			}
			data[title(name)] = v
		}
		return data, nil
	case *types.Mapping:
		return c.plainKeys(m)
	}
	return nil, errors.New("a value of the language was expected")
}

// plainKeys returns a map by its keys: texts, or other scalars, which only "range" and "index" reach.
func (c *Call) plainKeys(m *types.Mapping) (any, error) {
	texts, numbers, floats, bools := map[string]any{}, map[int64]any{}, map[float64]any{}, map[bool]any{}
	for k, item := range m.Entries() {
		v, err := c.plain(item)
		if err != nil {
			return nil, err
		}
		switch k.Kind() {
		case value.IntKind:
			n, _ := k.Int()
			numbers[n] = v
		case value.FloatKind:
			floats[k.Float()] = v
		case value.BoolKind:
			bools[k.Bool()] = v
		case value.StringKind:
			texts[k.Str()] = v
		default:
			return nil, c.Fail("a map with structs as keys cannot be the data of a template")
		}
	}
	switch {
	case len(numbers) > 0:
		return numbers, nil
	case len(floats) > 0:
		return floats, nil
	case len(bools) > 0:
		return bools, nil
	}
	return texts, nil
}

// fromPlain returns data of a template as a value of a type, false if it has another one.
func fromPlain(data any, t *types.Type) (value.Value, bool) {
	switch t = t.Find(); t.Kind {
	case types.Bool:
		b, ok := data.(bool)
		return value.Bool(b), ok
	case types.Str:
		s, ok := data.(string)
		return value.String(s), ok
	case types.Int:
		switch n := data.(type) {
		case int64:
			return value.Int(n), true
		case int:
			return value.Int(int64(n)), true
		}
	case types.Float:
		f, ok := data.(float64)
		return value.Float(f), ok
	case types.List:
		items, ok := data.([]any)
		all := make(value.Slice, len(items))
		for i := 0; ok && i < len(items); i++ {
			all[i], ok = fromPlain(items[i], t.Elem)
		}
		return value.FromList(all), ok
	}
	return value.Null, false
}

// title returns a name with a capital letter in front, as exported fields of Go have it.
func title(name string) string {
	if name == "" {
		return name
	}
	return strings.ToUpper(name[:1]) + name[1:]
}
