package graph

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/source"
)

// The documents of an evaluation are its root layers, and the files that were loaded for them. layers and rules never
// change; the others grow.
type documents struct {
	loader  Loader
	layers  []*Origin           // of the document, oldest first
	rules   []*Rule             // of the layers
	outside bool                // there may be cells of Oldest
	files   map[*Doc]*Cell      // roots of documents on their own, for pointers into them
	anchors map[string]anchorAt // of the included files, once needed
	based   map[Node]bool       // the single nodes of bases that cells share: see leadsTo
}

// A Doc is one document as a front end parsed it. It is immutable.
type Doc struct {
	File *source.File
	Root Node // nil for an empty document

	// Anchors maps names to nodes. Of equal names the last one counts.
	Anchors map[string]Node

	// Includes are the files that the document names literally, in source order. Their
	// anchors are visible in the document.
	Includes []*Ref

	// Base is the directory or URL to which relative names in the document are relative.
	Base string

	// Head and Foot are comments before and after the content, separate from it.
	Head, Foot string

	// Tag is an explicit tag of the whole document, if that is a list or map: see value.Annotation.
	Tag string

	// Off lists features of its language that the file switches off.
	Off map[string]bool

	// Lists says that a map of the document has [Lists], and Private that one has a [Private].
	Lists, Private bool

	// Omits says that a computed value of the document may be an absent one: see [Omitter].
	Omits bool

	// Typed says that the document is of a command line or the environment, where a text may mean a
	// number or a boolean.
	Typed bool

	// Lang is the language of the document.
	Lang string

	// Match says which older documents of a stream the document is a layer over, or is nil.
	Match *Match
}

// BaseOf returns the Base of documents in f, "" for a text without a file.
func BaseOf(f *source.File) string {
	switch {
	case f.Path != "":
		return filepath.Dir(f.Path)
	case strings.HasPrefix(f.Name, "http://"), strings.HasPrefix(f.Name, "https://"):
		return f.Name[:strings.LastIndexByte(f.Name, '/')+1]
	}
	return ""
}

// An Origin is the way by which a document takes part in an evaluation: the file and the
// chain of includes that lead to it. All layers that took the same way share one Origin.
type Origin struct {
	Doc   *Doc
	Ref   *Ref    // the include that names the document, nil for a root layer
	Outer *Origin // the way to that include
	Layer string  // name of the root layer, such as "-D"
	Depth int

	at *Cell // the cell that the include is on, nil for a root layer
}

// Includes returns the positions of the includes that lead to o, innermost first.
func (o *Origin) Includes() []source.Span {
	var spans []source.Span
	for ; o != nil && o.Ref != nil && len(spans) < maxIncludeNotes; o = o.Outer {
		spans = append(spans, o.Ref.FileAt)
	}
	return spans
}

// maxIncludeNotes bounds the includes, references and cells that one finding names.
const maxIncludeNotes = 50

// isInclude reports whether a base is a file. A missing file becomes an empty map, a
// missing target of a pointer leaves the place empty (merge, sections 5 and 7).
func isInclude(n Node) bool {
	switch n := n.(type) {
	case *Ref:
		return n.From == FromFile
	case *Guard:
		return n.Label == IncludeLabel
	}
	return false
}

// IncludeLabel is the label of guards that decide which file is included.
const IncludeLabel = "include"

// A Loader finds the documents that includes name.
type Loader interface {
	// Load returns the document that ref names from a document at from. A file
	// that does not exist is a Diagnostic with code missing-include.
	Load(ref *Ref, from *Doc) (*Doc, error)
}

// findInFile loads the file that ref names and returns its root, or the part that the
// pointer or anchor of ref selects, placed on c.
func (c *Cell) findInFile(l *layer, ref *Ref) (*layer, error) {
	e := c.eval
	if e.loader == nil {
		return nil, source.Errorf(ref.At, source.MissingInclude, "includes are not available here")
	}
	doc, err := e.loader.Load(ref, l.origin.Doc)
	if err != nil {
		return nil, withIncludes(err, l.origin, ref)
	}
	e.heed(doc)
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
		root = e.rawNode(root)
	}
	start := &layer{node: root, origin: o, frame: l.frame, up: l, via: ref}
	return c.within(l, ref, start)
}

// maxSelf bounds how often a file that may include itself does so. Conditions in the file
// have to end the recursion earlier.
const maxSelf = 200

// fileCycle returns an error if a file is included from within itself.
func (c *Cell) fileCycle(l *layer, ref *Ref, doc *Doc) error {
	if ref.Anchor != "" || len(ref.Path) > 0 {
		return nil // a part of a file may use another part; noCycle compares their nodes
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

// includesItself returns the error of a recursive include, with the includes that close the
// cycle.
func (c *Cell) includesItself(l *layer, ref *Ref, doc *Doc) error {
	d := source.Errorf(ref.FileAt, source.RecursiveInclude,
		"recursive include: %q would contain itself, by %s%s", doc.File.Name, ref.Key, c.place())
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
	if len(d.Notes) == 0 { // the document includes itself
		return d.WithHint("remove this include")
	}
	return d.WithHint("remove one of these includes, or move what both need into a file that both include")
}

// noCycle returns an error if the target of a reference contains the reference: placed on c
// it would contain itself again, without end.
func (c *Cell) noCycle(l *layer, ref *Ref, target *layer) error {
	if err := c.eval.Step(l.depth()); err != nil { // the cost of the search
		return err
	}
	if c.eval.leadsTo(target, l) {
		return c.recursive(l, ref, nil)
	}
	return nil
}

// leadsTo reports whether l was reached through a single node of t. Layers that t shares with a cell are searched
// only if l was reached through a node of any such layers. Otherwise each of n maps that extend each other would
// search all maps below it.
func (d *documents) leadsTo(t, l *layer) bool {
	if t.group == nil {
		return l.within(t.node)
	}
	if t.of != nil {
		d.note(t.group)
		if !d.fromBase(l) {
			return false
		}
	}
	return slices.ContainsFunc(t.members, func(m *layer) bool { return d.leadsTo(m, l) })
}

// note adds the single nodes of a group to based, the nodes of bases that cells share.
func (d *documents) note(g *group) {
	if g.noted {
		return
	}
	g.noted = true
	if d.based == nil {
		d.based = map[Node]bool{}
	}
	for _, m := range g.members {
		if m.group != nil {
			d.note(m.group)
		} else {
			d.based[m.node] = true
		}
	}
}

// fromBase reports whether l was reached through a node of a base that cells share.
func (d *documents) fromBase(l *layer) bool {
	for ; l != nil; l = l.up {
		if d.based[l.node] {
			return true
		}
	}
	return false
}

// within follows the pointer of ref into layers that are on no cell yet, such as the root
// of a file that was just loaded.
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

// withIncludes adds the chain of includes to an error of loading a file: the chain to the
// include, and for errors inside of the file the include itself.
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

// A multiError is an error of many findings. Map returns it with each finding changed.
type multiError interface {
	Map(func(*source.Diagnostic) *source.Diagnostic) error
}

// An anchorAt is a node with an anchor, and the way to its document.
type anchorAt struct {
	node   Node
	origin *Origin
}

// findAnchor looks for a name in the file that uses it, then in the document, then in all
// files that the document includes by a literal name (merge, section 4).
func (c *Cell) findAnchor(l *layer, ref *Ref) (*layer, error) {
	a, ok := c.eval.anchor(ref.Anchor, l.origin)
	if !ok {
		return nil, missing(l, ref)
	}
	c.eval.heed(a.origin.Doc)
	if ref.Raw {
		a.node = c.eval.rawNode(a.node)
	}
	start := &layer{node: a.node, origin: a.origin, up: l, via: ref}
	return c.within(l, ref, start)
}

// anchor returns the node with a name that is visible in from.
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

// collectAnchors indexes the anchors of all files that the layers include, directly or
// through other files. It skips files that cannot be read: the include reports the error.
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

// rootLayer stacks the layers of documents from one index to another. Each joins all older layers by
// its own rule: with the rules M, M, S, S they become the groups (S 4 3 (M 2 1)).
func (d *documents) rootLayer(from, to int) *layer {
	var all *layer
	for i := from; i < to; i++ {
		o, rule := d.layers[i], d.rules[i]
		if o.Doc.Root == nil {
			continue
		}
		if rule == nil {
			rule = MergeRule
		}
		l := &layer{node: o.Doc.Root, origin: o}
		if n, ok := l.node.(*Overlay); ok && all != nil && !n.Lone && rule == MergeRule {
			l.node = n.over(all)
			all = l
			continue
		}
		switch {
		case all == nil:
			all = l
		case all.group != nil && all.rule == rule:
			all.members = append(all.members, l)
		default:
			all = &layer{group: &group{members: []*layer{all, l}, rule: rule}}
		}
	}
	reverseGroups(all)
	return all
}

// reverseGroups puts the members of stacked groups, which were appended oldest first, in order. The oldest
// of a group may itself be a group.
func reverseGroups(l *layer) {
	for l != nil && l.group != nil {
		slices.Reverse(l.members)
		l = l.members[len(l.members)-1]
	}
}

// over returns the overlay with older layers below its bases: a document with directives at its root
// joins older documents as if it had included them before everything else. So the whiteout in the newer of
//
//	a: {x: 1}
//
//	+include: b.yaml
//	a: {+%: whiteout}
//
// deletes the a of both.
func (n *Overlay) over(older *layer) *Overlay {
	reverseGroups(older)
	o := *n
	o.older = older
	return &o
}
