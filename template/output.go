package template

import (
	"github.com/yaytpl/yaytpl/value"
)

// An output collects what a template writes.
type output struct {
	text    value.TextBuilder
	marks   value.Marks // of everything that was looked at
	control value.Marks // of what decided which text is written
	chunks  int         // things written
	only    value.Value // the first of them
	inside  value.Marks // the marks of what is in it
	exempt  bool        // it is a text that stays text
	held    bool        // it is not in text yet, because it may be the result as it is
	silent  bool        // nothing is written: the text of a template with a parent
}

// value returns what was written as one text. What is secret in it is that which
// expressions wrote, unless secrets decided what is written: then it is all of it.
func (o *output) value() (value.Value, error) {
	err := o.flush()
	return o.text.Value().MarkParts(o.marks).Mark(o.control), err
}

// flush writes the value that was held back.
func (o *output) flush() error {
	if !o.held {
		return nil
	}
	o.held = false
	o.marks |= o.inside
	text, err := value.Text(o.only)
	if err != nil {
		return err
	}
	return o.text.WriteValue(value.String(text).Mark(o.inside), text)
}

// decidedBy says that values with these marks decide what is written.
func (o *output) decidedBy(m value.Marks) {
	o.marks |= m
	o.control |= m
}

// watch begins to collect the marks of what one expression looks at. It returns those
// from before.
func (o *output) watch() value.Marks {
	before := o.marks
	o.marks = 0
	return before
}

// attribute ends what watch began: it returns the value of the expression with the
// marks of what the expression looked at. Where the value shows itself what it was
// made from, as joined texts and lists of marked items do, it stays as it is.
func (o *output) attribute(before value.Marks, v value.Value) value.Value {
	looked := o.marks
	o.marks |= before
	if looked &^= v.Marks(); looked == 0 || v.Is(value.UndefinedKind) || v.Is(value.FuncKind) {
		return v
	}
	return v.Mark(looked &^ markedInside(v))
}

// markedInside returns the marks of what is in a list or map as far as they are known:
// items that are computed when they are asked for are not looked at, and neither are
// those of a collection that is very large.
func markedInside(v value.Value) value.Marks {
	s := markSearch{left: maxMarkSearch}
	s.visit(v)
	return s.found
}

// maxMarkSearch is how many items markedInside looks at.
const maxMarkSearch = 10_000

type markSearch struct {
	found value.Marks
	left  int
}

func (s *markSearch) visit(v value.Value) {
	if s.left--; s.left < 0 {
		return
	}
	s.found |= v.Marks()
	switch l := v.List().(type) {
	case value.Slice:
		s.items(l)
	case *list:
		s.items(l.items)
	}
	switch m := v.Map().(type) {
	case *value.Dict:
		s.entries(m)
	case *dict:
		s.entries(m.Dict)
	case *namespace:
		s.entries(m.Dict)
	}
}

func (s *markSearch) items(items value.Slice) {
	for i := 0; i < len(items) && s.left > 0; i++ {
		s.visit(items[i])
	}
}

func (s *markSearch) entries(m *value.Dict) {
	for k := range m.Keys() {
		if s.left <= 0 {
			return
		}
		v, _, _ := m.Get(k)
		s.visit(v)
	}
}
