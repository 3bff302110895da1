package edit_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/edit"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// textFiles are files in whose key k a text is written, in the place of each kind of value.
var textFiles = map[string]string{
	"plain.yaml":   "a: 1\nk: x\nb: 2\n",
	"quoted.yaml":  "k: 'x'\nb: 2 # c\n",
	"double.yaml":  "a: {k: \"x\"}\nk: \"x\"",
	"literal.yaml": "k: |\n  x\n  y\n# c\nb: 2\n",
	"keep.yaml":    "a: 1\nk: |+\n  x\n\nb: 2\n",
	"folded.yaml":  "k: >-\n    x\n    y\nb: 2\n",
	"flow.yaml":    "{a: 1, k: x, b: 2}\n",
	"new.yaml":     "a:\n  b: 1",
	"empty.yaml":   "",
	"crlf.yaml":    "a: 1\r\nk: x\r\nb: 2\r\n",
	"number.yaml":  "k: 5 # c\n",
	"map.yaml":     "k:\n  - a: 1\nb: 2\n",
	"include.yaml": "+include: plain.yaml\n",
	"json.json":    "{\"k\": 1,\n \"b\": 2}\n",
	"new.json":     "{}",
	"main.yay":     "k: x\nb: 2\n",
}

// A text that is written is read as the same text, byte for byte.
func FuzzSetText(f *testing.F) {
	for _, text := range []string{
		"", " ", "\n", "\n\n", "a", "abc # def", "a: b", "- a", "yes", "22:22", "1_000", "0644", "null", "~", "[a", "{a: 1}", "!x", "&a", "*a", "|", ">=1.2", "%a", "@a", "`a`", "'", `"`, `\`, "a'b\"c\\d",
		" a", "a ", "a\n", "a\nb", "a\nb\n", "a\n\nb\n\n", "\na", " a\nb", "a\n b\n", "a \nb", "a\n \nb\n", "\t", "a\tb", "\ta\n", "a\r\nb\r\n", "a\rb", "\r", "a\r", "\u0085", "a\u2028b", "\ufeffa", "\x00", "\x7f", "\x1b[0m", "\u00a0", "a\u00a0", "é", "😀", "\ufffd", "\ufffe", "\uffff",
		"---", "--- a", "...", "a\n---\nb\n", "# c", "a\n# c\n", "<<", "=", "?", "? a", "-", ":", ": ", "a:", "a:b", ",", "]", "a, b", "-----BEGIN KEY-----\nabc\n-----END KEY-----\n",
		strings.Repeat("a", 200), strings.Repeat("a b ", 100), strings.Repeat("x\n", 30) + " y", "+include: x", "{{ x }}", "\\n", "a\n\n\n", "\n\n a\n", "a\n\tb\n", "a\n  \n",
	} {
		f.Add(text)
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 10_000 {
			return
		}
		for name := range textFiles {
			setText(t, dir, name, text)
		}
	})
}

// setText sets k of a file to a text and reads it again. Yay refuses texts that it has no
// constant for.
func setText(t *testing.T, dir, name, text string) {
	t.Helper()
	o := yaytpl.Options{Dir: dir, NoTemplates: true, Overlay: map[string]string{}}
	for other, content := range textFiles {
		o.Overlay[filepath.Join(dir, other)] = content
	}
	e, err := edit.Assign(t.Context(), yaytpl.Assignment{Path: "k", Form: yaytpl.TextForm, Text: text}, o)
	if !utf8.ValidString(text) {
		if err == nil {
			t.Errorf("%q is no text, but accepted", text)
		}
		return
	}
	var res *edit.Result
	if err == nil {
		res, err = edit.Apply(t.Context(), name, []edit.Edit{e}, o, edit.Options{})
	}
	if err != nil {
		var refused *source.Refusal
		if strings.HasSuffix(name, ".yay") && errors.As(err, &refused) {
			return
		}
		t.Errorf("%s: %q: %v", name, text, err)
		return
	}
	o.Overlay[filepath.Join(dir, name)] = res.Files[0].Text
	p, err := yaytpl.Open(t.Context(), []string{name}, o)
	var v value.Value
	if err == nil {
		v, err = p.Documents()[0].Get("k")
	}
	if err != nil || !v.Is(value.StringKind) || v.Str() != text {
		t.Errorf("%s: %q became %q, %v\n%s", name, text, v.Str(), err, res.Files[0].Text)
	}
	if strings.HasPrefix(name, "crlf") && strings.Contains(strings.ReplaceAll(res.Files[0].Text, "\r\n", ""), "\n") {
		t.Errorf("%s: %q mixes line breaks: %q", name, text, res.Files[0].Text)
	}
}
