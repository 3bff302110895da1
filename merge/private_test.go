package merge

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// FuzzPrivate checks that the output of a map has its keys without those that the expanded map
// names, that what is evaluated sees all of them, and that the expanded text says the same again.
func FuzzPrivate(f *testing.F) {
	for _, text := range []string{
		`[a, "x-*"]`, `["*"]`, `[]`, `a`, `[a, [b]]`, `["\\a", "[ab]"]`, `[1, true, 0x10]`, `[~]`, `["["]`, `[a, a, +private]`, `&x [*x]`, `{a: 1}`, ``, `["a/*", "?"]`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, names string) {
		text := "+private: " + names + "\na: 1\nb: {+private: [c], c: 2, d: 3}\nx-y/z: 4\n1: 5\ntrue: 6\n+/b: \n"
		raw, all, public, ok := threeForms(text)
		if !ok {
			return
		}
		var want []value.Key
		for _, k := range all {
			if !private(raw, k) {
				want = append(want, k)
			}
		}
		if !slices.Equal(public, want) || slices.Contains(all, graph.PrivateKey) {
			t.Errorf("%s: of %v are printed %v, want %v", text, all, public, want)
		}
		again, _, publicAgain, ok := threeForms(inYAML(t, raw))
		if !ok || !slices.Equal(publicAgain, public) || !value.IsSame(again, raw) {
			t.Errorf("%s: expanded, then expanded again: %v, printed %v, want %v", text, ok, publicAgain, public)
		}
	})
}

// threeForms returns the expanded root, its keys for what is evaluated and its keys for output.
func threeForms(text string) (raw value.Value, all, public []value.Key, ok bool) {
	docs, findings := Parse(source.NewFile("main.yaml", text), Options{})
	if len(docs) != 1 || len(findings) > 0 {
		return
	}
	e := graph.New(context.Background(), []graph.RootLayer{{Doc: docs[0]}}, graph.Options{})
	v, _, err := e.Root().Value()
	if err != nil || !v.Is(value.MapKind) {
		return
	}
	if raw, _, err = e.Root().Raw(); err == nil {
		raw, err = value.Plain(raw)
	}
	if err != nil {
		return
	}
	all, err = value.KeysOf(v.Map())
	if err == nil {
		public, err = value.KeysOf(value.Public(v).Map())
	}
	return raw, all, public, err == nil
}

// private reports whether the expanded map says that a key is private.
func private(raw value.Value, k value.Key) bool {
	names, _, _ := raw.Map().Get(graph.PrivateKey)
	for i := range names.List().Len() {
		name, _ := names.List().At(i)
		text, _ := value.KeyOf(name)
		if (graph.PrivateName{Text: text.Text}).Matches(k.Text) {
			return true
		}
	}
	return false
}

func inYAML(t *testing.T, v value.Value) string {
	var b strings.Builder
	if err := yaml.Encode(&b, v, yaml.EncodeOptions{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
