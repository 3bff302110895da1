package yay

import (
	"strconv"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// textOf returns the string form of a scalar (spec: yay, section 3): of a number from
// a source its spelling, of others what Python writes, of null "null". A list or a
// mapping is a type error.
func textOf(v value.Value, at source.Span) (string, error) {
	if v.Is(value.StringKind) {
		return v.Str(), nil
	}
	var room [32]byte
	text, ok := appendText(room[:0], v)
	if !ok {
		return "", wrongType(at, "a string", v)
	}
	return string(text), nil
}

// appendText appends the string form of a scalar, and returns false for other values.
func appendText(to []byte, v value.Value) ([]byte, bool) {
	switch v.Kind() {
	case value.StringKind:
		return append(to, v.Str()...), true
	case value.IntKind:
		if s := v.Source(); s != nil && s.Spelling != "" {
			return append(to, s.Spelling...), true
		}
		if i, ok := v.Int(); ok {
			return strconv.AppendInt(to, i, 10), true
		}
		return v.BigInt().Append(to, 10), true
	case value.FloatKind:
		if s := v.Source(); s != nil && s.Spelling != "" {
			return append(to, s.Spelling...), true
		}
		text, err := value.Repr(v)
		return append(to, text...), err == nil
	case value.BoolKind:
		if v.Bool() {
			return append(to, "True"...), true
		}
		return append(to, "False"...), true
	case value.NullKind:
		return append(to, "null"...), true
	}
	return to, false
}

// joinText returns a text of literal parts and expressions, with the marks of all of
// them. It is a limit error if it becomes too long.
func joinText(parts []Part, in surroundings) (value.Value, error) {
	ev := evaluator{in: in}
	t := textJoin{max: in.MaxText()}
	for i := range parts {
		p := &parts[i]
		if p.Node == nil {
			if err := t.addText(p.Text, p.At); err != nil {
				return value.Null, err
			}
			continue
		}
		v, err := ev.operand(p.Node)
		if err == nil {
			err = t.add(v, p.Node.Span())
		}
		if err != nil {
			return value.Null, err
		}
	}
	return t.value(), nil
}

func (ev evaluator) concat(n *expr.Concat) (value.Value, error) {
	t := textJoin{max: ev.in.MaxText()}
	for _, p := range n.Parts {
		v, err := ev.operand(p)
		if err == nil {
			err = t.add(v, p.Span())
		}
		if err != nil {
			return value.Null, err
		}
	}
	return t.value(), nil
}

// A textJoin joins texts. As long as nothing in it is secret it is only bytes; then a
// builder remembers which parts are.
type textJoin struct {
	max   int
	room  [64]byte
	plain []byte
	parts *value.TextBuilder
	marks value.Marks
}

// add adds the string form of a scalar.
func (t *textJoin) add(v value.Value, at source.Span) error {
	if v.Marks() == 0 && t.parts == nil {
		return t.addPlain(v, at)
	}
	text, err := textOf(v, at)
	if err != nil {
		return err
	}
	if err := t.grow(len(text), at); err != nil {
		return err
	}
	if t.parts == nil {
		t.parts = &value.TextBuilder{}
		t.parts.WriteString(string(t.plain))
	}
	return t.parts.WriteValue(v, text)
}

func (t *textJoin) addPlain(v value.Value, at source.Span) error {
	if v.Is(value.StringKind) {
		return t.addText(v.Str(), at)
	}
	if t.plain == nil {
		t.plain = t.room[:0]
	}
	text, ok := appendText(t.plain, v)
	if !ok {
		return wrongType(at, "a string", v)
	}
	t.plain = text
	return t.grow(0, at)
}

// addText adds a text without marks.
func (t *textJoin) addText(s string, at source.Span) error {
	if err := t.grow(len(s), at); err != nil {
		return err
	}
	if t.parts != nil {
		t.parts.WriteString(s)
		return nil
	}
	if t.plain == nil {
		t.plain = t.room[:0]
	}
	t.plain = append(t.plain, s...)
	return nil
}

// grow refuses what would make the text too long.
func (t *textJoin) grow(n int, at source.Span) error {
	size := len(t.plain)
	if t.parts != nil {
		size = t.parts.Len()
	}
	if size+n > t.max {
		return tooLong(at, t.max)
	}
	return nil
}

func tooLong(at source.Span, limit int) error {
	return source.Errorf(at, source.Limit, "a text would be longer than %d bytes", limit)
}

// value returns the text. What looks like a template in it is none.
func (t *textJoin) value() value.Value {
	if t.parts != nil {
		return t.parts.Value().Verbatim()
	}
	return value.String(string(t.plain)).Verbatim()
}
