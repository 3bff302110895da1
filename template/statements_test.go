package template

import (
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/source"
)

type renderCase struct{ rule, text, want string }

func document() *fakeEnv {
	return newEnv(
		"name", "web", "port", 80, "on", true, "nums", []any{1, 2, 3},
		"users", []any{map[string]any{"name": "ann"}, map[string]any{"name": "bob"}},
		"m", map[string]any{"k": "v"},
		"tree", []any{
			map[string]any{"n": "a", "kids": []any{map[string]any{"n": "b", "kids": []any{}}}},
			map[string]any{"n": "c", "kids": []any{}},
		},
	)
}

func checkRender(t *testing.T, cases []renderCase, opts Options) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			got, err := render(document(), c.text, opts)
			if err != nil {
				t.Fatalf("Render(%q): %v", c.text, err)
			}
			if got != c.want {
				t.Errorf("Render(%q) = %s, want %s", c.text, got, c.want)
			}
		})
	}
}

func TestStatements(t *testing.T) {
	checkRender(t, []renderCase{
		{"if", "{% if on %}y{% endif %}", "'y'"},
		{"if without result", "{% if not on %}y{% endif %}", "''"},
		{"elif", "{% if 0 %}yes{% elif 1 %}maybe{% else %}no{% endif %}", "'maybe'"},
		{"else", "{% if 0 %}yes{% elif 0 %}maybe{% else %}no{% endif %}", "'no'"},
		{"if has no scope of its own", "{% if 1 %}{% set x = 5 %}{% endif %}{{ x }}", "5"},
		{"for", "{% for x in nums %}<{{ x }}>{% endfor %}", "'<1><2><3>'"},
		{"for over a map goes through its keys", "{% for k in m %}{{ k }}{% endfor %}", "'k'"},
		{"for over text goes through characters", "{% for c in 'aé' %}{{ c }}.{% endfor %}", "'a.é.'"},
		{"for unpacks", "{% for k, v in {'p': 1, 'q': 2}.items() %}{{ k }}{{ v }};{% endfor %}", "'p1;q2;'"},
		{"for unpacks nested targets", "{% for a, (b, c) in [[1, [2, 3]]] %}{{ a }}-{{ b }}-{{ c }}{% endfor %}", "'1-2-3'"},
		{"for with a filter counts the items left", "{% for x in [1,2,3,4] if x is even %}{{ loop.index }}/{{ loop.length }}:{{ x }} {% endfor %}.", "'1/2:2 2/2:4 .'"},
		{"for else", "{% for x in [] %}x{% else %}none{% endfor %}", "'none'"},
		{"for else when the filter leaves nothing", "{% for x in nums if x > 9 %}x{% else %}none{% endfor %}", "'none'"},
		{"for over a tuple", "{% for x in 'a', 'b' %}{{ x }}{% endfor %}", "'ab'"},
		{"loop counters", "{% for x in 'abc' %}{{ loop.index }}{{ loop.index0 }}{{ loop.revindex }}{{ loop.revindex0 }}{{ x }} {% endfor %}.", "'1032a 2121b 3210c .'"},
		{"loop.first and last", "{% for x in nums %}{{ loop.first }}{{ loop.last }} {% endfor %}.", "'TrueFalse FalseFalse FalseTrue .'"},
		{"loop.cycle", "{% for x in nums %}{{ loop.cycle('odd', 'even') }} {% endfor %}.", "'odd even odd .'"},
		{"loop.changed", "{% for x in [1,1,2] %}{{ loop.changed(x) }} {% endfor %}.", "'True False True .'"},
		{"loop neighbours", "{% for x in nums %}{{ loop.previtem | default('-') }}{{ x }}{{ loop.nextitem | default('-') }} {% endfor %}.", "'-12 123 23- .'"},
		{"recursive loop", "{% for t in tree recursive %}{{ loop.depth }}{{ t.n }}({{ loop(t.kids) }}){% endfor %}", "'1a(2b())1c()'"},
		{"inner loop hides the outer one", "{% for x in 'ab' %}{% for y in 'z' %}{{ loop.length }}{% endfor %}{{ loop.length }}{% endfor %}", "1212"},
		{"variables of a loop last for one iteration", "{% set x = 'a' %}{% for i in nums %}{% set x = x ~ i %}{{ x }} {% endfor %}{{ x }}", "'a1 a2 a3 a'"},
		{"break", "{% for x in nums %}{% if x == 2 %}{% break %}{% endif %}{{ x }}.{% endfor %}end", "'1.end'"},
		{"continue", "{% for x in nums %}{% if x == 2 %}{% continue %}{% endif %}{{ x }}:{% endfor %}", "'1:3:'"},
		{"break in an else belongs to the outer loop", "{% for x in nums %}{{ x }};{% for y in [] %}{% else %}{% break %}{% endfor %}{% endfor %}", "'1;'"},
		{"inline if without else", "{% for x in nums %}{{ x }}{{ '; ' if not loop.last }}{% endfor %}", "'1; 2; 3'"},
		{"set", "{% set n = 4 %}{{ n + 1 }}", "5"},
		{"set several", "{% set a, b = 1, 'x' %}{{ b }}{{ a }}", "'x1'"},
		{"set a tuple", "{% set t = 1, 2 %}{{ t }}", "[1, 2]"},
		{"set with a body", "{% set x %}a{{ port }}{% endset %}{{ x }}{{ x }}", "'a80a80'"},
		{"set with a body and filters", "{% set x | trim | upper %} ab {% endset %}[{{ x }}]", "'[AB]'"},
		{"a set name hides a key", "{% set name = 'db' %}{{ name }}", "'db'"},
		{"namespace", "{% set ns = namespace(t=0) %}{% for x in nums %}{% set ns.t = ns.t + x %}{% endfor %}{{ ns.t }}", "6"},
		{"namespace with a list", "{% set ns = namespace(l=[]) %}{% for x in nums %}{% set ns.l = ns.l + [x] %}{% endfor %}{{ ns.l }}", "[1, 2, 3]"},
		{"a body sets a namespace attribute", "{% set ns = namespace() %}{% set ns.a %}x{% endset %}{{ ns.a }}", "'x'"},
		{"with", "{% with a = 1, b = 'z' %}{{ a }}{{ b }}{% endwith %}{{ a | default('gone') }}", "'1zgone'"},
		{"filter", "{% filter upper | replace('A', 'o') %}ab{{ name }}{% endfilter %}", "'oBWEB'"},
		{"print", "{% print 1, 'a' ~ port %}.{% print %}", "'1a80.'"},
		{"print of one value keeps its type", "{% print nums %}", "[1, 2, 3]"},
		{"namespace in an expression", "{% macro m(n) %}{% set n.x = n.x + 1 %}{{ n.x }}{% endmacro %}{{ m(namespace(x=1)) }}{{ [namespace(x=5)][0].x }}", "25"},
		{"true is an index, and a number after a sign", "{{ nums[true] }}{{ nums[true:] }}{{ +true }}", "'2[2, 3]1'"},
		{"with unpacks", "{% with a, b = [1, 2], c = 3 %}{{ a }}-{{ b }}-{{ c }}{% endwith %}", "'1-2-3'"},
		{"a loop over a display may change its lists", "{% for l in [[1, 2], [3]] %}{{ l.pop() }}{{ l }};{% endfor %}", "'2[1];3[];'"},
		{"kwargs in a text does not count as used", "{% macro m() %}kwargs{% endmacro %}{{ m() }}", "'kwargs'"},
		{"do", "{% set l = [] %}{% do l.append(1) %}x", "'x'"},
		{"autoescape", "{% autoescape on %}<{{ '&' }}>{{ nums }}{{ ['<'] }}{% endautoescape %}", "'<&amp;>[1, 2, 3][&#39;&lt;&#39;]'"},
		{"raw", "{% raw %}{{ x }}{% if %}{% endraw %}", "'{{ x }}{% if %}'"},
		{"comment in a template", "a{# {{ nope }} #}b{{ '' }}", "'ab'"},
	}, Options{})
}

func TestMacros(t *testing.T) {
	checkRender(t, []renderCase{
		{"macro", "{% macro m(a, b='z') %}{{ a }}{{ b }};{% endmacro %}{{ m(1) }}{{ m(1, 2) }}{{ m(b=3, a='q') }}", "'1z;12;q3;'"},
		{"defaults see earlier parameters", "{% macro m(a, b=a ~ '!') %}{{ b }}{% endmacro %}{{ m('x') }}", "'x!'"},
		{"varargs and kwargs", "{% macro m(a) %}{{ a }}{{ varargs }}{{ kwargs }}{% endmacro %}{{ m(1, 2, 3, k=4) }}", `"1[2, 3]{'k': 4}"`},
		{"a missing argument is undefined", "{% macro m(a) %}{{ a | default('none') }}{% endmacro %}{{ m() }}.", "'none.'"},
		{"macros see names set later", "{% macro m() %}{{ late }}{% endmacro %}{% set late = 'x' %}{{ m() }}", "'x'"},
		{"macros call macros defined later", "{% macro a() %}<{{ b() }}>{% endmacro %}{% macro b() %}b{% endmacro %}{{ a() }}", "'<b>'"},
		{"recursive macro", "{% macro f(n) %}{{ n }}{% if n > 0 %},{{ f(n - 1) }}{% endif %}{% endmacro %}[{{ f(3) }}]", "[3, 2, 1, 0]"},
		{"macro attributes", "{% macro m(a, b=1) %}{% endmacro %}{{ m.name }} {{ m.arguments }}", `"m ['a', 'b']"`},
		{"call", "{% macro box() %}<{{ caller() }}>{% endmacro %}{% call box() %}in {{ name }}{% endcall %}", "'<in web>'"},
		{"call with arguments", "{% macro each(l) %}{% for x in l %}{{ caller(x) }}{% endfor %}{% endmacro %}{% call(u) each(users) %}{{ u.name }};{% endcall %}", "'ann;bob;'"},
		{"a body sees the variables around it", "{% macro m() %}{{ caller() }}{% endmacro %}{% for x in 'ab' %}{% call m() %}{{ x }}.{% endcall %}{% endfor %}", "'a.b.'"},
		{"variables of a macro are local", "{% set x = 1 %}{% macro m() %}{% set x = 2 %}{% endmacro %}{{ m() }}{{ x }}", "1"},
		{"parameters hide variables", "{% set a = 1 %}{% macro m(a) %}{{ a }}{% endmacro %}{{ m(5) }}-{{ a }}", "'5-1'"},
	}, Options{})
}

func TestMutation(t *testing.T) {
	checkRender(t, []renderCase{
		{"append in a loop", "{% set l = [] %}{% for u in users %}{% set _ = l.append(u.name) %}{% endfor %}{{ l }}", "['ann', 'bob']"},
		{"append by do", "{% set l = [1] %}{% do l.append([2]) %}{% do l[1].append(3) %}{{ l }}", "[1, [2, 3]]"},
		{"update", "{% set d = {} %}{% for u in users %}{% set _ = d.update({u.name: loop.index}) %}{% endfor %}{{ d }}", "{'ann': 1, 'bob': 2}"},
		{"nested literals", "{% set d = {'l': []} %}{% do d.l.append(1) %}{{ d }}", "{'l': [1]}"},
		{"a namespace holds a changeable list", "{% set ns = namespace(l=[]) %}{% do ns.l.append(1) %}{{ ns.l }}", "[1]"},
		{"two names for one list", "{% set a = [] %}{% set b = a %}{% do b.append(1) %}{{ a }}", "[1]"},
		{"extend, insert, pop, remove", "{% set l = [1] %}{% do l.extend([2, 3]) %}{% do l.insert(0, 0) %}{% do l.remove(2) %}{{ l.pop() }}{{ l }}", "'3[0, 1]'"},
		{"setdefault and pop of a map", "{% set d = {'a': 1} %}{% do d.setdefault('b', []).append(2) %}{{ d.pop('a') }}{{ d }}", `"1{'b': [2]}"`},
		{"a filter makes a copy", "{% set l = nums | list %}{% do l.append(4) %}{{ l }}{{ nums }}", "'[1, 2, 3, 4][1, 2, 3]'"},
		{"sort, reverse", "{% set l = [2, 3, 1] %}{% do l.sort() %}<{{ l }}{% do l.reverse() %}{{ l }}{% do l.sort(reverse=true) %}{{ l }}", "'<[1, 2, 3][3, 2, 1][3, 2, 1]'"},
		{"clear", "{% set l = [1] %}{% set d = {'a': 1} %}{% do l.clear() %}{% do d.clear() %}{{ l }}{{ d }}", "'[]{}'"},
		{"popitem", "{% set d = {'a': 1, 'b': 2} %}{{ d.popitem() }}{{ d }}", `"['b', 2]{'a': 1}"`},
		{"a condition makes a list", "{% set l = [1] if on else [] %}{% do l.append(2) %}{{ l }}", "[1, 2]"},
		{"append says nothing", "{% set l = [] %}{{ l.append(1) or '' }}{{ l }}", "[1]"},
		{"a list may change while it is read", "{% set l = [1, 2] %}{% for x in l %}{% do l.append(x) %}{% endfor %}{{ l }}", "[1, 2, 1, 2]"},
	}, Options{})
}

func TestFiles(t *testing.T) {
	f := files{
		"inc":       "[{{ name }}{{ x | default('-') }}]\n",
		"macros":    "{% macro hi(n) %}hi {{ n }}{{ suffix }}{% endmacro %}{% set suffix = '!' %}{% set _hidden = 1 %}text",
		"ctx":       "{% macro show() %}{{ x | default('no x') }}{% endmacro %}",
		"base":      "<{% block title %}base{% endblock %}|{% block body %}{% endblock %}>",
		"mid":       "{% extends 'base' %}{% block title %}mid {{ super() }}{% endblock %}",
		"scoped":    "{% for x in nums %}{% block item scoped %}{{ x }}{% endblock %}{% endfor %}",
		"unscoped":  "{% for x in nums %}{% block item %}{{ x | default('?') }}{% endblock %}{% endfor %}",
		"required":  "{% block must required %}{% endblock %}",
		"nested":    "{% include 'inc' %}+{% include 'inc' %}",
		"withMacro": "{% import 'macros' as m %}{{ m.hi('deep') }}",
	}
	checkRender(t, []renderCase{
		{"include", "{% include 'inc' %}.", "'[web-].'"},
		{"include sees the variables", "{% set x = 1 %}{% include 'inc' %}.", "'[web1].'"},
		{"include without context", "{% set x = 1 %}{% include 'inc' without context %}.", "'[web-].'"},
		{"include in a loop", "{% for x in nums %}{% include 'inc' %}{% endfor %}.", "'[web1][web2][web3].'"},
		{"include of the first that exists", "{% include ['nope', 'inc'] %}.", "'[web-].'"},
		{"include ignore missing", "a{% include 'nope' ignore missing %}b", "'ab'"},
		{"include ignore missing with context", "a{% include ['nope', 'no'] ignore missing with context %}b", "'ab'"},
		{"include by a computed name", "{% include 'in' ~ 'c' %}.", "'[web-].'"},
		{"include of an include", "{% include 'nested' %}", "'[web-]+[web-]'"},
		{"import", "{% import 'macros' as m %}{{ m.hi('a') }} {{ m.suffix }}", "'hi a! !'"},
		{"import hides underscored names", "{% import 'macros' as m %}{{ m._hidden is defined }}.", "'False.'"},
		{"from import", "{% from 'macros' import hi as hello, suffix %}{{ hello('b') }}{{ suffix }}", "'hi b!!'"},
		{"import is without context", "{% set x = 1 %}{% from 'ctx' import show %}{{ show() }}", "'no x'"},
		{"import with context", "{% set x = 1 %}{% from 'ctx' import show with context %}{{ show() }}", "1"},
		{"import in an included file", "{% include 'withMacro' %}", "'hi deep!'"},
		{"extends", "{% extends 'base' %}ignored{% block body %}b{{ name }}{% endblock %}", "'<base|bweb>'"},
		{"super", "{% extends 'base' %}{% block title %}{{ super() }}+{% endblock %}", "'<base+|>'"},
		{"three levels", "{% extends 'mid' %}{% block title %}top {{ super() }}{% endblock %}", "'<top mid base|>'"},
		{"names set by a child are seen in blocks", "{% extends 'base' %}{% set t = 'T' %}{% block title %}{{ t }}{% endblock %}", "'<T|>'"},
		{"a child's macros are seen in blocks", "{% extends 'base' %}{% macro m() %}M{% endmacro %}{% block title %}{{ m() }}{% endblock %}", "'<M|>'"},
		{"scoped blocks see loop variables", "{% extends 'scoped' %}{% block item scoped %}<{{ x }}>{% endblock %}", "'<1><2><3>'"},
		{"other blocks do not", "{% include 'unscoped' %}", "'???'"},
		{"self", "{% block a %}x{% endblock %}{{ self.a() }}{{ self.a() }}", "'xxx'"},
		{"required blocks are overridden", "{% extends 'required' %}{% block must %}ok{% endblock %}", "'ok'"},
		{"an include outside of the blocks of a child is written", "{% extends 'base' %}x{% include 'inc' %}y{% if on %}{% include 'inc' %}{% endif %}", "'[web-][web-]<base|>'"},
		{"a call outside of the blocks of a child is written", "{% extends 'base' %}{% macro m() %}({{ caller() }}){% endmacro %}{% call m() %}c{% endcall %}{{ m }}", "'(c)<base|>'"},
		{"named endblock", "{% block a %}x{% endblock a %}", "'x'"},
		{"conditional extends", "{% if on %}{% extends 'base' %}{% endif %}{% block title %}t{% endblock %}", "'<t|>'"},
	}, Options{Loader: f.load, Cache: &Cache{}})
}

func TestWhitespace(t *testing.T) {
	checkRender(t, []renderCase{
		{"the outside is stripped", "\n  x{{ 1 }} \n", "'x1'"},
		{"newlines after blocks stay", "start\n{% if on %}\nyes\n{% endif %}\nend", `'start\n\nyes\n\nend'`},
		{"dash trims before", "start\n{%- if on %}\nyes\n{%- endif %}\nend", `'start\nyes\nend'`},
		{"dash trims the text after", "a {% if on -%}  b{% endif -%}\n c", "'a bc'"},
		{"dash in expressions", "a  {{- 'b' -}}  c", "'abc'"},
		{"dash in comments", "a {#- x -#} b{{ '' }}", "'ab'"},
		{"dash in raw", "a {%- raw -%} {{ b }} {%- endraw -%} c", "'a{{ b }}c'"},
		{"plus does nothing by default", "a {%+ if on +%} b{% endif %}", "'a  b'"},
		{"header sets delimiters", "#jinja2: variable_start_string: '[%', variable_end_string: '%]'\n[% name %] {{ x }}", "'web {{ x }}'"},
		{"header trim_blocks", "#jinja2: trim_blocks: True\na\n{% if on %}\nb\n{% endif %}\nc", `'a\nb\nc'`},
		{"header trim_blocks and plus", "#jinja2: trim_blocks: True\na\n{% if on +%}\nb\n{% endif %}\nc", `'a\n\nb\nc'`},
		{"header lstrip_blocks", "#jinja2: lstrip_blocks: True, trim_blocks: True\na\n  {% if on %}\n  b\n  {% endif %}\nc", `'a\n  b\nc'`},
		{"lstrip_blocks leaves text on the line", "#jinja2: lstrip_blocks: True\na {% if on %}b{% endif %}", "'a b'"},
		{"lstrip_blocks and plus", "#jinja2: lstrip_blocks: True\na\n  {%+ if on %}b{% endif %}", `'a\n  b'`},
		{"header newline_sequence", "#jinja2: newline_sequence: '\\r\\n'\na\nb{{ 1 }}\r\nc", `'a\r\nb1\r\nc'`},
		{"line statements", "#jinja2: line_statement_prefix: '%'\n% for x in nums:\n- {{ x }}\n% endfor\nend", `'- 1\n- 2\n- 3\nend'`},
		{"line comments", "#jinja2: line_comment_prefix: '##'\na{{ 1 }} ## gone\nb", `'a1\nb'`},
		{"lstrip_blocks below another tag", "#jinja2: lstrip_blocks: True, trim_blocks: True\nx\n{% if on %}\n  {% if on %}\n  y\n  {% endif %}\n{% endif %}\nz", `'x\n  y\nz'`},
		{"lstrip_blocks below a comment", "#jinja2: lstrip_blocks: True, trim_blocks: True\na\n  {# b #}\n\t{# c #}\nd{{ '' }}", `'a\nd'`},
		{"lstrip_blocks of the first line", "#jinja2: lstrip_blocks: True\n  {% if on %}b{% endif %}", "'b'"},
		{"trim_blocks keeps the line break behind raw", "#jinja2: trim_blocks: True\na\n{% raw %}\n {{ b }}\n{% endraw %}\nc", `'a\n\n {{ b }}\nc'`},
		{"a sign behind any delimiter", "a {{+ 'b' }} {#+ c #}d", "'a b d'"},
		{"blank lines behind a line statement", "#jinja2: line_statement_prefix: '%'\n% if on\n\n \n  x{{ 1 }}\n% endif\n\ny", `'  x1\ny'`},
		{"a line statement goes on in brackets", "#jinja2: line_statement_prefix: '%'\n% for x in [1,\n 2]\n{{ x }}\n% endfor\ny", `'1\n2\ny'`},
		{"a line comment alone on its line", "#jinja2: line_comment_prefix: '##'\na\n  ## b\nc{{ 1 }}", `'a\n\nc1'`},
		{"a prefix may be none", "#jinja2: line_comment_prefix: None\na ## {{ 1 }}", "'a ## 1'"},
		{"a colon may end the head of a body", "{% for x in nums: %}{{ x }};{% endfor %}{% if on: %}y{% else: %}n{% endif %}", "'1;2;3;y'"},
		{"line breaks of a value stay", "a\r\nb{{ 1 }}", `'a\r\nb1'`},
		{"unless its header says otherwise", "#jinja2: keep_crlf: False\na\r\nb\rc{{ 1 }}", `'a\nb\nc1'`},
		{"a dollar makes an expression text", "${{ secrets.X }} {{ port }}", "'${{ secrets.X }} 80'"},
		{"braces inside of expressions", "{{ {'a': {'b': 1}} }}", "{'a': {'b': 1}}"},
		{"delimiters inside of strings", "{{ '}}' ~ \"%}\" }}.", "'}}%}.'"},
	}, Options{})
}

func TestNativeResults(t *testing.T) {
	checkRender(t, []renderCase{
		{"a single expression keeps its type", "{{ nums }}", "[1, 2, 3]"},
		{"text that reads as a literal", "{{ '42' }}", "42"},
		{"joined texts", "{{ 4 }}{{ 2 }}", "42"},
		{"not with a blank", "{{ 4 }} 2", "'4 2'"},
		{"a single written value keeps its type", "{% set x = nums %}{{ x }}", "[1, 2, 3]"},
		{"null", "{% if on %}{{ none }}{% endif %}", "None"},
		{"string stays text", "{{ '42' | string }}", "'42'"},
		{"string stays text in a branch", "{% if on %}{{ 42 | string }}{% endif %}", "'42'"},
		{"a list out of statements", "{% for x in [1, 2, 3] %}{{ x }}{% if not loop.last %},{% endif %}{% endfor %}", "[1, 2, 3]"},
	}, Options{})
	checkRender(t, []renderCase{
		{"no literals", "{{ '42' }}", "'42'"},
		{"no literals from parts", "{{ 4 }}{{ 2 }}", "'42'"},
		{"but single expressions", "{{ port }}", "80"},
	}, Options{NoLiteral: true})
	checkRender(t, []renderCase{
		{"files keep blanks", " {{ port }}\n", `' 80\n'`},
		{"files stay text", "{{ port }}", "'80'"},
		{"CRLF in files becomes LF", "a\r\n{{ port }}\rb\r\n", `'a\n80\nb\n'`},
		{"keep_crlf", "#jinja2: keep_crlf: True, trim_blocks: True\r\na\r\n{% if on %}\r\nb\r\n{% endif %}\r\n", `'a\r\nb\r\n'`},
		{"the last line break may go", "#jinja2: keep_trailing_newline: False\na{{ port }}\n\n", `'a80\n'`},
	}, Options{File: true})
}

type errorCase struct {
	rule, text string
	code       source.Code
	at         string // the text that the error points to
	contains   string
}

func TestErrors(t *testing.T) {
	f := files{"self": "{% include 'self' %}", "ext": "{% extends 'ext' %}", "bad": "a\n{{ 1 + }}", "undef": "x {{ ghost }}"}
	for _, c := range []errorCase{
		{"missing operand", "x {{ 1 + }}", source.Syntax, "", "template error"},
		{"unclosed expression", "a {{ b", source.Syntax, "{{", "never closed"},
		{"unclosed string", "{{ 'a }}", source.Syntax, "", "template error"},
		{"unclosed comment", "{{ 1 }}{# b", source.Syntax, "{#", "never closed"},
		{"unclosed if", "{% if on %}x", source.Syntax, "{% if on %}", `"{% endif %}" expected for "{% if %}" at line 1`},
		{"wrong end", "{% for x in nums %}{% if x %}{% endfor %}", source.Syntax, "endfor", `"{% endif %}" expected for "{% if %}"`},
		{"end without begin", "x{% endif %}", source.Syntax, "endif", `"endif" without "if"`},
		{"else without if", "{% else %}", source.Syntax, "else", `"else" without "if"`},
		{"else if", "{% if 1 %}{% else if 2 %}{% endif %}", source.Syntax, "if", `"elif"`},
		{"unknown statement", "{% fro x in y %}", source.Syntax, "fro", `did you mean "for"`},
		{"a tag of pongo2 and Django", `{% ssi "/etc/passwd" %}`, source.Syntax, "ssi", "unknown statement"},
		{"lorem", `{% lorem 1000000000 %}`, source.Syntax, "lorem", "unknown statement"},
		{"trans", "{% trans %}x{% endtrans %}", source.Syntax, "trans", "unknown statement"},
		{"break outside of a loop", "{% break %}", source.Syntax, "break", "outside of a loop"},
		{"break in a macro in a loop", "{% for x in nums %}{% macro m() %}{% break %}{% endmacro %}{% endfor %}", source.Syntax, "break", "outside"},
		{"text after a statement", "{% if on off %}{% endif %}", source.Syntax, "off", "unexpected"},
		{"two blocks of a name", "{% block a %}{% endblock %}{% block a %}{% endblock %}", source.Syntax, "a", "second block"},
		{"undefined", "x {{ ghost }}", source.Undefined, "ghost", "ghost"},
		{"a function is no result", "{{ range }}", source.Undefined, "{{ range }}", "a function"},
		{"a function is no result of a statement", "{% if true %}{{ range }}{% endif %}", source.Undefined, "{% if true %}{{ range }}{% endif %}", "a function"},
		{"undefined in a loop", "{% for x in nums %}{{ x.ghost }}{% endfor %}", source.Undefined, "ghost", "ghost"},
		{"undefined in a macro", "{% macro m(a) %}{{ a }}{% endmacro %}{{ m() }}", source.Undefined, "", `parameter "a" of macro "m" was not provided`},
		{"undefined condition", "{% if ghost %}{% endif %}", source.Undefined, "ghost", "ghost"},
		{"too many arguments", "{% macro m(a) %}{% endmacro %}{{ m(1, 2) }}", source.BadValue, "", "at most 1 argument,"},
		{"unknown argument", "{% macro m(size) %}{% endmacro %}{{ m(sise=2) }}", source.BadValue, "", `did you mean "size"`},
		{"unpacking", "{% for a, b in nums %}{% endfor %}", source.BadType, "a, b", "cannot iterate over"},
		{"unpacking counts", "{% set a, b = [1] %}", source.BadValue, "a, b", "1 item into 2"},
		{"not iterable", "{% for a in port %}{% endfor %}", source.BadType, "port", "cannot iterate over"},
		{"attribute of no namespace", "{% set x.y = 1 %}", source.BadType, "x.y", "namespace()"},
		{"document data is not changed", "{% do nums.append(4) %}", source.Undefined, "append", "append"},
		{"missing include", "{% include 'nope' %}", source.MissingInclude, "{% include 'nope' %}", "nope"},
		{"required block", "{% block a required %}{% endblock %}", source.BadValue, "{% block a required %}", "required"},
		{"include of itself", "{% include 'self' %}", source.Limit, "", "self"},
		{"extends itself", "{% extends 'ext' %}", source.Limit, "", "ext"},
		{"macro without end", "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", source.Limit, "m", `macro "m"`},
		{"recursive loop without end", "{% for x in nums recursive %}{{ loop(nums) }}{% endfor %}", source.Limit, "", "nested"},
		{"loop call without recursive", "{% for x in nums %}{{ loop(nums) }}{% endfor %}", source.BadType, "", "recursive"},
		{"wrong number of arguments", "{% set l = [] %}{% do l.append() %}", source.BadValue, "", "append() takes 1 argument, not 0"},
		{"too many arguments of pop", "{% set d = {} %}{% do d.pop(1, 2, 3) %}", source.BadValue, "", "pop() takes 1 or 2 arguments, not 3"},
		{"an item to remove is missing", "{% set l = [] %}{% do l.remove(1) %}", source.BadValue, "", "did not find the item"},
		{"true gets no value", "{% set true = 4 %}", source.Syntax, "true", "constant"},
		{"nor in a tuple", "{% for a, (b, None) in [] %}{% endfor %}", source.Syntax, "None", "constant"},
		{"nor as a parameter", "{% macro m(a, false=1) %}{% endmacro %}", source.Syntax, "false", "constant"},
		{"nor by an import", "{% import 'undef' as none %}", source.Syntax, "none", "constant"},
		{"loop is no variable of a loop", "{% for loop in nums %}{% endfor %}", source.Syntax, "loop", "which a loop sets itself"},
		{"loop is not set in a loop", "{% for x in nums %}{% set loop = 1 %}{% endfor %}", source.Syntax, "loop", "in a loop"},
		{"an attribute is no variable of a loop", "{% for a.b in nums %}{% endfor %}", source.Syntax, "a.b", "a loop cannot set an attribute"},
		{"chained tests", "{{ 1 is number is string }}", source.Syntax, "is", "cannot be chained"},
		{"a position behind a list", "{{ range(*nums, 2) }}", source.Syntax, "2", "cannot follow *list"},
		{"two lists", "{{ range(*nums, *nums) }}", source.Syntax, "*nums", "only one *list"},
		{"an argument given twice", "{{ range(a=1, b=2, a=3) }}", source.Syntax, "a=3", "given twice"},
		{"an argument given twice by a map", "{{ dict(k=1, **m) }}", source.BadValue, "m", "given twice"},
		{"an attribute of a filter", "{{ 1 | string.upper() }}", source.Syntax, "upper", "no attribute of a filter"},
		{"behind a map", "{{ range(**m, a=2) }}", source.Syntax, "a=2", "follow **map"},
		{"a comma at the end of an import", "{% from 'undef' import a, %}", source.Syntax, "", "expected a name"},
		{"private names", "{% from 'undef' import _a %}", source.Syntax, "_a", "private"},
		{"content of a required block", "{% block a required %} {# b #}{{ 1 }}{% endblock %}", source.Syntax, "{{ 1 }}", "comments and white space"},
		{"required before scoped", "{% block a required scoped %}{% endblock %}", source.Syntax, "scoped", "before"},
		{"hyphens in a block's name", "{% block a-b %}{% endblock %}", source.Syntax, "-", "no hyphens"},
		{"caller needs a default", "{% macro m(caller) %}{{ caller() }}{% endmacro %}", source.Syntax, "caller", "needs a default"},
		{"a comma at the end of with", "{% with a=1, %}{% endwith %}", source.Syntax, "", "expected a name"},
		{"an attribute of an if without else", "{{ (1 if false).a }}", source.Undefined, "1 if false", `no "else"`},
		{"header without a value", "#jinja2: trim_blocks\n{{ 1 }}", source.Syntax, "trim_blocks", `"option: value"`},
		{"header with a bad literal", "#jinja2: trim_blocks: yes\n{{ 1 }}", source.Syntax, "yes", "must be a Python literal"},
		{"header without a comma", "#jinja2: trim_blocks: True lstrip_blocks: True\n{{ 1 }}", source.Syntax, "lstrip_blocks: True", `expected ","`},
		{"header with an option twice", "#jinja2: trim_blocks: True, trim_blocks: False\n{{ 1 }}", source.Syntax, "trim_blocks", "is set twice"},
		{"header with the wrong type", "#jinja2: trim_blocks: 1\n{{ 1 }}", source.Syntax, "1", "needs True or False"},
		{"header with an empty string", "#jinja2: block_start_string: ''\n{{ 1 }}", source.Syntax, "", "needs a non-empty string"},
		{"bad header", "#jinja2: trim_block: True\n{{ 1 }}", source.Syntax, "trim_block", `did you mean "trim_blocks"`},
		{"long line breaks", "#jinja2: newline_sequence: '" + strings.Repeat("x", 1<<20) + "'\n" + strings.Repeat("\n", 1<<20) + "x", source.Syntax, "", "needs a line break"},
		{"endless loop", "{% for x in range(1000000000) %}{% endfor %}", source.Limit, "", "steps"},
		{"text without end", "{% set x %}{% for i in range(100) %}aaaaaaaaaa{% endfor %}{% endset %}" +
			"{% for i in range(1000) %}{% set x = x %}{{ x }}{{ x }}{{ x }}{{ x }}{% endfor %}", source.Limit, "", "bytes"},
		{"lists of lists", "{% set ns = namespace(l=[1]) %}{% for i in range(60) %}{% set ns.l = [ns.l, ns.l] %}{% endfor %}{{ ns.l }}", source.Limit, "", ""},
		{"a list in itself", "{% set l = [] %}{% do l.append(l) %}{{ l }}", source.Limit, "", "contains itself"},
		{"a list added to itself", "{% set l = [1] %}{% for i in range(40) %}{% do l.extend(l) %}{% endfor %}", source.Limit, "", "steps"},
		{"characters without end", "{% for c in 'a' | replace('a', 'aaaa') | replace('a', 'aaaaaaaaaaaaaaaa') | replace('a', 'aaaaaaaaaaaaaaaa') | replace('a', 'aaaaaaaaaaaaaaaa')" +
			" | replace('a', 'aaaaaaaaaaaaaaaa') | replace('a', 'aaaaaaaaaaaaaaaa') %}{% break %}{% endfor %}", source.Limit, "", "steps"},
		{"insert in front", "{% set l = [] %}{% for i in range(40000) %}{% do l.insert(0, i) %}{% endfor %}", source.Limit, "", "steps"},
		{"no comma between imported names", "{% from 'self' import a b %}", source.Syntax, "b", "unexpected"},
		{"sort by an argument", "{% set l = [] %}{% do l.sort(1) %}", source.BadValue, "", "sort() takes 0 arguments, not 1"},
		{"unclosed raw", "{% raw %}" + strings.Repeat("{% ", 200_000), source.Syntax, "", "endraw"},
		{"unclosed strings", strings.Repeat("{{ \\' }}", 100_000), source.Syntax, "", ""},
		{"foreign expressions", strings.Repeat("${{", 200_000) + "{{", source.Syntax, "", "never closed"},
		{"deep nesting", strings.Repeat("{% if on %}", 100_000), source.Limit, "", "nested"},
		{"deep brackets", "{{ " + strings.Repeat("(", 100_000) + " }}", source.Limit, "", "nested"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			_, err := render(document(), c.text, Options{Loader: f.load, MaxBytes: 1 << 20})
			d := source.AsDiagnostic(err, source.Span{}, "")
			if d == nil {
				t.Fatalf("Render(%.80q) succeeded, want %s", c.text, c.code)
			}
			if d.Code != c.code || !strings.Contains(d.Message+d.Hint, c.contains) {
				t.Errorf("Render(%.80q): %v, want code %s and %q", c.text, d, c.code, c.contains)
			}
			if c.at != "" && d.At.Text() != c.at {
				t.Errorf("Render(%.80q): error %q points to %q, want %q", c.text, d.Message, d.At.Text(), c.at)
			}
			if d.At.IsZero() {
				t.Errorf("Render(%.80q): error without a place: %v", c.text, d)
			}
		})
	}
}
