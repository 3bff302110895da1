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

// A sourceEdits writes what was edited in a document where it is defined, as far as that is
// elsewhere. What is left is for the named file.
type sourceEdits struct {
	*fold
	batch *batch

	edits   overlay.Edits
	causes  []value.Path  // the change that asked for each
	natural naturalPlaces // at which what is edited stands by itself
}

func (f *fold) sourcing() *sourceEdits {
	return &sourceEdits{fold: f, batch: newBatch(f.session, f.doc.Project())}
}

// toSource changes the definitions of what was edited, and lets the documents be what is
// to come of it then: what changed with them, and may, is as it is.
func (f *fold) toSource() error {
	s := f.sourcing()
	changes, err := restore.Differences(f.before, f.edited)
	if err != nil {
		return err
	}
	for _, p := range changes {
		if err := s.plan(p); err != nil {
			return err
		}
	}
	if len(s.edits) == 0 || len(f.report.Conflicts()) > 0 {
		return nil
	}
	return s.make()
}

// plan finds the edits that make one change, if what it changes comes from elsewhere.
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
		return s.refused(p, err)
	}
	s.natural = append(s.natural, step.natural...)
	return s.add(p, edits)
}

// elsewhere returns the fact about what defines a place if that is not written in it, nil
// if all of it is. What is new in a map would be written into the newest of the maps that
// this is made of.
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
func (s *sourceEdits) add(p value.Path, edits overlay.Edits) error {
	for _, e := range edits {
		i := slices.IndexFunc(s.edits, func(have overlay.Edit) bool { return have.IsAt(e) })
		switch {
		case i < 0:
			s.edits, s.causes = append(s.edits, e), append(s.causes, p)
		case s.edits[i].Edit.Op != e.Edit.Op || !value.IsSame(s.edits[i].Edit.Value, e.Edit.Value):
			return s.addDisagreement(p, s.causes[i])
		}
	}
	return nil
}

// addDisagreement reports a change that asks for something else at the place at which
// another one was made.
func (s *sourceEdits) addDisagreement(p, other value.Path) error {
	c, err := s.change(p, s.edited)
	if err != nil {
		return err
	}
	c.Reason = source.SharedSource
	c.Ways = []string{other.String() + " is defined in the same place: change both alike, or use --to=override"}
	s.addConflict(c)
	return nil
}

// refused reports why a definition cannot be edited.
func (s *sourceEdits) refused(p value.Path, err error) error {
	var d *source.Diagnostic
	if !errors.As(err, &d) || d.Code != source.Output {
		return err
	}
	c, cerr := s.change(p, s.edited)
	if cerr != nil {
		return cerr
	}
	c.Reason = source.NotVerified
	var refusal *source.Refusal
	if errors.As(err, &refusal) {
		c.Reason = refusal.Reason
	}
	c.Ways = waysOut(c.Reason)
	switch {
	case d.Hint != "" && s.isYay():
		c.Ways = []string{d.Hint} // --literal and the like do not help there
	case d.Hint != "":
		c.Ways = append([]string{d.Hint}, c.Ways...)
	}
	s.addConflict(c)
	return nil
}

// make makes the edits, and looks at what else they change.
func (s *sourceEdits) make() error {
	w, err := s.Write(s.edits)
	if err != nil {
		if known, err := s.refuse(); known || err != nil {
			return err
		}
		return s.broken(err) // one edit takes away what another one is in
	}
	p, err := s.Open(w)
	if err != nil {
		return s.broken(err)
	}
	for _, f := range s.foldings {
		err := f.catchUp()
		if err == nil {
			err = s.reconcile(f, p)
		}
		if err != nil {
			return err
		}
	}
	if len(s.report.Conflicts()) > 0 {
		return nil
	}
	s.accept(w, p)
	for i, f := range s.foldings {
		if err := f.reopen(p.Documents()[i]); err != nil {
			return err
		}
	}
	return nil
}

// refuse reports the changes whose edits are refused when they are made alone, and whether
// there are any. The others can be written: they are no conflict.
func (s *sourceEdits) refuse() (bool, error) {
	known := false
	for i, e := range s.edits {
		_, err := s.Write(overlay.Edits{e})
		var refusal *source.Refusal
		if !errors.As(err, &refusal) {
			continue
		}
		known = true
		if err := s.refused(s.causes[i], err); err != nil {
			return known, err
		}
	}
	return known, nil
}

// broken reports the changes whose edits cannot be made together, or leave a document that
// cannot be expanded.
func (s *sourceEdits) broken(err error) error {
	var d *source.Diagnostic
	if !errors.As(err, &d) || s.Err() != nil {
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
		c.Reason, c.Ways = source.SharedSource, []string{"--to=override changes this one only: otherwise " + d.Message}
		s.addConflict(c)
	}
	return nil
}

// addShared reports a place that nobody edited, or that was written already, and that
// changes with those that are edited.
func (f *fold) addShared(p value.Path, after value.Value) error {
	c, err := f.change(p, after)
	if err != nil {
		return err
	}
	c.Reason, c.Ways, c.asWell = source.SharedSource, waysOut(source.SharedSource), true
	f.addConflict(c)
	return nil
}

// reconcile lets a document be what it is to be with the edits: what changed together with
// the definitions stays so if it is the place that one of these stands at, or may change.
func (s *sourceEdits) reconcile(f *fold, p *engine.Project) error {
	d, err := p.Only(f.doc.Index())
	if err != nil {
		return s.broken(err)
	}
	after, err := expandedData(d)
	if err != nil {
		return s.broken(err)
	}
	moved, err := restore.Differences(f.before, after)
	if err != nil {
		return err
	}
	for _, p := range moved {
		meant, ok := lookup(f.edited, p)
		now, there := lookup(after, p)
		if isSame(meant, ok, now, there) || f.isEdited(p) {
			continue // as it is to be, or edited to something else again
		}
		old, had := lookup(f.before, p)
		first, was := lookup(f.first, p)
		free := s.eo.AllowChanges && isSame(first, was, old, had)
		if !free && !s.natural.has(f.doc.Index(), p) {
			if err := f.addShared(p, after); err != nil {
				return err
			}
			continue
		}
		s.others = append(s.others, value.Change{Path: p, Old: old, New: now, HasOld: had, HasNew: there})
		if f.edited, err = adopted(f.edited, p, now, there); err != nil {
			return err
		}
	}
	return nil
}

// isEdited reports whether a place is to be something else than it is so far.
func (f *fold) isEdited(p value.Path) bool {
	old, had := lookup(f.before, p)
	meant, ok := lookup(f.edited, p)
	if had || ok {
		return !isSame(old, had, meant, ok)
	}
	around, _ := lookup(f.edited, p[:len(p)-1])
	return !around.Is(value.MapKind) // it is edited, if not the place itself
}

// isSame reports whether two places have the same value, or both have none.
func isSame(a value.Value, inA bool, b value.Value, inB bool) bool {
	return inA == inB && (!inA || value.IsSame(a, b))
}

// adopted returns a document with what another one has at a path.
func adopted(doc value.Value, p value.Path, v value.Value, there bool) (value.Value, error) {
	d := draft.Document{Root: doc}
	e := roundtrip.Edit{Op: roundtrip.Set, Path: p, Value: v}
	if !there {
		e.Op = roundtrip.Delete
	}
	if err := d.Apply(e); err != nil {
		return doc, err
	}
	return value.Plain(d.Root)
}

// expandedData returns a document with its directives carried out, as data.
func expandedData(d *engine.Document) (value.Value, error) {
	v, err := overlay.Expanded(d)
	if err != nil {
		return value.Null, err
	}
	return value.Plain(v)
}
