// Package recent keeps what was asked for of late, in memory that does not grow with the number of
// questions: files and parsed documents that many evaluations share.
package recent

import (
	"iter"
	"maps"
)

// A Map is a map of values that are made when they are asked for. A bounded one has two generations: a
// value that is asked for becomes young; when there are many young values, or they are heavy, the old
// ones are forgotten and the young ones become old. So it keeps what was asked for among the last Most
// keys, and at most twice as much.
//
//	Most 2      ask a   ask b   ask c   ask a   ask d
//	young       a       a b     c       c a     d
//	old                         a b     b       c a
//
// The zero value keeps everything. A Map is not safe for concurrent use.
type Map[K comparable, V any] struct {
	Most     int // young values; 0 is any number
	Heaviest int // weight of the young values together; 0 is any weight

	young, old map[K]*item[V]
	weight     int // of the young values
	age        int // number of calls of Age
}

type item[V any] struct {
	value  V
	weight int
	asked  int // the age at which it was last asked for
}

// Get returns the value of a key, and whether the map had it; if not, it is the result of create.
func (m *Map[K, V]) Get(key K, create func() V) (value V, known bool) {
	if value, known = m.Ask(key); !known {
		it := &item[V]{value: create()}
		m.rejuvenate(key, it)
		return it.value, false
	}
	return value, true
}

// Ask returns the value of a key, and whether the map has it.
func (m *Map[K, V]) Ask(key K) (value V, known bool) {
	it := m.young[key]
	if it != nil {
		it.asked = m.age
		return it.value, true
	}
	if it = m.old[key]; it == nil {
		return value, false
	}
	delete(m.old, key)
	m.rejuvenate(key, it)
	return it.value, true
}

// rejuvenate makes an item that is in neither generation a young one.
func (m *Map[K, V]) rejuvenate(key K, it *item[V]) {
	if full := m.Most > 0 && len(m.young) >= m.Most || m.Heaviest > 0 && m.weight > m.Heaviest; full {
		m.young, m.old, m.weight = nil, m.young, 0
	}
	if m.young == nil {
		m.young = map[K]*item[V]{}
	}
	it.asked = m.age
	m.young[key] = it
	m.weight += it.weight
}

// Age divides runs. It forgets the values that the last n runs did not ask for, and reports whether there were
// any.
func (m *Map[K, V]) Age(n int) (forgot bool) {
	before := m.Len()
	for _, generation := range []map[K]*item[V]{m.young, m.old} {
		maps.DeleteFunc(generation, func(_ K, it *item[V]) bool { return it.asked <= m.age-n })
	}
	m.age++
	return m.Len() < before
}

// Weigh sets the weight of a value that the map has.
func (m *Map[K, V]) Weigh(key K, weight int) {
	if it := m.young[key]; it != nil {
		m.weight += weight - it.weight
		it.weight = weight
	} else if it := m.old[key]; it != nil {
		it.weight = weight
	}
}

// Delete forgets the keys whose values drop accepts.
func (m *Map[K, V]) Delete(drop func(key K, value V) bool) {
	for _, generation := range []map[K]*item[V]{m.young, m.old} {
		for key, it := range generation {
			if drop(key, it.value) {
				delete(generation, key)
			}
		}
	}
}

// Peek returns the value of a key without asking for it, and whether there is one.
func (m *Map[K, V]) Peek(key K) (value V, known bool) {
	for _, generation := range []map[K]*item[V]{m.young, m.old} {
		if it := generation[key]; it != nil {
			return it.value, true
		}
	}
	return value, false
}

// Keys yields all keys, in any order.
func (m *Map[K, V]) Keys() iter.Seq[K] {
	return func(yield func(K) bool) {
		for _, generation := range []map[K]*item[V]{m.young, m.old} {
			for key := range generation {
				if !yield(key) {
					return
				}
			}
		}
	}
}

// Remove forgets a key.
func (m *Map[K, V]) Remove(key K) {
	delete(m.young, key)
	delete(m.old, key)
}

// Len returns the number of values.
func (m *Map[K, V]) Len() int { return len(m.young) + len(m.old) }
