package roundtrip_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
	"pgregory.net/rapid"
)

// TestSeveral checks that several edits in one call give the same tree as one call for
// each.
func TestSeveral(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, syntax := genYAML(t), yamlSyntax
		if rapid.Bool().Draw(t, "json") {
			text, syntax = genJSON(t), jsonSyntax
		}
		var edits []roundtrip.Edit
		step := text
		for range rapid.IntRange(1, 4).Draw(t, "edits") {
			all := places(rootOf(t, step, syntax), nil)
			if len(all) == 0 {
				break
			}
			g := rapid.SampledFrom(all).Draw(t, "target")
			v := mustValue(t, rapid.SampledFrom(newValues).Draw(t, "value"))
			e := fuzzEdit(g, roundtrip.Op(rapid.IntRange(0, 5).Draw(t, "op")), v, roundtrip.Where(rapid.IntRange(0, 3).Draw(t, "where")))
			r, err := apply(step, syntax, 0, []roundtrip.Edit{e})
			if err == nil {
				edits, step = append(edits, e), r.Text
			}
		}
		r, err := apply(text, syntax, 0, edits)
		var refusal *source.Refusal
		if errors.As(err, &refusal) && strings.ContainsAny(text, "&|") {
			return // an anchor may be in use between the edits, but not at the end
		}
		if err != nil {
			t.Fatalf("%q %+v: %v", text, edits, err)
		}
		if strings.Contains(text, "!") {
			return // with single edits the tag was lost before its value came back
		}
		if !treeOf(rootOf(t, r.Text, syntax)).equal(treeOf(rootOf(t, step, syntax))) {
			t.Fatalf("%q %+v gives\n%q at once, and\n%q step by step", text, edits, r.Text, step)
		}
	})
}

// TestDocuments edits one of several documents.
func TestDocuments(t *testing.T) {
	const text = "# first\na: 1\n---\n# second\na: 2\nb: 3\n---\n- x\n...\n---\n"
	tests := []struct {
		doc         int
		edits, want string
	}{
		{0, "set a 5", strings.Replace(text, "a: 1", "a: 5", 1)},
		{0, "insert x last 5", strings.Replace(text, "a: 1\n", "a: 1\nx: 5\n", 1)},
		{1, "set a 5", strings.Replace(text, "a: 2", "a: 5", 1)},
		{1, "delete a", strings.Replace(text, "a: 2\n", "", 1)},
		{1, "delete a\ndelete b", strings.Replace(text, "a: 2\nb: 3\n", "{}\n", 1)},
		{1, "insert x first 5", strings.Replace(text, "a: 2\n", "x: 5\na: 2\n", 1)},
		{2, "append . z", strings.Replace(text, "- x\n", "- x\n- z\n", 1)},
		{3, "+set a 1", text + "a: 1\n"},
	}
	for _, tt := range tests {
		r, err := apply(text, yamlSyntax, tt.doc, edits(t, tt.edits))
		if err != nil || r.Text != tt.want {
			t.Errorf("document %d, %s: %v\n%q\nwant\n%q", tt.doc, tt.edits, err, r.Text, tt.want)
		}
	}
	for _, doc := range []int{-1, 4} {
		if _, err := apply(text, yamlSyntax, doc, edits(t, "set a 1")); !errors.Is(err, source.ErrMissing) {
			t.Errorf("document %d: %v", doc, err)
		}
	}
}

func TestWarnings(t *testing.T) {
	tests := []struct{ text, edits, want string }{
		{"a: &n 1\nb: *n\n", "set a 2", "other uses of the anchor &n change as well"},
		{"a: &n {x: 1}\nb: *n\n", "set a 2", "other uses of the anchor &n change as well"},
		{"a: &n 1\nb: 2\n", "set a 2", ""},
		{"[a: 1]\n", "insert [0].b last 2", ""},
		{"a: 1\n", "set a 2", ""},
	}
	for _, tt := range tests {
		r, err := apply(tt.text, yamlSyntax, 0, edits(t, tt.edits))
		if err != nil {
			t.Errorf("%s: %v", tt.edits, err)
			continue
		}
		got := ""
		for _, w := range r.Warnings {
			got += w.Message
		}
		if got != tt.want {
			t.Errorf("%q, %s: warnings %q, want %q", tt.text, tt.edits, got, tt.want)
		}
	}
}

// TestPatches checks that the patches give the text, and are small.
func TestPatches(t *testing.T) {
	const text = "a: 1 # c\nb:\n  - x\n  - y\n"
	r, err := apply(text, yamlSyntax, 0, edits(t, "set a 2\nappend b z\ndelete b[0]"))
	if err != nil {
		t.Fatal(err)
	}
	out, at := "", 0
	for _, p := range r.Patches {
		out += text[at:p.At.Start] + p.NewText
		at = int(p.At.End)
	}
	if out += text[at:]; out != r.Text || len(r.Patches) != 3 {
		t.Errorf("%d patches lead to %q, not %q", len(r.Patches), out, r.Text)
	}
}

// TestFileOptions checks that the options of a file apply to the verified parts.
func TestFileOptions(t *testing.T) {
	text := "# yaytpl: templates=off\na: {b: {c: d}}\nx: 1\n" + strings.Repeat("# nothing\n", 10_000)
	r, err := apply(text, yamlSyntax, 0, []roundtrip.Edit{{Op: roundtrip.Set, Path: value.Path{value.K("a"), value.K("b"), value.K("c")}, Value: value.Int(1)}})
	if err != nil || !strings.Contains(r.Text, "a: {b: {c: 1}}\n") {
		t.Errorf("%v: %.80q", err, r.Text)
	}
}

// laughs is a list of lists that share their items, 10^n values in all.
func laughs(n int) value.Value {
	v := value.String("ha")
	for range n {
		items := make(value.Slice, 10)
		for i := range items {
			items[i] = v
		}
		v = value.FromList(items)
	}
	return v
}

func nested(n int) value.Value {
	v := value.Int(1)
	for range n {
		v = value.ListOf(v)
	}
	return v
}

// TestHostile edits with values and texts that are far bigger than they look: a few lines expand to billions of values.
func TestHostile(t *testing.T) {
	bomb := "a: &a [ha, ha]\n"
	for c := 'b'; c < 'z'; c++ {
		bomb += string(c) + ": &" + string(c) + " [" + strings.Repeat("*"+string(c-1)+", ", 9) + "*" + string(c-1) + "]\n"
	}
	tests := []struct {
		name, text string
		edit       roundtrip.Edit
		want       source.Code // "" for none
	}{
		{"shared value", "a: 1\n", roundtrip.Edit{Path: path("a"), Value: laughs(9)}, source.Limit},
		{"deep value", "a: 1\n", roundtrip.Edit{Path: path("a"), Value: nested(100_000)}, source.Limit},
		{"shared text", bomb, roundtrip.Edit{Path: path("y"), Value: value.Int(1)}, ""},
		{"shared text and value", bomb, roundtrip.Edit{Path: path("y"), Value: laughs(24)}, source.Limit},
		{"alias of itself", "a: &a [*a]\nb: 1\n", roundtrip.Edit{Path: path("b"), Value: value.Int(2)}, ""},
		{"set an alias of itself", "a: &a [*a]\nb: 1\n", roundtrip.Edit{Path: path("a[0]"), Value: value.Int(2)}, ""},
		{"deep text", strings.Repeat("[", 9000) + strings.Repeat("]", 9000), roundtrip.Edit{Op: roundtrip.Append, Path: path("[0][0]"), Value: value.Int(2)}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := apply(tt.text, yamlSyntax, 0, []roundtrip.Edit{tt.edit})
			var d *source.Diagnostic
			if errors.As(err, &d) != (tt.want != "") || d != nil && d.Code != tt.want {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
}

// TestEnding edits texts without a last line break, where a block scalar is or becomes the
// last value.
func TestEnding(t *testing.T) {
	check(t, yamlSyntax, []example{
		{"an entry below a literal", "a: 1\n\nb: |\n  x", "set c 2", "a: 1\n\nb: |-\n  x\nc: 2"},
		{"an entry below a folded scalar", "a: 1\n\nb: >2  # c\n    x\n   y", "set c 2", "a: 1\n\nb: >2-  # c\n    x\n   y\nc: 2"},
		{"an entry below a literal that keeps breaks", "b: |+\n  x", "set c 2", "b: |-\n  x\nc: 2"},
		{"an entry below a literal without break", "b: |-\n  x", "set c 2", "b: |-\n  x\nc: 2"},
		{"an item below a literal", "- a  # one\n\n- k: |\n    x", "append . 2", "- a  # one\n\n- k: |-\n    x\n- 2"},
		{"CRLF", "b: |\r\n  x", "set c 2", "b: |-\r\n  x\r\nc: 2"},
		{"a literal gets last", "a: |\n  x\n\nb: [ 1 ]", "delete b", "a: |\n  x\n"},
		{"a literal with a template gets last", "l: [ 1 ]\na: |\n  {{ x }}\n\nb: 1", "delete b", "l: [ 1 ]\na: |\n  {{ x }}\n"},
		{"a folded scalar gets last", "a: >\n  x\n  y\nb: 1", "delete b", "a: >\n  x\n  y\n"},
		{"a literal gets last, CRLF", "a: |\r\n  x\r\nb: 1", "delete b", "a: |\r\n  x\r\n"},
		{"a literal goes, another one gets last", "a: |2\n   x\nb: |\n  y", "delete b", "a: |2\n   x\n"},
		{"a plain scalar gets last", "a: x\nb: 1", "delete b", "a: x"},
		{"two entries below a literal", "b: |\n  x", "set c 2\nset d 3", "b: |-\n  x\nc: 2\nd: 3"},
		{"an entry above, and one below", "a: 1\nb: |\n  x", "set a 2\nset c 2", "a: 2\nb: |-\n  x\nc: 2"},
	})
}

// TestBigJSON edits a text that is verified in parts.
func TestBigJSON(t *testing.T) {
	const list = `"list": [`
	items := strings.Repeat("1, ", 30_000) + "1]"
	text := `{"a": {"b": 1, ` + list + items + `}, "c": [1, {"d": 2}]}`
	for _, tt := range []struct{ edits, old, want string }{
		{"set a.b 2", `"b": 1`, `"b": 2`},
		{"set a.b 2\nset c[1].d 3", `"b": 1`, `"b": 2`},
		{"append c 5", `{"d": 2}]`, `{"d": 2}, 5]`},
		{"rename c e", `"c": `, `"e": `},
	} {
		want := strings.Replace(text, tt.old, tt.want, 1)
		if strings.Contains(tt.edits, "d 3") {
			want = strings.Replace(want, `"d": 2`, `"d": 3`, 1)
		}
		r, err := apply(text, jsonSyntax, 0, edits(t, tt.edits))
		if err != nil || r.Text != want {
			t.Errorf("%s: %v, the text ends in %q", tt.edits, err, r.Text[max(0, len(r.Text)-40):])
		}
	}
}
