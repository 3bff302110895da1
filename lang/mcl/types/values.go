package types

import (
	"cmp"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/value"
)

// A Mapping is the value of a map of the language. Its keys may be of any type that has equality: of a
// struct too. Outside of the language a key is the text of it.
type Mapping struct {
	keys  []value.Value
	items []value.Value
	index map[value.Key]int
}

// NewMapping returns an empty map with room for n entries. It must not be changed once it is shared.
func NewMapping(n int) *Mapping {
	return &Mapping{keys: make([]value.Value, 0, n), items: make([]value.Value, 0, n), index: make(map[value.Key]int, n)}
}

// Set adds an entry. Of equal keys the last one counts (spec: mcl, section 4).
func (m *Mapping) Set(k, v value.Value) {
	id := keyOf(k)
	if i, ok := m.index[id]; ok {
		m.items[i] = v
		return
	}
	m.index[id] = len(m.keys)
	m.keys, m.items = append(m.keys, k), append(m.items, v)
}

// Lookup returns the value of a key of the language.
func (m *Mapping) Lookup(k value.Value) (value.Value, bool) {
	i, ok := m.index[keyOf(k)]
	if !ok {
		return value.Null, false
	}
	return m.items[i], true
}

// Entries yields the keys and values in the order of their definition.
func (m *Mapping) Entries() iter.Seq2[value.Value, value.Value] {
	return func(yield func(k, v value.Value) bool) {
		for i, k := range m.keys {
			if !yield(k, m.items[i]) {
				return
			}
		}
	}
}

// Sorted returns the keys and values in the order of map.keys: texts by bytes, numbers by value, others
// by their text (spec: mcl-library, section 1).
func (m *Mapping) Sorted() (keys, items []value.Value) {
	order := make([]int, len(m.keys))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		a, b := m.keys[i], m.keys[j]
		if a.IsNumber() && b.IsNumber() {
			if c, err := value.Compare(a, b); err == nil {
				return c
			}
		}
		return cmp.Compare(keyOf(a).Text, keyOf(b).Text)
	})
	for _, i := range order {
		keys, items = append(keys, m.keys[i]), append(items, m.items[i])
	}
	return keys, items
}

// Len returns the number of entries.
func (m *Mapping) Len() int { return len(m.keys) }

// Keys yields the texts of the keys.
func (m *Mapping) Keys() iter.Seq[value.Key] {
	return func(yield func(value.Key) bool) {
		for _, k := range m.keys {
			if !yield(value.K(keyOf(k).Text)) {
				return
			}
		}
	}
}

// Get returns the value under the text of a key.
func (m *Mapping) Get(k value.Key) (value.Value, bool, error) {
	if k.Kind != value.StringKind {
		return value.Null, false, nil
	}
	for _, kind := range keyKinds {
		if i, ok := m.index[value.Key{Text: k.Text, Kind: kind}]; ok {
			return m.items[i], true, nil
		}
	}
	return value.Null, false, nil
}

// keyKinds are the kinds of what keyOf returns. The keys of one map have one type, and so one kind.
var keyKinds = [...]value.Kind{value.StringKind, value.IntKind, value.FloatKind, value.BoolKind, value.MapKind}

// keyOf returns a key that is equal for equal values: scalars, and structs of them. Its text is the text of
// the value outside of the language.
func keyOf(v value.Value) value.Key {
	if k, ok := value.KeyOf(v); ok {
		return k
	}
	return value.Key{Text: keyText(v), Kind: value.MapKind}
}

// keyText returns a key as printf prints it.
func keyText(v value.Value) string {
	s, ok := v.Map().(*Structure)
	switch {
	case v.Is(value.StringKind):
		return strconv.Quote(v.Str())
	case !ok:
		return keyOf(v).Text
	}
	var b strings.Builder
	b.WriteString("struct{")
	for i, name := range s.Names {
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(name + ": " + keyText(s.Items[i]))
	}
	return b.String() + "}"
}

// A Structure is the value of a struct of the language.
type Structure struct {
	Names []string // structs of one type may share them
	Items []value.Value
}

// Field returns the value of a field, false if there is none.
func (s *Structure) Field(name string) (value.Value, bool) {
	i := slices.Index(s.Names, name)
	if i < 0 {
		return value.Null, false
	}
	return s.Items[i], true
}

// Len returns the number of fields.
func (s *Structure) Len() int { return len(s.Names) }

// Keys yields the names of the fields.
func (s *Structure) Keys() iter.Seq[value.Key] { return value.TextKeys(slices.Values(s.Names)) }

// Get returns the value of a field.
func (s *Structure) Get(k value.Key) (value.Value, bool, error) {
	if k.Kind != value.StringKind {
		return value.Null, false, nil
	}
	v, ok := s.Field(k.Text)
	return v, ok, nil
}
