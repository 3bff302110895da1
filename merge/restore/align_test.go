package restore

import (
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/value"
)

// tokensOf returns the tokens of a list: "+a+b" is a splice of two items.
func tokensOf(items string) []token {
	var tokens []token
	for _, word := range strings.Fields(items) {
		t := token{}
		if parts, ok := strings.CutPrefix(word, "+"); ok {
			t.spliced = true
			for _, part := range strings.FieldsFunc(parts, func(r rune) bool { return r == '+' }) {
				t.values = append(t.values, itemOf(part))
			}
		} else {
			t.values = []value.Value{itemOf(word)}
		}
		tokens = append(tokens, t)
	}
	return tokens
}

// itemsIn returns the items for some words.
func itemsIn(words string) []value.Value {
	var items []value.Value
	for _, word := range strings.Fields(words) {
		items = append(items, itemOf(word))
	}
	return items
}

// itemOf returns text, or for "x=1" a map with the name x and the value 1.
func itemOf(word string) value.Value {
	name, v, ok := strings.Cut(word, "=")
	if !ok {
		return value.String(word)
	}
	return mapOf(value.K("name"), value.String(name), value.K("v"), value.String(v))
}

func TestAlign(t *testing.T) {
	tests := []struct {
		about, tokens, want string
		from                []int
	}{
		{"all stays", "a b c", "a b c", []int{0, 1, 2}},
		{"an item is put in", "a b", "a x b", []int{0, -1, 1}},
		{"an item goes", "a b c", "a c", []int{0, 2}},
		{"an item is edited in its place", "a b c", "a x c", []int{0, 1, 2}},
		{"items are swapped", "a b", "b a", []int{1, 0}},
		{"an item moves far", "a b c d", "b c d a", []int{1, 2, 3, 0}},
		{"names count more than places", "a=1 b=2", "b=3 a=4", []int{1, 0}},
		{"equal items count more than names", "a=1 a=2", "a=2 a=1", []int{1, 0}},
		{"a name that occurs twice does not count", "a=1 a=2 b=1", "a=3 b=1", []int{0, 2}},
		{"another name is another thing", "a=1", "b=1 c=1", []int{-1, -1}},
		{"a splice stays", "a +p+q z", "x a p q y z", []int{-1, 0, 1, 1, -1, 2}},
		{"a splice that lost an item", "a +p+q z", "a p z", []int{0, -1, 2}},
		{"a splice that got one in between", "+p+q", "p x q", []int{-1, -1, -1}},
		{"a splice moves", "+p+q a b c", "a b c p q", []int{1, 2, 3, 0, 0}},
		{"equal items", "a a b a", "a b a a", []int{0, 2, 1, 3}},
		{"from nothing", "", "a", []int{-1}},
	}
	for _, tt := range tests {
		got := alignTokens(tokensOf(tt.tokens), itemsIn(tt.want), false)
		if !slices.Equal(got.from, tt.from) {
			t.Errorf("%s: items come from %v, want %v", tt.about, got.from, tt.from)
		}
	}
}

// longest returns the length of a longest increasing subsequence by trying all.
func longest(seq []int) int {
	best := 0
	for mask := range 1 << len(seq) {
		last, n := -1, 0
		for i, v := range seq {
			if mask>>i&1 == 0 {
				continue
			}
			if v <= last {
				n = -1
				break
			}
			last, n = v, n+1
		}
		best = max(best, n)
	}
	return best
}

// moved returns the order of keys after some moves.
func moved(now []value.Key, moves []move) []value.Key {
	now = slices.Clone(now)
	for _, m := range moves {
		from := slices.Index(now, m.key)
		now = slices.Delete(now, from, from+1)
		to := 0
		if !m.first {
			to = slices.Index(now, m.after) + 1
		}
		now = slices.Insert(now, to, m.key)
	}
	return now
}

func TestMovesTo(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	for range 500 {
		n := r.Intn(9)
		var now, want []value.Key
		at := make([]int, n)
		for i, p := range r.Perm(n) {
			now = append(now, value.Index(i))
			want = append(want, value.Index(p))
			at[i] = p
		}
		moves := movesTo(now, want)
		if got := moved(now, moves); !slices.Equal(got, want) {
			t.Fatalf("%v by %v gives %v, want %v", now, moves, got, want)
		}
		if fewest := n - longest(at); len(moves) != fewest {
			t.Fatalf("%v to %v takes %d moves, want %d", now, want, len(moves), fewest)
		}
	}
}
