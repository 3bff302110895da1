package restore

import (
	"slices"
	"testing"

	"github.com/yaytpl/yaytpl/value"
)

func TestDifferencesAreInOrder(t *testing.T) {
	k := value.K
	one, two := value.Int(1), value.Int(2)
	a := mapOf(k("z"), one, k("y"), mapOf(k("b"), one, k("a"), one), k("x"), value.ListOf(one, one), k("w"), one)
	b := mapOf(k("z"), two, k("y"), mapOf(k("b"), two, k("a"), two), k("x"), value.ListOf(one, two), k("new"), one)
	got, err := Differences(a, b)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, p := range got {
		texts = append(texts, p.String())
	}
	if want := []string{"z", "y.b", "y.a", "x[1]", "w", "new"}; !slices.Equal(texts, want) {
		t.Errorf("the differences are %v, want %v", texts, want)
	}
	if got, err = Differences(mapOf(k("a"), one, k("b"), one), mapOf(k("b"), one, k("a"), one)); len(got) > 0 || err != nil {
		t.Errorf("another order of keys differs: %v, %v", got, err)
	}
}

func mapOf(pairs ...any) value.Value {
	m := value.NewMap(len(pairs) / 2)
	for i := 0; i < len(pairs); i += 2 {
		m.Set(pairs[i].(value.Key), pairs[i+1].(value.Value))
	}
	return value.FromMap(m)
}

func path(keys ...string) value.Path {
	p := value.Path{}
	for _, k := range keys {
		p = append(p, value.K(k))
	}
	return p
}

func TestTrail(t *testing.T) {
	set := trailOf([]value.Path{path("a", "b"), path("c")})
	tests := []struct {
		p             value.Path
		meets, covers bool
	}{
		{path(), true, false},
		{path("a"), true, false},
		{path("a", "b"), true, true},
		{path("a", "b", "x"), true, true},
		{path("a", "x"), false, false},
		{path("c", "x", "y"), true, true},
		{path("d"), false, false},
	}
	for _, tt := range tests {
		if got := set.meets(tt.p); got != tt.meets {
			t.Errorf("meets %s: %v", tt.p, got)
		}
		if got := set.covers(tt.p); got != tt.covers {
			t.Errorf("covers %s: %v", tt.p, got)
		}
	}
	var none *trail
	if !none.isEmpty() || none.meets(path("a")) || none.covers(path("a")) || trailOf(nil).meets(path()) {
		t.Errorf("what is empty has something")
	}
	if !trailOf([]value.Path{{}}).covers(path("a")) {
		t.Errorf("the root does not cover all")
	}
}

func TestOnlyPairs(t *testing.T) {
	tests := []struct {
		about, gone, come string
		want              []int
	}{
		{"nothing came", "a b", "", []int{-1, -1}},
		{"nothing went", "", "a", []int{}},
		{"each has one", "a b", "b x a", []int{2, 0}},
		{"another value", "a", "b", []int{-1}},
		{"two went", "a b a", "a b", []int{-1, 1, -1}},
		{"two came", "a b", "a b a", []int{-1, 1}},
		{"maps", "a=1 b=1", "b=1 a=2", []int{-1, 0}},
	}
	for _, tt := range tests {
		if got := onlyPairs(itemsIn(tt.gone), itemsIn(tt.come), func(v value.Value) value.Value { return v }); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.about, got, tt.want)
		}
	}
}
