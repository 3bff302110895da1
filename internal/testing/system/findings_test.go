package system_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/source"
)

// TestChecks checks which findings render, get and check report at each level.
func TestChecks(t *testing.T) {
	dir := tree(t, map[string]string{
		"base.yaml": "port: 80\ntls: {on: true}\nargs: [a, b]\n",
		"prod.yaml": "port: none\ntls:\nargs: [c, a]\npath: {eval: ::nothing}\n",
	})
	for _, c := range []struct {
		name     string
		checks   source.Checks
		findings bool
		render   []string // reported by Render, in the order of the file
		get      []string // by Get of path
		check    []string
	}{
		{
			"default", nil, false,
			[]string{"no-match warning"}, nil,
			[]string{"no-match warning", "kind-change warning", "null-ignored warning", "list-repeat warning"},
		},
		{
			"at a terminal", nil, true,
			[]string{"no-match warning", "kind-change warning", "null-ignored warning", "list-repeat warning"}, nil,
			[]string{"no-match warning", "kind-change warning", "null-ignored warning", "list-repeat warning"},
		},
		{
			"one named", source.Checks{source.KindChange: source.LevelWarning, source.NoMatch: source.LevelOff}, false,
			[]string{"kind-change warning"}, nil,
			[]string{"kind-change warning", "null-ignored warning", "list-repeat warning"},
		},
		{
			"errors", source.Checks{source.NullIgnored: source.LevelError, source.NoMatch: source.LevelError, source.ListRepeat: source.LevelOff}, true,
			[]string{"kind-change warning", "no-match error", "null-ignored error"}, nil,
			[]string{"no-match error", "kind-change warning", "null-ignored error"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			o := yaytpl.Options{Dir: dir, Checks: c.checks, Warn: func(d *source.Diagnostic) {
				got = append(got, string(d.Code)+" "+d.Severity.String())
			}}
			files := []string{"base.yaml", "prod.yaml"}
			p, err := yaytpl.Open(t.Context(), files, o)
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			err = p.Render(&out, yaytpl.RenderOptions{Findings: c.findings})
			for _, d := range source.Findings(err) {
				got = append(got, string(d.Code)+" "+d.Severity.String())
			}
			if !slices.Equal(got, c.render) {
				t.Errorf("render: %q, want %q", got, c.render)
			}
			if (err != nil) != (out.Len() == 0) {
				t.Errorf("render: %v and %q", err, out.String())
			}
			got = nil
			if p, err = yaytpl.Open(t.Context(), files, o); err != nil {
				t.Fatal(err)
			}
			for _, d := range p.Check() {
				got = append(got, string(d.Code)+" "+d.Severity.String())
			}
			if !slices.Equal(got, c.check) {
				t.Errorf("check: %q, want %q", got, c.check)
			}
			got = nil
			if p, err = yaytpl.Open(t.Context(), files, o); err != nil {
				t.Fatal(err)
			}
			d, err := p.Only(0)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := d.Get("path"); err != nil || !slices.Equal(got, c.get) {
				t.Errorf("get: %q (%v), want %q", got, err, c.get)
			}
		})
	}
}

// TestRaisedWarning checks that a warning that is an error fails the question that meets it.
func TestRaisedWarning(t *testing.T) {
	dir := tree(t, map[string]string{
		"main.yaml": "a: {+include: part.yaml}\nl: [{x: 1}]\n",
		"part.yaml": "b: {+/a/c: odd}\nc: {}\n",
		"odd.yaml":  "b: {+/c: odd}\nc: {}\n",
	})
	o := yaytpl.Options{Dir: dir, Checks: source.Checks{source.Suspicious: source.LevelError, source.WholeList: source.LevelError}}
	p, err := yaytpl.Open(t.Context(), []string{"odd.yaml"}, o)
	if findings := source.Findings(err); p != nil || len(findings) != 1 || findings[0].Code != source.Suspicious {
		t.Errorf("open: %v", err)
	}
	if p, err = yaytpl.Open(t.Context(), []string{"main.yaml"}, o); err != nil {
		t.Fatal(err)
	}
	d, err := p.Only(0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = d.Get("a.b")
	var raised *source.Diagnostic
	if !errors.As(err, &raised) || raised.Code != source.Suspicious || raised.Severity != source.Error {
		t.Errorf("get: %v", err)
	}
	if _, err = d.Query("::l[x=1]"); !errors.As(err, &raised) || raised.Code != source.WholeList {
		t.Errorf("query: %v", err)
	}
}
