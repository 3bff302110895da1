package graph

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A fixture is an evaluation of a text in the notation.
type fixture struct {
	*Eval
	config   *config
	warnings []*source.Diagnostic
}

func load(t interface{ Helper() }, text string, rule *Rule, o Options) *fixture {
	t.Helper()
	f := &fixture{config: notation(text, rule)}
	o.Loader = f.config.files
	o.Warn = func(d *source.Diagnostic) { f.warnings = append(f.warnings, d) }
	f.Eval = New(context.Background(), f.config.layers, o)
	return f
}

// get returns the value at a dotted path as text: "" for the whole document,
// "missing" if there is nothing.
func (f *fixture) get(path string) (string, error) {
	v, ok, err := f.at(path).Value()
	if err != nil {
		return "", err
	}
	if !ok {
		return "missing", nil
	}
	return value.Repr(v)
}

func (f *fixture) at(path string) *Cell {
	var p value.Path
	if path != "" {
		for seg := range strings.SplitSeq(path, ".") {
			k := value.K(seg)
			if seg[0] >= '0' && seg[0] <= '9' {
				k.Kind = value.IntKind
			}
			p = append(p, k)
		}
	}
	return f.Root().At(p)
}

// A row is a configuration, a place in it and the expected result: a value, or
// "!code" and part of the message of an error.
type row struct {
	name, text, path, want string
}

func (r row) run(t *testing.T, rule *Rule) {
	t.Helper()
	got, err := load(t, r.text, rule, Options{}).get(r.path)
	check(t, got, err, r.want)
}

func check(t *testing.T, got string, err error, want string) {
	t.Helper()
	code, wantErr := strings.CutPrefix(want, "!")
	code, part, _ := strings.Cut(code, " ")
	switch {
	case wantErr && err == nil:
		t.Errorf("got %s, want an error: %s", got, code)
	case wantErr:
		var d *source.Diagnostic
		if !errors.As(err, &d) || string(d.Code) != code || !strings.Contains(err.Error(), part) {
			t.Errorf("got error %v, want %s with %q", err, code, part)
		}
	case err != nil:
		t.Errorf("got error %v, want %s", err, want)
	case got != want:
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func runRows(t *testing.T, rule *Rule, rows []row) {
	t.Helper()
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) { r.run(t, rule) })
	}
}

// A node that is replaced later may be computed, if what is around it was told.
func TestVary(t *testing.T) {
	root := notation("one: 1\na: {b: [0, 0]}", MergeRule).layers[0].Doc.Root.(*Map)
	computed := notation("k: =one", MergeRule).layers[0].Doc.Root.(*Map).Entries[0].Node
	a := root.Entries[1].Node.(*Map)
	b := a.Entries[0].Node.(*Seq)
	b.Items[1] = computed
	for _, n := range []Node{root, a, b} {
		Vary(n)
	}
	f := load(t, "", MergeRule, Options{})
	f.Eval = New(context.Background(), []RootLayer{{Doc: &Doc{File: source.NewFile("a", ""), Root: root}, Rule: MergeRule}}, Options{})
	for path, want := range map[string]string{"a": "{'b': [0, 1]}", "a.b.1": "1"} {
		if got, err := f.get(path); got != want || err != nil {
			t.Errorf("%s is %s, want %s: %v", path, got, want, err)
		}
	}
}
