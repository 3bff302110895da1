package edit

import (
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/internal/overlay"
)

// TestMaskedLines: a diff shows no text with a mark, no secret that was written in clear, and as
// many lines as the text has.
func TestMaskedLines(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"a.yaml", "a: 1\n", "a: 1\n"},
		{"a.yaml", "a: {eval: {sensitive: x}} # y\n", "a: {eval: {sensitive: <<REDACTED>>}} # y\n"},
		{"a.yaml", "a:\n  eval:\n    sensitive: [x, 'y']\nb: x", "a:\n  eval:\n    sensitive: [<<REDACTED>>, <<REDACTED>>]\nb: x"},
		{"a.yaml", "a: \"{{ 'x' | sensitive }}\"\r\nb: 1\r\n", "a: <<REDACTED>>\r\nb: 1\r\n"},
		{"a.yaml", "a: !vault |\n  x\n  y\nb: 1\n", "a: !vault <<REDACTED>>\n  <<REDACTED>>\n  <<REDACTED>>\nb: 1\n"},
		{"a.yaml", "- !vault x\n- !vault {a: x}\n", "- !vault <<REDACTED>>\n- !vault <<REDACTED>>\n"},
		{"a.yaml", "a: \"{{ 'x\n  y' | sensitive }}\"\nb: 1\n", "a: <<REDACTED>>\n  <<REDACTED>>\nb: 1\n"},
		{"a.json", "{\"a\": {\"eval\": {\"sensitive\": \"x\"}}}\n", "{\"a\": {\"eval\": {\"sensitive\": <<REDACTED>>}}}\n"},
		{"a.yaml", "a: [\nsensitive: x\n", "a: [\n*****\n"},
		{"a.yay", "a: {{ sensitive('x') }}\nb: 1\n", "*****\nb: 1\n"},
		{"a.yaml", "a: in clear\nb: [in clear, c]\n", "a: *****\nb: [*****, c]\n"},
		{"a.yaml", "a: 1 # in May\n", "a: 1 # *****\n"},
	} {
		hidden := map[string]bool{"in clear": true, "# in May": true}
		f := File{Name: tt.name, Text: tt.text, file: &overlay.File{Name: tt.name}, hidden: hidden}
		_, lines := f.MaskedLines()
		if got := strings.Join(lines, ""); got != tt.want || strings.Count(tt.text, "\n") != strings.Count(got, "\n") {
			t.Errorf("%s %q is shown as\n%q, want\n%q", tt.name, tt.text, got, tt.want)
		}
		f.Old, f.Text, f.hidden = tt.text, "", nil
		if old, _ := f.MaskedLines(); strings.Count(strings.Join(old, ""), "\n") != strings.Count(tt.text, "\n") {
			t.Errorf("%q as an old text has the lines %q", tt.text, old)
		}
	}
	f := File{Name: "a.yaml.gpg", Text: "a: x\nb", file: &overlay.File{Name: "a.yaml.gpg"}}
	if _, lines := f.MaskedLines(); strings.Join(lines, "") != "*****\n*****" {
		t.Errorf("an encrypted file is shown as %q", lines)
	}
}
