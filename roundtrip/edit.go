package roundtrip

import (
	"errors"
	"strings"

	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
	"github.com/yaytpl/yaytpl/value/align"
)

// An Op is the operation of an [Edit].
type Op uint8

// The operations.
const (
	// Set makes Value the value at Path. If the last key is missing from its map, it
	// becomes the last entry; in a list the index after the last item appends. In a
	// map or list only the differences are written.
	Set Op = iota

	// Insert adds an entry or item. The last key of Path is its key, and Place its
	// position in the map; in a list the last key is the index of the new item.
	Insert

	// Append adds an item to the list at Path.
	Append

	// Delete removes the entry or item at Path, with the comment above it.
	Delete

	// Rename changes the key of the entry at Path to Key.
	Rename

	// Move moves the entry or item at Path with its comments: within its map or list to
	// Place, or to the path To in the document without the entry. The last key of To is
	// the new key of the entry, and Place its position in the map; in a list the last
	// key is the new index. With items [a, b, c], a moved to index 2 is the last item.
	Move
)

// An Edit is one change of a document.
type Edit struct {
	Op    Op
	Path  value.Path  // keys as written, directives too; list indexes as integers
	Value value.Value // Set, Insert, Append
	Key   value.Key   // Rename: the new key
	Place Position    // Insert into a map, Move
	To    value.Path  // Move: the new path; nil for the same map or list

	// Note has the comments of a new entry or item of Set, Insert and Append, the
	// spelling of its key, and whether it is in flow style. Annotations of Value itself
	// ([value.Annotated]) are used in the same way. A note does not change existing text,
	// with two exceptions: a map or list that replaces a scalar or an empty collection
	// gets flow style, and a map or list with a tag replaces all of the old value.
	// Comments are dropped in flow style and in JSON.
	Note *value.Annotation

	// Create adds maps for the parents of Path that are missing or null. For Append it
	// adds the list, and for Move the parents of To.
	Create bool
}

// A Position is a position in a map or list.
type Position struct {
	Where Where
	Key   value.Key // for Before and After: the other entry, or the index of the other item
}

// Where selects a position: last, first, or next to the key of a [Position].
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

	// Patches turn the old text into the new one. They are in order and do not touch.
	Patches []source.Edit

	// Warnings are side effects of the edits, for example on aliases.
	Warnings []*source.Diagnostic

	// Entries are the entries around the patches, if the text is so large that only these were parsed
	// again.
	Entries []Entry
}

// An Entry is the old and the new text of entries that edits changed: whole lines of YAML, a value of JSON.
type Entry struct{ Old, New string }

// Apply makes edits in document number doc of a text, counted from 0. Each edit applies to
// the result of the edits before it: after the deletion of item 0, item 0 is the old item 1.
// Either all edits are made or Apply returns an error.
//
// Errors are a *source.Diagnostic. Its codes are the codes of the parser for a text that does
// not parse; not-found (a path or document that does not exist), bad-type (a path that
// leads through a scalar, a move of a value into itself), duplicate-key, bad-value (a
// computed value that fails), limit (a value that is too big or too deep); and output for
// an edit that is valid but cannot be written: its cause is a [*source.Refusal].
func Apply(f *source.File, syntax Syntax, doc int, edits []Edit) (Result, error) {
	t, err := Parse(f, syntax)
	if err != nil {
		return Result{}, err
	}
	return t.Apply(doc, edits)
}

// Apply is like the function [Apply] for a text that is parsed already. It does not change
// t.
func (t *Text) Apply(doc int, edits []Edit) (Result, error) {
	if doc < 0 || doc >= len(t.Docs) {
		return Result{}, source.Errorf(t.File.Span(0, 0), source.NotFound, "the text has no document %d: it has %d, counted from 0", doc, len(t.Docs))
	}
	e := newEditor(t, doc)
	for _, edit := range edits {
		if err := e.edit(edit); err != nil {
			return Result{}, err
		}
	}
	return e.finish()
}

// A Syntax is the notation of a text and the options of its parser. The zero Syntax is
// YAML.
type Syntax struct {
	JSON    bool
	Options yaml.ParseOptions
}

// A Text is a parsed text. It is immutable: one Text serves several calls of Apply.
type Text struct {
	File *source.File
	Docs []*yaml.Document

	syntax Syntax
}

// Parse parses a text for editing. Any error in the text is an error of Parse.
func Parse(f *source.File, s Syntax) (*Text, error) {
	docs, err := s.parse(f)
	if err != nil {
		return nil, err
	}
	return &Text{File: f, Docs: docs, syntax: s}, nil
}

// parse parses all documents of a text.
func (s Syntax) parse(f *source.File) ([]*yaml.Document, error) {
	parse := yaml.Parse
	if s.JSON {
		parse = yaml.ParseJSON
	}
	docs, diags := parse(f, s.Options)
	if d := source.FirstError(diags); d != nil {
		return nil, d
	}
	return docs, nil
}

// fragment parses some whole lines with the options of the document that they come from.
// The indentation of the first line is the indentation of all: "  b: 1\n  c: 2\n" is a map
// of two entries.
func (s Syntax) fragment(doc *yaml.Document, text string) (*yaml.Node, error) {
	if on, set := doc.Options["templates"]; set && !on {
		s.Options.NoTemplates = true
	}
	docs, err := s.parse(source.NewFile("", text))
	if err != nil {
		return nil, err
	}
	if len(docs) != 1 {
		return nil, source.Errorf(doc.At, source.Syntax, "the lines are not part of one document")
	}
	return docs[0].Root, nil
}

// blocks reports whether the notation has block style: indentation, comments and keys of
// any kind. Without it, it is JSON.
func (s Syntax) blocks() bool { return !s.JSON }

// scalarText returns a scalar on one line, without its tag, or false if the style cannot
// represent it. yaml.DoubleQuoted can represent every text. JSON has one form for each
// value and ignores the style.
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

// An editor makes edits in one document: first in a draft of its tree, then all of them at
// once in the text.
type editor struct {
	file   *source.File
	src    string
	syntax Syntax
	docs   []*yaml.Document
	number int // of the document in docs

	root     *draft
	anchors  anchors
	same     sameness
	budget   int                   // of comparing the items of lists: see [align.Rules]
	holders  map[*yaml.Node]origin // the positions of the maps and lists of the text; see holder
	moves    bool                  // something was moved, so an anchor may now follow its aliases
	afresh   bool                  // moved entries are written from scratch as well
	entries  []Entry               // that verifyParts parsed
	warnings []*source.Diagnostic
	anew     []*source.Diagnostic // warnings about parts that the last attempt wrote from scratch
}

// newEditor returns an editor of document number doc.
func newEditor(t *Text, doc int) *editor {
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
	return e
}

// edit makes one edit in the draft.
func (e *editor) edit(edit Edit) error {
	e.same, e.budget = sameness{anchors: &e.anchors}, align.MaxSteps
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
	return source.Errorf(source.Span{}, source.Internal, "unknown operation %d", edit.Op)
}

// span returns the position of a draft for messages.
func (e *editor) span(d *draft) source.Span {
	if d == nil || d.node == nil {
		return e.docs[e.number].At
	}
	return e.shown(d.node.At)
}

// shown returns the first line of a span, which is enough for messages.
func (e *editor) shown(at source.Span) source.Span {
	return e.file.Span(int(at.Start), min(int(at.End), lineEnd(e.src, int(at.Start))))
}

// descend returns the draft at a path. With create it adds missing maps.
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

// enter returns the kids of the map or list d, which is at path. With create, a null
// becomes a map.
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
	return nil, source.Errorf(e.span(d), source.BadType, "%s is %s, not a map or list", path, what)
}

// failed gives an error of a computed value a position.
func (e *editor) failed(d *draft, err error) error {
	if err == nil {
		return nil
	}
	return source.AsDiagnostic(err, e.span(d), source.BadValue)
}

func (e *editor) notFound(d *draft, path value.Path) error {
	return source.Errorf(e.span(d), source.NotFound, "%s does not exist", path)
}

func (e *editor) throughMerge(d *draft, path value.Path) error {
	return source.Refuse(e.span(d), source.ThroughMerge, `%s is a "<<": its entries cannot be edited there`, path).
		WithHint("set a key next to it, or edit the map that it refers to")
}

// parent returns the map or list that holds the last key of a path, its kids and that key.
// With create it adds the missing maps on the way.
func (e *editor) parent(path value.Path, create bool) (d *draft, kids []*kid, key value.Key, err error) {
	n := len(path) - 1
	if n < 0 {
		at := e.span(e.root)
		return nil, nil, key, source.Errorf(at, source.BadType, "the root of the document is not an entry or item")
	}
	d, err = e.descend(path[:n], create)
	if err != nil {
		return nil, nil, key, err
	}
	kids, err = e.enter(d, path[:n], create)
	return d, kids, path[n], err
}

// textKey returns the key as the notation reads it: all keys of JSON are text.
func (e *editor) textKey(key value.Key) value.Key {
	if e.syntax.blocks() {
		return key
	}
	return value.K(key.Text)
}

// finish writes the new text, and parses it to check that it is the draft.
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
	result := Result{Text: applied(e.src, patches), Warnings: append(e.warnings, e.anew...), Entries: e.entries}
	for _, p := range patches {
		result.Patches = append(result.Patches, source.Edit{At: e.file.Span(p.start, p.end), NewText: p.text})
	}
	return result, nil
}

// write returns the patches that turn the old text into the draft.
func (e *editor) write() ([]patch, error) {
	staysEmpty := e.root.node == nil && !e.root.open && e.root.kind() == yaml.ScalarNode && e.root.value.IsNull()
	if !e.root.isChanged() || staysEmpty {
		return nil, nil
	}
	e.anew = nil
	w := newWriter(e)
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

// rewrite returns patches that write the smallest changed maps and lists from scratch. It
// is the last resort if the text with the smaller patches does not read as the draft.
func (e *editor) rewrite() ([]patch, error) {
	e.root.markRewrite()
	e.afresh = true
	patches, err := e.write()
	if err != nil {
		return nil, err
	}
	if !e.verifyWhole(patches) {
		return nil, source.Refuse(e.span(e.root.firstChange()), source.NotVerified, "the edited text would not read as intended, so nothing is changed").
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

// markRewrite marks the innermost changed maps and lists for writing from scratch.
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
