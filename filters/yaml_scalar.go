package filters

import (
	"strings"

	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/value"
)

// simpleKey is the column for what has to stay on one line.
const simpleKey = -1

// scalar writes a scalar whose further lines, if it has any, begin in a column. What
// needs quotes is what the package yaml puts into quotes; which ones they are is
// PyYAML's choice.
func (w *yamlWriter) scalar(v value.Value, column int) error {
	s := v.Str()
	if err := w.c.fits(w.b.Len() + len(s)*(2+max(column, 0))); err != nil {
		return err
	}
	switch {
	case v.Is(value.FloatKind):
		w.float(v)
		return nil
	case strings.ContainsAny(s, lineBreaks):
		w.lines(s, column)
		return nil
	case isShortBool(s):
		w.b.WriteString(s)
		return nil
	}
	var b strings.Builder
	err := yaml.Encode(&b, v.WithoutSource(), yaml.EncodeOptions{Reveal: true, NoComments: true})
	text := strings.TrimSuffix(b.String(), "\n")
	if strings.HasPrefix(text, `"`) && v.Is(value.StringKind) && foldable(s) {
		text = singleQuoted(s)
	}
	w.b.WriteString(text)
	return err
}

const lineBreaks = "\n\r\u0085\u2028\u2029"

// isShortBool knows the words that YAML 1.1 means and no reader takes for a bool. The
// keys x and y of coordinates are better off without quotes.
func isShortBool(s string) bool { return len(s) == 1 && strings.Contains("yYnN", s) }

func singleQuoted(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// float writes a number so that YAML 1.1 knows it: with a point before the exponent.
func (w *yamlWriter) float(v value.Value) {
	s := value.FormatFloat(v.Float())
	if mantissa, exponent, ok := strings.Cut(s, "e"); ok && !strings.Contains(mantissa, ".") {
		s = mantissa + ".0e" + exponent
	}
	w.b.WriteString(s)
}

// lines writes a text of several lines in single quotes, where a line break is an
// empty line, or in double quotes where single ones would lose something.
func (w *yamlWriter) lines(s string, column int) {
	if column == simpleKey || !foldable(s) {
		j := jsonWriter{c: w.c, ascii: false}
		j.quote(s)
		w.b.WriteString(strings.NewReplacer("\u0085", `\N`, "\u2028", `\L`, "\u2029", `\P`).Replace(j.b.String()))
		return
	}
	margin := strings.Repeat(" ", column)
	for s, first := singleQuoted(s), true; s != ""; first = false {
		line := strings.IndexByte(s, '\n')
		if line < 0 {
			line = len(s)
		}
		if !first {
			w.b.WriteString(margin)
		}
		w.b.WriteString(s[:line])
		rest := strings.TrimLeft(s[line:], "\n")
		if breaks := len(s) - line - len(rest); breaks > 0 {
			w.b.WriteString(strings.Repeat("\n", breaks+1))
		}
		s = rest
	}
}

// foldable says whether single quotes keep a text of several lines: it has no other
// control characters, and no blanks beside a line break.
func foldable(s string) bool {
	if strings.Contains(s, " \n") || strings.Contains(s, "\n ") {
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool {
		return r != '\n' && r < ' ' || r >= 0x7f && r < 0xa0 || r == 0x2028 || r == 0x2029 || r == 0xfeff
	})
}
