package hiera

import (
	"strings"

	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// version4 reads a file of version 4: levels with a backend and paths without endings.
func (p *configParser) version4(root *yaml.Node) {
	p.config.Version = 4
	p.known(root, "hiera.yaml", "version", "datadir", "hierarchy")
	dir := text{s: "data", at: root.At}
	if d, ok := p.string(root, "datadir"); ok {
		dir = d
	}
	e := get(root, "hierarchy")
	if e == nil {
		p.config.Levels = []Level{{Name: "common", At: root.At, Dir: dir, Paths: []text{{s: "common.yaml", at: root.At}}}}
		return
	}
	p.config.Levels = p.levels(e, func(item *yaml.Node) (Level, bool) { return p.level4(item.Aliased(), dir) })
}

func (p *configParser) level4(n *yaml.Node, dir text) (Level, bool) {
	l, title, ok := p.named(n.At, n, dir, "name", "backend", "datadir", "path", "paths")
	if !ok {
		return l, false
	}
	ending, ok := p.backend4(n, &l)
	if !ok {
		return l, false
	}
	location, _ := p.only(n, []string{"path", "paths"}, "the level '"+l.Name+"'", "locations")
	switch {
	case location == nil:
		l.Paths = []text{title}
	case keyText(location) == "path":
		t, _ := p.text(location.Value, "path")
		l.Paths = []text{t}
	default:
		l.Paths = p.texts(location.Value, "paths")
	}
	for i := range l.Paths {
		l.Paths[i] = withEnding(l.Paths[i], ending)
	}
	return l, p.bad == nil
}

// backend4 reads the backend of a level of version 4 and returns the ending of its files.
func (p *configParser) backend4(n *yaml.Node, l *Level) (string, bool) {
	e := get(n, "backend")
	if e == nil {
		p.badf(l.At, "the level '%s' has no backend", l.Name)
		return "", false
	}
	t, ok := p.text(e.Value, "backend")
	if !ok {
		return "", false
	}
	switch t.s {
	case "yaml":
		return ".yaml", true
	case "json":
		l.Backend = jsonData
		return ".json", true
	}
	p.unknownBackend(e.Value.At, l.Name, t.s)
	return "", false
}

func (p *configParser) unknownBackend(at source.Span, level, backend string) {
	p.unsupported(at, "the level '%s' has the backend %q: there are yaml and json, and eyaml in version 3", level, backend)
}

// withEnding adds the ending of a file, which the interpolated text may have already.
func withEnding(t text, ending string) text {
	if !strings.HasSuffix(t.s, ending) {
		t.s, t.node = t.s+ending, nil
	}
	return t
}

// version3 reads a file of version 3, whose keys are symbols: for each backend all of the
// hierarchy.
//
//	:backends: [yaml, json]
//	:yaml: {:datadir: hieradata}
//	:hierarchy: ["nodes/%{trusted.certname}", common]
func (p *configParser) version3(root *yaml.Node) {
	p.config.Version = 3
	names := p.oneOrMore(root, "backends", []text{{s: "yaml", at: root.At}})
	levels := p.oneOrMore(root, "hierarchy", []text{{s: "nodes/%{trusted.certname}", at: root.At}, {s: "common", at: root.At}})
	known := []string{"version", "backends", "hierarchy", "logger", "merge_behavior", "deep_merge_options"}
	seen := map[string]text{}
	for group, b := range names {
		if first, twice := seen[b.s]; twice {
			p.badf(b.at, "the backend '%s' is listed twice", b.s).Note(first.at, "first listed here")
			return
		}
		seen[b.s] = b
		known = append(known, b.s)
		l := Level{Name: b.s, At: b.at, Dir: text{s: "hieradata", at: root.At}, Group: group}
		ending := "." + b.s
		switch b.s {
		case "yaml":
		case "json":
			l.Backend = jsonData
		case "eyaml":
			l.Backend = eyamlData
		default:
			p.unknownBackend(b.at, b.s, b.s)
			return
		}
		if e := get(root, b.s); e != nil && e.Value.Aliased().Kind == yaml.MapNode {
			if d, ok := p.string(e.Value.Aliased(), "datadir"); ok {
				l.Dir = d
			}
			if x, ok := p.string(e.Value.Aliased(), "extension"); ok {
				ending = "." + x.s
			}
			if l.Backend == eyamlData && !p.eyamlOptions(e.Value.Aliased(), &l) {
				return
			}
		}
		for _, t := range levels {
			l.Paths = append(l.Paths, withEnding(t, ending))
		}
		p.config.Levels = append(p.config.Levels, l)
	}
	p.known(root, "hiera.yaml", known...)
	for _, key := range []string{"merge_behavior", "deep_merge_options"} {
		if e := get(root, key); e != nil && p.warn != nil && !(e.Value.Aliased().Value.Is(value.StringKind) && e.Value.Aliased().Value.Str() == "native") {
			p.warn(source.Warnf(e.KeyAt, source.UnknownKey, "':%s:' has no effect: merges are asked for by lookup_options or --merge", key))
		}
	}
}

// oneOrMore returns the texts under a key: a text or a list of texts.
func (p *configParser) oneOrMore(root *yaml.Node, key string, missing []text) []text {
	e := get(root, key)
	if e == nil {
		return missing
	}
	n := e.Value.Aliased()
	if n.Kind == yaml.SeqNode {
		return p.texts(e.Value, key)
	}
	if n.Kind == yaml.ScalarNode && n.Value.IsNull() {
		return missing
	}
	t, ok := p.text(e.Value, key)
	if !ok {
		return nil
	}
	return []text{t}
}
