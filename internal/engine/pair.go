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
// A match looks at older files only, so a file that is edited alone has the same documents as its text.

// Pair makes one document for each position. Without positions there is one document, which is empty.
//
// Codes: no-match for a +match that no document contains; those of expanding documents that are compared;
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
			if doc := atPosition(l.Docs, i); doc != nil {
				d.add(doc, l, j == p.main)
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

// atPosition returns the document that a layer has at a position, or nil.
func atPosition(docs []*graph.Doc, i int) *graph.Doc {
	switch {
	case len(docs) == 1:
		return docs[0]
	case i < len(docs):
		return docs[i]
	}
	return nil
}

// pairMatching adds the layers to documents where some have +match.
func (p *Project) pairMatching(docs []*Document, layers []Layer) error {
	quiet := *p
	quiet.opts.Warn = func(*source.Diagnostic) {} // the finished documents report the same
	m := matcher{project: &quiet, streams: streams{left: p.opts.Limits.WithDefaults().Steps}}
	for j, l := range layers {
		plain := p.plain(l.Docs)
		if err := m.compare(docs, l.Docs); err != nil {
			return err
		}
		for i, d := range docs {
			own := atPosition(plain, i)
			for _, doc := range l.Docs {
				switch {
				case doc.Match == nil && doc == own:
					d.add(doc, l, j == p.main)
				case doc.Match != nil && m.over[matchAt{doc, i}]:
					d.add(doc, l, j == p.main)
				case doc.Match != nil:
					d.unmatched = append(d.unmatched, unmatched{RootLayer(doc, l.Name), m.missing[matchAt{doc, i}]})
				}
			}
		}
	}
	if len(m.errs) > 0 {
		return source.OneOrMany(m.errs)
	}
	return nil
}

// A matcher compares documents with the maps of +match.
type matcher struct {
	project *Project
	streams

	// Of the current layer: where its documents lie, and the parts that other documents do not have.
	over    map[matchAt]bool
	missing map[matchAt]*graph.MatchPart
	errs    []*source.Diagnostic
}

// A matchAt is a document with +match, and the position of a document that it is compared with.
type matchAt struct {
	doc *graph.Doc
	at  int
}

// compare compares the documents, with the layers that they have so far, with the maps of a layer.
func (m *matcher) compare(docs []*Document, layer []*graph.Doc) error {
	m.over, m.missing = map[matchAt]bool{}, map[matchAt]*graph.MatchPart{}
	var ways []*matchWay
	for _, doc := range layer {
		if doc.Match != nil {
			ways = append(ways, &matchWay{doc: doc, near: -1})
		}
	}
	for i := 0; i < len(docs) && len(ways) > 0; i++ {
		if err := m.compareOne(docs[i], ways); err != nil {
			return err
		}
	}
	for _, w := range ways {
		if !w.found && !w.doc.Match.Optional {
			m.errs = append(m.errs, w.noMatch(len(docs)))
		}
	}
	return nil
}

// A matchWay is a document with +match on its way over the older ones.
type matchWay struct {
	doc   *graph.Doc
	found bool
	near  int // the document that has most of the map, -1 for none
	has   int // the number of parts before the first that it does not have
	part  *graph.MatchPart
}

// compareOne compares one document.
func (m *matcher) compareOne(d *Document, ways []*matchWay) error {
	if len(d.layers) == 0 {
		return nil
	}
	v, err := m.project.Document(d.index, slices.Clone(d.layers)...).Expanded()
	if err != nil {
		return err
	}
	for _, w := range ways {
		part, err := w.doc.Match.Missing(v, m.charge(m.project.ctx))
		switch {
		case err != nil:
			return source.AsDiagnostic(err, w.doc.Match.At, source.BadValue).Located(w.doc.Match.At)
		case part == nil:
			w.found = true
			m.over[matchAt{w.doc, d.index}] = true
		default:
			m.missing[matchAt{w.doc, d.index}] = part
			w.miss(d.index, part)
		}
	}
	return nil
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

// miss notes how far a document has the map.
func (w *matchWay) miss(index int, part *graph.MatchPart) {
	has := 0
	for has < len(w.doc.Match.Parts) && &w.doc.Match.Parts[has] != part {
		has++
	}
	if len(w.doc.Match.Parts) > 0 && has < len(w.doc.Match.Parts) && (w.near < 0 || has > w.has) {
		w.near, w.has, w.part = index, has, part
	}
}

// noMatch returns the error for a map that no document contains.
func (w *matchWay) noMatch(docs int) *source.Diagnostic {
	d := source.Errorf(w.doc.Match.At, source.NoMatch, "no older document contains this map")
	switch {
	case w.part == nil:
		return d.WithHint("+match is for a layer: the documents that it lies over are in the files before it; +?match allows none")
	case docs > 1 && w.has > 0:
		d.Note(w.part.At, "document %d has all before %s", w.near, w.part.Path)
	case docs > 1:
		d.Note(w.part.At, "no document has this %s", w.part.Path)
	default:
		d.Note(w.part.At, "the document does not have this %s", w.part.Path)
	}
	return d.WithHint("+?match allows that")
}

// An unmatched is a layer with +match that lies over other documents. part is what this one does not have
// of the map, or nil.
type unmatched struct {
	graph.RootLayer
	part *graph.MatchPart
}

// Unmatched returns what the layers that lie over other documents than this one say about a value: for
// each of those that have it a fact that it does not apply.
func (d *Document) Unmatched(path value.Path) []graph.Fact {
	var facts []graph.Fact
	for _, l := range slices.Backward(d.unmatched) {
		q := d.project.Document(d.index, l.RootLayer)
		e, err := q.Eval()
		if err != nil {
			continue
		}
		of, err := e.Root().Shown(path).Explain()
		if err != nil || len(of) == 0 || of[0].Role != graph.Sets {
			continue
		}
		reason := "is for other documents"
		if l.part != nil && len(l.part.Path) > 0 {
			reason += ", by " + l.part.Path.String()
		}
		facts = append(facts, graph.Fact{Role: graph.Refused, At: of[0].At, Layer: l.Name, Through: of[0].Through, Reason: reason})
	}
	return facts
}
