package hiera

import (
	"cmp"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Config is a hiera.yaml.
type Config struct {
	File    *source.File
	Version int
	Dir     string // directory of the file, to which data directories are relative
	Module  string // the module that it belongs to, "" for none

	Levels []Level

	// Defaults are the levels of default_hierarchy, which only modules have.
	Defaults []Level
}

// A Level is an entry of the hierarchy.
type Level struct {
	Name    string
	At      source.Span
	Dir     text // data directory
	Backend backend
	Kind    locationKind
	Paths   []text // for mapped paths: the template
	Var     text   // of mapped paths: the fact, and the name of an element in the template
	Element string
	Group   int // the index of the level; in version 3 the index of its backend: see bind.Level

	// Of eyaml: the file with the private key, and the environment variable that has it.
	Key, KeyVariable text
}

// A text is a text with its place.
type text struct {
	s    string
	node *yaml.Node
	at   source.Span
}

type locationKind uint8

const (
	paths locationKind = iota
	globs
	mapped
)

// A backend reads the data files of a level.
type backend uint8

const (
	yamlData backend = iota
	jsonData
	eyamlData
)

// Parse reads a hiera.yaml in a directory. module is the name of the module to which it
// belongs, "" for none. warn gets findings that stop nothing.
//
// Codes: syntax, bad-hiera-config, unsupported-hiera-feature.
func Parse(f *source.File, dir, module string, warn func(*source.Diagnostic)) (*Config, error) {
	root, err := parseMap(f, "hiera.yaml")
	if err != nil {
		return nil, err
	}
	p := &configParser{file: f, warn: warn, config: &Config{File: f, Dir: dir, Module: module}}
	if root == nil {
		root = &yaml.Node{Kind: yaml.MapNode, At: f.Span(0, 0), Parts: &yaml.Parts{Details: &yaml.Details{}}}
	}
	switch version, at := p.version(root); version {
	case 5:
		p.version5(root)
	case 4:
		p.version4(root)
	case 3:
		p.version3(root)
	default:
		d := p.badf(at, "unknown version of hiera.yaml: there are 3, 4 and 5")
		if v := get(root, "version").Value.Aliased(); v.Kind == yaml.ScalarNode && v.Value.Is(value.StringKind) && slices.Contains([]string{"3", "4", "5"}, v.Value.Str()) {
			d.Message = "the version of hiera.yaml is a number, and this is a text"
			d.WithHint("write %s, without quotes", v.Value.Str())
		}
	}
	if p.bad != nil {
		return nil, p.bad
	}
	return p.config, nil
}

// parseMap parses a file that must be a map. An empty one gives nil.
//
// Codes: syntax, bad-hiera-config.
func parseMap(f *source.File, what string) (*yaml.Node, error) {
	json := source.LanguageOf(f.Name) == "json"
	docs, findings := yaml.ParserFor(f)(f, yaml.ParseOptions{NoTemplates: true})
	if d := source.FirstError(findings); d != nil {
		return nil, d
	}
	switch {
	case json && (len(docs) == 0 || docs[0].Root == nil):
		return nil, source.Errorf(f.Span(0, 0), source.BadHieraConfig, "%s in JSON must be a map, and the file is empty", what).WithHint("write {}")
	case json && len(docs) > 1:
		return nil, source.Errorf(docs[1].Root.At, source.BadHieraConfig, "%s in JSON is one map", what)
	}
	if more := yaml.Further(docs); more != nil {
		return nil, source.Errorf(more.At, source.BadHieraConfig, "%s has one document, not %d", what, len(docs)).
			WithHint("write the keys of all documents in one map; Puppet ignores all but the first")
	}
	if len(docs) == 0 || docs[0].Root == nil {
		return nil, nil
	}
	root := docs[0].Root
	if root.Kind == yaml.ScalarNode && root.Value.IsNull() && !json {
		return nil, nil
	}
	if root.Kind != yaml.MapNode {
		return nil, source.Errorf(root.At, source.BadHieraConfig, "%s must be a map", what)
	}
	return root, nil
}

// A configParser reads a hiera.yaml. It keeps the first error.
type configParser struct {
	file   *source.File
	config *Config
	warn   func(*source.Diagnostic)
	bad    *source.Diagnostic
}

// badf reports a mistake.
func (p *configParser) badf(at source.Span, format string, args ...any) *source.Diagnostic {
	return p.refuse(source.Errorf(at, source.BadHieraConfig, format, args...))
}

// unsupported reports a feature that only Puppet has.
func (p *configParser) unsupported(at source.Span, format string, args ...any) *source.Diagnostic {
	return p.refuse(source.Errorf(at, source.UnsupportedHieraFeature, format, args...))
}

// refuse keeps d if it is the first error.
func (p *configParser) refuse(d *source.Diagnostic) *source.Diagnostic {
	if p.bad == nil {
		p.bad = d
	}
	return d
}

// keyText returns the text of a key, which may be a symbol: ":name" is name.
func keyText(e *yaml.Entry) string {
	if e.KeyNode().Style == yaml.Plain {
		return strings.TrimPrefix(e.Key.Text, ":")
	}
	return e.Key.Text
}

// get returns the entry of a map with a key, nil if there is none.
func get(n *yaml.Node, key string) *yaml.Entry {
	for i := range n.Entries {
		if keyText(&n.Entries[i]) == key {
			return &n.Entries[i]
		}
	}
	return nil
}

// version returns the version that the file is written in: 3 if it does not say.
func (p *configParser) version(root *yaml.Node) (int, source.Span) {
	e := get(root, "version")
	if e == nil {
		return 3, root.At
	}
	n, ok := e.Value.Aliased().Value.Int()
	if !ok {
		return 0, e.Value.At
	}
	return int(n), e.Value.At
}

// known warns about keys of a map that have no effect.
func (p *configParser) known(n *yaml.Node, where string, keys ...string) {
	for i := range n.Entries {
		e := &n.Entries[i]
		key := keyText(e)
		if slices.Contains(keys, key) || p.warn == nil {
			continue
		}
		p.warn(source.Warnf(e.KeyAt, source.UnknownKey, "unknown key '%s' in %s", key, where).DidYouMean(key, slices.Values(keys)))
	}
}

// only returns the entry of a map that has one of the keys, nil if there is none. what names the map, whose entries
// of these keys are such as functions; two of them are an error.
func (p *configParser) only(n *yaml.Node, keys []string, what, entries string) (found *yaml.Entry, ok bool) {
	for _, key := range keys {
		e := get(n, key)
		if e != nil && found != nil {
			p.badf(e.KeyAt, "%s has two %s, '%s' and '%s': one is allowed", what, entries, keyText(found), key)
			return nil, false
		}
		found = cmp.Or(e, found)
	}
	return found, true
}

// string returns the text under a key of a map, false if there is none.
func (p *configParser) string(n *yaml.Node, key string) (text, bool) {
	e := get(n, key)
	if e == nil {
		return text{}, false
	}
	return p.text(e.Value, key)
}

// text returns a scalar that must be a text and not empty.
func (p *configParser) text(n *yaml.Node, key string) (text, bool) {
	v := n.Aliased()
	if v.Kind != yaml.ScalarNode || !v.Value.Is(value.StringKind) || v.Value.Str() == "" {
		p.badf(n.At, "'%s' must be a text", key)
		return text{}, false
	}
	return text{v.Value.Str(), v, n.At}, true
}

// texts returns the texts of a list.
func (p *configParser) texts(n *yaml.Node, key string) []text {
	list := n.Aliased()
	if list.Kind != yaml.SeqNode || len(list.Items) == 0 {
		p.badf(n.At, "'%s' must be a list of texts", key)
		return nil
	}
	var out []text
	for _, item := range list.Items {
		t, ok := p.text(item, key)
		if !ok {
			return nil
		}
		out = append(out, t)
	}
	return out
}

// The keys by which a level says where and how its data is read.
var (
	functionKeys = []string{"data_hash", "lookup_key", "data_dig", "hiera3_backend"}
	locationKeys = []string{"path", "paths", "glob", "globs", "uri", "uris", "mapped_paths"}
)

// defaults are the defaults of the levels of version 5.
type defaults struct {
	dir      text
	function *yaml.Entry // nil if there is none
	options  *yaml.Entry
	builtIn  bool // yaml_data counts where a level has no function
}

// version5 reads a file of version 5 (spec: bindings, section 10.1).
func (p *configParser) version5(root *yaml.Node) {
	p.config.Version = 5
	p.known(root, "hiera.yaml", "version", "defaults", "hierarchy", "default_hierarchy", "plan_hierarchy")
	d := p.defaults(root)
	if e := get(root, "hierarchy"); e != nil && !e.Value.Aliased().Value.IsNull() || e != nil && e.Value.Aliased().Kind != yaml.ScalarNode {
		p.config.Levels = p.levels(e, func(item *yaml.Node) (Level, bool) { return p.level(item, d) })
	} else {
		common := Level{Name: "Common", At: root.At, Dir: d.dir, Paths: []text{{s: "common.yaml", at: root.At}}}
		empty := &yaml.Node{Kind: yaml.MapNode, At: root.At, Parts: &yaml.Parts{Details: &yaml.Details{}}}
		if p.function(empty, &common, d) && p.options(empty, &common, d) {
			p.config.Levels = []Level{common}
		}
	}
	if e := get(root, "default_hierarchy"); e != nil {
		if p.config.Module == "" {
			p.badf(e.KeyAt, "'default_hierarchy' is allowed in the hiera.yaml of a module only")
			return
		}
		p.config.Defaults = p.levels(e, func(item *yaml.Node) (Level, bool) { return p.level(item, d) })
	}
}

// defaults reads the section of defaults. One that is written replaces the built-in one.
func (p *configParser) defaults(root *yaml.Node) defaults {
	d := defaults{dir: text{s: "data", at: root.At}, builtIn: true}
	e := get(root, "defaults")
	if e == nil {
		return d
	}
	n := e.Value.Aliased()
	if n.Kind == yaml.ScalarNode && n.Value.IsNull() {
		return d
	}
	if n.Kind != yaml.MapNode {
		p.badf(e.Value.At, "'defaults' must be a map")
		return d
	}
	d.builtIn = false
	p.known(n, "defaults", "datadir", "data_hash", "lookup_key", "data_dig", "options")
	if dir, ok := p.string(n, "datadir"); ok {
		d.dir = dir
	}
	d.function, _ = p.only(n, functionKeys, "'defaults'", "functions")
	d.options = get(n, "options")
	return d
}

// levels reads a hierarchy, each level by a function.
func (p *configParser) levels(e *yaml.Entry, level func(item *yaml.Node) (Level, bool)) []Level {
	n := e.Value.Aliased()
	if n.Kind != yaml.SeqNode {
		p.badf(e.Value.At, "'%s' must be a list of levels", keyText(e))
		return nil
	}
	var out []Level
	seen := map[string]source.Span{}
	for _, item := range n.Items {
		l, ok := level(item)
		if !ok {
			return nil
		}
		if first, twice := seen[l.Name]; twice {
			p.badf(l.At, "there are two levels '%s'", l.Name).Note(first, "the first one is here")
			return nil
		}
		seen[l.Name] = l.At
		l.Group = len(out)
		out = append(out, l)
	}
	return out
}

func (p *configParser) level(item *yaml.Node, d defaults) (Level, bool) {
	n := item.Aliased()
	l, _, ok := p.named(item.At, n, d.dir, slices.Concat([]string{"name", "datadir", "options"}, functionKeys, locationKeys)...)
	return l, ok && p.function(n, &l, d) && p.options(n, &l, d) && p.location(n, &l)
}

// named begins a level with its name and data directory. keys are the keys that a level may have; dir is the data
// directory of a level that names none.
func (p *configParser) named(at source.Span, n *yaml.Node, dir text, keys ...string) (l Level, name text, ok bool) {
	if n.Kind != yaml.MapNode {
		p.badf(at, "a level must be a map")
		return l, name, false
	}
	e := get(n, "name")
	if e == nil {
		p.badf(at, "a level needs a name")
		return l, name, false
	}
	if name, ok = p.text(e.Value, "name"); !ok {
		return l, name, false
	}
	l = Level{Name: name.s, At: e.Value.At, Dir: dir}
	p.known(n, "level '"+l.Name+"'", keys...)
	if d := get(n, "datadir"); d != nil {
		l.Dir, ok = p.text(d.Value, "datadir")
	}
	return l, name, ok
}

// function reads which function reads the data of a level.
func (p *configParser) function(n *yaml.Node, l *Level, d defaults) bool {
	found, ok := p.only(n, functionKeys, "the level '"+l.Name+"'", "functions")
	if found = cmp.Or(found, d.function); !ok {
		return false
	}
	if found == nil {
		if d.builtIn {
			return true
		}
		p.badf(l.At, "the level '%s' has no data_hash, and neither have the defaults", l.Name)
		return false
	}
	t, ok := p.text(found.Value, keyText(found))
	if !ok {
		return false
	}
	switch {
	case keyText(found) == "data_hash" && t.s == "yaml_data":
		l.Backend = yamlData
	case keyText(found) == "data_hash" && t.s == "json_data":
		l.Backend = jsonData
	case keyText(found) == "lookup_key" && t.s == "eyaml_lookup_key":
		l.Backend = eyamlData
	default:
		p.unsupported(found.KeyAt, "the level '%s' reads its data by %s: %s, which only Puppet can run", l.Name, keyText(found), t.s).
			WithHint("levels are read by data_hash: yaml_data or json_data, or lookup_key: eyaml_lookup_key")
		return false
	}
	return true
}

// options reads the options of a level, which eyaml has.
func (p *configParser) options(n *yaml.Node, l *Level, d defaults) bool {
	e := cmp.Or(get(n, "options"), d.options)
	if e == nil {
		return true
	}
	m := e.Value.Aliased()
	if m.Kind != yaml.MapNode {
		p.badf(e.Value.At, "the options of the level '%s' must be a map", l.Name)
		return false
	}
	for i := range m.Entries {
		if key := keyText(&m.Entries[i]); key == "path" || key == "uri" {
			p.badf(m.Entries[i].KeyAt, "the level '%s' has an option '%s', which is reserved", l.Name, key)
			return false
		}
	}
	return l.Backend != eyamlData || p.eyamlOptions(m, l)
}

// eyamlOptions reads the options of a level of eyaml.
func (p *configParser) eyamlOptions(m *yaml.Node, l *Level) bool {
	for _, option := range []struct {
		key string
		to  *text
	}{{"pkcs7_private_key", &l.Key}, {"pkcs7_private_key_env_var", &l.KeyVariable}} {
		if e := get(m, option.key); e != nil {
			var ok bool
			if *option.to, ok = p.text(e.Value, option.key); !ok {
				return false
			}
		}
	}
	return true
}

// location reads where the data of a level is.
func (p *configParser) location(n *yaml.Node, l *Level) bool {
	found, ok := p.only(n, locationKeys, "the level '"+l.Name+"'", "locations")
	if !ok {
		return false
	}
	if found == nil {
		p.badf(l.At, "the level '%s' has no path", l.Name)
		return false
	}
	switch key := keyText(found); key {
	case "path", "glob":
		t, ok := p.text(found.Value, key)
		if !ok {
			return false
		}
		l.Paths = []text{t}
	case "paths", "globs":
		l.Paths = p.texts(found.Value, key)
	case "mapped_paths":
		three := p.texts(found.Value, key)
		if p.bad == nil && len(three) != 3 {
			p.badf(found.Value.At, "'mapped_paths' of the level '%s' must be [fact, name, path]", l.Name)
		}
		if p.bad != nil {
			return false
		}
		l.Kind, l.Var, l.Element, l.Paths = mapped, three[0], three[1].s, three[2:]
	default:
		p.unsupported(found.KeyAt, "the level '%s' has the location '%s', which only functions of Puppet read", l.Name, key)
	}
	if strings.HasPrefix(keyText(found), "glob") {
		l.Kind = globs
	}
	return p.bad == nil
}
