package main

import (
	"github.com/spf13/cobra"

	"github.com/yaytpl/yaytpl"
)

func (a *app) templateCommand() *cobra.Command {
	var project projectFlags
	var result resultFlags
	var data []string
	c := &cobra.Command{
		Use:   "template TEMPLATE",
		Short: "render a text template with a document as its data",
		Long: `Renders a text template (Jinja syntax; - is standard input). Its names are the keys of the
finished document that the --data files come to; later ones are layers over earlier ones.`,
		Example: `  yaytpl template nginx.conf.j2 --data site.yaml --data prod.yaml`,
		Args:    exactly("TEMPLATE"),
		RunE: func(c *cobra.Command, args []string) error {
			o, err := result.options("text")
			if err != nil {
				return err
			}
			a.startProgress("rendering")
			project.options.Templates = args
			p, err := project.open(c.Context(), a, data...)
			if err != nil {
				return err
			}
			d, err := project.dataOf(p)
			if err != nil {
				return err
			}
			return d.Template(args[0], a.stdout, o)
		},
	}
	own := newFlagGroup("Flags")
	own.set.StringArrayVar(&data, "data", nil, "a `FILE` with data (repeatable)")
	result.addMarks(own)
	a.addFlags(c, append([]flagGroup{own}, project.groups()...)...)
	return c
}

// dataOf returns the document that --doc chooses, or the only one.
func (f *projectFlags) dataOf(p *yaytpl.Project) (*yaytpl.Document, error) {
	if n := len(p.Documents()); n > 1 && !f.doc.set {
		return nil, usageErrorf("the data has %d documents", n).WithHint("--doc N chooses one, counted from 0")
	}
	return f.only(p)
}
