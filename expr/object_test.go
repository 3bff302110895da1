package expr

import (
	"errors"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

func TestObjects(t *testing.T) {
	for _, c := range []struct{ rule, document, want string }{
		{"eval", `{"a": {"b": 7}, "x": {"eval": "::a::b"}}`, "7"},
		{"ref", `{"a": {"b": 7}, "x": {"ref": "::a::b"}}`, "7"},
		{"no match is null", `{"x": {"eval": "::nope"}}`, "None"},
		{"a cycle is null", `{"x": {"eval": "::y"}, "y": {"eval": "::x"}}`, "None"},
		{"or breaks a cycle", `{"x": {"eval": {"or": ["::y", 1]}}, "y": {"eval": {"or": ["::x", 1]}}}`, "1"},
		{"other keys make it data", `{"x": {"eval": "::a", "other": 1}, "a": 2}`, "{'eval': '::a', 'other': 1}"},
		{"relative paths look outward", `{"port": 1, "x": {"port": 2, "in": {"p": {"eval": "port"}}}}`, "{'port': 2, 'in': {'p': 2}}"},
		{"data under eval", `{"x": {"eval": [1, {"eval": "::a"}]}, "a": 2}`, "[1, 2]"},
		{"a template under eval", `{"x": {"eval": "{{ n * 2 }}", "vars": {"n": 21}}}`, "42"},
		{"vars are lazy", `{"x": {"eval": "$a", "vars": {"a": 1, "b": {"eval": {"div": [1, 0]}}}}}`, "1"},
		{"vars see each other", `{"x": {"eval": "$a", "vars": {"a": {"eval": "$b"}, "b": 5}}}`, "5"},
		{"a variable of its own name is the outer one", `{"x": {"eval": {"eval": "$a", "vars": {"a": {"eval": {"add": [{"eval": "$a"}, 1]}}}}, "vars": {"a": 1}}}`, "2"},
		{"start", `{"x": {"eval": "n", "vars": {"start": {"eval": "::o"}}}, "o": {"n": 3}}`, "3"},
		{"select with a path", `{"a": {"b": {"c": 4}}, "x": {"eval": "::a::b", "select": "c"}}`, "4"},
		{"select on each match", `{"h": {"a": {"ip": 1}, "b": {"ip": 2}}, "x": {"eval": "::h::*", "select": "ip"}}`, "[1, 2]"},
		{"select does not look outward", `{"n": 1, "a": {"b": {}}, "x": {"eval": "::a::b", "select": "n"}}`, "None"},
		{"select takes a list apart", `{"l": [{"n": 1}, {"m": 2}], "x": {"eval": "::l", "select": "n"}}`, "1"},
		{"foreach gives a list", `{"v": "only", "x": {"eval": "::v", "foreach": "$item"}}`, "['only']"},
		{"foreach over nothing", `{"l": [], "x": {"eval": "::l", "foreach": "$item"}}`, "[]"},
		{"foreach without a result", `{"x": {"eval": "::l", "foreach": "$item"}}`, "[]"},
		{"foreach: true", `{"l": [1, 2], "x": {"eval": "::l", "foreach": true}}`, "[1, 2]"},
		{"foreach: $true", `{"l": [1, 2], "x": {"eval": "::l", "foreach": "$true"}}`, "[1, 2]"},
		{"foreach skips items without a result", `{"l": [{"n": 1}, {}], "x": {"eval": "::l", "foreach": "n"}}`, "[1]"},
		{"foreach keeps inner lists", `{"l": [{"n": [1]}, {"n": [2]}], "x": {"eval": "::l", "foreach": "n"}}`, "[[1], [2]]"},
		{"foreach with a template", `{"l": [5, 6], "x": {"eval": "::l", "foreach": "{{ item * 10 + index }}"}}`, "[50, 61]"},
		{"foreach with a key", `{"l": [{"n": "a", "v": 1}, {"n": "b", "v": 2}], "x": {"eval": "::l", "foreach": {"key": "$item::n", "value": "$item::v"}}}`, "[{'a': 1, 'b': 2}]"},
		{"foreach with only a key", `{"l": ["a"], "x": {"eval": "::l", "foreach": {"key": "$item"}}}`, "[{'a': 'a'}]"},
		{"foreach with a map is eager", `{"l": [1, 2], "x": {"eval": "::l", "foreach": {"value": {"num": {"eval": "$item"}, "pos": {"eval": "$index"}}}}}`, "[{'num': 1, 'pos': 0}, {'num': 2, 'pos': 1}]"},
		{"$break", `{"l": [1, 2, 3, 4], "x": {"eval": "::l", "foreach": {"eval": {"if": {"gt": [{"eval": "$item"}, 2]}, "then": "$break", "else": "$item"}}}}`, "[1, 2]"},
		{"$continue", `{"l": [1, 2, 3, 4], "x": {"eval": "::l", "foreach": {"eval": {"if": {"eq": [{"eval": {"mod": [{"eval": "$item"}, 2]}}, 0]}, "then": "$item", "else": "$continue"}}}}`, "[2, 4]"},
		{"a map is one item", `{"m": {"a": 1}, "x": {"eval": "::m", "foreach": "$item"}}`, "[{'a': 1}]"},
		{"foreach as a function", `{"x": {"eval": {"foreach": "$key"}, "vars": {"start": {"eval": "::m"}}}, "m": {"a": 1, "b": 2}}`, "['a', 'b']"},
		{"q", `{"x": {"q": {"eval": "::a"}}}`, "{'eval': '::a'}"},
		{"q on a template", `{"x": {"q": "{{ 1 + 1 }}"}}`, "'{{ 1 + 1 }}'"},
		{"q in an expression", `{"x": {"eval": {"q": "{{ a }}"}}}`, "'{{ a }}'"},
		{"if", `{"t": 1, "x": {"eval": {"if": "::t", "then": "::t", "else": {"div": [1, 0]}}}}`, "1"},
		{"if without branches", `{"x": {"eval": {"if": "::t"}}}`, "False"},
		{"and gives the first false operand", `{"t": true, "e": "", "x": {"eval": {"and": ["::t", "::e", "::t"]}}}`, "''"},
		{"and gives the last operand", `{"t": true, "w": "w", "x": {"eval": {"and": ["::t", "::w"]}}}`, "'w'"},
		{"or without a true operand", `{"e": "", "x": {"eval": {"or": ["::e", "::nope"]}}}`, "False"},
		{"not", `{"e": "", "x": {"eval": {"not": "::e"}}}`, "True"},
		{"comparisons", `{"x": [{"eval": {"eq": [1, "1"]}}, {"eval": {"lt": [1, 2]}}, {"eval": {"ge": ["a", "b"]}}]}`, "[False, True, False]"},
		{"arithmetic", `{"x": [{"eval": {"add": [[1], [2]]}}, {"eval": {"div": [7, 2]}}, {"eval": {"floordiv": [-7, 2]}}, {"eval": {"pow": [2, 10]}}]}`, "[[1, 2], 3.5, -4, 1024]"},
		{"concat", `{"x": {"concat": ["a", 1, true, null, 1.5], "sep": "-"}}`, "'a-1-true-null-1.5'"},
		{"concat of no list", `{"x": {"eval": {"concat": "a"}}}`, "'a'"},
		{"token", `{"x": {"token": ["a:b:c", ":", -1]}}`, "'c'"},
		{"token of a computed text", `{"x": {"token": [{"get_env": "SET"}, "r", 0]}}`, "'he'"},
		{"get_env", `{"x": [{"get_env": "SET"}, {"get_env": ["NO", "d"]}, {"get_env": "NO"}, {"has_env": "SET"}]}`, "['here', 'd', None, True]"},
		{"the whole environment", `{"x": {"eval": {"get_env": null}, "select": "SET"}}`, "'here'"},
		{"to_env", `{"x": {"eval": {"to_env": {"A": "${SET}!", "^PATH": "/x", "+HOME": null, "B": true, "-B": null}}}}`, "{'A': 'here!', 'PATH': '/x:/bin', 'HOME': '/home/me'}"},
		{"file", `{"x": {"eval": {"file": "data.txt"}}}`, "'data.txt'"},
		{"file contents", `{"x": {"eval": {"file": "data.txt"}, "select": "contents"}}`, "'line\\n'"},
		{"file path", `{"x": {"eval": {"file": "data.txt"}, "select": "path"}}`, "'/doc/data.txt'"},
		{"file encoding", `{"x": {"eval": {"file": "data.txt"}, "select": "encoding"}}`, "'utf-8'"},
		{"file in a variable", `{"x": {"eval": "$f::contents", "vars": {"f": {"eval": {"file": "data.txt"}}}}}`, "'line\\n'"},
		{"file in a text", `{"x": {"concat": ["<", {"eval": {"file": "data.txt"}}, ">"]}}`, "'<data.txt>'"},
		{"file in a directory", `{"x": {"eval": {"file": "x", "dir": "src"}, "select": "path"}}`, "'/src/x'"},
		{"file written", `{"x": {"eval": {"file": "new", "contents": "c", "encoding": "utf-8"}, "select": "contents"}}`, "'c'"},
		{"tempfile", `{"x": {"eval": {"tempfile": "c", "suffix": ".txt"}}}`, "'/tmp/x.txt'"},
		{"base_dir", `{"x": {"eval": {"abspath": "y"}, "base_dir": "sub"}}`, "'/doc/sub/y'"},
		{"abspath", `{"x": [{"eval": {"abspath": "y"}}, {"eval": {"abspath": ["y", "tmp"]}}]}`, "['/doc/y', '/tmp/y']"},
		{"get_dir", `{"x": {"eval": {"get_dir": "."}}}`, "'/doc'"},
		{"template", `{"x": {"eval": {"template": "{{ greet }}, {{ who.name }}!"}, "vars": {"greet": "hi", "who": {"name": "bob"}}}}`, "'hi, bob!'"},
		{"template without markers", `{"x": {"eval": {"template": "text"}}}`, "'text'"},
		{"template from a file", `{"x": {"eval": {"template": {"path": "data.txt"}}}}`, "'line'"},
		{"lookup", `{"x": [{"eval": {"lookup": {"env": "SET"}}}, {"eval": {"lookup": {"env": ["SET"]}}}, {"eval": {"lookup": {"dict": {}}}}]}`, "['here', 'here', None]"},
		{"sensitive", `{"x": {"eval": {"sensitive": "hunter2"}}}`, "sensitive 'hunter2'"},
		{"is_function_defined", `{"x": [{"eval": {"is_function_defined": "concat"}}, {"eval": {"is_function_defined": "python"}}]}`, "[True, False]"},
		{"library functions", `{"x": {"eval": {"to_label": "a", "sep": "-"}}}`, "['a', 1]"},
		{"a list operand that is computed", `{"l": [0, 3], "x": {"eval": {"or": "::l"}}}`, "3"},
		{"strict: required with a result", `{"a": null, "x": {"eval": "::a", "strict": "required"}}`, "None"},
	} {
		env := newEnv(t, c.document)
		v, _, err := env.root.Map().Get(value.K("x"))
		if got := show(v, err); got != c.want {
			t.Errorf("%s: x of %s = %s, want %s", c.rule, c.document, got, c.want)
		}
	}
}

func TestObjectErrors(t *testing.T) {
	for _, c := range []struct {
		object string
		code   source.Code
		want   string
	}{
		{`{"eval": {"concat": ["a"], "foreach": "$item"}}`, source.BadExpression, "unexpected 'foreach'"},
		{`{"eval": {"to_label": "a", "vars": {}}}`, source.BadExpression, "unexpected 'vars'"},
		{`{"eval": {"concat": ["a"], "sepp": "-"}}`, source.BadExpression, "unexpected 'sepp'"},
		{`{"eval": {"concta": ["a"]}}`, source.BadExpression, `Function missing: "concta" is not a function`},
		{`{"eval": {}}`, source.BadExpression, "Function missing"},
		{`{"eval": "::nope", "strict": "required"}`, source.Undefined, `the expression "::nope" must return results`},
		{`{"eval": "::a", "strict": "notnull"}`, source.Undefined, "must return results that are not null"},
		{`{"eval": "::a", "strict": "maybe"}`, source.BadExpression, `"strict" must be`},
		{`{"eval": "::a", "vars": 1}`, source.BadExpression, `"vars" must be a map`},
		{`{"eval": "$v", "vars": {"v": {"eval": "$v"}}}`, source.Cycle, "needs its own value"},
		{`{"eval": "::a["}`, source.Syntax, "bracket"},
		{`{"eval": {"div": [1, 0]}}`, source.BadValue, "division by zero"},
		{`{"eval": {"add": [1]}}`, source.BadExpression, `"add" takes a list of two operands`},
		{`{"eval": {"lt": [1, "a"]}}`, source.BadType, "cannot order"},
		{`{"eval": {"or": [{"div": [1, 0]}, true]}}`, source.BadValue, "division by zero"},
		{`{"token": ["a:b", ":", 5]}`, source.BadValue, `"token" has no part 5`},
		{`{"eval": {"file": "none"}, "select": "contents"}`, source.Access, "cannot read none"},
		{`{"eval": {"file": "n", "contents": "x", "encoding": "vault"}}`, source.BadValue, "encrypted"},
		{`{"eval": {"to_env": {}, "update_os_environ": true}}`, source.Forbidden, "cannot be changed"},
		{`{"eval": "::l", "foreach": {"key": "$item", "value": 1}}`, source.BadKey, "a list cannot be a key"},
		{`{"eval": {"lookup": {"nope": 1}}}`, source.BadValue, `unknown lookup "nope"`},
	} {
		env := newEnv(t, `{"a": null, "l": [[1], [2]]}`)
		n, err := Compile(parseJSON(t, c.object), source.Span{})
		if err == nil {
			_, err = Eval(n, env.scope())
		}
		var d *source.Diagnostic
		if !errors.As(err, &d) || d.Code != c.code || !strings.Contains(d.Message, c.want) {
			t.Errorf("%s: error %v, want %s %q", c.object, err, c.code, c.want)
		}
	}
}

func TestNarrowRule(t *testing.T) {
	for object, want := range map[string]bool{
		`{"eval": "::a"}`: true, `{"eval": 5}`: false, `{"eval": "x", "other": 1}`: false, `{"eval": "x", "vars": {}}`: true,
		`{"ref": "main"}`: false, `{"ref": "::main"}`: true, `{"ref": "$x"}`: true, `{"ref": {"concat": []}}`: true, `{"ref": {"x": 1}}`: false,
		`{"concat": ["a"]}`: true, `{"concat": "a"}`: false, `{"concat": ["a"], "sep": ""}`: true, `{"concat": ["a"], "x": ""}`: false,
		`{"token": "secret"}`: false, `{"token": ["a", ":", 0]}`: true, `{"token": ["a", ":"]}`: false,
		`{"get_env": "HOME"}`: true, `{"get_env": "a b"}`: false, `{"has_env": ["X", 1]}`: true, `{"get_env": null}`: false,
		`{"q": "text"}`: false, `{"q": {"a": [{"eval": "::a"}]}}`: true, `{"q": "{{ x }}"}`: true, `{"q": {"+/a": null}}`: true,
		`{"q": {"ref": "main"}}`: false, `{"q": {"q": {"q": "text"}}}`: false, `{"q": {"q": "{{ x }}"}}`: true, `{"a": 1}`: false, `{}`: false,
		`{"q": "${{ github.ref }}"}`: false,
	} {
		if got := IsExpression(parseJSON(t, object).Map()); got != want {
			t.Errorf("IsExpression(%s) = %v, want %v", object, got, want)
		}
	}
}

func TestNestedQuotesAreFast(t *testing.T) {
	v := value.String("text")
	for range 300 {
		m := value.NewMap(1)
		m.Set(value.K("q"), v)
		v = value.FromMap(m)
	}
	if IsExpression(v.Map()) {
		t.Error("nothing is quoted, yet it is an expression")
	}
}

func TestIsTemplate(t *testing.T) {
	for text, want := range map[string]bool{
		"{{ x }}": true, "a {% if %}": true, "{# c #}": false, "}}": false, "${{ x }}": false, "${{ x }} {{ y }}": true, "${{ x": false,
		"${{ x }} {% y": true, "{ {": false, "${{ a {{ b }}": false, "{{": true, "$ {{ x }}": true, "": false, "{": false,
		"#jinja2: variable_start_string: '[%'\n[% x %]": true, "{ { x } }": false, "$({{ x }})": true,
	} {
		if got := IsTemplate(text); got != want {
			t.Errorf("IsTemplate(%q) = %v, want %v", text, got, want)
		}
	}
}

func TestFinalDataIsLeftAlone(t *testing.T) {
	env := newEnv(t, `{"a": 1}`)
	in := value.ListOf(value.String("{{ 1 }}").Verbatim(), value.String("{{ 1 }}"), parseJSON(t, `{"ref": "a"}`))
	n, err := new(compiler).data(in, Nowhere{})
	if err != nil {
		t.Fatal(err)
	}
	if got := show(Eval(n, env.scope())); got != "['{{ 1 }}', 1, 1]" {
		t.Errorf("Eval(compileData(%s)) = %s", show(in, nil), got)
	}
}

func TestTraceHidesSecrets(t *testing.T) {
	env := newEnv(t, `{"pw": {"eval": {"sensitive": "hunter2"}, "trace": 1}, "x": {"eval": "::y", "trace": 1}, "y": 5}`)
	for _, key := range []string{"pw", "x"} {
		if _, _, err := env.root.Map().Get(value.K(key)); err != nil {
			t.Fatal(err)
		}
	}
	if len(env.warnings) != 2 || env.warnings[0].Severity != source.Info {
		t.Fatalf("warnings = %v", env.warnings)
	}
	if got := env.warnings[0].Message; strings.Contains(got, "hunter2") || !strings.Contains(got, "<<REDACTED>>") {
		t.Errorf("trace = %q", got)
	}
	if got := env.warnings[1].Message; got != `trace: the expression "::y" gives 5` {
		t.Errorf("trace = %q", got)
	}
}

func TestTemplatesRecordMarks(t *testing.T) {
	env := newEnv(t, `{"pw": {"eval": {"sensitive": "hunter2"}}}`)
	for text, want := range map[string]value.Marks{
		"'::pw' | eval": value.Sensitive, "SELF.pw": value.Sensitive, "pw": value.Sensitive, "['a', 'b' | sensitive]": 0, "1 if pw else 2": value.Sensitive,
		"lookup('unfurl', '::pw') is none": value.Sensitive, "ROOT['pw']": value.Sensitive,
	} {
		n, err := ParseJinja(text, Nowhere{})
		if err != nil {
			t.Fatal(err)
		}
		var marks value.Marks
		if _, err := Eval(n, env.scope().Tainted(&marks)); err != nil || marks != want {
			t.Errorf("%s touches marks %d, %v, want %d", text, marks, err, want)
		}
	}
}

func TestLookups(t *testing.T) {
	for text, want := range map[string]string{
		"query('sequence', 'start=1 end=3')":                                                 "['1', '2', '3']",
		"query('sequence', '2-10/4')":                                                        "['2', '6', '10']",
		"query('sequence', '3:h%02d')":                                                       "['h01', 'h02', 'h03']",
		"query('sequence', start=0, count=2)":                                                "['0', '1']",
		"query('sequence', 'start=3 end=1 stride=-1')":                                       "['3', '2', '1']",
		"query('sequence', 'start=9223372036854775806 end=9223372036854775807 stride=1000')": "['9223372036854775806']",
		"query('dict', {'k': 1})":                                                            "[{'key': 'k', 'value': 1}]",
		"query('indexed_items', ['a'])":                                                      "[[0, 'a']]",
		"query('nested', [1, 2], ['a', 'b'])":                                                "[[1, 'a'], [1, 'b'], [2, 'a'], [2, 'b']]",
		"query('together', [1, 2], ['a'])":                                                   "[[1, 'a'], [2, None]]",
		"query('flattened', [1, [2, [3]]])":                                                  "[1, 2, 3]",
		"query('nested', [1, 2], 'x')":                                                       "[[1, 'x'], [2, 'x']]",
		"query('items', [None, [1]], 2)":                                                     "[None, [1], 2]",
		"query('list', [1], 2)":                                                              "[[1], 2]",
		"query('random_choice', ['a', 'b'])":                                                 "['b']",
		"lookup('file', 'data.txt')":                                                         "'line'",
		"lookup('file', 'data.txt', rstrip=false)":                                           "'line\\n'",
		"lookup('file', 'no.txt', errors='ignore')":                                          "None",
		"lookup('first_found', ['no.txt', 'data.txt'])":                                      "'/doc/data.txt'",
		"query('first_found', {'files': ['t.csv'], 'paths': ['/doc']})":                      "['/doc/t.csv']",
		"query('first_found', ['no.txt'], skip=true)":                                        "[]",
		"query('fileglob', '*.txt')":                                                         "['/doc/data.txt']",
		"lookup('pipe', 'x')":                                                                "'ran x\\nb'",
		"query('lines', 'x')":                                                                "['ran x', 'b']",
		"query('url', 'http://x/')":                                                          "['page', 'end']",
		"lookup('template', 'data.txt')":                                                     "'line'",
		"lookup('vars', 'a')":                                                                "1",
		"lookup('vars', 'ghost', default=2)":                                                 "2",
		"lookup('csvfile', 'b', file='t.csv', delimiter=',')":                                "'2'",
		"lookup('csvfile', 'b file=t.csv delimiter=, col=0')":                                "'b'",
		"lookup('ini', 'K', section='s', file='x.ini')":                                      "'v'",
		"lookup('ansible.builtin.items', [1, 2])":                                            "[1, 2]",
		"lookup('items', [1], wantlist=true)":                                                "[1]",
		"query('subelements', [{'n': 1, 'k': [2]}], 'k')":                                    "[[{'n': 1}, 2]]",
	} {
		n, err := ParseJinja(text, Nowhere{})
		if err != nil {
			t.Fatal(err)
		}
		if got := show(Eval(n, newEnv(t, `{"a": 1}`).scope())); got != want {
			t.Errorf("%s = %s, want %s", text, got, want)
		}
	}
}

func TestEnvFilters(t *testing.T) {
	for text, want := range map[string]string{
		"'x' | abspath":                       "'/doc/x'",
		"'x' | abspath('src')":                "'/src/x'",
		"'.' | get_dir":                       "'/doc'",
		"'sh' | which":                        "'/bin/sh'",
		"'nope' | which":                      "None",
		"'*.txt' | fileglob":                  "['/doc/data.txt']",
		"'$SET/${NO}' | expandvars":           "'here/$NO'",
		"'~/x' | expanduser":                  "'/home/me/x'",
		"'~x' | expanduser":                   "'~x'",
		"'::a' | eval(wantList=true)":         "[1]",
		"'$x' | ref(x=2)":                     "2",
		"{'k': {'eval': '::a'}} | map_value":  "{'k': 1}",
		"'data.txt' | realpath":               "'/doc/data.txt'",
		"'data.txt' is file":                  "True",
		"'nope' is exists":                    "False",
		"'' is exists":                        "False",
		"'a\x00b' is link_exists":             "False",
		"'data.txt' is link":                  "False",
		"'data.txt' is mount":                 "False",
		"'data.txt' is same_file('data.txt')": "True",
		"'data.txt' is same_file('nope')":     "error: test \"same_file\": there is no file \"nope\" [access]",
		"'data.txt' is file('x')":             "error: test \"file\": takes no arguments, got 1 [bad-value]",
		"'data.txt' is same_file":             "error: test \"same_file\": takes 1 argument, got 0 [bad-value]",
		"3 is directory":                      "error: test \"directory\" needs the name of a file, not an integer [bad-type]",
		"ghost is file":                       "error: \"ghost\" is undefined [undefined]",
		"'x' | which('y')":                    "error: filter \"which\": takes no arguments, got 1 [bad-value]",
		"'x' | expandvars(a=1)":               "error: filter \"expandvars\": unknown argument \"a\" [bad-value]",
		"1 | which":                           "error: \"which\" needs a string, not an integer [bad-type]",
	} {
		n, err := ParseJinja(text, Nowhere{})
		if err != nil {
			t.Fatal(err)
		}
		if got := show(Eval(n, newEnv(t, `{"a": 1}`).scope())); got != want {
			t.Errorf("%s = %s, want %s", text, got, want)
		}
	}
}

func TestLookupErrors(t *testing.T) {
	for text, want := range map[string]string{
		"query('dict', 1)":                                    `lookup "dict" needs a map, not an integer`,
		"query('fileglob', 1)":                                `lookup "fileglob" needs a string, not an integer`,
		"query('items', ghost)":                               `"ghost" is undefined`,
		"query('subelements', [])":                            `needs a list of maps and a key`,
		"query('sequence', 'x')":                              "cannot read \"x\"",
		"query('sequence', 'start=a')":                        "the start of a sequence is an integer",
		"query('sequence', 'start=1')":                        "needs either end or count",
		"query('sequence', 'end=1 stride=0')":                 "has no end",
		"query('sequence', 'start=3 end=1')":                  "stride of the other sign",
		"query('sequence', end=1, step=2)":                    `lookup "sequence" has no option "step"`,
		"query('csvfile', 'b', file='t.csv', delimiter='ab')": "the delimiter of a CSV file is one character",
		"query('csvfile', 'b', file='t.csv', col='x')":        "is not the number of a column",
		"query('first_found', ['no.txt'])":                    "none of these files exists",
	} {
		n, err := ParseJinja(text, Nowhere{})
		if err != nil {
			t.Fatal(err)
		}
		if got := show(Eval(n, newEnv(t, `{"a": 1}`).scope())); !strings.Contains(got, want) {
			t.Errorf("%s = %s, want %s", text, got, want)
		}
	}
}

func TestLookupWarnings(t *testing.T) {
	env := newEnv(t, `{}`)
	n, err := ParseJinja("query('file', 'no.txt', errors='warn')", Nowhere{})
	if err != nil {
		t.Fatal(err)
	}
	if got := show(Eval(n, env.scope())); got != "[]" || len(env.warnings) != 1 || env.warnings[0].Severity != source.Warning {
		t.Errorf("got %s and warnings %v", got, env.warnings)
	}
}

// What the tables name must exist.
func TestTablesAreComplete(t *testing.T) {
	for _, d := range EnvFilters() {
		if f, _ := envFilters().find(d.Name); f.call == nil || d.Doc == "" || d.Example == "" || d.Result == "" {
			t.Errorf("filter %q is not complete", d.Name)
		}
	}
	for _, d := range Lookups() {
		if f, _ := lookups().find(d.Name); f.find == nil || d.Doc == "" || d.Example == "" || d.Result == "" {
			t.Errorf("lookup %q is not complete", d.Name)
		}
	}
	for _, d := range Functions() {
		if f, _ := functions().find(d.Name); (f.lazy == nil) == (f.apply == nil) || d.Doc == "" || d.Example == "" || d.Result == "" {
			t.Errorf("function %q is not complete", d.Name)
		}
	}
}

func FuzzCompile(f *testing.F) {
	for _, s := range []string{
		`{"eval": {"if": "::a", "then": {"concat": ["x"]}}, "foreach": {"key": "$item"}}`, `{"q": {"q": "{{ x }}"}}`,
		`{"eval": "::a", "select": "b", "strict": "required", "vars": {"start": 1, "x": {"ref": "$x"}}}`,
		`{"eval": {"lookup": {"sequence": "1-3"}}}`, `{"token": ["a", "", 1]}`, `{"eval": {"to_env": {"^A": "${B"}}}`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 2000 || !strings.HasPrefix(text, "{") {
			return
		}
		d := jsonDecoder(text)
		v, err := readJSON(d)
		if err != nil || !v.Is(value.MapKind) {
			return
		}
		IsExpression(v.Map())
		n, err := Compile(v, source.Span{})
		if err != nil {
			return
		}
		env := newEnv(t, `{"a": {"b": [1, 2]}}`)
		_, _ = Eval(n, env.scope())
	})
}
