package main

import "github.com/spf13/cobra"

func (a *app) dotCommand() *cobra.Command {
	var project projectFlags
	of := oneOf("values", "values", "includes", "nodes")
	c := &cobra.Command{
		Use:     "dot FILE",
		Short:   "print the graph for Graphviz",
		Long:    "Prints which values are computed from which, which files include which, or what the\nfiles say before anything is evaluated, for Graphviz.",
		Example: `  yaytpl dot --of includes site.yaml | dot -Tsvg > includes.svg`,
		Args:    exactly("FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			a.startProgress("drawing")
			p, err := project.open(c.Context(), a, args[0])
			if err != nil {
				return err
			}
			docs, err := project.documents(p)
			if err != nil {
				return err
			}
			for _, d := range docs {
				if err := d.WriteDot(a.stdout, of.value); err != nil {
					return err
				}
			}
			return nil
		},
	}
	own := newFlagGroup("Flags")
	own.set.Var(&of, "of", "what the graph is about")
	a.addFlags(c, append([]flagGroup{own}, project.groups()...)...)
	return c
}
