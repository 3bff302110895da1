package textfiles

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"b.yaml": "b: 1\n", "a/a.yml": "a: 1\n", "a/same.yaml": "a: 1\n", "c.json": "{}",
		"d.txt": "d: 1\n", "big.yaml": "a: 123456789\n", "bytes.yaml": "a: \xff\n", "empty.yaml": "",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for _, f := range Files([]string{dir, dir}, 10) {
		name, _ := filepath.Rel(dir, f.Name)
		got = append(got, filepath.ToSlash(name))
		if f.JSON != (filepath.Ext(name) == ".json") || f.Text == "" {
			t.Errorf("%+v", f)
		}
	}
	if len(got) != 3 || got[0] != "a/a.yml" || got[1] != "b.yaml" || got[2] != "c.json" {
		t.Errorf("Files = %q", got)
	}
}

// TestCorpus requires files of each kind, with Unix line ends as they were copied.
func TestCorpus(t *testing.T) {
	json := 0
	for _, f := range Corpus() {
		if f.JSON {
			json++
		}
		if f.Text == "" || strings.Contains(f.Text, "\r") {
			t.Errorf("%s is empty, or Git has changed its line ends", f.Name)
		}
	}
	if n := len(Corpus()); n < 80 || json < 5 {
		t.Errorf("%d files, %d of them JSON", n, json)
	}
}

func TestSample(t *testing.T) {
	files := make([]File, 10)
	for i := range files {
		files[i].Text = string(rune('a' + i))
	}
	got := Sample(files, 4)
	if len(got) != 4 || got[0].Text != "a" || got[3].Text != "h" || len(Sample(files, 20)) != 10 {
		t.Errorf("Sample = %v", got)
	}
}
