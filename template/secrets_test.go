package template

import (
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// secrets is a document with the secret pw, the secret number pin, the text url of
// which a part is secret, and plain values.
func secrets(t *testing.T) *fakeEnv {
	pw := value.String("hunter2").Mark(value.Secret)
	url, err := value.Add(value.String("db://"), pw)
	if err != nil {
		t.Fatal(err)
	}
	return newEnv(
		"pw", pw, "pin", value.Int(42).Mark(value.Secret), "url", url, "cloud", value.String("swordfish").Mark(value.Sensitive),
		"empty", value.String("").Mark(value.Secret), "name", "web", "nums", []any{1, 2},
		"hosts", []any{map[string]any{"name": "a", "pw": pw}, map[string]any{"name": "b", "pw": "x"}},
		"vault", value.FromMap(value.NewMap(0)).Mark(value.Secret), "pins", value.ListOf(value.Int(4), value.Int(2)).Mark(value.Secret),
	)
}

// "" in the column masked means that nothing is secret.
func TestSecretParts(t *testing.T) {
	for _, c := range []struct{ text, masked string }{
		// joined by writing
		{"http://{{ name }}/", ""},
		{"http://{{ pw }}@{{ name }}/", "http://*****@web/"},
		{"{{ pw }}", "*****"},
		{"{{ pw }}{{ pw }}", "**********"},
		{"n={{ pin }}", "n=*****"},
		{"{{ pin }}", "*****"},
		{"{{ pin }}{{ 0 }}", "*****"}, // 420 is a number
		{"<{{ url }}>", "<db://*****>"},
		{"{{ url }}", "db://*****"},
		{"<{{ 'a' ~ pw }}>", "<a*****>"},
		{"<{{ [1, pw] }}>", "<*****>"},
		{"<{{ {'k': pw} }}>", "<*****>"},
		{"<{{ {pw: 1} }}>", "<*****>"},
		{"<{{ empty }}>", "*****"},
		{"{{ cloud }} {{ pw }}", "<<REDACTED>>"},
		{"a {{ cloud }}", "<<REDACTED>>"},
		{"{{ 1 }}{{ pw }}{{ [] }}", "1*****[]"},
		{"{{ [] }}{{ empty }}", "*****"},
		{"{{ name }}{# pw #}", ""},
		{"{% autoescape true %}<{{ url }}&{{ pw }}{{ [name] }}{% endautoescape %}", "<db://*****&*****[&#39;web&#39;]"},
		{"{% autoescape true %}{{ [pw] }}{% endautoescape %}", "*****"},
		{"{% autoescape pw %}{{ name }}{% endautoescape %}", "*****"},
		{"{% autoescape true %}<{{ name ~ (pw | safe) }}>{% endautoescape %}", "<web*****>"},
		{"<{{ (name | safe) + pw }}>", "<web*****>"},
		// values that decide which text is written
		{"<{{ 'a' if pw else 'b' }}>", "<*****>"},
		{"<{{ 'a' if pw }}>{{ name }}", "*****"},
		{"<{{ 'a' if not pw }}>{{ name }}", "*****"},
		{"<{{ url if pw }}>", "*****"},
		{"<{{ nums[0] if pw == 'x' else 7 }}>", "<*****>"},
		{"<{{ [pw] == ['x'] }}>", "<*****>"},
		{"<{{ pw | length }}>", "<*****>"},
		// operations that do not know better
		{"<{{ url | upper }}>", "<*****>"},
		{"<{{ pw.upper() }}>", "<*****>"},
		{"<{{ url[0] }}>", "<*****>"},
		{"<{{ [pw, 'b'] | join('-') }}>", "<*****>"}, // of this library
		{"<{{ ['a', 'b'] | join('-') }}>", ""},
		// if
		{"a{% if pw %}b{% endif %}", "*****"},
		{"a{% if true %}{{ pw }}{% endif %}", "a*****"},
		{"a{% if name == pw %}b{% else %}c{% endif %}", "*****"},
		{"a{% if not pw %}b{% elif name %}c{% endif %}", "*****"},
		{"a{% if pw is defined %}{{ pw }}{% endif %}", "*****"},
		// for
		{"{% for x in ['a', pw] %}{{ x }};{% endfor %}", "a;*****;"},
		{"{% for c in pw %}{{ c }};{% endfor %}", "*****"},
		{"{% for c in url %}{{ c }};{% endfor %}", "*****"},
		{"{% for h in hosts %}{{ h.name }}={{ h.pw }};{% endfor %}", "a=*****;b=x;"},
		{"{% for h in hosts if h.pw %}{{ h.name }};{% endfor %}", "*****"},
		{"{% for h in hosts %}{{ h.name }};{% endfor %}", ""},
		{"{% for k in vault %}x{% else %}y{% endfor %}", "*****"},
		{"a{% for k in pins %}x{% endfor %}", "*****"},
		{"a{% for i in nums %}{% if pw == i %}{% break %}{% endif %}x{% endfor %}", "*****"},
		{"{% for x in ['a', pw] %}{{ loop.nextitem if not loop.last }};{% endfor %}", "*****;;"},
		{"{% for x in [pw, 'a'] recursive %}{{ x }}{{ loop(['b', pw]) if loop.last and loop.depth == 1 }};{% endfor %}", "*****;ab;*****;;"},
		// set, with
		{"{% set x = pw %}<{{ x }}>", "<*****>"},
		{"{% set x = 'a' ~ pw %}<{{ x }}>", "<a*****>"},
		{"{% set x %}a{{ pw }}{% endset %}<{{ x }}>", "<a*****>"},
		{"{% set x %}a{% if pw %}b{% endif %}{% endset %}<{{ x }}>", "<*****>"},
		{"{% set x | upper %}a{{ pw }}{% endset %}<{{ x }}>", "<*****>"},
		{"{% set x %}{{ pin }}{% endset %}<{{ x }}>", "<*****>"},
		{"{% set x = [pw] == ['x'] %}<{{ x }}>", "<*****>"},
		{"{% set a, b = 'a', pw %}{{ a }}:{{ b }}", "a:*****"},
		{"{% set a, b = pins %}{{ a }}:{{ b }}", "*****:*****"},
		{"{% with x = pw %}<{{ x }}>{% endwith %}", "<*****>"},
		{"{% set x = pw %}<{{ name }}>", "*****"}, // was looked at
		// namespaces, lists and maps that change
		{"{% set ns = namespace(x='') %}{% set ns.x = 'a' ~ pw %}<{{ ns.x }}>", "<a*****>"},
		{"{% set ns = namespace(x='') %}{% for c in pw %}{% set ns.x = ns.x ~ c %}{% endfor %}<{{ ns.x }}>", "*****"},
		{"{% set l = [] %}{% set _ = l.append(pw) %}{% set _ = l.append('a') %}{% for x in l %}{{ x }};{% endfor %}", "*****;a;"},
		{"{% set l = [] %}{% do l.extend(pw) %}{% for x in l %}{{ x }}{% endfor %}", "*****"},
		{"{% set l = [] %}{% do l.extend(pins) %}{% for x in l %}{{ x }};{% endfor %}", "*****"},
		{"{% set d = {} %}{% do d.update({'k': pw}) %}{{ d.k }}:{{ name }}", "*****:web"},
		{"{% set d = {} %}{% do d.update({pw: 1}) %}{% for k in d %}{{ k }}{% endfor %}", "*****"},
		{"{% set d = {} %}{% do d.update([[pw, 1]]) %}{% for k in d %}{{ k }}{% endfor %}", "*****"},
		{"{% set d = {} %}{% do d.setdefault(pw, 1) %}{% for k in d %}{{ k }}{% endfor %}", "*****"},
		{"{% set ns = namespace(x='') %}{% macro m() %}{% for c in pw %}{% set ns.x = ns.x ~ 'y' %}{% endfor %}{% endmacro %}{{ m() }}{{ ns.x }}", "*****"},
		{"{% set l = [3, 4] %}{{ name }}{{ l.pop(pin - 42) }}", "web*****"},
		// macros, call, filter
		{"{% macro m(x) %}({{ x }}){% endmacro %}a{{ m(pw) }}", "a(*****)"},
		{"{% macro m(x) %}({{ x }}){% endmacro %}a{{ m(1) }}", ""},
		{"{% macro m(x) %}{% if x %}y{% endif %}{% endmacro %}a{{ m(pw) }}", "a*****"},
		{"{% macro m(x) %}{{ x }}{% endmacro %}{{ m(url) ~ '!' }}", "db://*****!"},
		{"{% macro m() %}<{{ caller() }}>{% endmacro %}{% call m() %}a{{ pw }}{% endcall %}", "<a*****>"},
		{"{% filter upper %}a{{ pw }}{% endfilter %}b", "*****b"},
		{"{% filter upper %}a{% endfilter %}{{ pw }}", "A*****"},
		{"{% autoescape true %}a{{ pw }}{% endautoescape %}", "a*****"},
		// results that are no text
		{"{% set x = 1 %}{{ [pw, 1] }}", "*****"},
		{"{{ '[' }}{{ pw }}", "[*****"},
		{"[{{ pin }}, 1]", "*****"},
		{"{% raw %}{{ pw }}{% endraw %}{{ pw }}", "{{ pw }}*****"},
	} {
		tpl, err := parse(c.text, Options{})
		if err != nil {
			t.Fatal(err)
		}
		v, err := tpl.Render(secrets(t).scope())
		if err != nil {
			t.Errorf("Render(%s): %v", c.text, err)
			continue
		}
		if masked, hidden := value.Masked(v); masked != c.masked || hidden != (c.masked != "") {
			text, _ := value.Text(v)
			t.Errorf("Render(%s) is %s, shown as %q, want %q", c.text, text, masked, c.masked)
		}
	}
}

// Files that are put together keep their parts, unless one of them is secret itself.
func TestSecretPartsOfFiles(t *testing.T) {
	texts := files{
		"part": "<{{ pw }}>", "base": "[{% block a %}{% endblock %}{{ pw }}]", "macros": "{% macro m(x) %}({{ x }}){% endmacro %}{% set k = 'v' ~ pw %}",
		"cases": "{% if pw %}{% set k = 1 %}{% endif %}", "hidden": "x{{ name }}", "hiddenchild": "{% extends 'base' %}{% block a %}b{% endblock %}",
	}
	load := func(name, from string, _ source.Span) (string, expr.Placer, error) {
		text, _, err := texts.load(name, from, source.Span{})
		f := &source.File{Name: name, Text: text, Secret: strings.HasPrefix(name, "hidden")}
		return text, expr.At(f.Span(0, len(text))), err
	}
	for text, want := range map[string]string{
		"a{% include 'part' %}b":                                                   "a<*****>b",
		"{% extends 'base' %}{% block a %}b{{ pw }}{% endblock %}":                 "[b**********]",
		"{% extends 'base' %}{% block a %}{{ super() }}c{% endblock %}":            "[c*****]",
		"{% import 'macros' as m %}{{ m.m(pw) }}{{ m.k }}":                         "(*****)v*****",
		"{% from 'macros' import m, k %}{{ m('a') }}{{ k }}":                       "(a)v*****",
		"{% from 'cases' import k %}a{{ k }}":                                      "*****",
		"a{% include 'hidden' %}":                                                  "*****",
		"a{% set x %}{% include 'hidden' %}{% endset %}{{ x }}":                    "a*****",
		"a{% include 'hiddenchild' %}":                                             "*****",
		"{% block a %}{{ pw }}{% endblock %}{{ self.a() ~ '!' }}":                  "**********!",
		"a{% include 'hidden' ignore missing %}{{ name }}":                         "*****",
		"{% import 'hidden' as h %}{{ name }}{% include 'part' %}":                 "*****",
		"{% block a %}{% if pw %}x{% endif %}{% endblock %}{{ name }}":             "*****",
		"{% set x %}{{ self.a() }}{% endset %}{% block a %}{% endblock %}{{ pw }}": "*****",
	} {
		for _, whole := range []bool{false, true} {
			tpl, err := parse(text, Options{Loader: load, File: whole})
			if err != nil {
				t.Fatal(err)
			}
			v, err := tpl.Render(secrets(t).scope())
			if masked, _ := value.Masked(v); err != nil || masked != want {
				t.Errorf("Render(%s) is shown as %q, %v, want %q", text, masked, err, want)
			}
		}
	}
}

// A template in an encrypted file may be a password that looks like one.
func TestErrorsOfSecretTemplates(t *testing.T) {
	for _, text := range []string{
		"{{ hunter2 }}", "x{{ hunter2 }}", "{{ hunter2 ", "{% hunter2 %}", "{{ 'hunter2' hunter2 }}", "{{ {}.hunter2 }}",
		"{{ 'hunter2'() }}", "{% for hunter2 in 5 %}{% endfor %}", "{% set hunter2.x = 1 %}", "{{ 1 | hunter2 }}", "{% macro hunter2(a, a) %}", "{% if hunter2 %}{% endif %}",
		"{{ .hunter2 }}", "{% endhunter2 %}", "{% block a %}{% endblock hunter2 %}",
	} {
		f := &source.File{Name: "s.yaml.gpg", Text: text, Secret: true}
		for _, lenient := range []bool{false, true} {
			env := secrets(t)
			tpl, err := Parse(text, expr.At(f.Span(0, len(text))), Options{Lenient: lenient, Loader: files{}.load})
			said := ""
			if err == nil {
				for _, d := range tpl.Check(env.Library()) {
					said += d.Error() + d.Hint
				}
				_, err = tpl.Render(env.scope())
			}
			if err != nil {
				said += err.Error() + source.AsDiagnostic(err, source.Span{}, "").Hint
			} else if !lenient {
				t.Errorf("%s: no error", text)
			}
			if said += strings.Join(env.warnings, ""); strings.Contains(said, "hunter2") {
				t.Errorf("%s: %s", text, said)
			}
		}
	}
}
