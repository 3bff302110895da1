package config

import (
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/godata"
	"github.com/yaytpl/yaytpl/value"
)

// List returns n as Go data: see [Node.Resolve]. A map or scalar is no list.
func (n Node) List(def ...[]any) ([]any, error) {
	n.runAhead()
	return get(n, def, func(x found) ([]any, error) {
		if !x.val.Is(value.ListKind) {
			return nil, x.typeError("list")
		}
		data, err := x.goData()
		if err != nil {
			return nil, err
		}
		return data.([]any), nil
	})
}

// Map returns n as Go data: see [Node.Resolve]. A list or scalar is no map.
func (n Node) Map(def ...map[string]any) (map[string]any, error) {
	n.runAhead()
	return get(n, def, func(x found) (map[string]any, error) {
		if !x.val.Is(value.MapKind) {
			return nil, x.typeError("mapping")
		}
		data, err := x.goData()
		if err != nil {
			return nil, err
		}
		return data.(map[string]any), nil
	})
}

// Resolve evaluates all of n and returns it as plain Go data: map[string]any, []any,
// string, int64, *big.Int for larger integers, float64, bool and nil. Failures that
// do not depend on each other are all in the error. Secrets are not masked.
//
// Codes: bad-key for two keys with one text, type for a macro or function, and what
// evaluation finds.
func (n Node) Resolve() (any, error) {
	n.runAhead()
	return get(n, nil, found.goData)
}

// Resolve returns the whole configuration as plain Go data: see [Node.Resolve]. One
// without layers is an empty map. Native classes whose instances do not need each
// other are applied at the same time.
func (c *Config) Resolve() (any, error) { return c.Get().Resolve() }

// Value evaluates all of n, as [Node.Resolve] does. The result keeps the order of
// keys, the spelling of numbers and the marks of secrets, and may be shared between
// goroutines.
func (n Node) Value() (value.Value, error) {
	n.runAhead()
	return get(n, nil, func(x found) (value.Value, error) {
		if err := x.force(); err != nil {
			return value.Null, err
		}
		return godata.Plain(x.val, x.eval)
	})
}

// Value returns the whole configuration: see [Node.Value].
func (c *Config) Value() (value.Value, error) { return c.Get().Value() }

// force evaluates everything in x.
func (x found) force() error { return engine.Force(x.val, x.eval) }

func (x found) goData() (any, error) {
	if err := x.force(); err != nil {
		return nil, err
	}
	return godata.FromValue(x.val, x.eval)
}
