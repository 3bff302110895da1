package yay

import (
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// literalIn returns a file and the place of a part of its text, which is between
// « and ».
func literalIn(t testing.TB, text string) (*source.File, source.Span) {
	t.Helper()
	before, rest, ok := strings.Cut(text, "«")
	inside, after, closed := strings.Cut(rest, "»")
	if !ok || !closed {
		t.Fatalf("no place in %q", text)
	}
	f := source.NewFile("f.yay", before+inside+after)
	return f, f.Span(len(before), len(before)+len(inside))
}

func TestSetLiteral(t *testing.T) {
	text := value.String
	tests := map[string]struct {
		in   string
		v    value.Value
		want string
	}{
		"number":            {"# c\na: «1»\nb: 2\n", value.Int(30), "# c\na: 30\nb: 2\n"},
		"float":             {"a: «1.50»", value.Float(2), "a: 2.0"},
		"spelling":          {"a: «1.5»\n", value.Float(2.5).WithSource(value.Scalar{Spelling: "2.50"}), "a: 2.50\n"},
		"foreign spelling":  {"a: «1»\n", value.Int(16).WithSource(value.Scalar{Spelling: "0x10"}), "a: 16\n"},
		"other spelling":    {"a: «1.5»\n", value.Float(1.5).WithSource(value.Scalar{Spelling: "1.50"}), "a: 1.50\n"},
		"big":               {"a: «1»\n", value.BigInt(new(big.Int).Lsh(big.NewInt(1), 70)), "a: 1180591620717411303424\n"},
		"text":              {"a: «x»\n", text("y z"), "a: y z\n"},
		"keeps blanks":      {"a:    «x»  \nb: 1", text("y"), "a:    y  \nb: 1"},
		"number to text":    {"a: «1»\n", text("2"), "a: \"2\"\n"},
		"text to number":    {"a: «\"1\"»\n", value.Int(2), "a: 2\n"},
		"quotes stay":       {"a: «\"x\"»\n", text("y"), "a: \"y\"\n"},
		"quotes go":         {"a: «\"x\"»\n", text(`say "y"`), "a: say \"y\"\n"},
		"colon":             {"a: «x»\n", text("b: c"), "a: \"b: c\"\n"},
		"hash":              {"a: «x»\n", text("b # c"), "a: \"b # c\"\n"},
		"list of YAML":      {"a: «x»\n", text("[b, c]"), "a: \"[b, c]\"\n"},
		"blanks":            {"a: «x»\n", text(" b "), "a: \" b \"\n"},
		"only blanks":       {"a: «x»\n", text("  "), "a: \"  \"\n"},
		"introducer":        {"a: «x»\n", text("|"), "a: \"|\"\n"},
		"begins with quote": {"a: «x»\n", text(`"b" c`), "a: |-\n  \"b\" c\n"},
		"colon and quote":   {"a: «x»\n", text(`b: "c"`), "a: |-\n  b: \"c\"\n"},
		"quote and blank":   {"a: «x»\n", text(` "b`), "a: \" \"\"b\n"},
		"empty text":        {"a: «x»\nb: 1\n", text(""), "a: \"\"\nb: 1\n"},
		"word of YAML":      {"a: «x»\n", text("true"), "a: true\n"},

		"item":             {"l:\n  - «x»\n  - y\n", text("z"), "l:\n  - z\n  - y\n"},
		"item like a key":  {"l:\n- «x»\n", text("a: b"), "l:\n- \"a: b\"\n"},
		"item like a list": {"l:\n- «x»\n", text("- b"), "l:\n- \"- b\"\n"},
		"key of an item":   {"l:\n  - a: «x»\n    b: 2\n", text("c\nd"), "l:\n  - a: |-\n      c\n      d\n    b: 2\n"},
		"case":             {"select x:\n  a: «1»\n  else: 2\n", value.Int(3), "select x:\n  a: 3\n  else: 2\n"},
		"branch":           {"if x:\n  a: «1»\nelse:\n  a: 2\n", value.Int(3), "if x:\n  a: 3\nelse:\n  a: 2\n"},
		"argument":         {"new X:\n  a: «1»\n", value.Int(3), "new X:\n  a: 3\n"},
		"configure":        {"configure x:\n  a: «1»\n", value.Int(3), "configure x:\n  a: 3\n"},
		"repeated":         {"a: 1\na: «1»\n", value.Int(3), "a: 1\na: 3\n"},
		"empty list":       {"a: «[]»\n", value.Int(3), "a: 3\n"},
		"to empty list":    {"a: «1»\n", value.FromList(value.Slice{}), "a: []\n"},
		"to empty mapping": {"a: «[]»\n", value.FromMap(value.NewMap(0)), "a: {}\n"},

		"blank":         {"«a:»\nb: 1\n", text("x"), "a: x\nb: 1\n"},
		"blank at end":  {"b: 1\n«a:»", value.Int(1), "b: 1\na: 1"},
		"blank, blanks": {"«a:»  \nb: 1\n", text("x"), "a: x\nb: 1\n"},
		"blank, lines":  {"«a:»\nb: 1\n", text("x\ny\n"), "a: |\n  x\n  y\nb: 1\n"},

		"lines":               {"a:\n    b: «x»\n", text("c\nd"), "a:\n    b: |-\n        c\n        d\n"},
		"lines, CRLF":         {"a: «x»\r\nb: 1\r\n", text("c\nd\n"), "a: |\r\n  c\r\n  d\r\nb: 1\r\n"},
		"lines with a BOM":    {"\uFEFFa: «x»\n", text("c\nd"), "\uFEFFa: |-\n  c\n  d\n"},
		"lines, one other":    {"a: «|\n   x\n \n   y \n   z»\n\nb: 1\n", text("x\n\nY\nz\n"), "a: |\n   x\n \n   Y\n   z\n\nb: 1\n"},
		"lines to a word":     {"a: «|\n  x\n  y»\n\nb: 1\n", text("z"), "a: |-\n  z\n\nb: 1\n"},
		"lines to a number":   {"a: «|\n  x\n  y»\n\nb: 1\n", value.Int(5), "a: 5\n\nb: 1\n"},
		"lines to nothing":    {"a: «|\n  x\n  y»\nb: 1\n", text(""), "a: \"\"\nb: 1\n"},
		"lines without break": {"a: «|\n  x»", text("y\n"), "a: |\n  y"},
		"empty lines":         {"a: «|+\n  x\n\n»\nb: 1\n", text("y\n\n\n"), "a: |+\n  y\n\n\nb: 1\n"},
		"more empty lines":    {"a: «|+\n  x\n»\nb: 1\n", text("x\n\n\n\n"), "a: |+\n  x\n\n\n\nb: 1\n"},
		"no more empty lines": {"a: «|+\n  x\n»\nb: 1\n", text("y"), "a: |-\n  y\n\nb: 1\n"},
		"empty lines at end":  {"a: «x»", text("y\n\n"), "a: |+\n  y\n\n"},
		"folded":              {"a: «>\n  x y\n  z»\nb: 1\n", text("x y zz"), "a: >\n  x y\n  zz\nb: 1\n"},
		"folded, middle":      {"a: «>-\n  x\n  y\n  z»\n", text("x 1 2 z"), "a: >-\n  x\n  1 2\n  z\n"},
		"folded, long":        {"a: «>\n  x»\n", text(strings.Repeat("word ", 30) + "end"), "a: >\n  " + strings.Repeat("word ", 15) + "word\n  " + strings.Repeat("word ", 14) + "end\n"},
		"folded to lines":     {"a: «>\n  x\n  y»\n", text("x\ny"), "a: |-\n  x\n  y\n"},

		"the same text":       {"a: «\"x\"»\n", text("x"), "a: \"x\"\n"},
		"the same blank":      {"«a:»\n", text(""), "a:\n"},
		"the same lines":      {"a: «|\n  x\n  y»\n", text("x\ny\n"), "a: |\n  x\n  y\n"},
		"the same number":     {"a: «007»\n", value.Int(7), "a: 007\n"},
		"an integer to float": {"a: «7»\n", value.Float(7), "a: 7.0\n"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			f, at := literalIn(t, tt.in)
			got, err := SetLiteral(f, at, tt.v, Options{})
			if got != tt.want || err != nil {
				t.Errorf("got %q, %v\nwant %q", got, err, tt.want)
			}
		})
	}
}

func TestSetLiteralOfYAML(t *testing.T) {
	tests := []struct {
		in   string
		v    value.Value
		want string
	}{
		{"a: «true»\n", value.False, "a: false\n"},
		{"a: «True»\n", value.True, "a: True\n"},
		{"a: «1»\n", value.Null, "a: null\n"},
		{"a: «1»\n", value.Null.WithSource(value.Scalar{Spelling: "~"}), "a: ~\n"},
		{"a: «1»\n", value.String("true"), "a: \"true\"\n"},
		{"a: «1»\n", value.String("0x1F"), "a: \"0x1F\"\n"},
		{"a: «0x1F»\n", value.Int(32).WithSource(value.Scalar{Spelling: "0x20"}), "a: 0x20\n"},
		{"a: «1»\n", value.Float(math.Inf(-1)), "a: -.inf\n"},
		{"a: «.nan»\n", value.Float(math.NaN()), "a: .nan\n"},
	}
	for _, tt := range tests {
		f, at := literalIn(t, tt.in)
		got, err := SetLiteral(f, at, tt.v, Options{YAMLScalars: true})
		if got != tt.want || err != nil {
			t.Errorf("%q: got %q, %v; want %q", tt.in, got, err, tt.want)
		}
	}
}

func TestSetLiteralRefused(t *testing.T) {
	one := value.Int(1)
	full := value.FromList(value.Slice{one})
	tests := map[string]struct {
		in     string
		v      value.Value
		reason source.Reason
	}{
		"expression":         {"a: «{{ b }}»\n", one, source.ResultOfExpr},
		"text":               {"a: «x {{ b }}»\n", one, source.ResultOfExpr},
		"text in lines":      {"a: «|\n  x {{ b }}»\n", one, source.ResultOfExpr},
		"comment":            {"«a:» # c\nb: 1\n", one, source.LosesComments},
		"list":               {"a: «1»\n", full, source.NoSpelling},
		"truth":              {"a: «1»\n", value.True, source.NoSpelling},
		"null":               {"a: «1»\n", value.Null, source.NoSpelling},
		"infinite":           {"a: «1»\n", value.Float(math.Inf(1)), source.NoSpelling},
		"braces":             {"a: «1»\n", value.String("x {{ y }}"), source.NoSpelling},
		"only breaks":        {"a: «1»\n", value.String("\n\n"), source.NoSpelling},
		"carriage return":    {"a: «1»\n", value.String("x\ry"), source.NoSpelling},
		"begins with blanks": {"a: «1»\n", value.String("  x\ny"), source.NoSpelling},
		"no UTF-8":           {"a: «1»\n", value.String("\xff"), source.NoSpelling},
		"comment below":      {"a: «1»\n    # c\nb: 2\n", value.String("x\ny"), source.NoSpelling},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			f, at := literalIn(t, tt.in)
			got, err := SetLiteral(f, at, tt.v, Options{})
			checkRefused(t, got, err, tt.reason)
		})
	}
}

// checkRefused checks the error of an edit.
func checkRefused(t *testing.T, got string, err error, reason source.Reason) {
	t.Helper()
	var d *source.Diagnostic
	var r *source.Refusal
	if !errors.As(err, &d) || !errors.As(err, &r) || d.Code != source.Output || r.Reason != reason || d.Hint == "" || got != "" {
		t.Errorf("got %q, %v (%v); want it refused: %s", got, err, r, reason)
	}
}

func TestLiteralNotThere(t *testing.T) {
	f := source.NewFile("f.yay", "a: 12\nb:\n  c: 3\n")
	for _, at := range []source.Span{f.Span(3, 4), f.Span(0, 1), f.Span(6, 7), f.Span(6, 17), {}} {
		_, err := SetLiteral(f, at, value.Int(1), Options{})
		if d := source.AsDiagnostic(err, at, ""); d == nil || d.Code != source.NotFound {
			t.Errorf("SetLiteral at %v: %v", at, err)
		}
		_, err = DeleteStatement(f, at, Options{})
		if d := source.AsDiagnostic(err, at, ""); d == nil || d.Code != source.NotFound {
			t.Errorf("DeleteStatement at %v: %v", at, err)
		}
	}
	bad := source.NewFile("f.yay", "a: b: c\n")
	if _, err := SetLiteral(bad, bad.Span(3, 7), value.Int(1), Options{}); err == nil {
		t.Error("a text with errors was edited")
	}
	if _, err := DeleteStatement(bad, bad.Span(3, 7), Options{}); err == nil {
		t.Error("a text with errors was edited")
	}
}

// TestSetBack checks the law that setting a constant and setting it back gives the text
// that was there, unless the other value needs quotes or lines of its own, which stay.
func TestSetBack(t *testing.T) {
	forms := []string{"1", "2.5", "x", "x y", `"a: b"`, `"1"`, "|-\n    a\n     b", "|\n    a\n\n    b", "[]", "{}", `""`, `say "x"`}
	around := []string{
		"k:\n  l: «%»\n  # c\nm: 1\n", "k:\n  - «%»\n\n  - 1\n", "k:\n  l: «%»", "k:\n  - a: 1\n    b: «%»\n",
		"if x:\n  k: «%»\nelse:\n  k: 3\n",
	}
	for _, in := range around {
		for _, from := range forms {
			for _, to := range forms {
				f, at := literalIn(t, fitted(in, from))
				other, otherAt := literalIn(t, fitted(in, to))
				text, err := SetLiteral(f, at, literalValue(t, other, otherAt), Options{})
				if err != nil {
					t.Fatalf("%q to %q: %v", f.Text, other.Text, err)
				}
				changed := source.NewFile("f.yay", text)
				end := len(text) - (len(f.Text) - int(at.End))
				changedAt := changed.Span(int(at.Start), end)
				back, err := SetLiteral(changed, changedAt, literalValue(t, f, at), Options{})
				if err != nil || back != f.Text && !takesForm(at.Text(), changedAt.Text()) {
					t.Errorf("%q becomes %q and then %q, %v", f.Text, text, back, err)
				}
			}
		}
	}
}

// takesForm reports whether a text of another form is replaced by a quoted text or a
// block.
func takesForm(from, to string) bool {
	return strings.ContainsAny(to[:1], `"|`) && to[0] != from[0]
}

// fitted puts a constant into a text in which lines of its own are indented by two more
// than the line that they belong to.
func fitted(in, form string) string {
	before, _, _ := strings.Cut(in, "«")
	line := before[strings.LastIndexByte(before, '\n')+1:]
	indent := len(line) - len(strings.TrimLeft(line, " ")) + 2
	if strings.HasPrefix(form, "|") {
		form = strings.ReplaceAll(form, "\n    ", "\n"+strings.Repeat(" ", indent))
	}
	return strings.Replace(in, "%", form, 1)
}

// literalValue returns the constant at a place.
func literalValue(t *testing.T, f *source.File, at source.Span) value.Value {
	t.Helper()
	tree, findings := Parse(f, Options{})
	if tree == nil {
		t.Fatalf("%q: %v", f.Text, findings)
	}
	o := outlineOf(tree)
	i := o.valueAt(at)
	if i < 0 {
		t.Fatalf("%q: no value at %q", f.Text, at.Text())
	}
	switch v := o[i].value.(type) {
	case *Scalar:
		return v.Val
	case *Empty:
		if v.List {
			return value.FromList(value.Slice{})
		}
	}
	return value.FromMap(value.NewMap(0))
}
