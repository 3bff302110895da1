package graph

import (
	"errors"
	"testing"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

func TestPlainEntry(t *testing.T) {
	one := &Scalar{Val: value.Int(1)}
	entry := func(m Map) *Map {
		m.Entries = []Entry{{Key: value.K("a"), Node: one}, {Key: value.K("b"), Node: &Scalar{Final: true}}, {Key: value.K("c"), Node: NewSeq(Seq{})}}
		return NewMap(m)
	}
	for _, tt := range []struct {
		name string
		body Node
		want bool // a is a plain entry
	}{
		{"a map", entry(Map{}), true},
		{"a block with a directive", &Stack{Layers: []Node{entry(Map{}), &Guard{}}, Rule: BlockRule}, false},
		{"names", &Let{Names: []Entry{{Key: value.K("x"), Node: one}}, Body: entry(Map{}), Map: true}, false},
		{"a map with a strategy", entry(Map{Strategy: ReplaceStrategy}), false},
		{"private keys", entry(Map{Private: &Private{}}), false},
		{"a scalar", one, false},
	} {
		def := &Definition{body: tt.body}
		if n := def.PlainEntry(value.K("a")); n == one != tt.want || !tt.want && n != nil {
			t.Errorf("%s: %v", tt.name, n)
		}
		for _, k := range []string{"b", "c", "z"} {
			if n := def.PlainEntry(value.K(k)); n != nil {
				t.Errorf("%s: %v for %s", tt.name, n, k)
			}
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
