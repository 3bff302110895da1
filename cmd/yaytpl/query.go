package main

import (
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"
	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/bindings"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
	"github.com/yaytpl/yaytpl/workspace"
)

func (a *app) queryCommand() *cobra.Command {
	project := projectFlags{injects: true}
	var result resultFlags
	var one, exitStatus, raw bool
	c := &cobra.Command{
		Use:   "query FILE... EXPR",
		Short: "print all values that an expression finds",
		Long: `Prints the values that an expression finds in the finished document, as a list. EXPR is a path
(::servers::*::port), an expression object in YAML ({eval: ...}) or a template ({{ ... }}). Later FILEs
are layers over earlier ones; of several @TARGETs the matches of all are printed.`,
		Example: `  yaytpl query site.yaml '::servers::*::[role=web]::ip'
  yaytpl query --one site.yaml '{{ servers | length }}'`,
		Args:              layersAnd("EXPR"),
		ValidArgsFunction: a.completeLayers(&project),
		RunE: func(c *cobra.Command, args []string) error {
			o := result.options("yaml")
			words, expression := cutLast(args)
			stacks, err := project.workspace.stacks(a, c, words)
			if err != nil {
				return err
			}
			a.startProgress("looking")
			project.options.Sparse = true
			all, err := project.query(c.Context(), a, words, stacks, expression)
			if err == nil && len(all.matches) == 0 {
				noWord := one && !o.HasNull()
				err = a.noMatch(all.explain, expression, exitStatus || noWord || project.options.StrictPaths)
			}
			if err != nil {
				return err
			}
			p, matches := all.project, all.matches
			found := yaytpl.ListOf(matches)
			if one {
				found = yaytpl.OneOf(matches)
			}
			if raw = raw && result.form.value == ""; !raw && o.Form != "jsonl" {
				return p.WriteMatch(a.stdout, found, o)
			}
			if one {
				matches = []yaytpl.Match{found}
			}
			return a.writeLines(p, matches, o, raw)
		},
	}
	own := newFlagGroup("Flags")
	own.set.BoolVarP(&raw, "raw", "r", false, "print a match a line, texts as they are and others as JSON, unless -o is given")
	own.set.BoolVar(&one, "one", false, "print null for no match, the value for one, a list for several")
	own.set.BoolVarP(&exitStatus, "exit-status", "e", false, "fail with status 1 if nothing matches")
	return a.withFlags(c, project.groups(own, result.group("yaml"))...)
}

// writeLines writes matches, each on a line: as JSON, or with raw set texts as they are.
func (a *app) writeLines(p *yaytpl.Project, matches []yaytpl.Match, o yaytpl.RenderOptions, raw bool) error {
	var out bytes.Buffer
	o.NoMask = raw
	for _, m := range matches {
		if o.Form = "jsonl"; raw && m.Value.Is(value.StringKind) {
			o.Form = "text"
		}
		if err := p.WriteMatch(&out, m, o); err != nil {
			return err
		}
	}
	_, err := a.stdout.Write(out.Bytes())
	return err
}

// noMatch reports that an expression matches nothing: as a warning, or as the error that it
// returns.
func (a *app) noMatch(explain func(string) (*source.Diagnostic, error), expression string, fails bool) error {
	found, err := explain(expression)
	if err != nil {
		return err
	}
	if fails {
		found.Severity = source.Error
		return found
	}
	a.show(found)
	return nil
}

// An answer is what a query finds in one or several stacks.
type answer struct {
	matches []yaytpl.Match
	project *yaytpl.Project // of the last stack
	docs    []*yaytpl.Document
	stacks  int
}

// query returns the evaluated matches in all stacks, in their order.
func (f *projectFlags) query(ctx context.Context, a *app, words []string, stacks []workspace.Stack, expression string) (all answer, err error) {
	find := func(_ workspace.Stack, p *yaytpl.Project) (answer, error) {
		docs, err := f.documents(p)
		if err != nil {
			return answer{}, err
		}
		matches, err := queryAll(docs, expression)
		return answer{matches, p, docs, 1}, err
	}
	if len(stacks) == 1 {
		p, err := f.openStack(ctx, a, stacks[0])
		if err != nil {
			return all, err
		}
		return find(stacks[0], p)
	}
	ctx, options, err := f.prepare(ctx, a, words, stacks, a.showWarning)
	if err != nil {
		return all, err
	}
	g := a.gather(stacks)
	for r := range workspace.All(ctx, stacks, options, find) {
		if ctx.Err() != nil {
			return all, ctx.Err()
		}
		g.takeResult(r.Stack, r.Warnings, r.Err)
		all = answer{append(all.matches, r.Value.matches...), r.Value.project, r.Value.docs, len(stacks)}
	}
	return all, g.err()
}

// explain returns why there is no match.
func (r answer) explain(expression string) (*source.Diagnostic, error) {
	if len(r.docs) == 1 && r.stacks == 1 {
		return r.docs[0].NoMatch(expression)
	}
	d, err := r.project.NoMatch(expression)
	if err == nil && r.stacks > 1 {
		d.Note(source.Span{}, "none of the %d targets has a match", r.stacks)
	}
	return d, err
}

// queryAll returns the evaluated matches in all documents.
func queryAll(docs []*yaytpl.Document, expression string) ([]yaytpl.Match, error) {
	var all []yaytpl.Match
	for _, d := range docs {
		matches, err := d.Matches(expression)
		if err != nil {
			return nil, err
		}
		for _, m := range matches {
			if err := d.Force(m.Value); err != nil {
				return nil, err
			}
		}
		all = append(all, matches...)
	}
	return all, nil
}

func (a *app) getCommand() *cobra.Command {
	project := projectFlags{injects: true}
	var result resultFlags
	var fallback string
	c := &cobra.Command{
		Use:   "get FILE... PATH",
		Short: "print one value",
		Long: `Prints the value at a plain path: a.b[0], a::b::0 or /a/b/0, and evaluates only the values
that it needs. Several FILEs are layers. Quotes keep dots: a."x.y"; [name=web] selects the one item with that name.`,
		Example: `  yaytpl get site.yaml 'web.ports[0]'
  yaytpl get --default 80 site.yaml web.port`,
		Args:              layersAnd("PATH"),
		ValidArgsFunction: a.completeLayers(&project),
		RunE: func(c *cobra.Command, args []string) error {
			o := result.options("yaml")
			a.startProgress("looking")
			project.options.Sparse = true
			words, path := cutLast(args)
			p, err := project.open(c.Context(), a, words...)
			if err != nil {
				return err
			}
			v, err := project.get(p, path)
			if c.Flags().Changed("default") && isMissing(err) {
				if v, err = p.Documents()[0].Typed(fallback); err != nil {
					err = flagWord{flag: "--default"}.named(err)
				}
			}
			if err != nil {
				return err
			}
			o.NoMask = result.form.value == ""
			if masked := o.Redact && v.Marks()&value.Secret != 0; o.NoMask && (v.IsScalar() || masked) { // the mask does not show the kind
				o.Form = "text"
			}
			return project.writeAt(a.stdout, p, path, v, o)
		},
	}
	own := newFlagGroup("Flags")
	own.set.BoolP("raw", "r", false, "print a scalar as it is, as without -o")
	own.set.StringVar(&fallback, "default", "", "print this `VALUE` if the path is missing")
	return a.withFlags(c, project.groups(own, result.group("yaml"))...)
}

// get returns the value at a path, completely evaluated.
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

// writeAt writes the value that get returned for a path, or the value of --default.
func (f *projectFlags) writeAt(w io.Writer, p *yaytpl.Project, path string, v value.Value, o yaytpl.RenderOptions) error {
	d, err := f.document(p, path)
	if err != nil {
		return p.WriteValue(w, v, o) // no document has the path
	}
	return d.WriteAt(w, path, v, o)
}

// isMissing reports whether err says that a path is missing.
func isMissing(err error) bool {
	findings := source.Findings(err)
	return len(findings) > 0 && findings[len(findings)-1].Code == source.NotFound
}

func (a *app) explainCommand() *cobra.Command {
	project := projectFlags{injects: true}
	var result resultFlags
	c := &cobra.Command{
		Use:   "explain FILE... PATH",
		Short: "show where a value comes from",
		Long: `Prints the value at a path and its layers: the line that set it, the lines that it overrode,
and those that were rejected and why; also if evaluating the value fails. -o json prints the
same for programs.`,
		Example:           `  yaytpl explain site.yaml web.port`,
		Args:              layersAnd("PATH"),
		ValidArgsFunction: a.completeLayers(&project),
		RunE: func(c *cobra.Command, args []string) error {
			o := result.options("text")
			a.startProgress("looking")
			words, path := cutLast(args)
			p, err := project.open(c.Context(), a, words...)
			if err != nil {
				return err
			}
			d, err := project.document(p, path)
			if err != nil {
				return err
			}
			x, err := d.Explain(path)
			if err != nil {
				return err
			}
			if o.Form == "text" {
				return errors.Join(x.WriteText(a.stdout, o.Reveal), x.Err)
			}
			text, err := x.JSON(o.Reveal)
			if err == nil {
				err = a.writeJSON(text, o.Compact)
			}
			return errors.Join(err, x.Err)
		},
	}
	return a.withFlags(c, project.groups(result.group("text", "text", "json"))...)
}

// ofProjects is the value of --project without a FILE, in schema: no file has this name.
const ofProjects = "\x00"

func (a *app) schemaCommand() *cobra.Command {
	project := projectFlags{injects: true}
	var result resultFlags
	c := &cobra.Command{
		Use:   "schema FILE...",
		Short: "print the JSON Schema that a document implies",
		Long: `Prints a JSON Schema (2020-12) for the finished document: its keys, the types that their values have
in any of the layers, and the comments above or next to the keys. Later files are layers over earlier ones.
--project without a FILE prints the JSON Schema of project files instead; --project=FILE names one.`,
		Example: `  yaytpl schema -o json site.yaml > site.schema.json
  yaytpl schema base.yaml prod.yaml
  yaytpl schema --project -o json > yaytpl.schema.json`,
		Args: func(c *cobra.Command, files []string) error {
			if project.workspace.file != ofProjects {
				return some("FILE")(c, files)
			}
			if len(files) > 0 {
				return usageErrorf("schema --project prints the schema of project files, and takes no FILE").
					WithHint("--project=FILE names a project file")
			}
			return nil
		},
		RunE: func(c *cobra.Command, files []string) error {
			o := result.options("yaml")
			if project.workspace.file == ofProjects {
				return yaytpl.WriteValue(a.stdout, workspace.FileSchema(), yaytpl.Options{}, o)
			}
			a.startProgress("looking")
			p, err := project.open(c.Context(), a, files...)
			if err != nil {
				return err
			}
			docs, err := project.documents(p)
			if err != nil {
				return err
			}
			for i, d := range docs {
				schema, err := d.Schema()
				if err != nil {
					return err
				}
				if i > 0 {
					if _, err := a.stdout.WriteString(o.Between()); err != nil {
						return nil // the end of the run reports it
					}
				}
				if err := p.WriteValue(a.stdout, schema, o); err != nil {
					return err
				}
			}
			return nil
		},
	}
	a.withFlags(c, project.groups(result.group("yaml"))...)
	c.Flags().Lookup("project").NoOptDefVal = ofProjects
	return c
}

func (a *app) dotCommand() *cobra.Command {
	project := projectFlags{injects: true}
	of := oneOf("values", "values", "includes", "nodes", "resources", "bindings")
	c := &cobra.Command{
		Use:     "dot FILE",
		Short:   "print the graph for Graphviz",
		Long:    "Prints a graph for Graphviz: the values that each value is computed from, the files that\neach file includes, the nodes of the files before evaluation, or the\nresources of a program of the mgmt language; of bindings or a hiera.yaml, with\n--of bindings, the keys with the sets and files that have them.",
		Example: `  yaytpl dot --of includes site.yaml | dot -Tsvg > includes.svg`,
		Args:    exactly("FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			a.startProgress("drawing")
			if of.is("bindings") {
				return project.drawBindings(c.Context(), a, args[0])
			}
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
	own.set.Var(&of, "of", "what the graph shows")
	return a.withFlags(c, project.groups(own)...)
}

// drawBindings draws the keys of a source of bindings, as lookup takes it.
func (f *projectFlags) drawBindings(ctx context.Context, a *app, name string) error {
	o, err := f.read(a, name)
	if err != nil {
		return err
	}
	if f.bindings != "" {
		return usageErrorf("--of bindings draws those of FILE: --bindings has no effect")
	}
	b, err := bindings.Open(f.limited(ctx, a), name, o, f.node.o)
	if err != nil {
		return err
	}
	return b.WriteDot(a.stdout)
}
