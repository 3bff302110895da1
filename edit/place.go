package edit

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/docpath"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/frontend"
	"github.com/yaytpl/yaytpl/internal/overlay"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/lang/yay"
	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// An place is where an edit takes place.
type place struct {
	index int              // of the document
	doc   *engine.Document // nil if it is plain
	path  value.Path
	gone  error // why nothing is there yet, nil if something is
}

// locate finds the document and the path of an edit in the drafts. What may be new need
// not be there.
func (b *batch) locate(path string, mayBeNew bool) (place, error) {
	steps, err := docpath.Parse(path)
	if err != nil {
		return place{}, err
	}
	docs, err := b.documents()
	if err != nil {
		return place{}, err
	}
	var places []place
	var missing error
	for _, i := range docs {
		at := place{index: i}
		if b.project != nil {
			at.doc = b.project.Documents()[i]
		}
		err := at.find(b.drafts[i].Root, steps)
		var diag *source.Diagnostic
		switch {
		case err != nil || at.gone == nil:
		case !mayBeNew:
			err = at.gone
		case len(docs) > 1:
			err = undecided(at.gone, len(docs))
		}
		switch {
		case err == nil:
			places = append(places, at)
		case !errors.As(err, &diag) || diag.Code != source.NotFound:
			return place{}, err
		case missing == nil:
			missing = err
		}
	}
	switch len(places) {
	case 0:
		return place{}, missing
	case 1:
		return places[0], nil
	}
	return place{}, source.Errorf(source.Span{}, source.NotFound, "documents %d and %d both have %s", places[0].index, places[1].index, path).
		WithHint("--doc picks one")
}

// undecided says of what is not there yet that it might be added to several documents.
func undecided(gone error, documents int) error {
	var d *source.Diagnostic
	if !errors.As(gone, &d) || d.Code != source.NotFound {
		return gone
	}
	hint := fmt.Sprintf("--doc says which of the %d documents it is for", documents)
	if d.Hint != "" {
		hint = d.Hint + " " + hint
	}
	return d.WithHint("%s", hint)
}

// documents returns the numbers of those that may be meant.
func (b *batch) documents() ([]int, error) {
	n := len(b.drafts)
	if doc := b.eo.Doc; doc != nil && (*doc < 0 || *doc >= n) {
		return nil, source.Errorf(source.Span{}, source.NotFound, "there is no document %d: the files have %d, counted from 0", *doc, n)
	} else if doc != nil {
		return []int{*doc}, nil
	}
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all, nil
}

// find follows steps in the expanded document. Keys that are not there are those of
// maps to be made; an index must be one of the list, or that behind its last item, as
// "-" is.
func (at *place) find(v value.Value, steps []docpath.Step) error {
	for len(steps) > 0 {
		s := steps[0]
		switch {
		case s.Match != "":
		case v.IsNull():
			at.behind(docpath.NotFound(at.path, s.Key), docpath.Literal(steps))
			return nil
		case v.Is(value.ListKind) && (s.Index && s.Number == v.List().Len() || s.Exact && s.Key == "-"):
			last := value.Index(v.List().Len())
			at.behind(docpath.NotFound(at.path, s.Key), append(value.Path{last}, docpath.Literal(steps[1:])...))
			return nil
		}
		next, key, taken, err := docpath.Next(v, steps, at.path)
		switch {
		case err != nil && s.Match == "" && v.Is(value.MapKind):
			at.behind(err, docpath.Literal(steps))
			return nil
		case err != nil:
			return err
		}
		at.path = append(at.path, key)
		v, steps = next, steps[taken:]
	}
	return nil
}

// behind adds the keys that lead to what is not there yet.
func (at *place) behind(gone error, keys value.Path) {
	at.gone = gone
	at.path = append(at.path, keys...)
}

// A definition is where a value is written.
type definition struct {
	fact graph.Fact
	path string // of the file
	lang string
	doc  int
	at   value.Path // in the tree of the file; not in Yay
	node *yaml.Node // not in Yay
}

// edit returns an edit of the place.
func (d definition) edit(e roundtrip.Edit) overlay.Edit {
	e.Path = d.at
	return overlay.Edit{Path: d.path, Lang: d.lang, Doc: d.doc, Edit: e, At: d.fact.At}
}

// explained returns what has a say in the place at a path, whether or not it is there.
func explained(d *engine.Document, path value.Path) ([]graph.Fact, error) {
	e, err := d.Eval()
	if err != nil {
		return nil, err
	}
	return e.Root().At(path).Explain()
}

// explain is explained for the document of a plan, before the edits.
func (b *batch) explain(p *plan, path value.Path) ([]graph.Fact, error) {
	key := strconv.Itoa(p.place.index) + path.Pointer()
	facts, known := b.facts[key]
	if known {
		return facts, nil
	}
	facts, err := explained(p.place.doc, path)
	if err == nil {
		b.facts[key] = facts
	}
	return facts, err
}

// exists reports whether something stands at a path, before the edits.
func (b *batch) exists(p *plan, path value.Path) bool {
	e, err := p.place.doc.Eval()
	if err != nil {
		return false
	}
	_, ok, err := e.Root().At(path).Raw()
	return ok && err == nil
}

// isList reports whether a list stands at a path, before the edits.
func (b *batch) isList(p *plan, path value.Path) bool {
	e, err := p.place.doc.Eval()
	if err != nil {
		return false
	}
	v, _, err := e.Root().At(path).Raw()
	return err == nil && v.Is(value.ListKind)
}

// isMain reports whether a file is the one that the user named.
func (b *batch) isMain(f *source.File) bool {
	return f != nil && (f.Path == b.Path || b.Name == "-" && f.Name == "-")
}

// languageOf returns the language that a file was read in.
func (b *batch) languageOf(f *source.File) string {
	if f == nil {
		return ""
	}
	if b.isMain(f) {
		return b.Lang
	}
	if l, ok := frontend.ByEnding(f.Name); ok {
		return l.Name
	}
	for _, l := range b.project.Includes() {
		if l.Doc != nil && l.Doc.File == f {
			return l.Doc.Lang
		}
	}
	return ""
}

// definition returns where what a fact is about is written; path is that of the value.
func (b *batch) definition(f graph.Fact, path value.Path) (definition, error) {
	d := definition{fact: f, lang: b.languageOf(f.At.File)}
	var err error
	if d.path, err = b.editable(f.At, path); err != nil {
		return d, err
	}
	if d.lang == yay.Language {
		return d, nil
	}
	docs, err := b.Parse(d.path, d.lang)
	if err != nil {
		return d, err
	}
	var found []definition
	for i, doc := range docs {
		d.doc = i
		if doc.Root == nil && len(docs) == 1 { // empty
			return d, nil
		}
		nodesAt(doc.Root, f.At, nil, func(at value.Path, n *yaml.Node) {
			d.at, d.node = slices.Clone(at), n
			found = append(found, d)
		})
	}
	if len(found) > 1 && len(path) > 0 { // values that are not written share a place
		found = slices.DeleteFunc(found, func(d definition) bool {
			return len(d.at) == 0 || d.at[len(d.at)-1] != path[len(path)-1]
		})
	}
	if len(found) != 1 {
		return d, source.Errorf(f.At, source.Output, "%s is defined here, which cannot be edited", path)
	}
	return found[0], nil
}

// editable returns the path of the file that a place is in, if it can be written.
func (b *batch) editable(at source.Span, path value.Path) (string, error) {
	f := at.File
	switch {
	case b.isMain(f):
		return b.Path, nil
	case f == nil || f.Path == "":
		return "", b.readonly(at, path)
	}
	key := b.Known(f.Path)
	e, err := b.File(key, f.Name)
	if err != nil {
		return "", err
	}
	if b.Source(key).Text != f.Text {
		return "", source.Errorf(source.Span{}, source.Access, "%s changed while it was edited", e.Name)
	}
	return key, nil
}

func (b *batch) readonly(at source.Span, path value.Path) error {
	where := "by the program"
	if at.File != nil {
		where = "in " + at.File.Name
	}
	d := source.Errorf(at, source.Output, "%s is defined %s, which cannot be written", path, where)
	d.Cause = &source.Refusal{Reason: source.SourceReadonly}
	return d.WithHint("--to=override writes it into %s", b.Name)
}

// nodesAt visits the nodes that stand at a place, with their paths.
func nodesAt(n *yaml.Node, at source.Span, path value.Path, visit func(value.Path, *yaml.Node)) {
	if n == nil || n.At.Start > at.Start || n.At.End < at.End {
		return
	}
	if n.Kind != yaml.AliasNode && n.At.Start == at.Start && n.At.End == at.End {
		visit(path, n)
	}
	for i := range n.Entries {
		e := &n.Entries[i]
		nodesAt(e.Value, at, append(path, e.Key), visit)
	}
	for i, item := range n.Items {
		nodesAt(item, at, append(path, value.Index(i)), visit)
	}
}

// A naturalPlace is one of a document where a definition that is edited stands by
// itself, not brought by anything. That it changes is what was asked for.
type naturalPlace struct {
	doc  int
	path value.Path
}

type naturalPlaces []naturalPlace

// allow adds the natural place of a definition: in the named file that is its path, in
// an included one its path below the place of the include.
func (b *batch) allow(p *plan, path value.Path, d definition, below value.Path) {
	doc := p.place.index
	add := func(at value.Path) {
		p.natural = append(p.natural, naturalPlace{doc, slices.Concat(at, below)})
	}
	if len(d.fact.Includes) == 0 {
		if b.isMain(d.fact.At.File) {
			add(d.at)
		}
		return
	}
	for n := len(path); n >= 0; n-- {
		at := slices.Concat(path[:n], d.at)
		facts, err := b.explain(p, at)
		if err != nil {
			return
		}
		for _, f := range facts {
			if f.At == d.fact.At && len(f.Through) == 0 && slices.Equal(f.Includes, d.fact.Includes) {
				add(at)
				return
			}
		}
	}
}

// has reports whether a change is one at a natural place.
func (n naturalPlaces) has(doc int, path value.Path) bool {
	return slices.ContainsFunc(n, func(at naturalPlace) bool { return at.doc == doc && path.HasPrefix(at.path) })
}
