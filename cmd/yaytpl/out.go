package main

import (
	"cmp"
	"context"
	"io"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/workspace"
)

// outFlags are the flags of render that make files of the result.
type outFlags struct {
	out, name    text
	prune, check bool
	write        bool

	wrote []byte // which files were written or removed, for people; empty for none
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
	files.set.Var(&f.out, "out", "write the result to `DIR`, each document as a file, or to FILE if it ends in "+listed(yaytpl.FormEndings()))
	files.set.Var(&f.name, "name", "name of each file in DIR: a `TEMPLATE` over the document, with key and index of --each")
	files.set.BoolVar(&f.write, "write", false, "write each target to its out")
	files.set.BoolVar(&f.prune, "prune", false, "remove the files that an earlier run wrote to DIR and this one does not")
	files.set.BoolVar(&f.check, "check", false, "write nothing; report each file that would change, with exit status 5")
	files.check = f.checkFlags
	return files
}

// checkFlags refuses flags that have no effect without --out or --write, or together.
func (f *outFlags) checkFlags() error {
	isFile := yaytpl.IsFile(f.out.s)
	for _, flag := range []struct {
		name  string
		given bool
		dir   bool // it is about directories
	}{{"--name", f.name.given, true}, {"--prune", f.prune, true}, {"--check", f.check, false}} {
		switch {
		case !flag.given:
		case !f.out.given && !f.write:
			return usageErrorf("%s has no effect without --out or --write", flag.name)
		case flag.dir && isFile && !f.write:
			return usageErrorf("%s has no effect: %s is one file", flag.name, f.out.s).
				WithHint("a slash at the end makes it a directory: --out %s/", f.out.s)
		}
	}
	switch {
	case f.out.given && f.write:
		return usageErrorf("--out and --write exclude each other")
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
	if err == nil {
		f.wrote = []byte(changedFiles(out.Written(), out.Removed()))
	}
	if err == nil && changed {
		err = errFindings
	}
	return err
}

// changedFiles returns which files a run wrote and removed: "wrote a.yaml, b.yaml; removed c.yaml".
func changedFiles(written, removed []string) string {
	var parts []string
	if len(written) > 0 {
		parts = append(parts, "wrote "+strings.Join(written, ", "))
	}
	if len(removed) > 0 {
		parts = append(parts, "removed "+strings.Join(removed, ", "))
	}
	return strings.Join(parts, "; ")
}

// destination returns the place for the result of one stack.
func (f *outFlags) destination(s workspace.Stack) yaytpl.Destination {
	to := yaytpl.Destination{Path: f.out.s, Name: f.name.s}
	if t := s.Target; t != nil {
		to.Name = cmp.Or(to.Name, t.FileName)
		if f.write {
			to.Path = t.OutName()
		} else {
			to.Target = t.Name
		}
	}
	return to
}

// written returns the stacks that are written: with --write targets that have an out.
func (f *outFlags) written(words []string, stacks []workspace.Stack) ([]workspace.Stack, error) {
	if !f.write {
		if len(stacks) > 1 && yaytpl.IsFile(f.out.s) {
			return nil, usageErrorf("--out %s takes one target, not %d", f.out.s, len(stacks)).
				WithHint("a slash at the end makes it a directory: --out %s/", f.out.s)
		}
		return stacks, nil
	}
	var list []workspace.Stack
	for _, s := range stacks {
		switch {
		case s.Target == nil:
			return nil, usageErrorf("--write writes targets, and %s is not a target", words[0]).WithHint("--out writes the result of any FILE")
		case s.Target.Out != "":
			list = append(list, s)
		case slices.Contains(words, "@"+s.Target.Name):
			return nil, usageErrorf("--write needs a place, and the target %s has no out", s.Target.Name).WithHint("--out DIR names one")
		}
	}
	if len(list) == 0 {
		return nil, usageErrorf("--write needs a place, and no target has an out").WithHint("--out DIR names one")
	}
	return list, nil
}

// renderFiles writes the results of stacks to files: all of them, or none. The documents are evaluated side
// by side, and the files made in the order of the stacks.
func (f *projectFlags) renderFiles(ctx context.Context, a *app, words []string, stacks []workspace.Stack, o yaytpl.RenderOptions, out *outFlags) error {
	stacks, err := out.written(words, stacks)
	if err != nil {
		return err
	}
	if len(stacks) == 1 {
		p, err := f.openStack(ctx, a, stacks[0])
		if err != nil {
			return err
		}
		return out.output(ctx, a, f.files.n, func(files *yaytpl.Output) error {
			return p.RenderFiles(files, out.destination(stacks[0]), ofTarget(o, stacks[0]))
		})
	}
	ctx, options, err := f.prepare(ctx, a, words, stacks, a.showWarning)
	if err != nil {
		return err
	}
	o.NoMask = true
	render := func(s workspace.Stack, p *yaytpl.Project) (*yaytpl.Project, error) {
		return p, p.Render(io.Discard, ofTarget(o, s))
	}
	g := a.gather(stacks)
	return out.output(ctx, a, f.files.n, func(files *yaytpl.Output) error {
		for r := range workspace.All(ctx, stacks, options, render) {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if r.Err == nil && len(g.errs) == 0 {
				r.Err = r.Value.RenderFiles(files, out.destination(r.Stack), ofTarget(o, r.Stack))
			}
			g.takeResult(r.Stack, r.Warnings, r.Err)
		}
		return g.err()
	})
}
