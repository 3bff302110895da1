package value

import "strings"

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
