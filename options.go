package yaytpl

import (
	"io"
	"slices"
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

// Languages returns the names that Options.Lang and the lang of an include take.
func Languages() []string { return frontend.Names() }

// loadConfig returns what a project that was opened with files may read and start.
func (p *Project) loadConfig(files []string) load.Config {
	o := p.opts
	return load.Config{
		Dir: o.Dir, Roots: o.Roots, Search: o.Search, Files: slices.Concat(files, o.Values, o.Templates),
		AllowURL: o.AllowURL, AllowExec: o.AllowExec, AllowWrite: o.AllowWrite, AllowEnv: o.AllowEnv, NoEnv: o.NoEnv,
		Repositories: o.Repositories, MaxFiles: o.Limits.WithDefaults().Files, MaxBytes: o.Limits.WithDefaults().Bytes,
		Decrypter: o.Decrypter, Context: p.ctx, Stdin: o.Stdin, Getenv: o.Getenv, Environ: o.Environ, Overlay: o.Overlay, Now: o.Now,
	}
}
