package yay

import (
	"strings"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// spellings returns the patches that may put v in the place of the constant, the best
// first. Not all of them do.
func (e *literalEdit) spellings(v value.Value) []patch {
	var out []patch
	for _, s := range e.inline(v) {
		if s != "" {
			out = append(out, e.onLine(s))
		}
	}
	if !v.Is(value.StringKind) || v.Str() == "" {
		return out
	}
	blocks := e.blocks(v.Str())
	if e.oldBlock() != "" {
		return append(blocks, out...)
	}
	// A text in which quotes open twice is harder to read than lines of its own.
	n := len(out)
	if n > 0 && isHalfQuoted(out[n-1].text) {
		return append(append(out[:n-1:n-1], blocks...), out[n-1])
	}
	return append(out, blocks...)
}

// inline returns the spellings of a value on one line.
func (e *literalEdit) inline(v value.Value) []string {
	var out []string
	if s := v.Source(); s != nil && !v.Is(value.StringKind) {
		out = append(out, s.Spelling)
	}
	switch v.Kind() {
	case value.NullKind:
		return append(out, "null")
	case value.BoolKind:
		return append(out, map[bool]string{true: "true", false: "false"}[v.Bool()])
	case value.IntKind:
		if v.BigInt().BitLen() > maxDigits*4 {
			return out
		}
		return append(out, v.BigInt().String())
	case value.FloatKind:
		return append(out, value.FormatFloat(v.Float()))
	case value.ListKind:
		return []string{"[]"}
	case value.MapKind:
		return []string{"{}"}
	}
	return e.inlineText(v.Str())
}

// inlineText returns the spellings of a text on one line. One that begins with quotes
// around some of it is the last.
func (e *literalEdit) inlineText(s string) []string {
	if strings.ContainsAny(s, "\r\n") {
		return nil
	}
	if i := strings.IndexByte(s, '"'); i >= 0 {
		half := `"` + s[:i] + `"` + s[i:]
		if isSuspicious(s) {
			return []string{half}
		}
		return []string{s, half}
	}
	quoted := `"` + s + `"`
	if isWholeQuoted(e.oldText()) || isSuspicious(s) || !e.isPlain(s) {
		return []string{quoted, s}
	}
	return []string{s, quoted}
}

// isPlain reports whether a text reads as itself without quotes, as far as its words
// tell.
func (e *literalEdit) isPlain(s string) bool {
	typed := typedScalar
	if e.opts.YAMLScalars {
		typed = yamlScalar
	}
	v, err := typed(s, source.Span{})
	return err == nil && v.Is(value.StringKind)
}

// isSuspicious reports whether a text without quotes would be warned about: see
// [LintText].
func isSuspicious(s string) bool {
	f := source.NewFile("", s)
	return lintPart(f.Span(0, len(s))) != nil || flowHint(s) != ""
}

// isWholeQuoted reports whether a constant is one text in quotes.
func isWholeQuoted(s string) bool {
	return len(s) > 1 && s[0] == '"' && strings.IndexByte(s[1:], '"') == len(s)-2
}

// isHalfQuoted reports whether a constant begins with quotes that end within it.
func isHalfQuoted(s string) bool {
	s = strings.TrimLeft(s, " ")
	return strings.HasPrefix(s, `"`) && !isWholeQuoted(s)
}

// oldText returns the constant as it stands in the text, "" if it is blank.
func (e *literalEdit) oldText() string {
	m := e.mark()
	if m.value == nil {
		return ""
	}
	return e.text[m.start:m.end]
}

// oldBlock returns the introducer of the constant, "" if it has none.
func (e *literalEdit) oldBlock() string {
	if s, ok := e.mark().value.(*Scalar); ok {
		return s.Block
	}
	return ""
}

// onLine returns the patch that puts a spelling in the place of the constant. Empty
// lines at its end stay. A blank one has a place of its own behind the colon.
func (e *literalEdit) onLine(spelling string) patch {
	m := e.mark()
	if m.value == nil {
		return patch{m.end, lineEnd(e.text, m.end), " " + spelling}
	}
	return patch{m.start, e.lastLine(), spelling}
}

// lastLine returns the end of the last line of the constant that is not empty.
func (e *literalEdit) lastLine() int {
	m := e.mark()
	if e.oldBlock() == "" {
		return m.end
	}
	return lineEnd(e.text, m.start+len(strings.TrimRight(e.text[m.start:m.end], " \t\r\n")))
}
