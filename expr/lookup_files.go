package expr

import (
	"strings"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

func lookupEnv(c lookupCall) ([]value.Value, error) {
	otherwise, ok := c.option("default")
	if !ok {
		otherwise = value.String("")
	}
	return c.each(func(name string) (value.Value, error) {
		if parts := strings.Fields(name); len(parts) > 0 {
			name = parts[0]
		}
		if v, ok := c.host().Getenv(name); ok {
			return value.String(v).Verbatim(), nil
		}
		return otherwise, nil
	})
}

// each returns one result for each term; the terms must be texts.
func (c lookupCall) each(f func(term string) (value.Value, error)) ([]value.Value, error) {
	var all []value.Value
	for _, t := range c.terms {
		text, err := c.term(t)
		if err != nil {
			return nil, err
		}
		v, err := f(text)
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, nil
}

const blanks = " \t\r\n\f\v"

// lookupFile is Ansible's lookup "file": the text of each file, without the white space at its end unless rstrip is
// false.
func lookupFile(c lookupCall) ([]value.Value, error) {
	rstrip, err := c.flag(true, "rstrip")
	if err != nil {
		return nil, err
	}
	lstrip, err := c.flag(false, "lstrip")
	if err != nil {
		return nil, err
	}
	return c.each(func(name string) (value.Value, error) {
		file, err := c.read(name)
		if err != nil {
			return value.Null, err
		}
		text := file.Text
		if rstrip {
			text = strings.TrimRight(text, blanks)
		}
		if lstrip {
			text = strings.TrimLeft(text, blanks)
		}
		return fileText(file, text), nil
	})
}

func (c lookupCall) read(name string) (*source.File, error) {
	file, err := c.host().ReadFile(name, c.s.Base)
	return file, located(c.at, source.Access, err, 0)
}

func lookupUnvault(c lookupCall) ([]value.Value, error) {
	return c.each(func(name string) (value.Value, error) {
		file, err := c.read(name)
		if err != nil {
			return value.Null, err
		}
		return fileText(file, file.Text), nil
	})
}

// lookupTemplate renders template files as Ansible does: their results are texts, except that one that
// spells a list, a map or a truth value as a Python literal is that, unless convert_data is false. With
// jinja2_native a result is the data that its template makes.
func lookupTemplate(c lookupCall) ([]value.Value, error) {
	o := FileOptions{Text: true, Settings: []value.Named{{Name: "trim_blocks", Value: value.True}}}
	native, err := c.flag(false, "jinja2_native")
	if err == nil {
		o.Data, err = c.flag(true, "convert_data")
	}
	if err != nil {
		return nil, err
	}
	o.Text = !native
	for _, name := range c.plugin.options {
		if v, ok := c.option(name); ok && strings.HasSuffix(name, "_string") {
			o.Settings = append(o.Settings, value.Named{Name: name, Value: v})
		}
	}
	s := c.s
	if vars, ok := c.option("template_vars"); ok {
		if !vars.Is(value.MapKind) {
			return nil, c.errorf(source.BadType, `the option "template_vars" of lookup "template" is a map, not %s`, value.Article(vars.Kind()))
		}
		for k := range vars.Map().Keys() {
			v, _, err := vars.Map().Get(k)
			if err != nil {
				return nil, err
			}
			s = s.With(k.Text, v.Mark(vars.Marks()))
		}
	}
	return c.each(func(name string) (value.Value, error) {
		v, err := s.Env.RenderFile(c.host(), name, s.Base, s, o)
		return v, located(c.at, source.Access, err, 0)
	})
}

// lookupFirstFound tries names, or {files: names, paths: directories}, which may also be options. A file
// that the sandbox refuses is an error.
func lookupFirstFound(c lookupCall) ([]value.Value, error) {
	terms, err := lookupFlattened(c)
	if err != nil {
		return nil, err
	}
	if _, ok := c.option("files"); ok && len(terms) == 0 {
		terms = []value.Value{value.FromMap(value.NewMap(0))}
	}
	skip, err := c.flag(false, "skip")
	if err != nil {
		return nil, err
	}
	var tried []string
	for _, t := range terms {
		inner := c
		if t.Is(value.MapKind) {
			if inner.options, err = c.optionsOf(t); err != nil {
				return nil, err
			}
			if skip, err = inner.flag(skip, "skip"); err != nil {
				return nil, err
			}
		}
		names, err := inner.candidates(t)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			path, err := c.host().Find(name, c.s.Base)
			if err != nil || path != "" {
				return []value.Value{value.String(path).Verbatim()}, located(c.at, source.Access, err, 0)
			}
		}
		tried = append(tried, names...)
	}
	if skip {
		return nil, nil
	}
	d := c.errorf(source.Access, "none of these files exists")
	if len(tried) == 0 {
		d.Message = `lookup "first_found" has no names of files`
	} else if c.marks() == 0 {
		const shown = 5
		d.Message += ": " + strings.Join(tried[:min(shown, len(tried))], ", ")
		if len(tried) > shown {
			d.Message += ", ..."
		}
	}
	return nil, d
}

// optionsOf returns the options of the call, followed by the entries of a map, which override them.
func (c lookupCall) optionsOf(m value.Value) ([]value.Named, error) {
	all := c.options[:len(c.options):len(c.options)]
	for k := range m.Map().Keys() {
		if err := c.known(k.Text); err != nil {
			return nil, err
		}
		v, _, err := m.Map().Get(k)
		if err == nil {
			err = Raise(v)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, value.Named{Name: k.Text, Value: v})
	}
	return all, nil
}

// candidates returns the file names of a term of first_found: the option "files", or else the term, in
// each of the directories of the option "paths".
func (c lookupCall) candidates(t value.Value) ([]string, error) {
	var names, dirs []string
	var err error
	if v, ok := c.option("files"); ok {
		names, err = c.split("files", v, ",;")
	} else if !t.Is(value.MapKind) {
		names = make([]string, 1)
		names[0], err = c.term(t)
	}
	if err != nil {
		return nil, err
	}
	if v, ok := c.option("paths"); ok {
		dirs, err = c.split("paths", v, ",:;")
	}
	if len(dirs) == 0 || err != nil {
		return names, err
	}
	if err := c.Step(1 + len(dirs)*len(names)); err != nil {
		return nil, located(c.at, source.Limit, err, 0)
	}
	var all []string
	for _, dir := range dirs {
		for _, name := range names {
			if !strings.HasPrefix(name, "/") {
				name = strings.TrimSuffix(dir, "/") + "/" + name
			}
			all = append(all, name)
		}
	}
	return all, nil
}

func lookupPipe(c lookupCall) ([]value.Value, error) {
	return c.each(func(command string) (value.Value, error) {
		out, err := c.host().Run([]string{"/bin/sh", "-c", command})
		return value.String(strings.TrimRight(out, blanks)).Verbatim(), located(c.at, source.Access, err, 0)
	})
}

func lookupLines(c lookupCall) ([]value.Value, error) {
	var all []value.Value
	outputs, err := lookupPipe(c)
	for _, out := range outputs {
		if out.Str() == "" {
			continue
		}
		for line := range strings.SplitSeq(out.Str(), "\n") {
			all = append(all, value.String(strings.TrimSuffix(line, "\r")).Verbatim())
		}
	}
	return all, err
}

// lookupURL is Ansible's lookup "url": the lines of each page as values of their own, or with split_lines=false the
// whole page as one.
func lookupURL(c lookupCall) ([]value.Value, error) {
	split, err := c.flag(true, "split_lines")
	if err != nil {
		return nil, err
	}
	pages, err := c.each(func(url string) (value.Value, error) {
		file, err := c.host().Get(url)
		if err != nil {
			return value.Null, located(c.at, source.Access, err, 0)
		}
		return fileText(file, file.Text), nil
	})
	if err != nil || !split {
		return pages, err
	}
	var all []value.Value
	for _, page := range pages {
		for line := range strings.SplitSeq(strings.TrimSuffix(page.Str(), "\n"), "\n") {
			all = append(all, value.String(strings.TrimSuffix(line, "\r")).Mark(page.Marks()).Verbatim())
		}
	}
	return all, nil
}
