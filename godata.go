package yaytpl

import (
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/source"
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
		return toPlain(x.val, x.eval)
	})
}

// Value returns the whole configuration: see [Node.Value].
func (c *Config) Value() (value.Value, error) { return c.Get().Value() }

// force evaluates everything in x.
func (x found) force() error { return force(x.val, x.eval) }

func (x found) goData() (any, error) {
	if err := x.force(); err != nil {
		return nil, err
	}
	return toGo(x.val, x.eval)
}

// toGo returns v as plain Go data.
func toGo(v value.Value, e *graph.Eval) (any, error) {
	if err := e.Enter(); err != nil {
		return nil, err
	}
	defer e.Leave()
	switch v.Kind() {
	case value.BoolKind:
		return v.Bool(), nil
	case value.IntKind:
		if i, ok := v.Int(); ok {
			return i, nil
		}
		return v.BigInt(), nil
	case value.FloatKind:
		return v.Float(), nil
	case value.StringKind:
		return v.Str(), nil
	case value.ListKind:
		return listToGo(v.List(), e)
	case value.MapKind:
		return mapToGo(v.Map(), e)
	case value.FuncKind:
		return nil, source.Errorf(source.Span{}, source.WrongType, "%s is no data", value.Article(v.Kind()))
	case value.UndefinedKind:
		return nil, v.Reason()
	}
	return nil, nil
}

func listToGo(l value.List, e *graph.Eval) ([]any, error) {
	items := make([]any, 0, l.Len())
	for item, err := range value.Items(l) {
		if err != nil {
			return nil, err
		}
		data, err := toGo(item, e)
		if err != nil {
			return nil, err
		}
		items = append(items, data)
	}
	return items, nil
}

func mapToGo(m value.Map, e *graph.Eval) (map[string]any, error) {
	keys, err := value.KeysOf(m)
	if err != nil {
		return nil, err
	}
	data := make(map[string]any, len(keys))
	for _, k := range keys {
		item, ok, err := m.Get(k)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		if _, twice := data[k.Text]; twice {
			return nil, source.Errorf(source.Span{}, source.BadKey, "two keys have the text %q, which Go maps of text cannot tell apart", k.Text)
		}
		if data[k.Text], err = toGo(item, e); err != nil {
			return nil, err
		}
	}
	return data, nil
}

// toPlain returns v with its lists and maps worked out. Unlike [value.Plain] it keeps
// to the limits of an evaluation.
func toPlain(v value.Value, e *graph.Eval) (value.Value, error) {
	if err := e.Enter(); err != nil {
		return value.Null, err
	}
	defer e.Leave()
	switch v.Kind() {
	case value.ListKind:
		items := make(value.Slice, 0, v.List().Len())
		for item, err := range value.Items(v.List()) {
			if err == nil {
				item, err = toPlain(item, e)
			}
			if err != nil {
				return value.Null, err
			}
			items = append(items, item)
		}
		return value.FromList(items).Mark(v.Marks()), nil
	case value.MapKind:
		return plainMap(v, e)
	}
	return v, nil
}

func plainMap(v value.Value, e *graph.Eval) (value.Value, error) {
	keys, err := value.KeysOf(v.Map())
	if err != nil {
		return value.Null, err
	}
	m := value.NewMap(len(keys))
	for _, k := range keys {
		item, ok, err := v.Map().Get(k)
		if err == nil && ok {
			item, err = toPlain(item, e)
		}
		if err != nil {
			return value.Null, err
		}
		if ok {
			m.Set(k, item)
		}
	}
	return value.FromMap(m).Mark(v.Marks()), nil
}
