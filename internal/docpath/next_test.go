package docpath_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/internal/docpath"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// data reads YAML.
func data(t *testing.T, text string) value.Value {
	t.Helper()
	docs, findings := yaml.Parse(source.NewFile("data", text), yaml.ParseOptions{})
	if len(findings) > 0 || len(docs) != 1 {
		t.Fatalf("%s: %v", text, findings)
	}
	v, err := docs[0].Root.ToValue()
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// follow takes all steps.
func follow(v value.Value, steps []docpath.Step) (value.Value, value.Path, error) {
	var path value.Path
	for len(steps) > 0 {
		next, key, taken, err := docpath.Next(v, steps, path)
		if err != nil {
			return value.Null, path, err
		}
		v, path, steps = next, append(path, key), steps[taken:]
	}
	return v, path, nil
}

const tree = `{a: {b: 1, b.c: 2, "3": three}, x.y: {z: 4}, l: [{n: web, v: 5}, {n: db, v: 6}, {n: db}], 7: seven, s: text, one: [0], none: []}`

func TestNext(t *testing.T) {
	tests := []struct{ path, want, at string }{
		{"a.b", "1", "a.b"},
		{"a.b.c", "2", `a."b.c"`}, // the longest key wins
		{`a."b"`, "1", "a.b"},
		{"x.y.z", "4", `"x.y".z`},
		{"a[3]", "three", "a.3"},
		{"l[0].v", "5", "l[0].v"},
		{"l.1.v", "6", "l[1].v"},
		{"l[-3].n", "web", "l[0].n"},
		{"l[n=web].v", "5", "l[0].v"},
		{"/l/1/v", "6", "l[1].v"},
		{"7", "seven", "[7]"},
	}
	for _, test := range tests {
		steps, err := docpath.Parse(test.path)
		if err != nil {
			t.Fatal(err)
		}
		v, at, err := follow(data(t, tree), steps)
		k, _ := value.KeyOf(v)
		if err != nil || k.Text != test.want || at.String() != test.at {
			t.Errorf("%s: %s at %s, %v, want %s at %s", test.path, k.Text, at, err, test.want, test.at)
		}
	}
}

func TestNotThere(t *testing.T) {
	tests := []struct{ path, message, hint string }{
		{"a.bb", `no "bb" in a`, `"b"`},
		{"q", `no "q" in the document`, ""},
		{"s.t", `no "t" in s`, "s is a string"},
		{"l.n", `no "n" in l`, "l is a list: it has 3 items, [0] to [2]"},
		{"l[3]", `no "3" in l`, "3 items"},
		{"one[-2]", `no "-2" in one`, "one item, [0]"},
		{"none[0]", `no "0" in none`, "no items"},
		{"l[n=db]", `no "[n=db]" in l`, "items 1 and 2 both match"},
		{"l[n=x]", `no "[n=x]" in l`, ""},
		{"a[n=x]", `no "[n=x]" in a`, "not a list"},
	}
	for _, test := range tests {
		steps, err := docpath.Parse(test.path)
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = follow(data(t, tree), steps)
		var d *source.Diagnostic
		if !errors.As(err, &d) || d.Code != source.NotFound || d.Message != test.message || !strings.Contains(d.Hint, test.hint) {
			t.Errorf("%s: %v, hint %q, want %q, hint %q", test.path, err, d.Hint, test.message, test.hint)
		}
	}
}

// Many steps can be one key as well, and a path of many steps takes little time.
func TestNextOfManyParts(t *testing.T) {
	long := strings.Repeat("a.", 20) + "b"
	deep := "leaf"
	for range 900 {
		deep = "{a: " + deep + "}"
	}
	tests := []struct {
		text, path, want string
		steps            int
	}{
		{"{a: {b: 1}, " + long + ": {c: 2}}", long + ".c", "2", 2},
		{deep, strings.Repeat("a.", 899) + "a", "leaf", 900},
	}
	for _, test := range tests {
		steps, err := docpath.Parse(test.path)
		if err != nil {
			t.Fatal(err)
		}
		v, at, err := follow(data(t, test.text), steps)
		k, _ := value.KeyOf(v)
		if err != nil || k.Text != test.want || len(at) != test.steps {
			t.Errorf("%.30s: %s after %d keys, %v, want %s after %d", test.path, k.Text, len(at), err, test.want, test.steps)
		}
		if known := docpath.JoinKnown(data(t, test.text), steps); len(known) != test.steps {
			t.Errorf("%.30s: %d keys, want %d", test.path, len(known), test.steps)
		}
	}
}

// The keys of a secret map are not suggested.
func TestSecretKeysAreNotSuggested(t *testing.T) {
	steps, _ := docpath.Parse("bb")
	_, _, _, err := docpath.Next(data(t, "{b: 1}").Mark(value.Secret), steps, nil)
	if d := source.AsDiagnostic(err, source.Span{}, source.Internal); d.Code != source.NotFound || d.Hint != "" {
		t.Errorf("%v, hint %q", err, d.Hint)
	}
}

func TestJoinKnown(t *testing.T) {
	tests := []struct{ path, want string }{
		{"x.y.z", `"x.y" z`},
		{"x.y.new.key", `"x.y" new key`},
		{"a.b.c", `a "b.c"`},
		{"a.new.c", "a new c"},
		{`x."y".z`, `x "y" z`},
		{"l[0].n", "l [0 0] n"},
	}
	for _, test := range tests {
		steps, err := docpath.Parse(test.path)
		if err != nil {
			t.Fatal(err)
		}
		if got := spelled(docpath.JoinKnown(data(t, tree), steps)); got != test.want {
			t.Errorf("%s: %s, want %s", test.path, got, test.want)
		}
	}
}
