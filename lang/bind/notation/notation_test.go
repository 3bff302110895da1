package notation

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/yaytpl/yaytpl/lang/bind"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// budget allows a number of steps.
type budget struct{ steps, depth int }

var errBudget = errors.New("budget")

func (b *budget) Step(n int) error {
	if b.steps -= n; b.steps < 0 {
		return errBudget
	}
	return nil
}

func (b *budget) Enter() error {
	if b.depth++; b.depth > 1000 {
		return errBudget
	}
	return nil
}

func (b *budget) Leave() { b.depth-- }

// scope returns one with facts.
func scope() *bind.Scope {
	facts := value.NewMap(2)
	facts.Set(value.K("role"), value.String("db"))
	facts.Set(value.K("n"), value.Int(3))
	return bind.NewScope(bind.Config{Facts: facts, Budget: &budget{steps: 100_000}})
}

// written writes a value as a part of a text.
func written(t *testing.T, v value.Value) string {
	t.Helper()
	text, err := textOf(scope(), v, maxText)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// expression parses a text as an expression.
func expression(text string) (bind.Expr, *source.Diagnostic) {
	p := newParser(text, source.NewFile("x.pp", text).Span)
	var x bind.Expr
	d := p.run(func() {
		x = p.expression()
		if p.tok.kind != endToken {
			p.expected("the end")
		}
	})
	return x, d
}

// TestExpressions: the operators have Puppet's meaning. Results are written as in a source;
// "error" is one of evaluation, "syntax" one of parsing.
func TestExpressions(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"1 + 2 * 3", "7"},
		{"7 / 2", "3"},
		{"7.0 / 2", "3.5"},
		{"-7 % 3", "2"},
		{"1 / 0", "error"},
		{"'A' == 'a'", "true"},
		{"'a' in 'BAR'", "true"},
		{"'x' in [X, y]", "true"},
		{"a in {a => 1}", "true"},
		{"1 in '123'", "false"},
		{"[1, [A]] == [1, ['a']]", "true"},
		{"1 == '1'", "false"},
		{"'web7' =~ /^web\\d+$/", "true"},
		{"'db' !~ /web/", "true"},
		{"5 =~ Integer[1, 5]", "true"},
		{"[a] + [b]", "[a, b]"},
		{"[a] + b", "[a, b]"},
		{"{a => 1} + {a => 2, b => 3}", "{a => 2, b => 3}"},
		{"[a, b, a] - [a]", "[b]"},
		{"{a => 1, b => 2} - [a]", "{b => 2}"},
		{"'a' + 1", "error"},
		{"'a' < 'B'", "true"},
		{"1 < 'a'", "error"},
		{"!undef", "true"},
		{"undef or ''", "true"},
		{"false and nonsense()", "false"},
		{"nonsense()", "error"},
		{"$role", "db"},
		{"$::role", "db"},
		{"$facts['role']", "db"},
		{"$nope", "error"},
		{`"is $role, ${role}, ${n + 1}, \${role} \$n ${facts['n']}"`, "is db, db, 4, ${role} $n 3"},
		{`'is $role'`, "is $role"},
		{`"[${[1, undef]}]"`, "[[1, ]]"},
		{"if $role == DB { yes } else { no }", "yes"},
		{"unless $role { yes }", ""},
		{"if false { 1 } elsif true { 2 } else { 3 }", "2"},
		{"case $role { web, db: { one } default: { two } }", "one"},
		{"case 'web7' { /^db/: { a } /^web/: { b } }", "b"},
		{"$role ? { /d/ => x, default => y }", "x"},
		{"$n ? { 1 => x, default => y }", "y"},
		{"[1, 2, 3][-1]", "3"},
		{"[1][5]", ""},
		{"{a => {b => 1}}[a][b]", "1"},
		{"1[0]", "error"},
		{"(1 in [1])", "true"},
		{"0x1F + 010", "39"},
		{"1.5e1", "15.0"},
		{"1_0", "syntax"},
		{"[1, 2", "syntax"},
		{"'open", "syntax"},
		{`"${1"`, "syntax"},
		{"Integr", "syntax"},
		{"Type[?? x]", "syntax"},
		{"/(/", "syntax"},
		{strings.Repeat("(", 5000), "syntax"},
		{strings.Repeat("[", 900) + strings.Repeat("]", 900), "syntax"},
	} {
		x, d := expression(test.text)
		if d != nil {
			if test.want != "syntax" {
				t.Errorf("%s: %v", test.text, d)
			}
			continue
		}
		v, err := x.Eval(scope())
		got := "error"
		if err == nil {
			got = written(t, v)
		}
		if got != test.want {
			t.Errorf("%s: got %s, %v, want %s", test.text, got, err, test.want)
		}
		if c, ok := x.Constant(); ok && err == nil {
			if same, err := value.Equal(c, v); err != nil || !same {
				t.Errorf("%s: the constant differs from the value", test.text)
			}
		}
	}
}

// TestConditions: nesting and lists become alternatives.
func TestConditions(t *testing.T) {
	for text, want := range map[string]string{
		"role web":                            "role web",
		"role web or mail":                    "role web | role mail",
		"role web or virtual true":            "role web | virtual true",
		"role [web, mail] and virtual true":   "role web & virtual true | role mail & virtual true",
		"virtual true and (role a or b)":      "virtual true & role a | virtual true & role b",
		"common":                              "",
		"a 1 or (b 2 and c 3) or d 4":         "a 1 | b 2 & c 3 | d 4",
		"(role a or b) and (rack r1 or r2)":   "role a & rack r1 | role a & rack r2 | role b & rack r1 | role b & rack r2",
		"role web or mail or rack r1 and a 1": "role web | role mail | rack r1 & a 1",
	} {
		f, err := ParsePP(source.NewFile("x.pp", "bindings default { when "+text+" { } }"))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		var out []string
		for _, tests := range f.Site.Sets[0].Ops[0].(*bind.When).Cond {
			var parts []string
			for _, c := range tests {
				v, _ := c.Value.Constant()
				parts = append(parts, c.Category+" "+written(t, v))
			}
			out = append(out, strings.Join(parts, " & "))
		}
		if got := strings.Join(out, " | "); got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

// TestManyAlternatives: a condition that multiplies ends with an error.
func TestManyAlternatives(t *testing.T) {
	text := "bindings default { when " + strings.TrimSuffix(strings.Repeat("a [1, 2] and ", 20), " and ") + " { } }"
	_, err := ParsePP(source.NewFile("x.pp", text))
	if !errors.Is(err, source.ErrLimit) {
		t.Errorf("got %v", err)
	}
}

// seeds returns the bindings of the conformance cases.
func seeds(f *testing.F, ending string) {
	files, err := filepath.Glob("../../../fixtures/conformance/bindings/*.txtar")
	if err != nil || len(files) == 0 {
		f.Fatal("no cases")
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range txtar.Parse(data).Files {
			if strings.HasSuffix(file.Name, ending) {
				f.Add(string(file.Data))
			}
		}
	}
}

// inside reports whether a diagnostic is in the text.
func inside(t *testing.T, err error, text string) {
	d := (*source.Diagnostic)(nil)
	if !errors.As(err, &d) {
		t.Fatalf("no diagnostic: %v", err)
	}
	if d.At.File == nil || int(d.At.End) > len(text) || d.At.Start > d.At.End {
		t.Errorf("%v is not in the text", d)
	}
}

// evaluateAll evaluates all values of a file.
func evaluateAll(f *File) {
	s := scope()
	for _, v := range f.Site.Variables {
		_, _ = v.Value.Eval(s)
	}
	var walk func(ops []bind.Op)
	walk = func(ops []bind.Op) {
		for _, op := range ops {
			switch op := op.(type) {
			case *bind.When:
				walk(op.Do)
			case *bind.Bind:
				if op.Value != nil {
					_, _ = op.Value.Eval(s)
				}
			}
		}
	}
	for _, set := range f.Site.Sets {
		walk(set.Ops)
	}
}

// FuzzParsePP: any text gives a file or an error with a place, and its values end.
func FuzzParsePP(f *testing.F) {
	seeds(f, ".pp")
	f.Fuzz(func(t *testing.T, text string) {
		file, err := ParsePP(source.NewFile("x.pp", text))
		if err != nil {
			inside(t, err, text)
			return
		}
		evaluateAll(file)
	})
}

// TestErrorsOfYAML: what the form in YAML does not allow, and where.
func TestErrorsOfYAML(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"bindings: {b: [{multibind: {a: b}, type: 'Array[String]'}]}\n", "x.yaml:1:28: 'multibind' must be a text [syntax]"},
		{"bindings: {b: [{bind: [a], to: 1}]}\n", "x.yaml:1:23: 'bind' must be a text [syntax]"},
		{"bindings: {b: [{multibind: , as: id}]}\n", "x.yaml:1:17: a multibind needs a type: Array[...] or Hash[...] [syntax]"},
		{"bindings: {b: {values: &a {k: [*a]}}}\n", "x.yaml:1:32: the anchor \"a\" contains its own alias [cycle]"},
		{"bindings: {b: {values: {k: &a [1], l: *a, m: *a}}}\n", "<nil>"},
	} {
		f := source.NewFile("x.yaml", tt.text)
		docs, findings := yaml.Parse(f, yaml.ParseOptions{NoTemplates: true})
		if len(findings) > 0 {
			t.Fatal(findings[0])
		}
		if _, err := ParseYAML(f, docs[0].Root); fmt.Sprint(err) != tt.want {
			t.Errorf("%s: got %v, want %s", tt.text, err, tt.want)
		}
	}
}

// FuzzParseYAML: the same for the form in YAML.
func FuzzParseYAML(f *testing.F) {
	seeds(f, ".yaml")
	f.Fuzz(func(t *testing.T, text string) {
		file := source.NewFile("x.yaml", text)
		docs, _ := yaml.Parse(file, yaml.ParseOptions{NoTemplates: true})
		if len(docs) == 0 || !IsYAML(docs[0].Root) {
			return
		}
		parsed, err := ParseYAML(file, docs[0].Root)
		if err != nil {
			inside(t, err, text)
			return
		}
		evaluateAll(parsed)
	})
}
