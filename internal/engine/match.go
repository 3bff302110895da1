package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// # Layers that choose their documents
//
// The documents of a stream are compared with the maps of +match of each layer. So that thousands of documents
// and as many maps are not millions of comparisons, each map is looked up by one of its parts: by that
// which the fewest of them have. For example
//
//	1  +match: {kind: Deployment, metadata: {name: web}}
//	2  +match: {kind: Deployment, metadata: {name: api}}
//	3  +match: {kind: Service, metadata: {name: web}}
//	4  +match: {}
//
// are found so:
//
//	metadata.name  web: 1; api: 2
//	kind           Service: 3
//	always         4
//
// A Deployment with the name web is compared with 1, whose map has another part as well, and with 4.

// Prices of choosing documents, in steps.
const (
	stepsOfKey   = 4   // of a path that is looked up in a document
	stepsOfLayer = 100 // of a document
)

// pairMatching adds the layers to documents where some have +match.
func (p *Project) pairMatching(docs []*Document, layers []Layer) error {
	m := matcher{project: p.silent(), streams: streams{left: p.opts.Limits.WithDefaults().Steps}}
	for j, l := range layers {
		over, err := m.compare(docs, l.Docs)
		if err != nil {
			return err
		}
		var plain []int // the documents without +match
		for k, doc := range l.Docs {
			if doc.Match == nil {
				plain = append(plain, k)
			}
		}
		for i, d := range docs {
			if own := position(len(plain), i); own >= 0 {
				over[i] = append(over[i], plain[own])
			}
			slices.Sort(over[i])
			for _, k := range over[i] {
				d.add(l.Docs[k], l, j == p.main)
				d.from = append(d.from, j)
			}
			d.stream = layers
		}
	}
	if len(m.errs) > 0 {
		return source.OneOrMany(m.errs)
	}
	return nil
}

// silent returns the project without warnings, to expand documents whose finished form reports the same.
func (p *Project) silent() *Project {
	quiet := *p
	quiet.opts.Warn = func(*source.Diagnostic) {}
	return &quiet
}

// A matcher compares documents with the maps of +match.
type matcher struct {
	project *Project
	streams
	errs []*source.Diagnostic // of maps that no document contains
}

// A candidate is a document with +match, which is a layer of the older documents that contain its map.
type candidate struct {
	doc   *graph.Doc
	at    int // in its file
	found bool
}

// compare returns for each document the documents of a layer, by their position in it, whose map it contains
// with the layers that it has so far.
func (m *matcher) compare(docs []*Document, layer []*graph.Doc) ([][]int, error) {
	over := make([][]int, len(docs))
	var candidates []*candidate
	for k, doc := range layer {
		if doc.Match != nil {
			candidates = append(candidates, &candidate{doc: doc, at: k})
		}
	}
	if len(candidates) == 0 {
		return over, nil
	}
	charge := m.charge(m.project.ctx)
	find, err := newFinder(candidates, charge)
	if err != nil {
		return nil, err
	}
	for i, d := range docs {
		if len(d.layers) == 0 {
			continue
		}
		v, err := m.project.Document(d.index, slices.Clone(d.layers)...).Expanded()
		if err != nil {
			return nil, err
		}
		err = find.over(v, charge, func(w *candidate) error {
			w.found = true
			over[i] = append(over[i], w.at)
			return charge(stepsOfLayer)
		})
		if err != nil {
			return nil, err
		}
	}
	return over, m.noMatch(docs, slices.DeleteFunc(candidates, func(w *candidate) bool { return w.found || w.doc.Match.Optional }))
}

// A finder finds the candidates whose map a document may contain.
type finder struct {
	always []*candidate // of empty maps
	paths  []*findPath
}

// A findPath has the candidates that are found by their parts at one path.
type findPath struct {
	path   value.Path
	byHash map[uint64][]*candidate // of values
	maps   []*candidate            // of empty maps
	lists  bool                    // some values are lists
}

// A partKey identifies equal parts.
type partKey struct {
	path  string
	isMap bool
	hash  uint64
}

// newFinder returns the finder of candidates.
func newFinder(candidates []*candidate, charge func(int) error) (*finder, error) {
	keys := make([][]partKey, len(candidates))
	having := map[partKey]int{} // how many candidates have a part
	for i, w := range candidates {
		for _, part := range w.doc.Match.Parts {
			key := partKey{path: idOf(part.Path), isMap: part.Want.Is(value.MapKind)}
			if !key.isMap {
				var err error
				if key.hash, err = value.Hash(part.Want, charge); err != nil {
					return nil, located(err, w)
				}
			}
			keys[i] = append(keys[i], key)
			having[key]++
		}
	}
	f := &finder{}
	paths := map[string]*findPath{}
	for i, w := range candidates {
		if len(keys[i]) == 0 {
			f.always = append(f.always, w)
			continue
		}
		key := slices.MinFunc(keys[i], func(a, b partKey) int { return cmp.Compare(having[a], having[b]) })
		part := w.doc.Match.Parts[slices.Index(keys[i], key)]
		to := paths[key.path]
		if to == nil {
			to = &findPath{path: part.Path, byHash: map[uint64][]*candidate{}}
			paths[key.path] = to
			f.paths = append(f.paths, to)
		}
		if key.isMap {
			to.maps = append(to.maps, w)
		} else {
			to.byHash[key.hash] = append(to.byHash[key.hash], w)
			to.lists = to.lists || part.Want.Is(value.ListKind)
		}
	}
	return f, nil
}

// idOf returns a text for a path that differs for the keys 1 and "1".
func idOf(path value.Path) string {
	var b strings.Builder
	for _, k := range path {
		fmt.Fprintf(&b, "%d%q", k.Kind, k.Text)
	}
	return b.String()
}

// located returns the error of comparing with a map at its place.
func located(err error, w *candidate) error {
	return source.AsDiagnostic(err, w.doc.Match.At, source.BadValue).Located(w.doc.Match.At)
}

// over calls add with each candidate whose map a document contains.
func (f *finder) over(doc value.Value, charge func(int) error, add func(*candidate) error) error {
	compare := func(candidates []*candidate) error {
		for _, w := range candidates {
			part, err := w.doc.Match.Missing(doc, charge)
			if err == nil && part == nil {
				err = add(w)
			}
			if err != nil {
				return located(err, w)
			}
		}
		return nil
	}
	if err := compare(f.always); err != nil {
		return err
	}
	for _, p := range f.paths {
		candidates, err := p.candidates(doc, charge)
		if err != nil {
			return err
		}
		if err := compare(candidates); err != nil {
			return err
		}
	}
	return nil
}

// candidates returns the candidates that have the value at the path of a document, or another one with
// the same hash.
func (p *findPath) candidates(doc value.Value, charge func(int) error) ([]*candidate, error) {
	if err := charge(stepsOfKey * len(p.path)); err != nil {
		return nil, err
	}
	v, ok, err := graph.ValueIn(doc, p.path)
	switch {
	case !ok || err != nil:
		return nil, err
	case v.Is(value.MapKind):
		return p.maps, nil
	case v.Is(value.ListKind) && !p.lists:
		return nil, nil
	}
	hash, err := value.Hash(v, charge)
	return p.byHash[hash], err
}

// noMatch adds the errors for maps that no document contains, as far as there is room for them. Each names
// the document that has most of its parts.
func (m *matcher) noMatch(docs []*Document, candidates []*candidate) error {
	candidates = candidates[:min(len(candidates), source.MaxErrors-len(m.errs))]
	near := make([]nearest, len(candidates))
	for _, d := range docs {
		if len(d.layers) == 0 || len(candidates) == 0 {
			continue
		}
		v, err := m.project.Document(d.index, slices.Clone(d.layers)...).Expanded()
		if err != nil {
			return err
		}
		for i, w := range candidates {
			part, err := w.doc.Match.Missing(v, m.charge(m.project.ctx))
			if err != nil {
				return located(err, w)
			}
			near[i].take(w.doc.Match, d.index, part)
		}
	}
	for i, w := range candidates {
		m.errs = append(m.errs, near[i].report(w.doc.Match, len(docs)))
	}
	return nil
}

// A nearest is the document that has most parts of a map before the first that it does not have.
type nearest struct {
	doc, has int
	part     *graph.MatchPart // nil for no document
}

// take takes a document that lacks a part into account.
func (n *nearest) take(match *graph.Match, doc int, part *graph.MatchPart) {
	for has := range match.Parts {
		if part == &match.Parts[has] && (n.part == nil || has > n.has) {
			*n = nearest{doc, has, part}
		}
	}
}

// report returns the error for a map that none of so many documents contains.
func (n *nearest) report(match *graph.Match, docs int) *source.Diagnostic {
	d := source.Errorf(match.At, source.NoMatch, "no older document contains this map")
	switch {
	case n.part == nil:
		return d.WithHint("+match is for a layer: the documents that it is put over are in the files before it; +?match allows none")
	case docs > 1 && n.has > 0:
		d.Note(n.part.At, "document %d has all before %s", n.doc, n.part.Path)
	case docs > 1:
		d.Note(n.part.At, "no document has this %s", n.part.Path)
	default:
		d.Note(n.part.At, "the document does not have this %s", n.part.Path)
	}
	return d.WithHint("+?match allows that")
}

// Unmatched returns the values that layers over other documents than this one have at a place: for
// each of those that have it a fact that it does not apply.
func (d *Document) Unmatched(path value.Path) []graph.Fact {
	var facts []graph.Fact
	over := map[*graph.Doc]bool{}
	for _, l := range d.layers {
		over[l.Doc] = true
	}
	for j, l := range slices.Backward(d.stream) {
		for _, doc := range slices.Backward(l.Docs) {
			if doc.Match == nil || over[doc] {
				continue
			}
			e, err := d.project.Document(d.index, RootLayer(doc, l.Name)).Eval()
			if err != nil {
				continue
			}
			of, err := e.Root().Shown(path).Explain()
			if err != nil || len(of) == 0 || of[0].Role != graph.Sets {
				continue
			}
			reason := "is for other documents"
			if part := d.lacks(doc.Match, j); part != nil && len(part.Path) > 0 {
				reason += ", by " + part.Path.String()
			}
			facts = append(facts, graph.Fact{Role: graph.Refused, At: of[0].At, Layer: l.Name, Through: of[0].Through, Reason: reason})
		}
	}
	return facts
}

// lacks returns the part of a map that the document does not have, with the layers below the j-th file.
func (d *Document) lacks(match *graph.Match, j int) *graph.MatchPart {
	below, _ := slices.BinarySearch(d.from, j)
	if below == 0 {
		return nil
	}
	p := d.project.silent()
	v, err := p.Document(d.index, slices.Clone(d.layers[:below])...).Expanded()
	if err != nil {
		return nil
	}
	part, err := match.Missing(v, func(int) error { return p.ctx.Err() })
	if err != nil {
		return nil
	}
	return part
}
