package dagtest

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// graphFiles are the files of graph at the bottom and at the top: limits know nothing of what is evaluated, and the
// evaluation knows nothing of the code that inspects it. All other files are between them.
var graphFiles = struct{ bottom, top []string }{
	bottom: []string{"limits.go"},
	top:    []string{"explain.go", "itemplaces.go", "joins.go", "kinds.go", "newkeys.go"},
}

// TestFilesOfGraph checks that files of graph name only what files at their level or below it declare.
func TestFilesOfGraph(t *testing.T) {
	level := func(file string) int {
		switch {
		case slices.Contains(graphFiles.bottom, file):
			return 0
		case slices.Contains(graphFiles.top, file):
			return 2
		}
		return 1
	}
	names, err := filepath.Glob("../../graph/*.go")
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	uses := map[*ast.Ident]types.Object{}
	pkg, err := (&types.Config{Importer: importer.ForCompiler(fset, "gc", exportsOf(t, "../../graph"))}).Check("graph", fset, files, &types.Info{Uses: uses})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for id, obj := range uses {
		if obj.Pkg() != pkg {
			continue
		}
		from, to := fset.Position(id.Pos()), filepath.Base(fset.Position(obj.Pos()).Filename)
		file := filepath.Base(from.Filename)
		seen[file] = true
		if level(file) < level(to) {
			t.Errorf("%s:%d names %s of %s, which is above it", file, from.Line, obj.Name(), to)
		}
	}
	for _, file := range append(graphFiles.bottom, graphFiles.top...) {
		if !seen[file] {
			t.Errorf("%s is no file of graph", file)
		}
	}
}

// exportsOf returns a function that opens the types of a package that the one in dir imports, as the compiler wrote them.
func exportsOf(t *testing.T, dir string) importer.Lookup {
	cmd := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}}={{.Export}}", ".")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), "=")
		files[path] = file
	}
	return func(path string) (io.ReadCloser, error) { return os.Open(files[path]) }
}
