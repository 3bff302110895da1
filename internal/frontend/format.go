package frontend

import (
	"github.com/yaytpl/yaytpl/lang/mcl/format"
	"github.com/yaytpl/yaytpl/lang/mcl/syntax"
	"github.com/yaytpl/yaytpl/source"
)

// ToFormat is [For] for a file that is formatted. Programs of the mgmt language are formatted, but not
// evaluated.
//
// Code: usage for an unknown name.
func ToFormat(f *source.File, name string) (Language, error) {
	l := programs()
	if name == l.Name || name == "" && hasEnding(f.Name, l.endings) {
		return l, nil
	}
	return For(f, name)
}

func programs() Language {
	return Language{Name: "mcl", Format: formatProgram, endings: []string{".mcl"}}
}

func formatProgram(f *source.File, _ Options) (string, []*source.Diagnostic) {
	tree, err := syntax.Parse(f)
	if err != nil {
		return "", source.Findings(err)
	}
	text, err := format.Format(tree)
	return text, source.Findings(err)
}
