package yay

import (
	"strings"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// SetLiteral returns the text of f with another value in the place of a constant: of
// a number, a text on one line or below its key, "{}", "[]", or nothing behind a key.
// at is the place of the constant, as the graph and trees have it; of nothing behind a
// key it is that of the key with its colon. v is a scalar, or an empty list or map. Its
// spelling is kept if it means the same in Yay, and so is the form of a text: without
// quotes, in quotes, in lines of its own. The text stays as it is if the constant has
// the value already.
//
// The new text is read again: everything in it but the constant must be as it was. A
// text whose form ends with its empty lines ("|+") takes those below it.
//
// Codes: output with a [Refusal] for what cannot be edited or written, not-found if no
// value stands at the place, and what [Parse] finds.
func SetLiteral(f *source.File, at source.Span, v value.Value, o Options) (string, error) {
	t, findings := Parse(f, o)
	if t == nil {
		return "", findings[0]
	}
	old := outlineOf(t)
	i := old.valueAt(at)
	if i < 0 {
		return "", source.Errorf(at, source.NotFound, "no value stands here")
	}
	e := literalEdit{file: f, opts: o, outline: old, at: i, text: f.Text}
	if err := e.refused(at, v); err != nil {
		return "", err
	}
	if isSpelled(old[i].value, v) {
		return f.Text, nil
	}
	for _, p := range e.spellings(v) {
		if text, ok := e.try(p, v); ok {
			return text, nil
		}
	}
	return "", noSpelling(at, v)
}

// A literalEdit puts another value in the place of a constant.
type literalEdit struct {
	file    *source.File
	opts    Options
	text    string
	outline outline
	at      int // the index of the mark
}

func (e *literalEdit) mark() *mark { return &e.outline[e.at] }

// refused returns an error for what is no constant and for a value that is none.
func (e *literalEdit) refused(at source.Span, v value.Value) error {
	switch e.mark().kind {
	case textMark:
		return source.Refuse(at, source.ResultOfExpr, "the text has expressions in it").
			WithHint("edit it by hand, or what its expressions read")
	case expressionMark:
		return source.Refuse(at, source.ResultOfExpr, "the value is an expression").
			WithHint("edit it by hand, or what it reads")
	case blankMark:
		if behind := skipBlanks(e.text, int(at.End), lineEnd(e.text, int(at.End))); strings.HasPrefix(e.text[behind:], "#") {
			return source.Refuse(at, source.LosesComments, "the comment behind the key would become a part of the value").
				WithHint("give the comment a line of its own")
		}
	}
	if !v.IsScalar() && !isEmptyCollection(v) {
		return source.Refuse(at, source.NoSpelling, "%s is no constant of Yay", value.Article(v.Kind())).
			WithHint("edit the file by hand")
	}
	return nil
}

func isEmptyCollection(v value.Value) bool {
	return v.Is(value.ListKind) && v.List().Len() == 0 || v.Is(value.MapKind) && v.Map().Len() == 0
}

// noSpelling says why a value has no literal.
func noSpelling(at source.Span, v value.Value) error {
	switch {
	case v.Is(value.StringKind) && strings.Contains(v.Str(), "{{"):
		return source.Refuse(at, source.NoSpelling, `a text with "{{" is no constant of Yay`).
			WithHint(`write it as an expression, {{ "text" }}, by hand`)
	case v.Is(value.StringKind):
		return source.Refuse(at, source.NoSpelling, "no form of a text in Yay can hold this one").
			WithHint(`write it as an expression, {{ "text" }}, by hand`)
	}
	return source.Refuse(at, source.NoSpelling, "%s of this value has no spelling in Yay", value.Article(v.Kind())).
		WithHint("--yaml-scalars reads true, null and .inf as YAML does; without it they are texts")
}

// try makes a patch, and returns the text if it has v in the place of the constant
// and is otherwise the same.
func (e *literalEdit) try(p patch, v value.Value) (string, bool) {
	text := p.apply(e.text)
	t, _ := Parse(source.NewFile(e.file.Name, text), e.opts)
	if t == nil {
		return "", false
	}
	between, ok := e.outline.sameAround(p, outlineOf(t), e.at, e.at+1)
	return text, ok && len(between) == 1 && isValue(between[0].value, v)
}

// isSpelled reports whether a constant has a value already, in its spelling.
func isSpelled(old Value, v value.Value) bool {
	if !isValue(old, v) {
		return false
	}
	s, ok := old.(*Scalar)
	want := v.Source()
	return !ok || want == nil || want.Spelling == "" || v.Is(value.StringKind) || want.Spelling == s.At.Text()
}

// isValue reports whether what stands somewhere is a constant with a value.
func isValue(got Value, v value.Value) bool {
	switch got := got.(type) {
	case nil:
		return v.Is(value.StringKind) && v.Str() == ""
	case *Empty:
		return isEmptyCollection(v) && got.List == v.Is(value.ListKind)
	case *Scalar:
		return sameScalar(got.Val, v)
	}
	return false
}

// sameScalar reports whether two scalars are the same: 1 and 1.0 are not.
func sameScalar(a, b value.Value) bool {
	if a.Kind() != b.Kind() || !b.IsScalar() {
		return false
	}
	if a.Is(value.FloatKind) {
		return value.FormatFloat(a.Float()) == value.FormatFloat(b.Float())
	}
	same, err := value.Equal(a, b)
	return same && err == nil
}
