package yay

import (
	"math"
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// typedScalar returns the value of a plain text: an integer or a float in decimal, or
// the text (spec: yay, section 3). Numbers keep their spelling.
func typedScalar(text string, at source.Span) (value.Value, error) {
	switch numberForm(text) {
	case intForm:
		if len(text) > maxDigits {
			return value.Null, source.Errorf(at, source.Limit, "integer has more than %d digits", maxDigits).
				WithHint("quote it if it is a text")
		}
		if v, ok := parseInteger(text, 10); ok {
			return spelled(v, text), nil
		}
	case floatForm:
		if f, err := strconv.ParseFloat(text, 64); err == nil {
			return spelled(value.Float(f), text), nil
		}
	}
	return value.String(text), nil
}

func spelled(v value.Value, text string) value.Value {
	return v.WithSource(value.Scalar{Spelling: text, Foreign: startsWithZero(text)})
}

// startsWithZero reports whether a number has zeros in front, which make it octal to
// most readers of YAML.
func startsWithZero(text string) bool {
	digits := strings.TrimLeft(text, "+-")
	return len(digits) > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9'
}

type form uint8

const (
	noForm form = iota
	intForm
	floatForm
)

// numberForm returns what kind of decimal number a text is.
func numberForm(text string) form {
	i := 0
	if text != "" && (text[0] == '+' || text[0] == '-') {
		i = 1
	}
	whole := countDigits(text[i:])
	i += whole
	if whole > 0 && i == len(text) {
		return intForm
	}
	fraction := 0
	if i < len(text) && text[i] == '.' {
		fraction = countDigits(text[i+1:])
		i += 1 + fraction
	}
	if whole+fraction == 0 {
		return noForm
	}
	if i < len(text) && text[i]|0x20 == 'e' {
		i++
		if i < len(text) && (text[i] == '+' || text[i] == '-') {
			i++
		}
		n := countDigits(text[i:])
		if n == 0 {
			return noForm
		}
		i += n
	}
	if i < len(text) {
		return noForm
	}
	return floatForm
}

// countDigits returns how many digits a text begins with.
func countDigits(s string) int {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n
}

// yamlScalar returns the value that YAML 1.2 gives a plain text, with binary integers
// as well.
func yamlScalar(text string, at source.Span) (value.Value, error) {
	switch text {
	case "null", "Null", "NULL", "~":
		return spelled(value.Null, text), nil
	case "true", "True", "TRUE":
		return spelled(value.True, text), nil
	case "false", "False", "FALSE":
		return spelled(value.False, text), nil
	}
	if v, ok := prefixedInteger(text); ok {
		return spelled(v, text), nil
	}
	if f, ok := specialFloat(text); ok {
		return spelled(value.Float(f), text), nil
	}
	return typedScalar(text, at)
}

func prefixedInteger(text string) (value.Value, bool) {
	if len(text) < 3 || text[0] != '0' || len(text) > maxDigits || text[2] == '-' || text[2] == '+' {
		return value.Null, false
	}
	switch text[1] {
	case 'x':
		return parseInteger(text[2:], 16)
	case 'o':
		return parseInteger(text[2:], 8)
	case 'b':
		return parseInteger(text[2:], 2)
	}
	return value.Null, false
}

// specialFloat reads ".inf" and ".nan", each in three spellings, and a sign before
// the former.
func specialFloat(text string) (float64, bool) {
	unsigned := strings.TrimLeft(text, "+-")
	if len(text)-len(unsigned) > 1 {
		return 0, false
	}
	switch unsigned {
	case ".inf", ".Inf", ".INF":
		if text[0] == '-' {
			return math.Inf(-1), true
		}
		return math.Inf(1), true
	case ".nan", ".NaN", ".NAN":
		return math.NaN(), unsigned == text
	}
	return 0, false
}
