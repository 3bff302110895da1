package value

import (
	"errors"
	"fmt"
	"strings"
	"unsafe"
)

// The texts that replace a value that must not be shown.
const (
	SensitiveText = "<<REDACTED>>"
	SecretText    = "*****"
)

// Masked returns the replacement of v where it must not be shown: SensitiveText, or the
// text of v with [SecretText] in place of its secret parts (spec: yay, section 9). All of
// v is one secret part unless a [TextBuilder] made it. The result is false if v has no
// mark; the items of a list or map do not count.
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

// String returns the text of a scalar in its spelling, as [Masked] if it is secret, and the kind of any other
// value, such as "a map". It evaluates nothing.
func (v Value) String() string {
	if masked, ok := Masked(v); ok {
		return masked
	}
	if !v.IsScalar() {
		return Article(v.kind)
	}
	if s := v.Source(); s != nil && s.Spelling != "" && !v.Is(StringKind) {
		return s.Spelling
	}
	k, _ := KeyOf(v) // every scalar can be a key
	return k.Text
}

// Format implements [fmt.Formatter] for all verbs, so that no secret gets into a log: it formats the text of
// [Value.String].
func (v Value) Format(s fmt.State, verb rune) {
	if !strings.ContainsRune("sqxX", verb) {
		verb = 's'
	}
	fmt.Fprintf(s, fmt.FormatString(s, verb), v.String())
}

// MarshalJSON returns an error: encoding/json would write {} for a Value, whose data is evaluated when it is asked for.
func (v Value) MarshalJSON() ([]byte, error) { return nil, errMarshal }

// MarshalYAML returns an error, as MarshalJSON does.
func (v Value) MarshalYAML() (any, error) { return nil, errMarshal }

var errMarshal = errors.New("a value.Value is not written by other packages: use WriteValue of a Project, or Decode it into data of Go")

// A joined is a text of which only parts are secret. It has the masked form instead of
// the places of the parts: that is the form that callers need, and a joined text is
// easily joined again.
type joined struct{ text, masked string }

// Mark returns v with the marks m added to all of it. A text of which parts are secret is
// secret as a whole afterwards if m has [Secret].
func (v Value) Mark(m Marks) Value {
	if m&Secret != 0 {
		v = v.withoutParts()
	}
	v.marks |= m
	return v
}

// MarkParts returns v with the marks m of the parts that v was joined from: [Masked]
// shows the same parts as before. A value that no [TextBuilder] made is marked as a
// whole.
func (v Value) MarkParts(m Marks) Value {
	v.marks |= m
	return v
}

// withoutParts returns v as a text without secret parts of its own.
func (v Value) withoutParts() Value {
	if j, ok := v.ref.(*joined); ok {
		v.num, v.ref = uint64(len(j.text)), stringptr(unsafe.StringData(j.text))
	}
	return v
}

// A TextBuilder joins texts. The result has the marks of all of them, and [Masked] shows
// the parts that are not secret. Without secrets it costs as much as a [strings.Builder].
// The zero TextBuilder is empty. It must not be copied after use.
type TextBuilder struct {
	text   strings.Builder
	masked *strings.Builder // the same with the secret parts masked; nil if there are none
	marks  Marks
}

// Len returns the length of the text so far, in bytes.
func (b *TextBuilder) Len() int { return b.text.Len() }

// String returns the text so far, secrets included.
func (b *TextBuilder) String() string { return b.text.String() }

// WriteString adds a text without marks, such as that between the expressions of a
// template.
func (b *TextBuilder) WriteString(s string) {
	b.text.WriteString(s)
	if b.masked != nil {
		b.masked.WriteString(s)
	}
}

// WriteValue adds a text that was made from v, with the marks of v and of everything in
// it. The text of v itself keeps the parts that are not secret; any other text that was
// made from a secret is secret as a whole. It returns the error of [DeepMarks].
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
