package config

import (
	"io"
	"io/fs"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/godata"
	"github.com/yaytpl/yaytpl/internal/yamlnode"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
	"gopkg.in/yaml.v3"
)

// LoadReader adds a layer with the text of r. The ending of name selects the language, as
// it does for a file, and name appears in messages. File names in the text are relative to the
// directory of the first file among the layers, or else the working directory.
//
// Codes: the codes of [Config.Load], and limit.
func (c *Config) LoadReader(name string, r io.Reader) error {
	limit := int64(c.opts.Limits.WithDefaults().Bytes)
	text, err := io.ReadAll(io.LimitReader(r, min(limit, math.MaxInt64-1)+1))
	switch {
	case err != nil:
		return source.AsDiagnostic(err, source.Span{}, source.Access)
	case int64(len(text)) > limit:
		return source.Errorf(source.Span{}, source.Limit, "%s: more than %d bytes of input (Limits.Bytes)", name, limit)
	}
	return c.LoadText(name, string(text))
}

// LoadText is [Config.LoadReader] for a string.
func (c *Config) LoadText(name, text string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	f := source.NewFile(name, text)
	if !utf8.ValidString(text) {
		return source.Errorf(f.Span(0, 0), source.Syntax, "%s is not UTF-8", name)
	}
	p, err := c.reading()
	if err != nil {
		return err
	}
	docs, err := p.Parse(f)
	if err != nil {
		return err
	}
	l := engine.Layer{Name: name, Docs: docs}
	if err := single(l); err != nil {
		return err
	}
	c.push(l)
	return nil
}

// reading returns the project that parses texts, made by the first call. The caller holds the
// lock.
func (c *Config) reading() (*engine.Project, error) {
	if c.project == nil {
		p, err := c.newProject(nil)
		if err != nil {
			return nil, err
		}
		c.project = p
	}
	if c.project.Dir() == "" {
		c.project.SetDir(c.project.Directory(&source.File{}))
	}
	return c.project, nil
}

// push adds a layer of a text or of data. The caller holds the lock.
func (c *Config) push(l engine.Layer) {
	c.layers = append(c.layers, configLayer{Layer: l})
	c.discard()
}

// A Layer is one or more layers that [Config.Add] adds: see [Env] and [FS].
type Layer interface {
	// addTo adds the layers while the lock of the configuration is held.
	addTo(c *Config) error
}

// Env is a layer of the environment variables whose names begin with a prefix, such as APP_. The rest
// of a name is a path whose parts are separated by "__"; a part is the key of the layers below that
// differs in letter case only, or else a key in lower case; for a list it is the index of an item, the
// first new one included. Values are read as on the command line: 8080 is a number, [a, b] a list, x:y
// a text.
//
//	APP_SERVER__PORT=8080     server.port
//	APP_SERVER__HOSTS__0=a    server.hosts[0]
//
// The environment is read when the configuration is evaluated: after each change, and after
// [Config.Reload]. A variable that names no place is an error of code usage then. Options.NoEnv and
// Options.AllowEnv are for documents and do not apply.
func Env(prefix string) Layer { return envLayer(prefix) }

type envLayer string

func (e envLayer) addTo(c *Config) error {
	if e == "" {
		return source.Errorf(source.Span{}, source.Usage, "a layer of the environment needs a prefix, such as APP_")
	}
	c.layers = append(c.layers, configLayer{env: string(e)})
	c.discard()
	return nil
}

// FS is a layer for each of the files of a file system, such as the defaults that a program embeds.
// Names have slashes, as in package fs. The files, and those that they include by relative names, are
// read from fsys, which must be safe for concurrent use; the roots do not apply to it. [Config.Reload]
// reads them again.
//
//	//go:embed defaults
//	var defaults embed.FS
//
//	err := cfg.Add(config.FS(defaults, "defaults/site.yaml"))
//
// Templates and expressions in these files read other files from fsys, too: their names are relative
// to the file that has the expression.
func FS(fsys fs.FS, files ...string) Layer { return fsLayer{fsys, files} }

type fsLayer struct {
	fsys  fs.FS
	files []string
}

// addTo adds all files or, if one cannot be read or parsed, none.
func (l fsLayer) addTo(c *Config) error {
	if l.fsys == nil || len(l.files) == 0 {
		return source.Errorf(source.Span{}, source.Usage, "a layer of a file system needs the names of its files, such as FS(defaults, \"site.yaml\")")
	}
	before := c.mounts
	c.mounts = append(slices.Clip(before), l.fsys)
	added, p, err := l.read(c)
	if err != nil {
		c.mounts = before
		return err
	}
	c.project, c.layers = p, append(slices.Clip(c.layers), added...)
	c.discard()
	return nil
}

// read reads the files, from the last of the mounted file systems.
func (l fsLayer) read(c *Config) ([]configLayer, *engine.Project, error) {
	p, err := c.newProject(c.files)
	if err != nil {
		return nil, nil, err
	}
	var added []configLayer
	for _, name := range l.files {
		if !fs.ValidPath(name) {
			return nil, nil, source.Errorf(source.Span{}, source.Usage, "%q is no name of a file in a file system", name).
				WithHint("names are relative, with slashes and without . and ..")
		}
		layer, err := openMounted(p, len(c.mounts), name)
		if err != nil {
			return nil, nil, err
		}
		added = append(added, layer)
	}
	return added, p, nil
}

// Add adds a layer of Go data, or a [Layer]. Data is a *yaml.Node of gopkg.in/yaml.v3, a map, a struct with yaml or json tags or a [value.Value] that is a
// map. They may contain the same, slices, arrays, pointers, strings, numbers, booleans, nil,
// times, durations and types that implement encoding.TextMarshaler. The keys of Go maps are
// sorted. Maps are merged with maps below; everything else hides the values below. Strings are
// never templates. The values of a node have the places of its lines and columns.
//
//	cfg.Add(map[string]any{"network": map[string]any{"port": 8080}}) // over network.port, if any
//
// Codes: usage for other data than a map, and for types that a configuration cannot contain,
// such as channels.
func (c *Config) Add(data any) error {
	if l, ok := data.(Layer); ok {
		c.mu.Lock()
		defer c.mu.Unlock()
		return l.addTo(c)
	}
	d, err := &yamlnode.Data{}, error(nil)
	if n, ok := data.(*yaml.Node); ok && n != nil {
		d, err = yamlnode.FromNode("the program", n)
	} else {
		d.Value, err = godata.ToValue(data)
	}
	if err != nil {
		return err
	}
	if !d.Value.Is(value.MapKind) {
		return source.Errorf(source.Span{}, source.Usage, "only a map or a struct can be added to a configuration, not %s", godata.TypeName(data))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	p, err := c.reading()
	if err != nil {
		return err
	}
	doc := &graph.Doc{File: source.NewFile("the program", ""), Root: dataNode(d), Base: p.Dir()}
	c.push(engine.Layer{Name: doc.File.Name, Docs: []*graph.Doc{doc}})
	return nil
}

// dataNode converts data to nodes as [engine.DataNode] does, with the places of a YAML node if it has any.
func dataNode(d *yamlnode.Data) graph.Node {
	switch {
	case d.Items == nil:
		return engine.DataNode(d.Value, d.At)
	case d.Keys == nil:
		s := graph.Seq{At: d.At, Replace: true}
		for _, item := range d.Items {
			s.Items = append(s.Items, dataNode(item))
		}
		return graph.NewSeq(s)
	}
	m := graph.Map{At: d.At}
	for i, k := range d.Keys {
		m.Entries = append(m.Entries, graph.Entry{Key: k, Node: dataNode(d.Items[i])})
	}
	return graph.NewMap(m)
}
