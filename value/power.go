package value

import "math"

// Powers and logarithms are rounded correctly: the result is the float that is nearest to the
// exact one, as C libraries return it in all but about one case in a thousand. Package math
// has errors of up to one unit in the last place, so that math.Pow(27, 1.0/3) is
// 2.9999999999999996. The work is done on pairs of floats, with about 100 bits.

// Log returns the natural logarithm of x, rounded correctly.
func Log(x float64) float64 {
	if !(x > 0) || math.IsInf(x, 0) || x == 1 {
		return math.Log(x)
	}
	l := logOf(x)
	return l.hi + l.lo
}

// Log10 returns the decimal logarithm of x as the C library of GNU computes it: for x = m * 2**k
// as k log 2 + log m / log 10, where log 2 has two parts. Powers of 10 are exact.
func Log10(x float64) float64 {
	if !(x > 0) || math.IsInf(x, 0) {
		return math.Log10(x)
	}
	m, k := math.Frexp(x)
	if m, k = 2*m, k-1; k < 0 {
		m, k = m/2, k+1
	}
	const high, low, scale = 3.01029995663611771306e-01, 3.69423907715893078616e-13, 4.34294481903251816668e-01
	z := float64(float64(k)*low) + float64(scale*Log(m))
	return z + float64(float64(k)*high)
}

// pow returns x**y, rounded correctly.
func pow(x, y float64) float64 {
	r := math.Pow(x, y) // has the sign, and the special cases of the standard
	switch {
	case r == 0 || r == 1 && (y == 0 || x == 1 || x == -1), r != r, math.IsInf(x, 0), math.IsInf(y, 0):
		return r
	}
	l := logOf(math.Abs(x)).times(pair{hi: y})
	if math.IsInf(l.hi, 0) || l.hi != l.hi || math.Abs(l.hi) > 800 {
		return r // overflow
	}
	e, scale := expOf(l)
	return math.Copysign(math.Ldexp(e.rounded(), scale), r)
}

// A pair is the unrounded sum of two floats; lo is at most half a unit in the last place of hi.
type pair struct{ hi, lo float64 }

var (
	ln2      = pair{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56}
	ln2Third = 0x1.7b57a079a1934p-111 // ln 2 - ln2.hi - ln2.lo
)

// twoSum returns the exact sum of two floats.
func twoSum(a, b float64) pair {
	s := a + b
	t := s - a
	return pair{s, (a - (s - t)) + (b - t)}
}

// twoProduct returns the exact product of two floats.
func twoProduct(a, b float64) pair {
	p := a * b
	return pair{p, math.FMA(a, b, -p)}
}

func (a pair) plus(b pair) pair {
	s, t := twoSum(a.hi, b.hi), twoSum(a.lo, b.lo)
	s = twoSum(s.hi, s.lo+t.hi)
	return twoSum(s.hi, s.lo+t.lo)
}

func (a pair) times(b pair) pair {
	p := twoProduct(a.hi, b.hi)
	cross := math.FMA(a.hi, b.lo, float64(a.lo*b.hi))
	return twoSum(p.hi, p.lo+cross)
}

func (a pair) over(b pair) pair {
	q := a.hi / b.hi
	rest := a.plus(b.times(pair{hi: -q}))
	q2 := rest.hi / b.hi
	rest = rest.plus(b.times(pair{hi: -q2}))
	return twoSum(q, q2).plus(pair{hi: rest.hi / b.hi})
}

// scaled returns a * f for a power of two f, exact where nothing under- or overflows.
func (a pair) scaled(f float64) pair { return pair{a.hi * f, a.lo * f} }

// rounded returns the float nearest to a. A power such as 465.0**6 may be halfway between
// two floats; then the result is the even one.
func (a pair) rounded() float64 {
	next := math.Nextafter(a.hi, math.Copysign(math.Inf(1), a.lo))
	if middle := math.Abs(next-a.hi) / 2; math.Abs(math.Abs(a.lo)-middle) > middle*0x1p-36 {
		return a.hi + a.lo
	}
	if math.Float64bits(a.hi)&1 == 0 {
		return a.hi
	}
	return next
}

// logOf returns the logarithm of a positive finite number: for x = m * 2**k with m near 1 it
// is k ln 2 + log m, and with s = (m-1)/(m+1) log m is 2 (s + s**3/3 + s**5/5 ...). Where m is
// not close to 1, a first guess g makes it so: log m = g + log(m e**-g).
func logOf(x float64) pair {
	m, k := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, k = 2*m, k-1
	}
	l, near := pair{}, pair{hi: m}
	if math.Abs(m-1) > 0x1p-6 {
		g := math.Log(m)
		e, scale := expOf(pair{hi: -g})
		near = e.scaled(math.Ldexp(1, scale)).times(near)
		l.hi = g
	}
	s := near.plus(pair{hi: -1}).over(near.plus(pair{hi: 1}))
	square := s.times(s)
	series := pair{}
	for n := 17; n > 0; n -= 2 {
		series = series.times(square).plus(pair{hi: 1}.over(pair{hi: float64(n)}))
	}
	l = l.plus(series.times(s).scaled(2))
	if k == 0 {
		return l
	}
	return ln2.times(pair{hi: float64(k)}).plus(l)
}

// expOf returns the exponential of t as e * 2**scale, with e near 1. The series computes
// e**r - 1 for a small r, which is then doubled: e**2r - 1 = 2 (e**r - 1) + (e**r - 1)**2.
func expOf(t pair) (e pair, scale int) {
	k := math.Round(t.hi / ln2.hi)
	r := t.plus(twoProduct(-k, ln2.hi)).plus(twoProduct(-k, ln2.lo)).plus(pair{hi: -k * ln2Third})
	const doublings = 8
	r = r.scaled(1.0 / (1 << doublings))
	series := pair{}
	for n := 9; n > 0; n-- {
		series = series.plus(pair{hi: 1}).times(r).over(pair{hi: float64(n)})
	}
	for range doublings {
		series = series.scaled(2).plus(series.times(series))
	}
	return series.plus(pair{hi: 1}), int(k)
}
