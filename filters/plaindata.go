package filters

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"

	"github.com/yaytpl/yaytpl/value"
)

// plainData turns values into what encoding/json would make, for libraries, and
// back. Maps that come through unchanged are found again, with order and spelling.
type plainData struct {
	c    *Ctx
	from map[uintptr]value.Value
}

func (p *plainData) to(v value.Value, depth int) (any, error) {
	if depth > maxDepth {
		return nil, errTooDeep
	}
	switch v.Kind() {
	case value.NullKind:
		return nil, nil
	case value.BoolKind:
		return v.Bool(), nil
	case value.IntKind, value.FloatKind:
		return v.Float(), nil
	case value.StringKind:
		return v.Str(), nil
	case value.ListKind:
		return p.toList(v, depth)
	case value.MapKind:
		return p.toMap(v, depth)
	case value.UndefinedKind:
		return nil, reason(v)
	}
	return nil, fmt.Errorf("%s is not data", value.Article(v.Kind()))
}

func (p *plainData) toList(v value.Value, depth int) (any, error) {
	items, err := p.c.listItems(v)
	out := make([]any, len(items))
	for i, item := range items {
		if err != nil {
			return nil, err
		}
		out[i], err = p.to(item, depth+1)
	}
	return out, err
}

func (p *plainData) toMap(v value.Value, depth int) (any, error) {
	entries, err := p.c.entries(v)
	out := make(map[string]any, len(entries))
	for _, e := range entries {
		if err != nil {
			return nil, err
		}
		out[e.key.Text], err = p.to(e.val, depth+1)
	}
	p.from[reflect.ValueOf(out).Pointer()] = v
	return out, err
}

func (p *plainData) back(x any, depth int) (value.Value, error) {
	if depth > maxDepth {
		return value.Null, errTooDeep
	}
	switch x := x.(type) {
	case nil:
		return value.Null, nil
	case bool:
		return value.Bool(x), nil
	case string:
		return value.String(x), nil
	case float64:
		if x == math.Trunc(x) && math.Abs(x) < 1<<53 {
			return value.Int(int64(x)), nil
		}
		return value.Float(x), nil
	case int:
		return value.Int(int64(x)), nil
	case []any:
		return p.backList(x, depth)
	case map[string]any:
		return p.backMap(x, depth)
	}
	if v := reflect.ValueOf(x); v.Kind() == reflect.Slice {
		items := make([]any, v.Len())
		for i := range items {
			items[i] = v.Index(i).Interface()
		}
		return p.backList(items, depth)
	}
	return value.Null, errors.New("the result is not data")
}

func (p *plainData) backList(x []any, depth int) (value.Value, error) {
	if err := p.c.reserveItems(len(x)); err != nil {
		return value.Null, err
	}
	out := make([]value.Value, len(x))
	for i := range x {
		var err error
		if out[i], err = p.back(x[i], depth+1); err != nil {
			return value.Null, err
		}
	}
	return value.ListOf(out...), nil
}

func (p *plainData) backMap(x map[string]any, depth int) (value.Value, error) {
	if v, ok := p.from[reflect.ValueOf(x).Pointer()]; ok {
		return v, nil
	}
	m := value.NewMap(len(x))
	for _, k := range slices.Sorted(maps.Keys(x)) {
		v, err := p.back(x[k], depth+1)
		if err != nil {
			return value.Null, err
		}
		m.Set(value.K(k), v)
	}
	return value.FromMap(m), nil
}
