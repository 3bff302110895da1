package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/bindings"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/workspace"
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
--layers later files are layers over earlier ones, as in render. @TARGET is checked as its layers;
without FILE all targets of the project file are. With --bindings all bindings of SOURCE are
evaluated too, and FILE may be missing. The finished documents are compared with the
JSON Schemas (draft 7 or 2020-12) of --json-schema, of the project file, and of a comment at the
top of FILE: # yaml-language-server: $schema=SCHEMA. The status is 1 if there are errors, 5 if there
are only warnings.`,
		Example: `  yaytpl check *.yaml
  yaytpl check --errors json --layers base.yaml prod.yaml
  yaytpl check --json-schema service.json services/*.yaml
  yaytpl check @prod`,
		RunE: func(c *cobra.Command, files []string) error {
			for _, name := range schemas {
				project.options.Schemas = append(project.options.Schemas, yaytpl.SchemaRule{Schema: name})
			}
			a.startProgress("checking")
			stacks, err := project.checked(a, c, files, layers)
			if err != nil {
				return err
			}
			findings, err := project.check(c.Context(), a, files, stacks)
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
	c.ValidArgsFunction = a.completeTargets(&project)
	own := newFlagGroup("Flags")
	own.set.VarP(&form, "output", "o", "where findings go: to standard error as text, or to standard output as sarif")
	own.set.BoolVar(&layers, "layers", false, "check the files as layers of one document, not each by itself")
	own.set.Var((*textList)(&schemas), "json-schema", "compare the documents with the JSON Schema in `FILE` (repeatable)")
	return a.withFlags(c, project.groups(own)...)
}

// checked returns the stacks to check: each FILE by itself, or with layers all of them as one, and the
// layers of each target.
func (f *projectFlags) checked(a *app, c *cobra.Command, words []string, layers bool) ([]workspace.Stack, error) {
	if len(words) == 0 && f.bindings != "" {
		return nil, nil
	}
	if len(words) == 0 || layers {
		return f.workspace.stacks(a, c, words)
	}
	var stacks []workspace.Stack
	for _, word := range words {
		more, err := f.workspace.stacks(a, c, []string{word})
		if err != nil {
			return nil, err
		}
		stacks = append(stacks, more...)
	}
	return stacks, nil
}

// strictly makes errors of the findings that are errors with --strict: a contribution to an unknown multibind.
func (f *projectFlags) strictly(findings []*source.Diagnostic) []*source.Diagnostic {
	if !f.strict {
		return findings
	}
	for i, d := range findings {
		if d.Code == source.OrphanContribution && d.Severity == source.Warning {
			e := *d
			e.Severity = source.Error
			findings[i] = &e
		}
	}
	return findings
}

// check returns the findings in all documents of each stack, which words name: warnings of the parser
// included, errors last.
func (f *projectFlags) check(ctx context.Context, a *app, words []string, stacks []workspace.Stack) ([]*source.Diagnostic, error) {
	if len(stacks) > 1 {
		words = append(words, f.layerFiles()...) // each stack has them above it
	}
	g := a.gather(stacks)
	ctx, o, err := f.prepare(ctx, a, words, stacks, func(d *source.Diagnostic) { g.add(d) })
	switch {
	case err != nil && ctx == nil:
		return nil, err
	case err != nil:
		g.add(source.Findings(err)...)
		return g.decisiveLast(), ctx.Err()
	}
	if b, ok := o.Bindings.(*bindings.Bindings); ok {
		g.add(f.strictly(b.Check())...)
	}
	o.Alone = len(f.layerFiles()) == 0
	check := func(_ workspace.Stack, p *yaytpl.Project) ([]*source.Diagnostic, error) { return p.Check(), nil }
	for r := range workspace.All(ctx, stacks, o, check) {
		if ctx.Err() != nil {
			break
		}
		g.take(r.Stack, slices.Concat(r.Warnings, source.Findings(r.Err), r.Value))
		g.step()
	}
	var told []*source.Diagnostic
	for _, d := range g.decisiveLast() {
		if d = a.checks.Apply(d); d != nil && a.tells(d) {
			told = append(told, d)
		}
	}
	return told, ctx.Err()
}

// findings is a list of diagnostics without duplicates. It is safe for concurrent use.
type findings struct {
	mu   sync.Mutex
	all  []*source.Diagnostic
	seen map[string]bool
}

// add adds copies of the findings that are not in the list, and returns these.
func (f *findings) add(ds ...*source.Diagnostic) (fresh []*source.Diagnostic) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.seen == nil {
		f.seen = map[string]bool{}
	}
	for _, d := range ds {
		if id := d.Severity.String() + d.Error(); !f.seen[id] {
			f.seen[id] = true
			own := *d
			fresh = append(fresh, &own)
		}
	}
	f.all = append(f.all, fresh...)
	return fresh
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
