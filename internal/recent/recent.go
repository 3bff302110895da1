// Package recent keeps what was asked for of late, in memory that does not grow with the number of
// questions: files and parsed documents that many evaluations share.
package recent

import "iter"

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
}

type item[V any] struct {
	value  V
	weight int
}

// Get returns the value of a key, and whether the map had it; if not, it is the result of create.
func (m *Map[K, V]) Get(key K, create func() V) (value V, known bool) {
	if it := m.young[key]; it != nil {
		return it.value, true
	}
	it := m.old[key]
	known = it != nil
	if known {
		delete(m.old, key)
	} else {
		it = &item[V]{value: create()}
	}
	if full := m.Most > 0 && len(m.young) >= m.Most || m.Heaviest > 0 && m.weight > m.Heaviest; full {
		m.young, m.old, m.weight = nil, m.young, 0
	}
	if m.young == nil {
		m.young = map[K]*item[V]{}
	}
	m.young[key] = it
	m.weight += it.weight
	return it.value, known
}

// Age forgets the values that were not asked for since the Age before the last one.
func (m *Map[K, V]) Age() { m.young, m.old, m.weight = nil, m.young, 0 }

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
