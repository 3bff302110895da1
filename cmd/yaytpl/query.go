package main

import (
	"github.com/spf13/cobra"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/value"
)

func (a *app) queryCommand() *cobra.Command {
	var project projectFlags
	var result resultFlags
	var one bool
	c := &cobra.Command{
		Use:   "query FILE EXPR",
		Short: "print all matches of an expression",
		Long: `Prints what an expression finds in the finished document, as a list. EXPR is a path
(::servers::*::port), an expression object in YAML ({eval: ...}) or a template ({{ ... }}).`,
		Example: `  yaytpl query site.yaml '::servers::*::[role=web]::ip'
  yaytpl query --one site.yaml '{{ servers | length }}'`,
		Args: exactly("FILE", "EXPR"),
		RunE: func(c *cobra.Command, args []string) error {
			o, err := result.options("yaml")
			if err != nil {
				return err
			}
			a.startProgress("looking")
			project.options.Sparse = true
			p, err := project.open(c.Context(), a, args[0])
			if err != nil {
				return err
			}
			docs, err := project.documents(p)
			if err != nil {
				return err
			}
			matches, err := queryAll(docs, args[1])
			if err != nil {
				return err
			}
			result := value.ListOf(matches...)
			if one {
				result = yaytpl.One(matches)
			}
			return p.WriteValue(a.stdout, result, o)
		},
	}
	own := newFlagGroup("Flags")
	own.set.BoolVar(&one, "one", false, "no match: null; one: the bare value; several: a list")
	a.addFlags(c, append([]flagGroup{own, result.group("yaml")}, project.groups()...)...)
	return c
}

// queryAll returns the matches in all documents.
func queryAll(docs []*yaytpl.Document, expression string) ([]value.Value, error) {
	var all []value.Value
	for _, d := range docs {
		matches, err := d.Query(expression)
		if err != nil {
			return nil, err
		}
		for _, m := range matches {
			if err := d.Force(m); err != nil {
				return nil, err
			}
		}
		all = append(all, matches...)
	}
	return all, nil
}
