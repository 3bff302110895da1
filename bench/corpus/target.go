package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// A target is one fuzz test.
type target struct {
	importPath string
	dir        string // of the package
	name       string
	cache      string // where fuzzing keeps what it finds
}

func (t target) String() string { return t.importPath + " " + t.name }

// corpus is the directory from which `go test` takes inputs.
func (t target) corpus() string { return filepath.Join(t.dir, "testdata", "fuzz", t.name) }

var fuzzFunction = regexp.MustCompile(`(?m)^func (Fuzz\w+)\(`)

// listTargets finds the fuzz tests in the source of the packages.
func listTargets(packages []string) ([]target, error) {
	cache, err := output("", "go", "env", "GOCACHE")
	if err != nil {
		return nil, err
	}
	format := `{{.ImportPath}}{{"\t"}}{{.Dir}}{{range .TestGoFiles}}{{"\t"}}{{.}}{{end}}{{range .XTestGoFiles}}{{"\t"}}{{.}}{{end}}`
	list, err := output("", "go", append([]string{"list", "-f", format}, packages...)...)
	if err != nil {
		return nil, err
	}
	var found []target
	for _, line := range strings.Split(list, "\n") {
		fields := strings.Split(line, "\t")
		for _, file := range fields[min(2, len(fields)):] {
			text, err := os.ReadFile(filepath.Join(fields[1], file))
			if err != nil {
				return nil, err
			}
			for _, m := range fuzzFunction.FindAllSubmatch(text, -1) {
				t := target{importPath: fields[0], dir: fields[1], name: string(m[1])}
				t.cache = filepath.Join(cache, "fuzz", filepath.FromSlash(t.importPath), t.name)
				found = append(found, t)
			}
		}
	}
	return found, nil
}

// buildTest builds the tests of a package so that they count statements of the whole module.
func buildTest(dir, binary string) error {
	module, err := output(dir, "go", "list", "-m")
	if err != nil {
		return err
	}
	_, err = output(dir, "go", "test", "-c", "-covermode=set", "-coverpkg="+module+"/...", "-o", binary, ".")
	return err
}

// cached returns the files of the cache that have at most size bytes.
func (t target) cached(size int64) ([]string, error) {
	entries, err := os.ReadDir(t.cache)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil {
			return nil, err
		}
		if info.Mode().IsRegular() && info.Size() <= size {
			paths = append(paths, filepath.Join(t.cache, entry.Name()))
		}
	}
	return paths, nil
}

// output runs a program and returns what it wrote, without the last line break.
func output(dir, program string, args ...string) (string, error) {
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	text, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w\n%s", cmd, err, complaint.Bytes())
	}
	return strings.TrimRight(string(text), "\n"), nil
}
