package expr

import (
	"testing"

	"github.com/yaytpl/yaytpl/value"
)

// kinds are the types of some names.
type kinds map[string]value.Kind

func (k kinds) TypeOf(name string) Type {
	kind, ok := k[name]
	return Type{kind, ok}
}

// TestInferComprehension: a name that a comprehension binds is another one than that
// outside, from its own clause on.
func TestInferComprehension(t *testing.T) {
	one := &Lit{Value: value.Int(1)}
	name := func(s string) Node { return &Name{Name: s} }
	minus := func(x Node) Node { return &Binary{Op: "-", X: x, Y: one} }
	types := kinds{"text": value.StringKind, "n": value.IntKind, "xs": value.ListKind}
	for _, c := range []struct {
		what string
		node Node
		kind value.Kind
		bad  int
	}{
		{"a list", &For{Item: minus(name("n")), Clauses: []ForClause{{Names: []string{"i"}, In: name("xs")}}}, value.ListKind, 0},
		{"a map", &For{Key: name("i"), Item: name("i"), Clauses: []ForClause{{Names: []string{"i"}, In: name("xs")}}}, value.MapKind, 0},
		{"an item that cannot be", &For{Item: minus(name("text")), Clauses: []ForClause{{Names: []string{"i"}, In: name("xs")}}}, value.ListKind, 1},
		{"a key that cannot be", &For{Key: minus(name("text")), Item: one, Clauses: []ForClause{{Names: []string{"i"}, In: name("xs")}}}, value.MapKind, 1},
		{"a bound item", &For{Item: minus(name("text")), Clauses: []ForClause{{Names: []string{"text"}, In: name("xs")}}}, value.ListKind, 0},
		{"a bound test", &For{Item: one, Clauses: []ForClause{{Names: []string{"text"}, In: name("xs"), Ifs: []Node{minus(name("text"))}}}}, value.ListKind, 0},
		{"a source of the same name", &For{Item: one, Clauses: []ForClause{{Names: []string{"text"}, In: minus(name("text"))}}}, value.ListKind, 1},
		{"a second source", &For{Item: one, Clauses: []ForClause{{Names: []string{"text"}, In: name("xs")}, {Names: []string{"j"}, In: minus(name("text"))}}}, value.ListKind, 0},
		{"a name after the comprehension", &List{Items: []Node{&For{Item: one, Clauses: []ForClause{{Names: []string{"text"}, In: name("xs")}}}, minus(name("text"))}}, value.ListKind, 1},
		{"a fallback of the same kind", &Else{X: name("n"), Y: one}, value.IntKind, 0},
		{"a fallback that cannot be", &Else{X: minus(name("text")), Y: minus(name("text"))}, value.NullKind, 2},
	} {
		typ, found := Infer(c.node, types)
		if typ.Kind != c.kind || len(found) != c.bad {
			t.Errorf("%s: %s and %d findings, want %s and %d", c.what, typ.Kind, len(found), c.kind, c.bad)
		}
	}
}

// TestWalkReachesEveryPart of the nodes that only Yay has.
func TestWalkReachesEveryPart(t *testing.T) {
	name := func(s string) Node { return &Name{Name: s} }
	n := &Else{
		X: &For{Key: name("a"), Item: name("b"), Clauses: []ForClause{
			{Names: []string{"i"}, In: name("c"), Ifs: []Node{name("d"), name("e")}},
			{Names: []string{"j"}, In: name("f")},
		}},
		Y: name("g"),
	}
	seen := ""
	Walk(n, func(n Node) bool {
		if n, ok := n.(*Name); ok {
			seen += n.Name
		}
		return true
	})
	if seen != "abcdefg" {
		t.Errorf("visited %q", seen)
	}
}
