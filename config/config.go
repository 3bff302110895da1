package config

import (
	"context"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Config is the configuration of a Go program: layers of files, texts and Go data,
// later ones over earlier ones (spec: yay, section 10).
//
//	cfg, err := config.Load(ctx, []string{"example.yay"}, yaytpl.Options{})
//	port, err := cfg.Get("network.proxy.port").Int(8000)
//
// A value is evaluated when it is asked for. A Config is safe for concurrent use: its methods
// and the methods of its nodes hold a lock.
type Config struct {
	ctx  context.Context
	opts yaytpl.Options

	mu      sync.Mutex
	project *engine.Project // reads the layers; nil before the first one
	files   []string        // names of the files among the layers
	mounts  []fs.FS         // of the layers of FS
	layers  []configLayer
	classes map[string]Class
	now     *revision // of the current layers; nil until a value is needed
	version int       // counts changes of the layers and classes
}

// A configLayer is one layer. file is the name of the file that it was read from, which
// [Config.Reload] reads again; "" for texts and data. If env is not empty, there is one layer for each
// environment variable with that prefix instead.
type configLayer struct {
	engine.Layer
	file  string
	mount int // 0 for a file of the system, else the number in Config.mounts, counted from 1
	env   string
}

// New returns a configuration without layers. o grants the rights to read files and so on. The
// files of o.Values, then o.EnvPrefix, o.Defines and o.Assignments, stay above all layers. When ctx is done,
// evaluation fails with its error.
func New(ctx context.Context, o yaytpl.Options) *Config {
	o.Warn = source.EachOnce(o.Warn)
	return &Config{ctx: ctx, opts: o, classes: map[string]Class{}}
}

// Load returns a configuration of files, later ones over earlier ones. Followed by
// [Config.Resolve] it reads a file as plain data.
func Load(ctx context.Context, files []string, o yaytpl.Options) (*Config, error) {
	c := New(ctx, o)
	if err := c.Load(files...); err != nil {
		return nil, err
	}
	return c, nil
}

// Clear removes all layers. Classes remain registered.
func (c *Config) Clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.project, c.files, c.mounts, c.layers = nil, nil, nil, nil
	c.discard()
}

// Reload reads all files of the configuration again, but for standard input. If one cannot be
// read or parsed, the configuration is unchanged.
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
		if l.mount > 0 {
			layers[i], err = openMounted(p, l.mount, l.file)
		} else {
			layers[i], err = openLayer(p, l.file)
		}
		if err != nil {
			return err
		}
	}
	c.project, c.layers = p, layers
	c.discard()
	return nil
}

// Load adds a layer for each file above the others: all files, or none if one cannot be read
// or parsed. "-" is standard input. Included files are read when they are needed.
//
// Codes: access, forbidden, bad-document for a file with several documents, and the codes of
// parsing.
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
	c.project, c.files, c.layers = p, all, layers
	c.discard()
	return nil
}

// newProject returns a project without layers that has the rights of a project of the files.
func (c *Config) newProject(files []string) (*engine.Project, error) {
	o := c.opts
	o.Values, o.EnvPrefix, o.Defines, o.Assignments = nil, "", nil, nil
	o.Templates = slices.Concat(files, c.opts.Values, c.opts.Templates) // roots follow from them
	eo := o.Engine(c.ctx)
	eo.Load.Mounts = c.mounts
	p, err := engine.Open(c.ctx, nil, eo)
	if err == nil && c.project != nil {
		p.SetDir(c.project.Dir())
	}
	return p, err
}

// openLayer reads and parses a file, which must contain one document at most.
func openLayer(p *engine.Project, file string) (configLayer, error) {
	l, err := p.OpenLayer(file)
	if err == nil {
		err = single(l)
	}
	return configLayer{Layer: l, file: file}, err
}

// openMounted is openLayer for a file of a mounted file system.
func openMounted(p *engine.Project, mount int, file string) (configLayer, error) {
	l, err := p.OpenMounted(mount-1, file)
	if err == nil {
		err = single(l)
	}
	return configLayer{Layer: l, file: file, mount: mount}, err
}

// single returns an error for a layer of several documents.
func single(l engine.Layer) error {
	if len(l.Docs) < 2 {
		return nil
	}
	at := l.Docs[1].File.Span(0, 0)
	if root := l.Docs[1].Root; root != nil {
		at = root.Span()
	}
	return source.Errorf(at, source.BadDocument, "%s has %d documents; a configuration needs one", l.Name, len(l.Docs)).
		WithHint("yaytpl.Open returns each document")
}

// Register registers a native class under a name, or removes the name if class is nil.
func (c *Config) Register(name string, class Class) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.classes[name] = class
	if class == nil {
		delete(c.classes, name)
	}
	c.discard()
}

// discard ends the revision after a change of the layers or classes. The caller holds the lock.
func (c *Config) discard() {
	c.now = nil
	c.version++
}

// current returns the revision of the current layers and starts its evaluation if it is new.
// The caller holds the lock.
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
		if l.env == "" {
			layers = append(layers, l.Layer)
		} else if layers, err = p.WithEnviron(layers, l.env); err != nil {
			return nil, err
		}
	}
	for _, name := range c.opts.Values {
		l, err := openLayer(p, name)
		if err != nil {
			return nil, err
		}
		layers = append(layers, l.Layer)
	}
	o := c.opts.Engine(c.ctx)
	if o.EnvPrefix != "" {
		if layers, err = p.WithEnviron(layers, o.EnvPrefix); err != nil {
			return nil, err
		}
	}
	if layers, err = p.WithDefines(layers, o.Defines, o.Assignments); err != nil {
		return nil, err
	}
	r := &revision{project: p, layers: layers, instances: newInstances(c.ctx, c.classes)}
	if r.now, err = r.open(&task{}); err != nil {
		return nil, err
	}
	c.now = r
	return r, nil
}

// look implements [tree].
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

func (c *Config) path(below string) string { return below }

// Eval returns a node for the value of an expression in the root of the configuration. The
// expression is evaluated each time the node is asked. If the newest file or text among the
// layers is in Yay, the expression is one of Yay, such as servers.web.ports[0] + 1. Otherwise
// it is a query as for [yaytpl.Document.Query]: a path such as ::servers::web::port, an
// expression object in YAML, or a template with {{ }}.
func (c *Config) Eval(expression string) Node { return Node{in: &exprTree{c, expression}} }

// An exprTree is the tree of the value of an expression.
type exprTree struct {
	config *Config
	text   string
}

// look implements [tree].
func (x *exprTree) look(f func(view) error) error {
	return x.config.look(func(v view) error {
		if v.err == nil {
			v.root, v.err = x.config.now.now.doc.Evaluate(x.text, x.config.language())
			v.at = graph.CellOf(v.root)
		}
		return f(v)
	})
}

func (x *exprTree) path(below string) string {
	if below == "." {
		return x.text
	}
	return under("("+x.text+")", below)
}

// under returns the path of the place at a path below another one.
func under(place, below string) string {
	switch {
	case below == ".":
		return place
	case below[0] == '[', place == ".":
		return strings.TrimPrefix(place, ".") + below
	}
	return place + "." + below
}

// language returns the language of the newest file or text among the layers, "" if there is
// none.
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

// A revision is the configuration with the layers of one time, and the instances of native
// classes in it.
type revision struct {
	project   *engine.Project
	layers    []engine.Layer
	instances *instances
	now       evaluation // for looking up nodes
}

// An evaluation is one evaluation of the layers of a revision.
type evaluation struct {
	doc  *engine.Document
	eval *graph.Eval
}

// open returns another evaluation of the revision, for a task. Evaluations of different tasks
// may run at the same time: they share files and parsed documents, which never change, and
// the instances, which have a lock.
func (r *revision) open(t *task) (evaluation, error) {
	docs, err := r.project.Fork(r.instances.native()).Pair(r.layers)
	if err != nil {
		return evaluation{}, err
	}
	d := docs[0]
	e, err := d.Eval()
	if err == nil {
		r.instances.join(e, t)
	}
	return evaluation{d, e}, err
}

// view returns the root of the document, an empty map if the document has no content.
func (e evaluation) view() view {
	v, err := e.doc.Value()
	if err == nil && v.IsNull() {
		v = value.FromMap(value.NewMap(0))
	}
	return view{root: v, err: err, at: e.eval.Root(), eval: e.eval}
}

// runAhead applies the native classes that the whole of n needs, before n is evaluated: those
// that do not need each other at the same time. It ignores errors, since evaluating n reports
// them.
//
//	servers a and b, and server c if a.ready    round 1: a and b, with a.ready unknown
//	                                            round 2: c
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

// maxJobs is the number of classes that a scout applies at the same time.
const maxJobs = 64

// scout walks everything in n, in an evaluation of its own where members of instances are
// unknown (errPending), and applies each instance that it meets in a goroutine. It reports
// whether there were any: their members may lead to others.
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

// apply asks for the members of the instance at a path, in an evaluation of its own.
func (r *revision) apply(path value.Path) {
	e, err := r.open(&task{})
	if err != nil {
		return
	}
	defer r.instances.leave(e.eval)
	v, ok, err := e.eval.Root().At(path).Value()
	if ok && err == nil && v.Is(value.MapKind) {
		for range v.Map().Keys() { // which yields the members after the parameters
		}
	}
}

// walkAll evaluates everything in v and ignores failures. open holds the cells of the maps and
// lists around v, which v may contain again.
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
