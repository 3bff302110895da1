package value

import (
	"math"
	"math/big"
	"testing"
)

func TestPowersAreRoundedCorrectly(t *testing.T) {
	for _, c := range []struct{ x, y, want float64 }{
		{27, 1.0 / 3, 3}, {8, 1.0 / 3, 2}, {1.1, 10, 2.5937424601000023}, {1000, 1.0 / 3, 10 - 0x1p-49}, {2, 0.5, math.Sqrt2},
		{2, -1074, 0x1p-1074}, {2, 1023, 0x1p1023}, {10, 22, 1e22}, {10, -5, 1e-5}, {465, 6, 10109221616390624}, {0.1, 2, 0.010000000000000002},
		{-2, 3, -8}, {-2, 4, 16}, {-1.5, -3, -0.2962962962962963}, {1 + 0x1p-52, 1e15, 1.2486270715390861}, {7.5, 3.3, 772.1508772559141},
		{5e-324, 0.5, 0x1p-537}, {math.MaxFloat64, 1, math.MaxFloat64}, {0, 3, 0}, {1, math.NaN(), 1}, {math.Inf(1), -1, 0}, {-1, math.Inf(1), 1},
		{2, 1024, math.Inf(1)}, {3, -1000, 0},
	} {
		if got := pow(c.x, c.y); got != c.want {
			t.Errorf("%v ** %v = %v, want %v", c.x, c.y, got, c.want)
		}
	}
	for x := 3.0; x < 400; x++ {
		for n := range 40 {
			exact := new(big.Int).Exp(big.NewInt(int64(x)), big.NewInt(int64(n)), nil)
			want, _ := new(big.Float).SetInt(exact).Float64()
			if got := pow(x, float64(n)); got != want {
				t.Fatalf("%v ** %v = %v, want %v", x, n, got, want)
			}
		}
	}
}

func TestLogarithms(t *testing.T) {
	for _, c := range []struct{ x, log float64 }{
		{1, 0}, {2, math.Ln2}, {math.E, 1}, {10, math.Ln10}, {1 + 0x1p-52, 0x1p-52 - 0x1p-105}, {0.99, -0.01005033585350145},
		{5e-324, -744.4400719213812}, {math.MaxFloat64, 709.782712893384}, {1e100, 230.25850929940458}, {0, math.Inf(-1)}, {math.Inf(1), math.Inf(1)},
	} {
		if got := Log(c.x); got != c.log {
			t.Errorf("log %v = %v, want %v", c.x, got, c.log)
		}
	}
	for n := -300; n <= 300; n++ {
		x, _ := new(big.Float).SetString("1e" + big.NewInt(int64(n)).String())
		f, _ := x.Float64()
		if got := Log10(f); got != float64(n) && math.Abs(got/float64(n)-1) > 0x1p-52 {
			t.Errorf("log10 1e%d = %v", n, got)
		}
	}
	if Log10(1000) != 3 || Log10(0.001) != -3 || !math.IsNaN(Log10(-1)) {
		t.Error("log10 of 1000, 0.001 or -1")
	}
}
