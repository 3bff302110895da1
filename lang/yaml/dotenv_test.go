package yaml_test

import (
	"testing"

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
		{"a comment begins behind a blank", "A=a#b #c\nB= # d\nC='x'#e", "{'A': 'a#b', 'B': '', 'C': 'x'}", ""},
		{"blanks around", " A = a b \t\r\nB=c\r\n", "{'A': 'a b', 'B': 'c'}", ""},
		{"escapes in double quotes", `A="a\"b\$c\\\qd"`, `{'A': 'a"b$c\\\\qd'}`, ""},
		{"none in single quotes", `A='a\n'`, `{'A': 'a\\n'}`, ""},
		{"values of several lines", "A=\"a\nb\"\nB='c\r\nd'", `{'A': 'a\nb', 'B': 'c\nd'}`, ""},
		{"no expansion", "A=$B${C}", "{'A': '$B${C}'}", ""},
		{"a byte order mark", "\ufeffA=1", "{'A': '1'}", ""},
		{"no equals sign", "A", "", source.Syntax},
		{"no name", "=1", "", source.Syntax},
		{"a bad name", "1A=1", "", source.Syntax},
		{"an open quote", "A='b\nc", "", source.Syntax},
		{"text behind a quote", "A='b'c", "", source.Syntax},
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
		{"a key twice", "a = 1\na = 2", "", source.Syntax},
		{"a table twice", "[a]\n[a]", "", source.Syntax},
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
	fuzzTrees(f, yaml.ParseTOML)
}
