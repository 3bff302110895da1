package pongo2_test

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/source"
)

// at renders a template of files in memory, row.tpl, with the document data.yaml.
func at(t testing.TB, files map[string]string, o yaytpl.Options, r yaytpl.RenderOptions) (string, error) {
	t.Helper()
	o.Dir = t.TempDir()
	o.Roots = []string{o.Dir}
	o.Overlay = map[string]string{filepath.Join(o.Dir, "data.yaml"): "a: 1\n"}
	for name, text := range files {
		o.Overlay[filepath.Join(o.Dir, name)] = text
	}
	return rendered(t, files["row.tpl"], o, r)
}

// TestHostile renders templates that try to exceed the limits. Each ends with an error in a line of the template or of a
// file that it includes.
func TestHostile(t *testing.T) {
	const list = "l: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]\nbig: \"{{ range(100000) | list }}\"\ntext: \"{{ 'a' * 1000000 }}\"\n"
	nest := func(n int, open, inner, shut string) string {
		return strings.Repeat(open, n) + inner + strings.Repeat(shut, n)
	}
	chain := strings.Repeat("|escapejs", 20)
	for _, row := range []struct {
		name, text string
		code       source.Code
	}{
		{"a loop without output", nest(12, "{% for x in l %}", "", "{% endfor %}"), source.Limit},
		{"a range of 10^9", `{% for x in "a"|ljust:1000000000 %}{% endfor %}`, source.Limit},
		{"a macro that calls itself", "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", source.Limit},
		{"macros that call each other", "{% macro a() %}{{ b() }}{% endmacro %}{% macro b() %}{% if a %}{{ a() }}{% endif %}{% endmacro %}{{ a() }}", source.Limit},
		{"a macro that calls itself with filters", "{% macro m(x) %}{% filter cut:m(x)|upper %}{{ x }}{% endfilter %}{% endmacro %}{{ m(1)|upper }}", source.Limit},
		{"a macro in a default of its own", "{% macro m(x=m()) %}{% endmacro %}{{ m() }}", source.Limit},
		{"macros that call two each", doubling(40), source.Limit},
		{"an include of itself", `{% include "row.tpl" %}`, source.Limit},
		{"an include of itself by a computed name", `{% with n="row.tpl" %}{% include n %}{% endwith %}`, source.Limit},
		{"extends itself", `{% extends "row.tpl" %}`, source.Limit},
		{"blocks that contain each other", `{% extends "base.tpl" %}{% block a %}{% block b %}{{ block.Super }}{% endblock %}{% endblock %}`, source.Limit},
		{"ssi", `{% ssi "/etc/passwd" %}`, source.Forbidden},
		{"10^6 blocks", nest(1_000_000, "{% if l %}", "", "{% endif %}"), source.Limit},
		{"2,000 brackets", "{{ " + nest(2_000, "(", "1", ")") + " }}", source.Limit},
		{"10^6 operators", "{{ 1" + strings.Repeat("+1", 1_000_000) + " }}", source.Limit},
		{"10^6 filters", "{{ 1" + strings.Repeat("|upper", 1_000_000) + " }}", source.Limit},
		{"10^6 powers", "{{ 1" + strings.Repeat("^1", 1_000_000) + " }}", source.Limit},
		{"10^7 parts", strings.Repeat("{{ 1 }}", 1_000_000), source.Limit},
		{"much output", "{% for x in big %}{{ text }}{% endfor %}", source.Limit},
		{"much output of static text", "{% for x in big %}{% for y in big %}" + strings.Repeat("x", 1000) + "{% endfor %}{% endfor %}", source.Limit},
		{"a text that doubles", "{% set x = text %}" + strings.Repeat("{% set x = x + x %}", 40), source.Limit},
		{"a text that doubles in brackets", "{% set x = text %}" + strings.Repeat("{% set x = (x) + (x) %}", 40), source.Limit},
		{"a text that doubles by a filter", "{% set x = text %}" + strings.Repeat("{% set x = x|add:x %}", 40), source.Limit},
		{"a text that a macro doubles", "{% macro m(x) %}{{ x }}{{ x }}{% endmacro %}{% set x = text %}" + strings.Repeat("{% set x = m(x) %}", 40), source.Limit},
		{"a text that cycle doubles", "{% macro m(x) %}{% cycle x %}{% cycle x %}{% endmacro %}{% set x = text %}" + strings.Repeat("{% set x = m(x) %}", 40), source.Limit},
		{"ljust", `{{ "a"|ljust:1000000000 }}`, source.Limit},
		{"ljust of a computed width", `{{ "a"|ljust:"1e18" }}`, source.Limit},
		{"center", `{{ "a"|center:1000000000000 }}`, source.Limit},
		{"floatformat", `{{ 1.5|floatformat:1000000000 }}`, source.Limit},
		{"floatformat of less than nothing", `{{ 1.5|floatformat:"-1000000000" }}`, source.Limit},
		{"stringformat", `{{ 1|stringformat:"` + strings.Repeat("%1000000d", 1000) + `" }}`, source.Limit},
		{"join", `{{ text|join:text }}`, source.Limit},
		{"join of join", `{{ "aaaaaaaaaa"` + strings.Repeat(`|join:"bbbbbbbbbb"`, 20) + ` }}`, source.Limit},
		{"escapejs", `{{ "%%%%"` + chain + ` }}`, source.Limit},
		{"a filter tag with escapejs", "{% filter escapejs" + chain + " %}%%{% endfilter %}", source.Limit},
		{"a filter tag with join", "{% filter join:text %}{{ text }}{% endfilter %}", source.Limit},
		{"a filter tag with ljust", "{% filter ljust:1000000000 %}a{% endfilter %}", source.Limit},
		{"a filter tag with lorem", "{% filter upper %}{% lorem 1000000000 %}{% endfilter %}", source.Limit},
		{"a filter tag of a loop", "{% filter upper %}{% for x in big %}{{ text }}{% endfor %}{% endfilter %}", source.Limit},
		{"loops over a large list in one another", "{% set l = text|make_list %}" + nest(200, "{% for x in l %}", "", "{% endfor %}"), source.Limit},
		{"loops whose variable has the name of their state", "{% for forloop in l %}{% for x in l %}{% endfor %}{% endfor %}", source.BadValue},
		{"the name of the hook", "{% macro yaytpl_hook() %}{% endmacro %}", source.Syntax},
		{"endcomment with an argument", "{% comment %}{% endcomment x %}", source.Syntax},
		{"a filter that panics", `{{ "a"|removetags:"(" }}`, source.BadValue},
		{"a division by zero", "{{ 1 / 0 }}", source.BadValue},
		{"a pattern that is too large", `{{ "a"|removetags:"(((a{1000}){1000}){1000}){1000}" }}`, source.BadValue},
	} {
		t.Run(row.name, func(t *testing.T) {
			limits := graph.Limits{Steps: 500_000, Output: 64 << 20}
			files := map[string]string{
				"row.tpl": row.text, "data.yaml": list,
				"base.tpl": "{% block b %}{% block a %}{% endblock %}{% endblock %}",
			}
			got, err := at(t, files, yaytpl.Options{Limits: limits}, yaytpl.RenderOptions{})
			var d *source.Diagnostic
			if !errors.As(err, &d) {
				t.Fatalf("the result is %.100q, %v", got, err)
			}
			if d.Code != row.code || d.At.IsZero() {
				t.Errorf("the error is %v", err)
			}
		})
	}
}

// doubling returns n macros that each call the one before twice.
func doubling(n int) string {
	text := "{% macro m0() %}{% endmacro %}"
	for i := 1; i <= n; i++ {
		before, now := string(rune('a'+i/26))+string(rune('a'+i%26)), string(rune('a'+(i+1)/26))+string(rune('a'+(i+1)%26))
		text += "{% macro m" + now + "() %}{{ m" + before + "() }}{{ m" + before + "() }}{% endmacro %}"
	}
	return text + "{{ m" + string(rune('a'+(n+1)/26)) + string(rune('a'+(n+1)%26)) + "() }}"
}

// TestDeadline renders a template with a filter that is busy for longer.
func TestDeadline(t *testing.T) {
	ctx, stop := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer stop()
	dir := t.TempDir()
	name := filepath.Join(dir, "row.tpl")
	p, err := yaytpl.Open(ctx, []string{filepath.Join(dir, "data.yaml")}, yaytpl.Options{Dir: dir, Roots: []string{dir}, Overlay: map[string]string{
		filepath.Join(dir, "data.yaml"): "text: \"{{ '<a' * 300000 }}\"\ntags: \"{{ 'a,' * 300 }}\"\nother: 1\n",
		name:                            "{{ text|removetags:tags|length }}{{ other }}",
	}})
	if err != nil {
		t.Fatal(err)
	}
	err = p.Documents()[0].Template(name, &bytes.Buffer{}, yaytpl.RenderOptions{Dialect: "pongo2"})
	var d *source.Diagnostic
	if !errors.As(err, &d) || d.Code != source.Timeout {
		t.Fatalf("the error is %v", err)
	}
}

// TestMarks checks that what a template reads decides whether its result is masked.
func TestMarks(t *testing.T) {
	const data = "open: 1\nname-2: two\nmap: {pw: {eval: {sensitive: hunter2}}, user: u}\n"
	for _, row := range []struct {
		text, want string
		code       source.Code
	}{
		{`{{ open }}{{ ROOT["name-2"] }}{{ ROOT.open }}`, "1two1", ""},
		{"{{ map.user }}", "", source.Redacted},
		{"{% if map %}{% endif %}", "", source.Redacted},
		{"{{ ROOT|length }}", "", source.Redacted},
		{"{% include map.pw %}", "", source.MissingInclude},
		{"{{ 'a'|yesno:map.pw }}", "", source.BadValue},
		{"{% filter yesno:map.pw %}{% endfilter %}", "", source.BadValue},
		{"{{ 'a'|removetags:map.user|removetags:'('|add:map.pw }}", "", source.BadValue},
	} {
		got, err := at(t, map[string]string{"row.tpl": row.text, "data.yaml": data}, yaytpl.Options{}, yaytpl.RenderOptions{})
		var d *source.Diagnostic
		if errors.As(err, &d); got != row.want || (err != nil) != (row.code != "") || err != nil && d.Code != row.code {
			t.Errorf("%s: %q, %v", row.text, got, err)
		}
		if err != nil && strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: the error has the secret: %v", row.text, err)
		}
		if row.code == source.Redacted {
			got, err := at(t, map[string]string{"row.tpl": row.text, "data.yaml": data}, yaytpl.Options{}, yaytpl.RenderOptions{Reveal: true})
			if err != nil || strings.Contains(got, "REDACTED") {
				t.Errorf("%s with Reveal: %q, %v", row.text, got, err)
			}
		}
	}
}

// TestPlaces checks the places of errors, after texts that were rewritten, and of the includes that lead to them.
func TestPlaces(t *testing.T) {
	for _, row := range []struct{ text, included, want string }{
		{"# yaytpl: dialect=pongo2\na\n{{ 1|upper }}{{ name|upper|nofilter }}", "", `row.tpl:3:28: template error: filter 'nofilter' does not exist [syntax]`},
		{"{% for x in l|slice:':1' %}{{ x.part }}{% endfor %}", "", "row.tpl:1:31: can't access a field by name on type int (variable x.part) [bad-value]"},
		{"é{% if 1 %}{{ l|yesno:'a' }}{% endif %}", "", "row.tpl:1:17: the filter yesno fails: you must either pass no or at least 2 arguments to the 'yesno'-filter (got: 'a') [bad-value]"},
		{"{% macro m(x) %}\n{{ x.y }}{% endmacro %}{{ m(1)|upper }}", "", "row.tpl:2:4: can't access a field by name on type int (variable x.y) [bad-value]"},
		{"a\n{% include 'b/inc.tpl' %}", "x\n {{ 'a'|slice:'1' }}", "b/inc.tpl:2:9: the filter slice fails: slice string must have the format 'from:to' [from/to can be omitted, but the ':' is required] [bad-value] row.tpl:2:12"},
		{"a\n{% with n='b/inc.tpl' %}{% include n %}{% endwith %}", "{% include 'c.tpl' %}", `b/inc.tpl:1:12: cannot read the template "c.tpl": no such file: b/c.tpl [missing-include] row.tpl:2:25`},
		{"{% if a %}", "", "row.tpl:1:4: template error: if has no end [syntax]"},
		{"{{ a ; }}", "", `row.tpl:1:6: template error: unexpected character ';' [syntax]`},
		{"{{ a\n}}", "", "row.tpl:1:5: template error: a line break, which a tag must not have [syntax]"},
		{"{% endfor %}", "", "row.tpl:1:4: template error: unexpected endfor [syntax]"},
		{"{{ bad }}", "", "data.yaml:2:10: \"missing\" is undefined [undefined]"},
	} {
		files := map[string]string{"row.tpl": row.text, "b/inc.tpl": row.included, "data.yaml": "l: [1]\nbad: \"{{ missing }}\"\n"}
		_, err := at(t, files, yaytpl.Options{}, yaytpl.RenderOptions{})
		var d *source.Diagnostic
		if !errors.As(err, &d) {
			t.Errorf("%s: %v", row.text, err)
			continue
		}
		got := filepath.ToSlash(d.Error())
		for _, in := range d.Includes {
			got += " " + in.String()
		}
		if got != row.want {
			t.Errorf("%s\n\tis  %s\n\tnot %s", row.text, got, row.want)
		}
	}
}

// TestConcurrently renders the same templates in several projects at once.
func TestConcurrently(t *testing.T) {
	files := map[string]string{
		"row.tpl":   `{% extends "base.tpl" %}{% block a %}{% for x in l %}{% cycle "a" "b" %}{{ x|floatformat:2|ljust:6 }}{{ forloop.Counter }}{% ifchanged x %}c{% else %}d{% endifchanged %}{% endfor %}{% endblock %}`,
		"base.tpl":  "{% macro m(x) export %}{{ x|upper }}{% endmacro %}{% block a %}{% endblock %}{{ m(name) }}",
		"data.yaml": "l: [1, 1, 2]\nname: quay\n",
	}
	const want = "a1.00  1cb1.00  2da2.00  3cQUAY"
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 10 {
				if got, err := at(t, files, yaytpl.Options{}, yaytpl.RenderOptions{}); got != want || err != nil {
					t.Errorf("the result is %q, %v", got, err)
					return
				}
			}
		})
	}
	group.Wait()
}

// TestInputs checks that a project knows what a template has read, and that files are below the roots.
func TestInputs(t *testing.T) {
	dir := t.TempDir()
	texts := map[string]string{
		"data.yaml":    "a: 1\n",
		"t/row.tpl":    `{% include "part.tpl" %}{% include "none.tpl" if_exists %}{% now "2006" %}{{ "a"|random }}`,
		"t/part.tpl":   "p",
		"t/out.tpl":    `{% include "../../outside.tpl" %}`,
		"t/header.tpl": "# yaytpl: dialect=jinja\n{{ 1 }}",
	}
	o := yaytpl.Options{Dir: dir, Roots: []string{dir}, Overlay: map[string]string{}, Now: func() time.Time { return time.Date(1999, 1, 1, 0, 0, 0, 0, time.UTC) }}
	for name, text := range texts {
		o.Overlay[filepath.Join(dir, name)] = text
	}
	p, err := yaytpl.Open(t.Context(), []string{filepath.Join(dir, "data.yaml")}, o)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	template := func(name string) error {
		return p.Documents()[0].Template(filepath.Join(dir, name), &out, yaytpl.RenderOptions{Dialect: "pongo2"})
	}
	if err := template("t/row.tpl"); err != nil || out.String() != "p1999a" {
		t.Fatalf("the result is %q, %v", out.String(), err)
	}
	got := ""
	for _, in := range p.Inputs() {
		name, err := filepath.Rel(dir, in.Name)
		if err != nil {
			name = in.Name
		}
		got += string(in.Kind) + " " + filepath.ToSlash(name) + "\n"
	}
	for _, want := range []string{"file t/row.tpl\n", "file t/part.tpl\n", "absent t/none.tpl\n", "clock", "random"} {
		if !strings.Contains(got, want) {
			t.Errorf("the inputs lack %q:\n%s", want, got)
		}
	}
	var d *source.Diagnostic
	if err := template("t/out.tpl"); !errors.As(err, &d) || d.Code != source.Forbidden && d.Code != source.MissingInclude {
		t.Errorf("a file past the roots: %v", err)
	}
}
