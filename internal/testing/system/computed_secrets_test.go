package system_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/internal/testing/long"
	"github.com/yaytpl/yaytpl/source"
)

// computed lists expressions that evaluate data computed from the password: the password is a
// name, a path, a key or a word in the data.
var computed = []string{
	`{'template': '{{ ' ~ pw ~ ' }}'} | eval`,
	`{'template': '{{ 1 | ' ~ pw ~ ' }}'} | eval`,
	`{'template': '{{ 1 is ' ~ pw ~ ' }}'} | eval`,
	`{'template': '{{ deep.' ~ pw ~ ' }}'} | eval`,
	`{'template': '{% ' ~ pw ~ ' %}'} | eval`,
	`{'template': '{{ ' ~ pw ~ '() }}'} | eval`,
	`{'template': '{% include "' ~ pw ~ '" %}'} | eval`,
	`{'template': '{% import "' ~ pw ~ '" as x %}'} | eval`,
	`{'template': '{{ lookup("' ~ pw ~ '") }}'} | eval`,
	`{'template': '{{ lookup("file", "' ~ pw ~ '") }}'} | eval`,
	`{'template': '{{ lookup("file", "' ~ pw ~ '", errors="warn") }}'} | eval`,
	`{'template': '#jinja2: ' ~ pw ~ '\n{{ 1 }}'} | eval`,
	`{'template': '{{ zz | mandatory("' ~ pw ~ '") }}'} | eval`,
	`{'template': '{% macro ' ~ pw ~ '(x) %}{{ x.y.z }}{% endmacro %}{{ ' ~ pw ~ '(1,2) }}'} | eval`,
	`{'template': {'path': pw}} | eval`,
	`{'eval': {pw: 1}} | eval`,
	`{'eval': {'if': '::deep', pw: 1}} | eval`,
	`{'a': '{{ ' ~ pw ~ ' }}'} | map_value`,
	`('{{ ' ~ pw ~ ' }}') | eval`,
	`('{{ [' ~ pw ~ '] }}') | eval`,
	`{'template': '{{ [' ~ pw ~ '] }}'} | eval`,
	`{'template': '{{ [1] | map("' ~ pw ~ '") }}'} | eval`,
	`('{{ [1] | map("' ~ pw ~ '") }}') | eval`,
	`{'a': ['x', {'b': '{{ [{"k": ' ~ pw ~ '}] }}'}]} | map_value`,
	`lookup('unfurl', {'template': '{{ ' ~ pw ~ ' }}'})`,
	`[{'template': '{{ ' ~ pw ~ ' }}'}] | map('eval') | list`,
	`__unfurl.template('{{ ' ~ pw ~ ' }}')`,
	`__unfurl.template(path=pw)`,
	`{'eval': '$q', 'vars': {'q': '{{ ' ~ pw ~ ' }}'}} | eval`,
	`{'eval': '$q', 'vars': {pw: 1}, 'strict': 'required'} | eval`,
	`{'eval': '::deep::' ~ pw, 'strict': 'required'} | eval`,
	`{'eval': '::deep', 'foreach': '{{ ' ~ pw ~ ' }}'} | eval`,
	`{'eval': '::deep', 'select': '{{ ' ~ pw ~ ' }}'} | eval`,
	`{'eval': '::deep', 'foreach': {'key': '$key', 'value': '{{ ' ~ pw ~ ' }}'}} | eval`,
	`{'eval': '::deep[' ~ pw} | eval`,
	`{'eval': '::deep::b', 'trace': 1, 'select': '::' ~ pw} | eval`,
	`{'eval': '::' ~ pw ~ '?', 'trace': 1} | eval`,
	`{'eval': '::deep', 'base_dir': '/' ~ pw} | eval`,
	`{'eval': {'file': 'x'}, 'select': 'contents', 'base_dir': pw} | eval`,
	`{'eval': {'file': pw}, 'select': 'contents'} | eval`,
	`{'eval': {'abspath': 'x'}, 'base_dir': pw} | eval`,
	`{'eval': {'template': '{{ ' ~ pw ~ ' }}'}, 'strict': false} | eval`,
	`{'template': '{{ x }}', 'overrides': {pw: 1}} | eval`,
	`{'template': 'x', 'overrides': {'trim_blocks': pw}} | eval`,
	`{'eval': {'concat': [{'template': '{{ ' ~ pw ~ ' }}'}]}} | eval`,
	`{'eval': {'lookup': {'file': pw}}} | eval`,
	`{'eval': {'lookup': {pw: 1}}} | eval`,
	`{'eval': {'token': [pw, 'x', 9]}} | eval`,
	`{'eval': {'get_dir': pw}} | eval`,
	`{'template': '{{ {"eval": "$q", "trace": 1} | eval(q="' ~ pw ~ '") }}'} | eval`,
	`('{{ {"eval": "$q", "trace": 1} | eval(q="' ~ pw ~ '") }}') | eval`,
	`{'template': '{{ "' ~ pw ~ '" | int(1,2,3,4) }}'} | eval`,
	`{'template': '{% from "m.j2" import f %}{{ f("' ~ pw ~ '") }}'} | eval`,
	`{'template': '{% from "m.j2" import ' ~ pw ~ ' %}{{ ' ~ pw ~ ' }}'} | eval`,
	`[{'a': {'b': ['x', {'eval': {'template': '{{ ' ~ pw ~ ' }}'}}]}}] | map_value`,
	`{'eval': {'foreach': '{{ ' ~ pw ~ ' }}'}} | eval`,
	`{'eval': {'or': ['::nothing', {'template': '{{ ' ~ pw ~ ' }}'}]}} | eval`,
	`{'eval': {'not': '{{ ' ~ pw ~ ' }}'}} | eval`,
	`{'ref': '::list', 'foreach': {'value': '$item', 'key': '{{ ' ~ pw ~ ' }}'}} | eval`,
	`{'eval': '$q', 'vars': {'q': {'eval': {pw: 1}}}} | eval`,
	`{'eval': '$q', 'vars': [pw]} | eval`,
	`{'eval': '::list', 'strict': pw} | eval`,
	`{'eval': '::list', 'trace': {'eval': {'template': '{{ ' ~ pw ~ ' }}'}}} | eval`,
	`{'template': '{{ q }}', 'zz': 1} | eval(q=pw)`,
	`('{{ q[' ~ pw ~ '] }}') | eval(q={})`,
	`lookup('unfurl', {'eval': {'template': {'path': pw}}}, errors='warn')`,
	`(('{{ [' ~ pw ~ '] }}') | eval)[0] | upper`,
	`({'template': '{{ [' ~ pw ~ '] }}'} | eval)[0] ~ 'x'`,
	`({'a': '{{ [' ~ pw ~ '] }}'} | map_value).a[0] + 1`,
	`{'template': '{% extends "' ~ pw ~ '" %}'} | eval`,
	`{'template': '{{ x }}{% for ' ~ pw ~ ' in %}'} | eval`,
	`{'template': '{{ 1 }}', 'overrides': {'block_start_string': pw}} | eval`,
}

// findings writes findings as the command does, with excerpts.
func findings(out *strings.Builder, found ...*source.Diagnostic) {
	for _, d := range found {
		_ = d.WriteText(out, source.TextStyle{})
	}
}

// TestComputedExpressionsKeepSecrets: no finding and no trace about an expression made of a secret
// quotes it, for any error and any form.
func TestComputedExpressionsKeepSecrets(t *testing.T) {
	for how, pw := range markedBy {
		for _, e := range long.Sample(computed) {
			for _, lenient := range []bool{false, true} {
				a := "\"{{ " + strings.ReplaceAll(strings.ReplaceAll(e, `\`, `\\`), `"`, `\"`) + " }}\""
				var said strings.Builder
				o := yaytpl.Options{Dir: tree(t, map[string]string{"main.yaml": document(pw, a), "m.j2": "{% macro f(x) %}{{ {}[x] }}{% endmacro %}"})}
				o.Trace, o.Lenient, o.Warn = true, lenient, func(d *source.Diagnostic) { findings(&said, d) }
				p, err := yaytpl.Open(t.Context(), []string{filepath.Join(o.Dir, "main.yaml")}, o)
				if err != nil {
					t.Fatal(err)
				}
				fmt.Fprint(&said, everything(p, yaytpl.RenderOptions{}), talk(p))
				_, err = p.Documents()[0].Get("a")
				findings(&said, source.Findings(err)...)
				findings(&said, p.Check()...)
				if i := strings.Index(said.String(), password); i >= 0 {
					t.Errorf("%s, lenient %v, a: %s shows the password: ...%s...", how, lenient, e, said.String()[max(i-120, 0):min(i+40, said.Len())])
				}
			}
		}
	}
}

// TestComputedExpressionsFromSecretFiles is the same for a document over an encrypted
// one, whose results may be seen.
func TestComputedExpressionsFromSecretFiles(t *testing.T) {
	for _, e := range computed {
		var said strings.Builder
		p := openSecret(t, secretFile, "list: [1, 2]\ndeep: {k: 1}\na: '{{ "+strings.ReplaceAll(e, "'", "''")+" }}'\n", &said)
		fmt.Fprint(&said, everything(p, yaytpl.RenderOptions{Redact: true}), talk(p))
		_, err := p.Documents()[0].Get("a")
		findings(&said, source.Findings(err)...)
		if i := strings.Index(said.String(), password); i >= 0 {
			t.Errorf("a: %s shows the password: ...%s...", e, said.String()[max(i-120, 0):min(i+40, said.Len())])
		}
	}
}

// TestComputedExpressionsSayWhere: a finding about secret data keeps its code, and its
// place is that of the expression that evaluates the data.
func TestComputedExpressionsSayWhere(t *testing.T) {
	for e, code := range map[string]source.Code{
		"{'template': '{{ ' ~ pw ~ ' }}'} | eval":             source.Undefined,
		"{'template': '{{ 1 | ' ~ pw ~ ' }}'} | eval":         source.Syntax,
		"{'template': {'path': pw}} | eval":                   source.Access,
		"{'template': '{% include pw %}' ~ pw} | eval":        source.BadValue,
		"{'template': '{% include \"' ~ pw ~ '\" %}'} | eval": source.MissingInclude,
		"{'eval': {pw: 1}} | eval":                            source.BadExpression,
		"[{'a': '{{ ' ~ pw ~ ' }}'}] | map_value":             source.Undefined,
	} {
		p := openSecret(t, secretFile, "a: '{{ "+strings.ReplaceAll(e, "'", "''")+" }}'\n", &strings.Builder{})
		_, err := p.Documents()[0].Get("a")
		if err == nil {
			t.Errorf("%s: no error", e)
			continue
		}
		d := source.Findings(err)[0]
		if place := d.At.Text(); d.Code != code || place != "eval" && place != "map_value" || d.At.File.Secret {
			t.Errorf("%s: %v at %q, want %s", e, d, place, code)
		}
	}
}
