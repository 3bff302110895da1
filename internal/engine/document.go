package engine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/bigfile"
	"github.com/yaytpl/yaytpl/internal/docpath"
	"github.com/yaytpl/yaytpl/internal/frontend"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Document is one finished document of a project: all layers of one position, with one
// evaluation of them.
type Document struct {
	project *Project
	index   int
	layers  []graph.RootLayer
	edited           // the newest layer of the file that is edited
	others  []edited // older layers of that file, the newest first
	apart   bool     // the layers below the edited one are no part of the document

	stream []Layer // where some documents have +match: all layers
	from   []int   // and the number in it of each of layers

	text     *bigfile.Text // of a big file, parsed when a lookup in the text is not enough
	eval     *graph.Eval   // nil before the first question
	runtimes frontend.Runtimes
	notice   bool // warn of what is probably not meant
	lint     bool // and of what is allowed, but doubtful
}

// An edited is a layer that is a document of the file that is edited.
type edited struct {
	main   int // its index in the layers, -1 if there is none
	inFile int // its number in the file
}

// Document returns a document of these layers at position i.
func (p *Project) Document(i int, layers ...graph.RootLayer) *Document {
	return &Document{project: p, index: i, layers: layers}
}

// Project returns the project of the document.
func (d *Document) Project() *Project { return d.project }

// Index returns the position of the document, counted from 0.
func (d *Document) Index() int { return d.index }

// Layers returns the layers of the document, oldest first, none of a text that is not parsed
// yet.
func (d *Document) Layers() []graph.RootLayer { return d.layers }

// Main returns the layer of the document that is of the first of the files, the files of Options.Base not
// counted: the one that is edited. It is nil if that file has no such document.
func (d *Document) Main() *graph.Doc {
	if d.main < 0 {
		return nil
	}
	return d.layers[d.main].Doc
}

// IsOver reports whether a file is a layer over the file of Main.
func (d *Document) IsOver(f *source.File) bool {
	return slices.ContainsFunc(d.layers[d.main+1:], func(l graph.RootLayer) bool { return l.Doc.File == f })
}

// Size returns the bytes of the files of the layers.
func (d *Document) Size() int {
	n := 0
	for i, l := range d.layers {
		if i == 0 || l.Doc.File != d.layers[i-1].Doc.File {
			n += len(l.Doc.File.Text)
		}
	}
	return n
}

// InFile returns the number of the document of Main in its file: a file of one document is a layer of all
// documents.
func (d *Document) InFile() int { return d.inFile }

// Others returns the document with another of its layers as Main, for each older document of the edited
// file that is put on it by +match or by position, the newest first.
func (d *Document) Others() []*Document {
	var all []*Document
	for i, e := range d.others {
		other := d.Afresh()
		other.edited, other.others = e, d.others[i+1:]
		all = append(all, other)
	}
	return all
}

// WithMain returns the document with another layer in place of Main and the layers below it. The layers below
// are no part of it, but keep their anchors and their values: see [Document.Below].
func (d *Document) WithMain(doc *graph.Doc) *Document {
	other := d.Afresh()
	other.layers = slices.Clone(d.layers)
	other.layers[d.main].Doc = doc
	other.apart = true
	return other
}

// IsUnder reports whether there are layers over Main.
func (d *Document) IsUnder() bool { return d.main < len(d.layers)-1 }

// Below returns the value of the layers below Main, and false if there are none. As in
// [Document.Expanded], directives are applied and nothing else; their pointers lead into the document.
func (d *Document) Below() (value.Value, bool, error) { return d.oldest(d.main) }

// UpToMain is [Document.Below] with Main.
func (d *Document) UpToMain() (value.Value, error) {
	v, _, err := d.oldest(d.main + 1)
	return v, err
}

func (d *Document) oldest(n int) (value.Value, bool, error) {
	if n == 0 {
		return value.Null, false, nil
	}
	e, err := d.Eval()
	if err != nil {
		return value.Null, false, err
	}
	return e.Oldest(n).Raw()
}

// Alone returns the value of a node of Main at a path, as if no other layer were there:
// see [graph.Cell.Alone].
func (d *Document) Alone(p value.Path, n graph.Node, lists *graph.Lists) (value.Value, bool, error) {
	e, err := d.Eval()
	if err != nil {
		return value.Null, false, err
	}
	return e.Root().At(p).Alone(d.main, n, lists).Raw()
}

// IsLone reports whether the layer that is edited is the only one.
func (d *Document) IsLone() bool { return len(d.layers) == 1 && d.main == 0 }

// Afresh returns the document without its evaluation, for a question that must observe every
// step of one.
func (d *Document) Afresh() *Document {
	return &Document{
		project: d.project, index: d.index, layers: d.layers, edited: d.edited, others: d.others, apart: d.apart, stream: d.stream, from: d.from, text: d.text,
	}
}

// ForLint is [Document.Afresh] with the warnings that only check is to report.
func (d *Document) ForLint() *Document {
	d = d.Afresh()
	d.notice, d.lint = true, true
	return d
}

// Notice makes the evaluation of the document report paths of expressions that find nothing. It
// must be called before the first question.
func (d *Document) Notice() { d.notice = true }

// Eval returns the evaluation of the document, started by the first call.
func (d *Document) Eval() (*graph.Eval, error) {
	if d.eval != nil {
		return d.eval, nil
	}
	if err := d.ParseText(); err != nil {
		return nil, err
	}
	p := d.project
	o := p.opts.Eval
	o.Lint, o.Parsed = d.lint, &expr.Parsed{}
	if d.notice {
		o.Misses = &expr.Misses{}
	}
	programs := p.programs()
	programs.Past = programs.Past.Part(fmt.Sprint("document ", d.index))
	d.runtimes = frontend.NewRuntimes(frontend.Host{
		Dir: p.dir, Library: Library{}, Options: o, Classes: p.classes, Open: p.openNamed, Near: p.files.Near,
		World: func(documentDir, fileDir string) expr.Asking {
			host := p.files.Host(documentDir, fileDir).Charged(func(steps int) error { return d.eval.Step(steps) })
			return func(at source.Span, secret bool) expr.Host { return host.For(at, secret) }
		},
		Parse:    func(f *source.File, lang string) ([]*graph.Doc, error) { return p.parse(f, lang, nil) },
		Programs: programs,
	})
	apart := 0
	if d.apart {
		apart = d.main
	}
	d.eval = graph.New(p.ctx, d.layers, graph.Options{
		Apart:  apart,
		Limits: p.opts.Limits, Loader: loader{p}, Forms: frontend.Forms, Warn: p.opts.Warn,
		Runtimes: d.runtimes.All, StrictCycles: p.opts.StrictCycles, Lists: p.lists, Before: p.before,
	})
	d.runtimes.Bind(d.eval)
	d.eval.Ticks = p.ticks(d)
	return d.eval, nil
}

// Runtimes returns the state of the languages in the evaluation, which it starts.
func (d *Document) Runtimes() (frontend.Runtimes, error) {
	_, err := d.Eval()
	return d.runtimes, err
}

// Begin starts a new count of steps: steps of earlier questions do not count towards the
// limit of the next one.
func (d *Document) Begin() {
	if d.eval != nil {
		d.eval.Begin()
	}
}

// unparsed reports whether the document is a text that was not parsed yet.
func (d *Document) unparsed() bool { return d.text != nil && d.layers == nil }

// Lookup returns the value at constant keys in a text that is not parsed, and false if the
// evaluation has to tell.
func (d *Document) Lookup(keys []value.Key, constant bool) (value.Value, bool) {
	if !constant || !d.unparsed() {
		return value.Null, false
	}
	return d.text.Lookup(keys)
}

// ParseText parses a file that was left as text.
func (d *Document) ParseText() error {
	if !d.unparsed() {
		return nil
	}
	docs, err := d.project.Parse(d.text.File)
	if err != nil {
		return err
	}
	for _, doc := range docs {
		d.layers = append(d.layers, RootLayer(doc, d.text.File.Name))
	}
	return nil
}

// Value returns the finished document. It is lazy: lists and maps in it evaluate their items
// when these are asked for, and may fail then. An empty document is null.
func (d *Document) Value() (value.Value, error) {
	e, err := d.Eval()
	if err != nil {
		return value.Null, err
	}
	v, _, err := e.Root().Value()
	return v, err
}

// Expanded returns the document with its merge directives applied, and with expressions and
// templates as they are written.
func (d *Document) Expanded() (value.Value, error) {
	e, err := d.Eval()
	if err != nil {
		return value.Null, err
	}
	v, _, err := e.Root().Raw()
	return v, err
}

// Empty reports whether the document has no content at all.
func (d *Document) Empty() bool {
	if err := d.ParseText(); err != nil {
		return false
	}
	for _, l := range d.layers {
		if l.Doc.Root != nil {
			return false
		}
	}
	return true
}

// Comments returns the comments of the file before and after the document.
func (d *Document) Comments() (head, foot string) {
	if len(d.layers) == 0 {
		return "", ""
	}
	return d.layers[0].Doc.Head, d.layers[0].Doc.Foot
}

// Tag returns the tag of the whole document: the tag of the newest layer with one.
func (d *Document) Tag() string {
	for _, l := range slices.Backward(d.layers) {
		if l.Doc.Tag != "" {
			return l.Doc.Tag
		}
	}
	return ""
}

// TagAt returns the explicit tag of the list or map that steps lead to, "" for none.
func (d *Document) TagAt(steps []docpath.Step) string {
	switch {
	case d.unparsed():
		return "" // see Lookup
	case len(steps) == 0:
		return d.Tag()
	}
	of, v, path, err := d.walk(steps)
	if err != nil {
		return ""
	}
	return graph.TagIn(of, path[len(path)-1], v)
}

// Walk follows steps from the root and returns the value that they lead to and its keys.
//
// Code: not-found, with keys of a similar spelling.
func (d *Document) Walk(steps []docpath.Step) (value.Value, value.Path, error) {
	_, v, path, err := d.walk(steps)
	return v, path, err
}

// walk is Walk, which also returns the value around the one that steps lead to.
func (d *Document) walk(steps []docpath.Step) (of, v value.Value, path value.Path, err error) {
	e, err := d.Eval()
	if err != nil {
		return value.Null, value.Null, nil, err
	}
	v = e.Root().RootMap()
	if !v.Is(value.MapKind) {
		v, _, err = e.Root().Value()
	}
	if err != nil {
		return value.Null, value.Null, nil, err
	}
	return d.walkFrom(v, steps)
}

// WalkFrom is [Document.Walk] from a form of the root, such as [Document.Expanded].
func (d *Document) WalkFrom(v value.Value, steps []docpath.Step) (value.Value, value.Path, error) {
	_, v, path, err := d.walkFrom(v, steps)
	return v, path, err
}

// walkFrom is walk from a form of the root.
func (d *Document) walkFrom(root value.Value, steps []docpath.Step) (of, v value.Value, path value.Path, err error) {
	e, err := d.Eval()
	if err != nil {
		return value.Null, value.Null, nil, err
	}
	v = root
	for len(steps) > 0 && err == nil {
		if err := e.Step(1); err != nil {
			return value.Null, value.Null, nil, err
		}
		var key value.Key
		var taken int
		of = v
		v, key, taken, err = docpath.Next(v, steps, path)
		path = append(path, key)
		steps = steps[taken:]
	}
	return of, v, path, d.named(err)
}

// Name returns "document 1", counted from 0, or "" if the files have only one document.
func (d *Document) Name() string {
	if len(d.project.docs) < 2 {
		return ""
	}
	return "document " + strconv.Itoa(d.index)
}

// named returns the error of a path that a document does not have, with the document in its
// message if there are others.
func (d *Document) named(err error) error {
	miss, ok := err.(*source.Diagnostic)
	if !ok || miss.Code != source.NotFound || !miss.At.IsZero() || d.Name() == "" {
		return err
	}
	there := *miss
	before, whole := strings.CutSuffix(miss.Message, "the document")
	if there.Message = before + d.Name(); !whole {
		there.Message = before + " of " + d.Name()
	}
	return &there
}

// Find returns the only document that has the path, with the keys of the path.
//
// Codes: not-found, also if several documents have it: the message names them.
func (p *Project) Find(path string) (*Document, value.Path, error) {
	steps, err := docpath.Parse(path)
	if err != nil {
		return nil, nil, err
	}
	var found, near *Document
	var keys, reached value.Path
	var miss error // of near, the document that has the most of the path
	var others []*Document
	for _, d := range p.docs {
		_, at, err := d.Walk(steps)
		switch {
		case err != nil:
			if all := source.Findings(err); all[len(all)-1].Code != source.NotFound && len(others) == 0 {
				return nil, nil, err
			}
			if near == nil || len(at) > len(reached) || len(at) == len(reached) && !hinted(miss) {
				near, reached, miss = d, at, err
			}
		case found != nil:
			others = append(others, d)
		default:
			found, keys = d, at
		}
	}
	switch {
	case found == nil:
		return nil, nil, near.nowhere(miss, reached)
	case len(others) == 1:
		return nil, nil, source.Errorf(source.Span{}, source.NotFound, "documents %d and %d both have %s", found.index, others[0].index, path).
			WithHint("--doc %d or --doc %d chooses", found.index, others[0].index)
	case len(others) > 1:
		return nil, nil, source.Errorf(source.Span{}, source.NotFound, "documents %d%s all have %s", found.index, indexesOf(others), path).
			WithHint("--doc with one of these numbers chooses")
	}
	return found, keys, nil
}

// maxNumbered bounds how many documents a message numbers.
const maxNumbered = 10

// indexesOf lists the numbers of documents after a first one: ", 3 and 4".
func indexesOf(docs []*Document) string {
	var b strings.Builder
	for i, d := range docs {
		switch {
		case i == len(docs)-1:
			fmt.Fprintf(&b, " and %d", d.index)
		case i == maxNumbered:
			fmt.Fprintf(&b, " and %d more", len(docs)-i)
			return b.String()
		default:
			fmt.Fprintf(&b, ", %d", d.index)
		}
	}
	return b.String()
}

// hinted reports whether the error of a path has a hint.
func hinted(err error) bool {
	d, ok := err.(*source.Diagnostic)
	return ok && d.Hint != ""
}

// nowhere returns the error of a path that no document has. d is the one that has the most of it.
func (d *Document) nowhere(err error, reached value.Path) error {
	miss, ok := err.(*source.Diagnostic)
	if n := len(d.project.docs); ok && len(reached) <= 1 && n > 1 {
		all := *miss
		all.Message = strings.Replace(miss.Message, d.Name(), fmt.Sprintf("any of the %d documents", n), 1)
		return &all
	}
	return err
}

// Force evaluates everything in v. The error holds all failures that do not depend on each
// other, each once.
func (d *Document) Force(v value.Value) error {
	if d.unparsed() {
		return nil // values of a text are plain data
	}
	e, err := d.Eval()
	if err != nil {
		return err
	}
	return Force(v, e)
}

// Force is [Document.Force] for a value of any evaluation.
func Force(v value.Value, e *graph.Eval) error {
	f := forcer{eval: e, seen: map[string]bool{}, open: map[*graph.Cell]bool{}}
	f.value(v)
	if len(f.errs) == 0 {
		return nil
	}
	return source.OneOrMany(source.CutOff(f.errs))
}

// A forcer evaluates a value and collects the failures.
type forcer struct {
	eval *graph.Eval
	errs []*source.Diagnostic
	seen map[string]bool
	open map[*graph.Cell]bool // the maps and lists around the current value

	// limited is set after an exceeded limit. What remains would exceed it as well, and a bomb
	// has millions of remaining values.
	limited bool
}

// value evaluates v and everything in it.
func (f *forcer) value(v value.Value) {
	if f.full() || graph.IsConstant(v) {
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
		for _, k := range AllKeys(v) {
			item, _, err := m.Get(k)
			if f.item(item, err); f.full() {
				break
			}
		}
	}
}

// list evaluates the items of a list. After each item it drops the cells that the item needed:
// a loop of a million items keeps only their results.
func (f *forcer) list(v value.Value) {
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

// item evaluates an item, or reports the error of getting it.
func (f *forcer) item(v value.Value, err error) {
	if err != nil {
		f.fail(err)
		return
	}
	f.value(v)
}

// full reports whether no more failures are looked for.
func (f *forcer) full() bool { return f.limited || len(f.errs) >= source.MaxErrors }

// fail adds the findings of an error that are not known yet.
func (f *forcer) fail(err error) {
	f.limited = f.limited || graph.Stops(err)
	for _, d := range source.Findings(err) {
		if !f.seen[d.Error()] {
			f.seen[d.Error()] = true
			f.errs = append(f.errs, d)
		}
	}
}

// AllKeys returns the keys of a map. If an error makes it unknown whether a key is present,
// the key is included, so that one failure hides neither the others nor the rest.
func AllKeys(m value.Value) []value.Key {
	keys := slices.Collect(m.Map().Keys())
	if len(keys) == 1 && keys[0] == value.UnknownKey {
		if c := graph.CellOf(m); c != nil {
			if all, err := c.AllKeys(); err == nil {
				return all
			}
		}
	}
	return keys
}
