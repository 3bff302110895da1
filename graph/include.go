package graph

import (
	"path/filepath"
	"strings"

	"github.com/yaytpl/yaytpl/source"
)

// A Doc is one document as a front end lowered it. It is immutable.
type Doc struct {
	File *source.File
	Root Node // nil for an empty document

	// Anchors are the nodes with a name, the last definition of each.
	Anchors map[string]Node

	// Includes are the files that the document names literally, in source order:
	// their anchors can be referred to.
	Includes []*Ref

	// Base is what relative names in the document are relative to: a directory or
	// a URL.
	Base string

	// Head and Foot are comments that stand apart from the content.
	Head, Foot string

	// Off are features of its language that the file does without.
	Off map[string]bool

	// Lang is the language the document was written in.
	Lang string
}

// BaseOf returns the Base of documents in a file, "" for a text that is in none.
func BaseOf(f *source.File) string {
	switch {
	case f.Path != "":
		return filepath.Dir(f.Path)
	case strings.HasPrefix(f.Name, "http://"), strings.HasPrefix(f.Name, "https://"):
		return f.Name[:strings.LastIndexByte(f.Name, '/')+1]
	}
	return ""
}

// An Origin says how a document came to take part: the file and the chain of
// includes that led to it. It is shared by everything that came the same way.
type Origin struct {
	Doc   *Doc
	Ref   *Ref    // the include that imports it, nil for a root layer
	Outer *Origin // where that include stands
	Layer string  // name of the root layer, such as "-D"
	Depth int

	at *Cell // where the include lies, nil for a root layer
}

// Includes returns the places of the includes that led to o, innermost first.
func (o *Origin) Includes() []source.Span {
	var spans []source.Span
	for ; o != nil && o.Ref != nil && len(spans) < maxIncludeNotes; o = o.Outer {
		spans = append(spans, o.Ref.FileAt)
	}
	return spans
}

const maxIncludeNotes = 50

// A Loader finds the documents that includes name.
type Loader interface {
	// Load returns the document that ref names from a document at from. A file
	// that does not exist is a Diagnostic with code missing-include.
	Load(ref *Ref, from *Doc) (*Doc, error)
}

// findInFile loads the file that ref names and returns its root, or the part that
// the pointer or anchor of ref selects, to be placed on c.
func (c *Cell) findInFile(l *layer, ref *Ref) (*layer, error) {
	e := c.eval
	if e.loader == nil {
		return nil, source.Errorf(ref.At, source.MissingInclude, "includes are not available here")
	}
	doc, err := e.loader.Load(ref, l.origin.Doc)
	if err != nil {
		return nil, withIncludes(err, l.origin, ref)
	}
	if err := c.fileCycle(l, ref, doc); err != nil {
		return nil, err
	}
	o := &Origin{Doc: doc, Ref: ref, Outer: l.origin, Depth: l.origin.Depth + 1, at: c}
	if o.Depth > e.limits.Includes {
		return nil, source.Errorf(ref.At, source.Limit, "includes are nested more than %d deep", e.limits.Includes)
	}
	root := o.Doc.Root
	if ref.Anchor != "" {
		if root = o.Doc.Anchors[ref.Anchor]; root == nil {
			return nil, missing(l, ref)
		}
	}
	switch {
	case root == nil:
		root = &Map{At: o.Doc.File.Span(0, 0)} // an empty file adds nothing
	case ref.Raw:
		root = rawNode(root)
	}
	start := &layer{node: root, origin: o, frame: l.frame, up: l, via: ref}
	return c.within(l, ref, start)
}

// maxSelf is how often a file may lie within itself where it may at all: conditions
// in it are to end that.
const maxSelf = 200

// fileCycle reports a file that is included from within itself.
func (c *Cell) fileCycle(l *layer, ref *Ref, doc *Doc) error {
	if ref.Anchor != "" || len(ref.Path) > 0 {
		return nil // a part of a file may use another part: nodes tell
	}
	times := 0
	for o := l.origin; o != nil; o = o.Outer {
		if o.Doc != doc && o.Doc.File != doc.File {
			continue
		}
		times++
		onC := o.at == c || o.at == nil && c.up == nil // the document is on c as a whole
		if !ref.Deep || onC || times > maxSelf {
			return c.includesItself(l, ref, doc)
		}
	}
	return nil
}

func (c *Cell) includesItself(l *layer, ref *Ref, doc *Doc) error {
	d := source.Errorf(ref.FileAt, source.RecursiveInclude,
		"recursive include %q in %q when including %s", doc.File.Name, c.Path(), ref.Key)
	if ref.Deep {
		d = source.Errorf(ref.FileAt, source.Cycle, "recursive include: %s includes itself", doc.File.Name)
	}
	seen := map[*Ref]bool{}
	for in := l.origin; in != nil && in.Ref != nil && len(d.Notes) < maxIncludeNotes; in = in.Outer {
		if !seen[in.Ref] {
			d.Note(in.Ref.FileAt, "%s is included here", in.Doc.File.Name)
		}
		seen[in.Ref] = true
	}
	return d
}

// within walks the pointer of ref into layers that stand nowhere yet.
func (c *Cell) within(l *layer, ref *Ref, start *layer) (*layer, error) {
	if len(ref.Path) == 0 {
		return start, nil
	}
	from := &Cell{eval: c.eval, layer: start, hasLayer: true}
	at, err := from.Find(ref.Path)
	if err != nil {
		return nil, err
	}
	if at == nil {
		return nil, missing(l, ref)
	}
	t, err := at.layers()
	if err != nil {
		return nil, err
	}
	return t.place(l, ref), nil
}

// withIncludes adds to errors of an include how it came about: to those in the file
// itself the include as well.
func withIncludes(err error, o *Origin, ref *Ref) error {
	add := func(d *source.Diagnostic) *source.Diagnostic {
		if d.Includes != nil {
			return d
		}
		copied := *d
		copied.Includes = o.Includes()
		if d.At.File != o.Doc.File {
			copied.Includes = (&Origin{Ref: ref, Outer: o}).Includes()
		}
		return &copied
	}
	switch err := err.(type) {
	case *source.Diagnostic:
		return add(err)
	case multiError:
		return err.Map(add)
	}
	return err
}

// multiError is an error of many findings: Map returns it with each of them changed.
type multiError interface {
	Map(func(*source.Diagnostic) *source.Diagnostic) error
}

// An anchorAt is an anchor with the way its document was reached.
type anchorAt struct {
	node   Node
	origin *Origin
}

// findAnchor looks for a name in the file that uses it, then in the document, then
// in everything that the document includes by a literal name (merge, section 4).
func (c *Cell) findAnchor(l *layer, ref *Ref) (*layer, error) {
	a, ok := c.eval.anchor(ref.Anchor, l.origin)
	if !ok {
		return nil, missing(l, ref)
	}
	if ref.Raw {
		a.node = rawNode(a.node)
	}
	start := &layer{node: a.node, origin: a.origin, up: l, via: ref}
	return c.within(l, ref, start)
}

func (e *Eval) anchor(name string, from *Origin) (anchorAt, bool) {
	if a, ok := from.Doc.Anchors[name]; ok {
		return anchorAt{a, from}, true
	}
	for i := len(e.layers) - 1; i >= 0; i-- {
		if a, ok := e.layers[i].Doc.Anchors[name]; ok {
			return anchorAt{a, e.layers[i]}, true
		}
	}
	if e.anchors == nil {
		e.collectAnchors()
	}
	a, ok := e.anchors[name]
	return a, ok
}

// collectAnchors reads the files that the layers include, and what those include.
// A file that cannot be read has no anchors; whoever includes it will say so.
func (e *Eval) collectAnchors() {
	e.anchors = map[string]anchorAt{}
	seen := map[*source.File]bool{}
	var visit func(o *Origin)
	visit = func(o *Origin) {
		if seen[o.Doc.File] || o.Depth > e.limits.Includes || e.loader == nil {
			return
		}
		seen[o.Doc.File] = true
		for _, ref := range o.Doc.Includes {
			doc, err := e.loader.Load(ref, o.Doc)
			if err != nil {
				continue
			}
			in := &Origin{Doc: doc, Ref: ref, Outer: o, Depth: o.Depth + 1}
			for name, n := range doc.Anchors {
				e.anchors[name] = anchorAt{n, in}
			}
			visit(in)
		}
	}
	for _, o := range e.layers {
		visit(o)
	}
}
