package lookup

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/frontend"
	"github.com/yaytpl/yaytpl/internal/load"
	"github.com/yaytpl/yaytpl/lang/bind"
	"github.com/yaytpl/yaytpl/lang/bind/notation"
	"github.com/yaytpl/yaytpl/lang/bind/types"
	"github.com/yaytpl/yaytpl/lang/hiera"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Options say which bindings are opened.
type Options struct {
	Engine engine.Options
	Source string // the file or directory, as the user names it
	NodeOptions
}

// NodeOptions say for which node they are composed: see the type of this name in the root package.
type NodeOptions struct {
	Facts, FactValues             []string
	Binds                         []string
	Environment, AgentEnvironment string
	ENC                           string
}

// Bindings are an open source. They are safe for concurrent use: tables share the files that
// were parsed.
type Bindings struct {
	ctx   context.Context
	opts  Options
	files *load.Files
	dir   string // of the source: the confdir
	home  string
	entry *source.File
	base  *bind.Site // of the source

	modulePath  []string
	bindingsDir string

	enc              *source.File
	encSet           *bind.Set // nil without an ENC
	encVariables     map[string]value.Value
	encEnvironment   string
	encEnvironmentAt source.Span

	overrides *bind.Set // of Options.Binds, nil for none

	cache   *hiera.Cache
	configs memo[*hiera.Config]  // of each hiera.yaml, nil for a missing file
	sets    memo[*notation.File] // of each file of one set, nil for a missing file
	sites   memo[*bind.Site]     // of each site file of an environment, nil for a missing file
	globs   memo[[]string]       // names of the files that match a pattern
}

// A memo keeps results by name. It is safe for concurrent use.
type memo[T any] struct {
	mu    sync.Mutex
	known map[string]func() (T, error)
}

// get returns the result of the one call of compute for a name. Other goroutines that ask for the name wait for it.
func (m *memo[T]) get(name string, compute func() (T, error)) (T, error) {
	m.mu.Lock()
	result := m.known[name]
	if result == nil {
		if m.known == nil {
			m.known = map[string]func() (T, error){}
		}
		result = sync.OnceValues(compute)
		m.known[name] = result
	}
	m.mu.Unlock()
	return result()
}

// entryNames are the files that are looked for in a directory.
var entryNames = []string{"environments.pp", "site.pp", "site.yaml", "hiera.yaml"}

// Open reads the entry file of a source and finds out what it is.
//
// Codes: access, forbidden, syntax, bad-document, the codes of the notation.
func Open(ctx context.Context, o Options) (*Bindings, error) {
	b := &Bindings{ctx: ctx, opts: o, files: o.Engine.Files()}
	name, err := b.entryName(o.Source)
	if err != nil {
		return nil, err
	}
	b.dir = filepath.ToSlash(filepath.Dir(name))
	b.home = b.dir
	b.modulePath, b.bindingsDir = []string{path.Join(b.dir, "modules")}, "bindings"
	b.cache = hiera.NewCache(dataFiles{b}, &eyamlDecrypter{b: b})
	if b.entry, err = b.read(path.Base(filepath.ToSlash(name))); err != nil {
		return nil, err
	}
	if b.overrides, err = overrides(o.Binds); err != nil {
		return nil, err
	}
	if err := b.readENC(); err != nil {
		return nil, err
	}
	b.base, err = b.parse(b.entry)
	return b, err
}

// parse reads a source as the site that it is: told by its ending, and of YAML by its keys
// (spec: bindings, section 0).
func (b *Bindings) parse(f *source.File) (*bind.Site, error) {
	if source.LanguageOf(f.Name) == frontend.Bindings {
		parsed, err := notation.ParsePP(f)
		if err != nil {
			return nil, err
		}
		return parsed.Site, nil
	}
	docs, findings := yaml.Parse(f, yaml.ParseOptions{NoTemplates: true})
	if d := source.FirstError(findings); d != nil {
		return nil, d
	}
	var root *yaml.Node
	if len(docs) > 0 {
		root = docs[0].Root
	}
	switch {
	case root != nil && root.Kind != yaml.MapNode && !(root.Kind == yaml.ScalarNode && root.Value.IsNull()):
		return nil, source.Errorf(root.At, source.BadDocument, "a source of bindings is a map")
	case !notation.IsYAML(root) && (root == nil || root.Kind != yaml.MapNode || isHiera(root)):
		return hieraSite(f), nil
	}
	if err := single(docs); err != nil {
		return nil, err
	}
	if !notation.IsYAML(root) {
		return valuesSite(f, root)
	}
	parsed, err := notation.ParseYAML(f, root)
	if err != nil {
		return nil, err
	}
	return parsed.Site, nil
}

// single returns an error for a file of several documents: the data of all but the first would be ignored.
func single(docs []*yaml.Document) error {
	more := yaml.Further(docs)
	if more == nil {
		return nil
	}
	return source.Errorf(more.At, source.BadDocument, "a file of bindings has one document, not %d", len(docs)).
		WithHint("write the keys of all documents in one map")
}

// isHiera reports whether a map is a hiera.yaml: by its version or its hierarchy.
func isHiera(root *yaml.Node) bool {
	for i := range root.Entries {
		switch strings.TrimPrefix(root.Entries[i].Key.Text, ":") {
		case "version", "hierarchy", "backends":
			return true
		}
	}
	return false
}

// hieraSite returns the site of a hiera.yaml: its levels and, below them, the levels of the modules
// next to it.
func hieraSite(f *source.File) *bind.Site {
	at := f.Span(0, 0)
	text := func(s string) bind.Expr { return &bind.Constant{At: at, Value: value.String(s)} }
	return &bind.Site{
		File: f, LayersAt: f.Span(0, 1),
		Layers: []bind.Layer{
			{Name: text("hiera"), At: at, Include: text("hiera:/")}, // with this place it is the file itself: see resolver.Resolve
			{Name: text("modules"), At: at, Include: text("module-hiera:/*")},
		},
	}
}

// valuesSite returns the site of any other map: its keys are bindings.
func valuesSite(f *source.File, root *yaml.Node) (*bind.Site, error) {
	set := &bind.Set{Name: "default", At: root.At}
	for i := range root.Entries {
		e := &root.Entries[i]
		v, err := e.Value.ToValue()
		if err != nil {
			return nil, source.AsDiagnostic(err, e.Value.At, source.BadDocument)
		}
		set.Ops = append(set.Ops, &bind.Bind{
			At: e.KeyAt, Name: e.Key.Text, NameAt: e.KeyAt, HasName: true, Flags: bind.Optional,
			Value: &bind.Constant{At: e.Value.At, Value: v},
		})
	}
	return &bind.Site{File: f, Sets: []*bind.Set{set}}, nil
}

// entryName returns the file that a source names: of a directory the first known one.
func (b *Bindings) entryName(name string) (string, error) {
	f, err := b.files.OpenGiven(name)
	if err == nil {
		return filepath.Join(filepath.Dir(name), filepath.Base(f.Path)), nil
	}
	for _, entry := range entryNames {
		inside := filepath.Join(name, entry)
		if _, failed := b.files.OpenGiven(inside); failed == nil {
			return inside, nil
		} else if !errors.Is(failed, fs.ErrNotExist) {
			return "", failed
		}
	}
	return "", err
}

// read opens a file below the directory of the source. Its name is relative to it.
func (b *Bindings) read(name string) (*source.File, error) {
	full := name
	if !path.IsAbs(name) {
		full = path.Join(b.dir, name)
	}
	f, err := b.files.Open(filepath.FromSlash(full), "")
	if err != nil {
		return nil, err
	}
	shown := *source.NewFile(name, f.Text)
	shown.Path, shown.Secret = f.Path, f.Secret
	return &shown, nil
}

// dataFiles opens the files of hierarchies.
type dataFiles struct{ b *Bindings }

// Read returns a file, nil if it does not exist.
func (d dataFiles) Read(name string) (*source.File, error) {
	f, err := d.b.read(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return f, err
}

// Glob returns the files that match a pattern, in the order of names.
func (d dataFiles) Glob(pattern string) ([]string, error) { return d.glob(pattern, false) }

// glob is Glob, and with below of a pattern below the working directory. A pattern is looked for
// once.
func (d dataFiles) glob(pattern string, below bool) ([]string, error) {
	key := pattern
	if below {
		key = "below " + pattern
	}
	return d.b.globs.get(key, func() ([]string, error) { return d.find(pattern, below) })
}

// find is glob without its memory.
func (d dataFiles) find(pattern string, below bool) ([]string, error) {
	b := d.b
	full, base := pattern, b.dir
	switch {
	case below:
		base = "."
	case !path.IsAbs(pattern):
		full = path.Join(b.dir, pattern)
	}
	found, err := b.files.Host("", "").Glob(filepath.FromSlash(full), "")
	if err != nil {
		return nil, err
	}
	out := make([]string, len(found))
	for i, name := range found {
		name = filepath.ToSlash(name)
		if rest, ok := strings.CutPrefix(name, filepath.ToSlash(b.files.Absolute(base))+"/"); ok && !path.IsAbs(pattern) {
			name = rest
		}
		out[i] = name
	}
	return out, nil
}

// Compose makes the table for the facts of a node.
//
// Codes: the codes of composition, all at once where they are independent.
func (b *Bindings) Compose(facts value.Map) (*bind.Table, error) {
	return b.ComposeWith(facts, b.opts.Engine.Warn)
}

// ComposeWith is Compose for a node whose warnings go to warn, which may be nil. Those of files
// that several nodes share go where the options say.
func (b *Bindings) ComposeWith(facts value.Map, warn func(*source.Diagnostic)) (*bind.Table, error) {
	if warn == nil {
		warn = func(*source.Diagnostic) {}
	}
	run := &composition{Bindings: b, facts: facts, warn: warn}
	if err := run.chooseEnvironment(); err != nil {
		return nil, err
	}
	t, findings := bind.Compose(run.site, bind.Config{
		Facts: facts, Environment: run.environment, Dir: run.dir, Variables: b.encVariables,
		Overrides: b.overrides, Resolver: resolver{run}, Budget: graph.New(b.ctx, nil, graph.Options{Limits: b.opts.Engine.Limits}), Warn: warn,
	})
	if len(findings) > 0 {
		return nil, source.OneOrMany(findings)
	}
	switch {
	case b.encSet == nil || len(b.encSet.Ops) == 0:
	case run.encUsed && slices.ContainsFunc(t.Axes, func(a bind.Axis) bool { return a.Name == "node" && a.Value == "" }):
		warn(source.Warnf(b.enc.Span(0, 0), source.UnusedENC, "the category node has no value, so the classes and parameters of the ENC do not apply").
			WithHint("the fact fqdn names the node, unless the site has a category node of its own"))
	case !run.encUsed:
		warn(source.Warnf(b.enc.Span(0, 0), source.UnusedENC, "no layer includes enc:/, so the classes and parameters of the ENC are not bound"))
	}
	return t, nil
}

// A composition is the state of one Compose: the environment that was chosen.
type composition struct {
	*Bindings
	facts       value.Map
	warn        func(*source.Diagnostic)
	environment string
	site        *bind.Site
	dir         string   // in place of the directory of the source
	modulePath  []string // directories of modules
	bindingsDir string
	encUsed     bool // a layer includes the ENC
}

// Default returns the value of --default, which must be of the type that is asked for.
//
// Codes: syntax, type-mismatch.
func Default(table *bind.Table, text string, t *types.Type) (value.Value, error) {
	v, err := typed(source.NewFile("--default", text))
	if err != nil || t == nil {
		return v, err
	}
	err = types.Check(t, v, table.Scope().Step)
	if m := (*types.Mismatch)(nil); errors.As(err, &m) {
		err = source.Errorf(source.Span{}, source.TypeMismatch, "--default: %s", m)
	}
	return v, err
}

// Plain returns a value of a table in which regular expressions and types are texts. The copy of
// a list or map counts as work of the table.
func Plain(t *bind.Table, v value.Value) (value.Value, error) {
	var seen value.Visited
	tagged := false
	err := value.Walk(v, func(_ value.Position, v value.Value, err error) error {
		switch s := v.Source(); {
		case err != nil:
			return err
		case s != nil && (s.Tag == types.PatternTag || s.Tag == types.ReferenceTag):
			tagged = true
			return value.SkipAll
		case !v.IsScalar() && !seen.Add(v):
			return value.SkipInside
		}
		return t.Scope().Step(1)
	})
	if err != nil || !tagged {
		return v, err
	}
	return value.Rewrite(v, func(_ value.Position, v value.Value, err error) (value.Value, error) {
		if err == nil {
			err = t.Scope().Step(1)
		}
		if s := v.Source(); s != nil && (s.Tag == types.PatternTag || s.Tag == types.ReferenceTag) {
			return v.WithoutSource(), err
		}
		return v, err
	})
}
