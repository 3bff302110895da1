package workspace_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/workspace"
)

// busy is a project of 60 targets that share files: some fail, some have warnings.
func busy(t *testing.T) (*workspace.Workspace, []workspace.Stack) {
	t.Helper()
	files := []string{
		"site.yaml", "+include: lib/base.yaml\nname: '{{ node }}'\nhosts: [a]\nmap: {x: 1}\nsum: '{{ parts | sum }}'\nt: {evl: ::name}\n",
		"lib/base.yaml", "parts: [1, 2, 3]\nall: {eval: ::parts::*}\n+include: deep.yaml\n",
		"lib/deep.yaml", "deep: {+include: deeper.yay}\nenv: \"{{ lookup('env', 'HOME') | length > 0 }}\"\n",
		"schemas/node.json", `{"properties": {"node": {"$ref": "types.json#/$defs/name"}, "hosts": {"maxItems": 3}}}`,
		"schemas/types.json", `{"$defs": {"name": {"type": "string", "pattern": "^n[0-46-9]?[0-9]$"}}}`,
		"lib/deeper.yay", "port: 80\nnext: {{ port + 1 }}\n",
	}
	for i := range 60 {
		text := fmt.Sprintf("node: n%d\nhosts: [a, b%d]\n", i, i)
		switch i % 10 {
		case 3:
			text += "bad: '{{ nope }}'\n"
		case 5:
			text += "map: 5\n"
		case 7:
			text += "broken: [\n"
		}
		files = append(files, fmt.Sprintf("nodes/n%02d.yaml", i), text)
	}
	w, err := open(t, "yaytpl: 1\nchecks: {kind-change: warning}\nschemas: {'nodes/*.yaml': schemas/node.json}\ntargets:\n  'n/{n}': {for: 'nodes/{n}.yaml', files: [site.yaml, 'nodes/{n}.yaml'], define: {d: ['{n}']}}\n", files...)
	if err != nil {
		t.Fatal(err)
	}
	list, err := w.Targets()
	if err != nil {
		t.Fatal(err)
	}
	var stacks []workspace.Stack
	for i := range list {
		stacks = append(stacks, list[i].Stack(nil, nil))
	}
	return w, stacks
}

// described returns what became of a stack.
func described(text string, warnings []*source.Diagnostic, err error) string {
	for _, d := range append(warnings, source.Findings(err)...) {
		text += d.Severity.String() + " " + d.Error() + "\n"
	}
	return text
}

func renderAndCheck(_ workspace.Stack, p *yaytpl.Project) (string, error) {
	var b bytes.Buffer
	err := p.Render(&b, yaytpl.RenderOptions{Findings: true})
	text := described(b.String(), p.Check(), nil)
	for _, in := range p.Inputs() {
		text += fmt.Sprintln(in.Kind, in.Name, in.Hash(), in.At)
	}
	return text, err
}

// TestAllLaw compares targets side by side with the same targets one by one. Run with -race, it also
// shows that what they share does not change.
func TestAllLaw(t *testing.T) {
	w, stacks := busy(t)
	o := w.Options(yaytpl.Options{Dir: w.Dir})
	n := 0
	for r := range workspace.All(context.Background(), stacks, o, renderAndCheck) {
		got := described(r.Value, r.Warnings, r.Err)
		var warnings []*source.Diagnostic
		alone := o
		alone.Warn = func(d *source.Diagnostic) { warnings = append(warnings, d) }
		var text string
		p, err := stacks[n].Open(context.Background(), alone)
		if err == nil {
			text, err = renderAndCheck(stacks[n], p)
		}
		if want := described(text, warnings, err); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", r.Stack.Target.Name, got, want)
		}
		if r.Stack.Target.Name == "n/n50" {
			for _, want := range []string{"[schema]", "node.json ", "[yaytpl.yaml:3:27]", "types.json ", "[schemas/node.json:1:34]"} {
				if !strings.Contains(got, want) {
					t.Errorf("%s is not in\n%s", want, got)
				}
			}
		}
		if name := r.Stack.Target.Name; (err != nil) != strings.ContainsAny(name[len(name)-1:], "37") {
			t.Errorf("%s: %v", r.Stack.Target.Name, err)
		}
		n++
	}
	if n != len(stacks) {
		t.Errorf("%d results of %d", n, len(stacks))
	}
}

// TestAllLimits gives each target the limits of a run: together they read more files than one may.
func TestAllLimits(t *testing.T) {
	w, stacks := busy(t)
	o := w.Options(yaytpl.Options{Dir: w.Dir, Limits: graph.Limits{Files: 5}})
	for r := range workspace.All(context.Background(), stacks[:3], o, renderAndCheck) {
		if r.Err != nil {
			t.Error(r.Err)
		}
	}
	o.Limits.Files = 4
	for r := range workspace.All(context.Background(), stacks[:3], o, renderAndCheck) {
		if !errors.Is(r.Err, source.ErrLimit) {
			t.Errorf("4 files: %v", r.Err)
		}
	}
}

func TestAllEnds(t *testing.T) {
	w, stacks := busy(t)
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	n := 0
	for r := range workspace.All(ctx, stacks, w.Options(yaytpl.Options{Dir: w.Dir}), func(workspace.Stack, *yaytpl.Project) (int, error) { panic("x") }) {
		switch n++; {
		case n == 2:
			stop()
		case n == 1 && source.Findings(r.Err)[0].Code != source.Internal:
			t.Errorf("a panic: %v", r.Err)
		case n == len(stacks) && !errors.Is(r.Err, context.Canceled):
			t.Errorf("after the end: %v", r.Err)
		}
	}
	if n != len(stacks) {
		t.Errorf("%d results of %d", n, len(stacks))
	}
	for range workspace.All(context.Background(), stacks, yaytpl.Options{}, renderAndCheck) {
		break // the rest is not waited for
	}
	for range workspace.All(context.Background(), nil, yaytpl.Options{}, renderAndCheck) {
		t.Error("a result of no stack")
	}
}

// TestAllMemory repeats a target that ran out of memory beside others.
func TestAllMemory(t *testing.T) {
	w, stacks := busy(t)
	first := make(chan bool, 1)
	first <- true
	for r := range workspace.All(context.Background(), stacks[:1], w.Options(yaytpl.Options{Dir: w.Dir}), func(workspace.Stack, *yaytpl.Project) (string, error) {
		select {
		case <-first:
			return "", &source.Diagnostic{Code: source.Limit, Cause: source.ErrMemory}
		default:
			return "again", nil
		}
	}) {
		if r.Value != "again" || r.Err != nil {
			t.Errorf("%q, %v", r.Value, r.Err)
		}
	}
}
