package yaytpl_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/value"
)

const password = "hunter2"

// tainted are documents whose value at a holds the password in some way. "pw" and
// "secrets" are what carries the mark: see markedBy.
var tainted = []string{
	`"{{ pw }}"`, `"x{{ pw }}y"`, `"{{ 'x' ~ pw }}"`, `"{{ pw | upper | lower }}"`, `"{{ pw | b64encode | b64decode }}"`,
	`"{{ pw | replace('z', 'y') }}"`, `"{{ [pw] | join(',') }}"`, `"{{ {'k': pw} | to_json }}"`, `"{{ {'k': pw} | to_nice_yaml }}"`,
	`"{{ pw | list | join }}"`, `"{{ '%s' | format(pw) }}"`, `"{{ '%s' % pw }}"`, `"{{ '{}'.format(pw) }}"`, `"{{ pw.strip() }}"`,
	`"{% for c in [pw] %}{{ c }}{% endfor %}"`, `"{% set x = pw %}{{ x }}"`, `"{% set x %}{{ pw }}{% endset %}{{ x }}"`,
	`"{% macro m(x) %}{{ x }}{% endmacro %}{{ m(pw) }}"`, `"{% macro m() %}{{ caller() }}{% endmacro %}{% call m() %}{{ pw }}{% endcall %}"`,
	`"{% filter trim %}{{ pw }}{% endfilter %}"`, `"{{ pw if true else 'x' }}"`, `"{{ nothing | default(pw) }}"`,
	`"{{ pw[0:7] }}"`, `"{{ (pw,) | first }}"`, `"{{ ROOT.pw }}"`, `"{{ SELF.pw }}"`, `"{{ ROOT['pw'] }}"`, `"{{ '::pw' | eval }}"`,
	`"{% set ns = namespace(x='') %}{% set ns.x = pw %}{{ ns.x }}"`, `"{{ pw | regex_replace('q', 'r') }}"`, `"{{ dict(k=pw).k }}"`,
	`"{{ [pw, 'a'] | sort | join }}"`, `"{{ {'k': pw} | dict2items | map(attribute='value') | join }}"`, `"{{ pw | ternary(pw, 'x') }}"`,
	`"{{ [pw] | map('upper') | map('lower') | join }}"`, `"{{ [{'p': pw}] | map(attribute='p') | first }}"`, `"{{ [pw] | zip(['a']) | flatten | join }}"`,
	`{eval: ::pw}`, `{eval: {concat: [x, {eval: ::pw}]}}`, `{eval: {add: [{eval: ::pw}, x]}}`, `{eval: {if: $true, then: ::pw}}`,
	`{eval: $p, vars: {p: {eval: ::pw}}}`, `{eval: {template: "{{ pw }}"}}`, `{eval: {or: ["::pw"]}}`, `{eval: {and: [$true, "::pw"]}}`,
	`{eval: {token: [{eval: ::pw}, ":", 0]}}`, `{eval: {q: x}, select: "::pw"}`, `{eval: "::list", foreach: {eval: "::pw"}}`,
	`{+/deep: }`, `{b: {+/deep: }, c: 1}`, `[{eval: ::pw}]`, `{k: "{{ pw }}"}`, `{+*mark: }`,
}

// markedBy are ways in which the password comes to be marked, as values of pw.
var markedBy = map[string]string{
	"function": "{eval: {sensitive: " + password + "}}",
	"filter":   "\"{{ '" + password + "' | sensitive }}\"",
	"vault":    "!vault " + password,
}

func document(pw, a string) string {
	return "pw: " + pw + "\ndeep: &mark {k: {eval: ::pw}, l: \"{{ pw }}\"}\nlist: [1, 2]\na: " + a + "\n"
}

// everything returns all results of a project that reveal nothing on purpose.
func everything(p *yaytpl.Project, o yaytpl.RenderOptions) string {
	var out bytes.Buffer
	for _, form := range yaytpl.Forms() {
		o.Form, o.DropTags, o.Partial = form, true, true
		fmt.Fprintln(&out, p.Render(&out, o))
	}
	d := p.Documents()[0]
	show := func(v value.Value, err error) {
		fmt.Fprintln(&out, err)
		if err == nil {
			fmt.Fprintln(&out, p.WriteValue(&out, v, yaytpl.RenderOptions{DropTags: true, Redact: o.Redact}))
		}
	}
	show(d.Get("a"))
	for _, q := range []string{"::a", "::.descendants", "{{ a }}", "{eval: ::a}"} {
		all, err := d.Query(q)
		show(value.ListOf(all...), err)
	}
	return out.String()
}

// talk returns what the project says about its values: explanations, graphs,
// differences, findings.
func talk(p *yaytpl.Project) string {
	var out bytes.Buffer
	d := p.Documents()[0]
	for _, path := range []string{"a", "pw", "deep", "deep.l"} {
		x, err := d.Explain(path)
		if err != nil {
			fmt.Fprintln(&out, err)
			continue
		}
		_ = x.WriteText(&out, false)
		text, err := json.Marshal(x)
		fmt.Fprintln(&out, string(text), err)
	}
	fmt.Fprintln(&out, d.WriteDot(&out, "values"))
	for _, found := range p.Check() {
		fmt.Fprintln(&out, found, found.Hint, found.Notes)
	}
	return out.String()
}

func TestSensitiveValuesAreHidden(t *testing.T) {
	for how, pw := range markedBy {
		for _, a := range tainted {
			o := yaytpl.Options{Dir: tree(t, map[string]string{"main.yaml": document(pw, a), "t.j2": "{{ pw }} {{ a }}"})}
			file := filepath.Join(o.Dir, "main.yaml")
			p, err := yaytpl.Open(t.Context(), []string{file}, o)
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			out.WriteString(everything(p, yaytpl.RenderOptions{}))
			fmt.Fprintln(&out, p.Documents()[0].Template(filepath.Join(o.Dir, "t.j2"), &out, yaytpl.RenderOptions{}))
			out.WriteString(talk(p))
			if i := strings.Index(out.String(), password); i >= 0 {
				t.Errorf("%s, a: %s shows the password: ...%s...", how, a, out.String()[max(i-80, 0):min(i+40, out.Len())])
			}
			out.Reset()
			if err := p.Render(&out, yaytpl.RenderOptions{}); err != nil || !strings.Contains(out.String(), "<<REDACTED>>") {
				t.Errorf("%s, a: %s: %s, %v", how, a, out.String(), err)
			}
			out.Reset()
			err = p.Render(&out, yaytpl.RenderOptions{Reveal: true})
			if n := strings.Count(out.String(), password); err != nil || n < 3 {
				t.Errorf("%s, a: %s: reveals the password %d times: %s, %v", how, a, n, out.String(), err)
			}
		}
	}
}

// failing are values whose errors would like to quote the password.
var failing = []string{
	`"{{ pw + 1 }}"`, `"{{ 1 + pw }}"`, `"{{ pw | int(base='x') }}"`, `"{{ pw.nothing }}"`, `"{{ pw() }}"`, `"{{ ROOT[pw] }}"`, `"{{ {}[pw] }}"`,
	`"{{ pw | to_datetime }}"`, `"{{ pw | from_json }}"`, `"{{ pw | from_yaml | dictsort }}"`, `"{{ [1] | map(pw) | list }}"`, `"{{ 'x' | regex_search(pw ~ '(') }}"`,
	`"{{ lookup('file', pw) }}"`, `"{{ lookup(pw) }}"`, `"{{ [1] | select(pw) | list }}"`, `"{% include pw %}"`, `"{{ range(pw) }}"`, `"{{ pw | mandatory and pw - 1 }}"`,
	`"{{ '%d' | format(pw) }}"`, `"{{ '%d' % pw }}"`, `"{{ pw | ipaddr(1) + 1 }}"`, `"{{ [3] | json_query(pw ~ '[') }}"`, `"{{ pw | strftime(pw) }}"`, `"{{ pw | hash(pw) }}"`,
	`"{{ pw | eval }}"`, `"{{ ('::' ~ pw ~ '[') | eval }}"`, `"{{ pw | human_to_bytes }}"`, `"{{ pw | dict2items }}"`, `"{{ pw | combine({}) }}"`, `"{{ [1, pw] | sum }}"`, `"{{ [1, pw] | sort }}"`,
	`{eval: {add: [{eval: ::pw}, 1]}}`, `{eval: {file: {eval: ::pw}}, select: contents}`, `{eval: {token: [{eval: ::pw}, x, 9]}}`, `{eval: {lt: [{eval: ::pw}, 1]}}`,
	`{eval: {template: {eval: ::bad}}}`, `{eval: {get_env: {eval: ::pw}}}`, `{+include: "{{ pw }}.yaml"}`, `{+include: {file: {eval: ::pw}}}`, `{eval: {validate_json: [{eval: ::pw}, {type: 5}]}}`,
	`{eval: {urljoin: [{eval: ::pw}, {eval: ::pw}, {eval: ::pw}]}}`, `{eval: {scalar: {eval: ::pw}}}`, `{eval: {lookup: {file: {eval: ::pw}}}}`, `{eval: "::list::[x=$p]", vars: {p: {eval: ::pw}}, strict: required}`,
}

func TestErrorsKeepSecrets(t *testing.T) {
	for how, pw := range markedBy {
		for _, a := range failing {
			text := document(pw, a) + "bad: \"{{ pw }} { %\"\n"
			o := yaytpl.Options{Dir: tree(t, map[string]string{"main.yaml": text})}
			p, err := yaytpl.Open(t.Context(), []string{filepath.Join(o.Dir, "main.yaml")}, o)
			if err != nil {
				t.Fatal(err)
			}
			said := everything(p, yaytpl.RenderOptions{}) + talk(p)
			if i := strings.Index(said, password); i >= 0 {
				t.Errorf("%s, a: %s shows the password: ...%s...", how, a, said[max(i-120, 0):min(i+40, len(said))])
			}
		}
	}
}

// TestSecretFiles: values from encrypted files are printed by results unless those
// are to be redacted, and never by what talks about them.
func TestSecretFiles(t *testing.T) {
	for _, a := range append(append([]string{}, tainted...), failing...) {
		text := document(password, a)
		o := yaytpl.Options{Dir: tree(t, map[string]string{"main.yaml": "x: 1\n"})}
		p, err := yaytpl.OpenSecret(t.Context(), filepath.Join(o.Dir, "main.yaml"), text, o)
		if err != nil {
			t.Fatal(err)
		}
		if said := everything(p, yaytpl.RenderOptions{Redact: true}) + talk(p); strings.Contains(said, password) {
			i := strings.Index(said, password)
			t.Errorf("a: %s shows the password: ...%s...", a, said[max(i-120, 0):min(i+40, len(said))])
		}
	}
	o := yaytpl.Options{Dir: tree(t, map[string]string{"main.yaml": "x: 1\n"})}
	p, err := yaytpl.OpenSecret(t.Context(), filepath.Join(o.Dir, "main.yaml"), "pw: "+password+"\na: \"x{{ pw }}\"\n", o)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := p.Render(&out, yaytpl.RenderOptions{}); err != nil || out.String() != "pw: "+password+"\na: x"+password+"\n" {
		t.Errorf("render: %q, %v", out.String(), err)
	}
	x, err := p.Documents()[0].Explain("a")
	if err != nil {
		t.Fatal(err)
	}
	out.Reset()
	if err := x.WriteText(&out, false); err != nil || !strings.Contains(out.String(), "*****") {
		t.Errorf("explain: %q, %v", out.String(), err)
	}
}

func TestDiffMarksSecrets(t *testing.T) {
	var docs [2]value.Value
	for i, pw := range []string{password, password + "2"} {
		o := yaytpl.Options{Dir: tree(t, map[string]string{"main.yaml": document("{eval: {sensitive: "+pw+"}}", `"{{ pw }}"`)})}
		p, err := yaytpl.Open(t.Context(), []string{filepath.Join(o.Dir, "main.yaml")}, o)
		if err != nil {
			t.Fatal(err)
		}
		if docs[i], err = p.Documents()[0].Value(); err != nil {
			t.Fatal(err)
		}
	}
	changes, err := yaytpl.Diff(docs[0], docs[1])
	if err != nil || len(changes) != 4 {
		t.Fatalf("%d changes, %v", len(changes), err)
	}
	for _, c := range changes {
		if c.Old.Marks()&c.New.Marks()&value.Sensitive == 0 {
			t.Errorf("%s has lost its mark", c.Path)
		}
	}
}
