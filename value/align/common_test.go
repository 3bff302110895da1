package align

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func randomNumbers(r *rand.Rand, n, kinds int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = r.IntN(kinds)
	}
	return all
}

// checkCommon checks that a result of Common is a common subsequence, and returns its length.
func checkCommon(t *testing.T, a, b, from []int) int {
	t.Helper()
	last, n := -1, 0
	for j, i := range from {
		if i < 0 {
			continue
		}
		if a[i] != b[j] || i <= last {
			t.Fatalf("%v is no common subsequence of %v and %v", from, a, b)
		}
		last, n = i, n+1
	}
	return n
}

// lengthOfCommon returns the length of a longest common subsequence by the table of all beginnings.
func lengthOfCommon(a, b []int) int {
	row := make([]int, len(b)+1)
	for _, x := range a {
		before := 0
		for j, y := range b {
			above := row[j+1]
			if x == y {
				row[j+1] = before + 1
			} else {
				row[j+1] = max(above, row[j])
			}
			before = above
		}
	}
	return row[len(b)]
}

func TestCommonIsLongest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		kinds := 1 + r.IntN(8)
		a, b := randomNumbers(r, r.IntN(30), kinds), randomNumbers(r, r.IntN(30), kinds)
		if n, want := checkCommon(t, a, b, Common(a, b)), lengthOfCommon(a, b); n != want {
			t.Fatalf("%v, %v: %d in common, want %d", a, b, n, want)
		}
	}
}

// Long lists, by how many elements they have in common at least, and how many are visited at most for each of
// their elements.
func TestCommonOfLongLists(t *testing.T) {
	const n = 20_000
	r := rand.New(rand.NewPCG(3, 4))
	ordered := make([]int, n)
	for i := range ordered {
		ordered[i] = i
	}
	random := randomNumbers(r, n, 7)
	changed := func(a []int, edits int) []int {
		b := slices.Clone(a)
		for range edits {
			i, j := r.IntN(len(b)), r.IntN(len(b))
			b = slices.Insert(slices.Delete(b, i, i+1), j, a[i])
		}
		return b
	}
	tests := []struct {
		about          string
		a, b           []int
		common, visits int
	}{
		{"equal lists", ordered, ordered, n, 1},
		{"one inserted, one removed", ordered, slices.Concat([]int{0, -1}, ordered[1:n-2], ordered[n-1:]), n - 1, 1},
		{"other elements", ordered, randomNumbers(r, n, 1), 1, 1},
		{"a block moves to the end", ordered, slices.Concat(ordered[n/4:], ordered[:n/4]), n - n/4, 60},
		{"a block is inserted", random, slices.Concat(random[:n/2], randomNumbers(r, 100, 7), random[n/2:]), n, 60},
		{"backwards", ordered, slices.Collect(func(yield func(int) bool) {
			for i := n; i > 0 && yield(i-1); i-- {
			}
		}), 1, 60},
		{"in any order", ordered, r.Perm(n), 200, 120},
		{"few moves", ordered, changed(ordered, 20), n - 20, 60},
		{"many moves", ordered, changed(ordered, 2000), n - 2000, 60},
		{"few moves of seven kinds", random, changed(random, 100), n - 100, 60},
		{"many moves of seven kinds", random, changed(random, 2000), n * 3 / 4, 600},
		{"seven kinds", random, randomNumbers(r, n, 7), n / 2, 600},
		{"two kinds", randomNumbers(r, n, 2), randomNumbers(r, n, 2), n * 7 / 10, 600},
		{"a short list", random, randomNumbers(r, 30, 7), 29, 600},
	}
	for _, tt := range tests {
		var m matcher
		common := checkCommon(t, tt.a, tt.b, match(&m, tt.a, tt.b))
		if common < tt.common || m.steps > tt.visits*(len(tt.a)+len(tt.b)) {
			t.Errorf("%s: %d of at least %d in common, %d steps for each element, at most %d", tt.about,
				common, tt.common, m.steps/(len(tt.a)+len(tt.b)), tt.visits)
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

func TestRise(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 3))
	for range 500 {
		seq := r.Perm(r.IntN(10))
		in := Rise(seq)
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
