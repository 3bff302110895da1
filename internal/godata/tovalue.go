package godata

import (
	"cmp"
	"encoding"
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// ToValue converts Go data to a plain value. The keys of Go maps are sorted.
//
// Code: usage for data that a configuration cannot represent: channels and functions, text that
// is not UTF-8, two keys with one text, data that contains itself.
func ToValue(data any) (value.Value, error) {
	if v, ok := data.(value.Value); ok {
		return value.Plain(v)
	}
	return valueOf(reflect.ValueOf(data), "", 0)
}

// TypeName returns the name of the type of Go data, for messages.
func TypeName(data any) string {
	if data == nil {
		return "nil"
	}
	return reflect.TypeOf(data).String()
}

// maxDepth is the limit of nesting. Data that contains itself exceeds it.
const maxDepth = 1000

// valueOf converts the Go data at a path, which is only used in messages: ".a[0].b".
func valueOf(v reflect.Value, path string, depth int) (value.Value, error) {
	if depth > maxDepth {
		return value.Null, unfit(path, fmt.Sprintf("it is nested more than %d levels deep, or contains itself", maxDepth))
	}
	if !v.IsValid() {
		return value.Null, nil
	}
	if s := ScalarOf(v.Type()); s != NotScalar {
		return scalar(v, s, path)
	}
	switch v.Kind() {
	case reflect.Bool:
		return value.Bool(v.Bool()), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return value.Int(v.Int()), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return value.BigInt(new(big.Int).SetUint64(v.Uint())), nil
	case reflect.Float32:
		f, _ := strconv.ParseFloat(strconv.FormatFloat(v.Float(), 'g', -1, 32), 64)
		return value.Float(f), nil // 0.1 stays 0.1
	case reflect.Float64:
		return value.Float(v.Float()), nil
	case reflect.String:
		return textOf(v.String(), path)
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			return value.Null, nil
		}
		return valueOf(v.Elem(), path, depth+1)
	case reflect.Slice, reflect.Array:
		return list(v, path, depth)
	case reflect.Map:
		return mapping(v, path, depth)
	case reflect.Struct:
		return structure(v, path, depth)
	}
	return value.Null, unfit(path, "a value of type "+v.Type().String()+" has no representation")
}

// unfit returns the error for data that has no representation.
func unfit(path, why string) error {
	what := "the data"
	if path != "" {
		what = strings.TrimPrefix(path, ".")
	}
	return source.Errorf(source.Span{}, source.Usage, "%s cannot be put into a configuration: %s", what, why)
}

// textOf converts a string, which must be UTF-8.
func textOf(s, path string) (value.Value, error) {
	if !utf8.ValidString(s) {
		return value.Null, unfit(path, "the text is not UTF-8")
	}
	return value.String(s), nil
}

// scalar converts v according to its scalar type.
func scalar(v reflect.Value, s ScalarType, path string) (value.Value, error) {
	switch s {
	case ValueScalar:
		return value.Plain(v.Interface().(value.Value))
	case BigScalar:
		i := v.Interface().(big.Int)
		return value.BigInt(new(big.Int).Set(&i)), nil
	case NumberScalar:
		if n := Number(value.String(v.String())); n.IsNumber() {
			return n, nil
		}
		return value.Null, unfit(path, strconv.Quote(v.String())+" is not a number")
	case DurationScalar:
		return value.String(v.Interface().(time.Duration).String()), nil
	}
	m, ok := v.Interface().(encoding.TextMarshaler)
	if !ok {
		p := reflect.New(v.Type())
		p.Elem().Set(v)
		if m, ok = p.Interface().(encoding.TextMarshaler); !ok {
			return value.Null, unfit(path, v.Type().String()+" has UnmarshalText but no MarshalText")
		}
	}
	text, err := m.MarshalText()
	if err != nil {
		return value.Null, unfit(path, err.Error())
	}
	return textOf(string(text), path)
}

// list converts a slice or an array.
func list(v reflect.Value, path string, depth int) (value.Value, error) {
	items := make(value.Slice, v.Len())
	for i := range items {
		var err error
		if items[i], err = valueOf(v.Index(i), path+"["+strconv.Itoa(i)+"]", depth+1); err != nil {
			return value.Null, err
		}
	}
	return value.FromList(items), nil
}

// mapping converts a map and sorts its keys.
func mapping(v reflect.Value, path string, depth int) (value.Value, error) {
	entries := make(map[value.Key]reflect.Value, v.Len())
	keys := make([]value.Key, 0, v.Len())
	for it := v.MapRange(); it.Next(); {
		kv, err := valueOf(it.Key(), path, depth+1)
		if err != nil {
			return value.Null, err
		}
		k, err := value.KeyFor(kv)
		if err != nil {
			return value.Null, unfit(path, err.Error())
		}
		if _, twice := entries[k]; twice {
			return value.Null, unfit(path, "two keys are "+strconv.Quote(k.Text))
		}
		entries[k] = it.Value()
		keys = append(keys, k)
	}
	slices.SortFunc(keys, compareKeys)
	m := value.NewMap(len(keys))
	for _, k := range keys {
		item, err := valueOf(entries[k], path+"."+k.Text, depth+1)
		if err != nil {
			return value.Null, err
		}
		m.Set(k, item)
	}
	return value.FromMap(m), nil
}

// compareKeys orders keys: null, booleans, numbers by value, strings.
func compareKeys(a, b value.Key) int {
	rank := func(k value.Key) value.Kind {
		if k.Kind == value.FloatKind {
			return value.IntKind
		}
		return k.Kind
	}
	if c := cmp.Compare(rank(a), rank(b)); c != 0 {
		return c
	}
	if c, err := value.Compare(a.Value(), b.Value()); err == nil {
		return c
	}
	return strings.Compare(a.Text, b.Text)
}

// structure converts a struct to a map of its fields.
func structure(v reflect.Value, path string, depth int) (value.Value, error) {
	fields, err := Fields(v.Type())
	if err != nil {
		return value.Null, err
	}
	m := value.NewMap(len(fields))
	for _, f := range fields {
		fv, err := v.FieldByIndexErr(f.Index)
		if err != nil || f.Omits(fv) {
			continue // in an inline pointer that is nil
		}
		item, err := valueOf(fv, path+"."+f.Name, depth+1)
		if err != nil {
			return value.Null, err
		}
		if !f.Rest {
			m.Set(value.K(f.Name), item)
			continue
		}
		for k := range item.Map().Keys() {
			if _, taken, _ := m.Get(k); taken {
				return value.Null, unfit(path, "two keys are "+strconv.Quote(k.Text))
			}
			rest, _, _ := item.Map().Get(k)
			m.Set(k, rest)
		}
	}
	return value.FromMap(m), nil
}

// Number converts v to a number: a boolean to 0 or 1, the text of an integer or a decimal number
// (spec: yay, section 3) to that number, and other values to null.
func Number(v value.Value) value.Value {
	switch v.Kind() {
	case value.IntKind, value.FloatKind:
		return v
	case value.BoolKind:
		return value.AsNumber(v)
	case value.StringKind:
		s := v.Str()
		digits := strings.TrimLeft(s, "+-")
		if len(s)-len(digits) > 1 || strings.Trim(s, "+-.eE0123456789") != "" {
			return value.Null
		}
		if strings.Trim(digits, "0123456789") == "" {
			n, _ := value.ParseInt(s, 10)
			return n
		}
		if f, err := strconv.ParseFloat(s, 64); err == nil {
			return value.Float(f)
		}
	}
	return value.Null
}
