package value

import (
	"strings"
)

// Same reports whether two values are the same to whoever edits a document: of one kind
// (1 is not 1.0), with one tag, and equal; a map in any order.
func Same(a, b Value) (bool, error) {
	c := Comparison{known: &Pairs{}}
	return c.Equal(a, b)
}

// Alike is [Same] but for numbers, which compare by value: 1 is like 1.0, as in a test of JSON Patch
// (RFC 6902, section 4.6).
func Alike(a, b Value) (bool, error) {
	c := Comparison{known: &Pairs{}, alike: true}
	return c.Equal(a, b)
}

// differ reports whether an edit sees two values as different, though they may be equal.
func (c *Comparison) differ(a, b Value) bool {
	numbers := a.IsNumber() && b.IsNumber()
	return a.kind != b.kind && !(c.alike && numbers) || OwnTag(a) != OwnTag(b)
}

// Fingerprint returns a number that is the same for values that are the [Same], and by all odds another
// for others. The work is charged, and bounded, as in [EqualCharged].
func Fingerprint(v Value, charge func(steps int) error) (uint64, error) {
	c := Comparison{Charge: charge, exact: true}
	return c.Hash(v)
}

// OwnTag returns the tag of a scalar, "" for none and for a tag of YAML itself, which only names
// its kind.
func OwnTag(v Value) string {
	if s := v.Source(); s != nil && !strings.HasPrefix(s.Tag, "!!") {
		return s.Tag
	}
	return ""
}
