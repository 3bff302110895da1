package value

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A NumberFormat says how the digits of a number are written. The operator "%" and
// str.format of Python share it: "%+.1e" and "{:+.1e}" are both
// {Verb: 'e', Sign: '+', Precision: 1}.
type NumberFormat struct {
	Verb      byte   // one of b c d i u o x X e E f F g G n %; 0 is the shortest form
	Sign      byte   // '+' or ' ' before numbers that are not negative; else nothing
	Alt       bool   // writes 0b, 0o or 0x before integers of these bases
	Precision int    // digits after the point, or all digits of g; negative is the default
	MinDigits int    // of an integer, filled with zeros
	Group     string // goes between groups of digits; "" is nothing
}

const maxPrecision = 1000

// Digits writes v, which is a number or bool, in two parts: the sign with the prefix
// of the base, such as "-0x", and the digits.
func (f NumberFormat) Digits(v Value) (sign, digits string, err error) {
	n := AsNumber(v)
	integer, wanted := false, "a number"
	if f.Verb != 0 && strings.IndexByte("bcdiuoxX", f.Verb) >= 0 {
		integer, wanted = true, "an integer"
	}
	negative := math.Signbit(n.Float()) && !math.IsNaN(n.Float())
	switch {
	case !n.IsNumber() || integer && n.kind == FloatKind:
		return "", "", fmt.Errorf("the format %q wants %s, got %s", string(f.Verb), wanted, Article(v.kind))
	case integer || n.kind == IntKind && (f.Verb == 0 || f.Verb == 'n'):
		negative = n.BigInt().Sign() < 0
		digits, err = f.integer(n.BigInt())
	default:
		digits, err = f.float(math.Abs(n.Float()))
	}
	switch {
	case negative:
		sign = "-"
	case f.Sign == '+' || f.Sign == ' ':
		sign = string(rune(f.Sign))
	}
	if f.Alt && f.base() != 10 {
		sign += "0" + string(rune(f.Verb))
	}
	return sign, f.grouped(digits), err
}

// base returns the base of the digits.
func (f NumberFormat) base() int {
	switch f.Verb {
	case 'b':
		return 2
	case 'o':
		return 8
	case 'x', 'X':
		return 16
	}
	return 10
}

func (f NumberFormat) integer(i *big.Int) (string, error) {
	if f.Verb == 'c' {
		if !i.IsInt64() || i.Int64() < 0 || i.Int64() > utf8.MaxRune {
			return "", errors.New("the number is not that of a character")
		}
		return string(rune(i.Int64())), nil
	}
	digits := new(big.Int).Abs(i).Text(f.base())
	if f.Verb == 'X' {
		digits = strings.ToUpper(digits)
	}
	return strings.Repeat("0", max(f.MinDigits-len(digits), 0)) + digits, nil
}

func (f NumberFormat) float(x float64) (string, error) {
	if f.Precision > maxPrecision {
		return "", &LimitError{What: "precision", Max: maxPrecision, Unit: "digits"}
	}
	if f.Verb == 0 && f.Precision < 0 {
		return Text(Float(x))
	}
	verb, suffix, precision := f.Verb, "", f.Precision
	if precision < 0 {
		precision = 6
	}
	switch verb {
	case '%':
		x, suffix, verb = x*100, "%", 'f'
	case 0, 'n':
		verb = 'g'
	}
	s := strings.TrimPrefix(strings.ToLower(strconv.FormatFloat(x, verb|0x20, precision, 64)), "+")
	if f.Verb == 0 && !strings.ContainsAny(s, ".ein") {
		s += ".0"
	}
	if verb < 'a' {
		s = strings.ToUpper(s)
	}
	return s + suffix, nil
}

// grouped puts the separator between groups of digits before the point: of three, or
// in bases other than ten of four.
func (f NumberFormat) grouped(digits string) string {
	if f.Group == "" {
		return digits
	}
	n, size := len(digits), 4
	if f.base() == 10 {
		size = 3
		if i := strings.IndexAny(digits, ".eE%"); i >= 0 {
			n = i
		}
	}
	var b strings.Builder
	for i := range n {
		if i > 0 && (n-i)%size == 0 {
			b.WriteString(f.Group)
		}
		b.WriteByte(digits[i])
	}
	return b.String() + digits[n:]
}

// A Field is the space that a formatted value takes.
type Field struct {
	Width int    // in characters; a longer text is not cut
	Fill  string // one character
	Align byte   // '<' left, '>' right, '^' in the middle, '=' fills after the sign
}

// Missing returns how many characters a text is shorter than the field.
func (f Field) Missing(sign, text string) int {
	return max(f.Width-utf8.RuneCountInString(sign)-utf8.RuneCountInString(text), 0)
}

// Pad returns sign and text, which follow each other, filled up to the field.
func (f Field) Pad(sign, text string) string {
	n := f.Missing(sign, text)
	fill := func(n int) string { return strings.Repeat(f.Fill, n) }
	switch f.Align {
	case '<':
		return sign + text + fill(n)
	case '^':
		return fill(n/2) + sign + text + fill(n-n/2)
	case '=':
		return sign + fill(n) + text
	}
	return fill(n) + sign + text
}

// Clip returns the first n characters of a text; all of them if n is negative.
func Clip(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// CutNumber cuts the digits from the beginning of a format, as a width or precision.
// It returns none if there are no digits. A number that no text can have is an error.
func CutNumber(s string, none int) (n int, rest string, err error) {
	rest = strings.TrimLeft(s, "0123456789")
	if len(rest) == len(s) {
		return none, s, nil
	}
	if n, err = strconv.Atoi(s[:len(s)-len(rest)]); err != nil || n > maxResult {
		return 0, "", &LimitError{What: "text", Max: maxResult}
	}
	return n, rest, nil
}

// ClosingBracket returns the index of the bracket that closes the first opening one of
// s, or -1.
func ClosingBracket(s string, opening, closing byte) int {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case opening:
			depth++
		case closing:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}
