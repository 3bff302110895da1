package yay

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

func TestDeleteStatement(t *testing.T) {
	tests := map[string]struct{ in, want string }{
		"first":               {"a: «1»\nb: 2\n", "b: 2\n"},
		"last":                {"a: 1\nb: «2»\n", "a: 1\n"},
		"last, no break":      {"a: 1\nb: «2»", "a: 1"},
		"last, blank lines":   {"a: 1\n\n\nb: «2»\n", "a: 1\n"},
		"all":                 {"a: «1»\n", ""},
		"all, comments":       {"# c\n\n# d\na: «1»\n# e\n", "# c\n\n# e\n"},
		"comment above":       {"a: 1\n# c\n# d\nb: «2»\nc: 3\n", "a: 1\nc: 3\n"},
		"comment of the file": {"# c\na: «1»\nb: 2\n", "# c\nb: 2\n"},
		"comment apart":       {"a: 1\n# c\n\nb: «2»\nc: 3\n", "a: 1\n# c\n\nc: 3\n"},
		"comment deeper":      {"a: 1\nb: «2»\n  # c\nc: 3\n", "a: 1\nc: 3\n"},
		"empty lines":         {"a: 1\n\nb: «2»\n\nc: 3\n", "a: 1\n\nc: 3\n"},
		"empty lines first":   {"\uFEFFa: «1»\n\nb: 2\n", "\uFEFFb: 2\n"},
		"CRLF":                {"a: 1\r\nb: «2»\r\nc: 3\r\n", "a: 1\r\nc: 3\r\n"},
		"CRLF, no break":      {"a: 1\r\nb: «2»", "a: 1"},
		"text in lines":       {"a: «|\n  x\n  y»\nb: 2\n", "b: 2\n"},
		"expression":          {"a: «{{ b }}» # c\nb: 2\n", "b: 2\n"},
		"text":                {"a: «x {{ b }}»\nb: 2\n", "b: 2\n"},
		"blank":               {"«a:» # c\nb: 2\n", "b: 2\n"},
		"nothing":             {"a: «[]»\nb: 2\n", "b: 2\n"},
		"nested":              {"a:\n  b: «1»\n  c: 2\n", "a:\n  c: 2\n"},
		"only key":            {"a:\n  # c\n  b: «1»\nc: 2\n", "a: {}\nc: 2\n"},
		"only key, comment":   {"a:\n  # c\n\n  b: «1»\nc: 2\n", "a: {}\n  # c\nc: 2\n"},
		"only key, no break":  {"a:\n  b: «1»", "a: {}"},
		"only item":           {"a:\n- «1»\nc: 2\n", "a: []\nc: 2\n"},
		"item":                {"a:\n  - 1\n  - «2»\n  - 3\n", "a:\n  - 1\n  - 3\n"},
		"first key of item":   {"- a: «1»\n  b: 2\n- 3\n", "- b: 2\n- 3\n"},
		"second key of item":  {"- a: 1\n  b: «2»\n- 3\n", "- a: 1\n- 3\n"},
		"only key of item":    {"- a: «1»\n- 3\n", "- {}\n- 3\n"},
		"case":                {"select x:\n  a: «1»\n  b: 2\n", "select x:\n  b: 2\n"},
		"only in a case":      {"select x:\n  a:\n    - «1»\n  b: 2\n", "select x:\n  a: []\n  b: 2\n"},
		"argument":            {"new X:\n  a: «1»\nb: 2\n", "new X: {}\nb: 2\n"},
		"argument of call":    {"call m:\n  a: «1»\nb: 2\n", "call m: {}\nb: 2\n"},
		"beside directives":   {"a:\n  set x = 1\n  b: «1»\n", "a:\n  set x = 1\n"},
		"item beside if":      {"a:\n  - «1»\n  if x:\n    - 2\n", "a:\n  if x:\n    - 2\n"},
		"extend":              {"a: 1\nextend b: «c»\n", "a: 1\n"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			f, at := literalIn(t, tt.in)
			got, err := DeleteStatement(f, at, Options{})
			if got != tt.want || err != nil {
				t.Errorf("got %q, %v\nwant %q", got, err, tt.want)
			}
		})
	}
}

func TestDeleteStatementRefused(t *testing.T) {
	tests := map[string]struct {
		in     string
		reason source.Reason
	}{
		"body":              {"if x:\n  a: «1»\n", source.NeedsBody},
		"case":              {"select x:\n  a: «1»\n", source.NeedsBody},
		"loop":              {"a:\n  for i in x:\n    - «1»\n", source.NeedsBody},
		"list":              {"a:\n  - «1»\n  set x = 1\n", source.NeedsBody},
		"comment in item":   {"- a: «1»\n  # c\n  b: 2\n", source.LosesComments},
		"directive in item": {"- a: «1»\n  set b = 2\n  c: 3\n", source.NotVerified},
		"comment of key":    {"a: # c\n  b: «1»\n", source.NotVerified},
		"no colon":          {"% call m\n  b: «1»\n", source.NotVerified},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			f, at := literalIn(t, tt.in)
			got, err := DeleteStatement(f, at, Options{})
			checkRefused(t, got, err, tt.reason)
		})
	}
}

// FuzzSetLiteral sets every constant of a text, and checks the laws: it has the value
// then and all others are as they were, and the value that it has changes nothing.
func FuzzSetLiteral(f *testing.F) {
	for _, v := range []string{"x", "", "a: b", "1", "a\nb\n", "a\n\n\n", `"q" r`, "# c", "- d", " e ", "x {{ y }}"} {
		for _, s := range seeds {
			f.Add(s, v, false)
		}
	}
	f.Fuzz(func(t *testing.T, text, v string, yamlScalars bool) {
		file := source.NewFile("f.yay", text)
		o := Options{YAMLScalars: yamlScalars}
		tree, _ := Parse(file, o)
		if tree == nil {
			return
		}
		before := literals(tree)
		for i := range before[:min(len(before), 8)] {
			checkSet(t, file, o, before, i, value.String(v))
			checkSet(t, file, o, before, i, value.Int(int64(len(v))))
		}
	})
}

// A literal is a constant of a tree.
type literal struct {
	at  source.Span
	val value.Value
}

func literals(t *Tree) []literal {
	var out []literal
	for _, m := range outlineOf(t) {
		at := t.File.Span(m.start, m.end)
		switch s := m.value.(type) {
		case *Scalar:
			out = append(out, literal{at, s.Val})
		case nil:
			if m.kind == blankMark {
				out = append(out, literal{at, value.String("")})
			}
		}
	}
	return out
}

func checkSet(t *testing.T, f *source.File, o Options, before []literal, i int, v value.Value) {
	t.Helper()
	if same, err := SetLiteral(f, before[i].at, before[i].val, o); same != f.Text && !isCommented(before[i]) {
		t.Fatalf("%q: setting %v to itself gives %q, %v", f.Text, before[i].at, same, err)
	}
	text, err := SetLiteral(f, before[i].at, v, o)
	if err != nil {
		return
	}
	tree, findings := Parse(source.NewFile("f.yay", text), o)
	if tree == nil {
		t.Fatalf("%q becomes %q: %v", f.Text, text, findings)
	}
	after := literals(tree)
	if len(after) != len(before) {
		t.Fatalf("%q becomes %q with %d constants", f.Text, text, len(after))
	}
	for j := range after {
		want := before[j].val
		if j == i {
			want = v
		}
		if !sameScalar(after[j].val, want) {
			t.Fatalf("%q becomes %q: constant %d is %q", f.Text, text, j, constant(after[j].val))
		}
	}
}

// isCommented reports whether a constant is blank: with a comment after it, it is not
// edited.
func isCommented(l literal) bool { return strings.HasSuffix(l.at.Text(), ":") }

// FuzzDeleteStatement takes every statement with a constant out of a text: the others
// have their values.
func FuzzDeleteStatement(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		file := source.NewFile("f.yay", text)
		tree, _ := Parse(file, Options{})
		if tree == nil {
			return
		}
		before := literals(tree)
		for i := range before[:min(len(before), 8)] {
			text, err := DeleteStatement(file, before[i].at, Options{})
			if err != nil {
				continue
			}
			tree, findings := Parse(source.NewFile("f.yay", text), Options{})
			if tree == nil {
				t.Fatalf("%q becomes %q: %v", file.Text, text, findings)
			}
			after := literals(tree)
			if len(after) != len(before)-1 {
				t.Fatalf("%q becomes %q with %d constants", file.Text, text, len(after))
			}
			for j := range after {
				was := before[j]
				if j >= i {
					was = before[j+1]
				}
				if !sameScalar(after[j].val, was.val) {
					t.Fatalf("%q becomes %q: constant %d is %q", file.Text, text, j, constant(after[j].val))
				}
			}
		}
	})
}

// TestOutline checks the example of [outline].
func TestOutline(t *testing.T) {
	tree, findings := Parse(source.NewFile("main.yay", "a: 1\nb:\n  - x\n"), Options{})
	if tree == nil {
		t.Fatal(findings)
	}
	want := []markKind{openMark, pairMark, keyMark, scalarMark, pairMark, keyMark, openMark, itemMark, scalarMark, closeMark, closeMark}
	var got []markKind
	for _, m := range outlineOf(tree) {
		got = append(got, m.kind)
	}
	if !slices.Equal(got, want) {
		t.Errorf("the kinds of the marks are %v, want %v", got, want)
	}
}

func TestKeyOf(t *testing.T) {
	tests := map[string]struct{ in, want string }{ // the value in guillemets, the key by its line
		"scalar":                   {"k: «1»\n", "1"},
		"blank":                    {"«k:»\n", "1"},
		"mapping":                  {"k:\n  «x»: 1\n", "1"},
		"mapping in a mapping":     {"k:\n  «k»:\n    x: 1\n", "1"},
		"inner mapping":            {"k:\n  k:\n    «x»: 1\n", "2"},
		"inner blank":              {"k:\n  «k:»\n", "2"},
		"list":                     {"k:\n  - «a»\n  - b\n", "1"},
		"extended list":            {"k:\n  - a\n«extend k:»\n  - b\n", "3"},
		"case":                     {"v:\n  select x:\n    k: «1»\n    l: 2\n", "3"},
		"another key":              {"j: «1»\nk: 2\n", ""},
		"in a branch":              {"if x:\n  k: 1\nelse:\n  k: «2»\n", "4"},
		"layers of a mapping":      {"k:\n  a: 1\n  if x:\n    b: 2\n  «c»: 3\n", "1"},
		"item of a list of a loop": {"l:\n  for x in y:\n    - n: 1\n      k: «2»\n", "4"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			start, end := strings.Index(tt.in, "«"), strings.Index(tt.in, "»")-len("«")
			f := source.NewFile("t.yay", strings.NewReplacer("«", "", "»", "").Replace(tt.in))
			at, ok := KeyOf(f, "k", f.Span(start, end), Options{})
			got := ""
			if ok {
				if at.Text() != "k" {
					t.Errorf("the place is that of %q", at.Text())
				}
				got = strconv.Itoa(1 + strings.Count(f.Text[:at.Start], "\n"))
			}
			if got != tt.want {
				t.Errorf("the key is on line %q, want %q", got, tt.want)
			}
		})
	}
}

func TestIsKey(t *testing.T) {
	for name, want := range map[string]bool{
		"a": true, "a-b": true, "a.b": true, "80": true, "a:b": true, `"a"`: true, "format": true,
		"": false, "a b": false, "if": false, "extend": false, "a:": true, "-a": false, "#a": false, " a": false, "a: 1\nb": false,
	} {
		if got := IsKey(name); got != want {
			t.Errorf("IsKey(%q) is %v", name, got)
		}
	}
}
