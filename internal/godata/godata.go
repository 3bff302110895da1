// Package godata converts between values and data of Go programs: maps, structs with yaml tags,
// slices, strings, numbers.
//
//	Go data --ToValue--> value.Value --FromValue--> map[string]any, []any, string, int64, ...
//
// [ScalarOf] determines the Go types that are one scalar in a configuration, such as
// time.Duration and big.Int, and [Fields] the keys of a struct. Both directions use them, and
// so does the decoding into Go variables.
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

// A ScalarType is the kind of scalar that represents a Go type in a configuration, regardless
// of the kind of the Go type.
type ScalarType uint8

// The scalar types.
const (
	NotScalar    ScalarType = iota
	ValueScalar             // value.Value: any value
	BigScalar               // big.Int
	NumberScalar            // json.Number
	DurationScalar
	TextScalar // a TextMarshaler or TextUnmarshaler
)

var (
	marshalerType   = reflect.TypeFor[encoding.TextMarshaler]()
	unmarshalerType = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// ScalarOf returns the scalar type of a Go type, or NotScalar.
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

// A Field is a field of a Go struct with its key in a configuration: the name in its yaml tag,
// or its own name in lower case.
type Field struct {
	Name      string
	Index     []int // of reflect.Value.FieldByIndex
	OmitEmpty bool
	Rest      bool // an inline map, for the keys without a field
}

// Fields returns the fields of a struct type in order. The fields of an inline struct take its
// place. A yaml tag is a name, followed by the options omitempty and inline; "-" omits the
// field. A struct is inline with that option, or if it is embedded without a name in the tag.
// For
//
//	type T struct {
//		Base        // type Base struct{ ID int }
//		Size int    `yaml:"size,omitempty"`
//		X    []byte `yaml:"-"`
//	}
//
// the fields are id and size.
//
// Codes: usage for a name that occurs twice, and for an inline field that is neither a struct
// nor a map with string keys.
func Fields(t reflect.Type) ([]Field, error) {
	var fields []Field
	seen := map[string]bool{}
	if err := addFields(t, nil, map[reflect.Type]bool{}, &fields); err != nil {
		return nil, err
	}
	for _, f := range fields {
		if seen[f.Name] {
			return nil, source.Errorf(source.Span{}, source.Usage, "two fields of %s have the name %q", t, f.Name)
		}
		seen[f.Name] = true
	}
	return fields, nil
}

// addFields appends the fields of the struct type t, whose index path is above. The set open has
// the types around t.
func addFields(t reflect.Type, above []int, open map[reflect.Type]bool, fields *[]Field) error {
	if open[t] {
		return source.Errorf(source.Span{}, source.Usage, "%s contains itself inline", t)
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

// isStruct reports whether t is a struct, or a pointer to one, that is not a scalar.
func isStruct(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Kind() == reflect.Struct && ScalarOf(t) == NotScalar
}

// addInline appends the fields of an inline struct, or an inline map as a field.
func addInline(f reflect.StructField, field Field, open map[reflect.Type]bool, fields *[]Field) error {
	t := f.Type
	switch {
	case t.Kind() == reflect.Map && t.Key().Kind() == reflect.String && f.PkgPath == "":
		field.Name, field.Rest = "", true
		*fields = append(*fields, field)
		return nil
	case !isStruct(t), t.Kind() == reflect.Pointer && f.PkgPath != "":
		return source.Errorf(source.Span{}, source.Usage, "the field %s cannot be inline: it must be a struct or a map with string keys", f.Name)
	case t.Kind() == reflect.Pointer:
		t = t.Elem()
	}
	return addFields(t, field.Index, open, fields)
}
