package pongo2

import (
	"io"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/flosch/pongo2/v6"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/template"
)

// tokensTag is a tag of the tests that sees the tokens of the library.
const tokensTag = "yaytpl_tokens"

// seen gets the tokens after the tag.
var seen []*pongo2.Token

func init() {
	err := pongo2.RegisterTag(tokensTag, func(doc *pongo2.Parser, _ *pongo2.Token, _ *pongo2.Parser) (pongo2.INodeTag, *pongo2.Error) {
		for i := 3; i < doc.Count(); i++ {
			seen = append(seen, doc.Get(i))
		}
		return nil, doc.Error("seen", nil)
	})
	if err != nil {
		panic(err)
	}
}

// noFiles is a loader whose files are empty.
type noFiles struct{}

func (noFiles) Abs(_, name string) string     { return name }
func (noFiles) Get(string) (io.Reader, error) { return strings.NewReader(""), nil }
func newSet() *pongo2.TemplateSet             { return pongo2.NewSet("test", noFiles{}) }
func guardOf(text string) (*guard, *file, *run) {
	return guardIn(text, template.Page{MaxBytes: 1 << 20})
}
func guardIn(text string, p template.Page) (*guard, *file, *run) {
	r := &run{page: p, files: map[string]*file{}}
	f := &file{source: source.NewFile("f", text), text: text}
	return &guard{run: r, file: f}, f, r
}

// addRows adds the rows of the other tests as seeds.
func addRows(f *testing.F) {
	rows, err := os.ReadFile("testdata/rows.txt")
	if err != nil {
		f.Fatal(err)
	}
	for row := range strings.Lines(string(rows)) {
		f.Add(row)
	}
	for _, text := range []string{
		"{%verbatim%}", "{% verbatim %}é{% endverbatim %}{{a}}", "{{{a}}}", "{{-a-}}", "{{--1}}", "{{ 'a\\'b' }}", "{{ \"\\\\\" }}", "{# a\n#}", "{#}",
		"a\x01{{b}}", "{{\r\na}}", "{{\ra}}", "{%%}", "{{ a.1b }}", "{{ 1b|c }}", "é{{ é }}", "{{ a }", "{{ a %}", "{% a }}", "{% if a %}{{b}}", "\xff{{ \xff }}",
	} {
		f.Add(text)
	}
}

// FuzzScan compares the tokens of the scanner with the library's. What the scanner accepts must have the same tokens at the
// same places; what the library refuses, the scanner must refuse.
func FuzzScan(f *testing.F) {
	addRows(f)
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, tokensTag) {
			return
		}
		var groups []group
		refused := scan(text, func(g group) *textError { groups = append(groups, g); return nil })
		seen = nil
		_, err := newSet().FromString("{% " + tokensTag + " %}" + text)
		if err == nil {
			t.Fatal("the library did not reach the tag")
		}
		if refused != nil {
			return
		}
		if e := err.(*pongo2.Error); e.Sender == "lexer" {
			t.Fatalf("the library refuses %q: %v", text, err)
		}
		var want []token
		for _, g := range groups {
			open, shut := "{{", "}}"
			if g.tag {
				open, shut = "{%", "%}"
			}
			want = append(want, token{symbolToken, open, g.start, 0})
			want = append(want, g.tokens...)
			want = append(want, token{symbolToken, shut, -1, 0})
		}
		var got []*pongo2.Token
		for _, s := range seen {
			if s.Typ != pongo2.TokenHTML {
				got = append(got, s)
			}
		}
		if len(got) != len(want) {
			t.Fatalf("%q: the library has %d tokens, the scanner %d", text, len(got), len(want))
		}
		for i, w := range want {
			if got[i].Val != w.plain() || w.start >= 0 && offsetOf(text, got[i]) != w.start {
				t.Fatalf("%q: token %d is %q at %d for the library, %q at %d for the scanner", text, i, got[i].Val, offsetOf(text, got[i]), w.plain(), w.start)
			}
		}
	})
}

// offsetOf returns the offset of a token in the text after the tag.
func offsetOf(text string, t *pongo2.Token) int {
	lines := strings.SplitAfter(text, "\n")
	at := t.Col - 1
	for _, line := range lines[:t.Line-1] {
		at += len(line)
	}
	if t.Line == 1 {
		at -= len("{% " + tokensTag + " %}")
	}
	return at
}

// FuzzGuard checks that the library takes a guarded text exactly if it takes the text itself, and that the places of the
// guarded text are places of the text.
func FuzzGuard(f *testing.F) {
	addRows(f)
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, rootName) || strings.Contains(text, "yaytpl") || strings.Contains(text, "ssi") || len(text) > 2_000 {
			return
		}
		g, file, _ := guardOf(text)
		if g.rewrite() != nil {
			return
		}
		plain := text
		if !g.extends {
			plain = "{% autoescape off %}" + text + "{% endautoescape %}"
		}
		_, want := newSet().FromString(plain)
		_, got := newSet().FromString(file.guarded)
		if (want == nil) != (got == nil) {
			t.Fatalf("%q: the library says %v\n%q: it says %v", plain, want, file.guarded, got)
		}
		line, col := 1, 1
		for i := range len(file.guarded) {
			if at := file.place(line, col, 0); int(at.Start) > len(text) {
				t.Fatalf("%q: %d:%d is at %d", text, line, col, at.Start)
			}
			if col++; file.guarded[i] == '\n' {
				line, col = line+1, 1
			}
		}
	})
}

// TestGuard shows what is added to a text.
func TestGuard(t *testing.T) {
	for _, row := range []struct{ text, want string }{
		{"a{{ b }}", "a{{ (yaytpl_hook(1,b)) }}"},
		{"{{ b|cut:c.d|upper|safe }}", "{{ (yaytpl_hook(3,yaytpl_hook(2,yaytpl_hook(1,b,c.d)))|safe) }}"},
		{"{{ -x|add:1 + y[z|first] }}", "{{ -(yaytpl_hook(1,x,1)) + (yaytpl_hook(3,y[(yaytpl_hook(2,z))])) }}"},
		{"{% for x in l|slice:\":2\" reversed -%} {% endfor %}", "{% for x in (yaytpl_hook(2,l,\":2\")) reversed -%}{{yaytpl_hook(1)-}} {% endfor %}"},
		{"{% if a == 1 %}{% endif %}", "{% if a == 1 %}{% endif %}"},
		{"{% set a = b + 1 %}", "{% set a = (yaytpl_hook(1,b)) + 1 %}"},
		{"{%- filter upper|cut:x %}y{% endfilter %}", "{{-yaytpl_hook(1)}}{%- filter default_if_none:yaytpl_hook(2)|upper|cut:yaytpl_hook(3,x) %}y{% endfilter %}"},
		{"{% comment %}{{ a|upper }}{% endcomment %}", "{% comment %}{{ a|upper }}{% endcomment %}"},
		{"{% verbatim %}{{ a|upper }}{% endverbatim %}", "{% verbatim %}{{ a|upper }}{% endverbatim %}"},
		{"{{ a|nofilter }}", "{{ a|nofilter }}"},
		{"{%- now \"2006\" -%}", "{{-yaytpl_hook(1)-}}"},
		{"{{ ROOT[\"a-b\"].c }}", "{{ (yaytpl_hook(2,yaytpl_hook(1).c)) }}"},
	} {
		g, f, r := guardOf(row.text)
		if err := g.rewrite(); err != nil {
			t.Errorf("%s: %v", row.text, err.message)
			continue
		}
		want := "{% autoescape off %}{{yaytpl_hook(0)}}" + row.want + "{{yaytpl_hook(" + strconv.Itoa(len(r.hooks)-1) + ")}}{% endautoescape %}"
		if f.guarded != want {
			t.Errorf("%s\n\tis  %s\n\tnot %s", row.text, f.guarded, want)
		}
	}
}
