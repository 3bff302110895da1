package system_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/filters"
	"github.com/yaytpl/yaytpl/internal/testing/long"
	"github.com/yaytpl/yaytpl/value"
)

// A writer of random expressions about a document with a secret.
type exprWriter struct{ *rand.Rand }

func (w exprWriter) pick(from ...string) string { return from[w.IntN(len(from))] }

// expr returns an expression of Jinja.
func (w exprWriter) expr(depth int) string {
	if depth <= 0 {
		return w.pick("pw", "url", "keys", "keys.a", "all", "list", "pin", "'x'", "'a-b c'", "1", "'%s'", "'{}'", "nothing | default(pw)", "ROOT", "SELF.pw", "'::pw'", "'k'")
	}
	e := func() string { return w.expr(depth - 1 - w.IntN(2)) }
	switch w.IntN(28) {
	case 18, 19, 20:
		return w.computed(e)
	case 0, 1:
		return "(" + e() + w.pick(" ~ ", " ~ ", " ~ ", " and ", " or ", " == ") + e() + ")"
	case 11:
		return "(" + e() + w.pick(" + ", " % ", " - ", " * ", " / ", " < ", " in ") + e() + ")"
	case 12, 13, 14:
		return "(" + w.pick("'x'", "'%s'", "'{}|'") + w.pick(" ~ ", " + ", " % ", " | format") + "(" + w.pick("pw", "url", e()) + "))"
	case 15, 16:
		return "([" + e() + ", " + e() + "] | " + w.pick("join", "join('-')", "first", "last", "list", "to_json", "map('upper') | list", "sort | join", "unique | list", "length", "string") + ")"
	case 17, 21:
		return "(" + e() + " | string | " + w.pick("upper", "replace('x', 'y')", "trim", "b64encode | b64decode", "list", "to_json", "length", "reverse | list", "indent", "default('y')", "quote") + ")"
	case 2:
		return "(" + e() + " if " + e() + " else " + e() + ")"
	case 3:
		return "[" + e() + ", " + e() + "]"
	case 4:
		return "{'k': " + e() + ", " + e() + ": " + e() + "}"
	case 5:
		return w.pick("keys", "list", "all", "url", e()) + "[" + w.pick("0", "1", "'a'", e()) + "]"
	case 6:
		return e() + w.pick(".k", ".a", ".x", ".upper()", ".items()", ".keys()", ".nothing()", "[0]", "[1:]", "[:3]", "()")
	case 7:
		return "(" + e() + " is " + w.pick("defined", "string", "mapping", "eq("+e()+")", "in("+e()+")", "match("+e()+")") + ")"
	case 8:
		return w.pick("lookup", "query") + "(" + w.pick("'file'", "'dict'", "'list'", "'env'", "'nothing'", "'items'", e()) + ", " + e() + ")"
	case 9:
		return e() + "." + w.pick("format", "join", "replace", "split", "get", "pop", "index", "count", "center") + "(" + e() + w.pick("", ", "+e()) + ")"
	case 10:
		return w.pick("dict", "range", "namespace", "cycler", "joiner", "zip", "undef") + "(" + w.pick("", "k=") + e() + ")"
	}
	all := filters.Filters()
	args := make([]string, w.IntN(3))
	for i := range args {
		args[i] = e()
	}
	if w.IntN(6) == 0 {
		args = append(args, w.pick("attribute=", "default=")+e())
	}
	return "(" + e() + " | " + all[w.IntN(len(all))].Name + "(" + strings.Join(args, ", ") + "))"
}

// computed returns an expression that evaluates data computed from a secret.
func (w exprWriter) computed(e func() string) string {
	of := w.pick("pw", "pw", "url", e())
	text := "('" + w.pick("", "x") + w.pick("{{ ' ~ "+of+" ~ ' }}", "{{ [' ~ "+of+" ~ '] }}", "{{ 1 | ' ~ "+of+" ~ ' }}", "{{ list[0].' ~ "+of+" ~ '() }}", "{% ' ~ "+of+" ~ ' %}",
		"{% include \"' ~ "+of+" ~ '\" %}", "{{ lookup(\"file\", \"' ~ "+of+" ~ '\") }}", "{{ {}[\"' ~ "+of+" ~ '\"] }}", "::' ~ "+of+" ~ '", "::list[' ~ "+of+" ~ '") + "')"
	data := w.pick("{'template': "+text+"}", "{'template': {'path': "+of+"}}", "{'template': 'x', 'overrides': {"+of+": 1}}",
		"{'eval': {"+of+": "+text+"}}", "{'eval': {'if': '::list', "+of+": 1}}", "{'eval': {'concat': ["+text+"]}, 'trace': 1}", "{'eval': "+text+", 'strict': "+w.pick("'required'", of)+"}",
		"{'eval': '$q', 'vars': {"+w.pick("'q'", of)+": "+text+"}}", "{'eval': '::list', '"+w.pick("foreach", "select")+"': "+text+"}", "{'eval': {'file': 'x'}, 'select': 'contents', 'base_dir': "+of+"}",
		"{'k': [{'x': "+text+"}]}", "["+text+"]", text)
	if w.IntN(6) == 0 {
		return "lookup('unfurl', " + data + ")"
	}
	return "(" + data + " | " + w.pick("eval", "eval", "map_value", "map_value", "eval(q="+e()+")", "eval(wantList=true)") + ")"
}

// names lists the names that templates use.
const names = "{% set v = 'v' %}{% set ns = namespace(x='') %}{% set l = [] %}{% set d = {} %}{% macro m(v='') %}{{ v }}{{ caller(v) if caller is defined }}{% endmacro %}"

// text returns a template.
func (w exprWriter) text(depth int) string {
	e := func() string { return w.expr(w.IntN(3)) }
	if depth <= 0 {
		return w.pick("x ", "{{ pw }}", "{{ url }}", "{{ "+e()+" }}", "{{ "+e()+" }}", "{{ v }}", "{{ ns.x }}", "{{ l | join(',') }}", "{{ d }}")
	}
	in := func() string { return w.text(depth-1) + w.text(depth-1-w.IntN(2)) }
	switch w.IntN(14) {
	case 0:
		return "{% if " + e() + " %}" + in() + "{% else %}" + in() + "{% endif %}"
	case 1, 2:
		return "{% for v in " + e() + " %}" + in() + "{% endfor %}"
	case 3:
		return "{% set v = " + e() + " %}" + in() + "{{ v }}"
	case 4:
		return "{% set v %}" + in() + "{% endset %}" + in()
	case 5:
		return "{% macro m(v) %}" + in() + "{% endmacro %}{{ m(" + e() + ") }}" + in()
	case 6:
		return "{% filter " + w.pick("upper", "trim", "reverse", "b64encode", "replace("+e()+", 'y')") + " %}" + in() + "{% endfilter %}"
	case 7:
		return "{% set ns = namespace(x=" + e() + ") %}{% for v in " + e() + " %}{% set ns.x = ns.x ~ v %}{% endfor %}" + in()
	case 8:
		return "{% set l = [] %}{% do l." + w.pick("append", "extend") + "(" + e() + ") %}" + in()
	case 9:
		return "{% set d = {} %}{% do d." + w.pick("update", "setdefault") + "(" + w.pick(e(), "{"+e()+": 1}") + ") %}" + in() + "{% for v in d %}{{ v }}{% endfor %}"
	case 10:
		return "{% call(v) " + w.pick("m()", "m("+e()+")") + " %}" + in() + "{% endcall %}"
	}
	return in()
}

// value returns a value of a YAML document.
func (w exprWriter) value(depth int) string {
	quoted := func(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
	switch w.IntN(8) {
	case 0:
		return "{eval: " + quoted("::"+w.pick("pw", "keys::a", "all::[x="+password+"]", "nothing", "url", "list::$p", "*", "keys[.=$p]")) + ", vars: {p: {eval: '::pw'}}}"
	case 1:
		if depth > 0 {
			name := w.pick("concat", "add", "sub", "if", "not", "or", "eq", "file", "token", "template", "get_env", "to_env", "urljoin", "sensitive", "scalar", "validate_json", "lookup")
			return "{eval: {" + name + ": [" + w.value(depth-1) + ", " + w.value(depth-1) + "]}" + w.pick("", ", strict: required", ", trace: 1", ", foreach: {k: "+w.value(depth-1)+"}") + "}"
		}
		return "{eval: '::pw'}"
	case 2:
		return quoted("{{ " + w.expr(3) + " }}")
	}
	return quoted(w.pick("", names) + w.text(2))
}

// pin is a number that nothing else has in it.
const pin = "48151623"

// randomProject opens the document of a seed. Every fourth is secret
// itself, and its expressions hold the secret as they are written.
func randomProject(t testing.TB, seed uint64, said *strings.Builder) (p *yaytpl.Project, plain string) {
	t.Helper()
	w := exprWriter{rand.New(rand.NewPCG(seed, 0))}
	secret := "pw: " + password + "\npin: " + pin + "\nkeys: {a: " + password + "}\n"
	plain = "own: {eval: {sensitive: " + password + "}, trace: 1}\nurl: 'db://{{ pw }}'\nlist: [1, {x: '{{ pw }}', k: '<{{ url }}>'}]\nall: ['{{ pw }}', a]\na: " + w.value(2) + "\nb: " + w.value(2) + "\n"
	if seed%4 > 0 {
		return openSecret(t, secret, plain, said), plain
	}
	plain = strings.ReplaceAll(plain, "'x'", "'"+password+"'")
	return openSecret(t, secret+plain, "c: '{{ b }}{{ url }}'\n", said), plain
}

// shownBy returns all output about the document of a seed.
func shownBy(t testing.TB, seed uint64) (document, said string) {
	t.Helper()
	var warned strings.Builder
	p, plain := randomProject(t, seed, &warned)
	var out bytes.Buffer
	out.WriteString(everything(p, yaytpl.RenderOptions{Redact: true}) + talk(p))
	if v, err := p.Documents()[0].Value(); err == nil {
		changes, err := value.Diff(v, value.FromMap(value.NewMap(0)))
		for _, c := range changes {
			fmt.Fprintln(&out, c.Path, p.WriteValue(&out, c.Old, yaytpl.RenderOptions{Redact: true, DropTags: true}))
		}
		fmt.Fprintln(&out, err)
	}
	return plain, out.String() + warned.String()
}

func checkSeed(t testing.TB, seed uint64) {
	t.Helper()
	document, said := shownBy(t, seed)
	said = strings.ReplaceAll(said, "[x="+password+"]", "") // a part of the plain document
	for _, secret := range []string{password, pin} {
		if i := strings.Index(said, secret); i >= 0 {
			t.Errorf("seed %d shows %s: ...%s... of\n%s", seed, secret, said[max(i-160, 0):min(i+60, len(said))], document)
		}
	}
}

// TestRandomDocumentsKeepSecrets: no output shows a secret, however it was used.
func TestRandomDocumentsKeepSecrets(t *testing.T) {
	for seed := range long.Scale(uint64(150)) {
		checkSeed(t, seed)
	}
}

// FuzzSecrets is the same for any seed.
func FuzzSecrets(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) { checkSeed(t, seed) })
}
