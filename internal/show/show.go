package show

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Value returns a value on one line: {...} for any map, [...] for any list. Secrets are
// masked unless reveal is set.
func Value(v value.Value, reveal bool) string {
	if masked, hidden := value.Masked(v); hidden && !reveal {
		return Text(masked)
	}
	switch v.Kind() {
	case value.MapKind:
		return "{...}"
	case value.ListKind:
		return "[...]"
	case value.StringKind:
		return Text(v.Str())
	}
	if s := v.Source(); s != nil && s.Spelling != "" {
		return s.Spelling
	}
	k, _ := value.KeyOf(v)
	return k.Text
}

// maxText is the length in bytes that [Cut] leaves of a text.
const maxText = 100

// Text returns a text on one line, cut if it is long. An empty one, and one with quotes,
// control characters or space around it is quoted.
func Text(s string) string {
	s = Cut(s)
	special := func(r rune) bool { return r == '"' || !strconv.IsPrint(r) }
	if strings.ContainsFunc(s, special) || s == "" || s != strings.TrimSpace(s) {
		return fmt.Sprintf("%q", s)
	}
	return s
}

// Cut is [source.Cut] at maxText.
func Cut(s string) string { return source.Cut(s, maxText) }

// CallsSensitive reports whether the text of a template may call "sensitive". Its argument
// may be a literal in the text, {{ 'hunter2' | sensitive }}, which is marked only when it
// is evaluated.
func CallsSensitive(text string) bool {
	return expr.IsTemplate(text) && strings.Contains(text, "sensitive")
}

// InsideSensitive reports whether keys of the source lead into the argument of "sensitive"
// in an expression object, such as eval, sensitive in {eval: {sensitive: hunter2}}.
func InsideSensitive(keys value.Path) bool {
	object := slices.Index(keys, value.K("eval"))
	return object >= 0 && slices.Contains(keys[object:], value.K("sensitive"))
}

// Finding returns a finding of a parser about f. If f is secret and the message may quote
// it, the message is replaced; place and code stay. Keys are structure, which is not
// secret.
func Finding(d *source.Diagnostic, f *source.File) *source.Diagnostic {
	if !f.Secret || d.Code == source.DuplicateKey || !quotes(d) {
		return d
	}
	return &source.Diagnostic{
		Severity: d.Severity, Code: d.Code, At: d.At, Includes: d.Includes,
		Message: meaning(d.Code) + "; the rest of the message would quote an encrypted file",
		Hint:    "yaytpl decrypt shows the file",
	}
}

// quotes reports whether a finding may quote the text. Only a syntax error in plain words
// does not.
func quotes(d *source.Diagnostic) bool {
	if d.Code != source.Syntax {
		return true
	}
	said := d.Message + d.Hint
	for _, n := range d.Notes {
		said += n.Message
	}
	return strings.ContainsAny(said, "\"'`&*!?<[{%|")
}

// meaning returns the meaning of a code.
func meaning(code source.Code) string {
	for _, info := range source.Codes() {
		if info.Code == code {
			return info.Meaning
		}
	}
	return string(code)
}

// JSON is json.Marshal without escapes for "<", ">" and "&": the output is not for HTML.
func JSON(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// WriteTo writes text to w. An error of w becomes a diagnostic of code access.
func WriteTo(w io.Writer, text []byte) error {
	if _, err := w.Write(text); err != nil {
		return source.AsDiagnostic(err, source.Span{}, source.Access)
	}
	return nil
}
