package expr

import (
	"path"
	"strings"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

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
		_, err = s.Env.Host().WriteFile(e.given, e.base, []byte(text))
		return located(c.At, source.Access, err, e.marks)
	}
	return nil
}

// encode writes data in an encoding: json, yaml, env; any other is for texts only.
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
	out, err := caller{s, c.At}.CallFilter(filter, v, value.Args{Named: named})
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

// tempfile writes a new file. Data is written as the suffix says, JSON if it says
// nothing.
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
		form = encodingOf(suffix.Str())
	}
	text, err := c.encode(arg, form, s)
	if err != nil {
		return value.Null, err
	}
	name, err := s.Env.Host().TempFile(suffix.Str(), []byte(text))
	return value.String(name).Verbatim(), located(c.At, source.Access, err, 0)
}

func encodingOf(suffix string) string {
	switch path.Ext("x" + suffix) {
	case ".yaml", ".yml":
		return "yaml"
	case ".env":
		return "env"
	}
	return "json"
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
	full, err := s.Env.Host().Abs(items[0].Str(), base)
	return value.String(full).Mark(marks).Verbatim(), located(at, source.Access, err, marks)
}

// directory returns a base directory: one with a name, or a path.
func directory(s *Scope, at source.Span, v value.Value) (string, error) {
	if !v.Is(value.StringKind) {
		return "", source.Errorf(at, source.BadType, "a directory is a string, not %s", value.Article(v.Kind()))
	}
	if dir, ok := s.Env.Host().Dir(v.Str()); ok {
		return dir, nil
	}
	dir, err := s.Env.Host().Abs(v.Str(), s.Base)
	return dir, located(at, source.Access, err, v.Marks()|s.BaseMarks)
}

// getDir returns a directory by its name.
func getDir(s *Scope, at source.Span, arg value.Value) (value.Value, error) {
	dir, ok := s.Env.Host().Dir(arg.Str())
	if !arg.Is(value.StringKind) || !ok {
		return value.Null, source.Errorf(at, source.BadValue, "no such directory: \"get_dir\" knows ., src and tmp")
	}
	return value.String(dir).Verbatim(), nil
}
