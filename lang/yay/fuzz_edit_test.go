package yay

import (
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

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

// isCommented reports whether a constant is blank: with a comment behind it, it is not
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
