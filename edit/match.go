package edit

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/yaytpl/yaytpl/internal/docpath"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A place is the place of an edit in an expanded document.
type place struct {
	index int              // of the document
	doc   *engine.Document // nil if the document is plain
	path  value.Path
	gone  error          // the not-found error if the place does not exist yet, otherwise nil
	fresh []docpath.Step // the last steps of path, which do not exist yet
	inNew bool           // the steps of fresh are below a new item of a list

	oneKey string // the path with a key "a::b", if fresh makes maps for a::b beside keys of that form
}

// Paths of several places (spec: everyday, A5). The edit
//
//	set services.*.image x
//
// becomes one edit for each place that the path matches, at its exact place, before it is
// planned. More than one place needs Options.All.

// A fixed is the exact place of an edit that was made of one with a pattern.
type fixed struct {
	index int // of the document
	steps []docpath.Step
}

// locate returns the place of a path; there must be exactly one. mayBeNew says that the place
// need not exist; then there must be only one document that it can be created in.
//
// Codes: syntax for the path, not-found if no document has it, or more than one.
func (b *batch) locate(path string, mayBeNew bool) (place, error) {
	places, err := b.places(path, mayBeNew)
	if err != nil {
		return place{}, err
	}
	if len(places) > 1 {
		return place{}, b.severalPlaces(path, places)
	}
	return places[0], nil
}

// locateEdit returns the place of an edit.
func (b *batch) locateEdit(e Edit, mayBeNew bool) (place, error) {
	if e.fixed == nil {
		return b.locate(e.Path, mayBeNew)
	}
	at := b.placeIn(e.fixed.index)
	err := at.find(b.drafts[at.index].Root, e.fixed.steps)
	if err == nil && !mayBeNew {
		err = at.gone
	}
	return at, err
}

// placeIn returns the root of a document.
func (b *batch) placeIn(doc int) place {
	at := place{index: doc}
	if b.project != nil {
		at.doc = b.project.Documents()[doc]
	}
	return at
}

// exactly returns the edits that an edit expands to, each at its exact place: itself, if its
// path names one place.
func (b *batch) exactly(e Edit) ([]Edit, error) {
	switch e.Op {
	case Copy, Move, Test:
		return []Edit{e}, nil
	}
	steps, err := docpath.Parse(e.Path)
	if err != nil {
		return nil, err
	}
	if e.fixed != nil || !docpath.IsPattern(steps) && (!b.eo.All || len(b.drafts) == 1) {
		return []Edit{e}, nil
	}
	places, err := b.places(e.Path, e.Op.creates())
	if err != nil {
		return nil, err
	}
	if len(places) > 1 && !b.eo.All {
		return nil, b.severalPlaces(e.Path, places)
	}
	if e.Op == Delete { // an index changes if an item before it is deleted
		slices.Reverse(places)
	}
	edits := make([]Edit, len(places))
	for i, at := range places {
		edits[i] = e
		known := at.path[:len(at.path)-len(at.fresh)]
		edits[i].fixed = &fixed{at.index, append(docpath.Known(known), at.fresh...)}
	}
	return edits, nil
}

// creates reports whether the operation makes a place that does not exist.
func (o Op) creates() bool { return o == Set || o == Append || o == Add }

// severalPlaces is the error of a path that must name one place and names several.
func (b *batch) severalPlaces(path string, places []place) error {
	if len(places) == 2 && places[0].index != places[1].index {
		return source.Errorf(source.Span{}, source.NotFound, "documents %d and %d both have %s", places[0].index, places[1].index, path).
			WithHint("--doc selects one, --all changes both")
	}
	var names []string
	for _, at := range places {
		parent, err := valueAt(b.drafts[at.index].Root, at.path[:max(0, len(at.path)-1)])
		switch {
		case err != nil || parent.Marks() != 0: // the keys of a secret map are secret
			return source.Errorf(source.Span{}, source.NotFound, "%s matches %d places; one must match", path, len(places)).
				WithHint("--all changes all of them")
		case len(b.drafts) > 1:
			names = append(names, fmt.Sprintf("%s in document %d", at.path, at.index))
		default:
			names = append(names, at.path.String())
		}
	}
	return source.Errorf(source.Span{}, source.NotFound, "%s matches %d places, and one must match: %s", path, len(places), listed(names)).
		WithHint("--all changes all of them")
}

// places returns the places of a path in the drafts, at least one. Places that do not exist
// are only returned with mayBeNew, and if there is one document.
//
// Codes: syntax for the path, not-found if no document has it.
func (b *batch) places(path string, mayBeNew bool) ([]place, error) {
	steps, err := docpath.Parse(path)
	if err != nil {
		return nil, err
	}
	docs := make([]int, len(b.drafts)) // the numbers of those to search
	for i := range docs {
		docs[i] = i
	}
	if doc := b.eo.Doc; doc != nil {
		if *doc < 0 || *doc >= len(docs) {
			return nil, source.Errorf(source.Span{}, source.NotFound, "there is no document %d: the files have %d, counted from 0", *doc, len(docs))
		}
		docs = []int{*doc}
	}
	var places []place
	var missing error
	for _, i := range docs {
		found, err := b.placesIn(i, steps, mayBeNew && !docpath.HasStar(steps))
		if err == nil && len(docs) > 1 {
			found, err = existing(found, len(docs))
		}
		var diag *source.Diagnostic
		switch {
		case err == nil:
			places = append(places, found...)
		case !errors.As(err, &diag) || diag.Code != source.NotFound:
			return nil, err
		case missing == nil:
			missing = err
		}
	}
	switch {
	case len(places) > 0:
		return places, nil
	case docpath.HasStar(steps):
		return nil, noPlace(path, missing)
	}
	return nil, missing
}

// noPlace is the error of a pattern without a match; missing, if it is not nil, says where the
// path ends.
func noPlace(path string, missing error) error {
	d := source.Errorf(source.Span{}, source.NotFound, "%s matches no place (0)", path)
	if at, ok := errors.AsType[*source.Diagnostic](missing); ok {
		d.Message = fmt.Sprintf("%s matches 0 places: %s", path, at.Message)
		d.Hint = at.Hint
	}
	if d.Hint == "" {
		d.WithHint(`"*" matches what is there; a key that is really called * is written "*" with quotes`)
	}
	return d
}

// placesIn returns the places of a path in one document. Only places that exist count if there
// is one, or if the places may not be new.
func (b *batch) placesIn(doc int, steps []docpath.Step, mayBeNew bool) ([]place, error) {
	root := b.drafts[doc].Root
	exact, err := docpath.Exact(root, steps)
	if err != nil {
		return nil, err
	}
	var places []place
	var missing error
	for _, steps := range exact {
		at := b.placeIn(doc)
		err := at.find(root, steps)
		if err == nil && !mayBeNew {
			err = at.gone
		}
		var diag *source.Diagnostic
		switch {
		case err == nil:
			places = append(places, at)
		case !errors.As(err, &diag) || diag.Code != source.NotFound:
			return nil, err
		case missing == nil:
			missing = err
		}
	}
	if len(places) == 0 {
		return nil, missing
	}
	return places, nil
}

// existing returns the places that exist. Without one it returns an error that several
// documents could get the place.
func existing(places []place, documents int) ([]place, error) {
	var found []place
	for _, at := range places {
		if at.gone == nil {
			found = append(found, at)
		}
	}
	if len(found) > 0 || len(places) == 0 {
		return found, nil
	}
	return nil, undecided(places[0].gone, documents)
}

// undecided adds to the error of a missing place that several documents could get it.
func undecided(gone error, documents int) error {
	var d *source.Diagnostic
	if !errors.As(gone, &d) || d.Code != source.NotFound {
		return gone
	}
	hint := fmt.Sprintf("--doc selects one of the %d documents", documents)
	if d.Hint != "" {
		hint = d.Hint + " " + hint
	}
	return d.WithHint("%s", hint)
}

// find follows steps from v, the root of the expanded document, and sets path, gone and fresh.
// From the first missing key on, steps are keys and items to be created. An index must be that
// of an item; the number of items, or "-", is a place after the last one.
func (at *place) find(v value.Value, steps []docpath.Step) error {
	oneKey := "" // the path with a key made of the steps before steps and the first of these
	for len(steps) > 0 {
		s := steps[0]
		switch {
		case s.Match != "":
		case v.IsNull():
			return at.create(docpath.NotFound(at.path, s.Key), steps)
		case v.Is(value.ListKind) && isAfterLast(s, v.List().Len()):
			at.path = append(at.path, value.Index(v.List().Len()))
			at.inNew = len(steps) > 1
			return at.create(docpath.NotFound(at.path[:len(at.path)-1], s.Key), steps[1:])
		}
		next, key, taken, err := docpath.Next(v, steps, at.path)
		switch {
		case err != nil && s.Item && v.Is(value.MapKind):
			return docpath.NotFound(at.path, s.Key).WithHint("%s is a map, which has no items; a key is written .%s", at.path, s.Key)
		case err != nil && s.Match == "" && v.Is(value.MapKind):
			switch {
			case v.Marks() == 0 && docpath.HasQualified(v, steps):
				at.oneKey = docpath.Qualified(at.path, steps)
			case steps[0].Sep == "::":
				at.oneKey = oneKey
			}
			return at.create(err, steps)
		case err != nil:
			return err
		}
		if oneKey = ""; taken > 1 && v.Marks() == 0 && docpath.HasQualified(v, steps) {
			oneKey = docpath.Qualified(at.path, steps)
		}
		at.path = append(at.path, key)
		v, steps = next, steps[taken:]
	}
	return nil
}

// isAfterLast reports whether a step is the place after the last of n items.
func isAfterLast(s docpath.Step, n int) bool {
	if s.Exact && s.Key == "-" {
		return true
	}
	i, err := strconv.Atoi(s.Key)
	return err == nil && i == n
}

// create adds the steps of a place that does not exist yet. Items of lists to be created have
// the index 0.
func (at *place) create(gone error, steps []docpath.Step) error {
	path := slices.Clone(at.path)
	steps = docpath.Whole(steps)
	for _, s := range steps {
		switch {
		case s.Match != "":
			return docpath.NotFound(path, fmt.Sprintf("[%s=%s]", s.Match, s.Text))
		case s.Item && s.Number != 0:
			return docpath.NotFound(path, s.Key).WithHint("the first item of a new list is [0]")
		}
		path = append(path, docpath.Literal([]docpath.Step{s})...)
	}
	at.gone, at.fresh, at.path = gone, steps, path
	return nil
}

// makesList reports whether the place can only be created with a list or an item around it.
func (at place) makesList() bool {
	return at.inNew || slices.ContainsFunc(at.fresh, func(s docpath.Step) bool { return s.Item })
}

// withLists returns the place and the value of an edit that creates lists or items: the first
// of them, and the value around it. The place a.l[0].d with the value v is
// a.l with the value [{d: v}]. tag is the tag of v, if v is a map or a list.
func (at place) withLists(v value.Value, tag string) (place, value.Value) {
	first := slices.IndexFunc(at.fresh, func(s docpath.Step) bool { return s.Item })
	if at.inNew {
		first = 0
	}
	above := len(at.path) - len(at.fresh) + first
	for i := len(at.fresh) - 1; i >= first; i-- {
		if at.fresh[i].Item {
			v, tag = listOf(v, tag), ""
			continue
		}
		m := value.NewMap(1)
		m.Set(at.path[above+i-first], v)
		v, tag = value.FromMap(taggedMap{m, tagged(tag)}), ""
	}
	at.path, at.fresh, at.inNew = at.path[:above], at.fresh[:first], false
	return at, v
}
