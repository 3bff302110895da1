package restore

import (
	"math"
	"math/big"
	"math/rand"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/value"
)

func mapOf(pairs ...any) value.Value {
	m := value.NewMap(len(pairs) / 2)
	for i := 0; i < len(pairs); i += 2 {
		m.Set(pairs[i].(value.Key), pairs[i+1].(value.Value))
	}
	return value.FromMap(m)
}

func randomValue(r *rand.Rand, depth int) value.Value {
	scalars := []value.Value{
		value.Null, value.Bool(true), value.Int(1), value.Float(1), value.String("1"), value.String(""), value.Float(math.NaN()),
		value.BigInt(new(big.Int).Lsh(big.NewInt(1), 70)), value.String("a,b"), value.String("[1]"),
		value.String("x").WithSource(value.Scalar{Tag: "!T"}),
	}
	switch n := r.Intn(4); {
	case n == 0 && depth > 0:
		return value.ListOf(randomValue(r, depth-1), randomValue(r, depth-1))
	case n == 1 && depth > 0:
		keys := []value.Key{value.K("1"), value.Index(1), value.K("a")}
		r.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
		return mapOf(keys[0], randomValue(r, depth-1), keys[1], randomValue(r, depth-1))
	}
	return scalars[r.Intn(len(scalars))]
}

// TestFingerprint checks that two values have one fingerprint if and only if they are the
// same.
func TestFingerprint(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	equal := 0
	for range 20000 {
		a, b := randomValue(r, 2), randomValue(r, 2)
		eq, err := value.Same(a, b)
		if err != nil {
			t.Fatal(err)
		}
		texts := fingerprints([]value.Value{a, b})
		if eq != (texts[0] == texts[1]) {
			t.Fatalf("same %v, fingerprints %q and %q", eq, texts[0], texts[1])
		}
		if eq {
			equal++
		}
	}
	if equal < 100 {
		t.Errorf("only %d pairs are the same", equal)
	}
}

func TestFingerprintHasLengths(t *testing.T) {
	var a, b strings.Builder
	fingerprint(&a, value.ListOf(value.String("a"), value.String("b")))
	fingerprint(&b, value.ListOf(value.String(`a", string 3 "b`)))
	if a.String() == b.String() {
		t.Errorf("two lists have the fingerprint %q", a.String())
	}
}
