package align

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/yaytpl/yaytpl/value"
)

func randomValue(r *rand.Rand, depth int) value.Value {
	scalars := []value.Value{
		value.Null, value.Bool(true), value.Int(1), value.Float(1), value.String("1"), value.String(""), value.Float(math.NaN()),
		value.BigInt(new(big.Int).Lsh(big.NewInt(1), 70)), value.String("a,b"), value.String("[1]"),
		value.String("x").WithSource(value.Scalar{Tag: "!T"}),
	}
	switch n := r.IntN(4); {
	case n == 0 && depth > 0:
		return value.ListOf(randomValue(r, depth-1), randomValue(r, depth-1))
	case n == 1 && depth > 0:
		keys := []value.Key{value.K("1"), value.Index(1), value.K("a")}
		r.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
		m := value.NewMap(2)
		m.Set(keys[0], randomValue(r, depth-1))
		m.Set(keys[1], randomValue(r, depth-1))
		return value.FromMap(m)
	}
	return scalars[r.IntN(len(scalars))]
}

// Two values have one key if and only if they are the same.
func TestKeys(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	equal := 0
	for range 20000 {
		a, b := randomValue(r, 2), randomValue(r, 2)
		eq, err := value.Same(a, b)
		if err != nil {
			t.Fatal(err)
		}
		keys := Keys([]value.Value{a, b}, nil)
		if eq != (keys[0] == keys[1]) {
			t.Fatalf("same %v, keys %d and %d of %v and %v", eq, keys[0], keys[1], a, b)
		}
		if eq {
			equal++
		}
	}
	if equal < 100 {
		t.Errorf("only %d pairs are the same", equal)
	}
}
