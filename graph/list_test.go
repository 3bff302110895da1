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
