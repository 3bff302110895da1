package edit

import (
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// refuseResults returns an error if an edit would put the result of an expression or
// template in its place, as far as the documents as they are can tell.
func (x *session) refuseResults(edits []Edit) error {
	b, err := x.batch()
	if err != nil || x.eo.Literal || b.project == nil {
		return err
	}
	for _, e := range edits {
		if e.Op != Set && e.Op != Replace {
			continue
		}
		at, err := b.locate(e.Path, false)
		if err != nil {
			continue // whoever makes the edit will say why
		}
		if err := at.overwritesResult(e.Value); err != nil {
			return e.located(err)
		}
	}
	return nil
}

// overwritesResult returns an error if v is what an expression or template at the place
// comes to.
func (at place) overwritesResult(v value.Value) error {
	eval, err := at.doc.Eval()
	if err != nil {
		return err
	}
	cell := eval.Root().At(at.path)
	raw, _, err := cell.Raw()
	if err != nil {
		return nil // the edit may be what mends it
	}
	result, ok, err := cell.Value()
	if !ok || err != nil {
		return nil
	}
	same, err := value.Equal(result, v)
	written, rawErr := value.Equal(raw, v)
	if err != nil || rawErr != nil || !same || written {
		return nil
	}
	return givenByExpression(source.Errorf(source.Span{}, source.Output, "%s is the result of an expression already", at.path)).
		WithHint("--literal writes the value in the place of the expression")
}

// givenByExpression gives an error the reason that an expression gives the value.
func givenByExpression(d *source.Diagnostic) *source.Diagnostic {
	d.Cause = &source.Refusal{Reason: source.ResultOfExpr}
	return d
}
