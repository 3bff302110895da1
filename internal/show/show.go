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

// Value writes a value on one line: maps and lists as such only, and what must not be
// shown masked, unless reveal is set.
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

// maxText is the length in bytes from which on texts are cut.
const maxText = 100

// Text writes a text on one line, in quotes if it does not look like one, or would change
// the terminal.
func Text(s string) string {
	s = Cut(s)
	special := func(r rune) bool { return r == '"' || !strconv.IsPrint(r) }
	if strings.ContainsFunc(s, special) || s == "" || s != strings.TrimSpace(s) {
		return fmt.Sprintf("%q", s)
	}
	return s
}

// Cut returns the beginning of a text that is too long for a line.
func Cut(s string) string {
	if len(s) <= maxText {
		return s
	}
	return strings.ToValidUTF8(s[:maxText], "") + "..."
}

// CallsSensitive reports whether the text of a template may call "sensitive": what it
// calls it with may stand in it, and is marked only once it is evaluated.
func CallsSensitive(text string) bool {
	return expr.IsTemplate(text) && strings.Contains(text, "sensitive")
}

// InsideSensitive reports whether keys of the source lead into what the function
// "sensitive" of an expression object is called with.
func InsideSensitive(keys value.Path) bool {
	object := slices.Index(keys, value.K("eval"))
	return object >= 0 && slices.Contains(keys[object:], value.K("sensitive"))
}

// Finding returns what parsing found in a text without what it may quote of it, if
// the text came from an encrypted file. Place and code stay; keys are structure, which
// is not secret.
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

// quotes reports whether a finding may repeat a part of the text: everything but plain
// words about its syntax.
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

func meaning(code source.Code) string {
	for _, info := range source.Codes() {
		if info.Code == code {
			return info.Meaning
		}
	}
	return string(code)
}

// JSON marshals v on one line. Unlike json.Marshal it leaves "<", ">" and "&" as they
// are: the output is not for HTML.
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
