package edit_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/edit"
	"github.com/yaytpl/yaytpl/source"
)

// editByList makes the edits of a list in a text.
func editByList(t testing.TB, text, list string) (string, error) {
	t.Helper()
	edits, err := edit.ParseList(source.NewFile("edits.yaml", list))
	if err != nil {
		return "", err
	}
	name := filepath.Join(t.TempDir(), "main.yaml")
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	e, err := edit.Apply(context.Background(), name, edits, yaytpl.Options{NoEnv: true}, edit.Options{})
	if err != nil {
		return "", err
	}
	return e.Files[0].Text, nil
}

func TestParseEdits(t *testing.T) {
	const text = "a: 1  # one\nl: [x, y]\nm: {p: 1}\n"
	tests := []struct {
		name, list, want string // the text after, or a part of the error after "!"
	}{
		{"set", "- {op: set, path: a, value: 2}", "a: 2  # one\nl: [x, y]\nm: {p: 1}\n"},
		{"several", "- op: set\n  path: m.p\n  value: 2\n- {op: append, path: l, value: z}\n", "a: 1  # one\nl: [x, y, z]\nm: {p: 2}\n"},
		{"delete", "- {op: delete, path: a}", "l: [x, y]\nm: {p: 1}\n"},
		{"rename", "- {op: rename, path: a, key: b}", "b: 1  # one\nl: [x, y]\nm: {p: 1}\n"},
		{"JSON Patch", `[{"op": "replace", "path": "/a", "value": 3}, {"op": "remove", "path": "/m/p"}]`, "a: 3  # one\nl: [x, y]\nm: {}\n"},
		{"add a key", `[{"op": "add", "path": "/m/q", "value": [1]}]`, "a: 1  # one\nl: [x, y]\nm: {p: 1, q: [1]}\n"},
		{"add an item", `[{"op": "add", "path": "/l/1", "value": "z"}]`, "a: 1  # one\nl: [x, z, y]\nm: {p: 1}\n"},
		{"add after the last", `[{"op": "add", "path": "/l/-", "value": "z"}]`, "a: 1  # one\nl: [x, y, z]\nm: {p: 1}\n"},
		{"copy", `[{"op": "copy", "from": "/a", "path": "/m/a"}]`, "a: 1  # one\nl: [x, y]\nm: {p: 1, a: 1}\n"},
		{"move", `[{"op": "move", "from": "/m/p", "path": "/l/0"}]`, "a: 1  # one\nl: [1, x, y]\nm: {}\n"},
		{"move in a map", `[{"op": "move", "from": "/a", "path": "/b"}]`, "b: 1  # one\nl: [x, y]\nm: {p: 1}\n"},
		{"move to where it is", `[{"op": "move", "from": "/a", "path": "/a"}]`, text},
		{"move over something", `[{"op": "move", "from": "/a", "path": "/m"}]`, "l: [x, y]\nm: 1\n"},
		{"move in a list", `[{"op": "move", "from": "/l/0", "path": "/l/1"}]`, "a: 1  # one\nl: [y, x]\nm: {p: 1}\n"},
		{"test", `[{"op": "test", "path": "/a", "value": 1}, {"op": "replace", "path": "/a", "value": 2}]`, "a: 2  # one\nl: [x, y]\nm: {p: 1}\n"},
		{"test of a new value", `[{"op": "replace", "path": "/a", "value": 2}, {"op": "test", "path": "/a", "value": 2}]`, "a: 2  # one\nl: [x, y]\nm: {p: 1}\n"},
		{"set to a directive", "- {op: set, path: w, value: {+/m: }}\n- {op: set, path: w.p, value: 2}\n", "a: 1  # one\nl: [x, y]\nm: {p: 1}\nw: {+/m: null, p: 2}\n"},
		{"none", "[]", text},

		{"test fails", "- {op: set, path: a, value: 2}\n- {op: test, path: a, value: 1}", "!edits.yaml:2:3: a does not have the value"},
		{"line of a failure", "- {op: set, path: a, value: 2}\n- {op: delete, path: b}", `!edits.yaml:2:3: no "b"`},
		{"replace a missing key", "- {op: replace, path: b, value: 2}", `!no "b"`},
		{"add below a missing key", `[{"op": "add", "path": "/b/c", "value": 2}]`, `!no "b"`},
		{"move into itself", `[{"op": "move", "from": "/m", "path": "/m/q"}]`, "!into itself"},
		{"move that would lose a comment", `[{"op": "move", "from": "/a", "path": "/m/b"}]`, "!it has comments"},
		{"no list", "op: set", "!are not a list"},
		{"no map", "- set", "!an edit must be a map"},
		{"nothing", "", "!are not a list"},
		{"no operation", "- {path: a}", `!"op" is missing`},
		{"unknown operation", "- {op: sett, path: a}", "!unknown operation"},
		{"no value", "- {op: set, path: a}", `!set needs "value"`},
		{"unknown key", "- {op: delete, path: a, value: 1}", `!delete takes no "value"`},
		{"path of another kind", "- {op: delete, path: [a]}", `!"path" must be a string`},
		{"bad path", "- {op: delete, path: 'a['}", `!edits.yaml:1:22: the "["`},
		{"bad YAML", "- {op: delete", "!edits.yaml:1:"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := editByList(t, text, test.list)
			if word, ok := strings.CutPrefix(test.want, "!"); ok {
				if err == nil || !strings.Contains(err.Error(), word) {
					t.Errorf("%s: %q, %v, want an error with %q", test.list, got, err, word)
				}
				return
			}
			if got != test.want || err != nil {
				t.Errorf("%s:\n%s%v\nwant\n%s", test.list, got, err, test.want)
			}
		})
	}
}

// An entry that moves to another map keeps its comments.
func TestMovesKeepComments(t *testing.T) {
	const text = "a:\n  # about b\n  b: 1  # one\n  w: 2\nc:\n    d: [x]\n"
	const want = "a:\n  w: 2\nc:\n    d: [x]\n    # about b\n    e: 1  # one\n"
	got, err := editByList(t, text, `[{"op": "move", "from": "/a/b", "path": "/c/e"}, {"op": "test", "path": "/c/e", "value": 1}]`)
	if got != want || err != nil {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
}

// FuzzParseList parses any list of edits, or returns an error with a place in it.
func FuzzParseList(f *testing.F) {
	f.Add("- {op: set, path: a.b, value: {c: [1]}}\n")
	f.Add(`[{"op": "move", "from": "/a/0", "path": "/b/-"}]`)
	f.Add("- {op: rename, path: 80, key: 0x10}\n- {op: test, path: '', value: }\n")
	f.Fuzz(func(t *testing.T, list string) {
		file := source.NewFile("edits.yaml", list)
		edits, err := edit.ParseList(file)
		if err != nil {
			if d, ok := err.(*source.Diagnostic); !ok || d.At.File != file {
				t.Errorf("%q: %v has no place", list, err)
			}
			return
		}
		for _, e := range edits {
			if e.At.File != file {
				t.Errorf("%q: an edit without a place", list)
			}
		}
	})
}
