// Package gotemplate is the function golang.template of the mgmt language: Go's text/template. It is a package of its
// own, since a program that can run text/template keeps all exported methods of all its types: some megabytes. A
// blank import brings it.
//
//	text --parse--> tree --adapt (tree.go)--> tree that counts its work --execute--> text
package gotemplate

import (
	"errors"
	"strings"
	"text/template"

	"github.com/yaytpl/yaytpl/lang/mcl/library"
	"github.com/yaytpl/yaytpl/lang/mcl/types"
	"github.com/yaytpl/yaytpl/value"
)

// init gives golang.template to the library.
func init() { library.RegisterTemplate(render) }

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
	call *library.Call
	err  error
}

// Write appends to the text.
func (w *counter) Write(p []byte) (int, error) {
	if w.err = w.call.Grow(w.Len(), len(p)); w.err == nil {
		w.err = w.call.Step(writeSteps)
	}
	if w.err != nil {
		return 0, errTooLong
	}
	return w.Builder.Write(p)
}

// render renders a template of Go. Its data are plain maps, lists and scalars, so that no
// method of Go can be called.
func render(c *library.Call) (value.Value, error) {
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
	t, err := template.New("template").Option("missingkey=error").Funcs(functions(c)).Parse(c.Args[0].Str())
	if err != nil {
		return value.Null, problem(err)
	}
	if err := adapt(t); err != nil {
		return value.Null, problem(err)
	}
	var data any
	if len(c.Args) > 1 {
		if data, err = plain(c, c.Args[1]); err != nil {
			return value.Null, err
		}
	}
	w := &counter{call: c}
	if err := t.Execute(w, data); err != nil {
		if w.err != nil {
			return value.Null, w.err
		}
		if limit, ok := errors.AsType[*value.LimitError](err); ok {
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
	if field, ok := errors.AsType[*fieldError](err); ok {
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

// functions returns the functions of the library that a template can call: those without type
// variables, with underscores for dots.
func functions(c *library.Call) template.FuncMap {
	funcs := template.FuncMap{
		"_step":  func() (string, error) { return "", c.Step(turnSteps) },
		"_items": items, "_field": field,
	}
	for f := range library.All() {
		if !f.InTemplates() {
			continue
		}
		name := strings.ReplaceAll(f.Name, ".", "_")
		if f.Name == "concat" {
			name = "_concat"
		}
		funcs[name] = func(args ...any) (any, error) { return call(c, f, args) }
	}
	return funcs
}

// call calls a function with the data of a template.
func call(c *library.Call, f *library.Func, args []any) (any, error) {
	s := f.Scheme(len(args))
	if s == nil {
		return nil, errors.New(f.Name + " takes " + f.Counts())
	}
	of := *c
	of.Args, of.Types, of.Result = make([]value.Value, len(args)), make([]*types.Type, len(args)), s.Type.Elem
	for i, a := range args {
		t := s.Type.Fields[i].Type
		v, ok := fromPlain(a, t)
		if !ok {
			return nil, errors.New(f.Name + " takes " + t.String())
		}
		of.Args[i], of.Types[i] = v, t
	}
	v, err := f.Call(&of)
	if err != nil {
		return nil, err
	}
	return plain(c, v)
}

// plain returns a value as data of a template.
func plain(c *library.Call, v value.Value) (any, error) {
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
			data, err := plain(c, item)
			if err != nil {
				return nil, err
			}
			all = append(all, data)
		}
		return all, nil
	}
	return plainMap(c, v.Map())
}

// plainMap returns a map or struct as data of a template. The fields of a struct have names with a capital
// letter, of today; templates of 2018 have the field's own one: see adapt.
func plainMap(c *library.Call, m value.Map) (any, error) {
	switch m := m.(type) {
	case *types.Structure:
		data := structure{}
		for i, name := range m.Names {
			v, err := plain(c, m.Items[i])
			if err != nil {
				return nil, err
			}
			data[title(name)] = v
		}
		return data, nil
	case *types.Mapping:
		return plainKeys(c, m)
	}
	return nil, errors.New("a value of the language was expected")
}

// plainKeys returns a map by its keys: texts, or other scalars, which only "range" and "index" reach.
func plainKeys(c *library.Call, m *types.Mapping) (any, error) {
	texts, numbers, floats, bools := map[string]any{}, map[int64]any{}, map[float64]any{}, map[bool]any{}
	for k, item := range m.Entries() {
		v, err := plain(c, item)
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
