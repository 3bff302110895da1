package graph

import (
	"errors"
	"testing"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

func TestCalledMap(t *testing.T) {
	one := &Scalar{Val: value.Int(1)}
	entry := func(keys ...string) Node {
		var m Map
		for _, k := range keys {
			m.Entries = append(m.Entries, Entry{Key: value.K(k), Node: one})
		}
		return NewMap(m)
	}
	guard := &Guard{May: []Node{entry("g")}}
	weak := NewMap(Map{Weak: true})
	stack := func(rule *Rule, layers ...Node) Node { return &Stack{Layers: layers, Rule: rule} }
	for _, tt := range []struct {
		name string
		body Node
		want string // what is known of the keys a, b, g and z: y of one entry, n of none, - if it is not known
	}{
		{"a map", entry("a", "b"), "yynn"},
		{"keys and a condition", stack(BlockRule, entry("a"), guard, entry("b")), "yy-n"},
		{"a key that is written again", stack(BlockRule, entry("a"), guard, entry("a", "b")), "-y-n"},
		{"a directive that may be anything", stack(BlockRule, entry("a"), &Guard{}), "----"},
		{"a condition alone", stack(BlockRule, weak, guard), ""},
		{"layers of a key", stack(StackRule, entry("a"), entry("b")), ""},
		{"names", &Let{Names: []Entry{{Key: value.K("x"), Node: one}}, Body: entry("a"), Map: true}, "ynnn"},
		{"names that may be next to a list", &Let{Names: []Entry{{Key: value.K("x"), Node: one}}, Body: entry("a")}, ""},
		{"names of a file", &Let{Imports: []Import{{Node: guard}}, Body: entry("a"), Map: true}, ""},
		{"a map with a strategy", NewMap(Map{Strategy: ReplaceStrategy}), ""},
		{"private keys", NewMap(Map{Private: &Private{}}), ""},
		{"a list", NewSeq(Seq{}), ""},
		{"a scalar", one, ""},
	} {
		m, ok := CalledMapOf(tt.body)
		got := ""
		for _, k := range []string{"a", "b", "g", "z"} {
			n, known := m.Entry(value.K(k))
			switch {
			case !ok:
			case !known:
				got += "-"
			case n == nil:
				got += "n"
			default:
				got += "y"
			}
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// A bypass ends where something may not be final or may be observed, and from a cycle on.
func TestBypass(t *testing.T) {
	e := New(t.Context(), nil, Options{})
	begins := func() bool {
		ok := e.BeginBypass()
		if ok && !e.EndBypass(nil) {
			t.Error("a value without an error does not count")
		}
		return ok
	}
	if !begins() {
		t.Error("no bypass in an evaluation in which nothing happens")
	}
	e.OnRead = func(_, _ *Cell) {}
	if begins() {
		t.Error("a bypass while reads are observed")
	}
	e.OnRead = nil
	e.BeginBypass()
	e.shadeBySecret()
	if e.EndBypass(nil) {
		t.Error("a value counts although a secret has chosen something meanwhile")
	}
	e.shady = nil
	e.BeginBypass()
	if e.EndBypass(errors.New("some error")) || !begins() {
		t.Error("an error counts, or is the end of all")
	}
	e.BeginBypass()
	if e.EndBypass(source.Errorf(source.Span{}, source.Cycle, "a cycle")) || begins() {
		t.Error("a bypass after a cycle")
	}
	if e.Begin(); !begins() {
		t.Error("no bypass for the next question")
	}
}

// shadeBySecret notes that a secret condition has chosen the root.
func (e *Eval) shadeBySecret() { e.root.shadeBy(value.Null.Mark(value.Secret), nil) }
