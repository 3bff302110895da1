// Package godata converts between values and data of Go programs: maps, structs with
// yaml tags, slices, texts, numbers.
//
//	Go data --ToValue--> value.Value --FromValue--> map[string]any, []any, string, int64, ...
//
// [ScalarOf] says which Go types are one scalar in a configuration whatever they are made
// of, and [Fields] how it sees a struct. Both directions keep to them, and so does
// whoever fills Go variables.
package godata

import (
	"encoding"
	"encoding/json"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A ScalarType says as which scalar a configuration has the values of a Go type,
// whatever they are made of.
type ScalarType uint8

// The scalar types.
const (
	NotScalar    ScalarType = iota
	ValueScalar             // value.Value: any value
	BigScalar               // big.Int
	NumberScalar            // json.Number
	DurationScalar
	TextScalar // what writes or reads itself as text
)

var (
	marshalerType   = reflect.TypeFor[encoding.TextMarshaler]()
	unmarshalerType = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// ScalarOf returns which scalar the values of a type are.
func ScalarOf(t reflect.Type) ScalarType {
	switch t {
	case reflect.TypeFor[value.Value]():
		return ValueScalar
	case reflect.TypeFor[big.Int]():
		return BigScalar
	case reflect.TypeFor[json.Number]():
		return NumberScalar
	case reflect.TypeFor[time.Duration]():
		return DurationScalar
	}
	if t.Kind() != reflect.Interface && t.Kind() != reflect.Pointer {
		if p := reflect.PointerTo(t); t.Implements(marshalerType) || p.Implements(marshalerType) || p.Implements(unmarshalerType) {
			return TextScalar
		}
	}
	return NotScalar
}

// A Field is a field of a Go struct as configuration sees it: under the name
// in its yaml tag, or its own in lower case.
type Field struct {
	Name      string
	Index     []int // of reflect.Value.FieldByIndex
	OmitEmpty bool
	Rest      bool // a map that takes the keys that no field has
}

// Fields returns the fields of a struct type in their order, those of inline
// structs in the place of these. A yaml tag is a name with the options omitempty and
// inline behind commas; "-" hides the field. Structs are inline if they say so, or
// if they are embedded without a name of their own.
//
// Codes: usage for a name that occurs twice and for an inline field that is no
// struct and no map with text keys.
func Fields(t reflect.Type) ([]Field, error) {
	var fields []Field
	seen := map[string]bool{}
	if err := addFields(t, nil, map[reflect.Type]bool{}, &fields); err != nil {
		return nil, err
	}
	for _, f := range fields {
		if seen[f.Name] {
			return nil, source.Errorf(source.Span{}, source.Usage, "two fields of %s are called %q", t, f.Name)
		}
		seen[f.Name] = true
	}
	return fields, nil
}

func addFields(t reflect.Type, above []int, open map[reflect.Type]bool, fields *[]Field) error {
	if open[t] {
		return source.Errorf(source.Span{}, source.Usage, "%s is inline in itself", t)
	}
	open[t] = true
	defer delete(open, t)
	for i := range t.NumField() {
		f := t.Field(i)
		tag := f.Tag.Get("yaml")
		if tag == "-" || f.PkgPath != "" && !f.Anonymous {
			continue
		}
		name, options, _ := strings.Cut(tag, ",")
		with := strings.Split(options, ",")
		field := Field{Name: name, Index: append(above[:len(above):len(above)], i), OmitEmpty: slices.Contains(with, "omitempty")}
		if slices.Contains(with, "inline") || f.Anonymous && name == "" && isStruct(f.Type) {
			if err := addInline(f, field, open, fields); err != nil {
				return err
			}
			continue
		}
		if f.PkgPath != "" {
			continue
		}
		if name == "" {
			field.Name = strings.ToLower(f.Name)
		}
		*fields = append(*fields, field)
	}
	return nil
}

func isStruct(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Kind() == reflect.Struct && ScalarOf(t) == NotScalar
}

func addInline(f reflect.StructField, field Field, open map[reflect.Type]bool, fields *[]Field) error {
	t := f.Type
	switch {
	case t.Kind() == reflect.Map && t.Key().Kind() == reflect.String && f.PkgPath == "":
		field.Name, field.Rest = "", true
		*fields = append(*fields, field)
		return nil
	case !isStruct(t), t.Kind() == reflect.Pointer && f.PkgPath != "":
		return source.Errorf(source.Span{}, source.Usage, "the field %s cannot be inline: only structs and maps with text keys can", f.Name)
	case t.Kind() == reflect.Pointer:
		t = t.Elem()
	}
	return addFields(t, field.Index, open, fields)
}
