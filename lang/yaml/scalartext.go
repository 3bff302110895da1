package yaml

import (
	"encoding/base64"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/value"
)

// ScalarText returns a scalar as it is written on one line in a style that needs no
// lines of its own, and false if the style cannot hold it: text that readers would
// take for something else has no plain form, only text has quotes. The tag is left
// out; of bytes the base64 is returned that stands behind "!!binary".
func ScalarText(v value.Value, style Style, flow bool) (text string, ok bool) {
	s, src := v.Str(), v.Source()
	switch {
	case !v.IsScalar():
		return "", false
	case !v.Is(value.StringKind):
		return spelling(v), style == Plain
	case isBinary(s, src):
		return base64Text(s), style == DoubleQuoted
	}
	switch style {
	case Plain:
		return s, isPlain(s, src, flow)
	case SingleQuoted:
		return singleQuote(s), quotable(s)
	case DoubleQuoted:
		return doubleQuote(s), true
	}
	return "", false
}

// stringText returns a string on one line, in the best style for it.
func stringText(v value.Value, flow bool) string {
	s, src := v.Str(), v.Source()
	switch {
	case isBinary(s, src):
		return "!!binary " + base64Text(s)
	case isPlain(s, src, flow):
		return s
	}
	return quote(s)
}

// isPlain reports whether a string is written without quotes: every reader takes it for
// that text then, or the source wrote it so. Of a computed one src is nil.
func isPlain(s string, src *value.Scalar, flow bool) bool {
	kept := src != nil && src.Plain && keepsPlain(s, src.Tag)
	return (kept || safePlain(s)) && (!flow || flowPlain(s))
}

// isBinary reports whether a string is bytes: it is no text, or the source gives it as
// !!binary. It stays that, or readers that have a type for bytes would get another one.
func isBinary(s string, src *value.Scalar) bool {
	return src != nil && src.Tag == "!!binary" || !utf8.ValidString(s)
}

func base64Text(s string) string {
	return `"` + base64.StdEncoding.EncodeToString([]byte(s)) + `"`
}
