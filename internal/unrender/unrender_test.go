package unrender

import (
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// inYAML writes a value on one line.
func inYAML(v value.Value) string {
	var b strings.Builder
	if err := yaml.EncodeJSON(&b, v, yaml.EncodeOptions{Compact: true, DropTags: true, Reveal: true}); err != nil {
		return err.Error()
	}
	return strings.TrimSpace(b.String())
}

// data reads the first document of a text as data.
func data(text string) (value.Value, error) {
	docs, findings := yaml.Parse(source.NewFile("value", text), yaml.ParseOptions{})
	for _, d := range findings {
		if d.Severity == source.Error {
			return value.Null, d
		}
	}
	if len(docs) == 0 {
		return value.Null, nil
	}
	return docs[0].Root.ToValue()
}

// fromYAML reads YAML as data.
func fromYAML(t *testing.T, text string) value.Value {
	t.Helper()
	v, err := data(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

func TestUnrendered(t *testing.T) {
	tests := []struct{ name, raw, rendered, edited, want, conflicts string }{
		{"nothing edited", `{a: "{{ 1 }}", b: 2}`, `{a: 1, b: 2}`, `{a: 1, b: 2}`, `{a: "{{ 1 }}", b: 2}`, ""},
		{"plain value", `{a: "{{ 1 }}", b: 2}`, `{a: 1, b: 2}`, `{a: 1, b: 3}`, `{a: "{{ 1 }}", b: 3}`, ""},
		{"result", `{a: {b: "{{ 1 }}"}}`, `{a: {b: 1}}`, `{a: {b: 2}}`, `{a: {b: "{{ 1 }}"}}`, "a.b"},
		{"result of another kind", `{a: "{{ 1 }}"}`, `{a: 1}`, `{a: "1"}`, `{a: "{{ 1 }}"}`, "a"},
		{"another template", `{a: "{{ 1 }}"}`, `{a: 1}`, `{a: "{{ 2 }}"}`, `{a: "{{ 2 }}"}`, ""},
		{"the same template", `{a: "{{ 1 }}"}`, `{a: 1}`, `{a: "{{ 1 }}"}`, `{a: "{{ 1 }}"}`, ""},
		{"expression object", `{a: {eval: "::b"}, b: 1}`, `{a: 1, b: 1}`, `{a: 1, b: 1, c: 3}`, `{a: {eval: "::b"}, b: 1, c: 3}`, ""},
		{"another expression object", `{a: {eval: "::b"}}`, `{a: null}`, `{a: {eval: "::c"}}`, `{a: {eval: "::c"}}`, ""},
		{"inside the result of an object", `{a: {eval: "::b"}}`, `{a: {x: 1}}`, `{a: {x: 2}}`, `{a: {eval: "::b"}}`, "a"},
		{"deleted", `{a: "{{ 1 }}", b: 2}`, `{a: 1, b: 2}`, `{b: 2}`, `{b: 2}`, ""},
		{"replaced above", `{a: {b: "{{ 1 }}"}}`, `{a: {b: 1}}`, `{a: null}`, `{a: null}`, ""},
		{"left out", `{a: "{{ omit }}", b: 2}`, `{b: 2}`, `{b: 3}`, `{b: 3, a: "{{ omit }}"}`, ""},
		{"left out, in its place", `{a: 1, b: "{{ omit }}", c: 2, d: [3], e: 4}`, `{c: 2, e: 4}`, `{c: 5, f: 6, e: 4}`, `{a: 1, b: "{{ omit }}", c: 5, d: [3], f: 6, e: 4}`, ""},
		{"left out after a key that is deleted", `{a: 1, b: 2, c: 3}`, `{a: 1, c: 3}`, `{c: 3}`, `{c: 3, b: 2}`, ""},
		{"item deleted", `["{{ 1 }}", "{{ 2 }}", 3]`, `[1, 2, 3]`, `[2, 3]`, `["{{ 2 }}", 3]`, ""},
		{"item inserted", `["{{ 1 }}", "{{ 2 }}"]`, `[1, 2]`, `[1, 9, 2]`, `["{{ 1 }}", 9, "{{ 2 }}"]`, ""},
		{"items moved", `[{name: a, v: "{{ 1 }}"}, {name: b, v: 2}]`, `[{name: a, v: 1}, {name: b, v: 2}]`,
			`[{name: b, v: 3}, {name: a, v: 1}]`, `[{name: b, v: 3}, {name: a, v: "{{ 1 }}"}]`, ""},
		{"item by name", `[{name: a, v: "{{ 1 }}"}]`, `[{name: a, v: 1}]`, `[{name: z}, {name: a, v: 1, w: 2}]`,
			`[{name: z}, {name: a, v: "{{ 1 }}", w: 2}]`, ""},
		{"item by position", `[{v: "{{ 1 }}", w: 1}]`, `[{v: 1, w: 1}]`, `[{v: 1, w: 2}]`, `[{v: "{{ 1 }}", w: 2}]`, ""},
		{"result in an item", `[1, "{{ 2 }}"]`, `[1, 2]`, `[1, 5]`, `[1, "{{ 2 }}"]`, "[1]"},
		{"computed list", `{a: "{{ [1, 2] }}"}`, `{a: [1, 2]}`, `{a: [1]}`, `{a: "{{ [1, 2] }}"}`, "a"},
		{"tag", `{a: !x b, c: .nan}`, `{a: !x b, c: .nan}`, `{a: !y b, c: .nan}`, `{a: !y b, c: .nan}`, ""},
		{"scalar document", `"{{ 1 }}"`, `1`, `2`, `"{{ 1 }}"`, "."},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			raw, rendered, edited := fromYAML(t, test.raw), fromYAML(t, test.rendered), fromYAML(t, test.edited)
			got, conflicts, err := Unrendered(raw, rendered, edited, false)
			if err != nil || !value.IsSame(got, fromYAML(t, test.want)) {
				t.Errorf("unrendered = %s, %v, want %s", inYAML(got), err, test.want)
			}
			var paths []string
			for _, c := range conflicts {
				if len(c.Ways) == 0 {
					t.Errorf("conflict %+v", c)
				}
				paths = append(paths, c.Path.String())
			}
			if found := strings.Join(paths, " "); found != test.conflicts {
				t.Errorf("conflicts at %q, want %q", found, test.conflicts)
			}
			got, conflicts, err = Unrendered(raw, rendered, edited, true)
			if err != nil || len(conflicts) > 0 || test.conflicts != "" && !value.IsSame(got, edited) {
				t.Errorf("literal: %s, %d conflicts, %v", inYAML(got), len(conflicts), err)
			}
		})
	}
}

func TestUnrenderedFails(t *testing.T) {
	deep := value.Int(1)
	for range value.MaxNesting + 2 {
		deep = value.ListOf(deep)
	}
	if _, _, err := Unrendered(deep, deep, value.ListOf(deep, value.Int(1)), false); err == nil {
		t.Error("nesting without end is followed")
	}
}

// hidden reads YAML with the texts that begin with "!" marked as sensitive, and those
// that begin with "?" as secret.
func hidden(t *testing.T, text string) value.Value {
	t.Helper()
	var mark func(v value.Value) value.Value
	mark = func(v value.Value) value.Value {
		switch {
		case v.Is(value.StringKind) && strings.HasPrefix(v.Str(), "!"):
			return v.Mark(value.Sensitive)
		case v.Is(value.StringKind) && strings.HasPrefix(v.Str(), "?"):
			return v.Mark(value.Secret)
		case v.Is(value.ListKind):
			var items value.Slice
			for item := range value.Items(v.List()) {
				items = append(items, mark(item))
			}
			return value.FromList(items)
		case v.Is(value.MapKind):
			m := value.NewMap(0)
			for k := range v.Map().Keys() {
				item, _, _ := v.Map().Get(k)
				m.Set(k, mark(item))
			}
			return value.FromMap(m)
		}
		return v
	}
	return mark(fromYAML(t, text))
}

func TestUnmasked(t *testing.T) {
	const twins = `[{n: 1, p: "!x"}, {n: 1, p: "!y"}]`
	tests := []struct{ name, old, edited, want string }{ // want "" is a refusal
		{"nothing hidden", `{a: 1}`, `{a: "<<REDACTED>>"}`, `{a: "<<REDACTED>>"}`},
		{"sensitive", `{a: "!x", b: 1}`, `{a: "<<REDACTED>>", b: 2}`, `{a: "!x", b: 2}`},
		{"another value", `{a: "!x"}`, `{a: new}`, `{a: new}`},
		{"revealed", `{a: "!x", b: 1}`, `{a: "!x", b: 2}`, `{a: "!x", b: 2}`},
		{"deleted", `{a: "!x", b: 1}`, `{b: 1}`, `{b: 1}`},
		{"secret in the clear", `{a: "?x", b: "!y"}`, `{a: "?x", b: "<<REDACTED>>"}`, `{a: "?x", b: "!y"}`},
		{"redacted", `{a: "?x", b: "!y"}`, `{a: "*****", b: "<<REDACTED>>"}`, `{a: "?x", b: "!y"}`},
		{"renamed", `{a: "!x"}`, `{b: "<<REDACTED>>"}`, ""},
		{"doubled", `{a: "!x"}`, `{a: "<<REDACTED>>", b: ["<<REDACTED>>"]}`, ""},
		{"item deleted before", `[1, "!x"]`, `["<<REDACTED>>"]`, `["!x"]`},
		{"items that look the same", `["!x", "!y", 1]`, `["<<REDACTED>>", "<<REDACTED>>", 2]`, `["!x", "!y", 2]`},
		{"one of them deleted", `["!x", "!y"]`, `["<<REDACTED>>"]`, ""},
		{"one of some that are the same", `["!x", "!x"]`, `["<<REDACTED>>"]`, `["!x"]`},
		{"all of them deleted", `["!x", "!y"]`, `[]`, `[]`},
		{"one more", `["!x"]`, `["<<REDACTED>>", "<<REDACTED>>"]`, ""},
		{"maps that look the same", twins, `[{n: 1, p: "<<REDACTED>>"}]`, ""},
		{"by name", `[{name: a, p: "!x"}, {name: b, p: "!y"}]`, `[{name: b, p: "<<REDACTED>>", q: 1}]`, `[{name: b, p: "!y", q: 1}]`},
		{"no telling", `[{n: 1, p: "!x"}, {n: 2, p: "!y"}]`, `[{n: 3, p: "<<REDACTED>>"}]`, ""},
		{"by position", `[{n: 1, p: "!x"}, {n: 2, p: "!y"}]`, `[{n: 3, p: "<<REDACTED>>"}, {n: 4, p: "<<REDACTED>>"}]`, `[{n: 3, p: "!x"}, {n: 4, p: "!y"}]`},
		{"put into a list", `{a: "!x"}`, `{a: ["<<REDACTED>>"]}`, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := Unmasked(hidden(t, test.old), fromYAML(t, test.edited))
			switch {
			case test.want == "" && err == nil:
				t.Errorf("unmasked = %s, want a refusal", inYAML(got))
			case test.want == "" && (source.Findings(err)[0].Hint == "" || strings.ContainsAny(err.Error(), "!?")):
				t.Errorf("refusal %v", err)
			case test.want != "" && (err != nil || !value.IsSame(got, fromYAML(t, test.want))):
				t.Errorf("unmasked = %s, %v, want %s", inYAML(got), err, test.want)
			}
		})
	}
}

// What is in a map that is secret as a whole is printed without --redact, but for what
// is sensitive in it.
func TestUnmaskedInsideSecret(t *testing.T) {
	old := hidden(t, `{a: "!x", b: 1}`).Mark(value.Secret)
	got, err := Unmasked(old, fromYAML(t, `{a: "<<REDACTED>>", b: 2}`))
	if err != nil || !value.IsSame(got, fromYAML(t, `{a: "!x", b: 2}`)) {
		t.Errorf("unmasked = %s, %v", inYAML(got), err)
	}
}

// Laws: a document as it is printed is the document; one that is printed and rendered
// as it was written has no conflict.
func FuzzUnrendered(f *testing.F) {
	for _, text := range []string{"{a: 1}", `[1, "!x", "?y", {name: b}]`, `{a: ["!x", "!x"], b: "{{ c }}"}`} {
		f.Add(text, text)
	}
	f.Fuzz(func(t *testing.T, text, other string) {
		v, err := data(text)
		w, werr := data(other)
		if err != nil || werr != nil {
			return
		}
		if got, conflicts, err := Unrendered(v, w, w, false); err != nil || len(conflicts) > 0 || !value.IsSame(got, v) {
			t.Errorf("unrendered(%q, %q) = %s, %d conflicts, %v", text, other, inYAML(got), len(conflicts), err)
		}
		if got, _, err := Unrendered(v, v, w, false); err != nil || !value.IsSame(got, w) {
			t.Errorf("unrendered(%q), edited %q = %s, %v", text, other, inYAML(got), err)
		}
		old := hidden(t, text)
		for _, hide := range []value.Marks{0, value.Sensitive, value.Sensitive | value.Secret} {
			printed := withMasks(old, hide, map[string]bool{})
			if got, err := Unmasked(old, printed); err != nil || !value.IsSame(got, v) {
				t.Errorf("unmasked(%q) with %d hidden = %s, %v", text, hide, inYAML(got), err)
			}
		}
	})
}
