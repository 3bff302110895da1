package main

import (
	"github.com/spf13/cobra"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

func (a *app) getCommand() *cobra.Command {
	var project projectFlags
	var result resultFlags
	var fallback string
	c := &cobra.Command{
		Use:   "get FILE PATH",
		Short: "print one value",
		Long: `Prints the value at a plain path: a.b[0], a::b::0 or /a/b/0. Only what it needs is
evaluated. Quotes keep dots: a."x.y"; [name=web] selects the one item with that name.`,
		Example: `  yaytpl get site.yaml 'web.ports[0]'
  yaytpl get --default 80 site.yaml web.port`,
		Args:              exactly("FILE", "PATH"),
		ValidArgsFunction: a.completePath(&project),
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
			v, err := project.get(p, args[1])
			if c.Flags().Changed("default") && isMissing(err) {
				v, err = readDefault(fallback)
			}
			if err != nil {
				return err
			}
			return p.WriteValue(a.stdout, v, o)
		},
	}
	own := newFlagGroup("Flags")
	own.set.StringVar(&fallback, "default", "", "`VALUE` in YAML for a path that is missing")
	a.addFlags(c, append([]flagGroup{own, result.group("yaml")}, project.groups()...)...)
	return c
}

func readDefault(text string) (value.Value, error) {
	v, err := yaytpl.ParseValue(text)
	if err != nil {
		return v, usageErrorf("--default takes a value in YAML: %v", err)
	}
	return v, nil
}

// get returns the value at a path with everything in it evaluated.
func (f *projectFlags) get(p *yaytpl.Project, path string) (value.Value, error) {
	d, err := f.document(p, path)
	if err != nil {
		return value.Null, err
	}
	v, err := d.Get(path)
	if err != nil {
		return value.Null, err
	}
	return v, d.Force(v)
}

// isMissing reports whether err says that a path leads nowhere.
func isMissing(err error) bool {
	findings := source.Findings(err)
	return len(findings) > 0 && findings[len(findings)-1].Code == source.NotFound
}
