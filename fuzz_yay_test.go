package yaytpl_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

var yayDocuments = []string{
	"a: 1\nb: {{ a + 1 }}\n", "l:\n  for i in range(3) if i:\n    - n: {{ i }}\n      m: {{ here.n }}\nextend l:\n  - {{ l[0] }}\n",
	"x: 1\nif x:\n  y: {{ z else 2 }}\nelif y:\n  x: 0\nelse:\n  z: 3\n", "set a, b = [1, 2]\nc: {{ a }}{{ b }}\nselect c:\n  12:\n    d: 1\n  else:\n    d: 2\n",
	"macro m:\n  k: {{ p }}\n  call m:\n    p: {{ p }}\na:\n  call m:\n    p: {{ here }}\n", "prototype P:\n  n: x\n  r: {{ self.n }}\na:\n  new P:\n    n: y\na:\n  n: z\nnew P as b:\n  q: 1\n",
	"include \"main.yay\"\na: 1\n", "include x\nx: \"main.yay\"\nyay:\n  searchpath:\n    - sub\n", "a:\n  b: {{ c }}\nc:\n  d: {{ a }}\n", "% for i in [1]\n  - {{ i }}\n",
	"a: |\n  x {{ b }}\n   y\n\nb: >\n  c\n  d\n", "lamp: 1\nif lamp:\n  lamp: 0\n", "a: {{ [i for i in a] }}\n", "- a: 1\n  extend b:\n    - 2\n- new P:\n", "a: {{ {\"b\": [1, {\"c\": a}]} }}\n",
}

// FuzzYay: any text in Yay gives a result or findings with a place, soon. What one key
// is, asked for alone, it is in the whole.
func FuzzYay(f *testing.F) {
	for _, text := range yayDocuments {
		f.Add(text)
	}
	dir := f.TempDir()
	file := filepath.Join(dir, "main.yay")
	f.Fuzz(func(t *testing.T, text string) {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		o := yaytpl.Options{Dir: dir, NoEnv: true, Limits: tight, Overlay: map[string]string{file: text}}
		_, err := renderOnce(ctx, file, o)
		if err != nil {
			for _, d := range source.Findings(err) {
				if d.Code == source.Internal || d.Code == source.Timeout || d.At.IsZero() && d.Code != source.Limit {
					t.Fatalf("%q: %v", text, d)
				}
			}
			return
		}
		compareKeys(ctx, t, file, text, o)
	})
}

// compareKeys asks a fresh evaluation for each key of the document.
func compareKeys(ctx context.Context, t *testing.T, file, text string, o yaytpl.Options) {
	whole := documentOf(ctx, t, file, o)
	if !whole.Is(value.MapKind) {
		return
	}
	for k := range whole.Map().Keys() {
		want, _, err := whole.Map().Get(k)
		if err == nil {
			want, err = value.Plain(want)
		}
		if err != nil {
			t.Fatalf("%q renders, and then not: %v", text, err)
		}
		alone, ok, err := documentOf(ctx, t, file, o).Map().Get(k)
		if err != nil || !ok {
			t.Fatalf("%q: %s alone: %v, %v", text, k.Text, ok, err)
		}
		if eq, err := value.Equal(alone, want); !eq || err != nil {
			t.Fatalf("%q: %s alone is another one (%v)", text, k.Text, err)
		}
	}
}

func documentOf(ctx context.Context, t *testing.T, file string, o yaytpl.Options) value.Value {
	t.Helper()
	p, err := yaytpl.Open(ctx, []string{file}, o)
	if err != nil {
		t.Fatal(err)
	}
	v, err := p.Documents()[0].Value()
	if err != nil {
		t.Fatal(err)
	}
	return v
}
