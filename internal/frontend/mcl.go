package frontend

import (
	"errors"
	"io/fs"
	"strings"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/docpath"
	"github.com/yaytpl/yaytpl/lang/mcl"
	"github.com/yaytpl/yaytpl/lang/mcl/format"
	"github.com/yaytpl/yaytpl/lang/mcl/library"
	"github.com/yaytpl/yaytpl/lang/mcl/syntax"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Schema has the types of the fields of kinds of resources.
type Schema = mcl.Schema

// A Machine has the properties of a machine that programs may ask for.
type Machine = library.Machine

// Programs are what programs of the mgmt language get from outside.
type Programs struct {
	// Schema has the types of the kinds of resources that have one.
	Schema func() (Schema, error)

	// Machine returns the properties of the machine for a place that asks for them.
	Machine func(at source.Span) Machine

	// Data returns the root of the document that config.get reads; it may be nil: then that is the
	// document around the program.
	Data func() (*graph.Cell, error)

	Past *Past // what they remember of earlier evaluations; may be nil
}

// A Past is what programs remember of earlier evaluations.
type Past = library.Past

func parseMCL(f *source.File, _ Options) ([]*graph.Doc, []*source.Diagnostic) {
	tree, err := syntax.Parse(f)
	if err != nil {
		return nil, source.Findings(err)
	}
	return []*graph.Doc{mcl.Lower(tree)}, nil
}

func formatProgram(f *source.File, _ Options) (string, []*source.Diagnostic) {
	tree, err := syntax.Parse(f)
	if err != nil {
		return "", source.Findings(err)
	}
	text, err := format.Format(tree)
	return text, source.Findings(err)
}

func mclRuntime(h Host) any {
	random := h.Programs.Past.Letters()
	return &mcl.Runtime{
		Schema: h.Programs.Schema, Lint: h.Options.Lint,
		Open: func(name, base string, at source.Span) (*syntax.Program, error) {
			open := h.Open
			if strings.HasSuffix(name, "/") {
				open = h.openModule
			}
			f, err := open(name, base, at)
			if err != nil {
				return nil, err
			}
			docs, err := h.Parse(f, MCL)
			if err != nil {
				return nil, err
			}
			return mcl.Tree(docs[0]), nil
		},
		World: func(p *graph.Context) *library.World {
			return &library.World{
				Ask: h.World(h.Dir, p.Origin.Doc.Base), Base: p.Origin.Doc.Base, Machine: h.Programs.Machine, Random: random, Past: h.Programs.Past,
				Config: func(path string) (value.Value, library.Places, error) {
					return configAt(h.Programs.Data, p, path)
				},
			}
		},
	}
}

// openModule opens the main file of a directory: main.mcl, or what its metadata.yaml names.
//
//	main: src/all.mcl
//
// Codes: bad-import, unknown-module; syntax, duplicate-key, bad-document of the metadata.
func (h Host) openModule(dir, base string, at source.Span) (*source.File, error) {
	f, err := h.Open(dir+"metadata.yaml", base, at)
	if errors.Is(err, fs.ErrNotExist) {
		return h.Open(dir+"main.mcl", base, at)
	}
	if err != nil {
		return nil, err
	}
	root, err := Tree(f, yaml.YAMLForm)
	if err != nil {
		return nil, err
	}
	var name *yaml.Node
	if root != nil {
		entries, err := entriesOf(root, "the metadata of a module is a map")
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if e.Key.Text == "main" {
				name = e.Value
			}
		}
	}
	if name == nil {
		return h.Open(dir+"main.mcl", base, at)
	}
	main := name.Value.Str()
	if name.Kind != yaml.ScalarNode || !fs.ValidPath(main) || !strings.HasSuffix(main, ".mcl") {
		return nil, source.Errorf(name.At, source.BadImport, "the main file of a module is a path inside of its directory, such as src/all.mcl")
	}
	f, err = h.Open(dir+main, base, name.At)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, source.Errorf(name.At, source.UnknownModule, "there is no file %s", main)
	}
	return f, err
}

// configAt returns the value at a path of the document that config.get reads, and where its parts are set.
//
// Codes: not-found, syntax of the path.
func configAt(data func() (*graph.Cell, error), p *graph.Context, path string) (value.Value, library.Places, error) {
	root := p.Eval().Root()
	if data != nil {
		var err error
		if root, err = data(); err != nil {
			return value.Null, nil, err
		}
	}
	steps, err := docpath.Parse(path)
	if err != nil { // the error gets the place of the call: no file has the path
		d := source.AsDiagnostic(err, source.Span{}, source.Syntax)
		return value.Null, nil, source.Errorf(source.Span{}, source.NotFound, "%q is no path: %s", path, d.Message).WithHint("%s", d.Hint)
	}
	v := root.AsMap()
	var at value.Path
	for len(steps) > 0 {
		next, key, taken, err := docpath.Next(v, steps, at)
		if d := (*source.Diagnostic)(nil); data == nil && errors.As(err, &d) && d.Code == source.NotFound && d.Hint == "" {
			hinted := *d
			return value.Null, nil, hinted.WithHint("config.get reads the document around the program, or that of --data FILE")
		}
		if err != nil {
			return value.Null, nil, err
		}
		v, at, steps = next, append(at, key), steps[taken:]
	}
	places := func(below value.Path) source.Span { return root.Shown(at).Shown(below).SetAt() }
	return v, places, nil
}

// AddSchema adds the kinds of resources of a file in YAML or JSON to a schema.
//
//	svc: {port: "int", weights: "map{str: float}"}
//
// Codes: syntax, duplicate-key, bad-document; bad-type for a type that is no text.
func AddSchema(s Schema, f *source.File) error {
	root, err := Tree(f, yaml.YAMLForm)
	if err != nil {
		return err
	}
	if root == nil {
		return source.Errorf(f.Span(0, 0), source.BadDocument, "a schema is a map of kinds of resources, and this file has none")
	}
	kinds, err := entriesOf(root, "a schema is a map of kinds of resources")
	if err != nil {
		return err
	}
	for _, entry := range kinds {
		kind := entry.Key.Text
		fields, err := entriesOf(entry.Value, "the fields of "+kind+" are a map of names and types")
		if err != nil {
			return err
		}
		if s[kind] == nil {
			s[kind] = map[string]*syntax.Type{}
		}
		for _, field := range fields {
			if field.Value.Kind != yaml.ScalarNode {
				return source.Errorf(field.Value.At, source.BadType, "the type of a field is a text, such as \"[]str\"")
			}
			if s[kind][field.Key.Text], err = typeAt(field.Value); err != nil {
				return err
			}
		}
	}
	return nil
}

// entriesOf returns the entries of a map, or an error that says what is expected.
func entriesOf(n *yaml.Node, expected string) ([]yaml.Entry, error) {
	if n.Kind != yaml.MapNode {
		return nil, source.Errorf(n.At, source.BadDocument, "%s", expected)
	}
	return n.Entries, nil
}

// typeAt returns the type that a text of a schema spells. The place of its parts is the text.
func typeAt(n *yaml.Node) (*syntax.Type, error) {
	t, err := syntax.ParseType(n.Value.Str())
	if err == nil && t.Kind == syntax.FuncType {
		return nil, source.Errorf(n.At, source.BadType, "the value of a field cannot be a func")
	}
	if d, ok := errors.AsType[*source.Diagnostic](err); ok {
		return nil, source.Errorf(n.At, source.Syntax, "%s", d.Message).WithHint("types are bool, str, int, float, []str, map{str: int}, struct{a str; b int}")
	}
	place(t, n.At)
	return t, nil
}

// place gives all parts of a type a place.
func place(t *syntax.Type, at source.Span) {
	t.At = at
	for _, part := range []*syntax.Type{t.Key, t.Elem} {
		if part != nil {
			place(part, at)
		}
	}
	for _, f := range t.Fields {
		place(f.Type, at)
	}
}

// A FunctionDoc is the documentation of a function of the mgmt language.
type FunctionDoc struct {
	Name       string   // with its module: strings.split
	Alias      string   // the name that works without an import, of the dialect of 2018; or ""
	Signatures []string // func(a str, b str) []str; ?1, ?2 are any types
	Doc        string
	Example    string // an expression
	Result     string // of the example, as an expression; "" if it varies
}

// Module returns the module of the function, "global" if it needs no import.
func (d FunctionDoc) Module() string {
	if module, _, ok := strings.Cut(d.Name, "."); ok {
		return module
	}
	return "global"
}

// ProgramHelp returns the documentation of the library of the mgmt language, sorted by name.
func ProgramHelp() []FunctionDoc {
	var all []FunctionDoc
	for f := range library.All() {
		all = append(all, FunctionDoc{f.Name, f.Alias, f.Signatures, f.Doc, f.Example, f.Result})
	}
	return all
}
