package show

import (
	"fmt"
	"strconv"
	"strings"

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
