package template

import (
	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
)

// Check returns what is wrong with the template whatever values it meets, in the
// branches that a rendering does not take as well.
func (t *Template) Check(lib expr.Library) []*source.Diagnostic {
	var found []*source.Diagnostic
	for _, o := range t.simple {
		if o, ok := o.(*outputOp); ok {
			found = append(found, expr.Check(o.node, lib)...)
		}
	}
	for _, n := range t.exprs {
		found = append(found, expr.Check(n, lib)...)
	}
	return found
}
