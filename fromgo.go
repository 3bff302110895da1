package yaytpl

import (
	"cmp"
	"encoding"
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

// fromGo returns Go data as a plain value.
func fromGo(data any) (value.Value, error) {
	if v, ok := data.(value.Value); ok {
		return value.Plain(v)
	}
	return goValue(reflect.ValueOf(data), "", 0)
}

// goKind is how messages call what Go data is.
func goKind(data any) string {
	if data == nil {
		return "nil"
	}
	return reflect.TypeOf(data).String()
}

// maxGoDepth bounds data that contains itself.
const maxGoDepth = 1000

// goValue returns Go data at a path as a value.
func goValue(v reflect.Value, path string, depth int) (value.Value, error) {
	if depth > maxGoDepth {
		return value.Null, unfit(path, "it is nested without end")
	}
	if !v.IsValid() {
		return value.Null, nil
	}
	if s := scalarOf(v.Type()); s != notScalar {
		return goScalar(v, s, path)
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
		return goText(v.String(), path)
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			return value.Null, nil
		}
		return goValue(v.Elem(), path, depth+1)
	case reflect.Slice, reflect.Array:
		return goList(v, path, depth)
	case reflect.Map:
		return goMap(v, path, depth)
	case reflect.Struct:
		return goStruct(v, path, depth)
	}
	return value.Null, unfit(path, "there is no such thing as a "+v.Type().String())
}

func unfit(path, why string) error {
	what := "the data"
	if path != "" {
		what = strings.TrimPrefix(path, ".")
	}
	return source.Errorf(source.Span{}, source.Usage, "%s cannot be put into a configuration: %s", what, why)
}

func goText(s, path string) (value.Value, error) {
	if !utf8.ValidString(s) {
		return value.Null, unfit(path, "the text is not UTF-8")
	}
	return value.String(s), nil
}

func goScalar(v reflect.Value, s scalarType, path string) (value.Value, error) {
	switch s {
	case valueScalar:
		return value.Plain(v.Interface().(value.Value))
	case bigScalar:
		i := v.Interface().(big.Int)
		return value.BigInt(new(big.Int).Set(&i)), nil
	case numberScalar:
		if n := numberOf(value.String(v.String())); n.IsNumber() {
			return n, nil
		}
		return value.Null, unfit(path, strconv.Quote(v.String())+" is no number")
	case durationScalar:
		return value.String(v.Interface().(time.Duration).String()), nil
	}
	m, ok := v.Interface().(encoding.TextMarshaler)
	if !ok {
		p := reflect.New(v.Type())
		p.Elem().Set(v)
		if m, ok = p.Interface().(encoding.TextMarshaler); !ok {
			return value.Null, unfit(path, v.Type().String()+" can be read from text but not written")
		}
	}
	text, err := m.MarshalText()
	if err != nil {
		return value.Null, unfit(path, err.Error())
	}
	return goText(string(text), path)
}

func goList(v reflect.Value, path string, depth int) (value.Value, error) {
	items := make(value.Slice, v.Len())
	for i := range items {
		var err error
		if items[i], err = goValue(v.Index(i), path+"["+strconv.Itoa(i)+"]", depth+1); err != nil {
			return value.Null, err
		}
	}
	return value.FromList(items), nil
}

func goMap(v reflect.Value, path string, depth int) (value.Value, error) {
	entries := make(map[value.Key]reflect.Value, v.Len())
	keys := make([]value.Key, 0, v.Len())
	for it := v.MapRange(); it.Next(); {
		kv, err := goValue(it.Key(), path, depth+1)
		if err != nil {
			return value.Null, err
		}
		k, ok := value.KeyOf(kv)
		if !ok {
			return value.Null, unfit(path, value.Article(kv.Kind())+" cannot be a key")
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
		item, err := goValue(entries[k], path+"."+k.Text, depth+1)
		if err != nil {
			return value.Null, err
		}
		m.Set(k, item)
	}
	return value.FromMap(m), nil
}

// compareKeys orders null, truth values, numbers by value, texts.
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

func goStruct(v reflect.Value, path string, depth int) (value.Value, error) {
	fields, err := structFields(v.Type())
	if err != nil {
		return value.Null, err
	}
	m := value.NewMap(len(fields))
	for _, f := range fields {
		fv, err := v.FieldByIndexErr(f.index)
		if err != nil || f.omitEmpty && fv.IsZero() {
			continue // in an inline pointer that is nil
		}
		item, err := goValue(fv, path+"."+f.name, depth+1)
		if err != nil {
			return value.Null, err
		}
		if !f.rest {
			m.Set(value.K(f.name), item)
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
