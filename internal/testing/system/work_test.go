package system_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/bindings"
	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/testing/long"
	"github.com/yaytpl/yaytpl/internal/testing/worktexts"
	"github.com/yaytpl/yaytpl/lang/yay"
	"github.com/yaytpl/yaytpl/source"
)

// TestWorkIsCounted: no part of the languages does much work in few steps. What it allocates stands
// for the work: some 100 bytes are what a step of 20 ns can allocate.
func TestWorkIsCounted(t *testing.T) {
	const steps, bytesPerStep, free = 100_000, 800, 64 << 20
	most := uint64(free + steps*bytesPerStep)
	if raced {
		most *= 4
	}
	for _, r := range long.Sample(worktexts.Rows(2000, 100_000)) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := renderRow(t, r, graph.Limits{Steps: steps, Output: 1 << 20})
		runtime.ReadMemStats(&after)
		if d := after.TotalAlloc - before.TotalAlloc; d > most {
			t.Errorf("%s: %d MB of garbage in %d steps; %v", r.Parts, d>>20, steps, err)
		}
	}
}

// TestWorkSucceeds: the rows do the work that they name: on small values they succeed, meet a limit, or
// are refused by the sandbox.
func TestWorkSucceeds(t *testing.T) {
	for _, r := range long.Sample(worktexts.Rows(3, 2)) {
		err := renderRow(t, r, graph.Limits{Steps: 1_000_000, Output: 1 << 20})
		for _, d := range source.Findings(err) {
			if !errors.Is(d, source.ErrLimit) && !strings.Contains(allowedFailures, "|"+string(d.Code)+"|") {
				t.Errorf("%s: %s: %v", r.Parts, r.Task, d)
			}
		}
	}
}

// renderRow renders a row in a directory of its own.
func renderRow(t *testing.T, r worktexts.Row, limits graph.Limits) error {
	t.Helper()
	o := yaytpl.Options{Dir: tree(t, r.Files), Limits: limits}
	if r.Bindings() != "" {
		b, err := bindings.Open(t.Context(), filepath.Join(o.Dir, r.Bindings()), o, yaytpl.NodeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		o.Bindings = b
	}
	p, err := yaytpl.Open(t.Context(), []string{filepath.Join(o.Dir, r.Main())}, o)
	if err != nil {
		return err
	}
	return p.Render(discard{}, yaytpl.RenderOptions{})
}

// allowedFailures are the codes of rows that the sandbox refuses, or that fail as they should.
const allowedFailures = "|forbidden|output|access|not-found|"

type discard struct{}

func (discard) Write(b []byte) (int, error) { return len(b), nil }

// TestWorkHasAllParts: every operator, function, lookup, statement and kind of node has a row.
func TestWorkHasAllParts(t *testing.T) {
	has := map[string]bool{}
	for _, r := range worktexts.Rows(1, 1) {
		for part := range strings.SplitSeq(r.Parts, ", ") {
			has[part] = true
		}
	}
	want := func(kind string, names ...string) {
		if len(names) == 0 {
			t.Errorf("there is no %s", kind)
		}
		for _, name := range names {
			if !has[kind+" "+name] {
				t.Errorf("internal/testing/worktexts/work.txt has no row for %s %s", kind, name)
			}
		}
	}
	for _, d := range expr.Lookups() {
		want("lookup", d.Name)
	}
	for _, d := range expr.EnvFilters() {
		want("envfilter", d.Name)
	}
	for _, b := range yay.Builtins() {
		want("builtin", b.Name)
	}
	for _, d := range expr.Functions() {
		want("function", d.Name)
	}
	want("libraryfunction", elements(t, "expr/function.go", "libraryFunctions")...)
	want("statement", elements(t, "template/compile.go", "heads")...)
	want("directive", elements(t, "merge/misspelt.go", "words")...)
	want("operator", constants(t, "value/arith.go", "Op")...)
	want("operator", constants(t, "value/compare.go", "Op")...)
	want("segment", constants(t, "expr/path.go", "NoKey", "NameKey", "IndexKey", "VarKey", "StarKey")...)
	want("test", constants(t, "expr/path.go", "Test")...)
	want("node", cases(t, "expr/eval.go", "evalNode")...)
	want("yaynode", cases(t, "lang/yay/eval.go", "")...)
	want("graph", methods(t, "graph/node.go", "node")...)
	want("yay", methods(t, "lang/yay/syntax.go", "stanza", "value")...)
}

func syntaxOf(t *testing.T, file string) *ast.File {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", "..", "..", filepath.FromSlash(file)), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func textOf(n ast.Node) string {
	if b, ok := n.(*ast.BasicLit); ok && b.Kind == token.STRING {
		return strings.Trim(b.Value, "\"`")
	}
	return ""
}

// elements returns the first text in each element of a table: the value of a variable.
func elements(t *testing.T, file, table string) (names []string) {
	add := func(v ast.Expr) {
		lit, ok := v.(*ast.CompositeLit)
		if !ok {
			return
		}
		for _, e := range lit.Elts {
			first := ""
			ast.Inspect(e, func(n ast.Node) bool {
				if first == "" && n != nil {
					first = textOf(n)
				}
				return first == ""
			})
			names = append(names, first)
		}
	}
	ast.Inspect(syntaxOf(t, file), func(n ast.Node) bool {
		if n, ok := n.(*ast.ValueSpec); ok && n.Names[0].Name == table && len(n.Values) == 1 {
			add(n.Values[0])
		}
		return true
	})
	return names
}

// constants returns the constants whose names begin with one of prefixes: their texts, or their
// names if they are no texts.
func constants(t *testing.T, file string, prefixes ...string) (names []string) {
	ast.Inspect(syntaxOf(t, file), func(n ast.Node) bool {
		d, ok := n.(*ast.GenDecl)
		if !ok || d.Tok != token.CONST {
			return true
		}
		for _, spec := range d.Specs {
			s := spec.(*ast.ValueSpec)
			for i, id := range s.Names {
				if !slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(id.Name, p) }) {
					continue
				}
				name := id.Name
				if i < len(s.Values) && textOf(s.Values[i]) != "" {
					name = textOf(s.Values[i])
				}
				names = append(names, name)
			}
		}
		return true
	})
	return names
}

// cases returns the types in the type switches of a function, of all functions if it is "".
func cases(t *testing.T, file, function string) (names []string) {
	for _, d := range syntaxOf(t, file).Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || function != "" && f.Name.Name != function {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			s, ok := n.(*ast.TypeSwitchStmt)
			if !ok {
				return true
			}
			for _, c := range s.Body.List {
				for _, e := range c.(*ast.CaseClause).List {
					ast.Inspect(e, func(n ast.Node) bool {
						if id, ok := n.(*ast.Ident); ok && id.Name != "expr" {
							names = append(names, id.Name)
						}
						return true
					})
				}
			}
			return true
		})
	}
	return names
}

// methods returns the types that have one of the methods, or embed a type that has it.
func methods(t *testing.T, file string, of ...string) (names []string) {
	f := syntaxOf(t, file)
	has := map[string]bool{}
	for _, d := range f.Decls {
		if m, ok := d.(*ast.FuncDecl); ok && m.Recv != nil && slices.Contains(of, m.Name.Name) {
			if star, ok := m.Recv.List[0].Type.(*ast.StarExpr); ok {
				has[star.X.(*ast.Ident).Name] = true
			}
		}
	}
	for name := range has {
		embedded := false
		ast.Inspect(f, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			if s, ok := spec.Type.(*ast.StructType); ok {
				for _, field := range s.Fields.List {
					if id, ok := field.Type.(*ast.Ident); ok && len(field.Names) == 0 && id.Name == name {
						embedded = true
						names = append(names, spec.Name.Name)
					}
				}
			}
			return true
		})
		if !embedded && name != "Block" {
			names = append(names, name)
		}
	}
	return names
}
