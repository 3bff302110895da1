// Package textfiles has YAML and JSON files that other projects wrote, and finds more of them below
// directories.
package textfiles

import (
	"crypto/sha256"
	"embed"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// A File is a YAML or JSON file and its text.
type File struct {
	Name string
	Text string
	JSON bool
}

// corpus has some hundred files. testdata/corpus/LICENSES.md names their projects.
//
//go:embed testdata/corpus
var corpus embed.FS

// Corpus returns the YAML and JSON files below testdata/corpus, sorted by name.
func Corpus() []File {
	var out []File
	err := fs.WalkDir(corpus, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !isText(name) {
			return err
		}
		data, err := corpus.ReadFile(name)
		out = append(out, File{name, string(data), strings.HasSuffix(name, ".json")})
		return err
	})
	if err != nil {
		panic(err) // the files are a part of the program
	}
	return out
}

// Files returns the YAML and JSON files below directories, sorted by name, each content
// once. Files of more than limit bytes are left out, and so are those that are not
// UTF-8 or cannot be read.
func Files(dirs []string, limit int64) []File {
	var names []string
	for _, dir := range dirs {
		// Files that cannot be read are left out.
		_ = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && isText(name) {
				names = append(names, name)
			}
			return nil
		})
	}
	slices.Sort(names)
	var out []File
	seen := map[[sha256.Size]byte]bool{}
	for _, name := range slices.Compact(names) {
		info, err := os.Stat(name)
		if err != nil || info.Size() > limit || info.Size() == 0 {
			continue
		}
		data, err := os.ReadFile(name)
		sum := sha256.Sum256(data)
		if err != nil || seen[sum] || !utf8.Valid(data) {
			continue
		}
		seen[sum] = true
		out = append(out, File{name, string(data), strings.HasSuffix(name, ".json")})
	}
	return out
}

func isText(name string) bool {
	return slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(name))
}

// Sample returns at most n files, spread evenly over all.
func Sample(files []File, n int) []File {
	if len(files) <= n {
		return files
	}
	out := make([]File, 0, n)
	for i := range n {
		out = append(out, files[i*len(files)/n])
	}
	return out
}
