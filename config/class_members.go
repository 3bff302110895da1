package config

import (
	"iter"
	"maps"
	"slices"

	"github.com/yaytpl/yaytpl/internal/godata"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Keys implements [value.Map]: the parameters, then the other members or, if these
// cannot be had, [value.UnknownKey].
func (in *instance) Keys() iter.Seq[value.Key] {
	return func(yield func(value.Key) bool) {
		for k := range in.params.Map().Keys() {
			if !yield(k) {
				return
			}
		}
		m, err := in.members()
		switch {
		case err == errPending:
			return
		case err != nil:
			yield(value.UnknownKey)
			return
		}
		for k := range m.Keys() {
			if _, given, err := in.params.Map().Get(k); !given && err == nil && !yield(k) {
				return
			}
		}
	}
}

// Len implements [value.Map].
func (in *instance) Len() int {
	n := 0
	for range in.Keys() {
		n++
	}
	return n
}

// Get implements [value.Map].
func (in *instance) Get(k value.Key) (value.Value, bool, error) {
	if k != value.UnknownKey {
		if v, ok, err := in.params.Map().Get(k); ok || err != nil {
			return v, ok, err
		}
	}
	m, err := in.members()
	if err != nil {
		return value.Null, false, err
	}
	return m.Get(k)
}

// members are the members of an instance, in the order of their keys. Each is
// converted for itself: one that a configuration cannot hold fails when it is asked
// for.
type members struct {
	keys []value.Key
	vals map[value.Key]member
}

type member struct {
	val value.Value
	err error
}

func membersOf(data map[string]any, in *instance) *members {
	m := &members{vals: make(map[value.Key]member, len(data))}
	for _, name := range slices.Sorted(maps.Keys(data)) {
		v, err := godata.ToValue(data[name])
		if err != nil {
			err = source.Errorf(in.at, source.WrongType, "the member %s of class %s: %s", name, in.class, source.AsDiagnostic(err, in.at, source.WrongType).Message)
		}
		k := value.K(name)
		m.keys = append(m.keys, k)
		m.vals[k] = member{v, err}
	}
	return m
}

// Len implements [value.Map].
func (m *members) Len() int { return len(m.keys) }

// Keys implements [value.Map].
func (m *members) Keys() iter.Seq[value.Key] { return slices.Values(m.keys) }

// Get implements [value.Map].
func (m *members) Get(k value.Key) (value.Value, bool, error) {
	v, ok := m.vals[k]
	return v.val, ok, v.err
}
