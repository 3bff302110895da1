package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/bindings"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/workspace"
)

// projectFlags are the flags of every command that opens files as a project: its layers, its
// permissions, the switches of the languages, and limits.
type projectFlags struct {
	options      yaytpl.Options
	edits        bool                                // the command has a -S of its own
	injects      bool                                // the command has --bindings
	looksUp      bool                                // the command reads bindings, not documents
	revise       func(yaytpl.Options) yaytpl.Options // options of one revision of watch; nil for other commands
	defines      []flagWord                          // of -D and -S
	keys         keyFlags
	workspace    workspaceFlags
	repositories []string
	checks       []string
	strict       bool
	doc          docNumber
	bindings     string
	node         nodeFlags
	envPrefix    prefix

	steps, depth, bytes, files count
	timeout                    duration
}

// groups returns the flags, after the groups of one command.
func (f *projectFlags) groups(own ...flagGroup) []flagGroup {
	o := &f.options
	limits := f.limitGroup()
	if f.looksUp {
		reading := newFlagGroup("Reading")
		reading.set.Var((*textList)(&o.Roots), "root", "read files below `DIR` only (repeatable; default: the repository of each file)")
		reading.set.Var((*wordList)(&f.checks), "checks", "report warnings of a kind as `KIND=LEVEL`: error, warning or off (repeatable, or separated by commas)")
		return append(own, reading, f.keys.group(), limits)
	}
	input := newFlagGroup("Input")
	addWords(input.set, &f.defines, "define", "D", "set `PATH=VALUE` above all files; += appends, := takes YAML, =@ a file (repeatable)")
	if !f.edits {
		addWords(input.set, &f.defines, "define-string", "S", "set `PATH=TEXT` above all files, always text (repeatable)")
	}
	input.set.Var(&f.envPrefix, "env-prefix", "add the environment variables whose names begin with PREFIX as layers below -D: with APP_, APP_SERVER__PORT=80 sets server.port")
	input.set.Var((*textList)(&o.Values), "values", "add `FILE` as a layer above all files, below --env-prefix and -D (repeatable)")
	input.set.Var((*textList)(&o.Lists), "lists", "join lists by `KEY=POLICY`: union, append, replace or \"by FIELD\", where no +lists does (repeatable)")
	input.set.Var((*wordList)(&f.checks), "checks", "report warnings of a kind as `KIND=LEVEL`: error, warning or off (repeatable, or separated by commas)")
	input.set.VarP((*textList)(&o.Search), "include-dir", "I", "search `DIR` for included files (repeatable)")
	input.set.StringVar(&o.Lang, "lang", "", "`LANGUAGE` of the files (default: by file name)")
	input.set.Var(&f.doc, "doc", "use only this document, counted from 0")
	f.workspace.addTo(input)

	input.set.Var((*textList)(&o.Programs.Data), "data", "mgmt: config.get reads the document of `FILE` (repeatable; default: the document around the program)")
	input.set.Var((*textList)(&o.Programs.Schema), "schema", "mgmt: types of the fields of kinds of resources, from `FILE` (repeatable)")
	if f.injects {
		input.set.StringVar(&f.bindings, "bindings", "", "answer lookup() and inject() by the bindings of `SOURCE`")
		f.node.add(input)
	}

	permissions := newFlagGroup("Permissions")
	permissions.set.Var((*textList)(&o.Roots), "root", "read files below `DIR` only (repeatable; default: the repository of each file)")
	permissions.set.Var((*textList)(&f.repositories), "repository", "`NAME=DIR` of a repository that includes can name (repeatable)")
	permissions.set.BoolVar(&o.AllowURL, "allow-url", false, "allow reading from the network")
	permissions.set.BoolVar(&o.AllowExec, "allow-exec", false, "allow running programs")
	permissions.set.Var((*textList)(&o.AllowWrite), "allow-write", "allow functions to write below `DIR` (repeatable)")
	permissions.set.Var((*textList)(&o.AllowEnv), "allow-env", "read only environment variables of this `NAME` or pattern (repeatable)")
	permissions.set.BoolVar(&o.NoEnv, "no-env", false, "do not read the environment")

	evaluation := newFlagGroup("Evaluation")
	evaluation.set.BoolVar(&f.strict, "strict", false, "undefined names and duplicate keys are errors (default)")
	evaluation.set.BoolVar(&o.Lenient, "lenient", false, "undefined names stay as text, the last duplicate key wins, lines in quotes and brackets need no indentation; with warnings")
	evaluation.set.BoolVar(&o.NoTemplates, "no-templates", false, "keep templates as text")
	evaluation.set.BoolVar(&o.NoExpressions, "no-expressions", false, "keep expression objects as data")
	evaluation.set.BoolVar(&o.NoLiteral, "no-literal", false, "do not read the text of a template as a number, list or map")
	evaluation.set.BoolVar(&o.StrictCycles, "strict-cycles", false, "an expression that depends on itself is an error, not null")
	evaluation.set.BoolVar(&o.StrictPaths, "strict-paths", false, "a path without a match is an error, not null")
	evaluation.set.BoolVar(&o.YAMLScalars, "yaml-scalars", false, "Yay: read plain true, false, null and numbers as in YAML")
	evaluation.set.BoolVar(&o.Trace, "trace", false, "print the steps of evaluating expressions")

	return append(own, input, permissions, f.keys.group(), evaluation, limits)
}

func (f *projectFlags) limitGroup() flagGroup {
	limits := newFlagGroup("Limits")
	f.bytes.units = true
	limits.set.Var(&f.steps, "max-steps", "evaluation steps (default 5*10^8)")
	limits.set.Var(&f.depth, "max-depth", "nested evaluations (default 100,000)")
	limits.set.Var(&f.bytes, "max-bytes", "size of the input, and of the result (default 1G and 256M)")
	limits.set.Var(&f.files, "max-files", "number of files (default 10,000)")
	limits.set.Var(&f.timeout, "timeout", "stop after this time, such as 500ms or 30s")
	return limits
}

// mostOutput returns how many bytes a result may have.
func (f *projectFlags) mostOutput() int {
	var o yaytpl.Options
	o.Limits.Output = f.bytes.n
	return o.Limits.WithDefaults().Output
}

// read checks the flags and returns them as options, with the settings of the project around files.
func (f *projectFlags) read(a *app, files ...string) (yaytpl.Options, error) {
	o := f.options
	o.EnvPrefix = f.envPrefix.s
	if f.strict && o.Lenient {
		return o, usageErrorf("--strict and --lenient exclude each other")
	}
	var err error
	if o.Assignments, err = assignments(f.defines); err != nil {
		return o, err
	}
	for _, r := range f.repositories {
		name, dir, ok := strings.Cut(r, "=")
		if !ok || name == "" || dir == "" {
			return o, usageErrorf("--repository takes NAME=DIR, not %q", r)
		}
		if o.Repositories == nil {
			o.Repositories = map[string]string{}
		}
		o.Repositories[name] = dir
	}
	if err := f.checkDirectories(a); err != nil {
		return o, err
	}
	if err := noTargets("--values", o.Values...); err != nil {
		return o, err
	}
	checks, err := source.ParseChecks(f.checks)
	if err != nil {
		return o, err
	}
	o.Checks = checks
	if !f.looksUp {
		w, err := f.workspace.around(a, slices.Concat(files, o.Templates))
		if err != nil {
			return o, err
		}
		if w != nil {
			o = w.Options(o)
			f.keys.known = w.PublicKeys()
		}
	}
	a.checks = o.Checks
	d, err := f.keys.decrypter(a, f.options.AllowExec)
	if err != nil {
		return o, err
	}
	o.Decrypter = d
	o.Programs.Facts, o.Programs.FactValues = f.node.o.Facts, f.node.o.FactValues
	o.Limits.Steps, o.Limits.Depth, o.Limits.Files = f.steps.n, f.depth.n, f.files.n
	o.Limits.Bytes, o.Limits.Output = f.bytes.n, f.bytes.n
	o.Node = f.node.o
	o.Dir, o.Stdin, o.Getenv, o.Environ, o.Warn = a.dir, a.in, a.getenv, a.environ, a.showWarning
	if f.revise != nil {
		o = f.revise(o)
	}
	return o, nil
}

// readForEdit is read for commands that edit a file, where layers above the file are errors. It
// opens the bindings of --bindings.
func (f *projectFlags) readForEdit(ctx context.Context, a *app, files ...string) (yaytpl.Options, error) {
	o, err := f.read(a, files...)
	if err != nil {
		return o, err
	}
	if len(o.Values)+len(o.Assignments) > 0 || o.EnvPrefix != "" {
		return o, usageErrorf("layers above the file (--values, --env-prefix, -D, -S) cannot be edited")
	}
	o.Bindings, err = f.openBindings(ctx, o)
	return o, err
}

// checkDirectories refuses an empty name, which would be the working directory, and a root
// that is missing, below which nothing could be read.
func (f *projectFlags) checkDirectories(a *app) error {
	for _, given := range []struct {
		flag string
		dirs []string
	}{{"--root", f.options.Roots}, {"-I", f.options.Search}, {"--allow-write", f.options.AllowWrite}} {
		if slices.Contains(given.dirs, "") {
			return usageErrorf("bad value %q for %s: it takes the name of a directory", "", given.flag)
		}
	}
	for _, dir := range f.options.Roots {
		if info, err := os.Stat(a.inDir(dir)); err != nil || !info.IsDir() {
			return usageErrorf("bad value %q for --root: no such directory", dir)
		}
	}
	return nil
}

// open opens files, or a target, as a project that the time-out cancels.
func (f *projectFlags) open(ctx context.Context, a *app, files ...string) (*yaytpl.Project, error) {
	s, err := f.workspace.stack(a, files)
	if err != nil {
		return nil, err
	}
	return f.openStack(ctx, a, s)
}

// openStack is open for the files and layers of a stack.
func (f *projectFlags) openStack(ctx context.Context, a *app, s workspace.Stack) (*yaytpl.Project, error) {
	files := s.Files
	o, err := f.read(a, files...)
	if err != nil {
		return nil, err
	}
	o.Above = s.Above()
	if err := readableOnce(files, f.layerFiles(), o.Templates); err != nil {
		return nil, err
	}
	ctx = f.limited(ctx, a)
	if o.Bindings, err = f.openBindings(ctx, o, files...); err != nil {
		return nil, err
	}
	a.reading(a.sizeOf(files))
	return yaytpl.Open(ctx, files, o)
}

// openBindings opens the bindings of --bindings, nil without the flag. Flags of the node are then
// errors, unless a file has bindings. A program may ask for the fact hostname.
func (f *projectFlags) openBindings(ctx context.Context, o yaytpl.Options, files ...string) (yaytpl.Injector, error) {
	if f.bindings == "" {
		program := hasLanguage(files, "mcl")
		if flag := f.node.given(program); flag != "" && !hasLanguage(files, "bindings") {
			err := usageErrorf("%s has no effect without --bindings", flag)
			if program && flag == "--fact" {
				err = err.WithHint("programs know the fact hostname alone")
			}
			return nil, err
		}
		return nil, nil
	}
	b, err := bindings.Open(ctx, f.bindings, o, f.node.o)
	if err != nil {
		return nil, err
	}
	return b, nil
}

// hasLanguage reports whether one of the files is in a language, by the ending of its name.
func hasLanguage(files []string, language string) bool {
	return slices.ContainsFunc(files, func(name string) bool { return source.LanguageOf(name) == language })
}

// layerFiles returns the names of the files that are layers above FILEs, or values of such
// layers.
func (f *projectFlags) layerFiles() []string {
	list, _ := assignments(f.defines) // read returns the error
	return append(slices.Clone(f.options.Values), filesOf(list)...)
}

// readableOnce refuses names of which two or more are "-", standard input.
func readableOnce(names ...[]string) error {
	stdin := 0
	for _, name := range slices.Concat(names...) {
		if name == "-" {
			stdin++
		}
	}
	if stdin > 1 {
		return usageErrorf("standard input can be read only once, and - names it twice")
	}
	return nil
}

// sizeOf returns the total size of the files. Standard input and missing files count as 0.
func (a *app) sizeOf(files []string) int64 {
	var n int64
	for _, name := range files {
		if info, err := os.Stat(a.inDir(name)); err == nil {
			n += info.Size()
		}
	}
	return n
}

// fileOptions returns the options of a command that reads files and evaluates nothing.
func (a *app) fileOptions(most count) yaytpl.Options {
	o := yaytpl.Options{Dir: a.dir, Stdin: a.in, Getenv: a.getenv, Environ: a.environ}
	o.Limits.Bytes = most.n
	return o
}

// inDir resolves a name in the working directory of the run.
func (a *app) inDir(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(a.dir, name)
}

// absolute is inDir with an absolute path, unless the working directory of the process is unknown.
func (a *app) absolute(name string) string {
	path := a.inDir(name)
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// limited returns a context that ends with the time-out. If the command does not stop within
// the grace period, the run ends without it.
func (f *projectFlags) limited(ctx context.Context, a *app) context.Context {
	if f.timeout.d <= 0 {
		return ctx
	}
	timed, stop := context.WithTimeout(ctx, f.timeout.d)
	last := time.AfterFunc(f.timeout.d+grace, func() {
		select {
		case a.abandon <- timeoutError():
		default: // another reason came first
		}
	})
	a.atEnd(func() { stop(); last.Stop() })
	return timed
}

// documents returns all documents of a project, or the one that --doc names.
func (f *projectFlags) documents(p *yaytpl.Project) ([]*yaytpl.Document, error) {
	if !f.doc.set {
		return p.Documents(), nil
	}
	d, err := p.Only(f.doc.n)
	return []*yaytpl.Document{d}, err
}

// document returns the document to look a path up in: the one that --doc names, or else the only one
// that has the path.
func (f *projectFlags) document(p *yaytpl.Project, path string) (*yaytpl.Document, error) {
	switch {
	case f.doc.set:
		return p.Only(f.doc.n)
	case len(p.Documents()) == 1:
		return p.Only(0)
	}
	d, _, err := p.Find(path)
	return d, err
}
