package show

import (
	"strings"

	"github.com/yaytpl/yaytpl/source"
)

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
