package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/bindings"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// pairArguments checks the words of the command with --diff-nodes, which compares all data.
func (l *lookupFlags) pairArguments(c *cobra.Command, args []string) error {
	switch {
	case len(l.pair) != 2:
		return wrongArguments(c, "--diff-nodes needs two nodes: A and B")
	case len(args) == 0:
		return wrongArguments(c, "lookup needs SOURCE")
	case len(args) > 1:
		return wrongArguments(c, "--diff-nodes compares all keys: unexpected argument %q", args[1])
	}
	return excludesAnswers(c, "diff-nodes")
}

// nodeArguments checks the flags that depend on --nodes.
func (l *lookupFlags) nodeArguments(a *app, keys []string) error {
	if len(l.nodes) == 0 || len(l.pair) > 0 {
		return nil
	}
	for _, name := range keys {
		if info, err := os.Stat(a.inDir(name)); err == nil && info.Mode().IsRegular() && strings.Contains(name, ".") {
			return usageErrorf("unexpected argument %q", name).WithHint("--nodes takes one pattern: quote it, as in --nodes 'nodes/*.yaml'")
		}
	}
	forms := []string{"", "yaml", "json", "jsonl"}
	if l.explain {
		forms = append(forms, "text")
	}
	if !slices.Contains(forms, l.result.form.value) {
		return usageErrorf("--nodes writes %s, not %s", listed(forms[1:]), l.result.form.value)
	}
	return nil
}

// runNodes prints what each node gets: documents {node, value} in the order of names.
func (l *lookupFlags) runNodes(ctx context.Context, a *app, name string, options yaytpl.Options, o yaytpl.RenderOptions) error {
	nodes, err := bindings.OpenNodes(ctx, name, l.nodes, options, l.node.o)
	if err != nil {
		return err
	}
	answers := nodes.All()
	if !l.all {
		answers = nodes.Lookup(l.request)
	}
	o.Compact = o.Compact || o.Form == "json" && len(nodes.Names()) > 1
	written, failed := 0, 0
	for answer := range answers {
		if answer.Err != nil {
			failed++
		}
		if l.explain && slices.Contains([]string{"", "text"}, l.result.form.value) {
			err = l.writeNodeText(a, answer, written > 0)
		} else {
			err = l.writeNode(a, nodes, answer, o, written > 0)
		}
		if err != nil {
			return err
		}
		written++
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case failed > 0:
		a.remark("%d of %d nodes failed", failed, written)
		return errReported{exitInput}
	}
	return nil
}

// writeNode prints the document of one node.
func (l *lookupFlags) writeNode(a *app, nodes *bindings.Nodes, answer bindings.NodeAnswer, o yaytpl.RenderOptions, follows bool) error {
	doc := value.NewMap(2)
	doc.Set(value.K("node"), value.String(answer.Node))
	switch {
	case answer.Answer != nil && l.explain:
		explanation, _ := answer.Answer.Explanation()
		doc.Set(value.K("explanation"), explanation)
	case answer.Err != nil:
		doc.Set(value.K("error"), errorValue(answer.Err))
	default:
		doc.Set(value.K("value"), answer.Value)
	}
	if follows {
		fmt.Fprint(a.stdout, o.Between())
	}
	var text bytes.Buffer
	if err := nodes.WriteValue(&text, value.FromMap(doc), o); err != nil {
		d := *source.AsDiagnostic(err, source.Span{}, source.Output)
		d.Notes = slices.Clip(d.Notes)
		return d.Note(source.Span{}, "this is for the node %s", source.Escaped(answer.Node))
	}
	_, err := a.stdout.Write(text.Bytes())
	return err
}

// writeNodeText prints the explanation of one node below its name.
func (l *lookupFlags) writeNodeText(a *app, answer bindings.NodeAnswer, follows bool) error {
	var b strings.Builder
	if follows {
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "node %s\n", source.Escaped(answer.Node))
	if answer.Answer != nil {
		_, text := answer.Answer.Explanation()
		b.WriteString(text)
	} else {
		for _, d := range source.Findings(answer.Err) {
			d.WriteText(&b, source.TextStyle{})
		}
	}
	_, err := a.stdout.WriteString(b.String())
	return err
}

// errorValue returns an error as data: the decisive finding, with the others below it.
func errorValue(err error) value.Value {
	findings := source.Findings(err)
	last := len(findings) - 1
	m := findingValue(findings[last])
	if last > 0 {
		var others []value.Value
		for _, d := range findings[:last] {
			others = append(others, value.FromMap(findingValue(d)))
		}
		m.Set(value.K("others"), value.ListOf(others...))
	}
	return value.FromMap(m)
}

// findingValue returns a finding as --errors json prints it, without its notes.
func findingValue(d *source.Diagnostic) *value.Dict {
	var f struct {
		Kind, Message, File, Hint string
		Line, Col                 int64
	}
	if text, err := d.MarshalJSON(); err == nil {
		_ = json.Unmarshal(text, &f) // it is valid
	}
	m := value.NewMap(6)
	m.Set(value.K("kind"), value.String(f.Kind))
	m.Set(value.K("message"), value.String(f.Message))
	if f.File != "" {
		m.Set(value.K("file"), value.String(f.File))
		m.Set(value.K("line"), value.Int(f.Line))
		m.Set(value.K("col"), value.Int(f.Col))
	}
	if f.Hint != "" {
		m.Set(value.K("hint"), value.String(f.Hint))
	}
	return m
}

// runPair compares all data of two nodes.
func (l *lookupFlags) runPair(ctx context.Context, a *app, name string, options yaytpl.Options) error {
	o := l.result.options("text")
	o.Redact = !o.Reveal
	open := func(facts string) (*bindings.Bindings, error) {
		node := l.node.o
		node.Facts = append(slices.Clone(node.Facts), facts)
		b, err := bindings.Open(ctx, name, options, node)
		if d := (*source.Diagnostic)(nil); errors.As(err, &d) && errors.Is(err, fs.ErrNotExist) && !strings.Contains(facts, ".") {
			named := *d
			return nil, named.WithHint("--nodes 'nodes/*.yaml' finds nodes by name")
		}
		return b, err
	}
	if len(l.nodes) > 0 {
		nodes, err := bindings.OpenNodes(ctx, name, l.nodes, options, l.node.o)
		if err != nil {
			return err
		}
		open = nodes.Node
	}
	var data [2]value.Value
	d := difference{most: l.project.mostOutput()}
	for i, node := range l.pair {
		b, err := open(node)
		if err == nil {
			data[i], err = b.All()
		}
		if err != nil {
			return err
		}
		d.project = b
	}
	compare, _ := comparison(o, true)
	changes, err := compare(data[0], data[1])
	if err != nil {
		return err
	}
	for _, c := range changes {
		d.changes = append(d.changes, change{Change: c, doc: ""})
	}
	return a.reportDifference(d, o)
}
