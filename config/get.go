package config

import (
	"reflect"

	"github.com/yaytpl/yaytpl/internal/godata"
)

// A Getter is a [*Config] or a [Node].
type Getter interface {
	Get(path ...any) Node
}

// Get returns the value at a path as a T, converted as [Node.Decode] does, or the default if the path
// leads nowhere:
//
//	port, err := config.Get(cfg, "server.port", 8080)
//	hosts, err := config.Get[[]string](cfg, "server.hosts")
//
// Any other error is returned with the zero T, never with the default: a value of another type, null
// for a T that has no nil, a value that cannot be computed.
//
// Codes: the codes of Decode. Without a default errors.Is finds [NoMatching] if the path leads nowhere.
func Get[T any](from Getter, path string, def ...T) (T, error) {
	var out T
	err := from.Get(path).read(len(def) > 0, func(x lookup) error {
		v := reflect.ValueOf(&out).Elem()
		if x.val.IsNull() && !takesNull(v.Type()) {
			return x.typeError(v.Type().String())
		}
		return decodeInto(x, v, false, "")
	})
	if isMissing(err) {
		return def[0], nil
	}
	if err != nil {
		var zero T
		return zero, err
	}
	return out, nil
}

// takesNull reports whether null is a value of a type.
func takesNull(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Interface:
		return true
	}
	return godata.ScalarOf(t) == godata.ValueScalar
}
