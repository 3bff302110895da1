package roundtrip

import (
	"testing"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

func TestSyntaxes(t *testing.T) {
	tests := []struct {
		syntax     Syntax
		text, want string
	}{
		{Syntax{}, "a:\n  b: 1 # c\n", "a:\n  b: x # c\n"},
		{Syntax{JSON: true}, `{"a": {"b": 1}}`, `{"a": {"b": "x"}}`},
	}
	edit := Edit{Op: Set, Path: value.Path{value.K("a"), value.K("b")}, Value: value.String("x")}
	for _, tt := range tests {
		r, err := Apply(source.NewFile("t", tt.text), tt.syntax, 0, []Edit{edit})
		if err != nil || r.Text != tt.want {
			t.Errorf("%q becomes %q, %v", tt.text, r.Text, err)
		}
	}
}

// TestParsedOnce calls Apply twice on one parsed text: each call starts from that text.
func TestParsedOnce(t *testing.T) {
	text, err := Parse(source.NewFile("t", "a: 1\nb: 2 # c\n"), Syntax{})
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{"a": "a: 3\nb: 2 # c\n", "b": "a: 1\nb: 3 # c\n"} {
		r, err := text.Apply(0, []Edit{{Op: Set, Path: value.Path{value.K(key)}, Value: value.Int(3)}})
		if err != nil || r.Text != want {
			t.Errorf("%s: %q, %v", key, r.Text, err)
		}
	}
}

// TestFragment parses lines with the options of their file.
func TestFragment(t *testing.T) {
	text, err := Parse(source.NewFile("t", "# yaytpl: templates=off\na: 1\n"), Syntax{})
	if err != nil {
		t.Fatal(err)
	}
	if n, err := text.syntax.fragment(text.Docs[0], "  b: [1]\n  c: 2\n"); err != nil || n.Len() != 2 {
		t.Errorf("two entries are %v, %v", n, err)
	}
	for _, lines := range []string{"a: {{ x }}\n", "a: [\n", "a: 1\n---\nb: 2\n"} {
		if _, err := text.syntax.fragment(text.Docs[0], lines); err == nil {
			t.Errorf("no error for %q", lines)
		}
	}
}
