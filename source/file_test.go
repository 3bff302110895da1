package source_test

import (
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/source"
)

func TestPosition(t *testing.T) {
	for _, tt := range []struct {
		rule, text string
		offset     int
		line, col  int
		in         string // of that line
	}{
		{"the beginning", "a\nb", 0, 1, 1, "a"},
		{"a line break belongs to its line", "a\nb", 1, 1, 2, "a"},
		{"after a line break", "a\nb", 2, 2, 1, "b"},
		{"two characters are one line break", "a\r\nb", 3, 2, 1, "b"},
		{"a lone carriage return is a line break", "a\rb", 2, 2, 1, "b"},
		{"columns count characters", "\u00e9x", 2, 1, 2, "\u00e9x"},
		{"a byte order mark has no width", "\uFEFFa", 3, 1, 1, "\uFEFFa"},
		{"within the byte order mark", "\uFEFFa", 0, 1, 1, "\uFEFFa"},
		{"the line after the last line break is empty", "a\n", 2, 2, 1, ""},
		{"before the text", "a", -1, 1, 1, "a"},
		{"after the text", "a", 9, 1, 2, "a"},
	} {
		f := source.NewFile("f", tt.text)
		line, col := f.Position(tt.offset)
		if line != tt.line || col != tt.col || f.Line(line) != tt.in {
			t.Errorf("%s: Position(%d) of %q = %d:%d in %q, want %d:%d in %q", tt.rule, tt.offset, tt.text, line, col, f.Line(line), tt.line, tt.col, tt.in)
		}
	}
}

func TestLines(t *testing.T) {
	f := source.NewFile("f", "a\r\nb\n")
	if n := f.Lines(); n != 3 {
		t.Errorf("%d lines, want 3", n)
	}
	for line, want := range map[int]int{0: 0, 1: 0, 2: 3, 3: 5, 4: 5} {
		if got := f.LineStart(line); got != want {
			t.Errorf("line %d starts at %d, want %d", line, got, want)
		}
	}
}

func TestHidden(t *testing.T) {
	f := &source.File{Name: "a.yaml", Path: "/a.yaml", Text: "a: 1\n"}
	h := f.Hidden()
	if !h.Secret || f.Secret || h != f.Hidden() || h != h.Hidden() || h.Name != f.Name || h.Path != f.Path || h.Text != f.Text {
		t.Errorf("hidden: %+v of %+v", h, f)
	}
}

func TestLanguageOf(t *testing.T) {
	for name, want := range map[string]string{
		"a.YML": "yaml", "a.json.gpg": "json", ".env": "env", "prod.env": "env", "https://host/a.mcl?x#y": "mcl", "s.pp": "bindings", "a.txt": "", "": "",
	} {
		if got := source.LanguageOf(name); got != want {
			t.Errorf("LanguageOf(%q) = %q, want %q", name, got, want)
		}
	}
	if got := strings.Join(source.EndingsOf("yay", "yaml"), " "); got != ".yaml .yml .yay" {
		t.Errorf("EndingsOf: %s", got)
	}
}
