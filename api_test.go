package yaytpl_test

import (
	"bytes"
	"flag"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var updateAPI = flag.Bool("update-api", false, "write testdata/api.txt")

// TestAPI compares the exported names of the public packages with testdata/api.txt, so that a
// change of the API is a decision: go test . -run TestAPI -update-api.
func TestAPI(t *testing.T) {
	const golden = "testdata/api.txt"
	var got bytes.Buffer
	for _, dir := range []string{".", "bindings", "config", "edit", "watch", "workspace"} {
		for _, line := range exported(t, dir) {
			got.WriteString(line + "\n")
		}
	}
	if *updateAPI {
		if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	have := strings.Split(got.String(), "\n")
	known := strings.Split(string(want), "\n")
	for _, line := range have {
		if !slices.Contains(known, line) {
			t.Errorf("new:  %s", line)
		}
	}
	for _, line := range known {
		if !slices.Contains(have, line) {
			t.Errorf("gone: %s", line)
		}
	}
}

// exported returns a line for each exported declaration, field and method of a package.
func exported(t *testing.T, dir string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.FileExports(f)
		add := func(prefix string, node any) {
			var b bytes.Buffer
			if err := format.Node(&b, fset, node); err != nil {
				t.Fatal(err)
			}
			lines = append(lines, f.Name.Name+": "+prefix+strings.Join(strings.Fields(b.String()), " "))
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				d.Body = nil
				add("", d)
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					addSpec(add, d.Tok, spec)
				}
			}
		}
	}
	slices.Sort(lines)
	return lines
}

func addSpec(add func(prefix string, node any), tok token.Token, spec ast.Spec) {
	switch spec := spec.(type) {
	case *ast.ValueSpec:
		for _, n := range spec.Names {
			add(tok.String()+" ", n)
		}
	case *ast.TypeSpec:
		fields, ok := spec.Type.(*ast.StructType)
		if !ok {
			add("type ", spec)
			return
		}
		add("type ", spec.Name)
		for _, field := range fields.Fields.List {
			for _, n := range field.Names {
				add("type "+spec.Name.Name+", field "+n.Name+" ", field.Type)
			}
			if len(field.Names) == 0 {
				add("type "+spec.Name.Name+", embeds ", field.Type)
			}
		}
	}
}
