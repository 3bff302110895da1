package main

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
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
		RunE: func(c *cobra.Command, files []string) error {
			if form.is("make") && out == "" {
				return usageErrorf("-o make needs the file that the rule makes").WithHint("--out FILE names it")
			}
			a.startProgress("evaluating")
			p, err := project.open(c.Context(), a, files...)
			if err != nil {
				return err
			}
			o := yaytpl.RenderOptions{Reveal: true}
			if project.doc.set {
				o.Doc = project.doc.n + 1
			}
			if err := p.Render(io.Discard, o); err != nil {
				return err
			}
			list := dependencies{app: a, reveal: reveal}
			for _, in := range p.Inputs() {
				list.add(in)
			}
			return list.write(form.value, out, compact)
		},
	}
	own := newFlagGroup("Flags")
	own.set.VarP(&form, "output", "o", "format of the list")
	own.set.StringVar(&out, "out", "", "the `FILE` that the rule of -o make is for")
	own.set.BoolVar(&compact, "compact", false, "write JSON on one line")
	own.set.BoolVar(&reveal, "reveal", false, "print names that a secret decides")
	a.addFlags(c, append([]flagGroup{own}, project.groups()...)...)
	return c
}

// dependencies are inputs as they are printed, by kind and name.
type dependencies struct {
	*app
	reveal bool
	list   []dependency
}

// A dependency is an input with the name and the places that are shown.
type dependency struct {
	Kind yaytpl.InputKind `json:"kind"`
	Name string           `json:"name,omitempty"`
	At   []string         `json:"at"`
}

// add adds an input. Several with a name that is not shown are one.
func (l *dependencies) add(in yaytpl.Input) {
	d := dependency{Kind: in.Kind, Name: in.Name, At: []string{}}
	switch {
	case in.Secret && in.Kind != yaytpl.FileInput && !l.reveal: // that a file is there is no secret
		d.Name = value.SensitiveText
	case slices.Contains([]yaytpl.InputKind{yaytpl.FileInput, yaytpl.AbsentInput, yaytpl.GlobInput}, in.Kind):
		d.Name = l.relative(in.Name)
	}
	for _, at := range in.At {
		d.At = append(d.At, at.String())
	}
	for i, other := range l.list {
		if other.Kind == d.Kind && other.Name == d.Name {
			l.list[i].At = append(other.At, d.At...)
			return
		}
	}
	l.list = append(l.list, d)
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

// write prints the list. out is the file that the rule of make is for.
func (l *dependencies) write(form, out string, compact bool) error {
	var kinds []yaytpl.InputKind
	for _, d := range l.list {
		if !slices.Contains(kinds, d.Kind) {
			kinds = append(kinds, d.Kind)
		}
	}
	slices.SortStableFunc(l.list, func(a, b dependency) int {
		if a.Kind != b.Kind {
			return slices.Index(kinds, a.Kind) - slices.Index(kinds, b.Kind)
		}
		return strings.Compare(a.Name, b.Name)
	})
	switch form {
	case "json":
		text, err := json.Marshal(l.list)
		if err != nil {
			return err
		}
		return l.writeJSON(text, compact)
	case "make":
		return l.writeRule(out)
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
	target, err := makeName(filepath.ToSlash(out))
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
