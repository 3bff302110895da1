package system_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/lang/mcl/format"
	"github.com/yaytpl/yaytpl/lang/mcl/syntax"
	"github.com/yaytpl/yaytpl/resource"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// programs returns the programs of the cases of the language.
func programs(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("../../../fixtures/conformance/mcl/*.txtar")
	if err != nil || len(files) < 100 {
		t.Fatalf("%d cases, %v", len(files), err)
	}
	var all []string
	for _, name := range files {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == "main.mcl" })
		if i >= 0 {
			all = append(all, string(archive.Files[i].Data))
		}
	}
	return all
}

// graphOf returns the text of the graph of a program, or its error.
func graphOf(t testing.TB, program string) (string, error) {
	t.Helper()
	d, err := openProgram(t, program, yaytpl.Options{NoEnv: true, Limits: tight})
	if err != nil {
		return "", err
	}
	g, err := d.Resources()
	if err != nil {
		return "", err
	}
	return graphText(t, g), nil
}

func graphText(t testing.TB, g *resource.Graph) string {
	t.Helper()
	var b strings.Builder
	for _, r := range g.Resources {
		fmt.Fprintln(&b, r.ID)
		for _, part := range []value.Map{r.Params, r.Meta} {
			text, err := value.Repr(value.FromMap(part))
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintln(&b, text)
		}
	}
	fmt.Fprintln(&b, g.Edges)
	return b.String()
}

// checkProgram checks laws of any program: its errors have a place, and its formatted text has the same
// graph, or an error of the same code.
func checkProgram(t testing.TB, program string) {
	t.Helper()
	graph, err := graphOf(t, program)
	var d *source.Diagnostic
	switch {
	case errors.Is(err, source.ErrLimit):
		return
	case err != nil && !errors.As(err, &d):
		t.Fatalf("%v is no diagnostic\n%s", err, program)
	case d != nil && d.At.IsZero():
		t.Fatalf("%v has no place\n%s", err, program)
	case d != nil && d.Code == source.Internal:
		t.Fatalf("%v\n%s", err, program)
	}
	if strings.Contains(program, "random1") || strings.Contains(program, "datetime") || strings.Contains(program, "import \"") && strings.Contains(program, ".mcl") {
		return
	}
	tree, bad := syntax.Parse(source.NewFile("site.mcl", program))
	if bad != nil {
		return
	}
	text, bad := format.Format(tree)
	if bad != nil {
		return
	}
	again, other := graphOf(t, text)
	var e *source.Diagnostic
	errors.As(other, &e)
	if graph != again || (d == nil) != (e == nil) || d != nil && d.Code != e.Code {
		t.Fatalf("the formatted program differs: %s%v, %s%v\n%s\n%s", graph, err, again, other, program, text)
	}
}

func TestProgramFormatted(t *testing.T) {
	for _, p := range programs(t) {
		checkProgram(t, p)
	}
}

func FuzzProgram(f *testing.F) {
	for _, p := range programs(f) {
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, program string) { checkProgram(t, program) })
}

// The order of the binds, functions, classes and edges of a program does not matter.
func TestProgramOrder(t *testing.T) {
	statements := []string{
		`$a = $b + 1`, `$b = $c * 2`, `$c = twice(3)`, `func twice($x) { $x + $x }`,
		"class web($port int) {\n\tsvc $name {\n\t\tport => $port + $offset,\n\t}\n\t$name = \"web\"\n}",
		`$offset = $a`, `include web(80) as w`, `Svc["web"] -> Note["n"]`,
		"note \"n\" {\n\tv => $w.name,\n\tw => $l[1] <|> $a,\n}", `$l = [$c,]`,
	}
	want, err := graphOf(t, strings.Join(statements, "\n"))
	if err != nil {
		t.Fatal(err)
	}
	for range 30 {
		statements = append(statements[3:], statements[:3]...)
		statements[0], statements[5] = statements[5], statements[0]
		if got, err := graphOf(t, strings.Join(statements, "\n")); err != nil || got != want {
			t.Fatalf("%s%v, want %s in the order\n%s", got, err, want, strings.Join(statements, "\n"))
		}
	}
}

// A loop is its turns written out.
func TestProgramLoop(t *testing.T) {
	loop, err := graphOf(t, "for $i, $x in [\"a\", \"b\", \"c\"] {\n\tvm $x {\n\t\tn => $i,\n\t\tBefore => Note[\"n\"],\n\t}\n}\nnote \"n\" {}\n")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for i, x := range []string{"a", "b", "c"} {
		fmt.Fprintf(&b, "vm %q {\n\tn => %d,\n\tBefore => Note[\"n\"],\n}\n", x, i)
	}
	written, err := graphOf(t, b.String()+"note \"n\" {}\n")
	if err != nil || written != loop {
		t.Errorf("%s%v, want %s", written, err, loop)
	}
}

// quoted returns a text as a literal of a program.
func quoted(text string) string {
	return strings.ReplaceAll(strconv.QuoteToASCII(text), "$", `\x24`)
}

// fieldV returns the field v of the only resource of a program, or the error of the program or the field.
func fieldV(t *testing.T, program string) (value.Value, error) {
	t.Helper()
	d, err := openProgram(t, program, yaytpl.Options{NoEnv: true, Limits: tight})
	if err != nil {
		return value.Null, err
	}
	v, err := d.Get("resources[0].params.v")
	if err == nil {
		err = d.Force(v)
	}
	var found *source.Diagnostic
	if err != nil && (!errors.As(err, &found) || found.At.IsZero() || found.Code != source.Runtime && found.Code != source.Limit) {
		t.Fatalf("%v\n%s", err, program)
	}
	return v, err
}

// FuzzProgramTemplate: a template of golang.template is a text or an error with a place, within the limits.
func FuzzProgramTemplate(f *testing.F) {
	for _, text := range []string{
		"{{ .A }}", "{{ .a }}-{{ index .list 1 }}", "{{ range $i, $x := .list }}{{ $i }}{{ $x }}{{ end }}", "{{ range 5 }}{{ end }}",
		"{{ with .m }}{{ .k }}{{ else }}x{{ end }}", `{{ strings_to_upper "a" }}{{ math_minus1 3 }}`, `{{ define "t" }}{{ template "t" }}{{ end }}`,
		"{{ printf \"%d %s %v\" 1 \"a\" .m }}", "{{ .m.nope }}", "{{ call .a }}", "{{ block \"b\" . }}{{ end }}", "{{/* c */}}{{- 1 -}}", "{{ len .list | html }}", "{{ break }}",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			return
		}
		v, err := fieldV(t, "import \"golang\"\nnote \"n\" {\n\tv => golang.template("+quoted(text)+", struct{a => 1, list => [\"x\", \"y\"], m => {\"k\" => 2.5}}),\n}\n")
		if err == nil && !v.Is(value.StringKind) {
			t.Fatalf("%q gives no text", text)
		}
	})
}

// withoutRepeats returns JSON whose maps have the last value of each key. With several of them encoding/json
// wants the type of each, where decode_json reads the last.
func withoutRepeats(t *testing.T, text string) []byte {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var data any
	if err := d.Decode(&data); err != nil {
		t.Fatalf("decode_json reads %q, encoding/json does not: %v", text, err)
	}
	last, err := json.Marshal(data)
	if err != nil {
		t.Fatal(err)
	}
	return last
}

// FuzzProgramJSON: what decode_json reads is what encoding/json reads, where it has the type that is asked
// for.
func FuzzProgramJSON(f *testing.F) {
	for _, text := range []string{
		`{"a": [1, 2], "b": {"x": 1.5}, "c": true}`, `{"c": false, "b": {}, "a": []}`, `{"a": [1e3], "b": {}, "c": true}`, `{"a": [], "a": [1], "b": {}, "c": true}`,
		`{"a": null}`, `[1]`, `{"a": [9223372036854775808], "b": {}, "c": true}`, `{"a": [], "b": {"\ud800": -0}, "c": true} x`, ``, `{"A": [], "b": {"y": 1e999}, "c": true}`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			return
		}
		v, err := fieldV(t, "import \"encoding\"\n$v struct{a []int; b map{str: float}; c bool} = encoding.decode_json("+quoted(text)+")\nnote \"n\" {\n\tv => $v,\n}\n")
		if err != nil {
			return
		}
		var want struct {
			A []int64
			B map[string]float64
			C bool
		}
		if err := json.Unmarshal(withoutRepeats(t, text), &want); err != nil {
			t.Fatalf("decode_json reads %q, encoding/json does not: %v", text, err)
		}
		a, _, _ := v.Map().Get(value.K("a"))
		b, _, _ := v.Map().Get(value.K("b"))
		c, _, _ := v.Map().Get(value.K("c"))
		if a.List().Len() != len(want.A) || b.Map().Len() != len(want.B) || c.Bool() != want.C {
			t.Fatalf("%q: %v, want %v", text, v, want)
		}
		for i, n := range want.A {
			item, _ := a.List().At(i)
			if got, _ := item.Int(); got != n {
				t.Fatalf("%q: %d, want %d", text, got, n)
			}
		}
		for k, n := range want.B {
			if item, ok, _ := b.Map().Get(value.K(k)); !ok || item.Float() != n {
				t.Fatalf("%q: %v under %q, want %v", text, item, k, n)
			}
		}
	})
}
