package template

import (
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// items returns what a loop or an unpacking goes through: the items of a list, the
// keys of a map, the characters of a text. They have the marks of v.
func (r *run) items(v value.Value, at source.Span) (value.List, error) {
	switch v.Kind() {
	case value.ListKind:
		if l, ok := v.List().(*list); ok {
			return marked(append(value.Slice(nil), l.items...), v.Marks()), nil // the loop may change it
		}
		return marked(v.List(), v.Marks()), nil
	case value.MapKind:
		return keysOf(v), nil
	case value.StringKind:
		return r.characters(v, at)
	case value.UndefinedKind:
		if r.lenient {
			return value.Slice(nil), nil
		}
		return nil, expr.Raise(v)
	}
	return nil, source.Errorf(at, source.BadType, "cannot go through %s", value.Article(v.Kind()))
}

func keysOf(m value.Value) value.Slice {
	keys := make(value.Slice, 0, m.Map().Len())
	for k := range m.Map().Keys() {
		keys = append(keys, k.Value().Mark(m.Marks()))
	}
	return keys
}

// maxCharacters bounds the text that a loop goes through: each character is a value.
const maxCharacters = 4 << 20

func (r *run) characters(text value.Value, at source.Span) (value.List, error) {
	n := utf8.RuneCountInString(text.Str())
	if n > maxCharacters {
		return nil, source.Errorf(at, source.Limit, "a loop goes through at most %d characters, and the text has more", maxCharacters)
	}
	chars := make(value.Slice, 0, n)
	for _, c := range text.Str() {
		if err := r.grown(len(chars)); err != nil {
			return nil, err
		}
		chars = append(chars, value.String(string(c)).Mark(text.Marks()))
	}
	return chars, nil
}

// grown counts steps for a list that has n items and gets another. A short text or a
// list that is added to itself makes many items, and memory is looked at when steps are
// counted.
func (r *run) grown(n int) error {
	if n%itemsCounted != 0 {
		return nil
	}
	return r.base.Env.Step(itemsCounted)
}

const itemsCounted = 1024

// marked returns a list whose items have the marks m.
func marked(l value.List, m value.Marks) value.List {
	if m == 0 {
		return l
	}
	return markedList{l, m}
}

type markedList struct {
	value.List
	marks value.Marks
}

// At returns item i.
func (l markedList) At(i int) (value.Value, error) {
	v, err := l.List.At(i)
	return v.Mark(l.marks), err
}
