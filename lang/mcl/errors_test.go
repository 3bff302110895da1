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
