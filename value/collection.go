package value

import (
	"errors"
	"iter"
)

// A List is an ordered sequence. At may fail, because items may be computed on demand.
type List interface {
	Len() int
	At(i int) (Value, error)
}

// A Map maps keys to values in an order. Get may fail, because values may be computed on
// demand; for a missing key ok is false. The keys may be computed too: if that fails, the
// last of Keys is [UnknownKey].
type Map interface {
	Len() int
	Keys() iter.Seq[Key]
	Get(k Key) (v Value, ok bool, err error)
}

// Releasing is implemented by lists that can free an item which is no longer needed. At
// computes the item again.
type Releasing interface {
	Release(i int)
}

// Keyed is implemented by maps that can look for a key without computing its value.
type Keyed interface {
	Has(k Key) (bool, error)
}

// A Passage is a map that returns a value also where the value as a whole would be an error,
// since it contains its own place: a reader may pass through it on the way to a part of it.
type Passage interface {
	Through(k Key) (v Value, ok bool, err error)
}

// ErrEndless is the cause of the error of a value that contains its own place.
var ErrEndless = errors.New("the value contains itself")

// Through is m.Get for a reader that only passes through the value.
func Through(m Map, k Key) (Value, bool, error) {
	if p, ok := m.(Passage); ok {
		return p.Through(k)
	}
	return m.Get(k)
}

// Discreet is implemented by maps that may have private keys, which are no part of the output.
type Discreet interface {
	// Public returns the map without its private keys. Those of maps in it are still there.
	Public() Map
}

// Public returns v without its private keys, if it is a map that has any; of the values in v it
// removes none. Everything that prints, compares or stores a whole value calls it for each map on
// the way. What looks for one key does not.
func Public(v Value) Value {
	if v.kind != MapKind {
		return v
	}
	if m, ok := v.ref.(Discreet); ok {
		v.ref = m.Public()
	}
	return v
}

// An Annotation has the comments and the style of an entry of a map or an item of a list
// in the source text. Encoders use it.
type Annotation struct {
	Head, Line, Foot string // comments, each line with its "#"; "" for none
	KeySpelling      string // the spelling of a plain key, else ""
	Flow             bool   // the value was written in flow style
	Secret           bool   // the comments are in an encrypted file
	Tag              string // an explicit tag on a list or map that is not YAML's own
}

// Annotated is implemented by lists and maps that keep annotations. The result may be
// nil.
type Annotated interface {
	// AnnotationAt returns the annotation of the i-th item or entry.
	AnnotationAt(i int) *Annotation
}

// Slice is a plain list.
type Slice []Value

// Len returns the number of items.
func (s Slice) Len() int { return len(s) }

// At returns item i.
func (s Slice) At(i int) (Value, error) { return s[i], nil }

// ListOf returns a list of the given values.
func ListOf(vs ...Value) Value { return FromList(Slice(vs)) }

// KeysOf returns the keys of a map in order, or the error of computing them.
func KeysOf(m Map) ([]Key, error) {
	keys := make([]Key, 0, m.Len())
	for k := range m.Keys() {
		if k == UnknownKey {
			_, _, err := m.Get(k)
			return nil, err
		}
		keys = append(keys, k)
	}
	return keys, nil
}

// NoteAt returns the annotation of item or entry i of a list or map, nil if it has none.
func NoteAt(v Value, i int) *Annotation {
	if notes, ok := v.ref.(Annotated); ok {
		return notes.AnnotationAt(i)
	}
	return nil
}

// KeyValues yields the keys of a map, each also as a scalar. A number has the spelling of
// the source.
func KeyValues(m Map) iter.Seq2[Key, Value] {
	return func(yield func(Key, Value) bool) {
		i := -1
		for k := range m.Keys() {
			i++
			v := k.Value()
			if v.IsNumber() {
				if note := NoteAt(FromMap(m), i); note != nil && note.KeySpelling != "" {
					v = v.WithSource(Scalar{Spelling: note.KeySpelling, Plain: true})
				}
			}
			if !yield(k, v) {
				return
			}
		}
	}
}

// KeyScalars returns the keys of a map as [KeyValues] yields them, or the error of computing
// them.
func KeyScalars(m Map) ([]Value, error) {
	keys := make([]Value, 0, m.Len())
	for k, v := range KeyValues(m) {
		if k == UnknownKey {
			_, _, err := m.Get(k)
			return nil, err
		}
		keys = append(keys, v)
	}
	return keys, nil
}

// KeyTexts yields the texts of the keys of a map, for messages, without [UnknownKey].
func KeyTexts(m Map) iter.Seq[string] {
	return func(yield func(string) bool) {
		for k := range m.Keys() {
			if k != UnknownKey && !yield(k.Text) {
				return
			}
		}
	}
}

// TextKeys yields names as keys: the Keys of a map whose keys are texts.
func TextKeys(names iter.Seq[string]) iter.Seq[Key] {
	return func(yield func(Key) bool) {
		for name := range names {
			if !yield(K(name)) {
				return
			}
		}
	}
}

// Items yields the items of a list until one fails.
func Items(l List) iter.Seq2[Value, error] {
	return func(yield func(Value, error) bool) {
		for i := range l.Len() {
			v, err := l.At(i)
			if !yield(v, err) || err != nil {
				return
			}
		}
	}
}

// ItemsOf returns the items of a list, or the error of computing them.
func ItemsOf(l List) ([]Value, error) {
	items := make([]Value, 0, l.Len())
	for item, err := range Items(l) {
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	return items, nil
}

// A Dict is a plain map in insertion order. The zero Dict is empty and ready to use. It
// must not be changed once it is part of a shared Value.
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

// Delete removes k. It takes time proportional to the size.
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

// SliceOf returns the items that Python's slice [from:to:step] selects of n items: the
// first, the distance between them, and their number. Missing bounds are nil; the step is
// not 0.
func SliceOf(n int, bounds [3]*int64) (first, step, count int) {
	size, by := int64(n), int64(1)
	if bounds[2] != nil {
		by = min(max(*bounds[2], -size-1), size+1)
	}
	low, high := int64(0), size
	if by < 0 {
		low, high = -1, size-1
	}
	from, to := low, high
	if by < 0 {
		from, to = high, low
	}
	if bounds[0] != nil {
		from = clampBound(*bounds[0], size, low, high)
	}
	if bounds[1] != nil {
		to = clampBound(*bounds[1], size, low, high)
	}
	towards := int64(1)
	if by < 0 {
		towards = -1
	}
	return int(from), int(by), int(max(0, (to-from+by-towards)/by))
}

func clampBound(i, size, low, high int64) int64 {
	if i < 0 {
		i += size
	}
	return min(max(i, low), high)
}
