package value

import (
	"strings"
	"unsafe"
)

// What stands for a value that must not be shown.
const (
	SensitiveText = "<<REDACTED>>"
	SecretText    = "*****"
)

// Masked returns what stands for v where it must not be shown: SensitiveText, or the
// text of v with [SecretText] for its secret parts (spec: yay, section 9). A value that
// is secret as a whole, which all are but texts of a [TextBuilder], is SecretText. The
// result is false if v has no mark. What is in a list or map does not count.
func Masked(v Value) (string, bool) {
	switch {
	case v.marks&Sensitive != 0:
		return SensitiveText, true
	case v.marks&Secret == 0:
		return "", false
	}
	if j, ok := v.ref.(*joined); ok {
		return j.masked, true
	}
	return SecretText, true
}

// A joined is a text of which only parts are secret. The masked form is kept, and not
// the places of the parts: it is what everybody asks for, and the parts of a joined
// text in another joined text are simply part of it.
type joined struct{ text, masked string }

// Mark returns v with the marks m added: v as a whole is marked. A text that was secret
// in part is secret as a whole afterwards if m says so, since m comes from something
// that decided about all of it.
func (v Value) Mark(m Marks) Value {
	if m&Secret != 0 {
		v = v.withoutParts()
	}
	v.marks |= m
	return v
}

// MarkParts returns v with the marks m added, which come from the parts that v was
// joined from: what [Masked] shows of it stays shown. A value that was not joined by a
// [TextBuilder] is marked as a whole.
func (v Value) MarkParts(m Marks) Value {
	v.marks |= m
	return v
}

// withoutParts returns v as if it had not been joined.
func (v Value) withoutParts() Value {
	if j, ok := v.ref.(*joined); ok {
		v.num, v.ref = uint64(len(j.text)), stringptr(unsafe.StringData(j.text))
	}
	return v
}

// A TextBuilder joins texts to one, with the marks of all of them, and remembers which
// parts are secret: [Masked] shows the others. As long as nothing secret is written it
// costs what a [strings.Builder] costs. The zero TextBuilder is empty; it must not be
// copied once it is used.
type TextBuilder struct {
	text   strings.Builder
	masked *strings.Builder // the same with the secret parts masked; nil if there are none
	marks  Marks
}

// Len returns the length of the text so far, in bytes.
func (b *TextBuilder) Len() int { return b.text.Len() }

// String returns the text so far, secrets included.
func (b *TextBuilder) String() string { return b.text.String() }

// WriteString adds a text without marks, such as what stands between the expressions
// of a template.
func (b *TextBuilder) WriteString(s string) {
	b.text.WriteString(s)
	if b.masked != nil {
		b.masked.WriteString(s)
	}
}

// WriteValue adds a text that was made from v, with the marks of v and of everything
// in it. If it is the text of v itself, then what is shown of v stays shown; any other
// text that was made from a secret is secret as a whole. The error is that of
// [DeepMarks].
func (b *TextBuilder) WriteValue(v Value, text string) error {
	if v.kind != ListKind && v.kind != MapKind {
		b.write(v, text)
		return nil
	}
	marks, err := DeepMarks(v)
	if err != nil {
		return err
	}
	b.write(v.Mark(marks), text)
	return nil
}

func (b *TextBuilder) write(v Value, text string) {
	if v.marks&Secret == 0 {
		b.marks |= v.marks
		b.WriteString(text)
		return
	}
	shown := SecretText
	if j, ok := v.ref.(*joined); ok && j.text == text {
		shown = j.masked
	}
	if b.masked == nil {
		b.masked = &strings.Builder{}
		b.masked.WriteString(b.text.String())
	}
	b.marks |= v.marks
	b.text.WriteString(text)
	b.masked.WriteString(shown)
}

// Value returns the text with its marks.
func (b *TextBuilder) Value() Value {
	v := String(b.text.String())
	if b.masked != nil && b.masked.String() != SecretText {
		v.ref = &joined{v.Str(), b.masked.String()}
	}
	return v.MarkParts(b.marks)
}
