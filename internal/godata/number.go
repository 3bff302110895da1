package godata

import (
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/value"
)

// Number returns the number that v is, or is the text of; null if it is none.
func Number(v value.Value) value.Value {
	switch v.Kind() {
	case value.IntKind, value.FloatKind:
		return v
	case value.BoolKind:
		if v.Bool() {
			return value.Int(1)
		}
		return value.Int(0)
	case value.StringKind:
		return parseNumber(v.Str())
	}
	return value.Null
}

// parseNumber reads an integer or a decimal number (spec: yay, section 3); null for
// other text.
func parseNumber(s string) value.Value {
	digits := strings.TrimLeft(s, "+-")
	if len(s)-len(digits) > 1 || strings.Trim(s, "+-.eE0123456789") != "" {
		return value.Null
	}
	if strings.Trim(digits, "0123456789") == "" {
		return value.ParseBigInt(strings.TrimPrefix(s, "+"))
	}
	if f, err := strconv.ParseFloat(s, 64); err == nil {
		return value.Float(f)
	}
	return value.Null
}
