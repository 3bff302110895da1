package docs_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/lang/yay"
	"github.com/yaytpl/yaytpl/source"
)

// generated lists the parts of pages between <!-- NAME --> and <!-- end -->, with the
// functions that write them.
var generated = []struct {
	path, name string
	text       func(t *testing.T) string
}{
	{"docs/templates.md", "filters", func(*testing.T) string { return families("filter") }},
	{"docs/templates.md", "tests", func(*testing.T) string { return families("test") }},
	{"docs/templates.md", "globals", func(*testing.T) string { return families("global") }},
	{"docs/templates.md", "lookups", func(*testing.T) string { return families("lookup") }},
	{"docs/expressions.md", "functions", functionTable},
	{"docs/errors.md", "errors", errorKinds},
	{"docs/yay.md", "functions", yayFunctions},
}

// TestGenerated compares the generated parts of pages with the output of their functions.
// With -update it writes them.
func TestGenerated(t *testing.T) {
	for _, g := range generated {
		t.Run(g.path+"/"+g.name, func(t *testing.T) {
			p := readPage(t, g.path)
			text := strings.Join(p.lines, "\n") + "\n"
			before, rest, ok := strings.Cut(text, "<!-- "+g.name+" -->\n")
			have, after, ok2 := strings.Cut(rest, "<!-- end -->\n")
			if !ok || !ok2 {
				t.Fatalf("%s has no part <!-- %s -->", g.path, g.name)
			}
			want := g.text(t)
			if have == want {
				return
			}
			if *update {
				writeFile(t, root+"/"+g.path, before+"<!-- "+g.name+" -->\n"+want+"<!-- end -->\n"+after)
				return
			}
			t.Errorf("%s: the part %q is outdated; go test ./docs -update writes it", g.path, g.name)
		})
	}
}

// families lists the filters, tests or other callables of templates by family, one line for each.
func families(kind string) string {
	var b strings.Builder
	family := ""
	for _, d := range yaytpl.FilterHelp() {
		if d.Kind != kind {
			continue
		}
		if d.Family != family {
			family = d.Family
			fmt.Fprintf(&b, "\n**%s**\n\n", family)
		}
		fmt.Fprintf(&b, "- `%s`: %s\n", d.Name, sentence(d.Doc))
	}
	return strings.TrimPrefix(b.String(), "\n")
}

// functionTable lists the functions of expressions. A function of the evaluator hides
// the function of the library with the same name.
func functionTable(*testing.T) string {
	var b strings.Builder
	b.WriteString("| function | description | example | result |\n|---|---|---|---|\n")
	seen := map[string]bool{}
	all := yaytpl.FilterHelp()
	for _, own := range []bool{true, false} {
		for _, d := range all {
			if d.Kind != "function" || (d.Family == "expressions") != own || seen[d.Name] {
				continue
			}
			seen[d.Name] = true
			example := d.Example
			if !strings.HasPrefix(example, "{eval:") {
				example = "{eval: " + example + "}"
			}
			fmt.Fprintf(&b, "| `%s` | %s | `%s` | `%s` |\n", d.Name, cell(sentence(d.Doc)), cell(example), cell(d.Result))
		}
	}
	return b.String()
}

// yayFunctions lists the functions of Yay expressions.
func yayFunctions(*testing.T) string {
	var b strings.Builder
	b.WriteString("| function | description |\n|---|---|\n")
	forms := strings.NewReplacer("), ", ")`, `", " or ", "` or `")
	for _, f := range yay.Builtins() {
		fmt.Fprintf(&b, "| `%s` | %s |\n", forms.Replace(cell(f.Usage)), strings.ReplaceAll(cell(sentence(f.Doc)), "<", "&lt;"))
	}
	return b.String()
}

// cell escapes a text for a cell of a table.
func cell(s string) string { return strings.ReplaceAll(strings.TrimSpace(s), "|", "\\|") }

// sentence adds a full stop to s, and makes its first letter a capital unless s begins with an
// operand, such as the a of "a / b".
func sentence(s string) string {
	if first, rest, _ := strings.Cut(s, " "); len(first) > 1 || rest == "" || unicode.IsLetter(rune(rest[0])) {
		s = strings.ToUpper(s[:1]) + s[1:]
	}
	return strings.TrimSuffix(s, ".") + "."
}

// errorKinds writes a section for each error code: the meaning, and the example with its files,
// command and message.
func errorKinds(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	for _, c := range source.Codes() {
		fmt.Fprintf(&b, "## %s\n\n%s\n\n", c.Code, sentence(c.Meaning))
		_, example, _ := strings.Cut(help(t, "help", "errors", string(c.Code)), c.Meaning+"\n")
		b.WriteString(example)
		if example != "" {
			b.WriteString("\n")
		}
	}
	return b.String()
}
