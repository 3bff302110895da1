package yaytpl

import (
	"encoding"
	"encoding/json"
	"math/big"
	"reflect"
	"time"

	"github.com/yaytpl/yaytpl/value"
)

// A scalarType is a Go type that is one scalar in a configuration, whatever it is
// made of.
type scalarType uint8

const (
	notScalar    scalarType = iota
	valueScalar             // value.Value: any value
	bigScalar               // big.Int
	numberScalar            // json.Number
	durationScalar
	textScalar // what writes or reads itself as text
)

var (
	marshalerType   = reflect.TypeFor[encoding.TextMarshaler]()
	unmarshalerType = reflect.TypeFor[encoding.TextUnmarshaler]()
)

func scalarOf(t reflect.Type) scalarType {
	switch t {
	case reflect.TypeFor[value.Value]():
		return valueScalar
	case reflect.TypeFor[big.Int]():
		return bigScalar
	case reflect.TypeFor[json.Number]():
		return numberScalar
	case reflect.TypeFor[time.Duration]():
		return durationScalar
	}
	if t.Kind() != reflect.Interface && t.Kind() != reflect.Pointer {
		if p := reflect.PointerTo(t); t.Implements(marshalerType) || p.Implements(marshalerType) || p.Implements(unmarshalerType) {
			return textScalar
		}
	}
	return notScalar
}
