package types_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/lang/mcl/syntax"
	. "github.com/yaytpl/yaytpl/lang/mcl/types"
	"github.com/yaytpl/yaytpl/source"
)

// parse returns a type; ?1 and the like are undecided types, equal for equal numbers.
func parse(t testing.TB, text string, vars map[int]*Type) *Type {
	t.Helper()
	tree, err := syntax.ParseType(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return build(tree, vars)
}

func build(t *syntax.Type, vars map[int]*Type) *Type {
	fields := func() []Field {
		var all []Field
		for _, f := range t.Fields {
			all = append(all, Field{Name: f.Name, Type: build(f.Type, vars)})
		}
		return all
	}
	switch t.Kind {
	case syntax.ListType:
		return ListOf(build(t.Elem, vars), t.At)
	case syntax.MapType:
		return MapOf(build(t.Key, vars), build(t.Elem, vars), t.At)
	case syntax.StructType:
		return StructOf(fields(), t.At)
	case syntax.FuncType:
		return FuncOf(fields(), build(t.Elem, vars), t.At)
	case syntax.VarType:
		if vars[t.Var] == nil {
			vars[t.Var] = Of(Var, t.At)
		}
		return vars[t.Var]
	}
	return Written(t)
}

func TestUnify(t *testing.T) {
	for _, c := range []struct{ a, b, want string }{
		{"int", "int", "int"},
		{"int", "str", "expected int, found str"},
		{"?1", "int", "int"},
		{"[]?1", "[]str", "[]str"},
		{"?1", "[]?2", "[]?"},
		{"map{?1: ?1}", "map{str: ?2}", "map{str: str}"},
		{"map{?1: ?1}", "map{str: int}", "expected str, found int"},
		{"struct{a int; b ?1}", "struct{a ?2; b str}", "struct{a int; b str}"},
		{"struct{a int; b int}", "struct{b int; a int}", "expected struct{a int; b int}, found struct{b int; a int}"},
		{"struct{a int}", "struct{a int; b int}", "expected struct{a int}, found struct{a int; b int}"},
		{"func(?1) ?1", "func(int) ?2", "func(int) int"},
		{"func(?1, ?2) ?1", "func(int, str) ?2", "func(int, str) int"},
		{"func(?1) ?1", "func(int) str", "expected int, found str"},
		{"func(int) int", "func(int, int) int", "expected func(int) int, found func(int, int) int"},
		{"[]?1", "?1", "the type []? would contain itself"},
		{"variant", "[]int", "variant"},
	} {
		vars := map[int]*Type{}
		a, b := parse(t, c.a, vars), parse(t, c.b, map[int]*Type{1: vars[1]})
		if strings.Contains(c.b, "?1") {
			b = parse(t, c.b, vars)
		}
		var u Unifier
		got := ""
		if err := u.Unify(a, b); err != nil {
			got = err.Error()
		} else {
			got = a.String()
		}
		if got != c.want {
			t.Errorf("%s with %s: %s, want %s", c.a, c.b, got, c.want)
		}
	}
}

// random returns a random type with some of the variables.
func random(r *rand.Rand, depth int, vars []*Type) *Type {
	if depth == 0 || r.IntN(3) == 0 {
		if r.IntN(2) == 0 {
			return vars[r.IntN(len(vars))]
		}
		return Of([]Kind{Bool, Str, Int, Float}[r.IntN(4)], source.Span{})
	}
	fields := func() []Field {
		all := make([]Field, r.IntN(3))
		for i := range all {
			all[i] = Field{Name: string(rune('a' + i)), Type: random(r, depth-1, vars)}
		}
		return all
	}
	switch r.IntN(4) {
	case 0:
		return ListOf(random(r, depth-1, vars), source.Span{})
	case 1:
		return MapOf(random(r, depth-1, vars), random(r, depth-1, vars), source.Span{})
	case 2:
		return StructOf(fields(), source.Span{})
	}
	return FuncOf(fields(), random(r, depth-1, vars), source.Span{})
}

// pair returns the same two random types for the same seed.
func pair(seed uint64) (a, b *Type) {
	r := rand.New(rand.NewPCG(seed, 1))
	vars := make([]*Type, 3)
	for i := range vars {
		vars[i] = Of(Var, source.Span{})
	}
	return random(r, 4, vars), random(r, 4, vars)
}

// Unification is symmetric; it makes the types equal, so that a second time changes nothing; and no type
// contains itself afterwards.
func TestUnifyLaws(t *testing.T) {
	ok := 0
	for seed := range uint64(20_000) {
		a, b := pair(seed)
		var u Unifier
		err := u.Unify(a, b)
		c, d := pair(seed)
		var v Unifier
		if other := v.Unify(d, c); (err == nil) != (other == nil) {
			t.Fatalf("seed %d: %v one way, %v the other way", seed, err, other)
		}
		if err != nil {
			continue
		}
		ok++
		if a.String() != b.String() || a.String() != c.String() {
			t.Fatalf("seed %d: %s, %s and %s after unification", seed, a, b, c)
		}
		text := a.String()
		if err := u.Unify(b, a); err != nil || a.String() != text {
			t.Fatalf("seed %d: %s became %s, %v", seed, text, a, err)
		}
	}
	if ok < 1000 {
		t.Fatalf("only %d pairs could be unified", ok)
	}
}

// The parts of a type that occur many times are compared once: these types have 2^200 parts.
func TestUnifyShared(t *testing.T) {
	tower := func(bottom Kind) *Type {
		s := Of(bottom, source.Span{})
		for range 200 {
			s = StructOf([]Field{{"a", s}, {"b", s}}, source.Span{})
		}
		return s
	}
	var u Unifier
	if err := u.Unify(tower(Int), tower(Int)); err != nil {
		t.Error(err)
	}
	if err := u.Unify(tower(Int), tower(Str)); err == nil {
		t.Error("int and str are the same")
	}
	open := tower(Var)
	if err := u.Unify(open, tower(Int)); err != nil || !open.Ground() {
		t.Errorf("%v, ground: %v", err, open.Ground())
	}
	var n Table
	a, _ := n.ID(tower(Int))
	b, _ := n.ID(tower(Int))
	c, _ := n.ID(tower(Bool))
	if a != b || a == c {
		t.Errorf("the numbers of equal types are %d and %d, of another %d", a, b, c)
	}
	if text := open.String(); len(text) > 300 {
		t.Errorf("the text of a type has %d bytes", len(text))
	}
}

// A type that is nested too deeply is a conflict, not a stack overflow.
func TestUnifyDeep(t *testing.T) {
	deep := func() *Type {
		s := Of(Var, source.Span{})
		for range 20_000 {
			s = ListOf(s, source.Span{})
		}
		return s
	}
	var u Unifier
	var c *Conflict
	if err := u.Unify(deep(), deep()); !errors.As(err, &c) || !c.Depth {
		t.Errorf("got %v", err)
	}
}

func TestWaiting(t *testing.T) {
	a, b := Of(Var, source.Span{}), Of(Var, source.Span{})
	a.Wait("x")
	b.Wait("y")
	var u Unifier
	u.Unify(a, b)
	if len(u.Ready) > 0 {
		t.Fatalf("ready before the type is decided: %v", u.Ready)
	}
	u.Unify(b, Of(Int, source.Span{}))
	if len(u.Ready) != 2 {
		t.Fatalf("ready are %v, want both", u.Ready)
	}
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		text string
		want source.Code
	}{
		{"map{str: []int}", ""},
		{"map{struct{a int}: int}", ""},
		{"map{[]int: int}", source.TypeConflict},
		{"map{struct{a []int}: int}", source.TypeConflict},
		{"struct{a int; a str}", source.DuplicateKey},
		{"[]struct{a int; a str}", source.DuplicateKey},
		{"func(map{[]int: int}) str", source.TypeConflict},
		{"func(a int, a str) str", ""},
	} {
		tree, err := syntax.ParseType(c.text)
		if err != nil {
			t.Fatal(err)
		}
		var got source.Code
		if d := Check(tree); d != nil {
			got = d.Code
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
		}
	}
}
