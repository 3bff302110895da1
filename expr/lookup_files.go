package expr

import (
	"encoding/csv"
	"errors"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

func lookupEnv(c lookupCall) ([]value.Value, error) {
	otherwise, ok := c.option("default")
	if !ok {
		otherwise = value.String("")
	}
	return c.each(func(name string) (value.Value, error) {
		if v, ok := c.s.Env.Host().Getenv(name); ok {
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

func lookupFile(c lookupCall) ([]value.Value, error) {
	return c.each(func(name string) (value.Value, error) {
		file, err := c.s.Env.Host().ReadFile(name, c.s.Base)
		if err != nil {
			return value.Null, located(c.at, source.Access, err, 0)
		}
		text := file.Text
		if v, ok := c.option("rstrip"); !ok || value.Truthy(v) {
			text = strings.TrimRight(text, blanks)
		}
		if v, _ := c.option("lstrip"); value.Truthy(v) {
			text = strings.TrimLeft(text, blanks)
		}
		return fileText(file, text), nil
	})
}

func lookupTemplate(c lookupCall) ([]value.Value, error) {
	return c.each(func(name string) (value.Value, error) {
		v, err := c.s.Env.RenderFile(name, c.s.Base, c.s)
		return v, located(c.at, source.Access, err, 0)
	})
}

// lookupFirstFound tries names, or {files: names, paths: directories}. A file that the
// sandbox refuses, or that cannot be decrypted, is an error.
func lookupFirstFound(c lookupCall) ([]value.Value, error) {
	terms, err := lookupFlattened(c)
	if err != nil {
		return nil, err
	}
	skip, _ := c.option("skip")
	for _, t := range terms {
		names, err := c.candidates(t)
		if err != nil {
			return nil, err
		}
		if v, ok, err := attribute(t, "skip"); err != nil {
			return nil, err
		} else if ok {
			skip = v
		}
		for _, name := range names {
			_, err := c.s.Env.Host().ReadFile(name, c.s.Base)
			var d *source.Diagnostic
			if errors.As(err, &d) && (d.Code == source.Forbidden || d.Code == source.Decryption) {
				return nil, located(c.at, d.Code, err, 0)
			}
			if err == nil {
				path, err := c.s.Env.Host().Abs(name, c.s.Base)
				return []value.Value{value.String(path).Verbatim()}, located(c.at, source.Access, err, 0)
			}
		}
	}
	if value.Truthy(skip) {
		return nil, nil
	}
	return nil, c.errorf(source.Access, "none of these files exists")
}

// candidates returns the file names of a term of first_found.
func (c lookupCall) candidates(t value.Value) ([]string, error) {
	if !t.Is(value.MapKind) {
		name, err := c.term(t)
		return []string{name}, err
	}
	var lists [2][]string
	for i, key := range [...]string{"paths", "files"} {
		v, ok, err := attribute(t, key)
		if err != nil {
			return nil, err
		}
		if ok {
			if lists[i], err = c.strings(v); err != nil {
				return nil, err
			}
		}
	}
	if lists[0] == nil {
		return lists[1], nil
	}
	var all []string
	for _, dir := range lists[0] {
		for _, name := range lists[1] {
			all = append(all, strings.TrimSuffix(dir, "/")+"/"+name)
		}
	}
	return all, nil
}

func (c lookupCall) strings(v value.Value) ([]string, error) {
	items, err := c.flatten([]value.Value{v}, value.Null)
	if err != nil {
		return nil, err
	}
	out := make([]string, len(items))
	for i, item := range items {
		if out[i], err = c.term(item); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func lookupPipe(c lookupCall) ([]value.Value, error) {
	return c.each(func(command string) (value.Value, error) {
		out, err := c.s.Env.Host().Run([]string{"/bin/sh", "-c", command})
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

func lookupURL(c lookupCall) ([]value.Value, error) {
	split, ok := c.option("split_lines")
	pages, err := c.each(func(url string) (value.Value, error) {
		file, err := c.s.Env.Host().Get(url)
		if err != nil {
			return value.Null, located(c.at, source.Access, err, 0)
		}
		return fileText(file, file.Text), nil
	})
	if err != nil || ok && !value.Truthy(split) {
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

// inline returns a term without the options in it, and the call with these options: the
// term of 'key file=x.csv' is 'key'.
func (c lookupCall) inline(term string) (string, lookupCall) {
	words := strings.Fields(term)
	var key []string
	inner := c
	inner.options = nil
	for _, w := range words {
		if name, v, ok := strings.Cut(w, "="); ok && isVariableName(name) {
			inner.options = append(inner.options, value.Named{Name: name, Value: value.String(v)})
			continue
		}
		key = append(key, w)
	}
	inner.options = append(inner.options, c.options...)
	if len(inner.options) == len(c.options) {
		return term, inner
	}
	return strings.Join(key, " "), inner
}

func (c lookupCall) readOption(otherwise string) (*source.File, error) {
	name, err := c.textOption("file", otherwise)
	if err != nil {
		return nil, err
	}
	file, err := c.s.Env.Host().ReadFile(name, c.s.Base)
	return file, located(c.at, source.Access, err, 0)
}

func lookupCSV(c lookupCall) ([]value.Value, error) {
	return c.each(func(term string) (value.Value, error) {
		key, inner := c.inline(term)
		return inner.csvField(key)
	})
}

// parsedPerStep is the number of bytes of a file that a lookup parses in a step.
const parsedPerStep = 4

// maxColumn bounds the number of a column of a CSV file.
const maxColumn = 10_000

func (c lookupCall) csvField(key string) (value.Value, error) {
	file, err := c.readOption("ansible.csv")
	if err != nil {
		return value.Null, err
	}
	delimiter, err := c.delimiter()
	if err != nil {
		return value.Null, err
	}
	var columns [2]int
	for i, o := range [...][2]string{{"keycol", "0"}, {"col", "1"}} {
		text, err := c.textOption(o[0], o[1])
		if err != nil {
			return value.Null, err
		}
		v, ok := value.ParseInt(text, 10)
		n, _ := v.Int()
		if !ok || n < 0 || n > maxColumn {
			return value.Null, c.errorf(source.BadValue, "%s=%s is not the number of a column", o[0], text)
		}
		columns[i] = int(n)
	}
	if err := c.Step(1 + len(file.Text)/parsedPerStep); err != nil {
		return value.Null, located(c.at, source.Limit, err, 0)
	}
	v, found := findCSV(file.Text, delimiter, key, columns)
	if otherwise, ok := c.option("default"); !found && ok {
		return otherwise, nil
	}
	return fileText(file, v), nil
}

// delimiter returns the character between the columns of a CSV file.
func (c lookupCall) delimiter() (rune, error) {
	text, err := c.textOption("delimiter", "")
	if err != nil {
		return 0, err
	}
	switch text {
	case "", "TAB", `\t`:
		return '\t', nil
	}
	r, size := utf8.DecodeRuneInString(text)
	if size < len(text) || r == utf8.RuneError || strings.ContainsRune("\"\r\n", r) {
		return 0, c.errorf(source.BadValue, "the delimiter of a CSV file is one character, not %q", text)
	}
	return r, nil
}

// findCSV returns a field of the first row whose key column equals the key.
func findCSV(text string, delimiter rune, key string, columns [2]int) (string, bool) {
	r := csv.NewReader(strings.NewReader(text))
	r.FieldsPerRecord, r.LazyQuotes, r.ReuseRecord = -1, true, true
	r.Comma = delimiter
	for {
		row, err := r.Read()
		if err != nil { // the end; with these settings there are no other errors
			return "", false
		}
		if len(row) > max(columns[0], columns[1]) && row[columns[0]] == key {
			return row[columns[1]], true
		}
	}
}

func lookupIni(c lookupCall) ([]value.Value, error) {
	var all []value.Value
	for _, t := range c.terms {
		term, err := c.term(t)
		if err != nil {
			return nil, err
		}
		key, inner := c.inline(term)
		found, err := inner.iniValues(key)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// iniValues returns the setting with a name; with re=true all whose names match it.
func (c lookupCall) iniValues(key string) ([]value.Value, error) {
	file, err := c.readOption("ansible.ini")
	if err != nil {
		return nil, err
	}
	section, err := c.textOption("section", "global")
	if err != nil {
		return nil, err
	}
	if kind, _ := c.option("type"); kind.Str() == "properties" {
		section = ""
	}
	pattern := "(?i)^" + regexp.QuoteMeta(key) + "$"
	if re, _ := c.option("re"); value.Truthy(re) && re.Str() != "false" {
		pattern = "(?i)" + key
	}
	match, err := regexp.Compile(pattern)
	if err != nil {
		return nil, c.errorf(source.BadValue, "bad regular expression: %s", err)
	}
	if err := c.Step(1 + len(file.Text)/parsedPerStep); err != nil {
		return nil, located(c.at, source.Limit, err, 0)
	}
	var all []value.Value
	for _, v := range iniSettings(file.Text, section, match) {
		all = append(all, fileText(file, v))
	}
	if all == nil {
		if otherwise, ok := c.option("default"); ok {
			return []value.Value{otherwise}, nil
		}
		return []value.Value{value.String("")}, nil
	}
	return all, nil
}

// iniSettings returns the values of the matching keys of a section. The section "" is the
// part before the first header.
func iniSettings(text, section string, match *regexp.Regexp) []string {
	current := ""
	var found []string
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#' || line[0] == ';':
			continue
		case line[0] == '[' && strings.HasSuffix(line, "]"):
			current = line[1 : len(line)-1]
			continue
		case current != section:
			continue
		}
		i := strings.IndexAny(line, "=:")
		if i >= 0 && match.MatchString(strings.TrimSpace(line[:i])) {
			found = append(found, strings.TrimSpace(line[i+1:]))
		}
	}
	return found
}
