package yaytpl

import (
	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/bigfile"
	"github.com/yaytpl/yaytpl/lang/yay"
	"github.com/yaytpl/yaytpl/merge"
	"github.com/yaytpl/yaytpl/value"
)

// A Document is one finished document of a project: all layers of one position.
type Document struct {
	project *Project
	index   int
	layers  []graph.RootLayer
	text    *bigfile.Text // parsed into layers when more than one path is needed
	running *graph.Eval
	runtime *merge.Runtime
	linting bool
}

// eval returns the evaluation of the document, begun when first needed.
func (d *Document) eval() (*graph.Eval, error) {
	if d.running != nil {
		return d.running, nil
	}
	if err := d.parseText(); err != nil {
		return nil, err
	}
	p := d.project
	d.runtime = &merge.Runtime{
		Host:    func(docDir, srcDir string) expr.Host { return p.files.Host(docDir, srcDir) },
		Dir:     p.dir,
		Library: library{},
		Options: expr.Options{Lenient: p.opts.Lenient, NoLiteral: p.opts.NoLiteral, StrictPaths: p.opts.StrictPaths, Lint: d.linting, Trace: p.opts.Trace},
	}
	user := evaluation{d.runtime, &yay.Runtime{Lint: d.linting, Dir: p.dir, Open: p.openNamed, Classes: p.instances.yayClasses()}}
	d.running = graph.New(p.ctx, d.layers, graph.Options{
		Limits: p.opts.Limits, Loader: loader{p}, Forms: merge.Forms, Warn: p.opts.Warn,
		User: user, StrictCycles: p.opts.StrictCycles,
	})
	d.runtime.Bind(d.running)
	return d.running, nil
}

// afresh returns the document without what was worked out of it so far, for work that
// must see everything happen.
func (d *Document) afresh() *Document {
	return &Document{project: d.project, index: d.index, layers: d.layers, text: d.text}
}

// An evaluation is what the values of each language need while it runs.
type evaluation struct {
	*merge.Runtime
	yay *yay.Runtime
}

// YayRuntime implements [yay.Host].
func (e evaluation) YayRuntime() *yay.Runtime { return e.yay }

// unparsed reports whether the document is a text that nobody needed to parse yet.
func (d *Document) unparsed() bool { return d.text != nil && d.layers == nil }

// lookup returns the value at a path of constant keys in a text that is not parsed.
func (d *Document) lookup(keys []value.Key, constant bool) (value.Value, bool) {
	if !constant || !d.unparsed() {
		return value.Null, false
	}
	return d.text.Lookup(keys)
}

// parseText parses a file that was left as text.
func (d *Document) parseText() error {
	if !d.unparsed() {
		return nil
	}
	docs, err := d.project.parse(d.text.File, d.project.opts.Lang, nil)
	if err != nil {
		return err
	}
	for _, doc := range docs {
		d.layers = append(d.layers, rootLayer(doc, d.text.File.Name))
	}
	return nil
}

// Value returns the finished document. It is lazy: lists and maps in it work out
// their items when they are asked for, and may fail then. An empty document is
// null.
func (d *Document) Value() (value.Value, error) {
	defer d.turn()()
	return d.finished()
}

// finished is Value for who has the turn.
func (d *Document) finished() (value.Value, error) {
	e, err := d.eval()
	if err != nil {
		return value.Null, err
	}
	v, _, err := e.Root().Value()
	return v, err
}

// Expanded returns the document with its merge directives carried out, and
// expressions and templates as they were written.
func (d *Document) Expanded() (value.Value, error) {
	defer d.turn()()
	return d.expanded()
}

// expanded is Expanded for who has the turn.
func (d *Document) expanded() (value.Value, error) {
	e, err := d.eval()
	if err != nil {
		return value.Null, err
	}
	v, _, err := e.Root().Raw()
	return v, err
}

// Empty reports whether the document has no content at all.
func (d *Document) Empty() bool {
	defer d.turn()()
	return d.empty()
}

// empty is Empty for who has the turn.
func (d *Document) empty() bool {
	if err := d.parseText(); err != nil {
		return false
	}
	for _, l := range d.layers {
		if l.Doc.Root != nil {
			return false
		}
	}
	return true
}

// comments returns the comments of the file around the document.
func (d *Document) comments() (head, foot string) {
	if len(d.layers) == 0 {
		return "", ""
	}
	return d.layers[0].Doc.Head, d.layers[0].Doc.Foot
}

// Force evaluates everything in v. Failures that do not depend on each other are
// all reported, each once.
func (d *Document) Force(v value.Value) error {
	defer d.turn()()
	return d.force(v)
}

// force is Force for who has the turn.
func (d *Document) force(v value.Value) error {
	if d.unparsed() {
		return nil // what was looked up in a text is plain data
	}
	e, err := d.eval()
	if err != nil {
		return err
	}
	return force(v, e)
}
