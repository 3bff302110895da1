package value

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Key is the key of a map: text, a number, a truth value or null. The number 80
// and the text "80" are different keys with the same Text.
type Key struct {
	Text string // canonical: integers in decimal, "true", "false", "null"
	Kind Kind   // StringKind, IntKind, FloatKind, BoolKind or NullKind
}

// UnknownKey is yielded in place of keys that cannot be computed; Get returns the error.
var UnknownKey = Key{Text: "?", Kind: UndefinedKind}

// K returns the text key s.
func K(s string) Key { return Key{s, StringKind} }

// Index returns the key of a list item.
func Index(i int) Key { return Key{strconv.Itoa(i), IntKind} }

// KeysSpelt returns the keys that a word of a path may mean, text first: 80 is the text
// "80" or the number. The key of a number has one spelling, so that 080 is no number.
func KeysSpelt(word string) []Key {
	keys := []Key{K(word)}
	switch word {
	case "true", "false":
		return append(keys, Key{word, BoolKind})
	case "null":
		return append(keys, Key{word, NullKind})
	}
	if digits := strings.TrimLeft(word, "+-"); digits != "" && strings.Trim(digits, "0123456789") == "" {
		return append(keys, Key{word, IntKind})
	}
	if mayBeFloat(word) {
		if _, err := strconv.ParseFloat(word, 64); err == nil {
			return append(keys, Key{word, FloatKind})
		}
	}
	return keys
}

// mayBeFloat reports whether a word begins as a float does: ParseFloat makes an error of every other word, and most
// words are names.
func mayBeFloat(word string) bool {
	return word != "" && strings.IndexByte("0123456789+-.iInN", word[0]) >= 0
}

// KeyOf returns the key that equals a scalar, and false if v cannot be a key.
func KeyOf(v Value) (Key, bool) {
	switch v.kind {
	case StringKind:
		return K(v.Str()), true
	case NullKind:
		return Key{"null", NullKind}, true
	case BoolKind:
		return Key{strconv.FormatBool(v.Bool()), BoolKind}, true
	case IntKind:
		if i, ok := v.Int(); ok {
			return Key{strconv.FormatInt(i, 10), IntKind}, true
		}
		return Key{v.BigInt().String(), IntKind}, true
	case FloatKind:
		return Key{FormatFloat(v.Float()), FloatKind}, true
	}
	return Key{}, false
}

// KeyFor is [KeyOf] with an error for values that cannot be keys.
func KeyFor(v Value) (Key, error) {
	k, ok := KeyOf(v)
	if !ok {
		return k, fmt.Errorf("%s cannot be a key", Article(v.kind))
	}
	return k, nil
}

// Value returns the key as a scalar.
func (k Key) Value() Value {
	switch k.Kind {
	case NullKind:
		return Null
	case BoolKind:
		return Bool(k.Text == "true")
	case IntKind:
		v, _ := ParseInt(k.Text, 10)
		return v
	case FloatKind:
		return parseFloat(k.Text)
	}
	return String(k.Text)
}

// A Path has the keys from the root of a document to a place in it. List indexes are
// integer keys.
type Path []Key

// With returns the path with one more key, in memory of its own.
func (p Path) With(k Key) Path { return append(slices.Clip(p), k) }

// String writes the path in the syntax of the command line: a.b[0]."x.y". The root is
// ".".
func (p Path) String() string {
	if len(p) == 0 {
		return "."
	}
	var b strings.Builder
	for i, k := range p {
		switch {
		case k.Kind == IntKind:
			b.WriteString("[" + k.Text + "]")
			continue
		case i > 0:
			b.WriteByte('.')
		}
		if k.Kind == StringKind && k.Text != "" && k.Text != "*" && !strings.ContainsAny(k.Text, ".[]\"'\\ ") && !isSegments(k.Text, i) {
			b.WriteString(k.Text)
		} else {
			b.WriteString(strconv.Quote(k.Text))
		}
	}
	return b.String()
}

// isSegments reports whether a key would be read as segments. At the start of a path the exact key
// a::b wins.
func isSegments(key string, i int) bool {
	if !strings.Contains(key, "::") {
		return false
	}
	parts := strings.Split(key, "::")
	return i > 0 || slices.Contains(parts, "") || slices.Contains(parts, "*")
}

// Pointer writes the path as a JSON pointer (RFC 6901).
func (p Path) Pointer() string {
	var b strings.Builder
	for _, k := range p {
		b.WriteByte('/')
		b.WriteString(strings.ReplaceAll(strings.ReplaceAll(k.Text, "~", "~0"), "/", "~1"))
	}
	return b.String()
}
