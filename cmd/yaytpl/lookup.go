package main

import (
	"context"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/bindings"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

func (a *app) lookupCommand() *cobra.Command {
	l := lookupFlags{project: projectFlags{looksUp: true}, merge: oneOf("", "first", "unique", "hash", "deep")}
	c := &cobra.Command{
		Use:   "lookup SOURCE KEY...",
		Short: "look up keys of layered bindings or of Hiera for a node",
		Long: `Prints the value of a key for the facts of a node. SOURCE is a hiera.yaml, a site file of
bindings, or the directory of one. Of several keys the first that is bound counts; if none is, the
status is 1. With --nodes prints {node, value} for each node, or {node, error}; the status is 1 if one
fails. With --diff-nodes prints the keys that differ between two nodes; then the status is 5.`,
		Example: `  yaytpl lookup hiera.yaml ntp::servers --facts nodes/web1.yaml
  yaytpl lookup --explain --fact role=web hiera.yaml ntp::servers
  yaytpl lookup --all --fact role=web site.pp
  yaytpl lookup hiera.yaml ntp::servers --nodes 'nodes/*.yaml' -o jsonl
  yaytpl lookup hiera.yaml --diff-nodes nodes/web1.yaml nodes/web2.yaml`,
		Args: l.arguments,
		RunE: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("default") {
				l.request.Default = &l.fallback
			}
			return l.run(c, a, args[0], args[1:])
		},
	}
	own := newFlagGroup("Flags")
	l.node.add(own)
	own.set.StringVar(&l.request.Type, "type", "", "the value must be of this `TYPE`")
	own.set.Var(&l.merge, "merge", "join all sources")
	own.set.StringVar(&l.request.KnockoutPrefix, "knock-out-prefix", "", "`PREFIX` of texts that remove others, with --merge deep")
	own.set.BoolVar(&l.request.SortMergedArrays, "sort-merged-arrays", false, "sort merged lists, with --merge deep")
	own.set.BoolVar(&l.request.MergeHashArrays, "merge-hash-arrays", false, "merge the maps of lists by position, with --merge deep")
	own.set.StringVar(&l.fallback, "default", "", "print this `VALUE` if nothing is bound")
	own.set.BoolVar(&l.explain, "explain", false, "print how the value came about")
	own.set.BoolVar(&l.all, "all", false, "print all data as one map")
	own.set.Var((*textList)(&l.nodes), "nodes", "look up for each node with a file of facts that matches `PATTERN`, as in 'nodes/*.yaml' (repeatable)")
	own.set.Var((*textList)(&l.pair), "diff-nodes", "compare all data of two nodes `A B`: files of facts, or names of --nodes")
	c.ValidArgsFunction = l.complete(a)
	return a.withFlags(c, l.project.groups(own, l.result.group("yaml"))...)
}

// complete completes SOURCE with names of files, and KEY with the keys of the data for the facts that
// are given. After an error there are no completions.
func (l *lookupFlags) complete(a *app) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		if len(args) == 0 {
			return nil, cobra.ShellCompDirectiveDefault
		}
		ctx, stop := context.WithTimeout(c.Context(), completionTime)
		defer stop()
		return l.keys(ctx, a, args, begun), cobra.ShellCompDirectiveNoFileComp
	}
}

// keys returns the keys of the source args[0] that begin with begun and are not among args.
func (l *lookupFlags) keys(ctx context.Context, a *app, args []string, begun string) []string {
	o, err := l.project.read(a)
	if err != nil {
		return nil
	}
	o.Warn = nil
	b, err := bindings.Open(ctx, args[0], o, l.node.o)
	if err != nil {
		return nil
	}
	keys, err := b.Keys(begun)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(keys, func(k string) bool { return source.Escaped(k) != k || slices.Contains(args[1:], k) })
}

// lookupFlags are the flags of lookup.
type lookupFlags struct {
	project  projectFlags
	result   resultFlags
	node     nodeFlags
	request  bindings.Request
	merge    choice
	all      bool
	explain  bool
	fallback string
	nodes    []string // patterns of files of facts
	pair     []string // of --diff-nodes
}

// arguments checks the words of the command, and the flags that depend on each other.
func (l *lookupFlags) arguments(c *cobra.Command, args []string) error {
	if c.Flags().Changed("diff-nodes") {
		return l.pairArguments(c, args)
	}
	switch {
	case len(args) == 0:
		return wrongArguments(c, "lookup needs SOURCE and a KEY")
	case l.all && len(args) > 1:
		return wrongArguments(c, "--all prints all keys: unexpected argument %q", args[1])
	case !l.all && len(args) == 1:
		return wrongArguments(c, "lookup needs a KEY, or --all")
	}
	if l.all {
		if err := excludesAnswers(c, "all"); err != nil {
			return err
		}
	}
	for _, name := range []string{"knock-out-prefix", "sort-merged-arrays", "merge-hash-arrays"} {
		if c.Flags().Changed(name) && l.merge.value != "deep" {
			return usageErrorf("--%s has no effect without --merge deep", name)
		}
	}
	return nil
}

// excludesAnswers refuses flags about the answer for one key beside a flag that asks for all data.
func excludesAnswers(c *cobra.Command, flag string) error {
	for _, name := range []string{"explain", "type", "merge", "default"} {
		if c.Flags().Changed(name) {
			return usageErrorf("--%s and --%s exclude each other", flag, name)
		}
	}
	return nil
}

// run looks up keys of a source.
func (l *lookupFlags) run(c *cobra.Command, a *app, name string, keys []string) error {
	if err := l.nodeArguments(a, keys); err != nil {
		return err
	}
	o := l.result.options("yaml")
	options, err := l.project.read(a)
	if err != nil {
		return err
	}
	a.startProgress("looking")
	l.request.Keys, l.request.Merge, l.request.Reveal = keys, l.merge.value, l.result.reveal
	ctx := l.project.limited(c.Context(), a)
	switch {
	case len(l.pair) > 0:
		return l.runPair(ctx, a, name, options)
	case len(l.nodes) > 0:
		return l.runNodes(ctx, a, name, options, o)
	}
	b, err := bindings.Open(ctx, name, options, l.node.o)
	if err != nil {
		return err
	}
	if l.all {
		v, err := b.All()
		if err != nil {
			return err
		}
		return b.WriteValue(a.stdout, v, o)
	}
	found, err := b.Lookup(l.request)
	switch {
	case err != nil:
		return err
	case l.explain:
		return l.writeExplanation(a, b, found, o)
	case !found.Found:
		return found.NotFound()
	}
	return b.WriteValue(a.stdout, found.Value, o)
}

// writeExplanation prints how an answer came about. A key that nothing binds is status 1.
func (l *lookupFlags) writeExplanation(a *app, b *bindings.Bindings, found *bindings.Answer, o yaytpl.RenderOptions) error {
	v, text := found.Explanation()
	var err error
	if slices.Contains([]string{"", "text"}, l.result.form.value) {
		_, err = a.stdout.Write([]byte(text))
	} else {
		err = b.WriteValue(a.stdout, v, o)
	}
	if err == nil && !found.Found {
		return errReported{exitInput}
	}
	if err == nil {
		err = a.stdout.Flush() // the remark comes after the explanation
		a.remarkPlace(found)
	}
	return err
}

// remarkPlace names the place that an edit of a value would take.
func (a *app) remarkPlace(found *bindings.Answer) {
	at, path, ok := found.Place()
	if !ok {
		return
	}
	name := at.File.Path
	if dir, err := filepath.Abs(a.inDir(".")); err == nil {
		if rel, err := filepath.Rel(dir, name); err == nil && filepath.IsLocal(rel) {
			name = rel
		}
	}
	marks, _ := value.DeepMarks(found.Value)
	if path != "" && marks&value.Secret == 0 { // set would write an encrypted value in clear
		a.remark("to change it: yaytpl set -i %s %s VALUE", shellQuoted(runtime.GOOS, name), shellQuoted(runtime.GOOS, path))
		return
	}
	line, col := at.File.Position(int(at.Start))
	a.remark("to change it: edit %s:%d:%d", source.Escaped(name), line, col)
}

// nodeFlags say for which node bindings are composed.
type nodeFlags struct{ o yaytpl.NodeOptions }

func (f *nodeFlags) add(g flagGroup) {
	g.set.Var((*textList)(&f.o.Facts), "facts", "facts of the node, a `FILE` in YAML or JSON (repeatable)")
	g.set.Var((*textList)(&f.o.FactValues), "fact", "one fact of the node, `NAME=VALUE` (repeatable)")
	g.set.Var((*textList)(&f.o.Binds), "bind", "bind `KEY=VALUE` above all layers (repeatable)")
	g.set.StringVar(&f.o.Environment, "environment", "", "use this `ENVIRONMENT`, whatever the source says")
	g.set.StringVar(&f.o.AgentEnvironment, "agent-environment", "", "the `ENVIRONMENT` that the node asks for")
	g.set.StringVar(&f.o.ENC, "enc", "", "`FILE` of an external node classifier: its classes, parameters and environment")
}

// given returns the name of a flag that was given and has no effect without bindings, or "". A program asks for the
// fact hostname, which a file of facts may have beside others.
func (f *nodeFlags) given(program bool) string {
	switch o := f.o; {
	case len(o.Facts) > 0 && !program:
		return "--facts"
	case slices.ContainsFunc(o.FactValues, func(fact string) bool { return !strings.HasPrefix(fact, "hostname=") }):
		return "--fact" // a program that a document includes may ask for the fact hostname
	case len(o.Binds) > 0:
		return "--bind"
	case o.Environment != "":
		return "--environment"
	case o.AgentEnvironment != "":
		return "--agent-environment"
	case o.ENC != "":
		return "--enc"
	}
	return ""
}
