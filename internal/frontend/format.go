package frontend

import (
	"github.com/yaytpl/yaytpl/lang/mcl/format"
	"github.com/yaytpl/yaytpl/lang/mcl/syntax"
	"github.com/yaytpl/yaytpl/source"
)

func formatProgram(f *source.File, _ Options) (string, []*source.Diagnostic) {
	tree, err := syntax.Parse(f)
	if err != nil {
		return "", source.Findings(err)
	}
	text, err := format.Format(tree)
	return text, source.Findings(err)
}
