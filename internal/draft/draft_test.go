package draft_test

import (
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/internal/draft"
	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/value"
)

// sample returns {m: {a: 1, b: 2}, l: [x, y], n: null}.
func sample() value.Value {
	m, all := value.NewMap(2), value.NewMap(3)
	m.Set(value.K("a"), value.Int(1))
	m.Set(value.K("b"), value.Int(2))
	all.Set(value.K("m"), value.FromMap(m))
	all.Set(value.K("l"), value.ListOf(value.String("x"), value.String("y")))
	all.Set(value.K("n"), value.Null)
	return value.FromMap(all)
}

// at returns a path of keys and, for digits, indexes.
func at(path string) value.Path {
	p := value.Path{}
	for _, word := range strings.Fields(path) {
		k := value.K(word)
		if strings.Trim(word, "0123456789") == "" {
			k.Kind = value.IntKind
		}
		p = append(p, k)
	}
	return p
}

func TestApply(t *testing.T) {
	set, del, ren, app, ins := roundtrip.Set, roundtrip.Delete, roundtrip.Rename, roundtrip.Append, roundtrip.Insert
	tests := []struct {
		about, path, key string
		op               roundtrip.Op
		want             string // what comes of it, or words of the error
	}{
		{"an entry", "m a", "", set, `{"m": {"a": 9, "b": 2}, "l": ["x", "y"], "n": null}`},
		{"a new entry", "m c", "", set, `{"m": {"a": 1, "b": 2, "c": 9}, "l": ["x", "y"], "n": null}`},
		{"an entry of what is null", "n c", "", set, `{"m": {"a": 1, "b": 2}, "l": ["x", "y"], "n": {"c": 9}}`},
		{"an entry of what is not there", "o p", "", set, `{"m": {"a": 1, "b": 2}, "l": ["x", "y"], "n": null, "o": {"p": 9}}`},
		{"all", "", "", set, `9`},
		{"nothing", "", "", del, `null`},
		{"an entry goes", "m a", "", del, `{"m": {"b": 2}, "l": ["x", "y"], "n": null}`},
		{"another key", "m a", "c", ren, `{"m": {"b": 2, "c": 1}, "l": ["x", "y"], "n": null}`},
		{"an item", "l 1", "", set, `{"m": {"a": 1, "b": 2}, "l": ["x", 9], "n": null}`},
		{"an item behind the last", "l 2", "", set, `{"m": {"a": 1, "b": 2}, "l": ["x", "y", 9], "n": null}`},
		{"an item in between", "l 1", "", ins, `{"m": {"a": 1, "b": 2}, "l": ["x", 9, "y"], "n": null}`},
		{"an item goes", "l 0", "", del, `{"m": {"a": 1, "b": 2}, "l": ["y"], "n": null}`},
		{"one more item", "l", "", app, `{"m": {"a": 1, "b": 2}, "l": ["x", "y", 9], "n": null}`},
		{"one item", "n", "", app, `{"m": {"a": 1, "b": 2}, "l": ["x", "y"], "n": [9]}`},
		{"no list", "m", "", app, "is a map, not a list"},
		{"no such entry", "m z", "", del, "m.z does not exist"},
		{"no such item", "l 5", "", set, "l[5] does not exist"},
		{"a key that is taken", "m a", "b", ren, `the map of m.a has a key "b" already`},
		{"no key", "l 0", "b", ren, "is an item of a list and has no key"},
		{"below a scalar", "m a x", "", set, "m.a is neither a map nor a list"},
	}
	for _, tt := range tests {
		before := sample()
		d := draft.Document{Root: before}
		err := d.Apply(roundtrip.Edit{Op: tt.op, Path: at(tt.path), Key: value.K(tt.key), Value: value.Int(9)})
		if err != nil {
			if !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s: %v, want %s", tt.about, err, tt.want)
			}
			continue
		}
		if got := shown(t, d.Root); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.about, got, tt.want)
		}
		if shown(t, before) != shown(t, sample()) {
			t.Errorf("%s: the value that it began with is %s", tt.about, shown(t, before))
		}
	}
}

// TestApplyMore edits the results of earlier edits.
func TestApplyMore(t *testing.T) {
	d := draft.Document{Root: sample()}
	for _, e := range []roundtrip.Edit{
		{Op: roundtrip.Set, Path: at("m c"), Value: value.Int(3)},
		{Op: roundtrip.Delete, Path: at("m c")},
		{Op: roundtrip.Delete, Path: at("m a")},
		{Op: roundtrip.Set, Path: at("m a"), Value: value.Int(4)},
		{Op: roundtrip.Append, Path: at("l"), Value: value.Int(5)},
		{Op: roundtrip.Delete, Path: at("l 0")},
		{Op: roundtrip.Set, Path: at("l 1"), Value: value.Null},
		{Op: roundtrip.Set, Path: at("l 1 k"), Value: value.Int(6)},
		{Op: roundtrip.Set, Path: at("m d"), Value: value.Int(7)},
		{Op: roundtrip.Delete, Path: at("m b")},
	} {
		if err := d.Apply(e); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := shown(t, d.Root), `{"m": {"a": 4, "d": 7}, "l": ["y", {"k": 6}], "n": null}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if m, _, err := value.Find(d.Root, at("m")); err != nil || m.Map().Len() != 2 {
		t.Errorf("m has %d keys, %v", m.Map().Len(), err)
	}
	if v, ok, err := value.Find(d.Root, at("l 1 k")); err != nil || !ok || shown(t, v) != "6" {
		t.Errorf("l[1].k is %v, %v", ok, err)
	}
	for _, path := range []string{"l 9 k", "l 0 k", "m a x y"} {
		if err := d.Apply(roundtrip.Edit{Op: roundtrip.Set, Path: at(path), Value: value.Null}); err == nil {
			t.Errorf("there is a place for %s", path)
		}
	}
}

// shown returns a value on one line.
func shown(t *testing.T, v value.Value) string {
	t.Helper()
	text, err := value.Repr(v)
	if err != nil {
		t.Fatal(err)
	}
	return strings.NewReplacer("'", `"`, "None", "null").Replace(text)
}
