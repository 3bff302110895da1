package dagtest

import (
	_ "embed"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

//go:embed rules.txt
var rulesText string

const (
	root   = "../.."
	module = "github.com/yaytpl/yaytpl"
)

// A rule lists the imports that one package may have.
type rule struct {
	own    []string // packages of the project; "." is the root package
	others []string // modules
}

// TestImports checks the imports of all packages.
func TestImports(t *testing.T) {
	rules, err := parseRules(rulesText)
	if err != nil {
		t.Fatal(err)
	}
	imports, err := importsByPackage(root)
	if err != nil {
		t.Fatal(err)
	}
	for pkg, paths := range imports {
		r, ok := rules[pkg]
		if !ok {
			t.Errorf("package %s is not in rules.txt", pkg)
			continue
		}
		for _, path := range paths {
			if !r.allows(path) {
				t.Errorf("package %s may not import %s", pkg, path)
			}
		}
	}
}

// TestRulesGoDown checks that the rules have no cycle: a package may only import packages that
// rules.txt lists before it.
func TestRulesGoDown(t *testing.T) {
	rules, err := parseRules(rulesText)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, pkg := range packagesInOrder(rulesText) {
		for _, dep := range rules[pkg].own {
			if !seen[dep] {
				t.Errorf("%s < %s: %s must be listed before", pkg, dep, dep)
			}
		}
		seen[pkg] = true
	}
}

func TestAllows(t *testing.T) {
	r := rule{own: []string{"source", "."}, others: []string{"gopkg.in/yaml.v3"}}
	tests := []struct {
		path string
		want bool
	}{
		{"fmt", true},
		{"encoding/json", true},
		{module, true},
		{module + "/source", true},
		{module + "/sources", false},
		{module + "/graph", false},
		{"gopkg.in/yaml.v3", true},
		{"gopkg.in/yaml.v3/internal", true},
		{"gopkg.in/yaml.v31", false},
		{"github.com/spf13/cobra", false},
	}
	for _, tt := range tests {
		if got := r.allows(tt.path); got != tt.want {
			t.Errorf("allows(%q) = %v, want %v", tt.path, got, tt.want)
		}
	}
}

// allows reports whether a package with the rule may import path.
func (r rule) allows(path string) bool {
	if path == module {
		return slices.Contains(r.own, ".")
	}
	if own, ok := strings.CutPrefix(path, module+"/"); ok {
		return slices.Contains(r.own, own)
	}
	if first, _, _ := strings.Cut(path, "/"); !strings.Contains(first, ".") {
		return true // the standard library
	}
	return slices.ContainsFunc(r.others, func(m string) bool { return path == m || strings.HasPrefix(path, m+"/") })
}

// parseRules returns the rules by package.
func parseRules(text string) (map[string]rule, error) {
	rules := map[string]rule{}
	for _, line := range ruleLines(text) {
		pkg, rest, ok := strings.Cut(line, "<")
		own, others, ok2 := strings.Cut(rest, ";")
		pkg = strings.TrimSpace(pkg)
		if !ok || !ok2 || pkg == "" {
			return nil, fmt.Errorf("rules.txt: %q does not have the form \"package < packages ; modules\"", line)
		}
		if _, twice := rules[pkg]; twice {
			return nil, fmt.Errorf("rules.txt: %s has two rules", pkg)
		}
		rules[pkg] = rule{strings.Fields(own), strings.Fields(others)}
	}
	return rules, nil
}

// ruleLines returns the lines with rules, without comments and blank lines.
func ruleLines(text string) []string {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	return lines
}

func packagesInOrder(text string) []string {
	var pkgs []string
	for _, line := range ruleLines(text) {
		pkg, _, _ := strings.Cut(line, "<")
		pkgs = append(pkgs, strings.TrimSpace(pkg))
	}
	return pkgs
}

// importsByPackage returns the imports of the Go files below dir, by package. It omits test files,
// which may import any package.
func importsByPackage(dir string) (map[string][]string, error) {
	imports := map[string][]string{}
	err := eachFile(dir, func(pkg, name string) error {
		paths, err := importsOf(name)
		imports[pkg] = append(imports[pkg], paths...)
		return err
	})
	return imports, err
}

// eachFile calls visit for each Go file below dir that is no test, with its package as rules.txt
// names it and its path.
func eachFile(dir string, visit func(pkg, name string) error) error {
	return filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			if name != dir && skipped(name, d.Name()) {
				return filepath.SkipDir
			}
			return nil
		case !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		pkg, err := filepath.Rel(dir, filepath.Dir(name))
		if err != nil {
			return err
		}
		return visit(filepath.ToSlash(pkg), name)
	})
}

// skipped reports whether a directory contains no package of the module: testdata, other modules, and
// names that the go command ignores.
func skipped(path, name string) bool {
	if strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata" {
		return true
	}
	_, err := os.Stat(filepath.Join(path, "go.mod"))
	return err == nil
}

func importsOf(name string) ([]string, error) {
	f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, spec := range f.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		paths = append(paths, path)
	}
	return paths, nil
}
