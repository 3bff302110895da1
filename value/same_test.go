package value_test

import (
	"math"
	"testing"

	"github.com/yaytpl/yaytpl/value"
)

func TestSame(t *testing.T) {
	one := value.Int(1)
	tagged := func(tag string) value.Value { return one.WithSource(value.Scalar{Tag: tag}) }
	ab, ba := value.NewMap(2), value.NewMap(2)
	for _, k := range []string{"a", "b"} {
		ab.Set(value.K(k), value.String(k))
	}
	for _, k := range []string{"b", "a"} {
		ba.Set(value.K(k), value.String(k))
	}
	tests := []struct {
		name string
		a, b value.Value
		want bool
	}{
		{"equal", one, value.Int(1), true},
		{"another kind of number", one, value.Float(1), false},
		{"text", one, value.String("1"), false},
		{"a tag", one, tagged("!port"), false},
		{"one tag", tagged("!port"), tagged("!port"), true},
		{"a tag of YAML", one, tagged("!!int"), true},
		{"no number", value.Float(math.NaN()), value.Float(math.NaN()), true},
		{"order of keys", value.FromMap(ab), value.FromMap(ba), true},
		{"order of items", value.ListOf(one, value.Null), value.ListOf(value.Null, one), false},
		{"deep", value.ListOf(value.ListOf(one)), value.ListOf(value.ListOf(value.Float(1))), false},
		{"shorter", value.ListOf(one), value.ListOf(), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := value.Same(tt.a, tt.b)
			back, _ := value.Same(tt.b, tt.a)
			if err != nil || got != tt.want || back != tt.want {
				t.Errorf("%v, back %v, error %v", got, back, err)
			}
		})
	}
}
