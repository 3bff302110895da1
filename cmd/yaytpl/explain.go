package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/yaytpl/yaytpl"
)

func (a *app) explainCommand() *cobra.Command {
	var project projectFlags
	var result resultFlags
	c := &cobra.Command{
		Use:   "explain FILE PATH",
		Short: "say where a value comes from",
		Long: `Prints the value at a path and its layers: what set it, what it beat, what was refused
and why, each with its place, also where the value cannot be worked out. -o json gives the
same for programs.`,
		Example:           `  yaytpl explain site.yaml web.port`,
		Args:              exactly("FILE", "PATH"),
		ValidArgsFunction: a.completePath(&project),
		RunE: func(c *cobra.Command, args []string) error {
			form, err := explainForm(&result)
			if err != nil {
				return err
			}
			a.startProgress("looking")
			p, err := project.open(c.Context(), a, args[0])
			if err != nil {
				return err
			}
			d, err := project.document(p, args[1])
			if err != nil {
				return err
			}
			x, err := d.Explain(args[1])
			if err != nil {
				return err
			}
			return errors.Join(a.writeExplanation(x, form, &result), x.Err)
		},
	}
	a.addFlags(c, append([]flagGroup{result.group("text")}, project.groups()...)...)
	return c
}

func explainForm(result *resultFlags) (string, error) {
	o, err := result.options("text")
	if err != nil {
		return "", err
	}
	if o.Form != "text" && o.Form != "json" {
		return "", usageErrorf("explain writes text or json, not %s", o.Form)
	}
	return o.Form, nil
}

func (a *app) writeExplanation(x *yaytpl.Explanation, form string, result *resultFlags) error {
	if form == "text" {
		return x.WriteText(a.stdout, result.reveal)
	}
	b, err := x.JSON(result.reveal)
	if err != nil {
		return err
	}
	if !result.compact {
		var indented bytes.Buffer
		if err := json.Indent(&indented, b, "", "  "); err != nil {
			return err
		}
		b = indented.Bytes()
	}
	_, err = fmt.Fprintf(a.stdout, "%s\n", b)
	return err
}
