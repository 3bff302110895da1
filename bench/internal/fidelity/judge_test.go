package fidelity

import (
	"strings"
	"testing"
)

// caseAt returns the case of an operation at a path.
func caseAt(t *testing.T, text string, json bool, op Op, path string) Case {
	t.Helper()
	f, err := Read(text, json)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range f.Cases(100, 0) {
		if c.Op == op && c.Pointer() == path {
			return c
		}
	}
	t.Fatalf("no case %s %s", op, path)
	return Case{}
}

func TestJudge(t *testing.T) {
	const text = "# head\na: 1  # one\nl:\n- x\n- k: v\n  m: w\n\n# about b\nb: {c: true}\n# foot\n"
	tests := []struct {
		name    string
		op      Op
		path    string
		old, to string // what is replaced in the text
		wrong   string // "data", "lines", "rest" or nothing
	}{
		{"set", Set, "/a", "a: 1", "a: 2", ""},
		{"set to the old value", Set, "/a", "a: 1", "a: 1", "data"},
		{"set, and a comment is missing", Set, "/a", "1  # one", "2", "data"},
		{"set, and a blank before the comment is missing", Set, "/a", "1  #", "2 #", "rest"},
		{"set, and a blank line is missing", Set, "/a", "a: 1  # one\nl:\n- x\n- k: v\n  m: w\n\n", "a: 2  # one\nl:\n- x\n- k: v\n  m: w\n", "lines"},
		{"set, and blanks in a list changed", Set, "/a", "a: 1  # one\nl:\n- x\n", "a: 2  # one\nl:\n-  x\n", "lines"},
		{"set, and other data changed", Set, "/a", "a: 1  # one\nl:\n- x", "a: 2  # one\nl:\n- y", "data"},
		{"set in flow style", Set, "/b/c", "true", "false", ""},
		{"delete", Delete, "/a", "a: 1  # one\n", "", ""},
		{"delete with the comment above", Delete, "/b", "\n# about b\nb: {c: true}\n", "", ""},
		{"delete, and the comment below is missing", Delete, "/b", "b: {c: true}\n# foot\n", "", "data"},
		{"delete after a dash", Delete, "/l/1/k", "k: v\n  m: w", "m: w", ""},
		{"delete the only entry", Delete, "/b/c", "c: true", "", ""},
		{"delete nothing", Delete, "/a", "", "", "data"},
		{"delete something else", Delete, "/l/1/m", "a: 1  # one\n", "", "data"},
		{"add", Add, "/l/1/a-new-key", "  m: w\n", "  m: w\n  a-new-key: new\n", ""},
		{"add at the end", Add, "/a-new-key", "# foot\n", "# foot\na-new-key: new\n", ""},
		{"add at the start", Add, "/a-new-key", "a: 1", "a-new-key: new\na: 1", "data"},
		{"add twice", Add, "/l/1/a-new-key", "  m: w\n", "  m: w\n  a-new-key: new\n  other: new\n", "data"},
		{"add with a blank line", Add, "/l/1/a-new-key", "  m: w\n", "  m: w\n\n  a-new-key: new\n", "lines"},
		{"rename", Rename, "/a", "a: 1", "a-new-key: 1", ""},
		{"rename, and a comment moved", Rename, "/a", "a: 1  # one", "# one\na-new-key: 1", "lines"},
		{"append", Append, "/l", "  m: w\n", "  m: w\n- new\n", ""},
		{"append at the start", Append, "/l", "- x\n", "- new\n- x\n", "data"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := caseAt(t, text, false, tt.op, tt.path)
			checkVerdict(t, c.Judge(strings.Replace(text, tt.old, tt.to, 1)), tt.wrong)
		})
	}
}

func checkVerdict(t *testing.T, v Verdict, wrong string) {
	t.Helper()
	got := ""
	switch {
	case v.Data != "":
		got = "data"
	case v.Lines != "":
		got = "lines"
	case v.Rest != "":
		got = "rest"
	}
	if got != wrong || (v.Other > 0) != (v.Lines != "") {
		t.Errorf("%+v, want %q", v, wrong)
	}
}

func TestJudgeTexts(t *testing.T) {
	tests := []struct {
		name, text string
		json       bool
		op         Op
		path, to   string
		wrong      string
	}{
		{"json", "{\n\t\"a\": \"\\\"x\\\\\",\n\t\"b\": [1, 2]\n}\n", true, Set, "/b/1", "{\n\t\"a\": \"\\\"x\\\\\",\n\t\"b\": [1, 3]\n}\n", ""},
		{"json with other blanks", "{\n\t\"a\": 1,\n\t\"b\": 2\n}\n", true, Set, "/b", "{\n  \"a\": 1,\n  \"b\": 3\n}\n", "lines"},
		{"json, the last entry", "{\n\t\"a\": 1,\n\t\"b\": 2\n}\n", true, Delete, "/b", "{\n\t\"a\": 1\n}\n", ""},
		{"json, a big number", "{\"a\": 12345678901234567890123, \"b\": 1}", true, Set, "/b", "{\"a\": 12345678901234567000000, \"b\": 2}", "data"},
		{"json, another spelling of a number", "{\"a\": 100,\n\"b\": 1}", true, Set, "/b", "{\"a\": 1e2,\n\"b\": 2}", "lines"},
		{"an anchor", "a: &x 1\nb: *x\nc: 2\n", false, Set, "/c", "a: 1\nb: 1\nc: 3\n", "data"},
		{"CRLF", "a: 1\r\nb: 2\r\n", false, Set, "/b", "a: 1\r\nb: 3\r\n", ""},
		{"CRLF is missing", "a: 1\r\nb: 2\r\n", false, Set, "/b", "a: 1\nb: 3\n", "lines"},
		{"byte order mark", "\ufeffa: 1\nb: 2\n", false, Delete, "/a", "\ufeffb: 2\n", ""},
		{"byte order mark is missing", "\ufeffa: 1\nb: 2\n", false, Set, "/b", "a: 1\nb: 3\n", "lines"},
		{"no last line break", "a: 1\nb: 2", false, Set, "/b", "a: 1\nb: 3", ""},
		{"a last line break", "a: 1\nb: 2", false, Set, "/b", "a: 1\nb: 3\n", "lines"},
		{"a block at the end", "a: |\n  x", false, Add, "/a-new-key", "a: |-\n  x\na-new-key: new", ""},
		{"bytes with a line break after them", "a: !!binary |\n  YWI=", false, Add, "/a-new-key", "a: !!binary |\n  YWI=\na-new-key: new", ""},
		{"other bytes", "a: !!binary YWI=\nb: 1\n", false, Set, "/b", "a: !!binary YWM=\nb: 2\n", "data"},
		{"documents", "a: 1\n---\na: 1\n", false, Set, "/a", "a: 1\n---\na: 2\n", "data"},
		{"a document is missing", "a: 1\n---\nb: 1\n", false, Set, "/b", "b: 2\n", "data"},
		{"a key without a colon", "{a , b: 1}\n", false, Set, "/a", "{a: new , b: 1}\n", ""},
		{"a key with a question mark", "- ? a\n- b: 1\n", false, Set, "/0/a", "- ? a\n  : new\n- b: 1\n", ""},
		{"the last entry after a dash with a comment", "- # x\n  a: 1\n- b\n", false, Delete, "/0/a", "- {} # x\n- b\n", ""},
		{"not YAML", "a: 1\n", false, Set, "/a", "a: [2\n", "data"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := caseAt(t, tt.text, tt.json, tt.op, tt.path)
			checkVerdict(t, c.Judge(tt.to), tt.wrong)
		})
	}
}

// TestJudgeComments checks that comments are found in texts with another layout, where lines cannot
// be compared.
func TestJudgeComments(t *testing.T) {
	tests := []struct {
		name, text string
		op         Op
		path, to   string
		missing    string // a comment, or ""
	}{
		{"moved", "l: [ # one\n 1 # two\n]\n", Append, "/l", "l: # one\n  # two\n  - 1\n  - new\n", ""},
		{"missing", "l: [ # one\n 1 # two\n]\n", Append, "/l", "l: # one\n  - 1\n  - new\n", "# two"},
		{"one of two alike", "a: 1 # x\nb: 2 # x\n", Set, "/b", "a: 1 # x\nb: 3\n", "# x"},
		{"other words", "a: 1 # x y\nb: 2\n", Set, "/b", "a: 1 # x\nb: 3\n", "# x y"},
		{"without text", "#\na: 1\n", Set, "/a", "a: 2\n", "#"},
		{"in another document", "a: 1\n---\n# x\nb: 2\n", Set, "/a", "a: 2\n---\nb: 2\n", "# x"},
		{"after quotes", "a: \"x # y\" # z\nb: 1\n", Set, "/b", "a: \"x # y\"\nb: 2\n", "# z"},
		{"other quotes", "a: \"x # y\"\nb: 1\n", Set, "/b", "a: |-\n  x # y\nb: 2\n", ""},
		{"quotes that are escaped", `a: "\" # y"` + "\nb: 1\n", Set, "/b", `a: '" # y'` + "\nb: 2\n", ""},
		{"quotes on lines", "a: 'x\n  # y\n  z' # c\nb: 1\n", Set, "/b", "a: 'x # y z'\nb: 2\n", "# c"},
		{"a key in quotes", "'a #b': 1 # c\nb: 1\n", Set, "/b", "'a #b': 1\nb: 2\n", "# c"},
		{"quotes after an anchor", "a: &x 'b # c' # d\nb: 1\n", Set, "/b", "a: &x 'b # c'\nb: 2\n", "# d"},
		{"in a block", "a: |\n  # x\n\n  y\n# z\nb: 1\n", Set, "/b", "a: \"# x\\n\\ny\\n\"\nb: 2\n", "# z"},
		{"after the head of a block", "a: | # x\n  y\nb: 1\n", Set, "/b", "a: |\n  y\nb: 2\n", "# x"},
		{"no blank before it", "a: x#y\nb: 1\n", Set, "/b", "a: \"x#y\"\nb: 2\n", ""},
		{"of what is deleted", "# x\na: 1 # y\n  # z\n\nb: 1\n", Delete, "/a", "b: 1\n", ""},
		{"below a key with a question mark", "? a\n: 1\n  # x\nb: 1\n", Delete, "/a", "b: 1\n", ""},
		{"below what is deleted", "a: 1\n# x\n\nb: 1\n", Delete, "/a", "b: 1\n", "# x"},
		{"before the comma", "{ a: 1\n # x\n , b: 2 }\n", Delete, "/a", "{ b: 2 }\n", ""},
		{"after the comma", "{ a: 1,\n # x\n b: 2 }\n", Delete, "/a", "{ b: 2 }\n", "# x"},
		{"of what is not deleted", "a: 1 # x\nb: 1 # y\n", Delete, "/a", "b: 1\n", "# y"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := caseAt(t, tt.text, false, tt.op, tt.path)
			v := c.Judge(tt.to)
			if tt.missing == "" && v.Data != "" || tt.missing != "" && !strings.HasPrefix(v.Data, `the comment "`+tt.missing+`" `) {
				t.Errorf("%q, want the comment %q", v.Data, tt.missing)
			}
		})
	}
}

// TestOther checks the number of other lines that changed.
func TestOther(t *testing.T) {
	c := caseAt(t, "a:\n- 1\n- 2\nb: 3", false, Set, "/b")
	if v := c.Judge("a:\n  - 1\n  - 2\nb: 4\n"); v.Other != 3 || v.End {
		t.Errorf("indented: %+v", v)
	}
	if v := c.Judge("a:\n- 1\n- 2\nb: 4\n"); v.Other != 1 || !v.End {
		t.Errorf("ended: %+v", v)
	}
}

// FuzzJudge judges each case of a text with the unchanged text: the edit is missing.
func FuzzJudge(f *testing.F) {
	for _, seed := range []string{"a: 1\n", "- {a: [b]}\n", "? a\n: |\n  x\n---\n&x y: *x\n", "{\"a\": [1, \"\\\"\"]}"} {
		f.Add(seed, seed[0] == '{')
	}
	f.Fuzz(func(t *testing.T, text string, json bool) {
		file, err := Read(text, json)
		if err != nil {
			return
		}
		for _, c := range file.Cases(2, 0) {
			if v := c.Judge(text); v.Data == "" {
				t.Errorf("%s %s: the unchanged text %q is accepted", c.Op, c.Pointer(), text)
			}
		}
	})
}
