package roundtrip

import (
	"errors"
	"strings"

	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// An Op says what an edit does.
type Op uint8

// The operations.
const (
	// Set makes Value what stands at Path. A map that the last key is missing from
	// gets it as its last entry; a list takes the index behind its last item.
	// Of a map or list only what differs is written.
	Set Op = iota

	// Insert adds an entry or item. The last key of Path is its key, and Place says
	// where in the map it goes; in a list it is the index that the item gets.
	Insert

	// Append adds an item to the list at Path.
	Append

	// Delete removes the entry or item at Path, with the comment above it.
	Delete

	// Rename gives the entry at Path another Key.
	Rename

	// Move puts the entry or item at Path elsewhere, with its comments: in its map or
	// list, as Place says, or to the path To. That is one in the document without the
	// entry. Its last key is the key that the entry gets, and Place says where in the
	// map it goes; in a list it is the index that the item gets.
	Move
)

// An Edit is one change of a document.
type Edit struct {
	Op    Op
	Path  value.Path  // keys as written, directives too; list indexes as integers
	Value value.Value // Set, Insert, Append
	Key   value.Key   // Rename: the new key
	Place Place       // Insert into a map, Move
	To    value.Path  // Move: where to; nil for the same map or list

	// Note is what a new entry or item of Set, Insert and Append brings beside its
	// value: comments above, beside and below it, the spelling of its key, flow style.
	// What a value says about what is in it ([value.Annotated]) is used in the same way.
	// Nothing of that changes what is there already, but for flow style where a map or list
	// takes the place of something that is no map or list, or an empty one. Flow style has
	// no place for comments, and JSON has none at all.
	Note *value.Annotation

	// Create makes the maps on the way to Path that are missing or null, for Append the
	// list, and for Move the maps on the way to To.
	Create bool
}

// A Place is one in a map or list.
type Place struct {
	Where Where
	Key   value.Key // the entry or, as an integer, item that Before and After mean
}

// Where says which place is meant.
type Where uint8

// The places.
const (
	Last Where = iota
	First
	Before
	After
)

// A Result is a text after its edits.
type Result struct {
	Text string

	// Patches lead from the old text to the new one: in order, apart from each other.
	Patches []source.Edit

	// Warnings are what somebody should know who asked for the edits.
	Warnings []*source.Diagnostic
}

// Apply makes edits in document number doc of a text, counted from 0. Each edit
// works on what those before it have made. Either all are made or there is an error.
//
// Errors are a *source.Diagnostic. Codes: those of the syntax for a text that it
// does not read; not-found (a path or a document that is not there), bad-type (a path that
// leads through a scalar, a move into itself), duplicate-key, bad-value (one
// that cannot be worked out), limit (a value that is too big
// or too deep), output, whose cause is a [*source.Refusal], for what could be meant and cannot be
// done.
func Apply(f *source.File, syntax Syntax, doc int, edits []Edit) (Result, error) {
	t, err := Parse(f, syntax)
	if err != nil {
		return Result{}, err
	}
	return t.Apply(doc, edits)
}

// Apply is [Apply] for a text that was read before. It stays as it is.
func (t *Text) Apply(doc int, edits []Edit) (Result, error) {
	if doc < 0 || doc >= len(t.Docs) {
		return Result{}, source.Errorf(t.File.Span(0, 0), source.NotFound, "the text has no document number %d: it has %d", doc, len(t.Docs))
	}
	e := &editor{
		file: t.File, src: t.File.Text, syntax: t.syntax, docs: t.Docs, number: doc,
		anchors: anchors{drafts: map[*yaml.Node]*draft{}, lost: map[*yaml.Node]bool{}, replaced: map[*yaml.Node]bool{}},
	}
	if root := t.Docs[doc].Root; root != nil {
		e.root = &draft{node: root}
		e.anchors.came(e.root)
	} else {
		e.root = newDraft(value.Null)
	}
	for _, edit := range edits {
		if err := e.edit(edit); err != nil {
			return Result{}, err
		}
	}
	return e.finish()
}

// A Syntax is a notation, with the switches of its parser. The zero Syntax is YAML.
type Syntax struct {
	JSON    bool
	Options yaml.ParseOptions
}

// A Text is a text with the documents that it holds.
type Text struct {
	File *source.File
	Docs []*yaml.Document

	syntax Syntax
}

// Parse reads a text to be edited. Anything that is wrong in it is an error.
func Parse(f *source.File, s Syntax) (*Text, error) {
	docs, err := s.parse(f)
	if err != nil {
		return nil, err
	}
	return &Text{File: f, Docs: docs, syntax: s}, nil
}

// parse reads all documents of a text.
func (s Syntax) parse(f *source.File) ([]*yaml.Document, error) {
	parse := yaml.Parse
	if s.JSON {
		parse = yaml.ParseJSON
	}
	docs, diags := parse(f, s.Options)
	for _, d := range diags {
		if d.Severity == source.Error {
			return nil, d
		}
	}
	return docs, nil
}

// fragment reads some whole lines as if they stood in a document. Their first line
// gives the indentation.
func (s Syntax) fragment(doc *yaml.Document, text string) (*yaml.Node, error) {
	if on, set := doc.Options["templates"]; set && !on {
		s.Options.NoTemplates = true
	}
	docs, err := s.parse(source.NewFile("", text))
	if err != nil {
		return nil, err
	}
	if len(docs) != 1 {
		return nil, source.Errorf(doc.At, source.Syntax, "the lines are no part of one document")
	}
	return docs[0].Root, nil
}

// blocks reports whether there is block style, with indentation, comments and keys of
// any kind.
func (s Syntax) blocks() bool { return !s.JSON }

// scalarText writes a scalar on one line, without its tag, and returns false if the
// style cannot hold it. yaml.DoubleQuoted holds every text. JSON has one form for each
// value.
func (s Syntax) scalarText(v value.Value, style yaml.Style, flow bool) (string, bool) {
	if !s.JSON {
		return yaml.ScalarText(v, style, flow)
	}
	if !v.IsScalar() {
		return "", false
	}
	var b strings.Builder
	err := yaml.EncodeJSON(&b, v, yaml.EncodeOptions{Reveal: true, Compact: true})
	return strings.TrimSuffix(b.String(), "\n"), err == nil
}

// An editor makes edits in one document: first in a draft of its tree, then all of
// them at once in the text.
type editor struct {
	file   *source.File
	src    string
	syntax Syntax
	docs   []*yaml.Document
	number int // of the document

	root     *draft
	anchors  anchors
	same     sameness
	holders  map[*yaml.Node]origin // where the maps and lists of the text stand; see holder
	moves    bool                  // something was moved, so that anchors may stand behind their aliases
	afresh   bool                  // what was moved is written anew as well
	warnings []*source.Diagnostic
	anew     []*source.Diagnostic // about what the last attempt wrote anew
}

func (e *editor) edit(edit Edit) error {
	e.same = sameness{anchors: &e.anchors}
	switch edit.Op {
	case Set:
		return e.set(edit)
	case Insert:
		return e.insert(edit)
	case Append:
		return e.append(edit)
	case Delete:
		return e.remove(edit)
	case Rename:
		return e.rename(edit)
	case Move:
		return e.move(edit)
	}
	return source.Errorf(source.Span{}, source.Internal, "there is no operation %d", edit.Op)
}

// span returns a place for messages about a draft.
func (e *editor) span(d *draft) source.Span {
	if d == nil || d.node == nil {
		return e.docs[e.number].At
	}
	return e.shown(d.node.At)
}

// shown returns the first line of a span: messages need no more.
func (e *editor) shown(at source.Span) source.Span {
	return e.file.Span(int(at.Start), min(int(at.End), lineEnd(e.src, int(at.Start))))
}

// descend returns the draft at a path, making what is missing if create is set.
func (e *editor) descend(path value.Path, create bool) (*draft, error) {
	d := e.root
	for i, key := range path {
		kids, err := e.enter(d, path[:i], create)
		if err != nil {
			return nil, err
		}
		at := find(d.kind(), kids, key)
		switch {
		case at >= 0 && kids[at].merge:
			return nil, e.throughMerge(d, path[:i+1])
		case at >= 0:
			d = e.draftOf(kids[at])
		case create && d.kind() == yaml.MapNode:
			k := newKid(e.textKey(key), value.FromMap(value.NewMap(0)))
			d.kids = append(d.kids, k)
			d = k.d
		default:
			return nil, e.notFound(d, path[:i+1])
		}
	}
	return d, nil
}

// enter opens the map or list at a path.
func (e *editor) enter(d *draft, path value.Path, create bool) ([]*kid, error) {
	switch kind := d.kind(); {
	case kind == yaml.MapNode || kind == yaml.SeqNode:
		kids, err := d.children()
		return kids, e.failed(d, err)
	case kind == yaml.AliasNode:
		out := source.Refuse(e.span(d), source.ThroughAlias, "%s is the alias *%s: an edit below it would change every place that uses the anchor", path, d.node.Anchor).
			WithHint("edit the value at the anchor, or replace the alias")
		if target := d.node.Target; target != nil {
			out.Note(e.shown(target.At), "the anchor")
		}
		return nil, out
	case create && d.scalar().IsNull():
		d.replace(value.FromMap(value.NewMap(0)))
		return d.children()
	}
	what := value.Article(d.scalar().Kind())
	return nil, source.Errorf(e.span(d), source.BadType, "%s is %s, which has nothing inside", path, what)
}

// failed gives an error of a computed value a place.
func (e *editor) failed(d *draft, err error) error {
	if err == nil {
		return nil
	}
	return source.AsDiagnostic(err, e.span(d), source.BadValue)
}

func (e *editor) notFound(d *draft, path value.Path) error {
	return source.Errorf(e.span(d), source.NotFound, "there is no %s", path)
}

func (e *editor) throughMerge(d *draft, path value.Path) error {
	return source.Refuse(e.span(d), source.ThroughMerge, `%s is a "<<": what it brings is not changed there`, path).
		WithHint("set a key beside it, or edit the map that it names")
}

// parent returns the map or list that the last key of a path is in, and makes those on
// the way if create is set.
func (e *editor) parent(path value.Path, create bool) (d *draft, kids []*kid, key value.Key, err error) {
	n := len(path) - 1
	if n < 0 {
		at := e.span(e.root)
		return nil, nil, key, source.Errorf(at, source.BadType, "the root of the document has no place in a map or list")
	}
	d, err = e.descend(path[:n], create)
	if err != nil {
		return nil, nil, key, err
	}
	kids, err = e.enter(d, path[:n], create)
	return d, kids, path[n], err
}

// textKey returns the key that the notation reads for a key: JSON has only text.
func (e *editor) textKey(key value.Key) value.Key {
	if e.syntax.blocks() {
		return key
	}
	return value.K(key.Text)
}

// finish writes the new text and checks it.
func (e *editor) finish() (Result, error) {
	if err := e.checkAnchors(); err != nil {
		return Result{}, err
	}
	patches, err := e.write()
	if err != nil {
		return Result{}, err
	}
	if !e.verify(patches) {
		mended, ok := e.mendEnding(patches)
		switch {
		case ok && e.verifyWhole(mended):
			patches = mended
		default:
			if patches, err = e.rewrite(); err != nil {
				return Result{}, err
			}
		}
	}
	result := Result{Text: applied(e.src, patches), Warnings: append(e.warnings, e.anew...)}
	for _, p := range patches {
		result.Patches = append(result.Patches, source.Edit{At: e.file.Span(p.start, p.end), NewText: p.text})
	}
	return result, nil
}

// write returns the patches that make the draft of the text.
func (e *editor) write() ([]patch, error) {
	staysEmpty := e.root.node == nil && !e.root.open && e.root.kind() == yaml.ScalarNode && e.root.value.IsNull()
	if !e.root.isChanged() || staysEmpty {
		return nil, nil
	}
	e.anew = nil
	layout := layoutOf(e.src, e.docs[e.number].Root, e.syntax.blocks())
	w := &writer{editor: e, layout: layout, slots: map[*yaml.Node][]slot{}}
	r, err := w.document()
	var d *source.Diagnostic
	if errors.As(err, &d) && d.At.IsZero() {
		d.At = e.span(e.root.firstChange())
	}
	if err != nil {
		return nil, err
	}
	return r.patches(e.src), nil
}

// rewrite writes the smallest maps and lists that hold the edits anew, because the
// text that patches made was not what was meant.
func (e *editor) rewrite() ([]patch, error) {
	e.root.markRewrite()
	e.afresh = true
	patches, err := e.write()
	if err != nil {
		return nil, err
	}
	if !e.verifyWhole(patches) {
		return nil, source.Refuse(e.span(e.root.firstChange()), source.NotVerified, "the text with the edit would not read as what was meant, so nothing is changed").
			WithHint("edit this place by hand")
	}
	return patches, nil
}

// firstChange returns the innermost draft with a node around the first change.
func (d *draft) firstChange() *draft {
	if d.fresh || !d.open {
		return d
	}
	for _, k := range d.kids {
		if k.d.isChanged() && k.d.node != nil {
			return k.d.firstChange()
		}
	}
	return d
}

// markRewrite marks the innermost maps and lists that are changed.
func (d *draft) markRewrite() {
	if d.fresh || !d.open {
		return
	}
	if d.isReshaped() {
		d.rewrite = true
		return
	}
	for _, k := range d.kids {
		if k.renamed || k.d != nil && k.d.fresh {
			d.rewrite = true
			return
		}
	}
	for _, k := range d.kids {
		if k.d.isChanged() {
			k.d.markRewrite()
		}
	}
}
