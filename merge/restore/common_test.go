package restore

import (
	"math/rand"
	"testing"

	"github.com/yaytpl/yaytpl/value"
)

func randomItems(r *rand.Rand, n, kinds int) []value.Value {
	items := make([]value.Value, n)
	for i := range items {
		items[i] = value.Int(int64(r.Intn(kinds)))
	}
	return items
}

// longestCommon returns the length of a longest common subsequence by its definition.
func longestCommon(a, b []value.Value) int {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	if eq, _ := value.Same(a[0], b[0]); eq {
		return 1 + longestCommon(a[1:], b[1:])
	}
	return max(longestCommon(a[1:], b), longestCommon(a, b[1:]))
}

// checkCommon checks that a match is a common subsequence, and returns its length.
func checkCommon(t *testing.T, a, b []value.Value, match []int) int {
	t.Helper()
	last, n := -1, 0
	for j, i := range match {
		if i < 0 {
			continue
		}
		if eq, err := value.Same(a[i], b[j]); !eq || err != nil || i <= last {
			t.Fatalf("%v is no common subsequence", match)
		}
		last, n = i, n+1
	}
	return n
}

func TestCommonIsLongest(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 500 {
		a, b := randomItems(r, r.Intn(9), 4), randomItems(r, r.Intn(9), 4)
		if n, want := checkCommon(t, a, b, Common(a, b)), longestCommon(a, b); n != want {
			t.Fatalf("%d in common, want %d", n, want)
		}
	}
}

// TestCommonOfLongLists compares lists that are too long for a table.
func TestCommonOfLongLists(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	a := make([]value.Value, 5000)
	for i := range a {
		a[i] = value.Int(int64(i))
	}
	b := append([]value.Value(nil), a...)
	for range 20 {
		i, j := r.Intn(len(b)), r.Intn(len(b))
		b[i], b[j] = b[j], b[i]
	}
	b[0], b[len(b)-1] = value.String("first"), value.String("last")
	if n := checkCommon(t, a, b, Common(a, b)); n < len(a)-50 {
		t.Errorf("%d in common of %d", n, len(a))
	}
}
