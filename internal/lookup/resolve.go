package lookup

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/internal/frontend"
	"github.com/yaytpl/yaytpl/lang/bind"
	"github.com/yaytpl/yaytpl/lang/bind/notation"
	"github.com/yaytpl/yaytpl/lang/hiera"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
)

// A resolver finds what URIs name, for one table: providers belong to it.
type resolver struct{ *composition }

// schemes are the schemes of URIs.
var schemes = []string{"confdir", "env", "module", "enc", "hiera", "module-hiera"}

// Schemes returns the schemes that Resolve knows.
func (r resolver) Schemes() []string { return schemes }

// Resolve returns the sets and providers that a URI names.
func (r resolver) Resolve(u bind.URI) ([]bind.Part, error) {
	switch u.Scheme {
	case "confdir", "env": // the directory of the environment is the confdir
		return r.setsBelow(u, path.Join(r.dir, r.bindingsDir), u.Name, "")
	case "module":
		return r.moduleSets(u)
	case "enc":
		return r.encPart(u)
	case "hiera":
		name := path.Join(r.dir, u.Name, "hiera.yaml")
		if f := u.At.File; f != nil && u.At == f.Span(0, 0) { // see hieraSite
			name = r.below(r.home, f.Name)
		}
		return r.hiera(name, "")
	}
	return r.moduleHiera(u)
}

// setsBelow returns the sets of files below a directory: NAME = a::b is a/b.pp or a/b.yaml. module
// is the first part of the names of sets there, "" for none.
func (r resolver) setsBelow(u bind.URI, dir, name, module string) ([]bind.Part, error) {
	if !strings.Contains(name, "*") {
		return r.set(dir, name, module)
	}
	// A pattern of names is one of files: "*" is one segment, "**" several.
	files, err := dataFiles{r.Bindings}.Glob(path.Join(dir, strings.ReplaceAll(strings.ReplaceAll(name, "::", "/"), "**", "**/*")) + ".{pp,yaml}")
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		return nil, source.AsDiagnostic(err, u.At, source.BadURI)
	}
	var out []bind.Part
	seen := map[string]bool{}
	for _, file := range files {
		rest := strings.TrimPrefix(strings.TrimPrefix(file, dir), "/")
		found := strings.ReplaceAll(strings.TrimSuffix(rest, path.Ext(rest)), "/", "::")
		if seen[found] {
			continue
		}
		seen[found] = true
		parts, err := r.set(dir, found, module)
		if err != nil {
			return nil, err
		}
		out = append(out, parts...)
	}
	return out, nil
}

// set returns the set of one name, nothing if there is no file.
//
// Codes: duplicate-bindings, bindings-name, the codes of the notation.
func (r resolver) set(dir, name, module string) ([]bind.Part, error) {
	base := path.Join(dir, strings.ReplaceAll(name, "::", "/"))
	pp, err := r.setFile(base + ".pp")
	if err != nil {
		return nil, err
	}
	y, err := r.setFile(base + ".yaml")
	if err != nil {
		return nil, err
	}
	full := name
	if module != "" {
		full = module + "::" + name
	}
	f := pp
	switch {
	case pp == nil && y == nil:
		return nil, nil
	case pp != nil && y != nil:
		return nil, source.Errorf(y.Site.File.Span(0, 0), source.DuplicateBindings, "the bindings '%s' are in two files", full).Note(pp.Site.File.Span(0, 0), "the other one is here")
	case pp == nil:
		f = y
	}
	if len(f.Site.Sets) == 0 {
		return nil, source.Errorf(f.Site.File.Span(0, 0), source.BindingsName, "the file must have the bindings '%s'", full)
	}
	for _, s := range f.Site.Sets {
		if !strings.EqualFold(s.Name, full) {
			return nil, source.Errorf(s.At, source.BindingsName, "the file must have the bindings '%s', and these are '%s'", full, s.Name)
		}
	}
	if len(f.Site.Sets) > 1 {
		return nil, source.Errorf(f.Site.Sets[1].At, source.DuplicateBindings, "the bindings '%s' are there twice", full).Note(f.Site.Sets[0].At, "the first ones are here")
	}
	return []bind.Part{{ID: base, Set: f.Site.Sets[0]}}, nil
}

// setFile returns a file of bindings, nil if there is none. It is parsed once.
func (r resolver) setFile(name string) (*notation.File, error) {
	return r.sets.get(name, func() (*notation.File, error) {
		f, err := dataFiles{r.Bindings}.Read(r.relative(name))
		if f == nil || err != nil {
			return nil, err
		}
		return parseSets(f)
	})
}

func parseSets(f *source.File) (*notation.File, error) {
	if source.LanguageOf(f.Name) == frontend.Bindings {
		return notation.ParsePP(f)
	}
	docs, findings := yaml.Parse(f, yaml.ParseOptions{NoTemplates: true})
	if d := source.FirstError(findings); d != nil {
		return nil, d
	}
	if err := single(docs); err != nil {
		return nil, err
	}
	if len(docs) == 0 || docs[0].Root == nil || docs[0].Root.Kind != yaml.MapNode {
		return nil, source.Errorf(f.Span(0, 0), source.BadDocument, "a file of bindings is a map with the key bindings")
	}
	return notation.ParseYAML(f, docs[0].Root)
}

// moduleSets returns the sets of modules: m::b::c is b/c in the directory bindings of m.
func (r resolver) moduleSets(u bind.URI) ([]bind.Part, error) {
	pattern, rest, ok := strings.Cut(u.Name, "::")
	if !ok {
		rest = "default"
	}
	return r.modules(u, pattern, func(dir, module string) ([]bind.Part, error) {
		return r.setsBelow(u, path.Join(dir, "bindings"), rest, module)
	})
}

// modules returns the parts of each module whose name matches a pattern.
func (r resolver) modules(u bind.URI, pattern string, parts func(dir, module string) ([]bind.Part, error)) ([]bind.Part, error) {
	dirs, err := r.moduleDirs()
	if err != nil {
		return nil, source.AsDiagnostic(err, u.At, source.BadURI).Located(u.At)
	}
	var out []bind.Part
	for _, dir := range dirs {
		module := path.Base(dir)
		if !(bind.URI{Name: pattern}).Matches(module) {
			continue
		}
		more, err := parts(dir, module)
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	return out, nil
}

// moduleDirs returns the directories of modules, in the order of names. Of two with one name
// the first of the module path counts.
//
// Code: forbidden for a directory outside of the roots.
func (r resolver) moduleDirs() ([]string, error) {
	seen := map[string]bool{}
	var out []string
	for _, dir := range r.modulePath {
		found, err := r.subdirectories(dir, "{hiera.yaml,bindings/**/*}")
		if d := (*source.Diagnostic)(nil); errors.As(err, &d) && d.Code == source.Forbidden {
			return nil, err
		}
		for _, module := range found {
			if !seen[path.Base(module)] {
				seen[path.Base(module)] = true
				out = append(out, module)
			}
		}
	}
	slices.SortFunc(out, func(a, b string) int { return strings.Compare(path.Base(a), path.Base(b)) })
	return out, nil
}

// subdirectories returns the directories in a directory in which a file matches a pattern.
func (b *Bindings) subdirectories(dir, pattern string) ([]string, error) {
	found, err := dataFiles{b}.glob(path.Join(dir, "*", pattern), true)
	var out []string
	for _, name := range found {
		rest := strings.TrimPrefix(strings.TrimPrefix(name, strings.TrimPrefix(dir, "./")), "/")
		first, _, _ := strings.Cut(rest, "/")
		if sub := path.Join(dir, first); !slices.Contains(out, sub) {
			out = append(out, sub)
		}
	}
	return out, err
}

// hiera returns the provider of a hiera.yaml, nothing if there is none.
func (r resolver) hiera(name, module string) ([]bind.Part, error) {
	c, err := r.hieraConfig(r.relative(name), module)
	if c == nil || err != nil {
		return nil, err
	}
	return []bind.Part{{ID: "hiera " + name, Provider: c.Open(r.cache)}}, nil
}

// moduleHiera returns the providers of modules.
func (r resolver) moduleHiera(u bind.URI) ([]bind.Part, error) {
	return r.modules(u, u.Name, func(dir, module string) ([]bind.Part, error) {
		return r.hiera(path.Join(dir, "hiera.yaml"), module)
	})
}

// hieraConfig returns a hiera.yaml, nil if there is none. It is parsed once.
func (b *Bindings) hieraConfig(name, module string) (*hiera.Config, error) {
	return b.configs.get(name, func() (*hiera.Config, error) {
		f, err := dataFiles{b}.Read(name)
		if f == nil || err != nil {
			return nil, err
		}
		return hiera.Parse(f, path.Dir(name), module, b.opts.Engine.Warn)
	})
}

// relative returns a name relative to the directory of the source, if it is below it.
func (b *Bindings) relative(name string) string {
	if rest, ok := strings.CutPrefix(name, strings.TrimSuffix(b.home, "/")+"/"); ok && b.home != "." {
		return rest
	}
	return name
}
