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
	"time"

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
