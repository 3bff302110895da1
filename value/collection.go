package value

import "iter"

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
