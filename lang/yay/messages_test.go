package yay

import (
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/source"
)

func TestCheckExpression(t *testing.T) {
	for text, want := range map[string]string{
		"'a' + 1":                "",
		"'1' * 3":                "",
		"n - 'a'":                "",
		"'a' - 1":                "'a': expected a number",
		"n + ('a' - 1)":          "'a': expected a number",
		"[1, 'a' - n, -'b']":     "'b': expected a number",
		"{'k': [1 / 0]}":         "0: division by zero",
		"f('x' < 'y')":           "'x': expected a number",
		"[i for i in [1][5]]":    "5: no such item",
		"'a'.b else 1":           "'a': expected a mapping",
		"{'a': 1}.b else 1":      "",
		"1 if 0 else 'a' - 1":    "'a': expected a number",
		"2 ** 1000000":           "",
		"1 if 1 else -'never'":   "",
		"'a' - 1 and n or 1 % 0": "'a': expected a number; 0: division by zero",
	} {
		var got []string
		for _, d := range checkExpression(parsed(t, text)) {
			if d.Severity != source.Warning || d.Code != source.Suspicious {
				t.Errorf("%s: %v is a %s", text, d, d.Severity)
			}
			words := strings.Fields(d.Message)
			got = append(got, d.At.Text()+": "+strings.Join(words[:min(3, len(words))], " "))
		}
		if s := strings.Join(got, "; "); s != want {
			t.Errorf("%s: %q, want %q", text, s, want)
		}
	}
}

// The check of an expression takes linear time: each part is looked at once.
func TestCheckOfLongExpression(t *testing.T) {
	allocations := func(operators int) float64 {
		n := parsed(t, "x"+strings.Repeat(" + 1", operators))
		return testing.AllocsPerRun(1, func() {
			if found := checkExpression(n); len(found) != 0 {
				t.Error(found)
			}
		})
	}
	if short, long := allocations(500), allocations(2000); long > 5*short {
		t.Errorf("%v allocations for 500 operators, %v for 2000", short, long)
	}
}

// What a directive takes is checked as values are.
func TestOperandsAreChecked(t *testing.T) {
	for _, text := range []string{
		"include 1 / 0",
		"if 1 / 0:\n  a: 1",
		"select 1 / 0:\n  a: 1",
		"for x in 1 / 0:\n  - x",
		"call 1 / 0:",
		"new 1 / 0:",
		"create 1 / 0:",
	} {
		tree, findings := Parse(source.NewFile("main.yay", text), Options{})
		if tree == nil {
			t.Fatal(findings)
		}
		c := operandOf(Lower(tree).Root).(interface {
			Check(expr.Library) []*source.Diagnostic
		})
		if found := c.Check(nil); len(found) != 1 || found[0].At.Text() != "0" {
			t.Errorf("%q: %v", text, found)
		}
	}
}

// operandOf returns the operand of the first directive of a document.
func operandOf(n graph.Node) graph.Thunk {
	switch n := n.(type) {
	case *graph.Let:
		return operandOf(n.Body)
	case *graph.Stack:
		return operandOf(n.Layers[len(n.Layers)-1])
	case *graph.Seq:
		return operandOf(n.Items[0])
	case *graph.Each:
		return n.Over
	case *graph.Guard:
		return n.On
	}
	return nil
}

func TestLintText(t *testing.T) {
	for text, want := range map[string]string{
		"a: b":                    "",
		"a: b # c":                "not a comment",
		"a: [1, 2]":               "not a list",
		"a: [1]":                  "not a list",
		"a: [0-9]":                "",
		"a: 'b'":                  "single quotes",
		"a: \"'b'\"":              "",
		"a: *b":                   "not an alias",
		"a: *.b":                  "",
		"\"a\": b":                "quotes are part of the key",
		"a: 1":                    "",
		"a: \"b # c\"":            "",
		"a: \"b\" # c":            "not a comment",
		"a: {% if x %}":           "statements of templates",
		"a: x{{ b }} # c":         "not a comment",
		"a: \"x{{ b }} # c\"":     "",
		"a: |\n  x # {{ b }}":     "",
		"a: x{{ 'a' - 1 }}":       "expected a number",
		"a: {{ b + 1 else 2 }}":   "inside an operation",
		"a: {{ (b + 1) else 2 }}": "inside an operation",
		"a: {{ b }}":              "",
		".include: x":             "not a directive",
	} {
		tree, findings := Parse(source.NewFile("main.yay", text), Options{})
		if tree == nil {
			t.Fatalf("%q: %v", text, findings[0])
		}
		entry := Lower(tree).Root.(*graph.Map).Entries[0]
		var found []*source.Diagnostic
		if d := LintKey(&entry); d != nil {
			found = append(found, d)
		}
		switch n := entry.Node.(type) {
		case *graph.Scalar:
			if d := LintText(n); d != nil {
				found = append(found, d)
			}
		case *graph.Computed:
			found = append(found, n.Thunk.(interface {
				Check(expr.Library) []*source.Diagnostic
			}).Check(nil)...)
		}
		got := ""
		if len(found) > 0 {
			got = found[0].Message
		}
		if len(found) > 1 || !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%q: %v, want %q", text, found, want)
		}
	}
}
