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
	} {
		t.Run(tt.name, func(t *testing.T) {
			var a, b strings.Builder
			fingerprintScalar(&a, tt.a)
			fingerprintScalar(&b, tt.b)
			if got := a.String() == b.String(); got != tt.same {
				t.Errorf("%s and %s: same is %t, want %t", a.String(), b.String(), got, tt.same)
			}
		})
	}
}
