package system_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/internal/testing/long"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

const password = "hunter2"

// tainted lists values of a that contain the password in some way. They read it from "pw" and
// "secrets", which have the mark: see markedBy.
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

// markedBy lists values of pw that mark the password, by the way in which they do.
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

// talk returns all output about the values of a project: explanations, graphs, differences,
// findings.
func talk(p *yaytpl.Project) string {
	var out bytes.Buffer
	d := p.Documents()[0]
	for _, path := range []string{"a", "pw", "pw.eval.sensitive", "deep", "deep.l"} {
		x, err := d.Explain(path)
		if err != nil {
			fmt.Fprintln(&out, err)
			continue
		}
		_ = x.WriteText(&out, false)
		text, err := json.Marshal(x)
		fmt.Fprintln(&out, string(text), err)
	}
	for _, of := range []string{"values", "nodes"} {
		fmt.Fprintln(&out, d.WriteDot(&out, of))
	}
	for _, found := range p.Check() {
		fmt.Fprintln(&out, found, found.Hint, found.Notes)
	}
	return out.String()
}

func TestSensitiveValuesAreHidden(t *testing.T) {
	for how, pw := range markedBy {
		for _, a := range long.Sample(tainted) {
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
		for _, a := range long.Sample(failing) {
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

// TestSecretFiles: results contain values from encrypted files unless they are redacted.
// Explanations, graphs, differences and findings never do.
func TestSecretFiles(t *testing.T) {
	for _, a := range append(append([]string{}, tainted...), failing...) {
		text := document(password, a)
		o := yaytpl.Options{Dir: tree(t, map[string]string{"main.yaml": "x: 1\n"})}
		p, err := openEncrypted(t, filepath.Join(o.Dir, "main.yaml"), text, o)
		if err != nil {
			t.Fatal(err)
		}
		if said := everything(p, yaytpl.RenderOptions{Redact: true}) + talk(p); strings.Contains(said, password) {
			i := strings.Index(said, password)
			t.Errorf("a: %s shows the password: ...%s...", a, said[max(i-120, 0):min(i+40, len(said))])
		}
	}
	o := yaytpl.Options{Dir: tree(t, map[string]string{"main.yaml": "x: 1\n"})}
	p, err := openEncrypted(t, filepath.Join(o.Dir, "main.yaml"), "pw: "+password+"\na: \"x{{ pw }}\"\n", o)
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

// openSecret opens a plain document over one from an encrypted file. Warnings go to said.
func openSecret(t testing.TB, secret, plain string, said *strings.Builder) *yaytpl.Project {
	t.Helper()
	o := yaytpl.Options{Dir: tree(t, map[string]string{"main.yaml": plain}), Trace: true}
	o.Limits.Output = 1 << 20 // a document may contain itself
	o.Warn = func(d *source.Diagnostic) { findings(said, d) }
	p, err := openOverEncrypted(t, filepath.Join(o.Dir, "main.yaml"), secret, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const secretFile = "pw: " + password + "\npin: 42\nkeys: {a: " + password + "}\n"

// TestSecretParts: text next to a secret is shown, in whichever way the two were joined.
func TestSecretParts(t *testing.T) {
	for a, want := range map[string]string{
		`"http://{{ pw }}@db"`: "http://*****@db", `"{{ pw }}"`: "*****", `"{{ pin }}"`: "*****", `"n={{ pin }}"`: "n=*****", `"{{ pin + 1 }}"`: "*****",
		`"{{ 'x' ~ pw ~ 'y' }}"`: "x*****y", `"{{ 'x' + pw }}"`: "x*****", `"{{ 'x%sy' % pw }}"`: "x*****y", `"{{ 'x%s' | format(pw) }}"`: "x*****",
		`"{{ 'x{}'.format(pw) }}"`: "x*****", `"{{ ['x', pw] | join('-') }}"`: "x-*****", `"{{ '-'.join(['x', pw]) }}"`: "x-*****",
		`"{{ pw | upper }}"`: "*****", `"x{{ pw | upper }}"`: "x*****", `"{{ ('x' ~ pw) | replace('x', 'y') }}"`: "*****", `"{{ ('x' ~ pw)[0:1] }}"`: "*****",
		`"{% if pw %}x{% endif %}y"`: "*****", `"{% for k in ['x', pw] %}{{ k }}{% endfor %}"`: "x*****", `"{% set u = 'x' ~ pw %}{{ u }}"`: "x*****",
		`"{% set u %}x{{ pw }}{% endset %}{{ u }}!"`: "x*****!", `"{% macro m(p) %}x{{ p }}{% endmacro %}{{ m(pw) }}!"`: "x*****!",
		`"{% filter trim %}x{{ pw }}{% endfilter %}"`: "*****", `"{% for k, v in keys.items() %}{{ k }}={{ v }}{% endfor %}"`: "a=*****",
		`{eval: {concat: [x, {eval: "::pw"}]}}`: "x*****", `{eval: {concat: [x, {eval: "::pw"}], sep: "-"}}`: "x-*****",
		`{eval: {template: "x{{ pw }}"}}`: "x*****", `{eval: {add: [x, {eval: "::pw"}]}}`: "x*****", `{eval: {eval: "::url"}}`: "db://*****/",
		`"{{ url }}"`: "db://*****/", `"<{{ url }}>"`: "<db://*****/>", `"{{ ROOT.url }}"`: "db://*****/", `"{{ '::url' | eval }}"`: "db://*****/", `"{{ url | default('x') }}"`: "db://*****/",
		`"{{ [url] | first }}"`: "db://*****/", `"{{ pw if true else 'x' }}"`: "*****", `"{{ 'x' if pw else 'y' }}"`: "*****",
		`"x{{ 'a' | sensitive }}{{ pw }}"`: "<<REDACTED>>", `"{{ {pw: 1} }}"`: "*****",
	} {
		p := openSecret(t, secretFile, "url: \"db://{{ pw }}/\"\na: "+a+"\n", &strings.Builder{})
		checkShown(t, p, a, want)
	}
}

// checkShown checks that the value at a is shown in one way by everything.
func checkShown(t *testing.T, p *yaytpl.Project, a, want string) {
	t.Helper()
	d := p.Documents()[0]
	v, err := d.Get("a")
	if err != nil {
		t.Errorf("%s: %v", a, err)
		return
	}
	for _, form := range []string{"text", "json"} {
		if form == "text" && want == value.SensitiveText {
			continue // an error: TestMasksOfPrograms
		}
		var out bytes.Buffer
		err := p.WriteValue(&out, v, yaytpl.RenderOptions{Redact: true, Form: form})
		if got := strings.Trim(out.String(), "\"\n"); err != nil || got != want {
			t.Errorf("%s is %s with --redact -o %s, %v, want %s", a, got, form, err, want)
		}
	}
	x, err := d.Explain("a")
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := x.WriteText(&out, false); err != nil || !strings.HasPrefix(out.String(), "a = "+want+"\n") {
		t.Errorf("explain %s: %s, %v, want %s", a, out.String(), err, want)
	}
	out.Reset()
	if err := d.WriteDot(&out, "values"); err != nil || !strings.Contains(out.String(), `"a: `+want+`"`) {
		t.Errorf("dot %s: %s, %v, want %s", a, out.String(), err, want)
	}
	shown, err := json.Marshal(x)
	if err != nil || !strings.Contains(unescaped(shown), `"value":"`+want+`"`) {
		t.Errorf("explain -o json %s: %s, %v, want %s", a, shown, err, want)
	}
	out.Reset()
	if err := x.WriteText(&out, true); err != nil || strings.Contains(out.String(), "*****") {
		t.Errorf("explain --reveal %s: %s, %v", a, out.String(), err)
	}
}

// unescaped removes the escapes of JSON for < and >.
func unescaped(text []byte) string {
	return strings.NewReplacer(`\u003c`, "<", `\u003e`, ">").Replace(string(text))
}

var namePw = regexp.MustCompile(`\bpw\b`)

// TestErrorsKeepSecretParts: no message quotes a secret, whole, in a text or in a list.
func TestErrorsKeepSecretParts(t *testing.T) {
	for _, a := range long.Sample(failing) {
		for _, name := range []string{"pw", "pin", "url", "both", "inside"} {
			var said strings.Builder
			doc := "url: \"db://{{ pw }}\"\nboth: [a, \"{{ pw }}\", \"{{ url }}\"]\ninside: {\"hunter\": \"{{ pw }}\"}\nlist: [{x: 1}]\nbad: \"{{ pw }} { %\"\na: " + namePw.ReplaceAllString(a, name) + "\n"
			p := openSecret(t, "pw: "+password+"\npin: "+pin+"\n", doc, &said)
			said.WriteString(everything(p, yaytpl.RenderOptions{Redact: true}) + talk(p))
			for _, secret := range []string{password, pin} {
				if i := strings.Index(said.String(), secret); i >= 0 {
					t.Errorf("%s with %s shows %s: ...%s...", a, name, secret, said.String()[max(i-160, 0):min(i+40, said.Len())])
				}
			}
		}
	}
}

// TestMessagesNameWhatMayBeShown: the rest of a text that is secret in part, and the
// keys of encrypted files, which are structure.
func TestMessagesNameWhatMayBeShown(t *testing.T) {
	for a, want := range map[string]string{
		`"{{ keys[url] }}"`: `no such key "db://*****" in keys`,
		`"{{ keys[pw] }}"`:  `no such key "*****" in keys`,
		`"{{ keys.b }}"`:    `no such key "b" in keys`,
		`"{{ kyes }}"`:      `"kyes" is undefined`,
		`"{{ pw + 1 }}"`:    "must not be shown",
	} {
		p := openSecret(t, secretFile, "url: \"db://{{ pw }}\"\na: "+a+"\n", &strings.Builder{})
		if _, err := p.Documents()[0].Get("a"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", a, err, want)
		} else if a == `"{{ kyes }}"` && !strings.Contains(source.Findings(err)[0].Hint, "keys") {
			t.Errorf("%s has no hint: %v", a, err)
		}
	}
}

// TestGetKeepsSecrets: a value in a list or map that is secret as a whole is secret, and the keys are
// not suggested.
func TestGetKeepsSecrets(t *testing.T) {
	p := openSecret(t, secretFile, "m: \"{{ {pw: {'k': 1}} }}\"\nl: \"[{'k': 1, 'p': '{{ pw }}'}]\"\n", &strings.Builder{})
	d := p.Documents()[0]
	_, err := d.Get("m.huntr2")
	if err == nil || strings.Contains(err.Error()+source.Findings(err)[0].Hint, password) {
		t.Errorf("m.huntr2: %v", err)
	}
	for _, path := range []string{"l[0].p", "l[k=1].p", "l[-1]"} {
		v, err := d.Get(path)
		if masked, _ := value.Masked(v); err != nil || masked != "*****" {
			t.Errorf("%s is shown as %q, %v", path, masked, err)
		}
	}
}

// TestRedactedPages: text templates have their parts, too.
func TestRedactedPages(t *testing.T) {
	for text, want := range map[string]string{
		"pw {{ pw }}\n{{ 1 }}\n": "pw *****\n1\n", "{{ pw }}": "*****\n", "{% if pw %}x{% endif %}\n": "*****\n", "x\n": "x\n",
	} {
		dir := tree(t, map[string]string{"main.yaml": "a: 1\n", "page.j2": text})
		p, err := openOverEncrypted(t, filepath.Join(dir, "main.yaml"), secretFile, yaytpl.Options{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := p.Documents()[0].Template(filepath.Join(dir, "page.j2"), &out, yaytpl.RenderOptions{Redact: true}); err != nil || out.String() != want {
			t.Errorf("%q is shown as %q, %v, want %q", text, out.String(), err, want)
		}
	}
}

// TestMasksOfPrograms: a mask is an error where a program reads the result, otherwise there is one
// warning (spec: everyday, A2).
func TestMasksOfPrograms(t *testing.T) {
	const text = "a: 1\nb: [{pw: {eval: {sensitive: hunter2}}}]\nc: \"x{{ b[0].pw }}\"\n"
	for _, tt := range []struct {
		o        yaytpl.RenderOptions
		err      source.Code
		warnings int
	}{
		{yaytpl.RenderOptions{}, "", 1},
		{yaytpl.RenderOptions{Form: "json"}, "", 1},
		{yaytpl.RenderOptions{Form: "toml"}, "", 1},
		{yaytpl.RenderOptions{Redact: true}, "", 0},
		{yaytpl.RenderOptions{Reveal: true}, "", 0},
		{yaytpl.RenderOptions{Reveal: true, Form: "env"}, "", 0},
		{yaytpl.RenderOptions{Reveal: true, NoMask: true}, "", 0},
		{yaytpl.RenderOptions{Form: "env"}, source.Redacted, 0},
		{yaytpl.RenderOptions{Form: "env", Redact: true}, source.Redacted, 0},
		{yaytpl.RenderOptions{Form: "json", NoMask: true}, source.Redacted, 0},
	} {
		dir := tree(t, map[string]string{"main.yaml": text, "page.j2": "<{{ c }}>"})
		var warned []*source.Diagnostic
		o := yaytpl.Options{Dir: dir, Warn: func(d *source.Diagnostic) { warned = append(warned, d) }}
		p, err := yaytpl.Open(t.Context(), []string{"main.yaml"}, o)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		err = p.Render(&out, tt.o)
		var d *source.Diagnostic
		if errors.As(err, &d); tt.err == "" && err != nil || tt.err != "" && (d == nil || d.Code != tt.err || d.At.File == nil || out.Len() > 0) {
			t.Errorf("%+v: %v, %s, want %q", tt.o, err, out.String(), tt.err)
		}
		if len(warned) != tt.warnings || len(warned) > 0 && (warned[0].Code != source.Redacted || warned[0].At.IsZero()) {
			t.Errorf("%+v: warnings %v, want %d", tt.o, warned, tt.warnings)
		}
		out.Reset()
		if err := p.Documents()[0].Template("page.j2", &out, tt.o); (err == nil) != tt.o.Reveal || !tt.o.Reveal && out.Len() > 0 {
			t.Errorf("%+v: page %q, %v", tt.o, out.String(), err)
		}
	}
}

// TestRedactedForms: every form of output shows the parts.
func TestRedactedForms(t *testing.T) {
	const plain = "# about the page\nurl: \"http://{{ pw }}@db\"\nall: [\"{{ pw }}\", \"x{{ pw }}\", 1]\nn: \"{{ pin }}\"\n"
	for form, want := range map[string]string{
		"yaml":  "pw: \"*****\"\npin: \"*****\"\nkeys: {a: \"*****\"}\nurl: http://*****@db\nall: [\"*****\", x*****, 1]\nn: \"*****\"\n",
		"jsonl": `{"pw":"*****","pin":"*****","keys":{"a":"*****"},"url":"http://*****@db","all":["*****","x*****",1],"n":"*****"}` + "\n",
		"toml":  "pw = \"*****\"\npin = \"*****\"\nurl = \"http://*****@db\"\nall = [\"*****\", \"x*****\", 1]\nn = \"*****\"\n\n[keys]\na = \"*****\"\n",
		"env":   "PW='*****'\nPIN='*****'\nKEYS_A='*****'\nURL='http://*****@db'\nALL_0='*****'\nALL_1='x*****'\nALL_2=1\nN='*****'\n",
	} {
		var out bytes.Buffer
		if err := openSecret(t, "# "+password+"\n"+secretFile+"# "+password+"\n", plain, &strings.Builder{}).Render(&out, yaytpl.RenderOptions{Redact: true, Form: form}); err != nil {
			t.Fatal(err)
		}
		if out.String() != want {
			t.Errorf("%s:\n%s\nwant\n%s", form, out.String(), want)
		}
	}
	var out bytes.Buffer
	if err := openSecret(t, secretFile, plain, &strings.Builder{}).Render(&out, yaytpl.RenderOptions{Form: "jsonl"}); err != nil || !strings.Contains(out.String(), `"http://`+password+`@db"`) {
		t.Errorf("without Redact: %s, %v", out.String(), err)
	}
}

// TestTracesShowParts: a trace is shown while a document is evaluated.
func TestTracesShowParts(t *testing.T) {
	var said strings.Builder
	p := openSecret(t, secretFile, "a: {eval: {concat: [x, {eval: \"::pw\"}]}}\n", &said)
	if err := p.Render(io.Discard, yaytpl.RenderOptions{}); err != nil {
		t.Fatal(err)
	}
	got := said.String()
	if !strings.Contains(got, "gives x*****") || !strings.Contains(got, "gives *****") || strings.Contains(got, password) {
		t.Errorf("traces:\n%s", got)
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
	changes, err := value.Diff(docs[0], docs[1])
	if err != nil || len(changes) != 4 {
		t.Fatalf("%d changes, %v", len(changes), err)
	}
	for _, c := range changes {
		if c.Old.Marks()&c.New.Marks()&value.Sensitive == 0 {
			t.Errorf("%s has lost its mark", c.Path)
		}
	}
}

// TestDiffTellsThatSecretsDiffer, without saying how.
func TestDiffTellsThatSecretsDiffer(t *testing.T) {
	const plain = "url: \"db://{{ pw }}\"\nsame: \"{{ pin }}\"\nkeys: \"{{ {pw: 1} }}\"\nlist: \"[{{ pw | length }}, 1]\"\n"
	var docs [2]value.Value
	var p *yaytpl.Project
	for i, pw := range []string{password, "swordfish"} {
		p = openSecret(t, "pw: "+pw+"\npin: 42\n", plain, &strings.Builder{})
		var err error
		if docs[i], err = p.Documents()[0].Value(); err != nil {
			t.Fatal(err)
		}
	}
	changes, err := value.Diff(docs[0], docs[1])
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for _, c := range changes {
		fmt.Fprintf(&got, "%s: ", c.Path)
		for _, v := range []value.Value{c.Old, c.New} {
			if err := p.WriteValue(&got, v, yaytpl.RenderOptions{Redact: true, Form: "jsonl"}); err != nil {
				t.Fatal(err)
			}
		}
	}
	want := ""
	for _, path := range []string{"pw", "url", "keys", "list"} {
		shown := `"*****"`
		if path == "url" {
			shown = `"db://*****"`
		}
		want += path + ": " + shown + "\n" + shown + "\n"
	}
	if got.String() != want {
		t.Errorf("changes:\n%s\nwant\n%s", got.String(), want)
	}
}
