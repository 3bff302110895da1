// Corpus copies the best inputs of the fuzzing cache to testdata, where they become seeds.
//
//	go run -C bench ./corpus [-C DIR] [-keep N] [-bytes N] [PACKAGE...]
//
// Fuzzing stores each input that covers new code in Go's cache, on one machine: some hundred
// inputs for each target. This program runs each of the short ones alone and measures which
// statements of the module it covers. It copies the few that together cover most statements
// that the seeds of the target (f.Add) do not cover to testdata/fuzz of the package. All later
// tests run them, and all later fuzzing starts with them. Their names begin with "reaches-".
// The program replaces earlier files with such names and keeps others, such as inputs of bugs.
// The packages are those of the module in DIR, by default the module above bench.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

func main() {
	keep := flag.Int("keep", 8, "maximum of inputs to keep for a target")
	size := flag.Int64("bytes", 600, "maximum of bytes of an input")
	dir := flag.String("C", "..", "directory of the module with the packages")
	flag.Parse()
	packages := flag.Args()
	if len(packages) == 0 {
		packages = []string{"./..."}
	}
	err := os.Chdir(*dir)
	if err == nil {
		err = run(packages, *keep, *size)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "corpus:", err)
		os.Exit(1)
	}
}

// run selects the inputs of all targets in packages.
func run(packages []string, keep int, size int64) error {
	targets, err := listTargets(packages)
	if err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "corpus-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	binaries := map[string]string{}
	for _, t := range targets {
		if binaries[t.dir] == "" {
			binary := filepath.Join(scratch, fmt.Sprintf("%d.test", len(binaries)))
			if err := buildTest(t.dir, binary); err != nil {
				return err
			}
			binaries[t.dir] = binary
		}
		if err := choose(t, binaries[t.dir], keep, size); err != nil {
			return fmt.Errorf("%s: %w", t, err)
		}
	}
	return nil
}

// A target is one fuzz test.
type target struct {
	importPath string
	dir        string // of the package
	name       string
	cache      string // the directory of the inputs that fuzzing found
}

func (t target) String() string { return t.importPath + " " + t.name }

// corpus returns the directory of the inputs that "go test" runs.
func (t target) corpus() string { return filepath.Join(t.dir, "testdata", "fuzz", t.name) }

var fuzzFunction = regexp.MustCompile(`(?m)^func (Fuzz\w+)\(`)

// listTargets returns the fuzz tests of the packages.
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

// buildTest builds the tests of a package with coverage of the whole module.
func buildTest(dir, binary string) error {
	module, err := output(dir, "go", "list", "-m")
	if err != nil {
		return err
	}
	_, err = output(dir, "go", "test", "-c", "-covermode=set", "-coverpkg="+module+"/...", "-o", binary, ".")
	return err
}

// cached returns the inputs in the cache with at most size bytes.
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

// output runs a program and returns its standard output without the last line break.
func output(dir, program string, args ...string) (string, error) {
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	text, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w\n%s", cmd, err, stderr.Bytes())
	}
	return strings.TrimRight(string(text), "\n"), nil
}

// A statementSet is the set of blocks of statements that a run covers, as a cover profile names
// them.
type statementSet map[string]bool

// added returns the number of blocks in s that are not in known.
func (s statementSet) added(known statementSet) int {
	n := 0
	for block := range s {
		if !known[block] {
			n++
		}
	}
	return n
}

// remove removes the blocks in known from s.
func (s statementSet) remove(known statementSet) {
	for block := range known {
		delete(s, block)
	}
}

// measure runs only the inputs of a target whose names match, and returns the blocks that they
// cover.
func measure(t target, binary, inputs string) (statementSet, error) {
	profile := binary + ".cover"
	defer os.Remove(profile)
	cmd := exec.Command(binary, "-test.run=^"+t.name+"$/"+inputs, "-test.coverprofile="+profile, "-test.timeout=60s")
	cmd.Dir = t.dir
	if report, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s of %s: %w\n%s", inputs, t, err, report)
	}
	text, err := os.ReadFile(profile)
	if err != nil {
		return nil, err
	}
	return reached(text), nil
}

// reached returns the covered blocks of a cover profile, whose lines are "FILE:FROM,TO
// STATEMENTS COUNT".
func reached(profile []byte) statementSet {
	set := statementSet{}
	for line := range bytes.Lines(profile) {
		line = bytes.TrimSpace(line)
		if block, hit := bytes.CutSuffix(line, []byte(" 1")); hit {
			set[string(block)] = true
		}
	}
	return set
}

// measureAlone runs one input of the cache. It copies the file to the inputs of the package and
// removes the copy afterwards.
func measureAlone(t target, binary, path string) (statementSet, error) {
	name := "candidate-" + filepath.Base(path)
	there := filepath.Join(t.corpus(), name)
	if err := copyFile(path, there); err != nil {
		return nil, err
	}
	defer os.Remove(there)
	return measure(t, binary, "^"+name+"$")
}

func copyFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o666)
}

// An input is a file of the cache with the blocks that it covers and the seeds do not.
type input struct {
	path    string
	reaches statementSet
}

// choose copies the best inputs of the cache to the inputs of the package.
func choose(t target, binary string, keep int, size int64) error {
	if err := os.MkdirAll(t.corpus(), 0o777); err != nil {
		return err
	}
	defer os.Remove(t.corpus()) // which fails unless it is empty
	if err := forget(t); err != nil {
		return err
	}
	known, err := measure(t, binary, "")
	if err != nil {
		return err
	}
	inputs, err := candidates(t, binary, size, known)
	if err != nil {
		return err
	}
	seeds, best := len(known), pick(inputs, known, keep)
	for _, in := range best {
		if err := copyFile(in.path, filepath.Join(t.corpus(), chosen+filepath.Base(in.path))); err != nil {
			return err
		}
	}
	fmt.Printf("%s: the seeds cover %d blocks; %d of %d inputs cover %d more\n", t, seeds, len(best), len(inputs), len(known)-seeds)
	return nil
}

// chosen begins the names of the inputs that this program copies.
const chosen = "reaches-"

// forget removes the inputs of an earlier run.
func forget(t target) error {
	old, err := filepath.Glob(filepath.Join(t.corpus(), chosen+"*"))
	for _, path := range old {
		err = errors.Join(err, os.Remove(path))
	}
	return err
}

// candidates measures the inputs of the cache and returns those that cover new blocks.
func candidates(t target, binary string, size int64, known statementSet) ([]input, error) {
	paths, err := t.cached(size)
	if err != nil {
		return nil, err
	}
	var inputs []input
	for _, path := range paths {
		set, err := measureAlone(t, binary, path)
		if err != nil {
			return nil, err
		}
		set.remove(known)
		if len(set) > 0 {
			inputs = append(inputs, input{path, set})
		}
	}
	return inputs, nil
}

// pick repeatedly takes the input that adds most blocks to known, until there are keep inputs
// or none adds a block. It adds the blocks to known.
func pick(inputs []input, known statementSet, keep int) []input {
	var best []input
	for len(best) < keep {
		most, gain := -1, 0
		for i, in := range inputs {
			if n := in.reaches.added(known); n > gain {
				most, gain = i, n
			}
		}
		if most < 0 {
			break
		}
		for block := range inputs[most].reaches {
			known[block] = true
		}
		best = append(best, inputs[most])
	}
	return best
}
