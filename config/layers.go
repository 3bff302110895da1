package config

import (
	"io"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/godata"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// LoadReader adds a layer with the text of r. The name selects the language by its ending, as
// that of a file does, and appears in messages. File names in the text are relative to the
// directory of the first file among the layers, or else the working directory.
//
// Codes: those of [Config.Load], and limit.
func (c *Config) LoadReader(name string, r io.Reader) error {
	limit := int64(c.opts.Limits.WithDefaults().Bytes)
	text, err := io.ReadAll(io.LimitReader(r, limit+1))
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
	c.now = nil
}

// Add adds a layer of Go data: a map, a struct with yaml or json tags or a [value.Value] that is a
// map. They may contain the same, slices, arrays, pointers, strings, numbers, booleans, nil,
// times, durations and types that implement encoding.TextMarshaler. The keys of Go maps are
// sorted. Maps are merged with maps below; everything else hides the values below. Strings are
// never templates.
//
//	cfg.Add(map[string]any{"network": map[string]any{"port": 8080}}) // over network.port, if any
//
// Codes: usage for other data than a map, and for types that a configuration cannot contain,
// such as channels.
func (c *Config) Add(data any) error {
	v, err := godata.ToValue(data)
	if err != nil {
		return err
	}
	if !v.Is(value.MapKind) {
		return source.Errorf(source.Span{}, source.Usage, "only a map or a struct can be added to a configuration, not %s", godata.TypeName(data))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	p, err := c.reading()
	if err != nil {
		return err
	}
	doc := &graph.Doc{File: source.NewFile("the program", ""), Root: engine.DataNode(v), Base: p.Dir()}
	c.push(engine.Layer{Name: doc.File.Name, Docs: []*graph.Doc{doc}})
	return nil
}
