package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/internal/testing/long"
)

// What a package may initialise at the start: a table of some rows, not a regular expression.
const (
	mostBytes  = 1024
	mostAllocs = 12
)

// TestPackagesInitialiseLittle builds the command and runs it with a trace of the initialisers that run at its
// start, one line for each package that has some:
//
//	init unicode @0.5 ms, 0.02 ms clock, 1232 bytes, 4 allocs
//
// A package of the project may initialise a small table there, or register itself: short runs take milliseconds, and
// regular expressions and big tables would be a part of that for every command, whether it needs them or not. A short
// run of the tests traces the program of the tests instead. The tests of this package have initialisers of their own, so
// that it does not tell about this package.
func TestPackagesInitialiseLittle(t *testing.T) {
	const module = "github.com/yaytpl/yaytpl"
	program, except := os.Args[0], []string{"main", module + "/cmd/yaytpl"}
	if long.On() {
		program, except = filepath.Join(t.TempDir(), "yaytpl.exe"), nil
		if out, err := exec.Command("go", "build", "-buildvcs=false", "-o", program, ".").CombinedOutput(); err != nil {
			t.Fatalf("go build: %v\n%s", err, out)
		}
	}
	run := exec.Command(program, "version")
	run.Args[0] = "yaytpl" // by this name the program of the tests is the command
	run.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	trace, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("yaytpl version: %v\n%s", err, trace)
	}
	packages := regexp.MustCompile(`(?m)^init (\S+) @.* clock, (\d+) bytes, (\d+) allocs$`).FindAllSubmatch(trace, -1)
	if len(packages) == 0 {
		t.Fatalf("there is no trace of the packages of Go in\n%s", trace)
	}
	for _, found := range packages {
		name := string(found[1])
		if slices.Contains(except, name) || name != "main" && name != module && !strings.HasPrefix(name, module+"/") {
			continue
		}
		bytes, _ := strconv.Atoi(string(found[2]))
		allocs, _ := strconv.Atoi(string(found[3]))
		if bytes <= mostBytes && allocs <= mostAllocs {
			continue
		}
		t.Errorf("the package %s initialises variables of %d bytes with %d allocations when the program starts. Make their values static data, or values of internal/lazy. "+
			"These are the lines:\n\tgo build -o yaytpl ./cmd/yaytpl && go tool objdump -s '^%s\\.(init|init\\.[0-9]+|map\\.init\\.[0-9]+)$' yaytpl",
			name, bytes, allocs, name)
	}
}
