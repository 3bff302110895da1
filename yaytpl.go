// Package yaytpl turns configuration that is written once, in parts, into finished
// documents, and can say where every value came from.
//
//	files --Open--> Project --Document--> Value, Query, Get, Explain, Check
//	                   '--Render--> YAML, JSON, TOML, text
//
//	p, err := yaytpl.Open(ctx, []string{"site.yaml"}, yaytpl.Options{})
//	if err == nil {
//		err = p.Render(os.Stdout, yaytpl.RenderOptions{})
//	}
//
// A [Project] is one revision of its files. Its documents are evaluated lazily: a
// query works out what it needs and no more. Several goroutines may use a Project and
// its Documents; they take turns. To work at the same time, open the files again.
//
// A [Config] is the configuration of a Go program, which may be used by several
// goroutines and changes while the program runs:
//
//	files, texts, Go data --Load, Add--> Config --Get, Eval--> Node --> Int, String, Decode
//
// Errors are [*source.Diagnostic] values or [*Errors], which holds several. Match
// them with errors.Is and [source.ErrMissing], [source.ErrCycle], [source.ErrLimit]
// and [source.ErrAccess].
package yaytpl

import (
	"context"
	"io"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/frontend"
	"github.com/yaytpl/yaytpl/internal/load"
	"github.com/yaytpl/yaytpl/source"
)

// Options say what a project is made of and what it may do. The zero value is the
// usual case: files below the enclosing repository, the environment, nothing else.
type Options struct {
	Dir     string   // what relative file names are relative to; "" is the working directory
	Values  []string // files that are layers above all others, oldest first
	Defines []string // PATH=VALUE or PATH+=VALUE: layers above those
	Lang    string   // language of the files; "" tells by name
	Search  []string // directories to look for includes in
	Roots   []string // files are read below these only; nil is the default

	// Templates are the text templates that [Document.Template] will be asked for.
	// The default roots follow from them as they do from the files.
	Templates []string

	Repositories map[string]string // named roots for includes: name to directory
	Memory       map[string]string // texts that includes in Yay name as mem://NAME

	AllowURL   bool     // read http and https URLs; closes the environment unless AllowEnv is set
	AllowExec  bool     // start programs; the gpg of the user needs no leave
	AllowWrite []string // directories that documents may write files below
	AllowEnv   []string // names and patterns of variables that can be read; nil is all
	NoEnv      bool     // no variable can be read

	NoTemplates   bool // templates in YAML are text
	NoExpressions bool // expression objects are data
	NoLiteral     bool // results of templates stay text, whatever they look like
	Lenient       bool // undefined names stay as text, duplicate keys are warnings
	StrictCycles  bool // an expression that needs itself is an error, not null
	StrictPaths   bool // a path without a match is an error, not null
	YAMLScalars   bool // plain scalars of Yay are read as in YAML
	Trace         bool // Warn is told what every expression object comes to

	// Sparse says that little will be asked for: constant paths in a big YAML file of plain
	// data are looked up without keeping what is beside them. What is wrong in the file is
	// then told when something is asked for, and not by [Open].
	Sparse bool

	Limits graph.Limits

	Decrypter *Decrypter // of encrypted files; nil leaves them to the gpg of the user

	Stdin   io.Reader                        // what "-" names; nil is the process's
	Getenv  func(name string) (string, bool) // nil is the process's environment
	Environ func() []string                  // names, or NAME=VALUE; nil is the process's
	Overlay map[string]string                // texts that stand for files, by absolute path
	Now     func() time.Time                 // the time of the run, asked once; nil is the clock

	// Warn is told of findings that do not stop anything. It may be nil. A Config tells
	// of each once, one at a time, from whatever goroutine comes across it.
	Warn func(*source.Diagnostic)

	cache *frontend.Cache // of projects that are opened one after the other; nil is one of its own
}

// A Project is a set of files, layered and ready to be evaluated. Its methods and those
// of its Documents may be called by several goroutines, which take turns. Options.Warn
// is called during a turn, and must not ask for anything itself.
//
// Lists and maps in the values that they return are lazy and work out their items when
// these are asked for, which is no turn: look into them while nobody else uses the
// project, or leave that to [Project.WriteValue]. A [Config] has no such values.
type Project struct {
	turns *sync.Mutex // held by who evaluates

	ctx   context.Context
	opts  Options
	files *load.Files
	docs  []*Document
	dir   string // of the main document
	cache *frontend.Cache

	actors *actors // native classes, of a Config

	loads []*loaded // includes that were followed, in order
	known map[loaded]*loaded

	texts map[string]*source.File // those of Options.Memory
}

// Open reads and parses files; later ones are layers over earlier ones. Included
// files are read when they are needed.
//
// Codes: access, forbidden, syntax, duplicate-key and what else parsing finds.
func Open(ctx context.Context, files []string, o Options) (*Project, error) {
	p := &Project{turns: new(sync.Mutex), ctx: ctx, opts: o, cache: o.cache, texts: memoryFiles(o.Memory)}
	if p.cache == nil {
		p.cache = frontend.NewCache()
	}
	if p.opts.Warn == nil {
		p.opts.Warn = func(*source.Diagnostic) {}
	}
	p.files = load.New(p.loadConfig(files))
	if d, err := p.openText(files); d != nil || err != nil {
		p.docs = []*Document{d}
		return p, err
	}
	layers, err := p.openLayers(files)
	if err != nil {
		return nil, err
	}
	p.docs = p.pair(layers)
	return p, nil
}

// Languages returns the names that Options.Lang and the lang of an include take.
func Languages() []string { return frontend.Names() }

// Documents returns the finished documents: one for each document of the files.
func (p *Project) Documents() []*Document { return p.docs }

// Only returns the i-th document, counted from 0.
func (p *Project) Only(i int) (*Document, error) {
	if i < 0 || i >= len(p.docs) {
		return nil, source.Errorf(source.Span{}, source.NotFound, "there is no document %d: the files have %d, counted from 0", i, len(p.docs))
	}
	return p.docs[i], nil
}

func (p *Project) loadConfig(files []string) load.Config {
	o := p.opts
	return load.Config{
		Dir: o.Dir, Roots: o.Roots, Search: o.Search, Files: slices.Concat(files, o.Values, o.Templates),
		AllowURL: o.AllowURL, AllowExec: o.AllowExec, AllowWrite: o.AllowWrite, AllowEnv: o.AllowEnv, NoEnv: o.NoEnv,
		Repositories: o.Repositories, MaxFiles: o.Limits.WithDefaults().Files, MaxBytes: o.Limits.WithDefaults().Bytes,
		Decrypter: o.Decrypter, Context: p.ctx, Stdin: o.Stdin, Getenv: o.Getenv, Environ: o.Environ, Overlay: o.Overlay, Now: o.Now,
	}
}

// directory returns the directory of a file that was named by the user.
func (p *Project) directory(f *source.File) string {
	if f.Path != "" {
		return filepath.Dir(f.Path)
	}
	if p.opts.Dir != "" {
		return p.opts.Dir
	}
	dir, err := filepath.Abs(".")
	if err != nil {
		return "."
	}
	return dir
}
