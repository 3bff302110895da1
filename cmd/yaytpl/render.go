package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/yaytpl/yaytpl"
	_ "github.com/yaytpl/yaytpl/template/pongo2" // for --dialect pongo2
	"github.com/yaytpl/yaytpl/workspace"
)

// renderFlags are the flags of render, which watch has as well.
type renderFlags struct {
	project             projectFlags
	result              resultFlags
	out                 outFlags
	expandOnly, partial bool
	each                text
}

// groups returns the flags, with the flags of one command first.
func (f *renderFlags) groups(of flagGroup) []flagGroup {
	f.project.injects = true
	of.check = f.check
	of.set.Var(&f.each, "each", "make a document of each item of the list or map at `PATH`")
	of.set.BoolVar(&f.expandOnly, "expand-only", false, "apply merge directives only; expressions and templates stay text")
	of.set.BoolVar(&f.partial, "partial", false, "print the rest of the document if some of its values fail")
	return f.project.groups(of, f.out.group(), f.result.group("yaml"))
}

// toFiles reports whether the result is written to files.
func (f *renderFlags) toFiles() bool { return f.out.out.given || f.out.write }

// check refuses flags that exclude each other.
func (f *renderFlags) check() error {
	switch {
	case f.partial && f.toFiles():
		return usageErrorf("--partial excludes --out and --write")
	case f.each.given && f.each.s == "":
		return usageErrorf("bad value %q for --each: it takes a path, . for the whole document", "")
	}
	return nil
}

// options returns the flags as options.
func (f *renderFlags) options() yaytpl.RenderOptions {
	o := f.result.options("")
	o.ExpandOnly, o.Partial = f.expandOnly, f.partial
	o.Doc, o.Each = f.project.doc.fromOne(), f.each.s
	return o
}

// print writes the result of stacks, which words of the command line name, to standard output.
func (f *renderFlags) print(ctx context.Context, a *app, words []string, stacks []workspace.Stack, o yaytpl.RenderOptions) error {
	if len(stacks) > 1 {
		return f.project.render(ctx, a, words, stacks, o)
	}
	p, err := f.project.openStack(ctx, a, stacks[0])
	if err != nil {
		return err
	}
	return p.Render(a.stdout, ofTarget(o, stacks[0]))
}

func (a *app) renderCommand() *cobra.Command {
	var f renderFlags
	var cache cacheFlags
	c := &cobra.Command{
		Use:   "render FILE...",
		Short: "print the finished document",
		Long: `Prints the finished document. Later files are layers over earlier ones; - is standard input.
@TARGET is a target of the project file, and * in it any text; several targets, or all without FILE,
are documents one after the other.`,
		Example: `  yaytpl render site.yaml
  yaytpl render base.yaml prod.yaml -D web.port=8080 -o json
  yaytpl render --each services --out build site.yaml
  yaytpl render @prod`,
		RunE: func(c *cobra.Command, files []string) error {
			if cache.dir.given && f.toFiles() {
				return usageErrorf("--cache excludes --out and --write, which compare the files that are there")
			}
			stacks, err := f.project.workspace.stacks(a, c, files)
			if err != nil {
				return err
			}
			a.startProgress("rendering")
			o := f.options()
			_, o.Findings = openTerminal(a.err)
			if f.toFiles() {
				return f.project.renderFiles(c.Context(), a, files, stacks, o, &f.out)
			}
			return f.project.cached(c.Context(), a, &cache, stacks, o, func() error { return f.print(c.Context(), a, files, stacks, o) })
		},
	}
	c.ValidArgsFunction = a.completeTargets(&f.project)
	groups := f.groups(newFlagGroup("Flags"))
	cache.addTo(groups[0])
	return a.withFlags(c, groups...)
}

func (a *app) templateCommand() *cobra.Command {
	project := projectFlags{injects: true}
	var result resultFlags
	var data []string
	var cache cacheFlags
	dialect := oneOf("", yaytpl.Dialects()...)
	autoescape := false
	c := &cobra.Command{
		Use:   "template TEMPLATE",
		Short: "render a text template with a document as its data",
		Long: `Renders a text template (Jinja syntax; - is standard input). Its names are the keys of the
finished document of the --data files; later files are layers over earlier ones. --dialect pongo2, or a
first line # yaytpl: dialect=pongo2, renders the templates of Go programs that use pongo2, with pongo2.`,
		Example: `  yaytpl template nginx.conf.j2 --data site.yaml --data prod.yaml
  yaytpl template --dialect pongo2 hosts.tpl --data site.yaml`,
		Args: exactly("TEMPLATE"),
		RunE: func(c *cobra.Command, args []string) error {
			o := result.options("text")
			o.Dialect, o.Autoescape = dialect.value, autoescape
			a.startProgress("rendering")
			project.options.Templates = args
			stack, err := project.workspace.stack(a, data)
			if err != nil {
				return err
			}
			return project.cached(c.Context(), a, &cache, []workspace.Stack{stack}, o, func() error {
				p, err := project.openStack(c.Context(), a, stack)
				if err != nil {
					return err
				}
				if n := len(p.Documents()); n > 1 && !project.doc.set {
					return usageErrorf("the data has %d documents", n).WithHint("--doc N chooses one, counted from 0")
				}
				d, err := p.Only(project.doc.n)
				if err != nil {
					return err
				}
				return d.Template(args[0], a.stdout, o)
			})
		},
	}
	own := newFlagGroup("Flags")
	own.set.Var((*textList)(&data), "data", "`FILE` with data (repeatable)")
	own.set.Var(&dialect, "dialect", "language of the template (default: as its first line says, or jinja)")
	own.set.BoolVar(&autoescape, "autoescape", false, "escape HTML in the values that the template prints")
	cache.addTo(own)
	result.addMarks(&own)
	return a.withFlags(c, project.groups(own)...)
}
