package yaytpl

import (
	"cmp"
	"context"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/yaytpl/yaytpl/crypto"
	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/frontend"
	"github.com/yaytpl/yaytpl/internal/load"
	"github.com/yaytpl/yaytpl/internal/lookup"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Options say what a project consists of and what it may do. The zero value is the usual
// case: files below the enclosing repository, the environment, nothing else.
type Options struct {
	Dir         string        // the directory of relative file names; "" is the working directory
	Base, Over  []string      // files that are layers below and above the others, oldest first
	Values      []string      // files that are layers above these, oldest first
	EnvPrefix   string        // environment variables with this prefix are layers above those: with APP_, APP_SERVER__PORT is server.port
	Defines     []string      // PATH=VALUE, PATH+=VALUE, PATH:=YAML or PATH+:=YAML: layers above those. No file is read
	Assignments []Assignment  // layers above the files
	Lists       []string      // KEY=POLICY: rules for lists, which rules of +lists override
	Checks      source.Checks // levels of warnings; an error fails the question that finds it
	Settings    *Settings     // settings of the project around the files, or nil
	Schemas     []SchemaRule  // JSON Schemas for Project.Check, besides those that files name in a comment
	Lang        string        // language of the files; "" chooses it by their endings
	Search      []string      // directories to look for includes in
	Roots       []string      // files are read below these only; nil is the default

	// Above are layers between files: Above[2] has the layers over the first two files and below the third,
	// where files of Base count as well. They are the define of a target.
	Above map[int][]Assignment

	// Templates are the text templates that [Document.Template] will be asked for. Like
	// files, they determine the default roots.
	Templates []string

	Repositories map[string]string // named roots for includes: name to directory
	Memory       map[string]string // texts that includes in Yay name as mem://NAME

	AllowURL   bool     // read http and https URLs; closes the environment unless AllowEnv is set
	AllowExec  bool     // start programs; the gpg of the user needs no permission
	AllowWrite []string // directories that documents may write files below
	AllowEnv   []string // names and patterns of variables that can be read; nil is all
	NoEnv      bool     // no variable can be read

	NoTemplates   bool // templates in YAML are text
	NoExpressions bool // expression objects are data
	NoLiteral     bool // results of templates stay text, whatever they look like
	Lenient       bool // undefined names stay as text, duplicate keys and lines of YAML without indentation are warnings
	StrictCycles  bool // an expression that needs itself is an error, not null
	StrictPaths   bool // a path without a match is an error, not null
	YAMLScalars   bool // plain scalars of Yay are read as in YAML
	Trace         bool // Warn is called with the value of every expression object

	// Alone makes documents with +match independent ones. Otherwise they are layers over documents of older
	// files. It is for looking at one file by itself.
	Alone bool

	// Sparse looks constant paths up in the text of a big YAML file of plain data, without
	// a tree of the rest. Errors of the file are then returned by the first question, not
	// by [Open].
	Sparse bool

	// Programs are for the programs of the mgmt language in the documents.
	Programs Programs

	// Bindings answer lookup() and inject() in the documents. Package bindings has them. With nil, these
	// functions are errors.
	Bindings Injector

	// Node is the node for files in .pp: their document is all data that it gets.
	Node NodeOptions

	Limits graph.Limits

	// Cache holds files and parsed documents that projects have in common. It may be nil.
	Cache *Cache

	Decrypter *crypto.Decrypter // of encrypted files and values; nil uses the gpg of the user

	// Inputs gets a note of everything that is read, also by an Open that fails; nil is a new one
	// for each Open. See [Project.Inputs].
	Inputs *Inputs

	Stdin   io.Reader                        // is read for "-"; nil is the process's
	Getenv  func(name string) (string, bool) // nil is the process's environment
	Environ func() []string                  // names, or NAME=VALUE; nil is the process's
	Overlay map[string]string                // texts in place of files, by absolute path
	Now     func() time.Time                 // the time of the run, asked once; nil is the clock

	// Warn is called with findings that do not stop anything. It may be nil. A
	// configuration of package config calls it once for each finding, one call at a time,
	// from any goroutine.
	Warn func(*source.Diagnostic)
}

// NodeOptions say for which node layered bindings are composed.
type NodeOptions struct {
	Facts       []string // files of facts, later ones win key by key
	FactValues  []string // NAME=VALUE, above the files
	Binds       []string // KEY=VALUE, above all layers; of equal keys the last one counts
	Environment string   // "" is the one that the source chooses

	AgentEnvironment string // that the node asks for
	ENC              string // file of an external node classifier
}

// An Injector answers lookup() and inject() in documents. Package bindings has one.
type Injector interface {
	expr.Injector
	Record() *Inputs // of what the answers depend on
}

// A SchemaRule names the JSON Schema of some documents: draft 7 or 2020-12, in JSON or YAML.
type SchemaRule struct {
	Schema string // a file, or a URL with AllowURL; relative to Dir
	Files  string // documents of files that match this pattern: * and ? in a name, ** over directories; relative to Dir; "" for all
	Dir    string // "" is Options.Dir

	At source.Span // where Schema is written; zero for the command line
}

// schemas returns the rules for schemas with their directories, and the names of their files.
func (o Options) schemas() (rules []engine.SchemaRule, files []string) {
	for _, r := range o.Schemas {
		if r.Dir == "" {
			r.Dir = o.Dir
		}
		name := r.Schema
		if !filepath.IsAbs(name) && !strings.Contains(name, "://") {
			name = filepath.Join(r.Dir, name)
		}
		rules, files = append(rules, engine.SchemaRule(r)), append(files, name)
	}
	return rules, files
}

// Languages returns the names that Options.Lang and the lang of an include take.
func Languages() []string { return frontend.Names() }

// Engine converts o for the packages of this module that open projects themselves. Other
// programs have no use for it.
func (o Options) Engine(ctx context.Context, files ...string) engine.Options {
	o.note()
	limits := o.Limits.WithDefaults()
	above := make(map[int][]engine.Assignment, len(o.Above))
	for i, list := range o.Above {
		above[i] = engineAssignments(list)
	}
	evaluation := expr.Options{Lenient: o.Lenient, NoLiteral: o.NoLiteral, StrictPaths: o.StrictPaths, Trace: o.Trace}
	if o.Bindings != nil {
		evaluation.Injector = o.Bindings
	}
	rules, schemas := o.schemas()
	converted := engine.Options{
		Load: load.Config{
			Dir: o.Dir, Roots: o.Roots, Search: o.Search, Files: slices.Concat(o.Base, files, o.Over, o.Values, o.Templates, o.Programs.Data, o.Programs.Schema, schemas),
			AllowURL: o.AllowURL, AllowExec: o.AllowExec, AllowWrite: o.AllowWrite, AllowEnv: o.AllowEnv, NoEnv: o.NoEnv,
			Repositories: o.Repositories, MaxFiles: limits.Files, MaxBytes: limits.Bytes,
			Decrypter: o.Decrypter, Context: ctx, Stdin: o.Stdin, Getenv: o.Getenv, Environ: o.Environ, Overlay: o.Overlay, Now: o.Now, Inputs: o.Inputs,
		},
		Parse: frontend.Options{
			NoTemplates: o.NoTemplates, NoExpressions: o.NoExpressions, Lenient: o.Lenient, Sparse: o.Sparse, YAMLScalars: o.YAMLScalars,
			Vaults: o.Decrypter != nil && o.Decrypter.HasVaultPasswords(),
		},
		Eval:         evaluation,
		Limits:       o.Limits,
		StrictCycles: o.StrictCycles, Alone: o.Alone,
		Lang: o.Lang, Base: o.Base, Over: o.Over, Values: o.Values, EnvPrefix: o.EnvPrefix, Defines: o.Defines, Assignments: engineAssignments(o.Assignments), Above: above,
		Lists: o.Lists, Schemas: rules, Memory: o.Memory, Warn: o.Checks.Filter(o.Warn), Share: o.Cache,
	}
	if o.Settings != nil {
		converted.Settings = o.Settings.engine()
		converted.Load.Project = converted.Settings.Dir
	}
	converted.Programs = o.Programs.engine(converted)
	return converted
}

func engineAssignments(list []Assignment) []engine.Assignment {
	converted := make([]engine.Assignment, len(list))
	for i, a := range list {
		converted[i] = engine.Assignment(a)
	}
	return converted
}

// A Cache holds the files that several projects read, each once, and parses each once. It forgets what no
// project has asked for of late. The projects may be used side by side, and have the same options but for
// their layers, settings and limits; a file that changes on disk is not read again. Its method Next returns
// the cache of the next of several runs, which reads and parses the files that have changed.
type Cache = engine.Share

// NewCache returns an empty cache.
func NewCache() *Cache { return engine.NewShare() }

// Settings apply to the files below a directory. Package workspace reads them from a project file. Any number of
// projects may share them.
type Settings struct {
	Dir   string     // absolute; the default root of files below it that are in no repository
	Lists []ListRule // rules for lists, below Options.Lists

	// Files that a pattern matches have no templates, directives or expressions. A pattern is
	// relative to Dir and has * ? [ab] in its parts, and ** for any number of parts.
	TemplatesOff, DirectivesOff, ExpressionsOff []string

	once   sync.Once
	parsed *engine.Settings
}

// A ListRule is the policy of the lists that Key names: see +lists in a document.
type ListRule struct {
	Key, Policy string
	At          source.Span // where it was written; may be zero
}

// engine returns the parsed settings, always the same ones.
func (s *Settings) engine() *engine.Settings {
	s.once.Do(func() {
		var rules []graph.ListRule
		var failed error
		for _, r := range s.Lists {
			rule, err := frontend.ListRule(r.Key, r.Policy)
			failed, rule.At = cmp.Or(failed, err), r.At
			rules = append(rules, rule)
		}
		s.parsed = engine.NewSettings(s.Dir, s.TemplatesOff, s.DirectivesOff, s.ExpressionsOff, rules)
		s.parsed.Err = cmp.Or(s.parsed.Err, failed)
	})
	return s.parsed
}

// note gives o an Inputs, to which Options.Bindings adds what it reads.
func (o *Options) note() {
	if o.Inputs == nil {
		o.Inputs = &Inputs{}
	}
	if o.Bindings != nil {
		o.Inputs.Join(o.Bindings.Record())
	}
}

// A FilterDoc is the documentation of a filter, test, global, lookup or function.
type FilterDoc = engine.FilterDoc

// FilterHelp returns the documentation of everything that templates and expressions can call.
func FilterHelp() []FilterDoc { return engine.FilterHelp() }

// Programs are what programs of the mgmt language get from outside (spec: mcl, section 11).
type Programs struct {
	// Schema are files with the types of kinds of resources: "svc: {port: int}".
	Schema []string

	// Data are files whose document config.get reads, later ones over earlier ones. Without
	// them it reads the document that the program is part of.
	Data []string

	// Facts are files of facts, FactValues single ones, NAME=VALUE. The fact hostname replaces
	// the name of the machine.
	Facts, FactValues []string

	// Past is what programs remember of earlier evaluations of the same files, for $x{n} and os.system:
	// package watch has one. Nil remembers nothing.
	Past *Past
}

// A Past is what programs of the mgmt language remember of earlier evaluations. The zero value remembers
// nothing yet.
type Past = engine.Past

// engine converts p for a project with options.
func (p Programs) engine(o engine.Options) engine.Programs {
	out := engine.Programs{Schema: p.Schema, Data: p.Data, Past: p.Past}
	if len(p.Facts)+len(p.FactValues) > 0 {
		out.Facts = func() (value.Map, error) { return lookup.Facts(o, p.Facts, p.FactValues) }
	}
	return out
}

// A FunctionDoc is the documentation of a function of the mgmt language.
type FunctionDoc = frontend.FunctionDoc

// ProgramHelp returns the documentation of the library of the mgmt language, sorted by name.
func ProgramHelp() []FunctionDoc { return frontend.ProgramHelp() }
