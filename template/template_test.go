package template

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

func ExampleTemplate_Render() {
	text := "{% for u in users %}{{ u.name }}{{ ', ' if not loop.last }}{% endfor %}"
	t, err := Parse(text, nil, Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	v, err := t.Render(document().scope())
	fmt.Println(v.Str(), err)
	// Output: ann, bob <nil>
}

func TestLenient(t *testing.T) {
	for _, c := range []renderCase{
		{"single", "{{ ghost }}", "'{{ ghost }}'"},
		{"in text", "a {{- ghost.b -}} c", "'a{{ ghost.b }}c'"},
		{"in statements", "{% if ghost %}x{% else %}y{% endif %}{{ghost}}", "'y{{ ghost }}'"},
		{"loops", "{% for x in ghost %}x{% else %}none{% endfor %}", "'none'"},
	} {
		env := document()
		got, err := render(env, c.text, Options{Lenient: true})
		if err != nil || got != c.want {
			t.Errorf("%s: Render(%q) = %s, %v, want %s", c.rule, c.text, got, err, c.want)
		}
		if strings.Contains(c.want, "ghost") && len(env.warnings) != 1 {
			t.Errorf("%s: warnings %q, want one", c.rule, env.warnings)
		}
	}
	if _, err := render(document(), "{{ 1 / 0 }}", Options{Lenient: true}); err == nil {
		t.Error("a division by zero passed in a lenient rendering")
	}
}

func TestMarks(t *testing.T) {
	secret := value.String("pw").Mark(value.Secret)
	sensitive := value.String("pw").Mark(value.Sensitive)
	env := func() *fakeEnv {
		return newEnv("plain", "a", "sec", secret, "sens", sensitive, "l", []any{"a", sensitive})
	}
	for _, c := range []struct {
		rule, text string
		want       value.Marks
	}{
		{"nothing looked at", "a{{ plain }}", 0},
		{"a single expression", "{{ sens }}", value.Sensitive},
		{"joined text", "a{{ sec }}{{ sens }}", value.Secret | value.Sensitive},
		{"a filter result in text", "x{{ 'pw' | sensitive }}", value.Sensitive},
		{"a list written as text", "x{{ l }}", value.Sensitive},
		{"an item of a literal list", "{{ ['a', sens] }}", 0},
		{"a condition", "{% if sens %}a{% endif %}", value.Sensitive},
		{"a loop", "{% for x in l %}{{ loop.index }}{{ x }}{% endfor %}", value.Sensitive},
		{"a captured text", "{% set x %}{{ sec }}{% endset %}a{{ x }}", value.Secret},
		{"a macro", "{% macro m(a) %}{{ a }}{% endmacro %}b{{ m(sens) }}", value.Sensitive},
		{"a literal read from text", "{{ 1 }}{{ sens | replace('pw', '2') }}", value.Sensitive},
		{"a loop filter", "{% for x in [1] if sens %}a{% endfor %}", value.Sensitive},
	} {
		tpl, err := parse(c.text, Options{})
		if err != nil {
			t.Fatalf("%s: %v", c.rule, err)
		}
		v, err := tpl.Render(env().scope())
		if err != nil || v.Marks() != c.want {
			t.Errorf("%s: Render(%q) has marks %b, %v, want %b", c.rule, c.text, v.Marks(), err, c.want)
		}
	}
	tpl, _ := parse("{{ ['a', sens] }}", Options{})
	v, _ := tpl.Render(env().scope())
	if item, _ := v.List().At(1); item.Marks() != value.Sensitive {
		t.Errorf("an item of a list has marks %b, want sensitive", item.Marks())
	}
}

func TestSecretFilesMarkResults(t *testing.T) {
	load := func(name, _ string, _ source.Span) (string, expr.Placer, error) {
		file := &source.File{Name: name, Text: "{% macro m() %}x{% endmacro %}y", Secret: true}
		return file.Text, expr.At(file.Span(0, len(file.Text))), nil
	}
	for _, text := range []string{"a{% include 'f' %}", "a{% from 'f' import m %}{{ m() }}"} {
		tpl, err := parse(text, Options{Loader: load})
		if err != nil {
			t.Fatal(err)
		}
		if v, err := tpl.Render(document().scope()); err != nil || v.Marks() != value.Secret {
			t.Errorf("Render(%q) has marks %b, %v, want secret", text, v.Marks(), err)
		}
	}
}

func TestResultsAreFinal(t *testing.T) {
	for _, text := range []string{"{{ '{' ~ '{ 1 }' ~ '}' }}", "a{{ name }}", "{% set l = [] %}{{ l }}"} {
		tpl, err := parse(text, Options{})
		if err != nil {
			t.Fatal(err)
		}
		v, err := tpl.Render(document().scope())
		if err != nil || !v.IsVerbatim() {
			t.Errorf("Render(%q) is not verbatim (%v)", text, err)
		}
		if _, changeable := v.List().(*list); changeable {
			t.Errorf("Render(%q) can still be changed", text)
		}
	}
}

func TestHintForOtherTools(t *testing.T) {
	for _, text := range []string{
		"{{ .Values.x }}", "{{- .x -}}", "{{ $x }}", "{{ range .items }}", `{{ include "a" . }}`, "{{ if .x }}a{{ end }}",
		"x {{ end }}", `{{ template "x" }}`, `{{- define "x" }}`,
	} {
		_, err := render(document(), text, Options{})
		var d *source.Diagnostic
		if !errors.As(err, &d) || d.Hint != goHintOut {
			t.Errorf("Render(%q): %v with hint %q, want one about another tool", text, err, hintOf(d))
		}
	}
	for _, text := range []string{"{{ 1 + }}", "{{ ghost }}", "{{ inventory_hostname }}", "[[ x ]] {{ ghost }}", "{{ a.b(.5).c }}"} {
		_, err := render(document(), text, Options{})
		var d *source.Diagnostic
		if !errors.As(err, &d) || d.Hint != "" {
			t.Errorf("Render(%q) has the hint %q, want none", text, hintOf(d))
		}
	}
}

func TestStatementHints(t *testing.T) {
	tests := []struct{ text, want string }{
		{"{% if name %}b{% end %}", "{% endif %}"},
		{"{% foreach i in l %}b{% endfor %}", "{% for item in list %}"},
		{"{% for i in l %}b{% endif %}", "write {% endfor %} here"},
		{"{% for i in l %}b", "add {% endfor %}"},
		{"{% for i of l %}b{% endfor %}", "{% for item in list %}"},
		{"{% raw %}x", "{% endraw %}"},
		{"{{ name }", `add the closing "}}"`},
		{"{% if name }}b{% endif %}", `ends with "%}"`},
		{"{% if name = 1 %}b{% endif %}", `"==" compares`},
		{"{% set a 1 %}", "{% set x = ... %}"},
		{"{% set a: 1 %}", "{% set x = ... %}"},
		{"{{ name && name }}", `"and"`},
		{"{{ name || name }}", `"or"`},
		{"{{ !name }}", `"not"`},
		{"{{ name === 1 }}", `"=="`},
		{"{{ name ? 1 : 2 }}", "x if condition else y"},
		{"{{ name++ }}", `there is no "++"`},
		{"{{ name->b }}", "a.b"},
		{"{{ name::b }}", "{eval: ::a::b}"},
		{"{{ {{ name }} }}", "templates do not nest"},
		{"{% if {{ name }} %}b{% endif %}", "templates do not nest"},
		{"{{ [x for x in y] }}", "comprehension"},
		{"{{ ‘a’ }}", "typographic"},
		{"{{ (1 + 2 }}", `closing ")"`},
		{"{{ f(1, [2) }}", `closing "]"`},
		{"{{ {'a': 1 }}", `closing "}"`},
		{"{{ name[0 }}", `closing "]"`},
	}
	for _, tt := range tests {
		_, err := render(document(), tt.text, Options{})
		var d *source.Diagnostic
		if !errors.As(err, &d) || !strings.Contains(d.Hint, tt.want) {
			t.Errorf("Render(%q): %v with hint %q, want %q", tt.text, err, hintOf(d), tt.want)
		}
	}
}

func TestForeignHint(t *testing.T) {
	tests := []struct{ text, token, want string }{
		{"{{- range $i, $x := .items }}", "$", goHint},
		{"{{ toYaml .x | nindent 2 }}", ".", goHint},
		{"{{ (index .x 1) }}", "x", goHint},
		{"{{ a }} {{ end }}", "a", goHint},
		{"{{ printf `a` }}", "`", goHint},
		{"[[ a ]] {{ b }}", "b", maybeHint},
		{"{{ inventory_hostname }}", "inventory_hostname", maybeHint},
		{"{{ x | community.general.f }}", "f", maybeHint},
		{"{{ if a }}b{{ endif }}", "if", "a statement is written {% if %}"},
		{"{{ b }}{{ endif }}", "endif", "a statement is written {% endif %}"},
		{"{{ set.x }} {{ if_x }} {{ block = 1 }}", "set", ""},
		{"{{ 0.5 }} ${{ .x }}", "a", ""},
		{"{{ a }} costs $5 .x `y`", "a", ""},
	}
	for _, tt := range tests {
		if got := foreignHint(tt.text, tt.token, true); got != tt.want {
			t.Errorf("foreignHint(%q, %q) = %q, want %q", tt.text, tt.token, got, tt.want)
		}
	}
}

func hintOf(d *source.Diagnostic) string {
	if d == nil {
		return ""
	}
	return d.Hint
}

func TestErrorsInFiles(t *testing.T) {
	f := files{
		"bad": "a\n{{ 1 + }}", "undef": "x\n y {{ ghost }}", "mid": "\n{% include 'undef' %}",
		"macros": "{% macro m() %}{{ ghost }}{% endmacro %}", "base": "{% block a %}{{ ghost }}{% endblock %}",
	}
	for _, c := range []struct{ text, at, includes string }{
		{"{% include 'bad' %}", "bad:2:8", "main:1:1"},
		{"z\n{% include 'undef' %}", "undef:2:7", "main:2:1"},
		{"{% include 'mid' %}", "undef:2:7", "mid:2:1 main:1:1"},
		{"{% import 'macros' as m %}\n{{ m.m() }}", "macros:1:19", "main:1:1"},
		{"{% extends 'base' %}", "base:1:17", "main:1:1"},
	} {
		_, err := render(document(), c.text, Options{Loader: f.load})
		d := source.AsDiagnostic(err, source.Span{}, "")
		if d == nil {
			t.Errorf("Render(%q) succeeded", c.text)
			continue
		}
		var includes []string
		for _, s := range d.Includes {
			includes = append(includes, s.String())
		}
		if got := strings.Join(includes, " "); d.At.String() != c.at || got != c.includes {
			t.Errorf("Render(%q): error at %s by %q, want %s by %q (%s)", c.text, d.At, got, c.at, c.includes, d.Message)
		}
	}
}

func TestRenderText(t *testing.T) {
	tpl, err := parse("a\n{{ nums }}\n", Options{File: true})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if _, err := tpl.RenderText(document().scope(), &b); err != nil || b.String() != "a\n[1, 2, 3]\n" {
		t.Errorf("RenderText wrote %q, %v", b.String(), err)
	}
	if _, err := tpl.RenderText(document().scope(), fullDisk{}); err == nil {
		t.Error("the error of the writer was dropped")
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestTemplatesAreShared(t *testing.T) {
	text := "{% set l = [] %}{% macro m(x) %}<{{ x }}>{% endmacro %}{% for x in nums %}{% do l.append(m(x)) %}{% endfor %}{{ l | join(',') }}"
	tpl, err := parse(text, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 50 {
				if v, err := tpl.Render(document().scope()); err != nil || v.Str() != "<1>,<2>,<3>" {
					t.Errorf("Render = %q, %v", v.Str(), err)
				}
				if _, err := parse(text, Options{}); err != nil {
					t.Errorf("Parse: %v", err)
				}
			}
		})
	}
	wg.Wait()
}

func FuzzTemplate(f *testing.F) {
	for _, s := range []string{
		"{% for x in nums if x %}{{ loop.index }}{% else %}{% endfor %}", "{% macro m(a, b=1) %}{{ caller() }}{% endmacro %}{% call m(1) %}x{% endcall %}",
		"#jinja2: trim_blocks: True, line_statement_prefix: '%'\n% if on\n{{ x }}\n% endif", "{% set a, (b, c) = [1, [2, 3]] %}{{ a ~ b }}",
		"${{ x }} {{- 'a' -}} {# c #}{% raw %}{{{% endraw %}", "{% include 'self' ignore missing with context %}", "{% extends 'base' %}{% block a scoped %}{{ super() }}{% endblock %}",
		"{% set l = [] %}{% do l.append(l) %}{{ l }}", "{% with a = namespace(b=[]) %}{% set a.b = 1 %}{% endwith %}{% filter upper | trim %}x{% endfilter %}",
		"{% from 'self' import a as b, c without context %}{% import 'base' as m %}{{ m.x }}", "{{ self.a() }}{% block a required %}{% endblock a %}",
		"{% for x in nums recursive %}{% if x %}{% continue %}{% endif %}{{ loop(nums) }}{% break %}{% endfor %}",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		loader := files{"self": text, "base": "<{% block a %}base{% endblock %}>"}
		tpl, err := parse(text, Options{Loader: loader.load, MaxBytes: 1 << 16})
		if err != nil {
			checkFuzzError(t, text, err)
			return
		}
		env := document()
		env.maxSteps, env.maxDepth = 20_000, 500
		v, err := tpl.Render(env.scope())
		if err != nil {
			checkFuzzError(t, text, err)
			return
		}
		if !v.IsVerbatim() {
			t.Errorf("Render(%q) is not verbatim", text)
		}
	})
}

func checkFuzzError(t *testing.T, text string, err error) {
	d := source.AsDiagnostic(err, source.Span{}, "")
	if d.Code == source.Internal {
		t.Errorf("%q: %v", text, d)
	}
	if d.At.IsZero() {
		t.Errorf("%q: an error without a place: %v", text, d)
	}
}

func BenchmarkParse(b *testing.B) {
	page := strings.Repeat("server {\n  name {{ name }};\n{% for u in users %}  user {{ u.name | upper }};\n{% endfor %}\n{% if on %}  port {{ port }};\n{% endif %}}\n", 50)
	for _, c := range []struct{ name, text string }{
		{"single", "{{ users[0].name }}"}, {"text", "http://{{ name }}:{{ port }}/"},
		{"loop", "{% for x in nums %}{{ x }}{% if not loop.last %},{% endif %}{% endfor %}"}, {fmt.Sprintf("page=%d", len(page)), page},
	} {
		f := source.NewFile("main", c.text)
		at := expr.At(f.Span(0, len(c.text)))
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Parse(c.text, at, Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run("render/"+c.name, func(b *testing.B) {
			b.ReportAllocs()
			env := document()
			env.maxSteps = 1 << 60
			s := env.scope()
			tpl, _ := Parse(c.text, at, Options{})
			for b.Loop() {
				if _, err := tpl.Render(s); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// A check looks at branches that no rendering takes, and at every kind of statement.
func TestCheck(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"{{ 'a' | upper }}", ""},
		{"{{ 1 | nosuch }}", `unknown filter "nosuch"`},
		{"{% if false %}{{ 1 | nosuch }}{% endif %}", `unknown filter "nosuch"`},
		{"{% if 1 is nosuch %}x{% endif %}", `unknown test "nosuch"`},
		{"{% for x in [] | nosuch %}{% endfor %}", `unknown filter "nosuch"`},
		{"{% set x = 'a' - 1 %}", `"-" does not apply to a string and an integer`},
		{"{% set x | nosuch %}{% endset %}", `unknown filter "nosuch"`},
		{"{% filter nosuch %}{% endfilter %}", `unknown filter "nosuch"`},
		{"{% macro m(a=1 | nosuch) %}{% endmacro %}", `unknown filter "nosuch"`},
		{"{% with a = 1 | nosuch %}{% endwith %}", `unknown filter "nosuch"`},
	} {
		tmpl, err := Parse(tt.text, nil, Options{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, d := range tmpl.Check(document().Library()) {
			got = append(got, d.Message)
		}
		if s := strings.Join(got, "; "); s != tt.want {
			t.Errorf("Check(%s) = %q, want %q", tt.text, s, tt.want)
		}
	}
}

// TestPieces checks the example in the comment on piece.
func TestPieces(t *testing.T) {
	pieces, err := lex("a{% if x -%} b{{ c }}", 0, &defaultSyntax)
	if err != nil {
		t.Fatal(err.message)
	}
	var got []string
	for _, p := range pieces {
		got = append(got, fmt.Sprintf("%d%q", p.kind, p.text))
	}
	if s := strings.Join(got, " "); s != `0"a" 2" if x " 0"b" 1" c "` {
		t.Errorf("lex returns %s", s)
	}
}

// TestFreezeCopiesSharedDataOnce: a list that holds another one twice, which holds another one
// twice and so on, has 2**60 places.
func TestFreezeCopiesSharedDataOnce(t *testing.T) {
	r := &run{mutable: true}
	leaf := value.FromList(&list{items: value.Slice{value.Int(1)}, run: r})
	v := leaf
	for i := range 60 {
		if v = value.ListOf(v, v); i%2 == 0 {
			m := value.NewMap(1)
			m.Set(value.K("x"), v)
			v = value.FromMap(m)
		}
	}
	frozen, err := r.freeze(v)
	if err != nil {
		t.Fatal(err)
	}
	for !frozen.Is(value.IntKind) {
		if x, ok, _ := frozen.Map().Get(value.K("x")); ok {
			frozen = x
			continue
		}
		l, ok := frozen.List().(value.Slice)
		if !ok {
			t.Fatalf("the result has a %T", frozen.List())
		}
		frozen = l[len(l)-1]
	}
}
