package types

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/internal/lazy"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Convert makes a value of type t of v, as Hiera's convert_to does, with the arguments that
// the type got there:
//
//	Integer: "0x1F" -> 31    Boolean: "yes" -> true    Array: "ab" -> [a, b], {a: 1} -> [[a, 1]]
//	String: 1.5 -> "1.500000", [1, "a"] -> "[1, 'a']"  Array, true: "ab" -> ["ab"]
//
// Errors: an [*Error] with Unknown for a type that nothing is converted to, [*Mismatch] if the
// result is no value of t, the error of step, else the reason.
//
// Source: spec bindings, section 10.3; Puppet's function new.
func Convert(t *Type, v value.Value, args []value.Value, step Step) (value.Value, error) {
	out, err := convert(t, v, args)
	if err != nil {
		return value.Null, err
	}
	marks, err := value.DeepMarks(v)
	if err != nil {
		return value.Null, err
	}
	out = out.Mark(marks)
	if t.Kind == Sensitive {
		return out.Mark(value.Sensitive), nil
	}
	if err := Check(t, out, step); err != nil {
		return value.Null, err
	}
	return out, nil
}

func convert(t *Type, v value.Value, args []value.Value) (value.Value, error) {
	most := 0
	if t.Kind == Integer || t.Kind == Array {
		most = 1
	}
	if len(args) > most {
		return value.Null, fmt.Errorf("%s takes %d arguments, not %d", t.Kind, most, len(args))
	}
	switch t.Kind {
	case Integer:
		return toInteger(v, args)
	case Float:
		n, err := toNumber(t, v)
		return value.Float(n.Float()), err
	case Number:
		return toNumber(t, v)
	case Boolean:
		return toBoolean(v)
	case String, Enum:
		return toText(v)
	case Pattern:
		if t.Match != nil {
			return toText(v)
		}
	case Array:
		return toArray(v, args)
	case Hash:
		return toHash(v)
	case Sensitive:
		return v, nil
	case Optional:
		if v.IsNull() {
			return v, nil
		}
		return convert(t.Args[0], v, args)
	}
	return value.Null, &Error{Unknown: true, Message: fmt.Sprintf("nothing is converted to the type %s", t)}
}

// cannot returns the error that v is not converted.
func cannot(v value.Value, to string) error {
	if v.Is(value.StringKind) {
		if v.Marks() != 0 {
			return fmt.Errorf("the text cannot be converted to %s", to)
		}
		return fmt.Errorf("the text %q cannot be converted to %s", value.Clip(v.Str(), 40), to)
	}
	return fmt.Errorf("%s cannot be converted to %s", value.Article(v.Kind()), to)
}

// integerText is the spelling of integers: a sign, blanks, a prefix of the base.
var integerText = lazy.Regexp{Text: `^\s*([+-]?)\s*(0[xX][0-9A-Fa-f]+|0[bB][01]+|0[0-7]*|[1-9][0-9]*)$`}

func toInteger(v value.Value, args []value.Value) (value.Value, error) {
	base := 0
	if len(args) == 1 && !args[0].IsNull() {
		n, ok := args[0].Int()
		if !ok || n != 2 && n != 8 && n != 10 && n != 16 {
			return value.Null, fmt.Errorf("the base of an Integer is 2, 8, 10 or 16")
		}
		base = int(n)
	}
	switch v.Kind() {
	case value.IntKind:
		return v, nil
	case value.BoolKind:
		return value.AsNumber(v), nil
	case value.FloatKind:
		f := math.Trunc(v.Float())
		if math.IsInf(f, 0) || math.IsNaN(f) {
			return value.Null, cannot(v, "Integer")
		}
		n, _ := new(big.Float).SetFloat64(f).Int(nil)
		return value.BigInt(n), nil
	case value.StringKind:
		if n, ok := integerOf(v.Str(), base); ok {
			return n, nil
		}
	}
	return value.Null, cannot(v, "Integer")
}

// integerOf reads an integer. A base of 0 is the one of its prefix: 0x, 0b or 0. With another
// base the digits may have no prefix but the base's.
func integerOf(text string, base int) (value.Value, bool) {
	if base != 0 {
		text = strings.TrimLeft(text, " \t\r\n")
		sign := ""
		if strings.HasPrefix(text, "-") || strings.HasPrefix(text, "+") {
			sign, text = text[:1], strings.TrimLeft(text[1:], " \t")
		}
		digits, prefix := value.CutBase(text)
		if prefix != 0 && prefix == base {
			text = digits
		}
		if strings.HasPrefix(text, "-") || strings.HasPrefix(text, "+") {
			return value.Null, false
		}
		return value.ParseInt(strings.TrimPrefix(sign, "+")+text, base)
	}
	m := integerText.Get().FindStringSubmatch(text)
	if m == nil {
		return value.Null, false
	}
	digits, base := value.CutBase(strings.ToLower(m[2]))
	if base == 10 && len(digits) > 1 && digits[0] == '0' {
		digits, base = digits[1:], 8
	}
	return value.ParseInt(strings.TrimPrefix(m[1], "+")+digits, base)
}

// floatText is the spelling of numbers with a fraction or an exponent.
var floatText = lazy.Regexp{Text: `^\s*[+-]?\s*[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?$`}

func toNumber(t *Type, v value.Value) (value.Value, error) {
	switch v.Kind() {
	case value.IntKind, value.FloatKind:
		return v, nil
	case value.BoolKind:
		return value.AsNumber(v), nil
	case value.StringKind:
		if n, ok := integerOf(v.Str(), 0); ok {
			return n, nil
		}
		if floatText.Get().MatchString(v.Str()) {
			f, err := strconv.ParseFloat(strings.Join(strings.Fields(v.Str()), ""), 64)
			if err == nil {
				return value.Float(f), nil
			}
		}
	}
	return value.Null, cannot(v, t.Kind.String())
}

func toBoolean(v value.Value) (value.Value, error) {
	switch v.Kind() {
	case value.BoolKind:
		return v, nil
	case value.IntKind, value.FloatKind:
		return value.Bool(v.Float() != 0), nil
	case value.StringKind:
		switch strings.ToLower(v.Str()) {
		case "true", "yes", "y":
			return value.True, nil
		case "false", "no", "n":
			return value.False, nil
		}
	}
	return value.Null, cannot(v, "Boolean")
}

// toText writes a value as text. Floats have six digits; inside of lists and maps they are
// written in full.
func toText(v value.Value) (value.Value, error) {
	switch v.Kind() {
	case value.StringKind:
		return v.WithoutSource(), nil
	case value.NullKind:
		return value.String(""), nil
	case value.BoolKind:
		return value.String(strconv.FormatBool(v.Bool())), nil
	case value.FloatKind:
		return value.String(strconv.FormatFloat(v.Float(), 'f', 6, 64)), nil
	case value.ListKind, value.MapKind:
		var b strings.Builder
		w := TextWriter{Quoted: true, Write: func(text string) error { b.WriteString(text); return nil }}
		err := w.Value(v, 0)
		return value.String(b.String()), err
	case value.IntKind:
		return value.String(v.BigInt().String()), nil
	}
	text, err := value.Text(v)
	return value.String(text), err
}

// A TextWriter writes values as in a source: [1, [a, b]], {x => 1}.
type TextWriter struct {
	Quoted bool                    // as Puppet's format %p writes them: [1, ['a', undef]]
	Write  func(text string) error // writes a part of the text
}

// Value writes a value that is nested so many levels deep.
func (w *TextWriter) Value(v value.Value, depth int) error {
	if depth > value.MaxNesting {
		return source.Errorf(source.Span{}, source.Limit, "the value is nested more than %d deep", value.MaxNesting)
	}
	switch v.Kind() {
	case value.BoolKind:
		return w.Write(strconv.FormatBool(v.Bool()))
	case value.ListKind:
		before := "["
		for item, err := range value.Items(v.List()) {
			if err == nil {
				err = w.part(before, item, depth)
			}
			if err != nil {
				return err
			}
			before = ", "
		}
		return w.Write(strings.TrimPrefix(before, ", ") + "]") // "[]" without items
	case value.MapKind:
		before := "{"
		for k, key := range value.KeyValues(v.Map()) {
			item, _, err := v.Map().Get(k)
			if err == nil {
				err = w.part(before, key, depth)
			}
			if err == nil {
				err = w.part(" => ", item, depth)
			}
			if err != nil {
				return err
			}
			before = ", "
		}
		return w.Write(strings.TrimPrefix(before, ", ") + "}")
	}
	text, err := value.Text(v)
	switch {
	case v.IsNull() && w.Quoted:
		text = "undef"
	case v.IsNull():
		return nil
	case w.Quoted && v.Is(value.StringKind):
		text = "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(text) + "'"
	}
	if err != nil {
		return err
	}
	return w.Write(text)
}

// part writes an item, a key or a value of an entry, after the text between it and the part before.
func (w *TextWriter) part(before string, v value.Value, depth int) error {
	if err := w.Write(before); err != nil {
		return err
	}
	return w.Value(v, depth+1)
}

func toArray(v value.Value, args []value.Value) (value.Value, error) {
	if len(args) == 1 && !args[0].Is(value.BoolKind) {
		return value.Null, fmt.Errorf("the argument of Array is a boolean: true wraps what is no array")
	}
	if v.Is(value.ListKind) {
		return v, nil
	}
	if len(args) == 1 && args[0].Bool() {
		return value.ListOf(v), nil
	}
	switch v.Kind() {
	case value.StringKind:
		var out []value.Value
		for _, c := range v.Str() {
			out = append(out, value.String(string(c)))
		}
		return value.ListOf(out...), nil
	case value.MapKind:
		var out []value.Value
		for k, at := range value.KeyValues(v.Map()) {
			item, _, err := v.Map().Get(k)
			if err != nil {
				return value.Null, err
			}
			out = append(out, value.ListOf(at, item))
		}
		return value.ListOf(out...), nil
	}
	return value.Null, cannot(v, "Array")
}

// toHash makes a map of pairs [key, value], or of a list of keys and values in turn.
func toHash(v value.Value) (value.Value, error) {
	if v.Is(value.MapKind) {
		return v, nil
	}
	if !v.Is(value.ListKind) {
		return value.Null, cannot(v, "Hash")
	}
	items, err := value.ItemsOf(v.List())
	if err != nil {
		return value.Null, err
	}
	pairs := len(items) > 0
	for _, item := range items {
		pairs = pairs && item.Is(value.ListKind) && item.List().Len() == 2
	}
	var flat []value.Value
	for _, item := range items {
		if !pairs {
			flat = append(flat, item)
			continue
		}
		two, err := value.ItemsOf(item.List())
		if err != nil {
			return value.Null, err
		}
		flat = append(flat, two...)
	}
	if len(flat)%2 != 0 {
		return value.Null, fmt.Errorf("a list with an odd number of items cannot be converted to Hash")
	}
	out := value.NewMap(len(flat) / 2)
	for i := 0; i < len(flat); i += 2 {
		k, err := value.KeyFor(flat[i])
		if err != nil {
			return value.Null, err
		}
		out.Set(k, flat[i+1])
	}
	return value.FromMap(out), nil
}
