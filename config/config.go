package config

import (
	"context"
	"slices"
	"sync"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/graph"
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
	if layers, err = p.WithDefines(layers, c.opts.Defines); err != nil {
		return nil, err
	}
	r := &revision{project: p, layers: layers, instances: newInstances(c.ctx, c.classes)}
	if r.now, err = r.open(&task{}); err != nil {
		return nil, err
	}
	c.now = r
	return r, nil
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
	return f(r.now.view())
}

func (c *Config) path(below value.Path) string { return below.String() }

// Eval returns the place of what an expression comes to that stands in the root of
// the configuration. Like every [Node] it is worked out when it is asked, and each
// time anew. If the newest file or text among the layers is in Yay, the expression is
// one of Yay, such as servers.web.ports[0] + 1. Otherwise it is in the language of
// [Document.Query]: a path such as ::servers::web::port, an expression object in YAML,
// or a template with {{ }}.
func (c *Config) Eval(text string) Node { return Node{in: &expression{c, text}} }

// An expression is what an expression comes to.
type expression struct {
	config *Config
	text   string
}

// look implements [tree].
func (x *expression) look(f func(view) error) error {
	return x.config.look(func(v view) error {
		if v.err == nil {
			v.root, v.err = x.config.now.now.doc.Evaluate(x.text, x.config.language())
			v.at = graph.CellOf(v.root)
		}
		return f(v)
	})
}

func (x *expression) path(below value.Path) string {
	switch {
	case len(below) == 0:
		return x.text
	case below[0].Kind == value.IntKind:
		return "(" + x.text + ")" + below.String()
	}
	return "(" + x.text + ")." + below.String()
}

// language returns that of the newest layer that was read.
func (c *Config) language() string {
	for i := len(c.layers) - 1; i >= 0; i-- {
		for _, d := range c.layers[i].Docs {
			if d.Lang != "" {
				return d.Lang
			}
		}
	}
	return ""
}

// A revision is a configuration with the layers that it has at one time, and what
// became of the instances of native classes in it.
type revision struct {
	project   *engine.Project
	layers    []engine.Layer
	instances *instances
	now       evaluation // that nodes look into
}

// An evaluation is one evaluation of the layers of a revision.
type evaluation struct {
	doc  *engine.Document
	eval *graph.Eval
}

// open returns an evaluation of the revision that belongs to a task. Those of
// different tasks may run at the same time: they share files and what these parsed
// to, which do not change, and the instances.
func (r *revision) open(t *task) (evaluation, error) {
	d := r.project.Fork(r.instances.native()).Pair(r.layers)[0]
	e, err := d.Eval()
	if err == nil {
		r.instances.join(e, t)
	}
	return evaluation{d, e}, err
}

// view returns the root of the document; one without content is an empty map.
func (e evaluation) view() view {
	v, err := e.doc.Value()
	if err == nil && v.IsNull() {
		v = value.FromMap(value.NewMap(0))
	}
	return view{root: v, err: err, at: e.eval.Root(), eval: e.eval}
}

// runAhead applies the native classes whose members n needs as a whole, those that do
// not need each other at the same time. What goes wrong is left for the one who asks
// for the values.
func (n Node) runAhead() {
	c, ok := n.in.(*Config)
	if !ok || n.bad != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.classes) == 0 {
		return
	}
	if r, err := c.current(); err == nil {
		for r.scout(n) {
		}
	}
}

// maxJobs is the number of classes that are applied ahead at the same time.
const maxJobs = 64

// scout walks everything in n on an evaluation of its own, in which the instances
// that are needed have no members yet, and applies those meanwhile. It reports
// whether there were any: with their members others may come to light.
func (r *revision) scout(n Node) bool {
	var jobs sync.WaitGroup
	slots := make(chan struct{}, maxJobs)
	started := false
	t := &task{need: func(in *instance) {
		if !r.instances.isNew(in.id) {
			return
		}
		started = true
		jobs.Go(func() {
			slots <- struct{}{}
			defer func() {
				_ = recover() // a panic of the class becomes an error for callers that need the members
				<-slots
			}()
			r.apply(in.path)
		})
	}}
	if e, err := r.open(t); err == nil {
		if x, err := n.follow(e.view()); err == nil {
			walkAll(x.val, x.eval, map[*graph.Cell]bool{})
		}
		r.instances.leave(e.eval)
	}
	jobs.Wait()
	return started
}

// apply asks for the members of the instance at a path, on an evaluation of its own.
func (r *revision) apply(path value.Path) {
	e, err := r.open(&task{})
	if err != nil {
		return
	}
	defer r.instances.leave(e.eval)
	v, ok, err := e.eval.Root().At(path).Value()
	if ok && err == nil && v.Is(value.MapKind) {
		for range v.Map().Keys() { // the last ones are members
		}
	}
}

// walkAll looks at everything in v that can be had. In open are the maps and lists
// around v.
func walkAll(v value.Value, e *graph.Eval, open map[*graph.Cell]bool) {
	c := graph.CellOf(v)
	if open[c] || e.Enter() != nil {
		return
	}
	defer e.Leave()
	if c != nil {
		open[c] = true
		defer delete(open, c)
	}
	switch v.Kind() {
	case value.ListKind:
		for i := range v.List().Len() {
			if item, err := v.List().At(i); err == nil {
				walkAll(item, e, open)
			}
		}
	case value.MapKind:
		for _, k := range engine.AllKeys(v) {
			if item, ok, err := v.Map().Get(k); ok && err == nil {
				walkAll(item, e, open)
			}
		}
	}
}
