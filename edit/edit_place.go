package edit

import (
	"errors"
	"fmt"

	"github.com/yaytpl/yaytpl/internal/docpath"
	"github.com/yaytpl/yaytpl/internal/engine"
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
