package engine_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/load"
)

// TestLookupsLikeAnsible compares lookups with the results that Ansible gives: see
// testdata/lookups/README.md.
func TestLookupsLikeAnsible(t *testing.T) {
	rows, err := os.ReadFile("testdata/lookups/rows.tsv")
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("testdata/lookups")
	if err != nil {
		t.Fatal(err)
	}
	vars := filepath.Join(root, "files", "vars.json")
	p, err := engine.Open(t.Context(), []string{vars}, engine.Options{Load: load.Config{
		Dir: root, Files: []string{vars}, AllowExec: true, Getenv: func(name string) (string, bool) { return os.Getenv("PATH"), name == "PATH" },
	}})
	if err != nil {
		t.Fatal(err)
	}
	replaced := strings.NewReplacer("DIR", filepath.ToSlash(filepath.Join(root, "files")))
	for line := range strings.SplitSeq(strings.TrimSpace(string(rows)), "\n") {
		expression, want, _ := strings.Cut(line, "\t")
		found, err := p.Documents()[0].Query("{{ {'is': (" + replaced.Replace(expression) + ")} }}")
		if err != nil {
			if want != "error" {
				t.Errorf("%s: %v, want %s", expression, err, want)
			}
			continue
		}
		got := inJSON(found[0], nil)
		var have map[string]any
		var should any
		if json.Unmarshal([]byte(got), &have) != nil || json.Unmarshal([]byte(replaced.Replace(want)), &should) != nil || !reflect.DeepEqual(have["is"], should) {
			t.Errorf("%s = %s, want %s", expression, got, want)
		}
	}
}
