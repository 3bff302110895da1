package expr

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// An iniFile is a parsed INI file. Names are in lower case unless they were read as they are written.
type iniFile struct {
	sections map[string]*iniSection
	defaults *iniSection // the section DEFAULT, whose settings all sections have
}

type iniSection struct {
	names  []string // of the settings, in order
	values map[string]iniValue
}

// An iniValue is the text of a setting, before interpolation, or none: a name without a sign.
type iniValue struct {
	text string
	none bool
}

func newSection() *iniSection { return &iniSection{values: map[string]iniValue{}} }

// An iniForm says how a file is read.
type iniForm struct {
	properties    bool // Java properties: settings without a section
	caseSensitive bool
	noValue       bool // a name without a sign is a setting
}

const (
	iniDefaults   = "DEFAULT"
	iniProperties = "java_properties" // the section of properties
)

// An iniReader reads a file as Python's configparser does:
//
//	[section]
//	name = text       or name: text; blanks around both are dropped
//	  more text       a line that is indented more than its setting belongs to it
//	# comment         or ;, also within a text; not behind one
//
// Empty lines within a text stay, those at its end do not.
type iniReader struct {
	form   iniForm
	ini    *iniFile
	file   *source.File
	at     source.Span
	of     *iniSection
	name   string // of the section
	last   string // setting that lines may continue
	lines  []string
	open   bool
	indent int
}

// readIni parses an INI file. Errors are at the place at, with a note for the line of the file.
func readIni(file *source.File, text string, form iniForm, at source.Span) (*iniFile, error) {
	r := &iniReader{form: form, file: file, at: at, ini: &iniFile{sections: map[string]*iniSection{}, defaults: newSection()}}
	if form.properties {
		r.begin(iniProperties)
	}
	for start := 0; start < len(text); {
		end := len(text)
		if i := strings.IndexByte(text[start:], '\n'); i >= 0 {
			end = start + i + 1
		}
		if err := r.line(text[start:end], start); err != nil {
			return nil, err
		}
		start = end
	}
	r.end()
	return r.ini, nil
}

func (r *iniReader) errorf(offset, length int, format string, args ...any) *source.Diagnostic {
	d := source.Errorf(r.at, source.BadValue, "%s: %s", r.file.Name, fmt.Sprintf(format, args...))
	return d.Note(r.file.Span(offset, offset+length), "the line of the file")
}

// begin begins a section. It returns false if the file had it already.
func (r *iniReader) begin(name string) bool {
	r.name = name
	if name == iniDefaults {
		r.of = r.ini.defaults
		return true
	}
	_, twice := r.ini.sections[name]
	r.of = newSection()
	r.ini.sections[name] = r.of
	return !twice
}

// end ends the text of the last setting.
func (r *iniReader) end() {
	if r.open && !r.of.values[r.last].none {
		r.of.values[r.last] = iniValue{text: strings.TrimRightFunc(strings.Join(r.lines, "\n"), unicode.IsSpace)}
	}
	r.open, r.lines = false, nil
}

// line reads a line as Python's configparser: a line that is indented deeper than the setting before continues its
// value, and blank lines may be a part of a value.
func (r *iniReader) line(line string, offset int) error {
	text := strings.TrimSpace(line)
	indent := len(line) - len(strings.TrimLeftFunc(line, unicode.IsSpace))
	offset += indent
	switch {
	case strings.HasPrefix(text, "#") || strings.HasPrefix(text, ";"):
		return nil
	case text == "":
		if r.open {
			r.lines = append(r.lines, "")
		}
		return nil
	case r.open && indent > r.indent:
		if r.of.values[r.last].none {
			return r.errorf(offset, len(text), "the line continues %q, which has no value", r.last)
		}
		r.lines = append(r.lines, text)
		return nil
	}
	r.end()
	r.indent = indent
	if i := strings.LastIndexByte(text, ']'); text[0] == '[' && i > 1 {
		if name := text[1:i]; !r.begin(name) {
			return r.errorf(offset, i+1, "the section %q is there twice", name)
		}
		return nil
	}
	return r.setting(text, offset)
}

// setting reads NAME = VALUE or NAME: VALUE. The value is open: later lines may continue it.
func (r *iniReader) setting(text string, offset int) error {
	if r.of == nil {
		return r.errorf(offset, len(text), "there is a setting before the first section").
			WithHint("type='properties' reads files without sections")
	}
	i := strings.IndexAny(text, "=:")
	name, v := text, iniValue{none: true}
	if i >= 0 {
		name, v = strings.TrimRightFunc(text[:i], unicode.IsSpace), iniValue{}
		r.lines = []string{strings.TrimSpace(text[i+1:])}
	}
	switch {
	case name == "":
		return r.errorf(offset, len(text), "a setting has no name")
	case i < 0 && !r.form.noValue:
		return r.errorf(offset, len(text), "%q has no value: there is neither = nor :", name).WithHint("allow_no_value=true allows that")
	}
	if !r.form.caseSensitive {
		name = strings.ToLower(name)
	}
	if _, twice := r.of.values[name]; twice {
		d := r.errorf(offset, len(text), "duplicate option %q in section %q", name, r.name)
		if r.name == iniProperties {
			d.Message = strings.TrimSuffix(d.Message, fmt.Sprintf(" in section %q", r.name))
		}
		if !r.form.caseSensitive {
			d.Hint = "case_sensitive=true tells names in upper and lower case apart"
		}
		return d
	}
	r.of.names = append(r.of.names, name)
	r.of.values[name] = v
	r.last, r.open = name, true
	return nil
}

// get returns a setting of a section, or of DEFAULT.
func (f *iniFile) get(of *iniSection, name string) (iniValue, bool) {
	if v, ok := of.values[name]; ok {
		return v, true
	}
	v, ok := f.defaults.values[name]
	return v, ok
}

// names returns the names of the settings of a section: the names of DEFAULT, then its own.
func (f *iniFile) names(of *iniSection) []string {
	if of == f.defaults {
		return of.names
	}
	all := slices.Clone(f.defaults.names)
	for _, name := range of.names {
		if _, ok := f.defaults.values[name]; !ok {
			all = append(all, name)
		}
	}
	return all
}

// The limits of interpolation.
const (
	maxInterpolations = 10 // settings within settings
	maxInterpolated   = 1 << 20
)

// An interpolation replaces %(name)s in the text of a setting by that setting, and %% by a percent sign.
type interpolation struct {
	lookupCall
	file    *iniFile
	of      *iniSection
	setting string // that is asked for
	shown   string // file and section, for messages
	size    int
}

// text replaces the references in a setting by the texts of other settings, in which it replaces references first.
// Depth and size are bounded, since settings may refer to each other.
func (p *interpolation) text(raw string, depth int) (string, error) {
	if depth > maxInterpolations {
		return "", p.errorf(source.BadValue, "the setting %q of %s refers to itself, or through more than %d others", p.setting, p.shown, maxInterpolations)
	}
	if p.size += len(raw); p.size > maxInterpolated {
		return "", p.errorf(source.Limit, "the setting %q of %s has more than %d bytes", p.setting, p.shown, maxInterpolated)
	}
	if err := p.Step(1 + len(raw)/parsedPerStep); err != nil {
		return "", located(p.at, source.Limit, err, 0)
	}
	var out strings.Builder
	for {
		before, after, found := strings.Cut(raw, "%")
		out.WriteString(before)
		if !found {
			return out.String(), nil
		}
		name, rest, closed := strings.Cut(after, ")s")
		switch {
		case strings.HasPrefix(after, "%"):
			out.WriteByte('%')
			raw = after[1:]
		case closed && strings.HasPrefix(after, "(") && !strings.Contains(name, ")"):
			inner, ok := p.file.get(p.of, strings.ToLower(name[1:]))
			if !ok {
				inner, ok = p.file.get(p.of, name[1:]) // with case_sensitive
			}
			if !ok || inner.none {
				return "", p.errorf(source.BadValue, "the setting %q of %s refers to %q, which is not there", p.setting, p.shown, name[1:]).
					WithHint("interpolation=false returns texts as they are written")
			}
			text, err := p.text(inner.text, depth+1)
			if err != nil {
				return "", err
			}
			out.WriteString(text)
			raw = rest
		default:
			return "", p.errorf(source.BadValue, "the setting %q of %s has a %% that is no %%(name)s", p.setting, p.shown).
				WithHint("%%%% is a percent sign; interpolation=false returns texts as they are written")
		}
	}
}

// lookupIni returns settings of INI files: for each term the setting of that name, or with re=true all
// whose names match it.
func lookupIni(c lookupCall) ([]value.Value, error) {
	var all []value.Value
	for _, t := range c.terms {
		term, err := c.term(t)
		if err != nil {
			return nil, err
		}
		key, err := c.iniTerm(term)
		if err != nil {
			return nil, err
		}
		found, err := c.iniValues(key)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// iniTerm takes the options out of a term, in which the text of an option may have blanks: section is
// "my section" in "name section=my section file=x.ini".
func (c *lookupCall) iniTerm(term string) (key string, err error) {
	if err := c.Step(1 + len(term)); err != nil {
		return "", located(c.at, source.Limit, err, 0)
	}
	if !strings.Contains(term, "=") && !strings.Contains(strings.TrimSpace(term), " ") {
		return term, nil
	}
	var options []setting
	for _, w := range strings.Fields(term) {
		name, text, found := strings.Cut(w, "=")
		switch n := len(options); {
		case found:
			if err := c.known(name); err != nil {
				return "", err
			}
			options = append(options, setting{name, text})
		case n > 0:
			options[n-1].text += " " + w
		case key == "":
			key = w
		default:
			key += " " + w
		}
	}
	if key == "" {
		return "", c.errorf(source.BadValue, `lookup "ini" needs the name of a setting before the options`)
	}
	return key, c.with(options)
}

// iniOptions returns the options that say how the file is read, and the section.
func (c lookupCall) iniOptions() (form iniForm, section string, err error) {
	kind, err := c.textOption("type", "ini")
	if err == nil && kind != "ini" && kind != "properties" {
		err = c.errorf(source.BadValue, `the option "type" is ini or properties, not %q`, kind).DidYouMean(kind, slices.Values([]string{"ini", "properties"}))
	}
	if err == nil {
		form.caseSensitive, err = c.flag(false, "case_sensitive")
	}
	if err == nil {
		form.noValue, err = c.flag(false, "allow_no_value", "allow_none")
	}
	if form.properties = kind == "properties"; err != nil || form.properties {
		return form, iniProperties, err
	}
	section, err = c.textOption("section", "global")
	return form, section, err
}

// iniValues returns the setting with a name; with re=true all whose names match it from the beginning.
func (c lookupCall) iniValues(key string) ([]value.Value, error) {
	file, err := c.readOption("ansible.ini")
	if err != nil {
		return nil, err
	}
	found, err := c.iniIn(file, key)
	return found, located(c.at, source.BadValue, err, fileText(file, "").Marks())
}

// iniIn returns the settings of a file that a term asks for. A missing one is the default or, as in Ansible, an empty
// text.
func (c lookupCall) iniIn(file *source.File, key string) ([]value.Value, error) {
	form, section, err := c.iniOptions()
	if err != nil {
		return nil, err
	}
	ini, err := parsed(c, file, fmt.Sprint(form), func(text string) (*iniFile, error) { return readIni(file, text, form, c.at) })
	if err != nil {
		return nil, err
	}
	of := ini.sections[section]
	if section == iniDefaults {
		of = ini.defaults
	}
	if of == nil {
		d := c.errorf(source.BadValue, "%s has no section %q", file.Name, section)
		return nil, d.DidYouMean(section, maps.Keys(ini.sections))
	}
	names, re, err := c.iniNames(ini, of, key, form)
	if err != nil {
		return nil, err
	}
	p := &interpolation{lookupCall: c, file: ini, of: of, shown: file.Name}
	if !form.properties {
		p.shown += fmt.Sprintf(", section %q", section)
	}
	var all []value.Value
	for _, name := range names {
		v, ok := ini.get(of, name)
		switch {
		case !ok:
			if _, given := c.option("default"); !given {
				return []value.Value{value.String("")}, nil
			}
			return c.defaults()
		case v.none && re:
			all = append(all, value.Null)
		case !v.none:
			text, err := c.interpolated(p, name, v.text)
			if err != nil {
				return nil, err
			}
			all = append(all, fileText(file, text))
		}
	}
	return all, nil
}

func (c lookupCall) interpolated(p *interpolation, name, raw string) (string, error) {
	on, err := c.flag(true, "interpolation")
	if err != nil || !on {
		return raw, err
	}
	p.setting, p.size = name, 0
	return p.text(raw, 1)
}

// iniNames returns the names of the settings that are asked for.
func (c lookupCall) iniNames(ini *iniFile, of *iniSection, key string, form iniForm) (names []string, re bool, err error) {
	if re, err = c.flag(false, "re"); err != nil || !re {
		if !form.caseSensitive {
			key = strings.ToLower(key)
		}
		return []string{key}, false, err
	}
	for _, name := range ini.names(of) {
		if err := c.Step(1); err != nil {
			return nil, true, located(c.at, source.Limit, err, 0)
		}
		ok, err := c.CallTest("match", value.String(name), value.Args{Pos: []value.Value{value.String(key)}})
		if err != nil {
			return nil, true, err
		}
		if value.Truthy(ok) {
			names = append(names, name)
		}
	}
	return names, true, nil
}
