package edit

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/value"
)

// TestPreviewEdits checks the reports of edits: the first line of each change, and that nothing is written.
func TestPreviewEdits(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const main = "b: [x, y]\nl: [a, {+/b: }]\nm:\n  +include: base.yaml\n  k: 1\npw: {eval: {sensitive: hunter2}}\n---\nz: 1\n"
	write("main.yaml", main)
	write("base.yaml", "k: 0\nsub: {n: 1}\n")
	write("over.yaml", "+include: base.yaml\nl: [1]\n")
	write("site.yay", "a: 1\nb: {{ a }}\n")
	write(".env", "A=1\n")
	set := func(path string, v value.Value) Edit { return Edit{Op: Set, Path: path, Value: v} }
	for _, tt := range []struct {
		file  string
		edits []Edit
		want  string // "error " and a part of the message, or the headlines and conflicts
	}{
		{"main.yaml", []Edit{set("m.sub.n", value.Int(2))}, "~ m.sub.n: 1 -> 2"},
		{"main.yaml", []Edit{set("m.k", value.Int(1))}, ""},
		{"main.yaml", []Edit{set("l[1]", value.String("q"))}, `~ l: ["a","x","y"] -> ["a","q","y"]; conflict  list-not-appendable`},
		{"main.yaml", []Edit{{Op: Delete, Path: "m.sub"}, set("z", value.Int(2))}, `- m.sub: {"n":1}; ~ z: 1 -> 2`},
		{"main.yaml", []Edit{{Op: Rename, Path: "m.k", Key: "kk"}}, "- m.k: 1; + m.kk: 1"},
		{"main.yaml", []Edit{set("pw.eval.sensitive", value.String("hunter3"))}, `~ pw.eval.sensitive: "<<REDACTED>>" -> "<<REDACTED>>"`},
		{"base.yaml", []Edit{set("q", value.FromMap(value.NewMap(0))), set("q.r", value.Int(1))}, `+ q: {"r":1}`},
		{"over.yaml", []Edit{set("q", value.FromMap(value.NewMap(0))), set("q.r", value.Int(1))}, "error q.r cannot be reported with the edits before it"},
		{"base.yaml", []Edit{set("no.way", value.Int(1))}, "+ no: {\"way\":1}"},
		{"main.yaml", []Edit{{Op: Delete, Path: "gone"}}, "error "},
		{"site.yay", []Edit{set("a", value.Int(2))}, "~ a: 1 -> 2"},
		{".env", []Edit{set("A", value.Int(2))}, `~ A: "1" -> "2"`},
	} {
		got := ""
		r, err := PreviewEdits(t.Context(), tt.file, tt.edits, yaytpl.Options{Dir: dir}, Options{})
		if err != nil {
			got = "error " + err.Error()
		} else {
			var text strings.Builder
			if err := r.WriteText(&text, false); err != nil {
				t.Fatal(err)
			}
			var lines []string
			for line := range strings.Lines(text.String()) {
				line = strings.TrimSpace(line)
				if strings.ContainsAny(line[:1], "~+-") {
					lines = append(lines, line)
				} else if conflict, _, _ := strings.Cut(line, ":"); strings.HasPrefix(line, "conflict") {
					lines = append(lines, conflict)
				}
			}
			got = strings.Join(lines, "; ")
		}
		if got != tt.want && !(strings.HasPrefix(tt.want, "error ") && strings.HasPrefix(got, tt.want)) || strings.Contains(got, "hunter") {
			t.Errorf("%s, %+v:\nhave %s\nwant %s", tt.file, tt.edits, got, tt.want)
		}
	}
	if text, err := os.ReadFile(filepath.Join(dir, "main.yaml")); err != nil || string(text) != main {
		t.Errorf("the report wrote the file: %v\n%s", err, text)
	}
}
