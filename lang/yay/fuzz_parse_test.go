package yay

import (
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/yaytpl/yaytpl/source"
)

// seeds are texts with something of everything.
var seeds = []string{
	"",
	"a: 1\nb:\n  - x\n  - y: 2\n    z: {{ a + 1 }}\n",
	"if a == 1 and \\\n   b:\n  c: d\nelif e:\n  - 1\nelse:\n  {{ x }}\n",
	"x:\n  for a, b in c else [] if d:\n    {{ a }}\n    set e = a\n    - {{ e }}x\n",
	"select a else \"b\":\n  a: 1\n  else:\n    - 2\n",
	"macro m:\n  k: {{ p }}\ncall m:\n  p: 1\nnew P as q:\n  r: 1\nprototype P:\n  s: {}\n",
	"% import {{ a }}.yay\n% for i in b\n  - 1\n% let c = 4\n",
	"a: |\n  x {{ y }}\n\n   z\nb: >\n  c\n  d\ne: |+\n\n",
	"extend k:\n- 1\n- if a:\n    b: 1\n  else:\n    c: 2\n- new X: {}\n",
	"a: \"q {{ 'x' }}: # y\" z\nb: {{ [i for i in {1: 2} if i] }} # c\n",
	"\uFEFFa: 1\r\nb: 2\rc:\n  \n   # d\n",
	"configure x:\n  y: z\ncreate \"p:C\":\n  a: 1\nsearch \"l\"\ninclude a, b\n",
	"a:\n\tb: 1\n", "a: {{ 1 +\n", "- - a\n", "a b: c\n  d: e\n f: g\n",
}

// addSeeds adds the texts above and the documents of testdata.
func addSeeds(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range names {
		a, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(a.Files[0].Data))
	}
}

// FuzzParse looks for a panic, and for places outside of the text.
func FuzzParse(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		file := source.NewFile("f.yay", text)
		tree, findings := Parse(file, Options{})
		if (tree == nil) != (len(findings) > 0) {
			t.Fatalf("tree %v with findings %v", tree != nil, findings)
		}
		for i, d := range findings {
			if d.At.File != file || d.At.End < d.At.Start || d.Message == "" {
				t.Errorf("finding %d has the place %v and the message %q", i, d.At, d.Message)
			}
			if i > 0 && d.At.Start < findings[i-1].At.Start {
				t.Errorf("finding %d stands before the one before it", i)
			}
		}
		if tree != nil {
			dump(tree)
		}
	})
}
