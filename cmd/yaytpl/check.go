package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/source"
)

func (a *app) checkCommand() *cobra.Command {
	project := projectFlags{injects: true}
	var layers bool
	var schemas []string
	form := oneOf("text", "text", "sarif")
	c := &cobra.Command{
		Use:   "check FILE...",
		Short: "report errors and probable mistakes",
		Long: `Parses and evaluates the documents of each FILE and prints only errors and warnings. With
--layers later files are layers over earlier ones, as in render. With --bindings all bindings of
SOURCE are evaluated too, and FILE may be missing. The finished documents are compared with the
JSON Schemas (draft 7 or 2020-12) of --json-schema, and of a comment at the top of FILE:
# yaml-language-server: $schema=SCHEMA. The status is 1 if there are errors, 5 if there are only
warnings.`,
		Example: `  yaytpl check *.yaml
  yaytpl check --errors json --layers base.yaml prod.yaml
  yaytpl check --json-schema service.json services/*.yaml`,
		Args: func(c *cobra.Command, files []string) error {
			if project.bindings != "" {
				return nil
			}
			return some("FILE")(c, files)
		},
		RunE: func(c *cobra.Command, files []string) error {
			for _, name := range schemas {
				project.options.Schemas = append(project.options.Schemas, yaytpl.SchemaRule{Schema: name})
			}
			a.startProgress("checking")
			stacks := [][]string{files}
			if !layers {
				stacks = slices.Collect(slices.Chunk(files, 1))
			}
			findings, err := project.check(c.Context(), a, stacks)
			if err != nil {
				return err
			}
			if form.is("sarif") {
				_ = source.WriteSARIF(a.stdout, version(), findings) // the end of the run reports an error of the stream
				return a.verdict(findings)
			}
			for _, d := range findings {
				a.show(d)
			}
			return a.summary(findings)
		},
	}
	own := newFlagGroup("Flags")
	own.set.VarP(&form, "output", "o", "where findings go: to standard error as text, or to standard output as sarif")
	own.set.BoolVar(&layers, "layers", false, "check the files as layers of one document, not each by itself")
	own.set.StringArrayVar(&schemas, "json-schema", nil, "compare the documents with the JSON Schema in `FILE` (repeatable)")
	a.addFlags(c, append([]flagGroup{own}, project.groups()...)...)
	return c
}

// check returns the findings in all documents of each stack of files, warnings of the parser
// included, errors last.
func (f *projectFlags) check(ctx context.Context, a *app, stacks [][]string) ([]*source.Diagnostic, error) {
	o, err := f.read(a, slices.Concat(stacks...)...)
	if err != nil {
		return nil, err
	}
	layers := slices.Repeat(f.layerFiles(), len(stacks)) // each stack has them above it
	if err := readableOnce(slices.Concat(stacks...), layers); err != nil {
		return nil, err
	}
	var found findings
	o.Warn = func(d *source.Diagnostic) { found.add(d) }
	ctx = f.limited(ctx, a)
	b, err := f.openBindings(ctx, o, slices.Concat(stacks...)...)
	if err != nil {
		found.add(source.Findings(err)...)
		return found.decisiveLast(), ctx.Err()
	}
	if b != nil {
		found.add(b.Check()...)
		o.Bindings = b
	}
	for _, files := range stacks {
		if ctx.Err() != nil {
			break
		}
		o.Alone = len(files) == 1 && len(f.layerFiles()) == 0
		p, err := yaytpl.Open(ctx, files, o)
		if err != nil {
			found.add(source.Findings(err)...)
			continue
		}
		found.add(p.Check()...)
	}
	var told []*source.Diagnostic
	for _, d := range found.decisiveLast() {
		if d = a.checks.Apply(d); d != nil && a.tells(d) {
			told = append(told, d)
		}
	}
	return told, ctx.Err()
}

// findings is a list of diagnostics without duplicates.
type findings struct {
	all  []*source.Diagnostic
	seen map[string]bool
}

func (f *findings) add(ds ...*source.Diagnostic) {
	if f.seen == nil {
		f.seen = map[string]bool{}
	}
	for _, d := range ds {
		if id := d.Severity.String() + d.Error(); !f.seen[id] {
			f.seen[id] = true
			f.all = append(f.all, d)
		}
	}
}

// decisiveLast returns the findings with the errors after the others: the last finding
// determines the exit status.
func (f *findings) decisiveLast() []*source.Diagnostic {
	var mild, bad []*source.Diagnostic
	for _, d := range f.all {
		if d.Severity == source.Error {
			bad = append(bad, d)
		} else {
			mild = append(mild, d)
		}
	}
	return append(mild, bad...)
}

// summary prints the number of findings, and returns the error with the exit status.
func (a *app) summary(findings []*source.Diagnostic) error {
	var n [3]int
	for _, d := range findings {
		n[d.Severity]++
	}
	if len(findings) > 0 && !a.general.quiet && a.general.errors.is("text") {
		fmt.Fprintln(a.err, counted(n))
	}
	return a.verdict(findings)
}

// verdict returns the error with the exit status of findings.
func (*app) verdict(findings []*source.Diagnostic) error {
	var n [3]int
	for _, d := range findings {
		n[d.Severity]++
	}
	switch {
	case n[source.Error] > 0:
		return errReported{statusOf(findings)}
	case n[source.Warning] > 0:
		return errFindings
	}
	return nil
}

// counted formats counts by severity, as in "1 error, 2 warnings".
func counted(n [3]int) string {
	var parts []string
	for severity, count := range n {
		word := source.Severity(severity).String()
		switch {
		case count == 0:
			continue
		case count > 1:
			word += "s"
		}
		parts = append(parts, fmt.Sprintf("%d %s", count, word))
	}
	return strings.Join(parts, ", ")
}
