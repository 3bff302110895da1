package merge_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/source"
)

// TestSpec runs testdata/spec.txtar: groups of files, each with what main.yaml
// renders to, as JSON, or the code of its error with words of its message.
func TestSpec(t *testing.T) {
	for _, c := range readCases(t, "testdata/spec.txtar") {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for name, text := range c.files {
				path := filepath.Join(dir, name)
				if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			got, err := render(dir)
			c.check(t, got, err)
		})
	}
}

func render(dir string) (string, error) {
	p, err := yaytpl.Open(context.Background(), []string{"main.yaml"}, yaytpl.Options{Dir: dir, Roots: []string{dir}})
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	err = p.Render(&out, yaytpl.RenderOptions{Form: "json"})
	return out.String(), err
}

// A specCase is one rule: files and their expanded document.
type specCase struct {
	name  string
	files map[string]string
	want  string // JSON
	code  string // of an error
	words string // of its message
}

// readCases splits an archive into cases: a file called "case NAME" begins one, and
// holds nothing; "want" or "error" ends it.
func readCases(t *testing.T, path string) []specCase {
	t.Helper()
	a, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var cases []specCase
	var c specCase
	for _, f := range a.Files {
		text := string(f.Data)
		if c.files == nil {
			c.files = map[string]string{}
		}
		switch {
		case strings.HasPrefix(f.Name, "want: "):
			c.name, c.want = strings.TrimPrefix(f.Name, "want: "), text
		case strings.HasPrefix(f.Name, "error: "):
			c.name = strings.TrimPrefix(f.Name, "error: ")
			c.code, c.words, _ = strings.Cut(strings.TrimSpace(text), " ")
		default:
			c.files[f.Name] = text
			continue
		}
		cases = append(cases, c)
		c = specCase{}
	}
	if len(cases) == 0 || c.files != nil {
		t.Fatalf("%s: a case without its end, or none at all", path)
	}
	return cases
}

func (c specCase) check(t *testing.T, got string, err error) {
	t.Helper()
	if c.code != "" {
		found := source.Findings(err)
		if len(found) == 0 {
			t.Fatalf("got %s, want an error %s", got, c.code)
		}
		last := found[len(found)-1]
		if string(last.Code) != c.code || !strings.Contains(last.Message, c.words) {
			t.Errorf("got %v, want %s with %q", last, c.code, c.words)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	var g, w any
	if err := json.Unmarshal([]byte(got), &g); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(c.want), &w); err != nil {
		t.Fatalf("want: %v", err)
	}
	if !reflect.DeepEqual(g, w) {
		t.Errorf("got  %s\nwant %s", strings.Join(strings.Fields(got), " "), strings.Join(strings.Fields(c.want), " "))
	}
}
