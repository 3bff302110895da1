package value

import "unsafe"

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
