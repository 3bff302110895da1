package merge

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/source"
)

func TestParseKey(t *testing.T) {
	for _, tt := range []struct {
		key  string
		want directive
		ok   bool
	}{
		{"+include", directive{include: true}, true},
		{"+include-one", directive{include: true}, true},
		{"+include2", directive{include: true}, true},
		{"+?include", directive{optional: true, include: true}, true},
		{"+include*A", directive{include: true, anchor: "A"}, true},
		{"+include/a/b", directive{include: true, path: []string{"a", "b"}}, true},
		{"+*name", directive{anchor: "name"}, true},
		{"+*name/a/0", directive{anchor: "name", path: []string{"a", "0"}}, true},
		{"+*a.", directive{anchor: "a."}, true},
		{"+?*name", directive{optional: true, anchor: "name"}, true},
		{"+.", directive{dots: 1}, true},
		{"+./k", directive{dots: 1, path: []string{"k"}}, true},
		{"+../k", directive{dots: 2, path: []string{"k"}}, true},
		{"+?.../k", directive{optional: true, dots: 3, path: []string{"k"}}, true},
		{"+/a~1b/c~0d", directive{path: []string{"a/b", "c~d"}}, true},
		{"+/~01", directive{path: []string{"~1"}}, true},
		{"+/", directive{path: []string{""}}, true},
		{"+?", directive{optional: true}, true},
		{"+", directive{}, false},
		{"+word", directive{}, false},
		{"+.word", directive{}, false},
		{"+1", directive{}, false},
		{"+%", directive{}, false},
		{"+&", directive{}, false},
		{"+*", directive{}, false},
		{"+* x", directive{}, false},
		{"+includefoo bar", directive{}, false},
		{"+include.x", directive{}, false},
		{"+word/a", directive{}, false},
		{"include", directive{}, false},
		{"a+b", directive{}, false},
		{"", directive{}, false},
	} {
		got, ok, err := parseKey(tt.key)
		if err != nil || ok != tt.ok || !same(got, tt.want) {
			t.Errorf("parseKey(%q) = %+v, %v, %v; want %+v, %v", tt.key, got, ok, err, tt.want, tt.ok)
		}
	}
}

func same(a, b directive) bool {
	return a.optional == b.optional && a.include == b.include && a.anchor == b.anchor && a.dots == b.dots && slices.Equal(a.path, b.path)
}

func TestBadPointer(t *testing.T) {
	for _, key := range []string{"+/a~", "+/a~2b", "+*x/~", "+include/~x"} {
		if _, ok, err := parseKey(key); err == nil || !ok {
			t.Errorf("parseKey(%q) = %v, %v; want a directive and an error", key, ok, err)
		}
	}
	if _, ok, err := parseKey("+word~"); ok || err != nil {
		t.Errorf("parseKey of an ordinary key = %v, %v; want no directive and no error", ok, err)
	}
}

func TestIncludeForms(t *testing.T) {
	for _, c := range []struct{ value, want string }{
		{"a.yaml", "a.yaml"},
		{"a.yaml#/x/y~1z", "a.yaml x,y/z"},
		{"{file: a.yaml, repository: repo, lang: yaml}", "a.yaml repo yaml"},
		{"{file: a.yaml, repository: {name: repo, url: u}, merge: raw}", "a.yaml repo raw"},
		{"{file: a.yaml, templates: false, directives: true}", "a.yaml directives=true templates=false"},
		{"{file: a.yaml, when: STAGE}", "guard"},
		{"'{{ name }}.yaml'", "guard"},
		{"{eval: ::a}", "guard"},
		{"{file: {eval: ::a}}", "guard"},
		{"{file: a.yaml, fiel: b}", `unknown key "fiel" in an include`},
		{"{file: a.yaml, templates: maybe}", "templates must be true or false"},
		{"{when: STAGE}", "`file` key missing from document include"},
		{"{file: [a]}", "invalid include: [a]"},
		{"[a, {file: b}]", "a"},
		{"[[a]]", "invalid include: [a]"},
		{"[]", "invalid include: []"},
		{"[[aü, " + strings.Repeat("ü", 40) + "]]", "invalid include: [aü, " + strings.Repeat("ü", 27) + "..."},
		{"[[a,\n  b]]", "invalid include: [a,..."},
		{"a*.yaml", "guard"},
		{"a.yaml#x", `"x" is not a JSON pointer`},
	} {
		docs, findings := Parse(source.NewFile("f.yaml", "+include: "+c.value+"\nb: 1\n"), Options{})
		got := ""
		if len(findings) > 0 {
			got = findings[0].Message
		} else {
			switch base := docs[0].Root.(*graph.Overlay).Bases[0].(type) {
			case *graph.Guard:
				got = "guard"
			case *graph.Ref:
				words := []string{base.File, strings.Join(base.Path, ","), base.Named, base.Lang}
				if base.Raw {
					words = append(words, "raw")
				}
				for _, name := range slices.Sorted(maps.Keys(base.Switch)) {
					words = append(words, fmt.Sprintf("%s=%v", name, base.Switch[name]))
				}
				got = strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " ")
			}
		}
		if got != c.want {
			t.Errorf("+include: %s is %q, want %q", c.value, got, c.want)
		}
	}
}
