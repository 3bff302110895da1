package value

import (
	"bytes"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode"
)

// Text returns v as templates write it: Python's str(). Texts are written as they are,
// null is "None", truth values are "True" and "False", lists and maps are Python literals
// (spec: expressions, section 7). A number from a source keeps its spelling, here and in
// lists and maps: 1.10 is "1.10" (spec: everyday, A6).
func Text(v Value) (string, error) {
	if v.kind == StringKind {
		return v.Str(), nil
	}
	if v.kind == UndefinedKind {
		return "", v.Reason()
	}
	return Repr(v)
}

// Repr returns v as a Python literal: repr(). Numbers are written as by [Text].
func Repr(v Value) (string, error) {
	var b strings.Builder
	err := writeRepr(&b, v, 0)
	return b.String(), err
}

func writeRepr(b *strings.Builder, v Value, depth int) error {
	if depth > MaxNesting {
		return errTooDeep
	}
	if b.Len() > maxResult {
		return &LimitError{What: "text", Max: maxResult}
	}
	switch v.kind {
	case NullKind:
		b.WriteString("None")
	case BoolKind:
		if v.Bool() {
			b.WriteString("True")
		} else {
			b.WriteString("False")
		}
	case IntKind, FloatKind:
		b.WriteString(numberText(v))
	case StringKind:
		b.WriteString(quote(v.Str()))
	case ListKind:
		b.WriteByte('[')
		first := true
		for item, err := range Items(v.List()) {
			if err != nil {
				return err
			}
			if !first {
				b.WriteString(", ")
			}
			first = false
			if err := writeRepr(b, item, depth+1); err != nil {
				return err
			}
		}
		b.WriteByte(']')
	case MapKind:
		return writeMapRepr(b, v.Map(), depth)
	case FuncKind:
		fmt.Fprintf(b, "<function %s>", v.Func().Name)
	case UndefinedKind:
		return v.Reason()
	}
	return nil
}

func writeMapRepr(b *strings.Builder, m Map, depth int) error {
	b.WriteByte('{')
	first := true
	for k, name := range KeyValues(m) {
		v, ok, err := m.Get(k)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		if !first {
			b.WriteString(", ")
		}
		first = false
		if err := writeRepr(b, name, depth+1); err != nil {
			return err
		}
		b.WriteString(": ")
		if err := writeRepr(b, v, depth+1); err != nil {
			return err
		}
	}
	b.WriteByte('}')
	return nil
}

// numberText returns the spelling of a number from a source; a computed number is spelled
// as in Python.
func numberText(v Value) string {
	if s := v.Source(); s != nil && s.Spelling != "" {
		return s.Spelling
	}
	if v.kind == FloatKind {
		return pythonFloat(v.Float())
	}
	if i, ok := v.Int(); ok {
		return strconv.FormatInt(i, 10)
	}
	return v.BigInt().String()
}

func pythonFloat(f float64) string {
	switch s := FormatFloat(f); s {
	case ".inf":
		return "inf"
	case "-.inf":
		return "-inf"
	case ".nan":
		return "nan"
	default:
		return s
	}
}

// quote writes s as a Python string literal: in single quotes unless it holds a
// single quote and no double quote.
func quote(s string) string {
	if isPlainASCII(s) {
		return "'" + s + "'"
	}
	q := '\''
	if strings.ContainsRune(s, '\'') && !strings.ContainsRune(s, '"') {
		q = '"'
	}
	var b strings.Builder
	b.WriteRune(q)
	for _, r := range s {
		switch {
		case r == q || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r < 0x100:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	b.WriteRune(q)
	return b.String()
}

// isPlainASCII reports whether s has only printable ASCII characters that need no escape.
func isPlainASCII(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '\'' || c == '\\' {
			return false
		}
	}
	return true
}

// TextSteps returns the steps that the text of v costs beyond its length: the conversion of a
// long computed integer takes more than linear time. The items of lists do not count.
func TextSteps(v Value) int {
	b := v.bigRef()
	if s := v.Source(); b == nil || s != nil && s.Spelling != "" {
		return 0
	}
	const wordsPerStep = 250
	words := b.BitLen() / 64
	return words + words*words/wordsPerStep
}

// FormatFloat writes f in the shortest form that parses as the same float, always with a
// point or an exponent: 1.0, 1e+16.
func FormatFloat(f float64) string {
	var text [32]byte
	return string(AppendFloat(text[:0], f))
}

// AppendFloat appends the text of FormatFloat to b.
func AppendFloat(b []byte, f float64) []byte {
	switch {
	case math.IsInf(f, 1):
		return append(b, ".inf"...)
	case math.IsInf(f, -1):
		return append(b, "-.inf"...)
	case math.IsNaN(f):
		return append(b, ".nan"...)
	}
	format := byte('f')
	if a := math.Abs(f); a != 0 && (a < 1e-4 || a >= 1e16) {
		format = 'e'
	}
	start := len(b)
	b = strconv.AppendFloat(b, f, format, -1, 64)
	if bytes.IndexByte(b[start:], '.') >= 0 || bytes.IndexByte(b[start:], 'e') >= 0 {
		return b
	}
	return append(b, ".0"...)
}

// ParseInt returns the integer of any size that s spells in a base from 2 to 36, or in the
// base that a prefix of s names if base is 0. s may begin with a sign and has no underscores.
// The time grows with the square of the length, which callers bound.
func ParseInt(s string, base int) (Value, bool) {
	if i, err := strconv.ParseInt(s, base, 64); err == nil {
		return Int(i), true
	}
	b, ok := new(big.Int).SetString(s, base)
	if !ok {
		return Null, false
	}
	return BigInt(b), true
}

// CutBase cuts the prefix of an unsigned integer that names its base: 0x1F is 1F in base 16,
// 0o17 is 17 in base 8, and 0b1 is 1 in base 2. Other texts are in base 10.
func CutBase(s string) (digits string, base int) {
	if len(s) > 2 && s[0] == '0' {
		if base := BaseOf(s[1]); base != 0 {
			return s[2:], base
		}
	}
	return s, 10
}

// BaseOf returns the base that the letter of a prefix names: 16 for x, 8 for o and 2 for b;
// 0 for other characters, capital letters included.
func BaseOf(letter byte) int {
	switch letter {
	case 'x':
		return 16
	case 'o':
		return 8
	case 'b':
		return 2
	}
	return 0
}

// SpellsNumber reports whether a text is a decimal number in JSON and YAML: 12, -1.5 or 1e3, but
// neither nan nor 1_000.
func SpellsNumber(s string) bool {
	_, err := strconv.ParseFloat(s, 64)
	return err == nil && strings.Trim(s, "+-.eE0123456789") == ""
}

// parseFloat reads the text of a float key.
func parseFloat(s string) Value {
	f, err := strconv.ParseFloat(strings.Replace(strings.ToLower(s), ".inf", "inf", 1), 64)
	if err != nil {
		f = math.NaN()
	}
	return Float(f)
}
