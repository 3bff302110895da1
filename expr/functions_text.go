package expr

import (
	"strings"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// maxText bounds a text that an expression makes, in bytes.
const maxText = 64 << 20

// joinText joins the texts of values. What is in a list or map shows in its text,
// so its marks count.
func joinText(at source.Span, items []value.Value, sep value.Value, text func(value.Value) (string, error)) (value.Value, error) {
	var b value.TextBuilder
	for i, v := range items {
		s, err := text(v)
		if err != nil {
			return value.Null, located(at, source.BadValue, err, v.Marks())
		}
		if b.Len()+len(sep.Str())+len(s) > maxText {
			return value.Null, source.Errorf(at, source.Limit, "the text would exceed %d bytes", maxText)
		}
		if i > 0 {
			_ = b.WriteValue(sep, sep.Str()) // fails for lists and maps only
		}
		if err := b.WriteValue(v, s); err != nil {
			return value.Null, located(at, source.BadValue, err, 0)
		}
	}
	return b.Value(), nil
}

// concat joins items; what is no list is returned as it is.
func (c *funcCall) concat(arg value.Value, s *Scope) (value.Value, error) {
	if !arg.Is(value.ListKind) {
		return arg, nil
	}
	items, err := listItems(arg)
	if err != nil {
		return value.Null, err
	}
	sep, err := c.kw("sep", s)
	if err != nil {
		return value.Null, err
	}
	if !sep.IsNull() && !sep.Is(value.StringKind) {
		return value.Null, source.Errorf(c.At, source.BadType, `"sep" must be a string, not %s`, value.Article(sep.Kind()))
	}
	v, err := joinText(c.At, items, sep, yamlText)
	return v.MarkParts(sep.Marks()).Mark(arg.Marks()), err
}

// yamlText writes a scalar as YAML does: true, null, numbers as the source spelled
// them. Lists and maps are written as in templates.
func yamlText(v value.Value) (string, error) {
	switch v.Kind() {
	case value.NullKind, value.BoolKind, value.IntKind, value.FloatKind:
		if src := v.Source(); src != nil && src.Spelling != "" && v.IsNumber() {
			return src.Spelling, nil
		}
		k, _ := value.KeyOf(v)
		return k.Text, nil
	}
	return value.Text(v)
}

// token splits a text and takes one part: [text, separator, index].
func (c *funcCall) token(arg value.Value) (value.Value, error) {
	var items []value.Value
	if arg.Is(value.ListKind) && arg.List().Len() == 3 {
		var err error
		if items, err = listItems(arg); err != nil {
			return value.Null, err
		}
	}
	if items == nil || !items[0].Is(value.StringKind) || !items[1].Is(value.StringKind) || !items[2].Is(value.IntKind) {
		return value.Null, badExpression(c.At, `"token" takes [text, separator, index]`)
	}
	marks := arg.Marks() | items[0].Marks() | items[1].Marks()
	if items[1].Str() == "" {
		return value.Null, source.Errorf(c.At, source.BadValue, `the separator of "token" is empty`)
	}
	parts := strings.Split(items[0].Str(), items[1].Str())
	i, ok := position(items[2], len(parts))
	if !ok {
		return value.Null, source.Errorf(c.At, source.BadValue, `"token" has no part %s: the text has %d`, items[2].BigInt(), len(parts))
	}
	return value.String(parts[i]).Mark(marks).Verbatim(), nil
}

// evalTemplate renders a text, or the file {path: name}.
func (c *funcCall) evalTemplate(s *Scope) (value.Value, error) {
	arg, err := evalUsed(c.arg, s)
	if err != nil {
		return arg, err
	}
	header, err := c.overrides(s)
	if err != nil {
		return value.Null, err
	}
	if arg.Is(value.MapKind) {
		return c.templateFile(arg, header, s)
	}
	if !arg.Is(value.StringKind) {
		return value.Null, source.Errorf(c.At, source.BadType, `"template" takes a text or {path: name}, not %s`, value.Article(arg.Kind()))
	}
	if arg.IsVerbatim() {
		return arg, nil
	}
	var at Placer = Nowhere(c.At)
	if lit, ok := c.arg.(*Lit); ok && header.Str() == "" && !lit.At.IsZero() {
		at = At(lit.At)
	}
	marks := arg.Marks() | header.Marks()
	if _, literal := at.(At); literal || marks == 0 {
		v, err := render(header.Str()+arg.Str(), at, s)
		return v.Mark(marks), err
	}
	v, err := render(header.Str()+arg.Str(), Nowhere(hiddenPlace(c.At)), s.discreet())
	return v.Mark(marks), discreet(err, c.At)
}

func (c *funcCall) templateFile(arg, header value.Value, s *Scope) (value.Value, error) {
	path, ok, err := attribute(arg, "path")
	if err != nil {
		return value.Null, located(c.At, source.BadValue, err, 0)
	}
	if !ok || !path.Is(value.StringKind) {
		return value.Null, badExpression(c.At, `"template" takes a text or {path: name}`)
	}
	marks := arg.Marks() | path.Marks() | s.BaseMarks
	if header.Str() == "" {
		v, err := s.Env.RenderFile(path.Str(), s.Base, s)
		return v.Mark(marks), located(c.At, source.Access, err, marks)
	}
	file, err := s.Env.Host().ReadFile(path.Str(), s.Base)
	if err != nil {
		return value.Null, located(c.At, source.Access, err, marks)
	}
	marks |= header.Marks()
	v, err := render(header.Str()+file.Text, Nowhere(c.At), s)
	return v.Mark(marks | fileText(file, "").Marks()), located(c.At, source.BadValue, err, marks)
}

// overrides returns the first line of a template that sets its options.
func (c *funcCall) overrides(s *Scope) (value.Value, error) {
	none := value.String("")
	v, err := c.kw("overrides", s)
	if err != nil || v.IsNull() {
		return none, err
	}
	if !v.Is(value.MapKind) {
		return none, source.Errorf(c.At, source.BadType, `"overrides" must be a map, not %s`, value.Article(v.Kind()))
	}
	var options []string
	for k := range v.Map().Keys() {
		option, _, err := v.Map().Get(k)
		if err != nil {
			return none, err
		}
		text, err := value.Repr(option)
		if err != nil {
			return none, err
		}
		options = append(options, k.Text+": "+text)
	}
	marks, err := value.DeepMarks(v)
	return value.String("#jinja2: " + strings.Join(options, ", ") + "\n").Mark(marks), err
}
