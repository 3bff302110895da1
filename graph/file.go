package graph

import (
	"github.com/yaytpl/yaytpl/source"
)

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
	return c.selected(l, ref, o)
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
		if !ref.Deep || o.liesOn(c) || times > maxSelf {
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

func (c *Cell) selected(l *layer, ref *Ref, o *Origin) (*layer, error) {
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
	case several:
		return err.Map(add)
	}
	return err
}

// several is an error of many findings: Map returns it with each of them changed.
type several interface {
	Map(func(*source.Diagnostic) *source.Diagnostic) error
}
