package value

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// FormatFloat writes f in the shortest form that reads back as the same float:
// always with a point or an exponent, so that it stays a float.
func FormatFloat(f float64) string {
	switch {
	case math.IsInf(f, 1):
		return ".inf"
	case math.IsInf(f, -1):
		return "-.inf"
	case math.IsNaN(f):
		return ".nan"
	}
	format := byte('f')
	if a := math.Abs(f); a != 0 && (a < 1e-4 || a >= 1e16) {
		format = 'e'
	}
	s := strconv.FormatFloat(f, format, -1, 64)
	for i := range len(s) {
		if s[i] == '.' || s[i] == 'e' {
			return s
		}
	}
	return s + ".0"
}

// ParseBigInt reads a decimal integer of any size. Text that is none gives null.
func ParseBigInt(s string) Value {
	b, ok := new(big.Int).SetString(s, 10)
	if !ok {
		return Null
	}
	return BigInt(b)
}

// parseInt reads the text of an integer key.
func parseInt(s string) Value {
	if i, err := strconv.ParseInt(s, 10, 64); err == nil {
		return Int(i)
	}
	return ParseBigInt(s)
}

// parseFloat reads the text of a float key.
func parseFloat(s string) Value {
	f, err := strconv.ParseFloat(strings.Replace(strings.ToLower(s), ".inf", "inf", 1), 64)
	if err != nil {
		f = math.NaN()
	}
	return Float(f)
}
