package align

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/value"
)

// items returns the items for some words: text, a number for "#1", a list for "[]", and for "x=1" a map with
// the name x and the value 1.
func items(words string) []value.Value {
	var all []value.Value
	for _, word := range strings.Fields(words) {
		name, v, isMap := strings.Cut(word, "=")
		switch {
		case isMap:
			m := value.NewMap(2)
			if name != "" {
				m.Set(value.K("name"), value.String(name))
			}
			m.Set(value.K("v"), value.String(v))
			all = append(all, value.FromMap(m))
		case word == "[]":
			all = append(all, value.ListOf())
		case word[0] == '#':
			all = append(all, value.Int(int64(word[1])))
		default:
			all = append(all, value.String(word))
		}
	}
	return all
}

func TestLists(t *testing.T) {
	tests := []struct {
		about, old, new string
		rules           Rules
		from            []int
	}{
		{"the example", "a p=1 b c q=", "n a b p=2 d q=", Rules{}, []int{-1, 0, 2, 1, 3, 4}},
		{"the example in order", "a p=1 b c q=", "n a b p=2 d q=", Rules{InOrder: true}, []int{-1, 0, 2, -1, 3, 4}},
		{"empty lists", "", "", Rules{}, []int{}},
		{"from nothing", "", "a", Rules{}, []int{-1}},
		{"to nothing", "a", "", Rules{}, []int{}},
		{"an item changes", "a b c", "a x c", Rules{}, []int{0, 1, 2}},
		{"one is inserted, another removed", "a b c d", "a x b d", Rules{}, []int{0, -1, 1, 3}},
		{"an item moves", "a b c d", "d a b c", Rules{}, []int{3, 0, 1, 2}},
		{"an item moves, in order", "a b c d", "d a b c", Rules{InOrder: true}, []int{-1, 0, 1, 2}},
		{"an item moves, surely", "a b c d", "d a b c", Rules{Sure: true}, []int{-1, 0, 1, 2}},
		{"an equal item is put elsewhere", "a a b a", "a b a a", Rules{}, []int{0, 2, 1, 3}},
		{"names count more than places", "a=1 b=1", "b=2 a=2", Rules{}, []int{1, 0}},
		{"names in order", "a=1 b=1 c=1", "c=2 a=2 b=2", Rules{InOrder: true}, []int{-1, 0, 1}},
		{"names, surely", "a=1 b=1", "b=2", Rules{Sure: true}, []int{1}},
		{"a name that occurs twice does not count", "a=1 a=2 b=1", "a=3 b=1", Rules{}, []int{0, 2}},
		{"equal items count more than names", "a=1 a=2", "a=2 a=1", Rules{}, []int{1, 0}},
		{"another name is another thing", "a=1", "b=1 c=1", Rules{}, []int{-1, -1}},
		{"but not in the only place", "a=1", "b=1", Rules{}, []int{0}},
		{"one of two became another kind", "a b", "[]", Rules{}, []int{-1}},
		{"a scalar stays a scalar", "a [] b", "#1 #2", Rules{}, []int{0, 2}},
		{"fewer items, surely", "a b", "c", Rules{Sure: true}, []int{-1}},
	}
	for _, tt := range tests {
		p := Lists(items(tt.old), items(tt.new), tt.rules)
		if !slices.Equal(p.From, tt.from) {
			t.Errorf("%s: %v, want %v", tt.about, p.From, tt.from)
		}
	}
}

func randomWords(r *rand.Rand, n int) string {
	words := []string{"a", "b", "c", "x=1", "x=2", "y=1", "=3", "[]", "#1"}
	var b strings.Builder
	for range r.IntN(n) {
		b.WriteString(words[r.IntN(len(words))] + " ")
	}
	return b.String()
}

// The pairs of random lists: both directions agree, equal items that are in order are as many as can be, and
// pairs in order do not cross.
func TestPairsOfRandomLists(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 1000 {
		a, b := randomWords(r, 9), randomWords(r, 9)
		old, new := items(a), items(b)
		for _, rules := range []Rules{{}, {InOrder: true}, {Sure: true}} {
			p := Lists(old, new, rules)
			last, equal := -1, 0
			for j, i := range p.From {
				if i < 0 {
					continue
				}
				if p.To[i] != j {
					t.Fatalf("%q, %q: From %v, To %v", a, b, p.From, p.To)
				}
				if rules.InOrder && i <= last {
					t.Fatalf("%q, %q: %v crosses", a, b, p.From)
				}
				last = i
				if value.IsSame(old[i], new[j]) {
					equal++
				}
			}
			if least := longestCommon(old, new); equal < least {
				t.Fatalf("%q, %q: %d equal pairs of %d in %v", a, b, equal, least, p.From)
			}
			if !rules.Sure && !rules.InOrder && equal != shared(old, new) {
				t.Fatalf("%q, %q: %d equal pairs of %d in %v", a, b, equal, shared(old, new), p.From)
			}
		}
	}
}

// shared returns the number of equal items of two lists in any order.
func shared(a, b []value.Value) int {
	n := 0
	b = slices.Clone(b)
	for _, v := range a {
		if j := slices.IndexFunc(b, func(w value.Value) bool { return value.IsSame(v, w) }); j >= 0 {
			b = slices.Delete(b, j, j+1)
			n++
		}
	}
	return n
}

// longestCommon returns the length of a longest common subsequence by its definition.
func longestCommon(a, b []value.Value) int {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	if value.IsSame(a[0], b[0]) {
		return 1 + longestCommon(a[1:], b[1:])
	}
	return max(longestCommon(a[1:], b), longestCommon(a, b[1:]))
}

func TestRemove(t *testing.T) {
	p := Equal(items("a b c"), items("a c b"), nil)
	p.Remove(0)
	p.Moved()
	p.Similar(false)
	if !slices.Equal(p.From, []int{-1, 2, 1}) && !slices.Equal(p.From, []int{-1, 1, 2}) {
		t.Errorf("%v", p.From)
	}
	if p.To[0] >= 0 {
		t.Errorf("a removed item has the partner %d", p.To[0])
	}
}

func TestRest(t *testing.T) {
	p := Lists(items("a [] b"), items("b x=1"), Rules{InOrder: true})
	if !slices.Equal(p.From, []int{2, -1}) {
		t.Fatalf("%v", p.From)
	}
	p.Rest()
	if !slices.Equal(p.From, []int{2, 0}) {
		t.Errorf("%v", p.From)
	}
}

// Without a budget, items are paired by names and places.
func TestBudget(t *testing.T) {
	budget := 3
	p := Lists(items("a b n=1 c"), items("x n=1 c b"), Rules{Budget: &budget})
	if !slices.Equal(p.From, []int{0, 2, 1, 3}) || budget > 0 {
		t.Errorf("%v, %d left", p.From, budget)
	}
}

func TestNameOf(t *testing.T) {
	k, one := value.K, value.Int(1)
	mapOf := func(keysAndValues ...any) value.Value {
		m := value.NewMap(2)
		for i := 0; i < len(keysAndValues); i += 2 {
			m.Set(k(keysAndValues[i].(string)), keysAndValues[i+1].(value.Value))
		}
		return value.FromMap(m)
	}
	tests := []struct {
		about string
		v     value.Value
		want  Name
	}{
		{"a name", mapOf("v", one, "name", value.String("a")), Name{"name", k("a")}},
		{"a name before an id", mapOf("id", one, "name", value.String("a")), Name{"name", k("a")}},
		{"an id", mapOf("id", one, "key", value.Int(2)), Name{"id", value.Index(1)}},
		{"an id that is text", mapOf("id", value.String("1")), Name{"id", k("1")}},
		{"a key", mapOf("key", one), Name{"key", value.Index(1)}},
		{"a name that is null", mapOf("name", value.Null), Name{}},
		{"a name that is a map", mapOf("name", mapOf()), Name{}},
		{"no such key", mapOf("v", one), Name{}},
		{"a scalar", one, Name{}},
	}
	for _, tt := range tests {
		if got, ok := NameOf(tt.v); got != tt.want || ok != (got != Name{}) {
			t.Errorf("%s: %v, %v, want %v", tt.about, got, ok, tt.want)
		}
	}
}
