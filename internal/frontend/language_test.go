package frontend_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/internal/frontend"
	"github.com/yaytpl/yaytpl/source"
)

func TestByEnding(t *testing.T) {
	tests := []struct{ name, want string }{
		{"a.yaml", "yaml"},
		{"dir.json/a.YML", "yaml"},
		{"a.json", "json"},
		{"a.yay", "yay"},
		{"a.yaml.gpg", "yaml"},
		{"a.yay.asc", "yay"},
		{"https://host/a.json?x=y.yay#z.yay", "json"},
		{"a.yaml?x", ""},
		{"a.txt", ""},
		{"yaml", ""},
		{"-", ""},
		{"", ""},
	}
	for _, test := range tests {
		l, ok := frontend.ByEnding(test.name)
		if l.Name != test.want || ok != (test.want != "") {
			t.Errorf("ByEnding(%q) = %q, %v, want %q", test.name, l.Name, ok, test.want)
		}
	}
}

func TestFor(t *testing.T) {
	tests := []struct{ file, name, want string }{
		{"a.yay", "", "yay"},
		{"a.txt", "", "yaml"},
		{"a.yay", "json", "json"},
	}
	for _, test := range tests {
		l, err := frontend.For(&source.File{Name: test.file}, test.name)
		if err != nil || l.Name != test.want {
			t.Errorf("For(%s, %q) = %q, %v, want %q", test.file, test.name, l.Name, err, test.want)
		}
	}
	_, err := frontend.For(&source.File{Name: "a.yaml"}, "ini")
	if d := source.AsDiagnostic(err, source.Span{}, source.Internal); d == nil || d.Code != source.Usage || !strings.Contains(d.Message, strings.Join(frontend.Names(), ", ")) {
		t.Errorf("an unknown language: %v, want the known ones", err)
	}
}

// What was parsed before is known again by its text, and forgotten with it.
func TestSharedCache(t *testing.T) {
	yaml, err := frontend.For(&source.File{}, "yaml")
	if err != nil {
		t.Fatal(err)
	}
	alone, shared := frontend.NewCache(), frontend.NewSharedCache()
	parse := func(c *frontend.Cache, text string, o frontend.Options) any {
		docs, _ := c.Parse(yaml, source.NewFile("a.yaml", text), o)
		return docs[0]
	}
	first := parse(shared, "a: 1\n", frontend.Options{})
	if parse(shared, "a: 1\n", frontend.Options{}) != first {
		t.Error("the same text is parsed twice")
	}
	if parse(shared, "a: 1\n", frontend.Options{Lenient: true}) == first {
		t.Error("options do not matter")
	}
	if parse(shared, "a: 1\n", frontend.Options{Included: true, Switch: map[string]bool{"templates": true}}) == first {
		t.Error("switches do not matter")
	}
	if parse(shared, "a: 2\n", frontend.Options{}) == first || parse(shared, "a: 1\n", frontend.Options{}) == first {
		t.Error("an older version is remembered")
	}
	if parse(alone, "a: 1\n", frontend.Options{}) == parse(alone, "a: 1\n", frontend.Options{}) {
		t.Error("a cache of its own knows files by their text")
	}
}

// Each language has a row here and an ending in the table of package source.
func TestEndings(t *testing.T) {
	for _, name := range frontend.Names() {
		endings := source.EndingsOf(name)
		if len(endings) == 0 {
			t.Errorf("no ending says %s", name)
		}
		for _, ending := range endings {
			if l, _ := frontend.ByEnding("a" + ending); l.Name != name {
				t.Errorf("%s is %q, want %q", ending, l.Name, name)
			}
		}
	}
}

func TestNames(t *testing.T) {
	if names := frontend.Names(); !slices.Contains(names, frontend.JSON) || names[0] != "yaml" {
		t.Errorf("%v", names)
	}
}
