package mcl

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/lang/mcl/library"
	"github.com/yaytpl/yaytpl/lang/mcl/syntax"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// # One evaluation
//
// A program is compiled once for an evaluation, and run for each place of a document that it is at, since functions
// may read the document around it. Compiling has three steps, and the first error ends it: names (names.go), types
// (infer.go), then binds that nothing uses, whose errors are warnings (lint.go).
//
// The guards over a program (lower.go) choose by the text that [Runtime.run] returns: the file, the place and a
// fingerprint of the resources. If a guard is asked again while values settle, and the run finds the same
// resources, the text is equal, and the nodes stay as they are.

// A Runtime is the state and the environment of the programs of one evaluation.
type Runtime struct {
	// Schema has the types of the kinds of resources that have one.
	Schema func() (Schema, error)

	// Open opens and parses an imported file, relative to a directory; for a name that ends in /
	// the main file of this directory. A missing file is fs.ErrNotExist.
	Open func(name, base string, at source.Span) (*syntax.Program, error)

	// World answers the questions of functions about the machine, for a program at a place.
	World func(p *graph.Context) *library.World

	// Lint enables findings about programs that are allowed and probably not meant.
	Lint bool

	imported map[*source.File]bool
	compiled map[*syntax.Program]*compiled
	nodes    map[string]nodes
}

// A compiled program has names and types.
type compiled struct {
	main  *module
	types *inference
	err   error
}

// runtimeOf returns the state of the language in the evaluation of a place.
func runtimeOf(p *graph.Context) *Runtime { return p.Eval().Runtimes[Language].(*Runtime) }

// run runs a program at a place. It returns the name of the nodes that it has, with the marks of what
// decided them.
func (rt *Runtime) run(tree *syntax.Program, p *graph.Context) (string, value.Marks, error) {
	c, err := rt.compile(tree, p)
	if err != nil {
		return "", 0, err
	}
	if c.types.remembers {
		p.Eval().ReadsHistory()
	}
	r := &run{place: p, types: c.types, world: rt.World(p), files: map[*module]*frame{}}
	o, err := r.execute(c.main)
	if err != nil {
		return "", 0, err
	}
	key := tree.File.Name + "\x00" + p.Cell.Up().Path().Pointer() + "\x00" + o.fingerprint()
	if _, ok := rt.nodes[key]; !ok {
		if rt.nodes == nil {
			rt.nodes = map[string]nodes{}
		}
		rt.nodes[key] = o.lower()
	}
	return key, o.marks, nil
}

// compile resolves the names of a program and infers its types, once.
func (rt *Runtime) compile(tree *syntax.Program, p *graph.Context) (*compiled, error) {
	if c := rt.compiled[tree]; c != nil {
		return c, c.err
	}
	c := &compiled{}
	schema, err := rt.Schema()
	if err != nil {
		return c, err
	}
	load := func(path syntax.Word) (*syntax.Program, error) {
		base := p.Origin.Doc.Base
		if path.At.File != tree.File {
			base = filepath.Dir(path.At.File.Path)
		}
		return rt.load(path, base)
	}
	c.main, c.types, c.err = compile(tree, options{schema, load, p.Eval().Step, p.Eval().Warn, rt.Lint})
	if rt.compiled == nil {
		rt.compiled = map[*syntax.Program]*compiled{}
	}
	rt.compiled[tree] = c
	return c, c.err
}

// options are what compiling a program needs of its surroundings.
type options struct {
	schema Schema
	load   func(path syntax.Word) (*syntax.Program, error) // opens an imported file, relative to the file of the path
	step   func(n int) error
	warn   func(*source.Diagnostic)
	lint   bool
}

// compile resolves the names of a program and infers its types.
func compile(tree *syntax.Program, o options) (*module, *inference, error) {
	r := &resolver{load: o.load, modules: map[string]*module{}}
	m, err := r.resolveMain(tree)
	if err != nil {
		return nil, nil, err
	}
	n := &inference{
		schema: o.schema, step: o.step, files: map[*module]*instance{}, known: map[instanceKey]*instance{}, including: map[*inclusion]bool{},
	}
	if _, err := n.main(m); err != nil {
		return nil, nil, err
	}
	if err := r.contradictions(m); err != nil {
		return nil, nil, err
	}
	found := tree.Findings
	if o.lint {
		found = append(found, lint(r, m, o.schema)...)
	}
	idle, err := unused(r, n, m)
	if err != nil {
		return nil, nil, err
	}
	for _, d := range append(found, idle...) {
		o.warn(d)
	}
	return m, n, nil
}

// load opens an imported file, relative to a directory.
func (rt *Runtime) load(path syntax.Word, base string) (*syntax.Program, error) {
	tree, err := rt.Open(path.Text, base, path.At)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		name := path.Text
		if strings.HasSuffix(name, "/") {
			name += "main.mcl"
		}
		return nil, source.Errorf(path.At, source.UnknownModule, "there is no file %s", syntax.Shown(path.At, name))
	case err != nil:
		d := source.AsDiagnostic(err, path.At, source.Access)
		rt.imports(d.At.File)
		if d.At.File != path.At.File {
			noted := *d // the cache of parsed files may hold d
			noted.Notes = slices.Clip(d.Notes)
			return nil, noted.Note(path.At, "the file is imported here")
		}
		return nil, d
	}
	rt.imports(tree.File)
	return tree, nil
}

// imports notes that a file is a part of a program.
func (rt *Runtime) imports(f *source.File) {
	if rt.imported == nil {
		rt.imported = map[*source.File]bool{}
	}
	rt.imported[f] = true
}

// included adds the chain of includes of the program at p to an error in one of its files.
func included(p *graph.Context, err error) error {
	d, ok := err.(*source.Diagnostic)
	if !ok || p.Origin.Ref == nil || d.Includes != nil || !runtimeOf(p).imported[d.At.File] {
		return p.Included(err)
	}
	there := *d
	there.Includes = p.Origin.Includes()
	return &there
}
