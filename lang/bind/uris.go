package bind

import (
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A URI names sets or providers in a layer: scheme:/name, with "*" for one segment of the name
// and "**" for several. An optional one need not exist.
//
//	confdir:/default   module:/*::default   module:/inn::default?optional   hiera:/sub/dir
type URI struct {
	Text     string
	At       source.Span
	Scheme   string
	Name     string
	Optional bool
}

// ParseURI parses a URI. What its name must be depends on the scheme: see valid.
//
// Code: bad-uri.
func ParseURI(text string, at source.Span) (URI, *source.Diagnostic) {
	u := URI{Text: text, At: at}
	scheme, rest, ok := strings.Cut(text, ":/")
	if !ok || scheme == "" || strings.ContainsAny(scheme, "/ \t") {
		return u, source.Errorf(at, source.BadURI, "%q is no URI of bindings: write scheme:/name, such as confdir:/default", text)
	}
	u.Scheme = scheme
	name, query, asks := strings.Cut(rest, "?")
	if asks && query != "" && query != "optional" {
		return u, source.Errorf(at, source.BadURI, "unknown option %q in %q", query, text).WithHint("the one option is ?optional")
	}
	u.Name, u.Optional = name, asks
	return u, nil
}

// valid checks the name of a URI whose scheme is known.
//
// Code: bad-uri.
func (u URI) valid() *source.Diagnostic {
	at, name, text := u.At, u.Name, u.Text
	for segment := range strings.SplitSeq(strings.ReplaceAll(name, "::", "/"), "/") {
		if segment == ".." {
			return source.Errorf(at, source.BadURI, "%q leads out of its directory: \"..\" is not allowed in a URI", text)
		}
		if strings.Contains(segment, "*") && segment != "*" && segment != "**" {
			return source.Errorf(at, source.BadURI, "%q is no segment of a name: \"*\" matches a whole one, \"**\" several", segment)
		}
	}
	if strings.HasPrefix(name, "/") {
		return source.Errorf(at, source.BadURI, "%q is an absolute path: names in a URI are relative", text)
	}
	return nil
}

// Wild reports whether the name has wildcards: then it need not match anything.
func (u URI) Wild() bool { return strings.Contains(u.Name, "*") }

// Matches reports whether the name of a set is one that the URI names. Letter case does not
// count.
func (u URI) Matches(name string) bool {
	return matchSegments(strings.Split(u.Name, "::"), strings.Split(name, "::"))
}

// matchSegments matches all segments of a name: "*" is one of them, "**" one or more. After a mismatch the last
// "**" takes one segment more: earlier ones need no other attempt.
func matchSegments(pattern, name []string) bool {
	after, next := -1, 0 // the last "**": the index after it, and the first segment that it may still take
	i, j := 0, 0
	for j < len(name) {
		switch {
		case i < len(pattern) && pattern[i] == "**":
			i, j = i+1, j+1
			after, next = i, j
		case i < len(pattern) && (pattern[i] == "*" || strings.EqualFold(pattern[i], name[j])):
			i, j = i+1, j+1
		case after >= 0:
			next++
			i, j = after, next
		default:
			return false
		}
	}
	return i == len(pattern)
}

// A Part is a set or a provider that a URI names. Equal IDs mean the same one.
type Part struct {
	ID       string
	Set      *Set
	Provider Provider
}

// A Resolver finds the sets and providers of a URI that are not written in the site file, in
// the order of names. A name that is missing is no error: the composer knows whether it may be.
//
// Codes: the codes of reading and parsing the files.
type Resolver interface {
	// Schemes are the schemes of URIs that it knows.
	Schemes() []string

	Resolve(u URI) ([]Part, error)
}

// A stratum is a layer after its URIs were followed.
type stratum struct {
	name  string
	at    source.Span
	parts []Part
}

// add adds a part unless the layer has it.
func (s *stratum) add(p Part) {
	if !slices.ContainsFunc(s.parts, func(old Part) bool { return old.ID == p.ID }) {
		s.parts = append(s.parts, p)
	}
}

// strata returns the layers of a site, highest first. Without the section there are the
// layers site and modules.
func (c *composer) strata() []stratum {
	c.distinct()
	var out []stratum
	if c.Overrides != nil {
		out = append(out, stratum{name: "override", at: c.Overrides.At, parts: []Part{{ID: "override", Set: c.Overrides}}})
	}
	if c.site.LayersAt == (source.Span{}) {
		return append(out, c.standardStrata()...)
	}
	seen := map[string]source.Span{}
	for _, l := range c.site.Layers {
		name, ok := c.layerName(l)
		if !ok {
			continue
		}
		if first, twice := seen[name]; twice {
			c.report(source.Errorf(l.At, source.DuplicateLayer, "there are two layers \"%s\"", name).Note(first, "the first one is here"))
			continue
		}
		seen[name] = l.At
		s := stratum{name: name, at: l.At}
		for _, u := range c.uris(l.Include) {
			for _, p := range c.resolve(u) {
				s.add(p)
			}
		}
		for _, u := range c.uris(l.Exclude) {
			u.Optional = true // what is not there need not be excluded
			gone := c.resolve(u)
			s.parts = slices.DeleteFunc(s.parts, func(p Part) bool {
				return slices.ContainsFunc(gone, func(g Part) bool { return g.ID == p.ID })
			})
		}
		out = append(out, s)
	}
	return out
}

// distinct reports sets of the site file that have one name: a URI names one.
func (c *composer) distinct() {
	first := make(map[string]*Set, len(c.site.Sets))
	for _, s := range c.site.Sets {
		name := strings.ToLower(s.Name)
		if old := first[name]; old != nil {
			c.report(source.Errorf(s.At, source.DuplicateBindings, "the bindings '%s' are there twice", s.Name).Note(old.At, "the first ones are here"))
			continue
		}
		first[name] = s
	}
}

// standardStrata returns the two layers that there are without a section of layers. Sets of
// the site file join them by their names: unqualified ones the layer site, m::default modules.
func (c *composer) standardStrata() []stratum {
	at := c.site.File.Span(0, 0)
	top, below := stratum{name: "site", at: at}, stratum{name: "modules", at: at}
	for _, s := range c.site.Sets {
		if !strings.Contains(s.Name, "::") {
			top.parts = append(top.parts, inline(s))
			c.used[s] = true
		}
	}
	for _, add := range []struct {
		to  *stratum
		uri string
	}{{&top, "confdir:/default"}, {&below, "module:/*::default"}} {
		u, _ := ParseURI(add.uri+"?optional", at) // both are valid
		for _, p := range c.resolve(u) {
			add.to.add(p)
		}
	}
	return []stratum{top, below}
}

// inline returns a set of the site file as a part. Its ID is its name, in which letter case does not count.
func inline(s *Set) Part { return Part{ID: "inline " + strings.ToLower(s.Name), Set: s} }

// layerName evaluates the name of a layer. It may use facts.
func (c *composer) layerName(l Layer) (string, bool) {
	v, err := l.Name.Eval(c.factScope(false))
	if err != nil {
		c.fail(err, l.Name.Span())
		return "", false
	}
	text, ok := plainText(v)
	if !ok || text == "" {
		c.errorf(l.Name.Span(), source.BadType, "the name of a layer is a text")
		return "", false
	}
	return text, true
}

// uris evaluates the URIs of a layer. e may be nil.
func (c *composer) uris(e Expr) []URI {
	if e == nil {
		return nil
	}
	v, items, ok := c.oneOrMore(e)
	if !ok {
		return nil
	}
	var out []URI
	for i, item := range items {
		at := e.Span()
		if parts, ok := e.(interface{ ItemSpan(i int) source.Span }); ok && v.Is(value.ListKind) {
			at = parts.ItemSpan(i)
		}
		if !item.Is(value.StringKind) {
			c.errorf(at, source.BadURI, "a layer includes URIs, and this is %s", value.Article(item.Kind()))
			continue
		}
		u, bad := ParseURI(item.Str(), at)
		if known := c.Resolver.Schemes(); bad == nil && !slices.Contains(known, u.Scheme) {
			bad = source.Errorf(at, source.UnknownScheme, "unknown scheme '%s' in %s", u.Scheme, u.Text).DidYouMean(u.Scheme, slices.Values(known))
		} else if bad == nil {
			bad = u.valid()
		}
		if bad != nil {
			c.report(bad)
			continue
		}
		out = append(out, u)
	}
	return out
}

// resolve returns the parts that a URI names: sets of the site file first.
func (c *composer) resolve(u URI) []Part {
	var out []Part
	if u.Scheme == "confdir" || u.Scheme == "module" {
		for _, s := range c.site.Sets {
			if u.Matches(s.Name) {
				c.used[s] = true
				out = append(out, inline(s))
			}
		}
		if len(out) > 0 && !u.Wild() {
			return out
		}
	}
	found, err := c.Resolver.Resolve(u)
	if err != nil {
		c.fail(err, u.At)
		return out
	}
	for _, p := range found {
		if p.Set != nil && slices.ContainsFunc(out, func(o Part) bool { return strings.EqualFold(o.Set.Name, p.Set.Name) }) {
			continue // the site file has a set of this name
		}
		out = append(out, p)
	}
	if len(out) == 0 && !u.Wild() && !u.Optional {
		names := make([]string, 0, len(c.site.Sets))
		for _, s := range c.site.Sets {
			names = append(names, s.Name)
		}
		c.report(source.Errorf(u.At, source.BindingsNotFound, "no bindings '%s' at %s", u.Name, u.Text).DidYouMean(u.Name, slices.Values(names)))
	}
	return out
}
