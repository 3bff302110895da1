package expr

import (
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// evalSlice is x[from:to:step] of a list or text, with Python's rules.
func evalSlice(n *Slice, s *Scope) (value.Value, error) {
	x, err := evalUsed(n.X, s)
	if err != nil {
		return x, err
	}
	bounds := [3]*int64{}
	for i, b := range []Node{n.From, n.To, n.Step} {
		if bounds[i], err = sliceBound(b, s); err != nil {
			return value.Null, err
		}
	}
	if bounds[2] != nil && *bounds[2] == 0 {
		return value.Null, source.Errorf(n.Step.Span(), source.BadValue, "the step of a slice cannot be zero")
	}
	switch x.Kind() {
	case value.StringKind:
		return sliceText(x, bounds), nil
	case value.ListKind:
		v, err := sliceList(x, bounds)
		return v, located(n.At, source.BadValue, err, 0)
	}
	return value.Null, source.Errorf(n.At, source.BadType, "cannot take a slice of %s", value.Article(x.Kind()))
}

func sliceBound(n Node, s *Scope) (*int64, error) {
	if n == nil {
		return nil, nil
	}
	v, err := evalUsed(n, s)
	if err != nil || v.IsNull() {
		return nil, err
	}
	if !v.Is(value.IntKind) {
		return nil, source.Errorf(n.Span(), source.BadType, "the bounds of a slice are integers, not %s", value.Article(v.Kind()))
	}
	i, ok := v.Int()
	if !ok {
		i = int64(v.BigInt().Sign()) << 62
	}
	return &i, nil
}

// indexes returns the positions that a slice of n items takes.
func indexes(n int, bounds [3]*int64) []int {
	first, step, count := value.SliceOf(n, bounds)
	at := make([]int, count)
	for i := range at {
		at[i] = first + i*step
	}
	return at
}

func sliceText(x value.Value, bounds [3]*int64) value.Value {
	runes := []rune(x.Str())
	at := indexes(len(runes), bounds)
	out := make([]rune, len(at))
	for i, j := range at {
		out[i] = runes[j]
	}
	return value.String(string(out)).Mark(x.Marks())
}

func sliceList(x value.Value, bounds [3]*int64) (value.Value, error) {
	at := indexes(x.List().Len(), bounds)
	out := make([]value.Value, len(at))
	for i, j := range at {
		v, err := x.List().At(j)
		if err != nil {
			return value.Null, err
		}
		out[i] = v
	}
	return value.ListOf(out...).Mark(x.Marks()), nil
}
