package lint_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/lint"
	"github.com/yaytpl/yaytpl/merge"
	"github.com/yaytpl/yaytpl/source"
)

// parsed returns a YAML text as a document.
func parsed(t *testing.T, name, text string) *graph.Doc {
	t.Helper()
	docs, findings := merge.Parse(source.NewFile(name, text), merge.Options{})
	if len(findings) > 0 {
		t.Fatal(findings[0])
	}
	return docs[0]
}

// one is a loader with one file.
type one struct{ doc *graph.Doc }

func (l one) Load(ref *graph.Ref, _ *graph.Doc) (*graph.Doc, error) {
	if l.doc == nil {
		return nil, errors.Join(fs.ErrNotExist, fmt.Errorf("%s", ref.File))
	}
	return l.doc, nil
}

func TestNodes(t *testing.T) {
	tests := []struct {
		name, main, included string
		want                 []string // places and words
	}{
		{"nothing", "a: 1\nb: {+include: x}\n", "", nil},
		{"like a directive", "+increase: x\n'+a/b': 1\n+plain: 1\n", "", []string{"main.yaml:1:1: \"+increase\" is an ordinary key", "main.yaml:2:1: \"+a/b\""}},
		{"of what aliases share, once", "a: &a {+inc: 1}\nb: [*a, *a]\n", "", []string{"main.yaml:1:8: \"+inc\""}},
		{"in lists", "a: [{+inc: 1}]\n", "", []string{"main.yaml:1:6: \"+inc\""}},
		{"nearly an expression", "a: {eval: {ref: b}, other: 1}\n", "", []string{"main.yaml:1:5: this map is data"}},
		{"nearly an expression, with data", "a: {eval: {ref: b}, other: [1, {c: {+/d: }}]}\n", "", []string{"main.yaml:1:5: this map is data"}},
		{"nearly an expression, misspelled", "a: {eval: ::x, foreahc: 1}\n", "", []string{"main.yaml:1:16: \"foreahc\" is no key of expressions"}},
		{"a color in a comment", "color: #fff\nb: #12ab9F\nc: #add\nd: #facade\ne: # fff\nf: '#fff'\ncolour: #add\ng: #abc1 x\n", "", []string{"main.yaml:1:8: \"#\" after a space", "main.yaml:2:4: ", "main.yaml:7:9: "}},
		{"a no-break space", "a\u00a0b: 1\n\"c\u00a0d\": 1\n", "", []string{"main.yaml:1:1: the key \"a\\u00a0b\" has a no-break space"}},
		{"typographic quotes", "a: “x y”\nb: ‘x’\nc: “x” and “y”\nd: '“x”'\ne: a “x”\n", "", []string{"main.yaml:1:4: these quotes are part of the text", "main.yaml:2:4: "}},
		{"no space after the colon", "a:\n  port:80\nb:\n  c:1\n  d:x\ne: nginx:80\nf:\n  nginx:latest\ng:\n  http://a\n  http://b\nh:\n  'port:80'\n", "", []string{"main.yaml:2:3: \"port:\" begins a text, not a key", "main.yaml:4:3: \"c:\" begins"}},
		{"an expression", "a: {eval: {ref: b}, vars: {c: 1}}\n", "", nil},
		{"a pointer with two meanings", "a: {x: 1}\n+include: base.yaml\n", "a: {y: 2}\nb: {+/a: }\n", []string{"base.yaml:2:5: +/a is found in the document and in this file"}},
		{"a pointer with one", "w: {+include: base.yaml}\n", "b: {+/c: }\nc: {y: 2}\n", nil},
	}
	for _, test := range tests {
		main := parsed(t, "main.yaml", test.main)
		var included []*graph.Doc
		var loads one
		if test.included != "" {
			loads.doc = parsed(t, "base.yaml", test.included)
			included = append(included, loads.doc)
		}
		e := graph.New(context.Background(), []graph.RootLayer{{Doc: main, Name: "main.yaml"}}, graph.Options{Forms: merge.Forms, Loader: loads})
		found := lint.Nodes([]*graph.Doc{main}, included, e, nil)
		if len(found) != len(test.want) {
			t.Errorf("%s: %v, want %d findings", test.name, found, len(test.want))
			continue
		}
		for i, d := range found {
			if d.Severity != source.Warning || d.Code != source.Suspicious || !strings.HasPrefix(d.Error(), test.want[i]) {
				t.Errorf("%s: %v, want a warning %s", test.name, d, test.want[i])
			}
		}
	}
}

// TestDoubledAliases: a value of 2^60 parts, of which a text needs 60 lines, is looked at once.
func TestDoubledAliases(t *testing.T) {
	text := "a0: &a0 [x, {eval: ::b}]\n"
	for i := range 60 {
		text += fmt.Sprintf("a%d: &a%d [*a%d, *a%d]\n", i+1, i+1, i, i)
	}
	text += "near: {evl: *a60}\ndata: {eval: ::c, other: *a60}\nexpression: {eval: *a60}\n"
	main := parsed(t, "main.yaml", text)
	e := graph.New(context.Background(), []graph.RootLayer{{Doc: main, Name: "main.yaml"}}, graph.Options{Forms: merge.Forms})
	found := lint.Nodes([]*graph.Doc{main}, nil, e, nil)
	if len(found) != 1 || !strings.HasPrefix(found[0].Error(), "main.yaml:63:8: this map is data") {
		t.Errorf("findings %v, want one about the map data", found)
	}
	if refs, _ := lint.References([]*graph.Doc{main}, nil); len(refs) != 1 || refs[0].At.Text() != "b" {
		t.Errorf("references %v, want b alone", refs)
	}
}
