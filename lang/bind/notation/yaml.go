package notation

import (
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/lang/bind"
	"github.com/yaytpl/yaytpl/lang/bind/types"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A yamlReader reads bindings from a tree of YAML (spec: bindings, section 3).
type yamlReader struct {
	parser       // for its errors; texts have parsers of their own
	repeated int // bytes of the values that aliases repeat
}

// maxRepeated bounds the bytes that the aliases of a file repeat. Each repeated value is read again, so
// that a short text with aliases in aliases would take memory without bound.
const maxRepeated = 16 << 20

// siteKeys are the keys of a site, which may also be at the top level.
var siteKeys = []string{"precedence", "categories", "layers", "environments", "variables"}

// IsYAML reports whether a map is a file of bindings: by its keys.
func IsYAML(root *yaml.Node) bool {
	return root != nil && root.Kind == yaml.MapNode && slices.ContainsFunc([]string{"site", "bindings", "categories", "layers", "environments"}, func(key string) bool { return entryOf(root, key) != nil })
}

// ParseYAML reads a file of bindings in YAML.
//
// Codes: syntax, duplicate-section, unknown-type, cycle, limit.
func ParseYAML(f *source.File, root *yaml.Node) (*File, error) {
	r := &yamlReader{}
	r.parser.place = f.Span
	out := &File{Site: &bind.Site{File: f}}
	d := r.parser.run(func() { r.file(out, root) })
	if d != nil {
		return nil, d
	}
	return out, nil
}

func entryOf(n *yaml.Node, key string) *yaml.Entry {
	for i := range n.Entries {
		if n.Entries[i].Key.Text == key {
			return &n.Entries[i]
		}
	}
	return nil
}

// resolved returns the node that an alias refers to, n for other nodes. Recursion and repetition are errors.
func (r *yamlReader) resolved(n *yaml.Node) *yaml.Node {
	to := n.Aliased()
	if to == n { // or an unknown alias, an error of the parser
		return n
	}
	if to.At.Start <= n.At.Start && n.At.End <= to.At.End {
		r.fail(source.Errorf(n.At, source.Cycle, "the anchor %q contains its own alias", n.Anchor).Note(to.AnchorAt, "the anchor"))
	}
	if r.repeated += int(to.At.End-to.At.Start) + 1; r.repeated > maxRepeated {
		r.fail(source.Errorf(n.At, source.Limit, "the aliases of the file repeat more than %d bytes", maxRepeated))
	}
	return to
}

// bad fails at a node.
func (r *yamlReader) bad(at source.Span, format string, args ...any) {
	r.fail(source.Errorf(at, source.Syntax, format, args...))
}

// known refuses keys that have no meaning.
func (r *yamlReader) known(n *yaml.Node, what string, keys ...string) {
	for i := range n.Entries {
		key := n.Entries[i].Key.Text
		if !slices.Contains(keys, key) {
			r.fail(source.Errorf(n.Entries[i].KeyAt, source.Syntax, "unknown key '%s' in %s", key, what).DidYouMean(key, slices.Values(keys)))
		}
	}
}

func (r *yamlReader) mapping(n *yaml.Node, what string) *yaml.Node {
	m := r.resolved(n)
	if m.Kind != yaml.MapNode {
		r.bad(n.At, "%s must be a map", what)
	}
	return m
}

func (r *yamlReader) file(out *File, root *yaml.Node) {
	m := r.mapping(root, "a file of bindings")
	r.known(m, "a file of bindings", append([]string{"site", "bindings"}, siteKeys...)...)
	if e := entryOf(m, "site"); e != nil {
		out.HasSite = true
		s := r.mapping(e.Value, "'site'")
		r.known(s, "'site'", siteKeys...)
		r.site(out.Site, s)
	}
	if slices.ContainsFunc(siteKeys, func(key string) bool { return entryOf(m, key) != nil }) {
		out.HasSite = true
	}
	r.site(out.Site, m)
	if e := entryOf(m, "bindings"); e != nil {
		for _, set := range r.entries(e.Value, "bindings") {
			out.Site.Sets = append(out.Site.Sets, &bind.Set{Name: set.Key.Text, At: set.KeyAt, Ops: r.block(set.Value)})
		}
	}
}

// site reads the sections of a site.
func (r *yamlReader) site(s *bind.Site, m *yaml.Node) {
	section := func(key string, first source.Span) *yaml.Entry {
		e := entryOf(m, key)
		if e != nil && first != (source.Span{}) {
			r.fail(source.Errorf(e.KeyAt, source.DuplicateSection, "there are two sections '%s'", key).Note(first, "the first one is here"))
		}
		return e
	}
	if e := entryOf(m, "precedence"); e != nil {
		switch text, _ := r.text(e.Value, "precedence"); text {
		case "specific":
		case "highest":
			s.Highest = true
		default:
			r.bad(e.Value.At, "'precedence' is specific or highest")
		}
	}
	if e := section("categories", s.CategoriesAt); e != nil {
		s.CategoriesAt = e.KeyAt
		for _, c := range r.pairsOf(e.Value, "categories") {
			s.Categories = append(s.Categories, bind.Category{Name: c.Key.Text, At: c.KeyAt, Value: r.expression(c.Value)})
		}
	}
	if e := section("layers", s.LayersAt); e != nil {
		s.LayersAt = e.KeyAt
		r.layers(s, e.Value)
	}
	if e := entryOf(m, "variables"); e != nil {
		for _, v := range r.entries(e.Value, "variables") {
			s.Variables = append(s.Variables, bind.Variable{Name: v.Key.Text, At: v.KeyAt, Value: r.expression(v.Value)})
		}
	}
	if e := entryOf(m, "environments"); e != nil {
		r.environments(s, e.Value)
	}
}

// oneOrMany returns the items of a list; another node is the only item.
func (r *yamlReader) oneOrMany(n *yaml.Node) []*yaml.Node {
	if l := r.resolved(n); l.Kind == yaml.SeqNode {
		return l.Items
	}
	return []*yaml.Node{n}
}

// pairsOf returns the entries of a map, or of a list of maps with one key each.
func (r *yamlReader) pairsOf(n *yaml.Node, what string) []*yaml.Entry {
	var out []*yaml.Entry
	for _, item := range r.oneOrMany(n) {
		m := r.mapping(item, "an entry of '"+what+"'")
		for i := range m.Entries {
			out = append(out, &m.Entries[i])
		}
	}
	return out
}

func (r *yamlReader) layers(s *bind.Site, n *yaml.Node) {
	list := r.resolved(n)
	if list.Kind != yaml.SeqNode {
		r.bad(n.At, "'layers' must be a list, the highest layer first")
	}
	for _, item := range list.Items {
		m := r.mapping(item, "a layer")
		r.known(m, "a layer", "name", "include", "exclude")
		l := bind.Layer{At: item.At}
		for i := range m.Entries {
			x := r.expression(m.Entries[i].Value)
			switch m.Entries[i].Key.Text {
			case "name":
				l.Name = x
			case "include":
				l.Include = x
			default:
				l.Exclude = x
			}
		}
		if l.Name == nil {
			r.bad(item.At, "a layer needs a name")
		}
		s.Layers = append(s.Layers, l)
	}
}

// environments reads the declared environments. The key "defaults" has the attributes of all, "dynamic"
// the directories of which each directory in them is one.
func (r *yamlReader) environments(s *bind.Site, n *yaml.Node) {
	s.Environments = &bind.Environments{}
	for _, e := range r.entries(n, "environments") {
		switch e.Key.Text {
		case "defaults":
			s.Environments.Defaults = r.attributes(e.Value)
		case "dynamic":
			for _, d := range r.entries(e.Value, "dynamic") {
				s.Environments.Declared = append(s.Environments.Declared, bind.Environment{Name: r.key(d), At: d.KeyAt, Dynamic: true, Attributes: r.attributes(d.Value)})
			}
		default:
			s.Environments.Declared = append(s.Environments.Declared, bind.Environment{Name: r.key(e), At: e.KeyAt, Attributes: r.attributes(e.Value)})
		}
	}
}

// key returns a key as an expression.
func (r *yamlReader) key(e *yaml.Entry) bind.Expr { return r.expression(e.KeyNode()) }

func (r *yamlReader) attributes(n *yaml.Node) []bind.Attribute {
	if v := r.resolved(n); v.Kind == yaml.ScalarNode && v.Value.IsNull() {
		return nil
	}
	var out []bind.Attribute
	m := r.mapping(n, "the attributes of an environment")
	for i := range m.Entries {
		e := &m.Entries[i]
		out = append(out, bind.Attribute{Name: e.Key.Text, At: e.KeyAt, Value: r.expression(e.Value)})
	}
	return out
}

// text returns a scalar that is a text.
func (r *yamlReader) text(n *yaml.Node, what string) (string, *yaml.Node) {
	v := r.resolved(n)
	if v.Kind != yaml.ScalarNode || v.Value.IsNull() {
		r.bad(n.At, "'%s' must be a text", what)
	}
	text, err := value.Text(v.Value)
	if err != nil {
		r.bad(n.At, "'%s' must be a text", what)
	}
	return text, v
}

// flag returns a boolean.
func (r *yamlReader) flag(n *yaml.Node, what string) bool {
	v := r.resolved(n)
	if v.Kind != yaml.ScalarNode || !v.Value.Is(value.BoolKind) {
		r.bad(n.At, "'%s' is true or false", what)
	}
	return v.Value.Bool()
}

// expression returns a value in which texts have ${...}.
func (r *yamlReader) expression(n *yaml.Node) bind.Expr { return exprOf(r.node(n, 0)) }

func (r *yamlReader) node(n *yaml.Node, depth int) node {
	if depth > maxDepth {
		r.fail(source.Errorf(n.At, source.Limit, "the value is nested more than %d deep", maxDepth))
	}
	v := r.resolved(n)
	switch v.Kind {
	case yaml.SeqNode:
		l := &listNode{at: n.At}
		for _, item := range v.Items {
			l.items = append(l.items, r.node(item, depth+1))
		}
		return l
	case yaml.MapNode:
		m := &mapNode{at: n.At}
		for i := range v.Entries {
			e := &v.Entries[i]
			if e.IsMerge() {
				r.bad(e.KeyAt, "\"<<\" has no meaning in bindings")
			}
			key := node(&constantNode{e.KeyAt, e.Key.Value()})
			if strings.Contains(e.Key.Text, "${") && e.Key.Value().Is(value.StringKind) {
				key = r.joined(e.KeyNode())
			}
			m.pairs = append(m.pairs, mapPair{key, r.node(e.Value, depth+1)})
		}
		return m
	}
	if v.Value.Is(value.StringKind) && strings.Contains(v.Value.Str(), "${") {
		return r.joined(v)
	}
	return &constantNode{n.At, v.Value}
}

// joined returns a text with its expressions. A text that is one expression is its value.
func (r *yamlReader) joined(n *yaml.Node) node {
	text := n.Value.Str()
	p := &parser{scanner: scanner{src: text}, place: n.TextMap().TextSpan}
	j := p.parts(text, 0, false)
	j.at = n.At
	if len(j.parts) == 1 {
		return j.parts[0]
	}
	return simplified(j)
}

// typ returns a type that is written as text.
func (r *yamlReader) typ(n *yaml.Node) *types.Type {
	text, v := r.text(n, "type")
	t, d := ParseType(text, v.TextMap().TextSpan)
	if d != nil {
		r.fail(d)
	}
	return t
}
