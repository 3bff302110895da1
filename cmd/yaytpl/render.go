package main

import "github.com/spf13/cobra"

func (a *app) renderCommand() *cobra.Command {
	var project projectFlags
	var result resultFlags
	var expandOnly, partial bool
	c := &cobra.Command{
		Use:   "render FILE...",
		Short: "print the finished document",
		Long:  "Prints the finished document. Later files are layers over earlier ones; - is standard input.",
		Example: `  yaytpl render site.yaml
  yaytpl render base.yaml prod.yaml -D web.port=8080 -o json`,
		Args: some("FILE"),
		RunE: func(c *cobra.Command, files []string) error {
			o, err := result.options("yaml")
			if err != nil {
				return err
			}
			a.startProgress("rendering")
			p, err := project.open(c.Context(), a, files...)
			if err != nil {
				return err
			}
			o.ExpandOnly, o.Partial = expandOnly, partial
			if project.doc.set {
				o.Doc = project.doc.n + 1
			}
			return p.Render(a.stdout, o)
		},
	}
	own := newFlagGroup("Flags")
	own.set.BoolVar(&expandOnly, "expand-only", false, "carry out merge directives; expressions and templates stay text")
	own.set.BoolVar(&partial, "partial", false, "print what could be worked out even if something failed")
	a.addFlags(c, append([]flagGroup{own, result.group("yaml")}, project.groups()...)...)
	return c
}
