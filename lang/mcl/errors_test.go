package mcl_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/source"
)

var update = flag.Bool("update", false, "write the results of the rows in testdata")

// render returns the graph of a program as JSON.
func render(t testing.TB, text string, o yaytpl.Options) (string, error) {
	t.Helper()
	dir := t.TempDir()
	name := filepath.Join(dir, "m.mcl")
	o.Dir, o.Overlay = dir, map[string]string{name: text}
	p, err := yaytpl.Open(context.Background(), []string{name}, o)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	err = p.Render(&out, yaytpl.RenderOptions{Form: "json"})
	return out.String(), err
}

// place returns "line:column text", the text clipped.
func place(at source.Span) string {
	_, position, _ := strings.Cut(at.String(), "m.mcl:")
	text, _, more := strings.Cut(at.Text(), "\n")
	if more {
		text += "..."
	}
	return position + " " + text
}

// report returns findings as lines: place, message, kind, hint, then the notes.
func report(err error) string {
	var b strings.Builder
	for _, d := range source.Findings(err) {
		fmt.Fprintf(&b, "%s: %s [%s]\n", place(d.At), d.Message, d.Code)
		if d.Hint != "" {
			fmt.Fprintf(&b, "  hint: %s\n", d.Hint)
		}
		for _, n := range d.Notes {
			fmt.Fprintf(&b, "  %s: %s\n", place(n.At), n.Message)
		}
	}
	return b.String()
}

// TestErrors compares messages with testdata/errors.txt. Its rows are separated by "====": a program,
// "----", and its error with hint and notes.
func TestErrors(t *testing.T) {
	const name = "testdata/errors.txt"
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for row := range strings.SplitSeq(string(data), "====\n") {
		program, want, _ := strings.Cut(row, "----\n")
		_, err := render(t, program, yaytpl.Options{NoEnv: true})
		have := report(err)
		rows = append(rows, program+"----\n"+have)
		if !*update && have != want {
			t.Errorf("%s\nhave:\n%s\nwant:\n%s", program, have, want)
		}
		if err == nil {
			t.Errorf("no error: %s", program)
		}
		for _, d := range source.Findings(err) {
			if d.At.IsZero() {
				t.Errorf("%s: no place: %v", program, d)
			}
		}
	}
	if *update {
		if err := os.WriteFile(name, []byte(strings.Join(rows, "====\n")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// A bind that nothing uses and that fails is a warning, once, whatever else uses it and is not used.
func TestUnusedUsesOfBrokenBinds(t *testing.T) {
	tests := []struct{ program, want string }{
		{"func g($x) { nope($x) }\n$x = g(1)\n$y = g(2)\n", "1:14 nope"},
		{"$f = a()\n$g = $f\n$h = [$g, $f,]\n", "1:6 a"},
		{"func h($x) { $x + \"a\" }\n$z = h(1)\n$w = $z + 1\n$v = [$z, 2,]\n$s = if $z { 1 } else { 2 }\n", "1:19 \"a\""},
		{"func d($x, $x) { $x }\n$a = d(1)\n$b = d(2)\n", "1:12 $x"},
	}
	for _, test := range tests {
		var warned []string
		warn := func(d *source.Diagnostic) {
			if d.Code != source.Suspicious {
				warned = append(warned, place(d.At))
			}
		}
		got, err := render(t, test.program+"note \"n\" {\n\tv => 1,\n}\n", yaytpl.Options{NoEnv: true, Warn: warn})
		if err != nil || !strings.Contains(got, `"v": 1`) {
			t.Errorf("%s: %s, %v", test.program, got, err)
		}
		if strings.Join(warned, ", ") != test.want {
			t.Errorf("%s: warnings at %q, want %q", test.program, warned, test.want)
		}
	}
}
