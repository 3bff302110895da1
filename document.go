package yaytpl

import (
	"slices"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/lang/yay"
	"github.com/yaytpl/yaytpl/merge"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Document is one finished document of a project: all layers of one position.
type Document struct {
	project *Project
	index   int
	layers  []graph.RootLayer
	text    *jsonText // parsed into layers when more than one path is needed
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
	user := evaluation{d.runtime, p.yayRuntime(d.linting)}
	d.running = graph.New(p.ctx, d.layers, graph.Options{
		Limits: p.opts.Limits, Loader: p, Forms: merge.Forms, Warn: p.opts.Warn,
		User: user, StrictCycles: p.opts.StrictCycles,
	})
	d.runtime.Bind(d.running)
	return d.running, nil
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

// parseText parses a file that was left as text.
func (d *Document) parseText() error {
	if !d.unparsed() {
		return nil
	}
	docs, err := d.project.parse(d.text.file, d.project.opts.Lang, nil)
	if err != nil {
		return err
	}
	for _, doc := range docs {
		d.layers = append(d.layers, rootLayer(doc, d.text.file.Name))
	}
	return nil
}

// Value returns the finished document. It is lazy: lists and maps in it work out
// their items when they are asked for, and may fail then. An empty document is
// null.
func (d *Document) Value() (value.Value, error) {
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
	e, err := d.eval()
	if err != nil {
		return value.Null, err
	}
	v, _, err := e.Root().Raw()
	return v, err
}

// Empty reports whether the document has no content at all.
func (d *Document) Empty() bool {
	if d.text != nil {
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
	if d.unparsed() {
		return nil // what was looked up in a text is plain data
	}
	e, err := d.eval()
	if err != nil {
		return err
	}
	f := newForcing(e)
	f.value(v)
	if len(f.errs) == 0 {
		return nil
	}
	return oneOrMany(f.errs)
}

// A forcing evaluates a value and collects what fails.
type forcing struct {
	eval *graph.Eval
	errs []*source.Diagnostic
	seen map[string]bool
	open map[*graph.Cell]bool // the maps and lists around what is evaluated
}

const maxErrors = 50

func newForcing(e *graph.Eval) *forcing {
	return &forcing{eval: e, seen: map[string]bool{}, open: map[*graph.Cell]bool{}}
}

func (f *forcing) value(v value.Value) {
	if f.full() {
		return
	}
	if err := f.eval.Enter(); err != nil {
		f.fail(err)
		return
	}
	defer f.eval.Leave()
	if c := graph.CellOf(v); c != nil {
		if f.open[c] {
			f.fail(c.Contained())
			return
		}
		f.open[c] = true
		defer delete(f.open, c)
	}
	switch v.Kind() {
	case value.ListKind:
		f.list(v)
	case value.MapKind:
		m := v.Map()
		for _, k := range allKeys(v) {
			item, _, err := m.Get(k)
			if f.item(item, err); f.full() {
				break
			}
		}
	}
}

func (f *forcing) list(v value.Value) {
	l, cell := v.List(), graph.CellOf(v)
	for i := 0; i < l.Len() && !f.full(); i++ {
		f.item(l.At(i))
		if cell == nil || len(f.errs) > 0 {
			continue
		}
		if err := cell.Compact(i); err != nil {
			f.fail(err)
		}
	}
}

// allKeys returns the keys of a map. If they cannot be known because of an error,
// those are included whose presence cannot be told, so that one failure hides
// neither the others nor the rest.
func allKeys(m value.Value) []value.Key {
	keys := slices.Collect(m.Map().Keys())
	if len(keys) == 1 && keys[0].Kind == value.UndefinedKind {
		if c := graph.CellOf(m); c != nil {
			if all, err := c.AllKeys(); err == nil {
				return all
			}
		}
	}
	return keys
}

// full reports whether there are so many errors that more would be of no use.
func (f *forcing) full() bool { return len(f.errs) >= maxErrors }

func (f *forcing) item(v value.Value, err error) {
	if err != nil {
		f.fail(err)
		return
	}
	f.value(v)
}

func (f *forcing) fail(err error) {
	for _, d := range Findings(err) {
		if !f.seen[d.Error()] {
			f.seen[d.Error()] = true
			f.errs = append(f.errs, d)
		}
	}
}
