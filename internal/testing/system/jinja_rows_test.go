package system_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl"
)

// A jinjaRow is a template with its result; no result means an error.
type jinjaRow struct {
	options, text string
	want          *string
	files         map[string]string // beside those of all rows
}

// UnmarshalJSON reads [options, template, result, files].
func (r *jinjaRow) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[]any{&r.options, &r.text, &r.want, &r.files})
}

// TestJinjaRows compares with the results of Jinja: see testdata/jinja-rows/README.md.
func TestJinjaRows(t *testing.T) {
	for _, name := range []string{"whitespace", "statements", "nested", "expressions"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			checkJinjaRows(t, filepath.Join("testdata", "jinja-rows", name+".jsonl"))
		})
	}
}

func checkJinjaRows(t *testing.T, name string) {
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var head struct {
		Data    json.RawMessage
		Files   map[string]string
		Prelude string
	}
	dec := json.NewDecoder(bufio.NewReader(f))
	if err := dec.Decode(&head); err != nil {
		t.Fatal(err)
	}
	rows := map[string][]jinjaRow{} // by their files
	for dec.More() {
		var r jinjaRow
		if err := dec.Decode(&r); err != nil {
			t.Fatal(err)
		}
		if rest, ok := strings.CutPrefix(r.text, "§"); ok {
			r.text = head.Prelude + rest
		}
		key := fmt.Sprint(r.files)
		rows[key] = append(rows[key], r)
	}
	for _, group := range rows {
		files := map[string]string{"data.yaml": string(head.Data)}
		for _, more := range []map[string]string{head.Files, group[0].files} {
			for name, text := range more {
				files[name] = text
			}
		}
		renderRows(t, files, group)
	}
}

// renderRows renders rows that share their files.
func renderRows(t *testing.T, files map[string]string, rows []jinjaRow) {
	dir := t.TempDir()
	texts := map[string]string{}
	for name, text := range files {
		texts[filepath.Join(dir, name)] = text
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	page := func(i int) string { return filepath.Join(dir, fmt.Sprintf("page%d.j2", i)) }
	for i, r := range rows {
		if texts[page(i)] = r.text; r.options != "" {
			texts[page(i)] = "#jinja2: " + r.options + "\n" + r.text
		}
	}
	p, err := yaytpl.Open(t.Context(), []string{filepath.Join(dir, "data.yaml")}, yaytpl.Options{Dir: dir, Roots: []string{dir}, Overlay: texts})
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range rows {
		var out bytes.Buffer
		err := p.Documents()[0].Template(page(i), &out, yaytpl.RenderOptions{})
		switch {
		case r.want == nil && err == nil:
			t.Errorf("%s %q = %q, want an error", r.options, r.text, &out)
		case r.want != nil && err != nil:
			t.Errorf("%s %q: %v, want %q", r.options, r.text, err, *r.want)
		case r.want != nil && out.String() != *r.want:
			t.Errorf("%s %q = %q, want %q", r.options, r.text, &out, *r.want)
		}
	}
}
