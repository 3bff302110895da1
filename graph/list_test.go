package graph

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/value"
)

// Equal scalars, and no others, have the same fingerprint.
func TestFingerprint(t *testing.T) {
	huge, _ := new(big.Int).SetString("10000000000000000000", 10)
	long := strings.Repeat("x", 1<<20)
	for _, tt := range []struct {
		name string
		a, b value.Value
		same bool
	}{
		{"whole float", value.Int(1), value.Float(1), true},
		{"negative zero", value.Int(0), value.Float(math.Copysign(0, -1)), true},
		{"beyond 64 bits", value.BigInt(huge), value.Float(1e19), true},
		{"first beyond 64 bits", value.Int(math.MaxInt64), value.Float(1 << 63), false},
		{"fraction", value.Int(0), value.Float(0.5), false},
		{"infinite", value.Float(math.Inf(1)), value.Float(math.Inf(-1)), false},
		{"text", value.Int(1), value.String("1"), false},
		{"truth", value.Int(1), value.True, false},
		{"long text", value.String(long), value.String(long[:1] + long[1:]), true},
		{"other long text", value.String(long), value.String(long[1:] + "y"), false},
		{"hash of a long text", value.String(long), value.String(hashed(long)), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var a, b strings.Builder
			fingerprintScalar(&a, tt.a)
			fingerprintScalar(&b, tt.b)
			if n := max(a.Len(), b.Len()); n > 3*maxFingerprint {
				t.Errorf("a fingerprint has %d bytes", n)
			}
			if got := a.String() == b.String(); got != tt.same {
				t.Errorf("%s and %s: same is %t, want %t", a.String(), b.String(), got, tt.same)
			}
		})
	}
}

// A merge goes on where the one before it has made the older list, and nowhere else.
func TestListMergeGoesOn(t *testing.T) {
	items := make([]item, 3)
	for _, tt := range []struct {
		name   string
		m      *listMerge // the merge before, of items
		older  []item
		policy ListPolicy
		same   bool
	}{
		{"the list that it has made", &listMerge{out: items}, items, ListPolicy{}, true},
		{"no merge before", nil, items, ListPolicy{}, false},
		{"an equal list", &listMerge{out: items}, make([]item, 3), ListPolicy{}, false},
		{"a part of it", &listMerge{out: items}, items[:2], ListPolicy{}, false},
		{"an empty list", &listMerge{}, nil, ListPolicy{}, false},
		{"another policy", &listMerge{out: items}, items, ListPolicy{Kind: AppendPolicy}, false},
		{"items by a field", &listMerge{out: items, policy: ListPolicy{ByField, "n"}}, items, ListPolicy{ByField, "n"}, false},
		{"after an item was removed", &listMerge{out: items, removed: true}, items, ListPolicy{}, false},
	} {
		j := join{lists: tt.m}
		got := j.listMerge(tt.older, tt.policy)
		if (got == tt.m) != tt.same || got.older != len(tt.older) || len(got.out) != len(tt.older) {
			t.Errorf("%s: goes on is %t, want %t; %d older items, %d in the result", tt.name, got == tt.m, tt.same, got.older, len(got.out))
		}
		if got != tt.m && len(got.out) > 0 && &got.out[0] == &tt.older[0] {
			t.Errorf("%s: the merge changes the items of another list", tt.name)
		}
	}
}
