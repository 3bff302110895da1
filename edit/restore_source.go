package edit

import (
	"errors"
	"slices"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/draft"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/overlay"
	"github.com/yaytpl/yaytpl/merge/restore"
	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A sourceEdits collects edits of definitions that are in other places than the values they
// define, and makes them. What else was edited is left to fold.
type sourceEdits struct {
	*fold
	batch *batch

	edits   overlay.Edits
	causes  []value.Path  // the changed path that each edit is for
	natural naturalPlaces // of the edited definitions

	places []causedPlace // the natural places with the changes that they are for
	kept   []value.Path  // the changes that fold has to write, since their definitions show elsewhere
}

// A causedPlace is the natural place of a definition that was edited for a change.
type causedPlace struct {
	naturalPlace
	cause value.Path
}

func (f *fold) newSourceEdits() *sourceEdits {
	return &sourceEdits{fold: f, batch: newBatch(f.session, f.doc.Project())}
}

// toSource edits the definitions of the changed values. Allowed side effects become part of
// the edited documents, so that fold does not undo them.
func (f *fold) toSource() error {
	s := f.newSourceEdits()
	changes, err := restore.Differences(f.before, f.edited)
	if err != nil {
		return err
	}
	for _, p := range changes {
		if err := s.plan(p); err != nil {
			return err
		}
	}
	for len(s.edits) > 0 && len(f.report.Conflicts()) == 0 {
		others, edited := s.others, make([]value.Value, len(s.folds))
		for i, f := range s.folds {
			edited[i] = f.edited
		}
		s.kept = nil
		if err := s.make(); err != nil || len(s.kept) == 0 {
			return err
		}
		s.others = others // nothing was written
		for i, f := range s.folds {
			f.edited = edited[i]
		}
		s.drop(s.kept)
	}
	return nil
}

// drop removes the edits for changes.
func (s *sourceEdits) drop(causes []value.Path) {
	isDropped := func(p value.Path) bool {
		return slices.ContainsFunc(causes, func(c value.Path) bool { return slices.Equal(c, p) })
	}
	var edits overlay.Edits
	var left []value.Path
	for i, e := range s.edits {
		if !isDropped(s.causes[i]) {
			edits, left = append(edits, e), append(left, s.causes[i])
		}
	}
	s.edits, s.causes = edits, left
	s.places = slices.DeleteFunc(s.places, func(at causedPlace) bool { return isDropped(at.cause) })
	s.natural = nil
	for _, at := range s.places {
		s.natural = append(s.natural, at.naturalPlace)
	}
}

// plan adds the edits that make one change, if the value is defined in another place.
func (s *sourceEdits) plan(p value.Path) error {
	if from, err := s.elsewhere(p); from == nil || err != nil {
		return err
	}
	old, had := lookup(s.before, p)
	now, stays := lookup(s.edited, p)
	step := &plan{place: place{index: s.doc.Index(), doc: s.doc, path: p}}
	var edits overlay.Edits
	var err error
	if stays {
		edits, err = s.batch.setAtSource(step, p, old, now, had)
	} else {
		edits, err = s.batch.keyAtSource(step, p, roundtrip.Edit{Op: roundtrip.Delete})
	}
	if err != nil {
		return s.addRefusal(p, err)
	}
	s.natural = append(s.natural, step.natural...)
	for _, at := range step.natural {
		s.places = append(s.places, causedPlace{at, p})
	}
	return s.add(p, edits)
}

// elsewhere returns the first definition of a place that comes from an include or a
// reference, nil if there is none. A new key is defined by the newest layer of its map.
func (f *fold) elsewhere(p value.Path) (*graph.Fact, error) {
	_, had := lookup(f.before, p)
	if !had && len(p) > 0 {
		p = p[:len(p)-1]
	}
	facts, err := factsAt(f.doc, p)
	if err != nil {
		return nil, err
	}
	for i := range facts {
		switch fact := &facts[i]; {
		case !fact.Defines():
		case len(fact.Through) > 0 || len(fact.Includes) > 0 || !f.isMain(fact.At.File):
			return fact, nil
		case !had:
			return nil, nil
		}
	}
	return nil, nil
}

// add adds the edits that make a change. Two different edits of one definition are a
// conflict, unless they insert items for one change.
func (s *sourceEdits) add(p value.Path, edits overlay.Edits) error {
	before := len(s.edits)
	for _, e := range edits {
		isOther := func(have overlay.Edit) bool { return have.IsAt(e) }
		i := slices.IndexFunc(s.edits[:before], isOther)
		if i < 0 && e.Edit.Op != roundtrip.Insert {
			i = slices.IndexFunc(s.edits[before:], func(have overlay.Edit) bool { return isOther(have) && have.Edit.Op != roundtrip.Insert })
			if i >= 0 {
				i += before
			}
		}
		switch {
		case i < 0:
			s.edits, s.causes = append(s.edits, e), append(s.causes, p)
		case s.edits[i].Edit.Op != e.Edit.Op || !value.IsSame(s.edits[i].Edit.Value, e.Edit.Value):
			c, err := s.change(p, s.edited)
			if err != nil {
				return err
			}
			c.Reason = source.SharedSource
			c.Ways = []string{s.causes[i].String() + " is defined in the same place: change both alike, or use --to=override"}
			s.addToReport(c)
			return nil
		}
	}
	return nil
}

// addRefusal reports that the definition of a place cannot be edited, and why.
func (s *sourceEdits) addRefusal(p value.Path, err error) error {
	var d *source.Diagnostic
	if !errors.As(err, &d) || d.Code != source.Output {
		return err
	}
	c, cerr := s.change(p, s.edited)
	if cerr != nil {
		return cerr
	}
	c.Reason = source.NotVerified
	if refusal, ok := errors.AsType[*source.Refusal](err); ok {
		c.Reason = refusal.Reason
	}
	c.Ways = waysOut(c.Reason)
	switch {
	case d.Hint != "" && s.isYay():
		c.Ways = []string{d.Hint} // the flags do not help there
	case d.Hint != "":
		c.Ways = append([]string{d.Hint}, c.Ways...)
	}
	s.addToReport(c)
	return nil
}

// make makes the edits and checks their side effects on all documents. It writes nothing if there are
// conflicts, or changes that are left to fold.
func (s *sourceEdits) make() error {
	w, err := s.Write(s.edits)
	if err != nil {
		if found, err := s.addRefusals(); found || err != nil {
			return err
		}
		return s.addAll(err) // such as an edit in a map that another edit deletes
	}
	p, err := s.Open(w)
	if err != nil {
		return s.addAll(err)
	}
	for _, f := range s.folds {
		err := f.catchUp()
		if err == nil {
			err = s.reconcile(f, p)
		}
		if err != nil {
			return err
		}
	}
	if len(s.report.Conflicts()) > 0 || len(s.kept) > 0 {
		return nil
	}
	if err := s.accept(w, p); err != nil {
		return err
	}
	for i, f := range s.folds {
		if err := f.reopen(p.Documents()[i]); err != nil {
			return err
		}
	}
	return nil
}

// addRefusals reports the changes whose edits are refused even when each is made by itself.
// It returns whether there are any.
func (s *sourceEdits) addRefusals() (bool, error) {
	found := false
	for i, e := range s.edits {
		_, err := s.Write(overlay.Edits{e})
		if _, ok := errors.AsType[*source.Refusal](err); !ok {
			continue
		}
		found = true
		if err := s.addRefusal(s.causes[i], err); err != nil {
			return found, err
		}
	}
	return found, nil
}

// addAll reports the changes whose edits fail even when each is made by itself; all of them if their
// edits only fail together, in which case err says why.
func (s *sourceEdits) addAll(err error) error {
	var d *source.Diagnostic
	if !errors.As(err, &d) || s.Err() != nil {
		return err
	}
	var causes []value.Path
	seen := map[string]bool{}
	for _, p := range s.causes {
		if !seen[p.Pointer()] {
			seen[p.Pointer()] = true
			causes = append(causes, p)
		}
	}
	failed := map[string]*source.Diagnostic{}
	if len(causes) > 1 && len(causes) <= maxAlone {
		for _, p := range causes {
			if alone, ok := errors.AsType[*source.Diagnostic](s.tryAlone(p)); ok {
				failed[p.Pointer()] = alone
			}
		}
	}
	for _, p := range causes {
		why, ok := failed[p.Pointer()]
		if !ok && len(failed) > 0 {
			continue
		}
		if !ok {
			why = d
		}
		if s.isYay() && why.Code == source.Output { // it has no overrides
			if err := s.addRefusal(p, why); err != nil {
				return err
			}
			continue
		}
		c, err := s.change(p, s.edited)
		if err != nil {
			return err
		}
		c.Reason, c.Ways = source.SharedSource, []string{"--to=override changes this one only: otherwise " + why.Message}
		if s.isYay() {
			c.Reason, c.Ways = source.NotVerified, []string{"edit " + s.Name + " by hand: " + why.Message}
		}
		s.addToReport(c)
	}
	return nil
}

// maxAlone bounds the changes that are tried one by one to find the ones that fail.
const maxAlone = 32

// tryAlone returns the error of making the edits for a single change.
func (s *sourceEdits) tryAlone(cause value.Path) error {
	var edits overlay.Edits
	for i, e := range s.edits {
		if slices.Equal(s.causes[i], cause) {
			edits = append(edits, e)
		}
	}
	w, err := s.Write(edits)
	if err != nil {
		return err
	}
	p, err := s.Open(w)
	if err != nil {
		return err
	}
	for _, f := range s.folds {
		d, err := p.Only(f.doc.Index())
		if err != nil {
			return err
		}
		v, err := overlay.Expanded(d)
		if err == nil {
			_, err = value.Plain(v)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// reconcile compares a document before and after the edits. A side effect becomes part of the
// edited document if it is allowed. Otherwise it is a conflict or, at a natural place of a
// definition, the definition is not edited: see keep. A place that already changed during this call is not allowed to change again.
func (s *sourceEdits) reconcile(f *fold, p *engine.Project) error {
	d, err := p.Only(f.doc.Index())
	if err != nil {
		return s.addAll(err)
	}
	after, err := overlay.Expanded(d)
	if err == nil {
		after, err = value.Plain(after)
	}
	if err != nil {
		return s.addAll(err)
	}
	if f == s.fold {
		s.keepHidden(after)
	}
	moved, err := restore.Differences(f.before, after)
	if err != nil {
		return err
	}
	for _, p := range moved {
		if sameAt(p, f.edited, after) || f.isEdited(p) {
			continue // right already, or changed by fold
		}
		free := s.eo.AllowChanges && sameAt(p, f.first, f.before)
		if natural := s.natural.has(f.doc.Index(), p); natural && !s.eo.AllowChanges && !s.isYay() {
			s.keep(f.doc.Index(), p)
			continue
		} else if !free && (!natural || s.isYay()) {
			c, err := f.change(p, after)
			if err != nil {
				return err
			}
			c.Reason, c.Ways, c.asWell = source.SharedSource, waysOut(source.SharedSource), true
			switch {
			case s.isYay(): // has no overrides
				c.Ways = []string{"--allow-changes lets the others change as well"}
			case s.eo.To == Override:
				c.Ways = []string{"--to=source edits the definition", "--allow-changes lets the others change as well"}
			}
			f.addToReport(c)
			continue
		}
		old, had := lookup(f.before, p)
		now, there := lookup(after, p)
		s.others = append(s.others, value.Change{Path: p, Old: old, New: now, HasOld: had, HasNew: there})
		if f.edited, err = withValueAt(f.edited, p, now, there); err != nil {
			return err
		}
	}
	return nil
}

// keepHidden leaves the changes to fold whose edits do not show in the document after them: an item that a
// union of lists drops because it is there already, for example.
func (s *sourceEdits) keepHidden(after value.Value) {
	for _, p := range s.causes {
		if !sameAt(p, s.edited, after) && sameAt(p, s.before, after) {
			s.kept = append(s.kept, p)
		}
	}
}

// keep leaves the changes to fold whose definitions have the natural place p, where the edited
// document keeps the old value: if a is &w {x: 1} and b is {+*w: }, and only b.x was edited, the
// definition of b.x is also the definition of a.x.
func (s *sourceEdits) keep(doc int, p value.Path) {
	for _, at := range s.places {
		if (naturalPlaces{at.naturalPlace}).has(doc, p) {
			s.kept = append(s.kept, at.cause)
		}
	}
}

// isEdited reports whether the edited document changes the value of a place.
func (f *fold) isEdited(p value.Path) bool {
	if !sameAt(p, f.before, f.edited) {
		return true
	}
	if _, had := lookup(f.before, p); had {
		return false
	}
	around, _ := lookup(f.edited, p[:len(p)-1])
	return !around.Is(value.MapKind) // the edit replaces the map around it
}

// sameAt reports whether two documents have the same value at a path, or neither has one.
func sameAt(p value.Path, a, b value.Value) bool {
	x, inA := lookup(a, p)
	y, inB := lookup(b, p)
	return inA == inB && (!inA || value.IsSame(x, y))
}

// withValueAt returns doc with v at a path or, if exists is false, without a value there.
func withValueAt(doc value.Value, p value.Path, v value.Value, exists bool) (value.Value, error) {
	d := draft.Document{Root: doc}
	e := roundtrip.Edit{Op: roundtrip.Set, Path: p, Value: v}
	if !exists {
		e.Op = roundtrip.Delete
	}
	if err := d.Apply(e); err != nil {
		return doc, err
	}
	return value.Plain(d.Root)
}
