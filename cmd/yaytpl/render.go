package main

import (
	"github.com/spf13/cobra"

	"github.com/yaytpl/yaytpl/workspace"
)

func (a *app) renderCommand() *cobra.Command {
	project := projectFlags{injects: true}
	var result resultFlags
	var out outFlags
	var cache cacheFlags
	var expandOnly, partial bool
	var each text
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
			o, err := result.options("")
			if err == nil {
				err = out.checkFlags(out.write)
			}
			if err != nil {
				return err
			}
			toFiles := out.out.given || out.write
			if partial && toFiles {
				return usageErrorf("--partial excludes --out and --write")
			}
			if each.given && each.s == "" {
				return usageErrorf("bad value %q for --each: it takes a path, . for the whole document", "")
			}
			if cache.dir.given && toFiles {
				return usageErrorf("--cache excludes --out and --write, which compare the files that are there")
			}
			stacks, err := project.workspace.stacks(a, c, files)
			if err != nil {
				return err
			}
			a.startProgress("rendering")
			o.ExpandOnly, o.Partial = expandOnly, partial
			_, o.Findings = openTerminal(a.err)
			if project.doc.set {
				o.Doc = project.doc.n + 1
			}
			o.Each = each.s
			if toFiles {
				return project.renderFiles(c.Context(), a, files, stacks, o, &out)
			}
			return project.cached(c.Context(), a, &cache, stacks, o, func() error {
				if len(stacks) > 1 {
					return project.render(c.Context(), a, files, stacks, o)
				}
				p, err := project.openStack(c.Context(), a, stacks[0])
				if err != nil {
					return err
				}
				return p.Render(a.stdout, ofTarget(o, stacks[0]))
			})
		},
	}
	c.ValidArgsFunction = a.completeTargets(&project)
	own := newFlagGroup("Flags")
	own.set.Var(&each, "each", "make a document of each item of the list or map at `PATH`")
	own.set.BoolVar(&expandOnly, "expand-only", false, "apply merge directives only; expressions and templates stay text")
	own.set.BoolVar(&partial, "partial", false, "print the rest of the document if some of its values fail")
	cache.addTo(own)
	a.addFlags(c, append([]flagGroup{own, out.group(), result.group("yaml")}, project.groups()...)...)
	return c
}

func (a *app) templateCommand() *cobra.Command {
	project := projectFlags{injects: true}
	var result resultFlags
	var data []string
	var cache cacheFlags
	c := &cobra.Command{
		Use:   "template TEMPLATE",
		Short: "render a text template with a document as its data",
		Long: `Renders a text template (Jinja syntax; - is standard input). Its names are the keys of the
finished document of the --data files; later files are layers over earlier ones.`,
		Example: `  yaytpl template nginx.conf.j2 --data site.yaml --data prod.yaml`,
		Args:    exactly("TEMPLATE"),
		RunE: func(c *cobra.Command, args []string) error {
			o, err := result.options("text")
			if err != nil {
				return err
			}
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
	own.set.StringArrayVar(&data, "data", nil, "`FILE` with data (repeatable)")
	cache.addTo(own)
	result.addMarks(own)
	a.addFlags(c, append([]flagGroup{own}, project.groups()...)...)
	return c
}
