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

// LoadReader adds a layer with the text that r holds. The name tells the language,
// as that of a file does, and is what messages call it; relative names in the text
// are relative to the directory of the first layer.
//
// Codes: as for [Config.Load], and limit.
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

// LoadText is [Config.LoadReader] for a text.
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

// reading returns the project that texts are parsed with. The lock must be held.
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

// push adds a layer that is no file. The lock must be held.
func (c *Config) push(l engine.Layer) {
	c.layers = append(c.layers, configLayer{Layer: l})
	c.now = nil
}

// Add adds a layer with data of the program: a map, a struct with yaml tags or a
// [value.Value] that is a map. In it may be those, slices, arrays, pointers, texts,
// numbers, truth values, nil, times, durations and what has a text form of its own
// (encoding.TextMarshaler). Keys of Go maps come in sorted order. Maps join the maps
// below, everything else takes their place. Texts are texts: no templates.
//
// Codes: usage for data that is no map, and for what configuration cannot hold, such
// as channels.
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
	doc := &graph.Doc{File: source.NewFile("the program", ""), Root: hostNode(v), Base: p.Dir()}
	c.push(engine.Layer{Name: doc.File.Name, Docs: []*graph.Doc{doc}})
	return nil
}

// hostNode returns data as a layer whose lists and nulls hide what is below.
func hostNode(v value.Value) graph.Node {
	switch v.Kind() {
	case value.MapKind:
		m := graph.Map{}
		for k := range v.Map().Keys() {
			item, _, _ := v.Map().Get(k) // of plain data: it cannot fail
			m.Entries = append(m.Entries, graph.Entry{Key: k, Node: hostNode(item)})
		}
		return graph.NewMap(m)
	case value.ListKind:
		s := graph.Seq{Replace: true}
		for item := range value.Items(v.List()) {
			s.Items = append(s.Items, hostNode(item))
		}
		return graph.NewSeq(s)
	}
	return &graph.Scalar{Val: v.Verbatim(), Final: v.IsNull()}
}
