package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/yaytpl/yaytpl"
)

// projectFlags say what a project is made of and what it may do.
type projectFlags struct {
	options      yaytpl.Options
	keys         keyFlags
	repositories []string
	strict       bool
	doc          docNumber

	steps, depth, bytes, files count
	timeout                    duration
}

func (f *projectFlags) groups() []flagGroup {
	o := &f.options
	input := newFlagGroup("Input")
	input.set.StringArrayVarP(&o.Defines, "define", "D", nil, "`PATH=VALUE` above all files; VALUE is YAML, += appends (repeatable)")
	input.set.StringArrayVar(&o.Values, "values", nil, "a `FILE` as a layer above all files, below -D (repeatable)")
	input.set.StringArrayVarP(&o.Search, "include-dir", "I", nil, "`DIR` to look for includes in (repeatable)")
	input.set.StringVar(&o.Lang, "lang", "", "`LANGUAGE` of the files, instead of telling by name")
	input.set.Var(&f.doc, "doc", "one document only, counted from 0")

	permissions := newFlagGroup("Permissions")
	permissions.set.StringArrayVar(&o.Roots, "root", nil, "read files below `DIR` only (repeatable; default: the repository of each file)")
	permissions.set.StringArrayVar(&f.repositories, "repository", nil, "`NAME=DIR` for includes with repository: NAME (repeatable)")
	permissions.set.BoolVar(&o.AllowURL, "allow-url", false, "read from the network")
	permissions.set.BoolVar(&o.AllowExec, "allow-exec", false, "run programs")
	permissions.set.StringArrayVar(&o.AllowWrite, "allow-write", nil, "let functions write below `DIR` (repeatable)")
	permissions.set.StringArrayVar(&o.AllowEnv, "allow-env", nil, "read environment variables of this `NAME` or pattern only (repeatable)")
	permissions.set.BoolVar(&o.NoEnv, "no-env", false, "do not read the environment")

	evaluation := newFlagGroup("Evaluation")
	evaluation.set.BoolVar(&f.strict, "strict", false, "undefined names and duplicate keys are errors (default)")
	evaluation.set.BoolVar(&o.Lenient, "lenient", false, "undefined names stay as text, the last duplicate key wins, with warnings")
	evaluation.set.BoolVar(&o.NoTemplates, "no-templates", false, "templates are text")
	evaluation.set.BoolVar(&o.NoExpressions, "no-expressions", false, "expression objects are data")
	evaluation.set.BoolVar(&o.NoLiteral, "no-literal", false, "text that a template gives is never read as a number, list or map")
	evaluation.set.BoolVar(&o.StrictCycles, "strict-cycles", false, "an expression that needs itself is an error, not null")
	evaluation.set.BoolVar(&o.StrictPaths, "strict-paths", false, "a path without a match is an error, not null")
	evaluation.set.BoolVar(&o.YAMLScalars, "yaml-scalars", false, "Yay: plain true, false, null and numbers are read as in YAML")
	evaluation.set.BoolVar(&o.Trace, "trace", false, "tell how expressions are evaluated")

	limits := newFlagGroup("Limits")
	f.bytes.units = true
	limits.set.Var(&f.steps, "max-steps", "steps of evaluation (default 5*10^8)")
	limits.set.Var(&f.depth, "max-depth", "nested evaluations (default 100,000)")
	limits.set.Var(&f.bytes, "max-bytes", "size of the input, and of the result (default 1G and 256M)")
	limits.set.Var(&f.files, "max-files", "files to read (default 10,000)")
	limits.set.Var(&f.timeout, "timeout", "give up after this time, such as 500ms or 30s")

	return []flagGroup{input, permissions, f.keys.group(), evaluation, limits}
}

// read returns the options that the flags come to.
func (f *projectFlags) read(a *app) (yaytpl.Options, error) {
	o := f.options
	if f.strict && o.Lenient {
		return o, usageErrorf("--strict and --lenient exclude each other")
	}
	for _, d := range o.Defines {
		if !strings.Contains(d, "=") {
			return o, usageErrorf("-D takes PATH=VALUE, not %q", d)
		}
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
	d, err := f.keys.decrypter(a)
	if err != nil {
		return o, err
	}
	o.Decrypter = d
	o.Limits.Steps, o.Limits.Depth, o.Limits.Files = f.steps.n, f.depth.n, f.files.n
	o.Limits.Bytes, o.Limits.Output = f.bytes.n, f.bytes.n
	o.Dir, o.Stdin, o.Getenv, o.Environ, o.Warn = a.dir, a.in, a.getenv, a.environ, a.show
	return o, nil
}

// checkDirectories refuses names of directories that are none: an empty one, which would be
// the working directory, and a root that is not there, below which nothing could be read.
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
			return usageErrorf("bad value %q for --root: there is no such directory", dir)
		}
	}
	return nil
}

// open opens files as the flags say. The context that it returns ends with the
// time-out; stop frees it.
func (f *projectFlags) open(ctx context.Context, a *app, files ...string) (*yaytpl.Project, error) {
	o, err := f.read(a)
	if err != nil {
		return nil, err
	}
	if err := readableOnce(files, o.Values, o.Templates); err != nil {
		return nil, err
	}
	if a.reading != nil {
		defer a.reading(a.sizeOf(files))()
	}
	return yaytpl.Open(f.limited(ctx, a), files, o)
}

// readableOnce refuses names of which two are that of standard input.
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

// sizeOf returns how many bytes the files have together, as far as that can be seen.
func (a *app) sizeOf(files []string) int64 {
	var n int64
	for _, name := range files {
		if info, err := os.Stat(a.inDir(name)); err == nil {
			n += info.Size()
		}
	}
	return n
}

// inDir returns the path of a file that is relative to the working directory of the run.
func (a *app) inDir(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(a.dir, name)
}

// limited returns a context that ends with the time-out. Work that does not notice
// is abandoned a little later.
func (f *projectFlags) limited(ctx context.Context, a *app) context.Context {
	if f.timeout.d <= 0 {
		return ctx
	}
	timed, stop := context.WithTimeout(ctx, f.timeout.d)
	last := time.AfterFunc(f.timeout.d+grace, func() {
		select {
		case a.abandon <- timeoutError():
		default: // somebody else was faster
		}
	})
	a.atEnd(func() { stop(); last.Stop() })
	return timed
}

// documents returns the documents that --doc leaves of a project.
func (f *projectFlags) documents(p *yaytpl.Project) ([]*yaytpl.Document, error) {
	if !f.doc.set {
		return p.Documents(), nil
	}
	d, err := p.Only(f.doc.n)
	return []*yaytpl.Document{d}, err
}

// document returns the document that a path is looked up in: that of --doc, or the
// only one that has the path.
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
