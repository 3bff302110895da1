package yay

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A hostOf makes the runtime of an evaluation with the given files.
type hostOf map[string]string

func (h hostOf) runtime() *Runtime {
	return &Runtime{
		Dir: ".",
		Open: func(name, _ string, _ source.Span) (*source.File, error) {
			if text, ok := h[name]; ok {
				return source.NewFile(name, text), nil
			}
			return nil, fs.ErrNotExist
		},
		Classes: map[string]Class{"Job": jobClass{}},
	}
}

// Load parses a file.
func (h hostOf) Load(ref *graph.Ref, _ *graph.Doc) (*graph.Doc, error) {
	tree, findings := Parse(source.NewFile(ref.File, h[ref.File]), Options{})
	if tree == nil {
		return nil, findings[0]
	}
	return Lower(tree), nil
}

// A jobClass makes maps with the key cost.
type jobClass struct{}

func (jobClass) Instance(_ *graph.Context, params value.Value) value.Map {
	m := value.NewMap(1)
	m.Set(value.K("cost"), value.Int(int64(params.Map().Len())))
	return m
}

func TestEvaluatedDocuments(t *testing.T) {
	files := hostOf{
		"lib.yay":     "x: {{ 6 * 7 }}\n",
		"sub/far.yay": "far: 1\n",
	}
	for _, tt := range []struct{ text, want string }{
		{"set a, b = [1, 2]\nx: {{ a + b }}\n", "{'x': 3}"},
		{"set a, b = [1]\nx: {{ a }}\n", "a list of 2 items for 2 names, not of 1"},
		{"set a = [1, nil]\nx: {{ a[0] }}\n", "{'x': 1}"},
		{"if 0:\n  x: 1\nelif 'a':\n  x: 2\nelse:\n  x: 3\n", "{'x': 2}"},
		{"select 1 + 1:\n  1: {}\n  2:\n    x: two\n", "{'x': 'two'}"},
		{"select 5:\n  1:\n    x: 1\n", `no case with the key "5"`},
		{"select 5:\n  1:\n    x: 1\n  else:\n    x: 2\n", "{'x': 2}"},
		{"l:\n  for i in [1, 2, 3] if i != 2:\n    - {{ i }}\n  - end\n", "{'l': [1, 3, 'end']}"},
		{"l:\n  - 1\nextend l: {{ [2] }}\nextend l:\n  - 3\n", "{'l': [1, 2, 3]}"},
		{"m:\n  k: {{ self.n else 1 }}{{ here.n else 2 }}\n", "{'m': {'k': '12'}}"},
		{"macro m:\n  x: {{ n }}\ncall m:\n  n: 5\n", "{'x': 5}"},
		{"macro m:\n  x: {{ n }}\ny: {{ m(n=4).x }}\n", "{'y': 4}"},
		{"macro m:\n  x: {{ gone }}\ncall m: {}\n", `could not find "gone"`},
		{"prototype P:\n  a: 1\n  b: {{ self.a }}\nnew P as p:\n  a: 7\n", "{'p': {'a': 7, 'b': 7}}"},
		{"prototype P:\n  a: 1\ncall P:\n", `"new P:" makes an instance of a prototype`},
		{"macro m:\n  a: 1\nnew m:\n", `"call m:" uses a macro`},
		{"a: 1\nb:\n  call a:\n", "cannot call a: it is an integer, not a macro"},
		{"j:\n  new Job:\n    n: 1\n", "{'j': {'n': 1, 'cost': 1}}"},
		{"j:\n  create 'Job': {}\n", "{'j': {'cost': 0}}"},
		{"create 'Jab':\n", `unknown class "Jab"`},
		{"include 'lib.yay'\ny: {{ x }}\n", "{'x': 42, 'y': 42}"},
		{"search 'sub'\ninclude 'far.yay'\n", "{'far': 1}"},
		{"yay:\n  searchpath:\n    - sub\ninclude 'far.yay'\n", "{'yay': {'searchpath': ['sub']}, 'far': 1}"},
		{"include ['lib.yay', 'sub/far.yay']\n", "{'x': 42, 'far': 1}"},
		{"include []\nx: 1\n", "{'x': 1}"},
		{"include 'none.yay'\n", "searched in the directory of the main document"},
		{"include gone.yay\n", `the name of a file is a text: write "gone.yay"`},
		{"include 'mem://none.yay'\n", "only programs in Go"},
		{"% import l{{ 'ib' }}.yay\n", "{'x': 42}"},
		{"x: {{ True }}\n", "truth values have no names"},
		{"x: {{ nil }}\n", "there is no null"},
		{"x: {{ len }}\n", "it is a function"},
		{"m:\n  n: 1\n  k: {{ n }}\n", "did you mean here.n?"},
		{"abc: 1\nx: {{ abd }}\n", `did you mean "abc"?`},
	} {
		got := evaluated(t, tt.text, files)
		if !strings.Contains(got, tt.want) {
			t.Errorf("%q: %s, want %s", tt.text, got, tt.want)
		}
	}
}

// evaluated returns the value of a document, or the message of the error with its hint.
func evaluated(t *testing.T, text string, files hostOf) string {
	tree, findings := Parse(source.NewFile("main.yay", text), Options{})
	if tree == nil {
		t.Fatalf("%q: %v", text, findings[0])
	}
	layers := []graph.RootLayer{{Doc: Lower(tree), Name: "main.yay"}}
	e := graph.New(context.Background(), layers, graph.Options{Loader: files, Runtimes: map[string]any{Language: files.runtime()}})
	v, _, err := e.Root().Value()
	if err == nil {
		var shown string
		if shown, err = value.Repr(v); err == nil {
			return shown
		}
	}
	var d *source.Diagnostic
	if !errors.As(err, &d) {
		return err.Error()
	}
	return d.Message + " " + d.Hint
}

func TestIsRooted(t *testing.T) {
	for _, tt := range []struct {
		name          string
		unix, windows bool
	}{
		{"", false, false},
		{"a.yay", false, false},
		{"../a.yay", false, false},
		{"/etc/a.yay", true, true},
		{`\etc\a.yay`, false, true},
		{"C:/etc/a.yay", false, true},
		{`C:\etc\a.yay`, false, true},
		{`\\server\share\a.yay`, false, true},
		{"C:a.yay", false, false},
		{"C:", false, false},
	} {
		if got := isRooted("linux", tt.name); got != tt.unix {
			t.Errorf("%q: rooted is %t, want %t", tt.name, got, tt.unix)
		}
		if got := isRooted("windows", tt.name); got != tt.windows {
			t.Errorf("%q on Windows: rooted is %t, want %t", tt.name, got, tt.windows)
		}
	}
}

// BenchmarkInstances computes fib(15) by an instance of a prototype for each of 1,973 numbers.
func BenchmarkInstances(b *testing.B) {
	tree, findings := Parse(source.NewFile("fib.yay", `
prototype Fib:
  n: 1
  sum: {{ 1 if self.n < 2 else fib(n=self.n - 1).it.sum + fib(n=self.n - 2).it.sum }}
macro fib:
  it:
    new Fib:
      n: {{ n }}
out: {{ fib(n=15).it.sum }}
`), Options{})
	if len(findings) > 0 {
		b.Fatal(findings)
	}
	layers := []graph.RootLayer{{Doc: Lower(tree)}}
	b.ReportAllocs()
	for b.Loop() {
		e := graph.New(b.Context(), layers, graph.Options{Runtimes: map[string]any{Language: hostOf{}.runtime()}})
		v, _, err := e.Root().Named("out")
		if n, _ := v.Int(); err != nil || n != 987 {
			b.Fatal(v, err)
		}
	}
}
