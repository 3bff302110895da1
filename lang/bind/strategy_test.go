package bind

import (
	"fmt"
	"math/rand"
	"testing"

	"github.com/yaytpl/yaytpl/value"
)

// A maker makes random values.
type maker struct{ *rand.Rand }

func (m maker) scalar() value.Value {
	switch m.Intn(3) {
	case 0:
		return value.Int(int64(m.Intn(4)))
	case 1:
		return value.True
	}
	return value.String(string(rune('a' + m.Intn(4))))
}

// list returns a list of scalars and lists.
func (m maker) list(depth int) value.Value {
	items := make([]value.Value, m.Intn(5))
	for i := range items {
		if items[i] = m.scalar(); depth > 0 && m.Intn(4) == 0 {
			items[i] = m.list(depth - 1)
		}
	}
	return value.ListOf(items...)
}

// dict returns a map of scalars and maps.
func (m maker) dict(depth int) value.Value {
	out := value.NewMap(4)
	for range 1 + m.Intn(4) {
		v := m.scalar()
		if depth > 0 && m.Intn(2) == 0 {
			v = m.dict(depth - 1)
		}
		out.Set(value.K(string(rune('k'+m.Intn(5)))), v)
	}
	return value.FromMap(out)
}

// TestMergesAreAssociative: three sources give the same in one fold, and if two neighbours are merged
// first. Maps and lists of one kind are: of deep with lists and maps mixed the middle one decides.
func TestMergesAreAssociative(t *testing.T) {
	m := maker{rand.New(rand.NewSource(3))}
	fold := func(s *Strategy, values ...value.Value) value.Value {
		v, err := s.Fold(values, nil)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for kind, source := range map[StrategyKind]func() value.Value{
		First: m.scalar, Unique: func() value.Value { return m.list(2) }, Hash: func() value.Value { return m.dict(2) }, Deep: func() value.Value { return m.dict(0) },
	} {
		s := &Strategy{Kind: kind}
		for range 300 {
			a, b, c := source(), source(), source()
			all := text(t, fold(s, a, b, c))
			for how, got := range map[string]value.Value{"(a b) c": fold(s, fold(s, a, b), c), "a (b c)": fold(s, a, fold(s, b, c))} {
				if text(t, got) != all {
					t.Errorf("%s of %s, %s and %s: %s, and as %s %s", kind, text(t, a), text(t, b), text(t, c), all, how, text(t, got))
				}
			}
			// A value over itself is the value; unique drops its repeats.
			once := fold(s, a)
			if kind == Unique {
				once = fold(s, a, value.ListOf())
			}
			if got := text(t, fold(s, a, a)); got != text(t, once) {
				t.Errorf("%s of %s with itself: %s", kind, text(t, a), got)
			}
		}
	}
}

// BenchmarkUnique merges lists of 1,000 levels.
func BenchmarkUnique(b *testing.B) {
	values := make([]value.Value, 1000)
	for i := range values {
		values[i] = value.ListOf(value.String(fmt.Sprint("10.0.0.", i)), value.String("ntp.example.com"))
	}
	s := &Strategy{Kind: Unique}
	for b.Loop() {
		if _, err := s.Fold(values, nil); err != nil {
			b.Fatal(err)
		}
	}
}
