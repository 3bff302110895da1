package expr

import (
	"errors"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

const jinjaDocument = `{
  "services": {"web": {"port": 80, "items": "mine"}},
  "list": [1, 2, 3], "name": "web", "query": "a key", "#80": "int", "80": "text",
  "pw": {"eval": {"sensitive": "hunter2"}}, "b": 7, "range": 3, "nested": {"a": {}}
}`

func evalJinja(t *testing.T, text string) (value.Value, error) {
	t.Helper()
	n, err := ParseJinja(text, Nowhere{})
	if err != nil {
		return value.Null, err
	}
	env := newEnv(t, jinjaDocument)
	return Eval(n, env.scope().With("v", value.Int(4)))
}

func TestJinja(t *testing.T) {
	for _, c := range []struct{ rule, text, want string }{
		{"integers", "[1_000, 0x10, 0o17, 0b101, 123456789012345678901234567890]", "[1000, 16, 15, 5, 123456789012345678901234567890]"},
		{"floats", "[1.5, 1e3, 1.5e-3, 1_0.2_5]", "[1.5, 1000.0, 0.0015, 10.25]"},
		{"escapes", `"tab\t \x41\u00e9\101 \\1 \d \'"`, `"tab\t AéA \\1 \\d '"`},
		{"adjacent strings join", `'a' "b" 'c'`, "'abc'"},
		{"constants", "[true, True, false, none, None]", "[True, True, False, None, None]"},
		{"tuples are lists", "1, 2,", "[1, 2]"},
		{"tuples in parentheses", "[(), (1,), (1)]", "[[], [1], 1]"},
		{"dicts", "{'a': 1, 2: [3],}", "{'a': 1, 2: [3]}"},
		{"attribute and item", "[services.web.port, services['web']['port'], list.0, list[-1]]", "[80, 80, 1, 3]"},
		{"two integers after dots", "[[1, [2, 3]]].0.1.0", "2"},
		{"integer key before text key", "[ROOT.80, ROOT['80'], ROOT[80]]", "['int', 'text', 'int']"},
		{"slices", "[list[1:], list[:-1], list[::-1], 'abc'[::2], list[5:]]", "[[2, 3], [1, 2], [3, 2, 1], 'ac', []]"},
		{"slice with a huge step", "list[::9223372036854775807]", "[1]"},
		{"sign binds tighter than filters", "-2 | abs", "2"},
		{"filters bind tighter than operators", "'a' | upper ~ 'b'", "'Ab'"},
		{"eval filter then plus", "'::b' | eval + 1", "8"},
		{"power groups to the left", "2 ** 3 ** 2", "64"},
		{"sign before power", "-2 ** 2", "4"},
		{"division", "[7 / 2, 7 // 2, -7 // 2, 7 % 4, -7 % 4]", "[3.5, 3, -4, 3, 1]"},
		{"concat writes Python", "'a' ~ 1 ~ none ~ true", "'a1NoneTrue'"},
		{"concat binds tighter than plus", "1 ~ 2 + '3'", "'123'"},
		{"chains", "[1 < 2 <= 2, 1 < 2 < 2, 3 > 2 != 4]", "[True, False, True]"},
		{"in", "[2 in list, 'w' in name, 'web' in services, 5 not in list]", "[True, True, True, True]"},
		{"not", "not 1 == 2", "True"},
		{"and or give operands", "[0 or 'x', 1 and 'y', '' and 1]", "['x', 'y', '']"},
		{"conditional", "['a' if v == 4 else 'b', 1 if false else 2 if false else 3]", "['a', 3]"},
		{"conditional without else", "('a' if false) | default('d')", "'d'"},
		{"tests", "[v is divisibleby 2, v is divisibleby(3), none is none, v is not none, 2 is in [1, 2]]", "[True, False, True, True, True]"},
		{"test before and", "v is defined and ghost is not defined", "True"},
		{"dotted filter names", "'a' | ansible.builtin.upper", "'A'"},
		{"a key before a method", "services.web.items", "'mine'"},
		{"a method despite a key", "services.web.items()", "[['port', 80], ['items', 'mine']]"},
		{"text methods", "'a'.upper() ~ name.upper()", "'AWEB'"},
		{"called names skip values", "[range(2), query('items', [1])]", "[[0, 1], [1]]"},
		{"star arguments", "range(*[2])", "[0, 1]"},
		{"undefined caught", "[ghost | default('d'), ghost.deep.er | default(1), list[9] | default(0)]", "['d', 1, 0]"},
		{"an if without else is false", "[not (1 if false), (1 if false) or 2, (1 if false) == 1]", "[True, 2, False]"},
		{"SELF and ROOT", "[SELF.b, ROOT.b]", "[7, 7]"},
		{"functions as methods", "__unfurl.to_label('a', 'b', sep='-')", "[['a', 'b'], 1]"},
		{"function with a lazy branch", "__unfurl['if'](true)", "True"},
		{"now", "__now", "1000.0"},
		{"marks travel", "'x' ~ pw", "sensitive 'xhunter2'"},
		{"marks in comparisons", "pw == 'a'", "sensitive False"},
		{"marks of items in joined text", "['a', 'b' | sensitive] | join", "sensitive 'ab'"},
		{"marks stay on items", "['a', 'b' | sensitive]", "['a', 'b']"},
		{"lookup env", "[lookup('env', 'SET'), lookup('env', 'NO'), lookup('env', 'NO', default='d')]", "['here', '', 'd']"},
		{"lookup unfurl", "[lookup('unfurl', '::b'), query('unfurl', '::b'), lookup('unfurl', '::no')]", "[7, [7], None]"},
		{"lookup joins texts", "lookup('items', ['a', 'b'])", "'a,b'"},
		{"attr through the call", "services | attr('web') | attr('port')", "80"},
		{"env filter through map", "'::b' | map('eval')", "7"},
		{"eval with variables", "'::$k' | eval(k='b')", "7"},
		{"eval of a map", "{'concat': ['a', 'b']} | eval", "'ab'"},
		{"eval with wantList", "'::b' | eval(wantList=true)", "[7]"},
		{"map_value", "{'k': {'eval': '::b'}, 'l': [{'eval': '::b'}]} | map_value", "{'k': 7, 'l': [7]}"},
	} {
		if got := show(evalJinja(t, c.text)); got != c.want {
			t.Errorf("%s: %s = %s, want %s", c.rule, c.text, got, c.want)
		}
	}
}

func TestJinjaErrors(t *testing.T) {
	for _, c := range []struct {
		text string
		code source.Code
		want string // message
		at   string // what the span holds
		hint string
	}{
		{"1 + ", source.Syntax, `template error: expected an expression after "+"`, "", ""},
		{"", source.Syntax, "template error: expected an expression", "", ""},
		{"1 2", source.Syntax, `template error: unexpected "2"`, "2", ""},
		{"(1", source.Syntax, `template error: the "(" is never closed`, "(", `add the closing ")"`},
		{"[1 2]", source.Syntax, `template error: expected "," or "]" instead of "2"`, "2", ""},
		{"a.", source.Syntax, `template error: expected a name after "." instead of the end`, "", ""},
		{"'abc", source.Syntax, "template error: string has no closing '", "'abc", "add the closing quote"},
		{`'\x4'`, source.Syntax, `template error: bad escape "\x4" in a string`, `\x4`, ""},
		{"a ? b", source.Syntax, `template error: unexpected character "?"`, "?", "write x if condition else y"},
		{"f(a=1, 2)", source.Syntax, "template error: a positional argument cannot follow a keyword argument", "2", ""},
		{"1 | defualt(2)", source.Syntax, `unknown filter "defualt"`, "defualt", `did you mean "default"?`},
		{"1 is definde", source.Syntax, `unknown test "definde"`, "definde", `did you mean "defined"?`},
		{"nmae + 1", source.Undefined, `"nmae" is undefined`, "nmae", `did you mean "name"?`},
		{"services.web.prot", source.Undefined, `no such key "prot" in services.web`, "prot", `did you mean "port"?`},
		{"name.foo ~ 1", source.Undefined, `no such key "foo" in name, which is a string`, "foo", ""},
		{"list[7] + 1", source.Undefined, "no item 7 in list, which is a list", "7", ""},
		{"not ghost", source.Undefined, `"ghost" is undefined`, "ghost", ""},
		{"ghost or 1", source.Undefined, `"ghost" is undefined`, "ghost", ""},
		{"ghost and 1", source.Undefined, `"ghost" is undefined`, "ghost", ""},
		{"1 if ghost else 2", source.Undefined, `"ghost" is undefined`, "ghost", ""},
		{"ghost == 1", source.Undefined, `"ghost" is undefined`, "ghost", ""},
		{"ghost in list", source.Undefined, `"ghost" is undefined`, "ghost", ""},
		{"ghost()", source.Undefined, `"ghost" is undefined`, "ghost", ""},
		{"name()", source.BadType, "cannot call name: it is a string, not a function", "name", ""},
		{"'a'.nope()", source.Undefined, `a string has no method "nope"`, "nope", ""},
		{"'a' - 1", source.BadType, "cannot compute a string - an integer", "'a' - 1", "the filters int and float make a number of a text"},
		{"+'a'", source.BadType, `"+" needs a number after it, not a string`, "+'a'", ""},
		{"-'a'", source.BadType, "cannot negate a string", "-'a'", ""},
		{"1 / 0", source.BadValue, "division by zero", "1 / 0", ""},
		{"1 < 'a'", source.BadType, "cannot order an integer and a string", "<", "the filters int and float make a number of a text, string a text of a number"},
		{"1 in 2", source.BadType, `"in" needs a list, a map or a string, not an integer`, "in", ""},
		{"{[]: 1}", source.BadKey, "a list cannot be a key", "[]", ""},
		{"'x' | fail", source.BadValue, `cannot do it with "x"`, "fail", ""},
		{"pw | fail", source.BadValue, "the operation failed on a value that must not be shown", "fail", ""},
		{"list[::0]", source.BadValue, "the step of a slice cannot be zero", "0", ""},
		{"lookup('itms', 1)", source.BadValue, `unknown lookup "itms"`, "lookup('itms', 1)", `did you mean "items"?`},
		{"'::a[' | eval", source.Syntax, `path: bracket "[" is not closed`, "eval", ""},
		{strings.Repeat("(", 5000), source.Limit, "template error: the expression is nested too deeply", "(", ""},
		{strings.Repeat("1+", 50000) + "1", source.Limit, "template error: the expression is nested too deeply", "1", ""},
	} {
		file := source.NewFile("t", c.text)
		n, err := ParseJinja(c.text, At(file.Span(0, len(c.text))))
		env := newEnv(t, jinjaDocument)
		if err == nil {
			var v value.Value
			if v, err = Eval(n, env.scope()); err == nil {
				err = Raise(v)
			}
		}
		var d *source.Diagnostic
		if !errors.As(err, &d) {
			t.Errorf("%.40s: error %v, want a diagnostic", c.text, err)
			continue
		}
		if d.Code != c.code || d.Message != c.want || d.At.Text() != c.at || d.Hint != c.hint {
			t.Errorf("%.40s: got %s %q at %q hint %q, want %s %q at %q hint %q", c.text, d.Code, d.Message, d.At.Text(), d.Hint, c.code, c.want, c.at, c.hint)
		}
	}
}

func TestLimitsOfEvaluation(t *testing.T) {
	env := newEnv(t, `{"a": "{{ '::b' | eval }}", "b": "{{ '::a' | eval }}"}`)
	n, err := ParseJinja("'{{ x }}' | eval", Nowhere{})
	if err != nil {
		t.Fatal(err)
	}
	s := env.scope()
	s = s.withLazy("x", func() (value.Value, error) { return Eval(n, s) })
	if _, err := Eval(n, s); err == nil {
		t.Error("an expression that needs itself gives no error")
	}
}

func TestStatementHeads(t *testing.T) {
	p := NewParser("a, (b, ns.x) in items if b recursive", Nowhere{})
	target, err := p.Target()
	if err != nil || len(target.Items) != 2 || target.Items[1].Items[1].Attr != "x" {
		t.Fatalf("Target = %+v, %v", target, err)
	}
	if got := strings.Join(target.Names(), " "); got != "a b" {
		t.Errorf("Names = %q, want %q", got, "a b")
	}
	if err := p.Expect("in"); err != nil {
		t.Fatal(err)
	}
	items, err := p.TupleNoCond()
	if _, ok := items.(*Name); !ok || err != nil {
		t.Fatalf("TupleNoCond = %T, %v", items, err)
	}
	if !p.Accept("if") {
		t.Fatal(`the "if" of the loop was read as part of its list`)
	}
	if _, err := p.Expr(); err != nil {
		t.Fatal(err)
	}
	if !p.Accept("recursive") || !p.AtEnd() {
		t.Errorf("rest at %d", p.offset())
	}
}

func TestMacroHead(t *testing.T) {
	p := NewParser("field(name, size=20, *)", Nowhere{})
	if name, _, err := p.Name(); name != "field" || err != nil {
		t.Fatalf("Name = %q, %v", name, err)
	}
	if _, err := p.Params(); err == nil || !strings.Contains(err.Error(), `expected a name instead of "*"`) {
		t.Errorf("Params error = %v", err)
	}
	p = NewParser("(a, b=1 + 1)", Nowhere{})
	params, err := p.Params()
	if err != nil || len(params) != 2 || params[0].Default != nil || params[1].Default == nil {
		t.Errorf("Params = %+v, %v", params, err)
	}
}

func TestFilterHead(t *testing.T) {
	p := NewParser("default(1) | upper", Nowhere{})
	n, err := p.Filters(&Lit{Value: value.String("x")})
	if err != nil || p.End() != nil {
		t.Fatal(err, p.End())
	}
	if got := show(Eval(n, newEnv(t, "{}").scope())); got != "'X'" {
		t.Errorf("filters give %s", got)
	}
}

func FuzzParseJinja(f *testing.F) {
	for _, s := range []string{"a.b[1:2] | f(x=1, *y) ~ 'x\\n' is not in [1]", "{'a': (1, 2)}", "1 if a else b", "- - 2 ** 3 // 4"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, err := ParseJinja(text, Nowhere{})
		if err != nil {
			var d *source.Diagnostic
			if !errors.As(err, &d) || !strings.HasPrefix(d.Message, "template error") {
				t.Errorf("ParseJinja(%q): error %v", text, err)
			}
			return
		}
		env := newEnv(t, `{"a": {"b": [1, 2, 3]}}`)
		_, _ = Eval(n, env.scope())
	})
}
