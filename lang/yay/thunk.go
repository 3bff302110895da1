package yay

import (
	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A written is an expression of which a thunk works out something: what of it does not
// depend on the thunk.
type written struct{ node expr.Node }

// Raw returns the expression as text, secret if it stands in an encrypted file.
func (w written) Raw() value.Value {
	v := value.String("{{ " + w.node.Span().Text() + " }}").Verbatim()
	if isSecret(w.node.Span()) {
		v = v.Mark(value.Secret)
	}
	return v
}

// Soft is false: what needs itself is an error.
func (w written) Soft() bool { return false }

// Check returns what is wrong with the expression whatever values it meets.
func (w written) Check(expr.Library) []*source.Diagnostic { return lintExpression(w.node) }

// An exprThunk is a value that is one expression.
type exprThunk struct {
	written
	marks value.Marks
}

// Eval evaluates the expression at p.
func (t *exprThunk) Eval(p *graph.Place) (value.Value, error) {
	v, err := evalAt(t.node, p)
	return v.Mark(t.marks), err
}

// evalAt evaluates an expression that stands at p.
func evalAt(n expr.Node, p *graph.Place) (value.Value, error) {
	v, err := eval(n, (*site)(p), nil)
	return v, used(p.Included(expr.Conceal(err)), n.Span(), p)
}

// maxUses bounds the notes of one error.
const maxUses = 5

// used adds to an error in a text that is evaluated at p where the macros and
// prototypes are used that the text belongs to.
func used(err error, text source.Span, p *graph.Place) error {
	d, ok := err.(*source.Diagnostic)
	if !ok || len(d.Notes) > 0 || !text.Contains(d.At) {
		return err
	}
	uses := p.Frame.Uses()
	if len(uses) == 0 {
		return err
	}
	copied := *d
	for _, at := range uses[:min(len(uses), maxUses)] {
		copied.Note(at, "used here")
	}
	return &copied
}

// A textThunk is text with expressions in it.
type textThunk struct {
	text  *Text
	marks value.Marks
}

// Eval joins the parts.
func (t *textThunk) Eval(p *graph.Place) (value.Value, error) {
	v, err := joinText(t.text.Parts, (*site)(p))
	return v.Mark(t.marks), used(p.Included(expr.Conceal(err)), t.text.At, p)
}

// Raw returns the text as it is written.
func (t *textThunk) Raw() value.Value {
	text := ""
	for _, p := range t.text.Parts {
		if p.Node != nil {
			text += written{p.Node}.Raw().Str()
		} else {
			text += p.Text
		}
	}
	return value.String(text).Verbatim().Mark(t.marks)
}

// Soft is false.
func (t *textThunk) Soft() bool { return false }

// Check returns what is wrong with the expressions.
func (t *textThunk) Check(expr.Library) []*source.Diagnostic {
	var all []*source.Diagnostic
	for _, p := range t.text.Parts {
		if p.Node != nil {
			all = append(all, lintExpression(p.Node)...)
		}
	}
	return append(all, lintParts(t.text)...)
}

// A conditionThunk is the truth of an expression.
type conditionThunk struct{ written }

// Eval evaluates the condition at p.
func (t *conditionThunk) Eval(p *graph.Place) (value.Value, error) {
	v, err := evalAt(t.node, p)
	if err != nil {
		return v, err
	}
	noteWord((*site)(p), v, t.node.Span())
	holds, err := truth(v, t.node.Span())
	return value.Bool(holds), p.Included(err)
}

// A selectorThunk is the text that a "select" compares its cases with.
type selectorThunk struct {
	written
	of *Select
}

// Eval evaluates the operand at p.
func (t *selectorThunk) Eval(p *graph.Place) (value.Value, error) {
	v, err := evalAt(t.node, p)
	if err != nil {
		return v, err
	}
	text, err := textOf(v, t.node.Span())
	return value.String(text).Mark(v.Marks()), p.Included(err)
}

// Check returns what is wrong with the operand and the cases.
func (t *selectorThunk) Check(expr.Library) []*source.Diagnostic {
	return append(lintExpression(t.node), repeatedCases(t.of)...)
}

// An overThunk is the list that a loop runs over.
type overThunk struct{ written }

// Eval evaluates the source of the loop at p.
func (t *overThunk) Eval(p *graph.Place) (value.Value, error) {
	v, err := evalAt(t.node, p)
	if err != nil {
		return v, err
	}
	list, err := iterate(v, t.node.Span())
	if err != nil {
		return v, p.Included(err)
	}
	return value.FromList(list).Mark(v.Marks()), nil
}

// A targetThunk is one of several names that a "set" binds at once: an item of a
// list that is bound to a name of its own.
type targetThunk struct {
	whole string
	i, n  int
	at    source.Span // of the list
}

// Eval returns the item.
func (t *targetThunk) Eval(p *graph.Place) (value.Value, error) {
	v, _, err := (*site)(p).Lookup(t.whole)
	if err != nil {
		return v, err
	}
	if !v.Is(value.ListKind) || v.List().Len() != t.n {
		return v, p.Included(source.Errorf(t.at, source.WrongType, "a list of %d is needed for the %d names, not %s", t.n, t.n, describe(v)))
	}
	item, err := v.List().At(t.i)
	return item.Mark(v.Marks()), err
}

// Raw returns nothing: names are not part of the document.
func (t *targetThunk) Raw() value.Value { return value.Null }

// Soft is false.
func (t *targetThunk) Soft() bool { return false }
