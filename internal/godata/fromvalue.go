package godata

import (
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// FromValue converts v to map[string]any, []any, string, int64, *big.Int for larger integers,
// float64, bool or nil. It evaluates the lazy parts of v with e and respects the limits of e.
//
// Codes: bad-key for two keys with one text, type for a function, and the codes of evaluation.
func FromValue(v value.Value, e *graph.Eval) (any, error) {
	if err := e.Enter(); err != nil {
		return nil, err
	}
	defer e.Leave()
	v = value.Public(v)
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
		items := make([]any, 0, v.List().Len())
		for item, err := range value.Items(v.List()) {
			if err != nil {
				return nil, err
			}
			data, err := FromValue(item, e)
			if err != nil {
				return nil, err
			}
			items = append(items, data)
		}
		return items, nil
	case value.MapKind:
		return mapFrom(v.Map(), e)
	case value.FuncKind:
		return nil, source.Errorf(source.Span{}, source.WrongType, "%s is not data", value.Article(v.Kind()))
	case value.UndefinedKind:
		return nil, v.Reason()
	}
	return nil, nil
}

// mapFrom converts a map.
func mapFrom(m value.Map, e *graph.Eval) (map[string]any, error) {
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
			return nil, source.Errorf(source.Span{}, source.BadKey, "two keys have the text %q, which is one key of a Go map", k.Text)
		}
		if data[k.Text], err = FromValue(item, e); err != nil {
			return nil, err
		}
	}
	return data, nil
}

// Plain evaluates the lazy lists and maps of v. Unlike [value.Plain] it respects the limits of an
// evaluation.
func Plain(v value.Value, e *graph.Eval) (value.Value, error) {
	if err := e.Enter(); err != nil {
		return value.Null, err
	}
	defer e.Leave()
	v = value.Public(v)
	switch v.Kind() {
	case value.ListKind:
		items := make(value.Slice, 0, v.List().Len())
		for item, err := range value.Items(v.List()) {
			if err == nil {
				item, err = Plain(item, e)
			}
			if err != nil {
				return value.Null, err
			}
			items = append(items, item)
		}
		return value.FromList(items).Mark(v.Marks()), nil
	case value.MapKind:
		keys, err := value.KeysOf(v.Map())
		if err != nil {
			return value.Null, err
		}
		m := value.NewMap(len(keys))
		for _, k := range keys {
			item, ok, err := v.Map().Get(k)
			if err == nil && ok {
				item, err = Plain(item, e)
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
	return v, nil
}
