package restore

import (
	"math/rand"
	"slices"
	"testing"

	"github.com/yaytpl/yaytpl/value"
)

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

func TestLongestRise(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 500 {
		seq := r.Perm(r.Intn(10))
		in := longestRise(seq)
		last, n := -1, 0
		for i, v := range seq {
			if !in[i] {
				continue
			}
			if v <= last {
				t.Fatalf("%v: %v does not rise", seq, in)
			}
			last, n = v, n+1
		}
		if want := longest(seq); n != want {
			t.Fatalf("%v: %d stay, want %d", seq, n, want)
		}
	}
}

// moved makes moves in an order of keys.
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
