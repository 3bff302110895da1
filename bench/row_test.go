//go:build unix

package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/yaytpl/yaytpl/bench/programs"
)

// TestGenerate checks that each row generates the same inputs twice.
func TestGenerate(t *testing.T) {
	for _, r := range rows() {
		t.Run(r.name, func(t *testing.T) {
			a, b := generated(t, r), generated(t, r)
			if len(a) == 0 || len(a) != len(b) {
				t.Fatalf("%d files the first time, %d the second", len(a), len(b))
			}
			for name, text := range a {
				if b[name] != text {
					t.Errorf("%s differs the second time", name)
				}
			}
		})
	}
}

// generated returns the texts of the generated files by name.
func generated(t *testing.T, r row) map[string]string {
	dir := t.TempDir()
	jobs, err := r.generate(dir, min(r.sizes[0], 20))
	if err != nil || len(jobs) == 0 || programOf(jobs[0].tool) != programs.Ours {
		t.Fatalf("jobs %v, error %v", jobs, err)
	}
	files := map[string]string{}
	err = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		files[rel] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
