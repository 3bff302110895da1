package roundtrip

import (
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
	e := newEditor(t, doc)
	for _, edit := range edits {
		if err := e.edit(edit); err != nil {
			return Result{}, err
		}
	}
	return e.finish()
}
