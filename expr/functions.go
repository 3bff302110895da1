package expr

import (
	"iter"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// maxText bounds a text that an expression joins, in bytes.
const maxText = 64 << 20

// joinText joins the texts of values. The text of a list or map shows its items, so
// their marks count.
func (s *Scope) joinText(at source.Span, items []value.Value, sep value.Value, text func(value.Value) (string, error)) (value.Value, error) {
	var b value.TextBuilder
	for i, v := range items {
		err := s.measure(at, v)
		if err == nil {
			err = s.step(at, joinedSteps+len(sep.Str())/writtenPerStep)
		}
		if err != nil {
			return value.Null, err
		}
		t, err := text(v)
		if err != nil {
			return value.Null, located(at, source.BadValue, err, v.Marks())
		}
		if b.Len()+len(sep.Str())+len(t) > maxText {
			return value.Null, source.Errorf(at, source.Limit, "the text would exceed %d bytes", maxText)
		}
		if i > 0 {
			_ = b.WriteValue(sep, sep.Str()) // fails for lists and maps only
		}
		if err := b.WriteValue(v, t); err != nil {
			return value.Null, located(at, source.BadValue, err, 0)
		}
	}
	return b.Value(), nil
}

// joinedSteps is the cost of an item that is joined, and writtenPerStep the number of bytes of a text that
// a step writes.
const (
	joinedSteps    = 12
	writtenPerStep = 8
)

// measure charges the text of v before it is made: small lists that share lists may have an
// enormous text.
func (s *Scope) measure(at source.Span, v value.Value) error {
	size := 0
	err := value.Walk(v, func(in value.Position, v value.Value, err error) error {
		if err != nil {
			return err
		}
		if size += len(in.Key.Text) + len(v.Str()) + 2; size > maxText {
			return source.Errorf(at, source.Limit, "the text would exceed %d bytes", maxText)
		}
		const itemSteps = 12
		steps := value.TextSteps(v) + len(v.Str())/writtenPerStep
		switch v.Kind() {
		case value.ListKind:
			steps = itemSteps * (1 + v.List().Len())
		case value.MapKind:
			steps = itemSteps * (1 + 2*v.Map().Len())
		}
		if steps == 0 {
			return nil
		}
		return s.step(at, steps)
	})
	return located(at, source.BadValue, err, v.Marks())
}

// concat joins the items of a list; any other argument is the result itself.
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
	v, err := s.joinText(c.At, items, sep, yamlText)
	return v.MarkParts(sep.Marks()).Mark(arg.Marks()), err
}

// yamlText writes a scalar as in YAML: true, null, numbers as in the source. Lists and
// maps are written as in templates.
func yamlText(v value.Value) (string, error) {
	switch v.Kind() {
	case value.NullKind, value.BoolKind:
		k, _ := value.KeyOf(v)
		return k.Text, nil
	case value.FloatKind:
		if v.Source() == nil {
			return value.FormatFloat(v.Float()), nil
		}
	}
	return value.Text(v)
}

// token splits a text and takes one part: [text, separator, index].
func (c *funcCall) token(arg value.Value, s *Scope) (value.Value, error) {
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
	marks := arg.Marks() | items[0].Marks() | items[1].Marks() | items[2].Marks()
	if items[1].Str() == "" {
		return value.Null, source.Errorf(c.At, source.BadValue, `the separator of "token" is empty`)
	}
	text := items[0].Str()
	if err := s.step(c.At, 1+len(text)/bytesPerStep); err != nil {
		return value.Null, err
	}
	parts := strings.Split(text, items[1].Str())
	if err := s.step(c.At, 1+len(parts)); err != nil {
		return value.Null, err
	}
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

// templateFile renders a file. Options in the call become a header line before the text of the file, which is then
// rendered as if the expression had it.
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
		v, err := s.Env.RenderFile(s.Env.Host(c.At, marks != 0), path.Str(), s.Base, s, FileOptions{})
		return v.Mark(marks), located(c.At, source.Access, err, marks)
	}
	file, err := s.Env.Host(c.At, marks != 0).ReadFile(path.Str(), s.Base)
	if err != nil {
		return value.Null, located(c.At, source.Access, err, marks)
	}
	marks |= header.Marks()
	v, err := render(header.Str()+file.Text, Nowhere(c.At), s)
	return v.Mark(marks | fileText(file, "").Marks()), located(c.At, source.BadValue, err, marks)
}

// overrides returns the header line that sets the options of a template.
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

// file names a file, or writes it if contents are given.
func (c *funcCall) file(arg value.Value, s *Scope) (value.Value, error) {
	if !arg.Is(value.StringKind) {
		return value.Null, source.Errorf(c.At, source.BadType, `"file" takes a path, not %s`, value.Article(arg.Kind()))
	}
	e := &external{s: s, at: c.At, given: arg.Str(), base: s.Base, encoding: "utf-8", marks: arg.Marks() | s.BaseMarks}
	dir, err := c.kw("dir", s)
	if err != nil {
		return value.Null, err
	}
	if !dir.IsNull() {
		if e.base, err = directory(s, c.At, dir); err != nil {
			return value.Null, err
		}
		e.marks |= dir.Marks()
	}
	encoding, err := c.kw("encoding", s)
	if err != nil {
		return value.Null, err
	}
	if encoding.Is(value.StringKind) {
		e.encoding = encoding.Str()
	}
	if err := c.write(e, s); err != nil {
		return value.Null, err
	}
	return value.FromMap(e).Mark(arg.Marks()), nil
}

// write writes the contents of a file, if the call has some. The host decides whether files may be written.
func (c *funcCall) write(e *external, s *Scope) error {
	for _, a := range c.kwargs {
		if a.Name != "contents" {
			continue
		}
		v, err := evalUsed(a.Value, s)
		if err != nil {
			return err
		}
		text, err := c.encode(v, e.encoding, s)
		if err != nil {
			return err
		}
		_, err = s.Env.Host(c.At, e.marks != 0).WriteFile(e.given, e.base, []byte(text))
		return located(c.At, source.Access, err, e.marks)
	}
	return nil
}

// encode writes data as json, yaml or env. With any other encoding texts are written as
// they are, and data as JSON.
func (c *funcCall) encode(v value.Value, encoding string, s *Scope) (string, error) {
	switch encoding {
	case "json":
		return c.filtered(v, "to_json", s, value.Named{Name: "indent", Value: value.Int(2)})
	case "yaml":
		return c.filtered(v, "to_yaml", s)
	case "env":
		return envLines(v)
	case "vault":
		return "", source.Errorf(c.At, source.BadValue, "files cannot be written encrypted")
	}
	if v.Is(value.StringKind) {
		return v.Str(), nil
	}
	return c.filtered(v, "to_json", s, value.Named{Name: "indent", Value: value.Int(2)})
}

func (c *funcCall) filtered(v value.Value, filter string, s *Scope, named ...value.Named) (string, error) {
	out, err := (&caller{s: s, at: c.At}).CallFilter(filter, v, value.Args{Named: named})
	return out.Str(), err
}

func envLines(v value.Value) (string, error) {
	var b strings.Builder
	for k := range v.Map().Keys() {
		item, _, err := v.Map().Get(k)
		if err != nil {
			return "", err
		}
		text, err := yamlText(item)
		if err != nil {
			return "", err
		}
		b.WriteString(k.Text + "=" + text + "\n")
	}
	return b.String(), nil
}

// tempfile writes a new file. The suffix decides the format of data; JSON is the
// default.
func (c *funcCall) tempfile(arg value.Value, s *Scope) (value.Value, error) {
	suffix, err := c.kw("suffix", s)
	if err != nil {
		return value.Null, err
	}
	encoding, err := c.kw("encoding", s)
	if err != nil {
		return value.Null, err
	}
	form := encoding.Str()
	if form == "" && !arg.Is(value.StringKind) {
		if form = source.LanguageOf("x" + suffix.Str()); form != "yaml" && form != "env" {
			form = "json"
		}
	}
	text, err := c.encode(arg, form, s)
	if err != nil {
		return value.Null, err
	}
	name, err := s.Env.Host(c.At, false).TempFile(suffix.Str(), []byte(text))
	return value.String(name).Verbatim().Mark(suffix.Marks() | encoding.Marks()), located(c.At, source.Access, err, 0)
}

// abspath makes a path absolute: path, [path] or [path, dir].
func abspath(s *Scope, at source.Span, arg value.Value) (value.Value, error) {
	items := []value.Value{arg}
	if arg.Is(value.ListKind) {
		var err error
		if items, err = listItems(arg); err != nil {
			return value.Null, err
		}
	}
	if len(items) == 0 || len(items) > 3 || !items[0].Is(value.StringKind) {
		return value.Null, badExpression(at, `"abspath" takes a path or [path, dir]`)
	}
	if len(items) == 3 && value.Truthy(items[2]) {
		return value.Null, source.Errorf(at, source.Forbidden, `"abspath" does not make directories`)
	}
	base, marks := s.Base, items[0].Marks()|s.BaseMarks
	if len(items) > 1 && !items[1].IsNull() {
		var err error
		if base, err = directory(s, at, items[1]); err != nil {
			return value.Null, err
		}
		marks |= items[1].Marks()
	}
	full, err := s.Env.Host(at, false).Abs(items[0].Str(), base)
	return value.String(full).Mark(marks).Verbatim(), located(at, source.Access, err, marks)
}

// directory returns a base directory, given by one of the names of [Host] or a path.
func directory(s *Scope, at source.Span, v value.Value) (string, error) {
	if !v.Is(value.StringKind) {
		return "", source.Errorf(at, source.BadType, "a directory is a string, not %s", value.Article(v.Kind()))
	}
	if dir, ok := s.Env.Host(at, false).Dir(v.Str()); ok {
		return dir, nil
	}
	dir, err := s.Env.Host(at, false).Abs(v.Str(), s.Base)
	return dir, located(at, source.Access, err, v.Marks()|s.BaseMarks)
}

// getDir returns a directory by its name.
func getDir(s *Scope, at source.Span, arg value.Value) (value.Value, error) {
	dir, ok := s.Env.Host(at, false).Dir(arg.Str())
	if !arg.Is(value.StringKind) || !ok {
		return value.Null, source.Errorf(at, source.BadValue, "no such directory: \"get_dir\" knows ., src and tmp")
	}
	return value.String(dir).Verbatim(), nil
}

// An external is a file that an expression names. Inside the expression it is a map with
// path, contents and encoding, read on demand; outside it is the given path: see plain.
type external struct {
	s        *Scope
	at       source.Span
	given    string
	base     string
	encoding string
	marks    value.Marks // of the parts of its full path
}

// plain returns the value that v has outside the expression that made it: an external
// becomes its path.
func plain(v value.Value) value.Value {
	if v.Is(value.MapKind) {
		if e, ok := v.Map().(*external); ok {
			return e.plain(v.Marks())
		}
	}
	return v
}

//go:noinline
func (e *external) plain(m value.Marks) value.Value { return value.String(e.given).Mark(m).Verbatim() }

// Len returns the number of attributes.
func (e *external) Len() int { return 3 }

// Keys yields the names of the attributes.
func (e *external) Keys() iter.Seq[value.Key] {
	return value.TextKeys(slices.Values([]string{"path", "encoding", "contents"}))
}

// Get returns an attribute.
func (e *external) Get(k value.Key) (value.Value, bool, error) {
	switch k {
	case value.K("path"):
		path, err := e.s.Env.Host(e.at, e.marks != 0).Abs(e.given, e.base)
		return value.String(path).Mark(e.marks).Verbatim(), true, located(e.at, source.Access, err, e.marks)
	case value.K("encoding"):
		return value.String(e.encoding), true, nil
	case value.K("contents"):
		file, err := e.s.Env.Host(e.at, e.marks != 0).ReadFile(e.given, e.base)
		if err != nil {
			return value.Null, false, located(e.at, source.Access, err, e.marks)
		}
		return fileText(file, file.Text).Mark(e.marks), true, nil
	}
	return value.Null, false, nil
}

// fileText returns text from a file: final, and secret if the file was encrypted.
func fileText(f *source.File, text string) value.Value {
	v := value.String(text).Verbatim()
	if f.Secret {
		v = v.Mark(value.Secret)
	}
	return v
}
