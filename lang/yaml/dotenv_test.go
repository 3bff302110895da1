package yaml_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pelletier/go-toml/v2"
	"github.com/yaytpl/yaytpl/internal/testing/long"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

func TestParseEnv(t *testing.T) {
	for _, c := range []struct {
		rule, text, want string
		code             source.Code
	}{
		{"an empty file", "", "{}", ""},
		{"comments and empty lines", "# a\n\n  # b\r\n", "{}", ""},
		{"values are texts", "A=1\nB=true\nC=\n", "{'A': '1', 'B': 'true', 'C': ''}", ""},
		{"export is skipped", "export A=1\nexport\tB=2\nexport=3", "{'A': '1', 'B': '2', 'export': '3'}", ""},
		{"a comment begins after a blank", "A=a#b #c\nB= # d\nC='x'#e", "{'A': 'a#b', 'B': '', 'C': 'x'}", ""},
		{"blanks around", " A = a b \t\r\nB=c\r\n", "{'A': 'a b', 'B': 'c'}", ""},
		{"escapes in double quotes", `A="a\"b\$c\\\qd"`, `{'A': 'a"b$c\\\\qd'}`, ""},
		{"none in single quotes", `A='a\n'`, `{'A': 'a\\n'}`, ""},
		{"values of several lines", "A=\"a\nb\"\nB='c\nd'", `{'A': 'a\nb', 'B': 'c\nd'}`, ""},
		{"line breaks of Windows", "A='a\r\nb'\r\nB=\"c\r\nd\"", `{'A': 'a\nb', 'B': 'c\nd'}`, ""},
		{"a line break of Windows in one value", "A='a\r\nb'\nB=\"c\r\nd\"\n", `{'A': 'a\r\nb', 'B': 'c\r\nd'}`, ""},
		{"a line that goes on", "A=\"a\\\nb\"\n", `{'A': 'ab'}`, ""},
		{"a line that goes on, of Windows", "A=\"a\\\r\nb\"\r\n", `{'A': 'ab'}`, ""},
		{"a backslash at the end", "A=\"a\\", "", source.Syntax},
		{"no expansion", "A=$B${C}", "{'A': '$B${C}'}", ""},
		{"a byte order mark", "\ufeffA=1", "{'A': '1'}", ""},
		{"no equals sign", "A", "", source.Syntax},
		{"no name", "=1", "", source.Syntax},
		{"a bad name", "1A=1", "", source.Syntax},
		{"an open quote", "A='b\nc", "", source.Syntax},
		{"text after a quote", "A='b'c", "", source.Syntax},
		{"a name twice", "A=1\nA=2", "", source.DuplicateKey},
		{"not UTF-8", "A=\xff", "", source.Syntax},
	} {
		docs, found := yaml.ParseEnv(source.NewFile("x.env", c.text), yaml.ParseOptions{})
		if c.code != "" {
			if len(found) != 1 || found[0].Code != c.code {
				t.Errorf("%s: %v, want %s", c.rule, found, c.code)
			}
			continue
		}
		checkTree(t, c.rule, c.want, docs, found)
	}
}

func TestParseTOML(t *testing.T) {
	for _, c := range []struct {
		rule, text, want string
		code             source.Code
	}{
		{"an empty file", "", "{}", ""},
		{"scalars", "a = 'x'\nb = 1_000\nc = 1.5\nd = true\ne = inf\nf = 0b11", "{'a': 'x', 'b': 1000, 'c': 1.5, 'd': True, 'e': inf, 'f': 0b11}", ""},
		{"dates are texts", "a = 1979-05-27\nb = 07:32:00\nc = 1979-05-27T07:32:00Z", "{'a': '1979-05-27', 'b': '07:32:00', 'c': '1979-05-27T07:32:00Z'}", ""},
		{"dotted keys and tables", "a.b = 1\n[c.d]\ne = 2\n[c]\nf = 3", "{'a': {'b': 1}, 'c': {'d': {'e': 2}, 'f': 3}}", ""},
		{"arrays of tables", "[[a]]\nb = 1\n[a.c]\nd = 2\n[[a]]", "[{'b': 1, 'c': {'d': 2}}, {}]", ""},
		{"inline values", "a = [1, [2], {b.c = 3}, # x\n]", "[1, [2], {'b': {'c': 3}}]", ""},
		{"a key twice", "a = 1\na = 2", "", source.DuplicateKey},
		{"a table twice", "[a]\n[a]", "", source.DuplicateKey},
		{"a header of a dotted key", "a.b = 1\n[a]", "", source.DuplicateKey},
		{"a number beyond 64 bits", "a = 9223372036854775808", "", source.Syntax},
		{"a day that no calendar has", "a = 2023-02-29", "", source.Syntax},
		{"an open text", "a = 'x", "", source.Syntax},
		{"no value", "a =", "", source.Syntax},
	} {
		docs, found := yaml.ParseTOML(source.NewFile("x.toml", c.text), yaml.ParseOptions{})
		if c.code != "" {
			if len(found) != 1 || found[0].Code != c.code {
				t.Errorf("%s: %v, want %s", c.rule, found, c.code)
			}
			continue
		}
		if c.want != "" && c.want[0] == '[' {
			c.want = "{'a': " + c.want + "}"
		}
		checkTree(t, c.rule, c.want, docs, found)
	}
}

// What the env form writes is read as the same texts.
func TestEnvRoundTrip(t *testing.T) {
	want := value.NewMap(0)
	for i, text := range []string{
		"", "a", "it's", "'", `it's "a" \n $HOME \$x ${y} ` + "`ls`!", "'a\n b\\\n'", "a b # c", "#", `\`, `'\`, `'\'`, `"x"`, "$(ls)", " a ", "\t", "é'ü", "a\nb\n", "=", "!x'", "a\r\nb\r\n", "\r", "a\\\r\nb",
	} {
		want.Set(value.K(fmt.Sprintf("A%d", i)), value.String(text))
	}
	text := encode(t, yaml.EncodeEnv, value.FromMap(want), yaml.EncodeOptions{})
	docs, found := yaml.ParseEnv(source.NewFile("x.env", text), yaml.ParseOptions{})
	checkTree(t, text, data(t, value.FromMap(want)), docs, found)
}

// Comments of a .env file are placed as those of YAML.
func TestEnvComments(t *testing.T) {
	const text = "# a file\n\n# of two parts\n\n# one\nA=1 # behind\r: x\nB='\n# text' # b\n# below\n\n# of\n\n#  c \nC=\n# foot\n\n# end\n\n# of all\n\n"
	docs, found := yaml.ParseEnv(source.NewFile("x.env", text), yaml.ParseOptions{})
	if len(found) > 0 {
		t.Fatal(found)
	}
	d := docs[0]
	got := []string{d.Head, d.Foot}
	for _, e := range d.Root.Entries {
		got = append(got, e.Head, e.Line, e.Foot)
	}
	if want := []string{"# a file\n\n# of two parts", "# end\n\n# of all", "# one", "# behind : x", "", "", "# b", "# below", "# of\n\n#  c", "", "# foot"}; !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
}

// The last of equal names wins, also of those that are too many to be reported.
func TestLenientEnv(t *testing.T) {
	var text strings.Builder
	for i := range 200 {
		fmt.Fprintf(&text, "A=%d\n", i)
	}
	docs, found := yaml.ParseEnv(source.NewFile("x.env", text.String()), yaml.ParseOptions{Lenient: true})
	if len(found) != 100 || found[0].Severity != source.Warning || len(found[0].Notes) != 1 {
		t.Errorf("%d findings, want 100 warnings with a note", len(found))
	}
	checkTree(t, "200 equal names", "{'A': '199'}", docs, nil)
}

// tomlLines are parts of texts for TestTOMLAgrees.
var tomlLines = []string{
	"a = 1", "b = 1", "a.b = 1", "a.b.c = 1", "a.c = {b = 1}", "b = {a.b = 1, a.c = 2}", "b = {a = 1, a.b = 2}", "c = [{a = 1}, {a = 1, a = 2}]",
	"[a]", "[b]", "[a.b]", "[a.b.c]", "[[a]]", "[[b]]", "[[a.b]]", "[ c . 'a' ]", "c = [[1], [{a.b = 'x'}]]", "[[a.b.c]]",
	"c = 2021-02-29", "c = 9223372036854775808", "c = 0xFFFFFFFFFFFFFFFF", "c = 1e400", "c = -0b1", "c = 23:59:60", "c = 1_0.0_1e+1_0", "c = +nan", "c = 07:32", "c = 1979-05-27 07:32:00Z",
	"c = '''\nx'''", "\"\\u00e9\" = 1", "# c", "c = \"\"\"\\\n  x\"\"\"", "a b = 1", "c =", "'' = 0o17",
}

// TestTOMLAgrees compares which texts are TOML, and their data, with the library.
func TestTOMLAgrees(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	accepted := 0
	for range 50_000 {
		var lines []string
		for range 1 + r.IntN(5) {
			lines = append(lines, tomlLines[r.IntN(len(tomlLines))])
		}
		text := strings.Join(lines, "\n")
		var want map[string]any
		bad := toml.Unmarshal([]byte(text), &want)
		docs, found := yaml.ParseTOML(source.NewFile("x.toml", text), yaml.ParseOptions{})
		if (bad == nil) != (len(found) == 0) {
			t.Fatalf("%q: %v, the library says %v", text, found, bad)
		}
		if bad != nil || strings.Contains(text, ":") || strings.Contains(text, "nan") {
			continue // there are no dates in JSON, and NaN is not equal to itself
		}
		accepted++
		v, err := docs[0].Root.ToValue()
		if same, _ := value.Equal(v, fromGo(want)); err != nil || !same {
			t.Fatalf("%q is %s, %v, the library says %v", text, data(t, v), err, want)
		}
	}
	if accepted < 5_000 {
		t.Errorf("only %d texts were compared", accepted)
	}
}

// TestLimitsOfLists: the limits of texts and the time that they take are those of YAML.
func TestLimitsOfLists(t *testing.T) {
	var tables, names strings.Builder
	for i := range long.Scale(200_000) {
		fmt.Fprintf(&tables, "[a%d.b]\nc = 1\n", i)
		fmt.Fprintf(&names, "A%d=1\n", i)
	}
	for _, c := range []struct {
		rule, text string
		parse      func(*source.File, yaml.ParseOptions) ([]*yaml.Document, []*source.Diagnostic)
		options    yaml.ParseOptions
		code       source.Code
	}{
		{"many tables", tables.String(), yaml.ParseTOML, yaml.ParseOptions{}, ""},
		{"too many tables", tables.String(), yaml.ParseTOML, yaml.ParseOptions{MaxValues: 1000}, source.Limit},
		{"too many items", "a = [" + strings.Repeat("1, ", 10) + "]", yaml.ParseTOML, yaml.ParseOptions{MaxValues: 10}, source.Limit},
		{"a long TOML text", "a = 1", yaml.ParseTOML, yaml.ParseOptions{MaxBytes: 4}, source.Limit},
		{"a deep header", "[a.b.c]\nd = 1", yaml.ParseTOML, yaml.ParseOptions{MaxDepth: 4}, source.Limit},
		{"a value in a header that is not too deep", "[a.b.c]\nd = 1", yaml.ParseTOML, yaml.ParseOptions{MaxDepth: 5}, ""},
		{"many names", names.String(), yaml.ParseEnv, yaml.ParseOptions{}, ""},
		{"too many names", names.String(), yaml.ParseEnv, yaml.ParseOptions{MaxValues: 1000}, source.Limit},
		{"a long .env file", "A=1", yaml.ParseEnv, yaml.ParseOptions{MaxBytes: 2}, source.Limit},
	} {
		start := time.Now()
		_, found := c.parse(source.NewFile("x", c.text), c.options)
		if len(found) > 0 != (c.code != "") || c.code != "" && (found[0].Code != c.code || found[0].At.IsZero()) {
			t.Errorf("%s: %v, want %q", c.rule, found, c.code)
		}
		if took := time.Since(start); took > time.Minute {
			t.Errorf("%s: took %v", c.rule, took)
		}
	}
}

func checkTree(t *testing.T, rule, want string, docs []*yaml.Document, found []*source.Diagnostic) {
	t.Helper()
	if len(found) > 0 || len(docs) != 1 {
		t.Errorf("%s: %d documents, %v", rule, len(docs), found)
		return
	}
	v, err := docs[0].Root.ToValue()
	got := ""
	if err == nil {
		got, err = value.Repr(v)
	}
	if err != nil || got != want {
		t.Errorf("%s: %s, %v, want %s", rule, got, err, want)
	}
}

// fuzzTrees checks that a parser ends without a panic, and that its places lie in the text.
func fuzzTrees(f *testing.F, parse func(*source.File, yaml.ParseOptions) ([]*yaml.Document, []*source.Diagnostic)) {
	f.Fuzz(func(t *testing.T, text string) {
		docs, found := parse(source.NewFile("x", text), yaml.ParseOptions{MaxDepth: 50})
		for _, d := range found {
			_ = d.At.Text()
		}
		for _, d := range docs {
			for _, e := range d.Root.Entries {
				if e.KeyAt.Text() == "" && e.Key.Text != "" {
					t.Errorf("%q: the key %q has no place", text, e.Key.Text)
				}
				_ = e.Value.At.Text()
				_ = e.Value.TextSpan(0, 1)
			}
		}
	})
}

func FuzzParseEnv(f *testing.F) {
	for _, text := range []string{"A=1\n", "export A=\"a\\n\nb\" # c\r\n", "A='x'\nA=2", "=", "A", "\ufeff# yaytpl: templates=off\nB= c #"} {
		f.Add(text)
	}
	fuzzTrees(f, yaml.ParseEnv)
}

func FuzzParseTOML(f *testing.F) {
	for _, text := range []string{"a = 1\n[b.c]\nd = [1, {x = '''\ny'''}]\n[[e]]\n[[e]]\nf = 1979-05-27", "a.b.c.d = 0x1", "\"\\u0061\" = \"\"\"\\\n x\"\"\""} {
		f.Add(text)
	}
	fuzzTrees(f, func(file *source.File, o yaml.ParseOptions) ([]*yaml.Document, []*source.Diagnostic) {
		docs, found := yaml.ParseTOML(file, o)
		var x map[string]any
		bad := toml.Unmarshal([]byte(strings.TrimPrefix(file.Text, "\ufeff")), &x)
		if (bad == nil) != (len(found) == 0) && (bad != nil || found[0].Code != source.Limit) {
			panic(fmt.Sprintf("%q: %v, the library says %v", file.Text, found, bad))
		}
		return docs, found
	})
}
