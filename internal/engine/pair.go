package engine

import (
	"context"
	"slices"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// # Streams
//
// The documents of several files pair by position: the second document of each file is a layer of the
// second finished document. A file of one document is a layer of all of them. A document with +match
// (spec: everyday, B5) has no position. It is a layer of each finished document whose older layers, those
// of older files, contain its map. For example, with one letter for a document and m, n for such ones:
//
//	base.yaml   a b c
//	over.yaml   m d       m matches b and c
//	last.yaml   n         n matches a with d
//
//	documents   a d n, b m, c m
//
// A match looks at older files only, so a file that is edited by itself has the same documents as its text.

// Pair makes one document for each position. Without positions there is one document, which is empty.
//
// Codes: no-match for a +match that no document contains; the codes of expanding documents that are compared;
// limit.
func (p *Project) Pair(layers []Layer) ([]*Document, error) {
	n, matching := 1, false
	for _, l := range layers {
		plain := p.plain(l.Docs)
		n = max(n, len(plain))
		matching = matching || len(plain) < len(l.Docs)
	}
	docs := make([]*Document, n)
	for i := range docs {
		docs[i] = &Document{project: p, index: i, edited: edited{main: -1}}
	}
	if matching {
		return docs, p.pairMatching(docs, layers)
	}
	for j, l := range layers {
		for i, d := range docs {
			if k := position(len(l.Docs), i); k >= 0 {
				d.add(l.Docs[k], l, j == p.main)
			}
		}
	}
	return docs, nil
}

// add adds a document of a layer, which may be the one that is edited.
func (d *Document) add(doc *graph.Doc, l Layer, isEdited bool) {
	if isEdited {
		if d.main >= 0 {
			d.others = slices.Insert(d.others, 0, d.edited)
		}
		d.edited = edited{len(d.layers), slices.Index(l.Docs, doc)}
	}
	d.layers = append(d.layers, RootLayer(doc, l.Name))
}

// plain returns the documents without +match, docs itself if there are no others.
func (p *Project) plain(docs []*graph.Doc) []*graph.Doc {
	if p.opts.Alone || !slices.ContainsFunc(docs, func(d *graph.Doc) bool { return d.Match != nil }) {
		return docs
	}
	return slices.DeleteFunc(slices.Clone(docs), func(d *graph.Doc) bool { return d.Match != nil })
}

// position returns which of n documents of a layer is at a position, -1 for none.
func position(n, i int) int {
	switch {
	case n == 1:
		return 0
	case i < n:
		return i
	}
	return -1
}

// A streams is what choosing documents by their content knows and costs.
type streams struct {
	left   int                          // steps
	values map[*graph.Doc][]value.Value // documents of files of which an include chooses one, by the first; nil while they are expanded
}

// charge returns a function that counts steps.
func (s *streams) charge(ctx context.Context) func(steps int) error {
	return func(steps int) error {
		if s.left -= steps; s.left < 0 {
			return source.Errorf(source.Span{}, source.Limit, "comparing documents takes too many steps (--max-steps)")
		}
		return ctx.Err()
	}
}
