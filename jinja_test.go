package yaytpl_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl"
)

// TestJinja compares with testdata/jinja.tsv, which says what templates come to in
// Jinja2 and Ansible. Its first line holds the variables. The others have three
// fields: native for a text of a document or text for a file, the template, and the
// result or the word error.
func TestJinja(t *testing.T) {
	table, err := os.ReadFile("testdata/jinja.tsv")
	if err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(strings.TrimSpace(string(table)), "\n")
	vars := strings.TrimPrefix(rows[0], "vars\t")
	for _, row := range rows[1:] {
		fields := strings.SplitN(row, "\t", 3)
		var text string
		if err := json.Unmarshal([]byte(fields[1]), &text); err != nil {
			t.Fatalf("%s: %v", row, err)
		}
		got := renderJinja(t, fields[0], vars, text)
		if !sameJSON(got, fields[2]) {
			t.Errorf("%s of %q = %s, want %s", fields[0], text, got, fields[2])
		}
	}
}

// renderJinja returns what a template comes to as JSON, or the word error.
func renderJinja(t *testing.T, mode, vars, text string) string {
	t.Helper()
	quoted, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	document := vars
	if mode == "native" {
		document = strings.TrimSuffix(vars, "}") + `, "the_result": ` + string(quoted) + "}"
	}
	p, err := yaytpl.Open(t.Context(), []string{"/site/main.json"}, yaytpl.Options{
		Dir: "/site", Roots: []string{"/site"}, NoEnv: true,
		Overlay: map[string]string{"/site/main.json": document, "/site/text.j2": text},
	})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	d := p.Documents()[0]
	if mode == "text" {
		if d.Template("text.j2", &out, yaytpl.RenderOptions{}) != nil {
			return "error"
		}
		result, err := json.Marshal(out.String())
		if err != nil {
			t.Fatal(err)
		}
		return string(result)
	}
	v, err := d.Get("the_result")
	if err != nil || p.WriteValue(&out, v, yaytpl.RenderOptions{Form: "json", Compact: true}) != nil {
		return "error"
	}
	return out.String()
}

// sameJSON compares data, in which 1 and 1.0 differ.
func sameJSON(a, b string) bool {
	if a == "error" || b == "error" {
		return a == b
	}
	return normalJSON(a) == normalJSON(b)
}

func normalJSON(text string) string {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return "not JSON: " + text
	}
	out, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(out)
}
