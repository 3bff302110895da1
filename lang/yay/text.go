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
	text, err := appendText(room[:0], v, at)
	return string(text), err
}

// appendText appends the string form of a scalar.
func appendText(to []byte, v value.Value, at source.Span) ([]byte, error) {
	if s := v.Source(); s != nil && s.Spelling != "" && v.IsNumber() {
		return append(to, s.Spelling...), nil
	}
	switch v.Kind() {
	case value.StringKind:
		return append(to, v.Str()...), nil
	case value.IntKind:
		return appendInt(to, v, at)
	case value.FloatKind:
		text, err := value.Repr(v)
		return append(to, text...), err
	case value.BoolKind:
		if v.Bool() {
			return append(to, "True"...), nil
		}
		return append(to, "False"...), nil
	case value.NullKind:
		return append(to, "null"...), nil
	}
	return to, wrongType(at, "a string", v)
}

// appendInt appends an integer in decimal, which takes more time the more digits there
// are.
func appendInt(to []byte, v value.Value, at source.Span) ([]byte, error) {
	if i, ok := v.Int(); ok {
		return strconv.AppendInt(to, i, 10), nil
	}
	const bitsPerDigit = 3
	if v.BigInt().BitLen() > maxDigits*bitsPerDigit {
		return to, source.Errorf(at, source.Limit, "an integer in a text would have more than %d digits", maxDigits)
	}
	return v.BigInt().Append(to, 10), nil
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
	v := t.value()
	return v, ev.charge(len(v.Str()), source.Span{})
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
	text, err := appendText(t.plain, v, at)
	if err != nil {
		return err
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
