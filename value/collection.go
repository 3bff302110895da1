package value

import (
	"iter"
	"strconv"
	"strings"
)

// A List is an ordered sequence. At may fail, because items may be computed when
// they are asked for.
type List interface {
	Len() int
	At(i int) (Value, error)
}

// A Map maps keys to values and keeps their order. Get may fail, because values
// may be computed when they are asked for; a missing key is not a failure. What the
// keys are may fail as well: then the last of Keys is [UnknownKey].
type Map interface {
	Len() int
	Keys() iter.Seq[Key]
	Get(k Key) (v Value, ok bool, err error)
}

// Releasing is implemented by lists that can let go of what was worked out for an item
// that is not needed any more. Asked again, they work it out again.
type Releasing interface {
	Release(i int)
}

// Keyed is implemented by maps that can tell whether they have a key without working
// out what lies under it.
type Keyed interface {
	Has(k Key) (bool, error)
}

// A Key is the key of a map: text, a number, a truth value or null. The number 80
// and the text "80" are different keys with the same Text.
type Key struct {
	Text string // canonical: integers in decimal, "true", "false", "null"
	Kind Kind   // StringKind, IntKind, FloatKind, BoolKind or NullKind
}

// UnknownKey stands for keys that cannot be known: Get returns why.
var UnknownKey = Key{Text: "?", Kind: UndefinedKind}

// K returns the text key s.
func K(s string) Key { return Key{s, StringKind} }

// KeysSpelt returns the keys that a word of a path may mean, text first: 80 is the
// text "80" or the number.
func KeysSpelt(word string) []Key {
	keys := []Key{K(word)}
	switch word {
	case "true", "false":
		return append(keys, Key{word, BoolKind})
	case "null":
		return append(keys, Key{word, NullKind})
	}
	if digits := strings.TrimLeft(word, "+-"); digits != "" && strings.Trim(digits, "0123456789") == "" {
		return append(keys, Key{word, IntKind})
	}
	if _, err := strconv.ParseFloat(word, 64); err == nil {
		return append(keys, Key{word, FloatKind})
	}
	return keys
}

// KeyOf returns the key that equals a scalar v, and false if v cannot be a key.
func KeyOf(v Value) (Key, bool) {
	switch v.kind {
	case StringKind:
		return K(v.Str()), true
	case NullKind:
		return Key{"null", NullKind}, true
	case BoolKind:
		return Key{strconv.FormatBool(v.Bool()), BoolKind}, true
	case IntKind:
		if i, ok := v.Int(); ok {
			return Key{strconv.FormatInt(i, 10), IntKind}, true
		}
		return Key{v.BigInt().String(), IntKind}, true
	case FloatKind:
		return Key{FormatFloat(v.Float()), FloatKind}, true
	}
	return Key{}, false
}

// Value returns the scalar that k is.
func (k Key) Value() Value {
	switch k.Kind {
	case NullKind:
		return Null
	case BoolKind:
		return Bool(k.Text == "true")
	case IntKind:
		return parseInt(k.Text)
	case FloatKind:
		return parseFloat(k.Text)
	}
	return String(k.Text)
}

// An Annotation is what a source text says about an entry of a map or an item of
// a list beside its value. It matters to those who write the text again.
type Annotation struct {
	Head, Line, Foot string // comments, each line with its "#"; "" for none
	KeySpelling      string // how the key was written if it was written plain, else ""
	Flow             bool   // the value was written in flow style
	Tag              string // an explicit tag on a list or map that is not YAML's own
}

// Annotated is implemented by lists and maps that remember what the source wrote
// around their items. The result may be nil.
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

// KeysOf returns the keys of a map in their order, or why they cannot be known.
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

// KeyTexts yields the texts of the keys of a map, for messages: none for those that
// cannot be known.
func KeyTexts(m Map) iter.Seq[string] {
	return func(yield func(string) bool) {
		for k := range m.Keys() {
			if k != UnknownKey && !yield(k.Text) {
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

// A Func is a value that can be called.
type Func struct {
	Name string
	Call func(args Args) (Value, error)

	// Attr returns an attribute of the function, such as the index of a loop. It
	// may be nil.
	Attr func(name string) (v Value, ok bool)

	// Definition is what a language keeps of a macro or prototype, whose Call is
	// nil: only that language can use it.
	Definition any
}

// Attributes is implemented by lists whose items have names as well, such as the
// pairs of groupby. ok is false if there is none of that name.
type Attributes interface {
	Attr(name string) (v Value, ok bool, err error)
}

// Methods is implemented by lists and maps that have methods of their own, such as
// those that a template may change. ok is false if there is none of that name.
type Methods interface {
	CallMethod(name string, args Args) (v Value, ok bool, err error)
}

// Args are the arguments of a call.
type Args struct {
	Pos   []Value
	Named []Named // in source order
}

// A Named is an argument passed by name.
type Named struct {
	Name  string
	Value Value
}
