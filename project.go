package yaytpl

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/load"
	"github.com/yaytpl/yaytpl/internal/lookup"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Project is a set of files, layered and ready to be evaluated. Its methods and the methods of its
// Documents are safe for concurrent use: they hold a lock. Options.Warn is called while the
// lock is held, and must not call them.
//
// Lists and maps in the values that they return are lazy and evaluate their items when these
// are asked for, without the lock: look into them while no other goroutine uses the project,
// or leave that to [Project.WriteValue].
type Project struct {
	mu     sync.Mutex
	engine *engine.Project
	opts   Options
	docs   []*Document

	tables []*lookup.Table // of the files in .pp

	gathering bool                 // a question collects warnings that are errors: see gather
	raised    []*source.Diagnostic // these warnings
}

// Open reads and parses files; later ones are layers over earlier ones. Included
// files are read when they are needed.
//
// Codes: access, forbidden, syntax, duplicate-key and others of parsing.
func Open(ctx context.Context, files []string, o Options) (*Project, error) {
	o.note()
	p := &Project{opts: o}
	opts := o.Engine(ctx, files...)
	opts.Warn = p.warn
	opts.Bindings = func(f *source.File) (*graph.Doc, error) { return p.bound(ctx, f) }
	if err := p.open(ctx, files, opts); err != nil {
		return nil, err
	}
	return p, nil
}

func (p *Project) open(ctx context.Context, files []string, o engine.Options) (err error) {
	defer p.gather(&err)()
	if p.engine, err = engine.Open(ctx, files, o); err != nil {
		return err
	}
	for _, d := range p.engine.Documents() {
		p.docs = append(p.docs, &Document{p, d})
	}
	return nil
}

// bound returns the document of a file in .pp: all data of the node.
func (p *Project) bound(ctx context.Context, f *source.File) (*graph.Doc, error) {
	if f.Path == "" {
		return nil, source.Errorf(f.Span(0, 0), source.Usage, "bindings are read from a file, not from standard input")
	}
	node := p.opts.Node
	opts := p.opts.Engine(ctx, append([]string{f.Path}, node.Facts...)...)
	t, err := lookup.OpenTable(ctx, lookup.Options{Engine: opts, Source: f.Path, NodeOptions: lookup.NodeOptions(node)})
	if err != nil {
		return nil, err
	}
	p.tables = append(p.tables, t)
	return t.Document(f)
}

// lock waits until no other goroutine uses the project and starts a new count of steps for
// each document. The caller unlocks with the function that it returns.
func (p *Project) lock() (unlock func()) {
	p.mu.Lock()
	for _, d := range p.docs {
		d.engine.Begin()
	}
	return p.mu.Unlock
}

// Tick moves the time of the project to now, for questions with another context. It returns false if the
// project has to be opened again, and must not be used any more: it has something else than programs of the
// mgmt language in files of their own, or more than values of their fields depends on the time. Only
// projects with Options.Cache that is the Next of another one can tick. Nothing but the clock may have
// changed. Values that were returned before must not be used any more.
func (p *Project) Tick(ctx context.Context, now time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if slices.ContainsFunc(p.opts.Inputs.All(), func(in Input) bool { return in.Kind == RandomInput || in.Kind == ProgramInput }) {
		return false // Programs.Past forgets what a run does not ask for
	}
	return p.engine.Tick(ctx, now)
}

// Documents returns the finished documents: one for each document of the files.
func (p *Project) Documents() []*Document { return p.docs }

// Only returns the i-th document, counted from 0.
//
// Code: not-found.
func (p *Project) Only(i int) (*Document, error) {
	if _, err := p.engine.Only(i); err != nil {
		return nil, err
	}
	return p.docs[i], nil
}

// Find returns the only document that has the path, with the keys of the path.
//
// Codes: not-found, also if several documents have it: the message names them.
func (p *Project) Find(path string) (*Document, value.Path, error) {
	defer p.lock()()
	d, keys, err := p.engine.Find(path)
	if err != nil {
		return nil, nil, err
	}
	return p.docs[d.Index()], keys, nil
}

// An Input is something that a result depends on (spec: everyday, B9): its kind, its name, the places
// that ask for it, and a hash of the answer.
type Input = load.Input

// An InputKind is a kind of inputs.
type InputKind = load.InputKind

// The kinds, in the order of [Project.Inputs].
const (
	FileInput    = load.FileInput
	AbsentInput  = load.AbsentInput
	GlobInput    = load.GlobInput
	URLInput     = load.URLInput
	EnvInput     = load.EnvInput
	ProgramInput = load.ProgramInput
	ClockInput   = load.ClockInput
	RandomInput  = load.RandomInput
)

// An Inputs collects the inputs of everything that is opened with it: see [Options.Inputs].
type Inputs = load.Inputs

// Inputs returns everything that the answers given so far depend on, by kind and name. After
// [Project.Render] these are the inputs of the whole result. They are recorded for the project and not for
// one document, since documents share the files that are read.
func (p *Project) Inputs() []Input { return p.opts.Inputs.All() }
