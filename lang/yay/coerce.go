package yay

import (
	"strconv"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

const wantNumber = "a number (integer or float)"

// asNumber returns v as an integer or a float: a truth value counts as 0 or 1, and a
// text that is spelled as a number as that number (spec: yay, section 4.2). The
// result has no marks.
func asNumber(v value.Value, at source.Span) (value.Value, error) {
	switch v.Kind() {
	case value.IntKind:
		return v, nil
	case value.FloatKind:
		return v, nil
	case value.BoolKind:
		return number(v), nil
	case value.StringKind:
		n, err := parseNumber(v.Str(), at)
		if err != nil || n.IsNumber() {
			return n, err
		}
	}
	return value.Null, wrongType(at, wantNumber, v)
}

// number returns a truth value as 0 or 1, and other values as they are.
func number(v value.Value) value.Value {
	if !v.Is(value.BoolKind) {
		return v
	}
	if v.Bool() {
		return value.Int(1)
	}
	return value.Int(0)
}

// asInteger is asNumber for operations that need an integer.
func asInteger(v value.Value, at source.Span) (value.Value, error) {
	switch v.Kind() {
	case value.IntKind:
		return v, nil
	case value.BoolKind:
		return number(v), nil
	case value.StringKind:
		n, err := parseNumber(v.Str(), at)
		if err != nil || n.Is(value.IntKind) {
			return n, err
		}
	}
	return value.Null, wrongType(at, "an integer", v)
}

// parseNumber reads a text that is spelled as plain numbers are (spec: yay, section
// 3). Of any other text it returns null.
func parseNumber(s string, at source.Span) (value.Value, error) {
	switch numberForm(s) {
	case intForm:
		if len(s) > maxDigits {
			return value.Null, source.Errorf(at, source.Limit, "an integer would have more than %d digits", maxDigits)
		}
		i, _ := parseInteger(s, 10)
		return i, nil
	case floatForm:
		f, _ := strconv.ParseFloat(s, 64) // out of range is infinite
		return value.Float(f), nil
	}
	return value.Null, nil
}

// truth returns whether a condition holds: of a scalar as Python has it, null is
// false (spec: yay, section 5.6). A list or mapping is a type error.
func truth(v value.Value, at source.Span) (bool, error) {
	if !v.IsScalar() {
		return false, wrongType(at, "a condition (a bool, a number or a string)", v)
	}
	return value.Truthy(v), nil
}

// holds is truth where lists and mappings are allowed: those that are not empty are
// true.
func holds(v value.Value, at source.Span) (bool, error) {
	switch v.Kind() {
	case value.ListKind:
		return v.List().Len() > 0, nil
	case value.MapKind:
		keys, err := value.KeysOf(v.Map())
		return len(keys) > 0, placed(err, at)
	}
	return truth(v, at)
}

// iterate returns what a loop over v runs over: the items of a list, or the keys of a
// mapping as texts, sorted (spec: yay, sections 5.7 and 12). Marks of v itself are not
// on the items.
func iterate(v value.Value, at source.Span) (value.List, error) {
	switch v.Kind() {
	case value.ListKind:
		return v.List(), nil
	case value.MapKind:
		return sortedKeys(v.Map(), at)
	}
	return nil, wrongType(at, "a list or a mapping", v).WithHint("%s", flowText(v))
}
