package config

import (
	"io"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/source"
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
