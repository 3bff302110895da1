package main

import (
	"context"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/source"
)

// outFlags are the flags of render that make files of the result.
type outFlags struct {
	out, name    text
	prune, check bool
}

// A text is a flag with a text that may be empty.
type text struct {
	s     string
	given bool
}

// String implements pflag.Value.
func (t *text) String() string { return t.s }

// Type implements pflag.Value.
func (t *text) Type() string { return "string" }

// Set implements pflag.Value.
func (t *text) Set(s string) error {
	t.s, t.given = s, true
	return nil
}

func (f *outFlags) group() flagGroup {
	files := newFlagGroup("Files")
	files.set.Var(&f.out, "out", "write the result to `DIR`, each document as a file, or to FILE if it ends in .yaml .yml .json .jsonl .toml .env or .txt")
	files.set.Var(&f.name, "name", "name of each file in DIR: a `TEMPLATE` over the document, with key and index of --each")
	files.set.BoolVar(&f.prune, "prune", false, "remove the files that an earlier run wrote to DIR and this one does not")
	files.set.BoolVar(&f.check, "check", false, "write nothing; report each file that would change, with exit status 5")
	return files
}

// checkFlags refuses flags that have no effect without --out or together. written is set if files are
// written without --out.
func (f *outFlags) checkFlags(written bool) error {
	isFile := yaytpl.IsFile(f.out.s)
	for _, flag := range []struct {
		name  string
		given bool
		dir   bool // it is about directories
	}{{"--name", f.name.given, true}, {"--prune", f.prune, true}, {"--check", f.check, false}} {
		switch {
		case !flag.given:
		case !f.out.given && !written:
			return usageErrorf("%s has no effect without --out", flag.name)
		case flag.dir && isFile && !written:
			return usageErrorf("%s has no effect: %s is one file", flag.name, f.out.s).
				WithHint("a slash at the end makes it a directory: --out %s/", f.out.s)
		}
	}
	switch {
	case f.out.given && f.out.s == "":
		return usageErrorf("bad value %q for --out: it takes the name of a directory or file", "")
	case f.name.given && f.name.s == "":
		return usageErrorf("bad value %q for --name: it takes a template", "")
	}
	return nil
}

// output calls add with the output of the flags, and then writes the files or reports with --check which
// would change.
func (f *outFlags) output(ctx context.Context, a *app, files int, add func(*yaytpl.Output) error) error {
	changed := false
	out := yaytpl.NewOutput(ctx, yaytpl.OutputOptions{
		Dir: a.dir, MaxFiles: files, Check: f.check, Prune: f.prune,
		Warn: func(d *source.Diagnostic) {
			changed = changed || d.Code == source.Changed && a.checks.Level(source.Changed) == source.LevelWarning
			a.showWarning(d)
		},
	})
	defer out.Close()
	err := add(out)
	if err == nil {
		err = out.Commit()
	}
	if err == nil && changed {
		err = errFindings
	}
	return err
}

// destination returns the place for the result of one project.
func (f *outFlags) destination() yaytpl.Destination {
	return yaytpl.Destination{Path: f.out.s, Name: f.name.s}
}
