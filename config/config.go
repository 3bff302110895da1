package config

import (
	"context"
	"slices"
	"sync"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Config is the configuration of a Go program: layers of files, texts and data of
// the program, later ones over earlier ones (spec: yay, section 10).
//
//	cfg, err := yaytpl.Load(ctx, []string{"example.yay"}, yaytpl.Options{})
//	port, err := cfg.Get("network", "proxy", "port").Int(8000)
//
// Nothing is evaluated before it is asked for. A Config may be used by several
// goroutines; they take turns.
type Config struct {
	ctx  context.Context
	opts yaytpl.Options

	mu      sync.Mutex
	project *engine.Project // that the layers were read with, nil before the first
	files   []string        // names of the files among the layers
	layers  []configLayer
	classes map[string]Class
	now     *revision // nil after a change
}

// A configLayer is one layer. The file is set if it was read from one, and can be
// read again.
type configLayer struct {
	engine.Layer
	file string
}

// New returns a configuration without layers. It reads what it is given with
// the rights that o grants. The files of o.Values and then o.Defines stay over all
// layers. The evaluation ends when ctx does.
func New(ctx context.Context, o yaytpl.Options) *Config {
	o.Warn = source.EachOnce(o.Warn)
	return &Config{ctx: ctx, opts: o, classes: map[string]Class{}}
}

// Load returns the configuration that files make, later ones over earlier ones.
// With [Config.Resolve] behind it, it is a file as plain data.
func Load(ctx context.Context, files []string, o yaytpl.Options) (*Config, error) {
	c := New(ctx, o)
	if err := c.Load(files...); err != nil {
		return nil, err
	}
	return c, nil
}

// Clear removes all layers. Classes stay registered.
func (c *Config) Clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.project, c.files, c.layers, c.now = nil, nil, nil, nil
}

// Reload reads the files of the configuration again. If that fails all stays as it
// is.
func (c *Config) Reload() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	p, err := c.newProject(c.files)
	if err != nil {
		return err
	}
	layers := slices.Clone(c.layers)
	for i, l := range layers {
		if l.file == "" || l.file == "-" {
			continue
		}
		if layers[i], err = openLayer(p, l.file); err != nil {
			return err
		}
	}
	c.project, c.layers, c.now = p, layers, nil
	return nil
}

// Load adds a layer for each file over what is there: all of them, or none if one
// cannot be read or parsed. "-" is standard input. Included files are read when they
// are needed.
//
// Codes: access, forbidden, bad-document for a file that holds several documents,
// and what parsing finds.
func (c *Config) Load(files ...string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := slices.Concat(c.files, files)
	p, err := c.newProject(all)
	if err != nil {
		return err
	}
	layers := slices.Clone(c.layers)
	for _, name := range files {
		l, err := openLayer(p, name)
		if err != nil {
			return err
		}
		layers = append(layers, l)
	}
	c.project, c.files, c.layers, c.now = p, all, layers, nil
	return nil
}

// newProject returns a project without layers that may read what a project of the
// files might.
func (c *Config) newProject(files []string) (*engine.Project, error) {
	o := c.opts
	o.Values, o.Defines = nil, nil
	o.Templates = slices.Concat(files, c.opts.Values, c.opts.Templates) // roots follow from them
	p, err := engine.Open(c.ctx, nil, o.Engine(c.ctx))
	if err == nil && c.project != nil {
		p.SetDir(c.project.Dir())
	}
	return p, err
}

func openLayer(p *engine.Project, file string) (configLayer, error) {
	l, err := p.OpenLayer(file)
	if err == nil {
		err = single(l)
	}
	return configLayer{l, file}, err
}

// single refuses a layer of several documents: a configuration is one.
func single(l engine.Layer) error {
	if len(l.Docs) < 2 {
		return nil
	}
	return source.Errorf(l.Docs[1].File.Span(0, 0), source.BadDocument, "%s holds %d documents; a configuration is one", l.Name, len(l.Docs)).
		WithHint("Open gives each document for itself")
}

// Register makes a native class known under a name; nil makes the name unknown.
func (c *Config) Register(name string, class Class) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.classes[name] = class
	if class == nil {
		delete(c.classes, name)
	}
	c.now = nil
}

// current returns the evaluation of the layers, begun when first needed. The lock
// must be held.
func (c *Config) current() (*revision, error) {
	if c.now != nil {
		return c.now, nil
	}
	p, err := c.reading()
	if err != nil {
		return nil, err
	}
	layers, err := c.allLayers()
	if err != nil {
		return nil, err
	}
	r := &revision{project: p, layers: layers, instances: newInstances(c.ctx, c.classes)}
	if err := r.begin(); err != nil {
		return nil, err
	}
	c.now = r
	return r, nil
}

// allLayers returns the layers with those of the options.
func (c *Config) allLayers() ([]engine.Layer, error) {
	p := c.project
	var layers []engine.Layer
	for _, l := range c.layers {
		layers = append(layers, l.Layer)
	}
	for _, name := range c.opts.Values {
		l, err := openLayer(p, name)
		if err != nil {
			return nil, err
		}
		layers = append(layers, l.Layer)
	}
	return p.WithDefines(layers, c.opts.Defines)
}

// look implements [tree]: it shows the document.
func (c *Config) look(f func(view) error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	r, err := c.current()
	if err != nil {
		return err
	}
	r.now.doc.Begin()
	return f(r.view())
}

func (c *Config) path(below value.Path) string { return below.String() }
