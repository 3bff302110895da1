package value

import "iter"

// A Dict is a plain map in insertion order. The zero Dict is empty and ready to
// use. It must not be changed once it is part of a Value that others hold.
type Dict struct {
	keys  []Key
	vals  []Value
	index map[Key]int // only past smallDict entries
}

const smallDict = 8

// NewMap returns an empty Dict with room for n entries.
func NewMap(n int) *Dict {
	return &Dict{keys: make([]Key, 0, n), vals: make([]Value, 0, n)}
}

// Set adds k or replaces its value, keeping its position.
func (d *Dict) Set(k Key, v Value) {
	if i, ok := d.find(k); ok {
		d.vals[i] = v
		return
	}
	d.keys = append(d.keys, k)
	d.vals = append(d.vals, v)
	if d.index != nil {
		d.index[k] = len(d.keys) - 1
	} else if len(d.keys) > smallDict {
		d.index = make(map[Key]int, cap(d.keys))
		for i, k := range d.keys {
			d.index[k] = i
		}
	}
}

// Delete removes k. It costs time in proportion to the size.
func (d *Dict) Delete(k Key) {
	i, ok := d.find(k)
	if !ok {
		return
	}
	d.keys = append(d.keys[:i:i], d.keys[i+1:]...)
	d.vals = append(d.vals[:i:i], d.vals[i+1:]...)
	if d.index != nil {
		clear(d.index)
		for i, k := range d.keys {
			d.index[k] = i
		}
	}
}

func (d *Dict) find(k Key) (int, bool) {
	if d.index != nil {
		i, ok := d.index[k]
		return i, ok
	}
	for i := range d.keys {
		if d.keys[i] == k {
			return i, true
		}
	}
	return 0, false
}

// Len returns the number of entries.
func (d *Dict) Len() int { return len(d.keys) }

// Keys yields the keys in order.
func (d *Dict) Keys() iter.Seq[Key] {
	return func(yield func(Key) bool) {
		for _, k := range d.keys {
			if !yield(k) {
				return
			}
		}
	}
}

// Get returns the value of k.
func (d *Dict) Get(k Key) (Value, bool, error) {
	if i, ok := d.find(k); ok {
		return d.vals[i], true, nil
	}
	return Null, false, nil
}
