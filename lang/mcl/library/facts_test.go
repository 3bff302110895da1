package library

import (
	"cmp"
	_ "embed"
	"fmt"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/lang/mcl/syntax"
)

//go:embed testdata/functions.txt
var factsText string

// facts returns the blocks of testdata/functions.txt by the names of their functions, without the examples.
func facts(t *testing.T) (rows, examples map[string]string) {
	rows, examples = map[string]string{}, map[string]string{}
	for block := range strings.SplitSeq(strings.TrimSpace(factsText), "\n\n") {
		if strings.HasPrefix(block, "#") {
			continue
		}
		name, _, _ := strings.Cut(block, " ")
		if rows[name] != "" {
			t.Errorf("%s is there twice", name)
		}
		head, example, found := strings.Cut(block, " -> ")
		if found {
			i := strings.LastIndex(head, "\n")
			examples[name] = head[i+2:] + " -> " + example
			head = head[:i]
		}
		rows[name] = head
	}
	return rows, examples
}

// The table has the functions of the specification with their classes, aliases and types, and no others.
func TestFacts(t *testing.T) {
	rows, _ := facts(t)
	for f := range All() {
		got := factOf(t, f)
		if got != rows[f.Name] {
			t.Errorf("the table has\n%s\nthe specification\n%s", got, cmp.Or(rows[f.Name], "nothing"))
		}
		delete(rows, f.Name)
	}
	for name := range rows {
		t.Errorf("the table has no %s", name)
	}
}

// The examples of the specification are those of the table, which are evaluated elsewhere. Where what
// they ask varies, the table may have another one.
func TestFactExamples(t *testing.T) {
	_, examples := facts(t)
	for f := range All() {
		want := examples[f.Name]
		if want == "" || f.Class != Pure {
			continue
		}
		if got := f.Example + " -> " + f.Result; got != want {
			t.Errorf("the table has the example\n%s\nthe specification\n%s", got, want)
		}
	}
}

// factOf returns the block of a function.
func factOf(t *testing.T, f *Func) string {
	t.Helper()
	class := []string{"pure", "host", "time"}[f.Class]
	if f.Old {
		class = "2018"
	}
	lines := []string{strings.TrimSpace(fmt.Sprintf("%s %s %s", f.Name, class, f.Alias))}
	for _, text := range f.Signatures {
		signature, err := syntax.ParseType(text)
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		nameless(signature)
		if f.Rule == Variadic {
			signature.Variadic = true
		}
		lines = append(lines, "\t"+signature.String())
	}
	return strings.Join(lines, "\n")
}

// nameless removes the names of parameters, which mean nothing, from a type.
func nameless(t *syntax.Type) {
	if t == nil {
		return
	}
	nameless(t.Key)
	nameless(t.Elem)
	for i := range t.Fields {
		if t.Kind == syntax.FuncType {
			t.Fields[i].Name = ""
		}
		nameless(t.Fields[i].Type)
	}
}
