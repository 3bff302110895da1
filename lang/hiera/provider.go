package hiera

import (
	"path"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/lang/bind"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Provider gives the data of a configuration for the facts of one node. It belongs to one
// table.
type Provider struct {
	config *Config
	cache  *Cache

	levels, defaults hierarchy
}

// A hierarchy is a list of levels with their files, once the paths are known.
type hierarchy struct {
	known bool
	files []location
	rules []bind.KeyRule
	err   error
}

// A location is one file of a level.
type location struct {
	level *Level
	data  *data
	eyaml *eyamlKeys // nil in a level that does not decrypt
	at    source.Span
	marks value.Marks // of the facts that chose the file
}

// A dataName is the name of a data file. Where secret facts are in it, messages show it masked.
type dataName struct {
	name, shown string
	marks       value.Marks
}

// join returns a name in a directory.
func (d dataName) join(name value.Value) dataName {
	masked, hidden := value.Masked(name)
	if !hidden {
		masked = name.Str()
	}
	return dataName{path.Join(d.name, name.Str()), path.Join(d.shown, masked), d.marks | name.Marks()}
}

// Open returns a provider of the data of a configuration. Files are read when the first key
// is looked up.
func (c *Config) Open(cache *Cache) *Provider { return &Provider{config: c, cache: cache} }

// Owns reports whether the configuration may have a key: a module's may only have its own keys.
func (p *Provider) Owns(name string) bool {
	return p.config.Module == "" || strings.HasPrefix(name, p.config.Module+"::")
}

// Find returns the files of all levels for a key.
//
// Codes: the codes of reading the files, bad-interpolation in paths.
func (p *Provider) Find(s *bind.Scope, name string) ([]bind.Level, error) {
	return p.find(s, &p.levels, p.config.Levels, name)
}

// Default returns the files of the default hierarchy for a key.
func (p *Provider) Default(s *bind.Scope, name string) ([]bind.Level, error) {
	if len(p.config.Defaults) == 0 {
		return nil, nil
	}
	return p.find(s, &p.defaults, p.config.Defaults, name)
}

func (p *Provider) find(s *bind.Scope, h *hierarchy, levels []Level, name string) ([]bind.Level, error) {
	if err := p.open(s, h, levels); err != nil {
		return nil, err
	}
	out := make([]bind.Level, len(h.files))
	for i, l := range h.files {
		out[i] = bind.Level{Name: l.level.Name, File: l.data.shown, At: l.at, Group: l.level.Group, Missing: l.data.missing, Marks: l.marks}
		if d := l.data.entries[name]; d != nil {
			out[i].At, out[i].Value = d.at, &datumExpr{d, p.cache, l.eyaml}
		}
	}
	return out, nil
}

// Rules returns the options of keys in all levels, higher levels over lower ones.
//
// Codes: as Find, and bad-hiera-config.
func (p *Provider) Rules(s *bind.Scope, fallback bool) ([]bind.KeyRule, error) {
	h, levels := &p.levels, p.config.Levels
	if fallback {
		h, levels = &p.defaults, p.config.Defaults
	}
	if err := p.open(s, h, levels); err != nil {
		return nil, err
	}
	return h.rules, nil
}

// Names returns the keys of all levels, in the order of files.
func (p *Provider) Names(s *bind.Scope) ([]string, error) {
	var out []string
	for _, h := range []struct {
		*hierarchy
		levels []Level
	}{{&p.levels, p.config.Levels}, {&p.defaults, p.config.Defaults}} {
		if err := p.open(s, h.hierarchy, h.levels); err != nil {
			return nil, err
		}
		for _, l := range h.files {
			out = append(out, l.data.names...)
		}
	}
	return out, nil
}

// open finds the files of a hierarchy for the facts, and their lookup_options.
func (p *Provider) open(s *bind.Scope, h *hierarchy, levels []Level) error {
	if h.known {
		return h.err
	}
	h.known = true
	for i := range levels {
		if h.err = p.locate(s, h, &levels[i]); h.err != nil {
			return h.err
		}
	}
	for _, l := range h.files {
		if l.data.err != nil {
			h.err = l.data.err
			return h.err
		}
	}
	h.err = p.readRules(s, h)
	return h.err
}

// readRules merges the lookup_options of all files. They may look up keys themselves, which
// have no options meanwhile.
func (p *Provider) readRules(s *bind.Scope, h *hierarchy) error {
	var rules []bind.KeyRule
	for _, l := range slices.Backward(h.files) {
		own, err := l.data.rulesOf(s, p.config.Module)
		if err != nil {
			return err
		}
		rules = bind.JoinRules(rules, own)
	}
	h.rules = rules
	return nil
}

// maxLocations bounds the files of a hierarchy.
const maxLocations = 50_000

// locate adds the files of a level.
func (p *Provider) locate(s *bind.Scope, h *hierarchy, l *Level) error {
	v, err := p.interpolated(s, l.Dir, "", value.Null)
	if err != nil {
		return err
	}
	dir := dataName{name: p.config.Dir, shown: p.config.Dir}
	if path.IsAbs(v.Str()) {
		dir = dataName{}
	}
	dir = dir.join(v)
	eyaml, err := p.eyamlKeys(s, l)
	if err != nil {
		return err
	}
	for _, t := range l.Paths {
		names, err := p.names(s, l, t, dir)
		if err != nil {
			return err
		}
		if len(h.files)+len(names) > maxLocations {
			return source.Errorf(l.At, source.Limit, "the hierarchy has more than %d files", maxLocations)
		}
		for _, name := range names {
			if err := s.Step(1); err != nil {
				return err
			}
			h.files = append(h.files, location{l, p.cache.load(name), eyaml, l.At, name.marks})
		}
	}
	return nil
}

// eyamlKeys returns the private keys that the options of a level name, nil if it does not decrypt.
func (p *Provider) eyamlKeys(s *bind.Scope, l *Level) (*eyamlKeys, error) {
	if l.Backend != eyamlData {
		return nil, nil
	}
	file, err := p.interpolated(s, l.Key, "", value.Null)
	if err != nil {
		return nil, err
	}
	name := file.Str()
	if name != "" && !path.IsAbs(name) {
		name = path.Join(p.config.Dir, name)
	}
	variable, err := p.interpolated(s, l.KeyVariable, "", value.Null)
	return &eyamlKeys{p.cache, name, variable.Str(), (file.Marks() | variable.Marks()) != 0}, err
}

// names returns the names of the files that one path of a level matches.
func (p *Provider) names(s *bind.Scope, l *Level, t text, dir dataName) ([]dataName, error) {
	switch l.Kind {
	case globs:
		pattern, err := p.interpolated(s, t, "", value.Null)
		if err != nil {
			return nil, err
		}
		all := dir.join(pattern)
		names, err := p.cache.files.Glob(all.name)
		if err != nil {
			return nil, all.masked(source.AsDiagnostic(err, t.at, source.BadHieraConfig))
		}
		out := make([]dataName, len(names))
		for i, name := range names {
			out[i] = dataName{name, name, all.marks}
			if all.marks != 0 {
				out[i].shown = all.shown
			}
		}
		return out, nil
	case mapped:
		elements, err := p.elements(s, l)
		if err != nil {
			return nil, err
		}
		var out []dataName
		for _, e := range elements {
			name, err := p.interpolated(s, t, l.Element, e)
			if err != nil {
				return nil, err
			}
			out = append(out, dir.join(name))
		}
		return out, nil
	}
	name, err := p.interpolated(s, t, "", value.Null)
	return []dataName{dir.join(name)}, err
}

// masked returns an error about files whose names secret facts are in.
func (d dataName) masked(err *source.Diagnostic) *source.Diagnostic {
	if d.marks == 0 {
		return err
	}
	return source.Errorf(err.At, err.Code, "%s cannot be read", d.shown)
}

// elements returns the elements of the fact of mapped paths: the items of a list, the pairs of a
// map, one text. A missing fact has none.
func (p *Provider) elements(s *bind.Scope, l *Level) ([]value.Value, error) {
	i := &interpolator{scope: s}
	v, err := i.variable(l.Var.s, l.Var.at)
	if err != nil {
		return nil, err
	}
	marks := v.Marks()
	switch v.Kind() {
	case value.NullKind:
		return nil, nil
	case value.ListKind:
		items, err := value.ItemsOf(v.List())
		for i := range items {
			items[i] = items[i].Mark(marks)
		}
		return items, err
	case value.MapKind:
		var out []value.Value
		for k, key := range value.KeyValues(v.Map()) {
			item, _, err := v.Map().Get(k)
			if err != nil {
				return nil, err
			}
			out = append(out, value.ListOf(key, item).Mark(marks))
		}
		return out, nil
	}
	if v.Is(value.StringKind) && v.Str() == "" {
		return nil, nil
	}
	return []value.Value{v}, nil
}

// interpolated returns a path with facts in it. The element is the name of mapped paths.
func (p *Provider) interpolated(s *bind.Scope, t text, element string, v value.Value) (value.Value, error) {
	if !strings.Contains(t.s, "%{") {
		return value.String(t.s), nil
	}
	at := func(from, to int) source.Span {
		if t.node == nil {
			return t.at
		}
		return t.node.TextSpan(from, to)
	}
	i := &interpolator{scope: s, element: element, value: v}
	return i.text(t.s, at)
}
