package graph

import (
	"fmt"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/value"
)

func facts(t *testing.T, text, path string) string {
	t.Helper()
	fs, err := load(t, text, MergeRule, Options{}).at(path).Explain()
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, f := range fs {
		what := f.At.String()
		if f.Role == Uses {
			what = f.Path.String()
		}
		if v, err := value.Repr(f.Val); err == nil && f.Role != Refused && f.Role != Deletes {
			what += " " + v
		}
		if f.Reason != "" {
			what += ": " + f.Reason
		}
		if len(f.Through) > 0 {
			what += fmt.Sprintf(" through %s", f.Through[0])
		}
		if len(f.Includes) > 0 {
			what += fmt.Sprintf(" included %s", f.Includes[0])
		}
		lines = append(lines, string(f.Role)+" "+what)
	}
	return strings.Join(lines, "\n")
}

func TestExplain(t *testing.T) {
	for _, tt := range []struct{ name, text, path, want string }{
		{"one layer", "a: 1", "a", "set layer1:1:4 1"},
		{"beaten layers", "a: 1\n---\na: 2\n---\na: 3", "a", "set layer3:1:4 3\nover layer2:1:4 2\nover layer1:1:4 1"},
		{"maps that join", "m: {x: 1}\n---\nm: {y: 2}", "m", "set layer2:1:5 {}\nmerged layer1:1:5 {}"},
		{"lists that join", "l: [1]\n---\nl: [2]", "l", "set layer2:1:4 []\nmerged layer1:1:4 []"},
		{"deleted", "a: 1\n---\na: delete", "a", "deleted layer2:1:4\nover layer1:1:4 1"},
		{"refused guard", "x: 0, a: 1\n---\nif x {a: 2}", "a", "set layer1:1:10 1\nrefused layer2:1:10: not chosen by the if in layer2:1:1"},
		{"refused guard further up", "x: 0, m: {a: {b: 1}}\n---\nm: {if x {a: {b: 2}}, if x {c: 1}}", "m.a.b", "set layer1:1:18 1\nrefused layer2:1:18: not chosen by the if in layer2:1:5"},
		{"accepted guard", "x: 1, a: 1\n---\nif x {a: 2}", "a", "set layer2:1:10 2\nover layer1:1:10 1\nuses x 1: for the if in layer2:1:1"},
		{"refused reference", "m: {on? /x, a: 1}", "m", "set layer1:1:5 {}\nrefused layer1:1:5: /x is optional and has no target"},
		{"through a reference", "x: {a: 1}, m: {on /x}", "m.a", "set layer1:1:8 1 through layer1:1:16"},
		{"beaten base", "x: {a: 1}, m: {on /x, a: 2}", "m.a", "set layer1:1:26 2\nover layer1:1:8 1 through layer1:1:16"},
		{"from a file", "on \"f\"\n--- f\na: 1\n", "a", "set f:1:4 1 included layer1:1:4"},
		{"reads", "a: 1, b: 2, c: =add(a b)", "c", "set layer1:1:16 'add(a b)'\nuses a 1\nuses b 2"},
		{"nothing", "a: 1", "b", ""},
		{"before the first item", "l: [1]", "l.-9", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := facts(t, tt.text, tt.path); got != tt.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, tt.want)
			}
		})
	}
}
