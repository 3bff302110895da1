package yaytpl

import (
	"errors"
	"slices"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/merge/restore"
	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A sourcing writes what was edited in a document where it is defined, as far as that is
// elsewhere. What is left is for the named file.
type sourcing struct {
	*folding
	batch  *batch
	edited value.Value

	edits   way
	causes  []value.Path // the change that asked for each
	natural *plan        // collects the places at which what is edited stands by itself
}

// toSource changes the definitions of what was edited, and returns the document that is
// to come of it then: what changed with them, and may, is as it is.
func (f *folding) toSource(edited value.Value) (value.Value, error) {
	s := sourcing{folding: f, edited: edited, natural: &plan{}}
	s.batch = &batch{editing: f.editing, project: f.project, alone: map[*Document]bool{}, facts: map[string][]graph.Fact{}}
	changes, err := restore.Differences(f.before, edited)
	if err != nil {
		return edited, err
	}
	for _, p := range changes {
		if err := s.plan(p); err != nil {
			return edited, err
		}
	}
	if len(s.edits) == 0 || len(f.report.Conflicts()) > 0 {
		return edited, nil
	}
	return s.make()
}

// plan finds the edits that make one change, if what it changes comes from elsewhere.
func (s *sourcing) plan(p value.Path) error {
	if from, err := s.elsewhere(p); from == nil || err != nil {
		return err
	}
	old, had := lookup(s.before, p)
	now, stays := lookup(s.edited, p)
	step := &plan{place: editPlace{index: s.doc.index, doc: s.doc, path: p}}
	var edits way
	var err error
	if stays {
		edits, err = s.batch.setAtSource(step, p, old, now, had)
	} else {
		edits, err = s.batch.keyAtSource(step, p, roundtrip.Edit{Op: roundtrip.Delete})
	}
	if err != nil {
		return s.refused(p, err)
	}
	s.natural.natural = append(s.natural.natural, step.natural...)
	return s.add(p, edits)
}

// elsewhere returns the fact about what defines a place if that is not written in it, nil
// if all of it is. What is new in a map would be written into the newest of the maps that
// this is made of.
func (f *folding) elsewhere(p value.Path) (*graph.Fact, error) {
	_, had := lookup(f.before, p)
	if !had && len(p) > 0 {
		p = p[:len(p)-1]
	}
	facts, err := explained(f.doc, p)
	if err != nil {
		return nil, err
	}
	for i := range facts {
		switch fact := &facts[i]; {
		case fact.Role != graph.Sets && fact.Role != graph.Merges:
		case len(fact.Through) > 0 || len(fact.Includes) > 0:
			return fact, nil
		case !had:
			return nil, nil
		}
	}
	return nil, nil
}

// add adds the edits that make a change. Two that would write different values into one
// place are a conflict.
func (s *sourcing) add(p value.Path, edits way) error {
	for _, e := range edits {
		i := slices.IndexFunc(s.edits, func(have fileEdit) bool { return have.isAt(e) })
		switch {
		case i < 0:
			s.edits, s.causes = append(s.edits, e), append(s.causes, p)
		case s.edits[i].edit.Op != e.edit.Op || !sameData(s.edits[i].edit.Value, e.edit.Value):
			return s.addDisagreement(p, s.causes[i])
		}
	}
	return nil
}

// addDisagreement reports a change that asks for something else at the place at which
// another one was made.
func (s *sourcing) addDisagreement(p, other value.Path) error {
	c, err := s.change(p, s.edited)
	if err != nil {
		return err
	}
	c.Reason = SharedSource
	c.Ways = []string{other.String() + " is defined in the same place: change both alike, or use --to=override"}
	s.addConflict(c)
	return nil
}

// isAt reports whether two edits are of one place.
func (e fileEdit) isAt(other fileEdit) bool {
	return e.path == other.path && e.doc == other.doc && e.lang == other.lang &&
		slices.Equal(e.edit.Path, other.edit.Path) && e.at.Start == other.at.Start && e.at.End == other.at.End
}

// refused reports why a definition cannot be edited.
func (s *sourcing) refused(p value.Path, err error) error {
	var d *source.Diagnostic
	if !errors.As(err, &d) || d.Code != source.Output {
		return err
	}
	c, cerr := s.change(p, s.edited)
	if cerr != nil {
		return cerr
	}
	c.Reason = NotVerified
	var refusal *roundtrip.Refusal
	if errors.As(err, &refusal) {
		c.Reason = ConflictReason(refusal.Reason)
	}
	c.Ways = waysOut(c.Reason)
	if d.Hint != "" {
		c.Ways = append([]string{d.Hint}, c.Ways...)
	}
	s.addConflict(c)
	return nil
}

// make makes the edits, and looks at what else they change.
func (s *sourcing) make() (value.Value, error) {
	w, err := s.write(s.edits)
	var refusal *roundtrip.Refusal
	if errors.As(err, &refusal) {
		return s.edited, s.refused(s.causes[0], err)
	}
	if err != nil {
		return s.edited, s.broken(err) // one edit takes away what another one is in
	}
	p, err := s.open(w.texts, func(*source.Diagnostic) {})
	if err != nil {
		return s.edited, s.broken(err)
	}
	d, err := p.Only(s.doc.index)
	if err != nil {
		return s.edited, s.broken(err)
	}
	after, err := expandedData(d)
	if err != nil {
		return s.edited, s.broken(err)
	}
	want, err := s.reconciled(after)
	if err != nil || len(s.report.Conflicts()) > 0 {
		return s.edited, err
	}
	s.accept(w, p)
	return want, s.reopen(p, d, after)
}

// broken reports the changes whose edits cannot be made together, or leave a document that
// cannot be expanded.
func (s *sourcing) broken(err error) error {
	var d *source.Diagnostic
	if !errors.As(err, &d) || s.ctx.Err() != nil {
		return err
	}
	told := map[string]bool{}
	for _, p := range s.causes {
		if told[p.Pointer()] {
			continue
		}
		told[p.Pointer()] = true
		c, err := s.change(p, s.edited)
		if err != nil {
			return err
		}
		c.Reason, c.Ways = SharedSource, []string{"--to=override changes this one only: otherwise " + d.Message}
		s.addConflict(c)
	}
	return nil
}

// addShared reports a place that nobody edited and that changes with those that were.
func (s *sourcing) addShared(p value.Path, after value.Value) error {
	c, err := s.change(p, after)
	if err != nil {
		return err
	}
	c.Reason, c.Ways, c.asWell = SharedSource, waysOut(SharedSource), true
	s.addConflict(c)
	return nil
}

// reopen goes on with what the files came to.
func (f *folding) reopen(p *Project, d *Document, after value.Value) error {
	f.project, f.doc, f.before = p, d, after
	var err error
	f.trees, err = f.parseTrees()
	return err
}

// reconciled returns the edited document with what changed together with the definitions:
// the places that those stand at, and others if they may change.
func (s *sourcing) reconciled(after value.Value) (value.Value, error) {
	moved, err := restore.Differences(s.before, after)
	if err != nil {
		return s.edited, err
	}
	want := s.edited
	for _, p := range moved {
		old, had := lookup(s.before, p)
		meant, ok := lookup(s.edited, p)
		now, there := lookup(after, p)
		if isSame(meant, ok, now, there) || !isSame(old, had, meant, ok) {
			continue // as it is to be, or edited to something else again
		}
		if !s.natural.isNatural(s.doc.index, p) && !s.eo.AllowChanges {
			if err := s.addShared(p, after); err != nil {
				return want, err
			}
			continue
		}
		s.others = append(s.others, Change{Path: p, Old: old, New: now, HasOld: had, HasNew: there})
		if want, err = adopted(want, p, now, there); err != nil {
			return want, err
		}
	}
	return want, nil
}

// isSame reports whether two places have the same value, or both have none.
func isSame(a value.Value, inA bool, b value.Value, inB bool) bool {
	return inA == inB && (!inA || sameData(a, b))
}

// adopted returns a document with what another one has at a path.
func adopted(doc value.Value, p value.Path, v value.Value, there bool) (value.Value, error) {
	draft := editDraft{doc}
	e := roundtrip.Edit{Op: roundtrip.Set, Path: p, Value: v}
	if !there {
		e.Op = roundtrip.Delete
	}
	if err := draft.apply(e); err != nil {
		return doc, err
	}
	return value.Plain(draft.root)
}
