package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
	"github.com/yaytpl/yaytpl/workspace"
)

func (a *app) depsCommand() *cobra.Command {
	project := projectFlags{injects: true}
	form := oneOf("text", "text", "json", "make")
	var out string
	var compact, reveal bool
	c := &cobra.Command{
		Use:   "deps FILE...",
		Short: "print what the result depends on: files, variables, programs",
		Long: `Evaluates the document that render prints, and prints everything that was read for it, each with
the places that ask for it: files, names of files that are missing, patterns of files, URLs,
environment variables, programs, the clock and chance. What is not listed does not change the
result; a program may read anything. The flags that give permissions are not listed.`,
		Example: `  yaytpl deps site.yaml prod.yaml
  yaytpl deps -o json site.yaml
  yaytpl deps -o make --out build/site.yaml site.yaml > build/site.d`,
		Args: some("FILE"),
		RunE: func(c *cobra.Command, words []string) error {
			stacks, err := project.workspace.stacks(a, c, words)
			if err != nil {
				return err
			}
			o := yaytpl.RenderOptions{Reveal: true, Doc: project.doc.fromOne()}
			list := dependencies{app: a, reveal: reveal}
			if form.is("make") {
				list.rules = func(s workspace.Stack) (string, error) { return project.workspace.made(s, out, len(stacks)) }
			}
			a.startProgress("evaluating")
			if err := project.inputs(c.Context(), a, words, stacks, o, list.take); err != nil {
				return err
			}
			return list.write(form.value, compact)
		},
	}
	own := newFlagGroup("Flags")
	own.set.VarP(&form, "output", "o", "format of the list")
	own.set.StringVar(&out, "out", "", "the `FILE` that the rule of -o make is for (default: out of the target); of several targets the directory")
	own.set.BoolVar(&compact, "compact", false, "write JSON on one line")
	own.set.BoolVar(&reveal, "reveal", false, "print names that a secret decides")
	return a.withFlags(c, project.groups(own)...)
}

// inputs evaluates stacks and calls take with the inputs of each, in their order, up to the first error.
func (f *projectFlags) inputs(ctx context.Context, a *app, words []string, stacks []workspace.Stack, o yaytpl.RenderOptions, take func(workspace.Stack, []yaytpl.Input) error) error {
	ctx, options, err := f.prepare(ctx, a, words, stacks, a.showWarning)
	if err != nil {
		return err
	}
	var project yaytpl.Inputs
	if s, err := f.workspace.search(a); err == nil {
		s.Note(&project)
	}
	inputs := func(_ workspace.Stack, p *yaytpl.Project) ([]yaytpl.Input, error) {
		err := p.Render(io.Discard, o)
		return append(p.Inputs(), project.All()...), err
	}
	g := a.gather(stacks)
	for r := range workspace.All(ctx, stacks, options, inputs) {
		g.takeResult(r.Stack, r.Warnings, r.Err)
		if len(g.errs) > 0 {
			continue
		}
		if err := take(r.Stack, r.Value); err != nil {
			return err
		}
	}
	return g.err()
}

// made returns the target of the make rule for a stack: the file of --out, below which several
// targets have a file each, or the out of the target.
func (f *workspaceFlags) made(s workspace.Stack, out string, stacks int) (string, error) {
	switch {
	case out != "" && stacks > 1:
		return path.Join(filepath.ToSlash(out), s.Target.Name+".yaml"), nil
	case out != "":
		return filepath.ToSlash(out), nil
	case s.Target != nil && s.Target.Out != "":
		return filepath.ToSlash(f.found.Workspace.Name(s.Target.Out)), nil
	}
	return "", usageErrorf("-o make needs the file that the rule makes").WithHint("--out FILE names it, or out of a target")
}

// dependencies are inputs as they are printed, of one stack or several.
type dependencies struct {
	*app
	reveal bool
	list   []dependency
	index  map[input]int // in list

	// rules returns the file that a stack makes, for a list that is rules of make; it may be nil.
	rules func(workspace.Stack) (string, error)
}

// A dependency is an input with the name and the places that are shown.
type dependency struct {
	Kind yaytpl.InputKind `json:"kind"`
	Name string           `json:"name,omitempty"`
	At   []string         `json:"at"`
}

// An input is what a dependency is about.
type input struct {
	kind yaytpl.InputKind
	name string
}

// take adds the inputs of a stack, or prints the rule that they are.
func (l *dependencies) take(s workspace.Stack, inputs []yaytpl.Input) error {
	for _, in := range inputs {
		l.add(in)
	}
	if l.rules == nil {
		return nil
	}
	out, err := l.rules(s)
	if err == nil {
		l.sort()
		err = l.writeRule(out)
	}
	l.list, l.index = nil, nil
	return err
}

// add adds an input. Several with a name that is not shown are one.
func (l *dependencies) add(in yaytpl.Input) {
	d := dependency{Kind: in.Kind, Name: l.inputName(in, l.reveal), At: []string{}}
	i, known := l.index[input{d.Kind, d.Name}]
	if !known {
		i = len(l.list)
		if l.index == nil {
			l.index = map[input]int{}
		}
		l.index[input{d.Kind, d.Name}] = i
		l.list = append(l.list, d)
	}
	for _, at := range in.At {
		if place := at.String(); !slices.Contains(l.list[i].At, place) {
			l.list[i].At = append(l.list[i].At, place)
		}
	}
}

// inputName returns the name of an input as it is shown.
func (a *app) inputName(in yaytpl.Input, reveal bool) string {
	switch {
	case in.Secret && in.Kind != yaytpl.FileInput && !reveal: // that a file is there is no secret
		return value.SensitiveText
	case slices.Contains([]yaytpl.InputKind{yaytpl.FileInput, yaytpl.AbsentInput, yaytpl.GlobInput}, in.Kind):
		return a.relative(in.Name)
	}
	return in.Name
}

// relative returns the path of a file relative to the working directory, with slashes:
//
//	/srv/site/lib/a.yaml   lib/a.yaml      in /srv/site
//	/srv/yaytpl.yaml       ../yaytpl.yaml
func (a *app) relative(path string) string {
	if dir, err := filepath.Abs(a.dir); err == nil && filepath.IsAbs(path) {
		if rel, err := filepath.Rel(dir, path); err == nil {
			return filepath.ToSlash(rel)
		}
	}
	return path
}

// kinds are the kinds of inputs in the order of the list.
var kinds = []yaytpl.InputKind{
	yaytpl.FileInput, yaytpl.AbsentInput, yaytpl.GlobInput, yaytpl.URLInput, yaytpl.EnvInput, yaytpl.ProgramInput, yaytpl.ClockInput, yaytpl.RandomInput,
}

func (l *dependencies) sort() {
	slices.SortFunc(l.list, func(a, b dependency) int {
		return cmp.Or(cmp.Compare(slices.Index(kinds, a.Kind), slices.Index(kinds, b.Kind)), strings.Compare(a.Name, b.Name))
	})
}

// write prints the list, unless it was printed as rules.
func (l *dependencies) write(form string, compact bool) error {
	l.sort()
	if form == "json" {
		text, err := json.Marshal(l.list)
		if err != nil {
			return err
		}
		return l.writeJSON(text, compact)
	}
	for _, d := range l.list {
		fmt.Fprintln(l.stdout, strings.TrimSpace(string(d.Kind)+" "+d.Name))
	}
	return nil
}

// writeRule prints the rule of make for the files: build/site.yaml: lib/a.yaml site.yaml
//
// Code: output for a name that make cannot have.
func (l *dependencies) writeRule(out string) error {
	target, err := makeName(out)
	if err != nil {
		return err
	}
	rule := strings.ReplaceAll(target, "%", `\%`) + ":" // else the rule would be one of a pattern
	for _, d := range l.list {
		if d.Kind != yaytpl.FileInput || d.Name == "-" {
			continue
		}
		name, err := makeName(d.Name)
		if err != nil {
			return err
		}
		rule += " " + name
	}
	fmt.Fprintln(l.stdout, rule)
	return nil
}

// makeName returns a name of a file as a makefile has it.
func makeName(name string) (string, error) {
	if strings.ContainsAny(name, "\n\r") {
		return "", source.Errorf(source.Span{}, source.Output, "the name %q has a line break, which a makefile cannot express", name).
			WithHint("-o json prints it")
	}
	return strings.NewReplacer(" ", `\ `, "\t", "\\\t", "#", `\#`, "$", "$$", ":", `\:`).Replace(name), nil
}
