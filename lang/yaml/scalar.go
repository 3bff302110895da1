package yaml

import (
	"encoding/base64"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// ScalarValue returns the data of a scalar with a tag, which may be "", a text and a style.
//
// Code: bad-value for a text that does not fit the tag.
func ScalarValue(tag, text string, style Style) (value.Value, *source.Diagnostic) {
	return scalarValue(&Node{Style: style, Parts: &Parts{Details: &Details{Tag: tag}}}, text)
}

// scalarValue returns the data of a scalar. The style, tag and place of n are set already.
func scalarValue(n *Node, text string) (value.Value, *source.Diagnostic) {
	switch {
	case n.Tag != "":
		return taggedScalar(n.Tag, text, n.Style, n.At)
	case n.Style == Plain:
		return plainScalar(text), nil
	}
	return value.String(text), nil
}

// plainScalar returns the data of an untagged plain scalar by YAML 1.2's core schema, with
// binary integers added (design: decisions, "YAML and JSON details"). Scalars that YAML 1.1
// reads differently keep their spelling: yes is text, 010 is the integer 10.
func plainScalar(text string) value.Value {
	if isWord(text) {
		return value.String(text)
	}
	if v, ok := resolve(text); ok {
		return spelled(v, text)
	}
	v := value.String(text)
	if !safePlain(text) { // the encoder would quote it
		v = v.WithSource(value.Scalar{Plain: true})
	}
	return v
}

// spelled adds the spelling to a value if it is not the canonical one.
func spelled(v value.Value, text string) value.Value {
	decimal := v.Is(value.IntKind) && text != "" && text[0] >= '1' && text[0] <= '9' && allDigits(text)
	if decimal || text == "" || canonical(v) == text {
		return v
	}
	return v.WithSource(value.Scalar{Spelling: text, Plain: true})
}

// canonical returns the text of a computed scalar.
func canonical(v value.Value) string {
	switch v.Kind() {
	case value.NullKind:
		return "null"
	case value.BoolKind:
		return strconv.FormatBool(v.Bool())
	case value.IntKind:
		if i, ok := v.Int(); ok {
			return strconv.FormatInt(i, 10)
		}
		return v.BigInt().String()
	case value.FloatKind:
		return value.FormatFloat(v.Float())
	}
	return v.Str()
}

// resolve returns the null, boolean or number that a plain scalar spells. It returns false
// for text.
func resolve(s string) (value.Value, bool) {
	if s == "" {
		return value.Null, true
	}
	switch c := s[0]; {
	case c == '~' && len(s) == 1:
		return value.Null, true
	case c == 'n' || c == 'N' || c == 't' || c == 'T' || c == 'f' || c == 'F':
		return resolveWord(s)
	case c == '.' || c == '-' || c == '+' || c >= '0' && c <= '9':
		return resolveNumber(s)
	}
	return value.Null, false
}

func resolveWord(s string) (value.Value, bool) {
	switch s {
	case "null", "Null", "NULL":
		return value.Null, true
	case "true", "True", "TRUE":
		return value.True, true
	case "false", "False", "FALSE":
		return value.False, true
	}
	return value.Null, false
}

// resolveNumber returns the number that a plain scalar spells: 12, 0x1F, 0o17, 0b1, 1.5e3, .inf
// or .nan. All but the last may have a sign. It returns false for text.
func resolveNumber(s string) (value.Value, bool) {
	unsigned := unsigned(s)
	if allDigits(unsigned) {
		return parseInt(s, 10)
	}
	if !maybeNumber(unsigned) {
		return value.Null, false
	}
	if digits, base := value.CutBase(unsigned); base != 10 {
		if digits[0] == '-' || digits[0] == '+' {
			return value.Null, false
		}
		return parseInt(s[:len(s)-len(unsigned)]+digits, base)
	}
	switch unsigned {
	case ".inf", ".Inf", ".INF":
		return value.Float(math.Inf(1 - 2*strings.Count(s[:1], "-"))), true
	case ".nan", ".NaN", ".NAN":
		return value.Float(math.NaN()), s == unsigned
	}
	if !isFloat(unsigned) {
		return value.Null, false
	}
	f, err := strconv.ParseFloat(s, 64)
	return value.Float(f), err == nil || math.IsInf(f, 0)
}

// maybeNumber reports whether a text has only bytes that numbers of YAML 1.1 and 1.2 have. Most texts that begin like
// a number have others: 10s, 1Gi, 127.0.0.1/8.
func maybeNumber(s string) bool {
	for i := range len(s) {
		if !numberBytes[s[i]] {
			return false
		}
	}
	return true
}

var numberBytes = [256]bool{
	'0': true, '1': true, '2': true, '3': true, '4': true, '5': true, '6': true, '7': true, '8': true, '9': true, '_': true, '.': true, ':': true, '+': true, '-': true,
	'a': true, 'b': true, 'c': true, 'd': true, 'e': true, 'f': true, 'A': true, 'B': true, 'C': true, 'D': true, 'E': true, 'F': true,
	'x': true, 'X': true, 'o': true, 'O': true, 'i': true, 'I': true, 'n': true, 'N': true,
}

// unsigned returns a number without its sign.
func unsigned(s string) string {
	if s[0] == '-' || s[0] == '+' {
		return s[1:]
	}
	return s
}

// parseInt returns the integer of any size that digits, with an optional sign, spell in a
// base. It returns false for other characters, underscores included, and for more than
// maxDigits digits.
func parseInt(digits string, base int) (value.Value, bool) {
	if len(unsigned(digits)) > maxDigits {
		return value.Null, false
	}
	return value.ParseInt(digits, base)
}

// maxDigits is the most digits of an integer, since converting takes more than linear
// time. Longer ones are text.
const maxDigits = 100_000

func allDigits(s string) bool { return s != "" && countDigits(s) == len(s) }

// isFloat matches (\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?
func isFloat(s string) bool {
	whole := countDigits(s)
	s = s[whole:]
	if s != "" && s[0] == '.' {
		fraction := countDigits(s[1:])
		if whole+fraction == 0 {
			return false
		}
		s = s[1+fraction:]
	} else if whole == 0 {
		return false
	}
	if s == "" {
		return true
	}
	if s[0] != 'e' && s[0] != 'E' {
		return false
	}
	s = s[1:]
	if s != "" && (s[0] == '-' || s[0] == '+') {
		s = s[1:]
	}
	return allDigits(s)
}

func countDigits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

// coreTag returns the short form of one of YAML's own tags ("!!str"), or "" for another tag.
func coreTag(tag string) string {
	name, ok := strings.CutPrefix(tag, "!!")
	if !ok {
		name, ok = strings.CutPrefix(tag, "!<tag:yaml.org,2002:")
		name = strings.TrimSuffix(name, ">")
	}
	if !ok {
		return ""
	}
	switch name {
	case "str", "int", "float", "bool", "null", "binary", "map", "seq":
		return "!!" + name
	}
	return ""
}

// taggedScalar returns the data of a scalar with an explicit tag.
func taggedScalar(tag, text string, style Style, at source.Span) (value.Value, *source.Diagnostic) {
	switch core := coreTag(tag); core {
	case "!!str":
		return value.String(text), nil
	case "!!map", "!!seq":
		return value.String(text), source.Errorf(at, source.BadValue, "%q does not match the tag %s", text, tag)
	case "!!int", "!!float", "!!bool", "!!null":
		v, ok := convertTo(core, text)
		if !ok {
			return value.String(text), source.Errorf(at, source.BadValue, "%q does not match the tag %s", text, tag)
		}
		if plain, ok := resolve(text); !ok || plain.Kind() != v.Kind() {
			return v, nil // without the tag the text has another kind
		}
		return spelled(v, text), nil
	case "!!binary":
		compact := strings.Join(strings.Fields(text), "")
		data, err := base64.StdEncoding.DecodeString(compact)
		if err != nil {
			return value.String(text), notBase64(at, err)
		}
		return value.String(string(data)).WithSource(value.Scalar{Tag: "!!binary", Spelling: compact}), nil
	}
	if tag == "!" {
		return value.String(text), nil
	}
	return value.String(text).WithSource(value.Scalar{Tag: tag, Plain: style == Plain}), nil
}

// convertTo returns text as the type of a tag, and false if it does not fit.
func convertTo(tag, text string) (value.Value, bool) {
	v, ok := resolve(text)
	switch tag {
	case "!!int":
		return v, ok && v.Is(value.IntKind)
	case "!!float":
		if !ok || !v.IsNumber() {
			return v, false
		}
		return value.Float(v.Float()), true
	case "!!bool":
		switch strings.ToLower(text) {
		case "yes", "on", "y":
			return value.True, true
		case "no", "off", "n":
			return value.False, true
		}
		return v, ok && v.Is(value.BoolKind)
	}
	return v, ok && v.IsNull()
}

// notBase64 returns the error of decoding a value of !!binary.
func notBase64(at source.Span, err error) *source.Diagnostic {
	d := source.Errorf(at, source.BadValue, "!!binary needs base64")
	if n, ok := err.(base64.CorruptInputError); ok {
		d.Message += fmt.Sprintf(": byte %d is not a character of it", int64(n)+1)
	}
	return d.WithHint("base64 has A-Z, a-z, 0-9, +, / and = at its end")
}
