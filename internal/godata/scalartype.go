package godata

import (
	"encoding"
	"encoding/json"
	"math/big"
	"reflect"
	"time"

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
