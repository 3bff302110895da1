package yaytpl

import (
	"errors"
	"slices"
	"strconv"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// An editPlace is where an edit takes place.
type editPlace struct {
	index int       // of the document
	doc   *Document // nil if it is plain
	path  value.Path
	gone  error // why nothing is there yet, nil if something is
}

// locate finds the document and the path of an edit in the drafts. What may be new need
// not be there.
func (b *batch) locate(path string, mayBeNew bool) (editPlace, error) {
	steps, err := parsePath(path)
	if err != nil {
		return editPlace{}, err
	}
	docs, err := b.documents()
	if err != nil {
		return editPlace{}, err
	}
	var places []editPlace
	var missing error
	for _, i := range docs {
		at := editPlace{index: i}
		if b.project != nil {
			at.doc = b.project.docs[i]
		}
		err := at.find(b.drafts[i].root, slices.Clone(steps))
		var diag *source.Diagnostic
		if err == nil && at.gone != nil && !(mayBeNew && len(docs) == 1) {
			err = at.gone
		}
		switch {
		case err == nil:
			places = append(places, at)
		case !errors.As(err, &diag) || diag.Code != source.NotFound:
			return editPlace{}, err
		case missing == nil:
			missing = err
		}
	}
	switch len(places) {
	case 0:
		return editPlace{}, missing
	case 1:
		return places[0], nil
	}
	return editPlace{}, source.Errorf(source.Span{}, source.NotFound, "documents %d and %d both have %s", places[0].index, places[1].index, path).
		WithHint("--doc picks one")
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
func (at *editPlace) find(v value.Value, steps []step) error {
	for len(steps) > 0 {
		var key value.Key
		var err error
		n := 1
		switch s := steps[0]; {
		case s.match != "":
			v, key, err = matchItem(v, s, at.path)
		case v.Is(value.ListKind):
			if last := v.List().Len(); s.index && s.number == last || s.exact && s.key == "-" {
				missing := notFound(at.path, s.key, nil)
				steps[0] = step{key: strconv.Itoa(last), exact: true, index: true, number: last}
				at.behind(steps, missing)
				return nil
			}
			v, key, err = itemAt(v, s, at.path)
		case v.Is(value.MapKind):
			next, k, taken, missing := entryAt(v, steps, at.path)
			if missing != nil {
				at.behind(steps, missing)
				return nil
			}
			v, key, n = next, k, taken
		case v.IsNull():
			at.behind(steps, notFound(at.path, s.key, nil))
			return nil
		default:
			err = notFound(at.path, s.key, nil).WithHint("%s is %s", at.path, value.Article(v.Kind()))
		}
		if err != nil {
			return err
		}
		at.path = append(at.path, key)
		steps = steps[n:]
	}
	return nil
}

// behind adds the steps that lead to what is not there yet.
func (at *editPlace) behind(steps []step, gone error) {
	at.gone = gone
	for _, s := range steps {
		if s.index && s.exact {
			at.path = append(at.path, value.Index(s.number))
		} else {
			at.path = append(at.path, value.K(s.key))
		}
	}
}
