package edit

import (
	"github.com/yaytpl/yaytpl/internal/overlay"
	"github.com/yaytpl/yaytpl/lang/yay"
	"github.com/yaytpl/yaytpl/merge/restore"
	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// foldYay folds an edited document back into a file of Yay, in which plain values can be
// set and deleted: each where it is written in that file, or, if that is the target,
// wherever it is. What they do to conditions, and so to other values, is a change of
// those.
func (f *fold) foldYay() error {
	s := f.sourcing()
	changes, err := restore.Differences(f.before, f.edited)
	if err != nil {
		return err
	}
	for _, p := range changes {
		if err := s.planYay(p); err != nil {
			return err
		}
	}
	if len(s.edits) == 0 || f.reporting || len(f.report.Conflicts()) > 0 {
		return nil
	}
	if err := s.make(); err != nil || len(f.report.Conflicts()) > 0 {
		return err
	}
	wrong, err := restore.Differences(f.edited, f.before)
	if err != nil {
		return err
	}
	for _, p := range wrong {
		if err := f.addChange(p, f.edited, source.NotVerified); err != nil {
			return err
		}
	}
	return nil
}

// planYay finds the edits that make one change.
func (s *sourceEdits) planYay(p value.Path) error {
	step := &plan{place: place{index: s.doc.Index(), doc: s.doc, path: p}}
	old, had := lookup(s.before, p)
	now, stays := lookup(s.edited, p)
	step.edit = roundtrip.Edit{Op: roundtrip.Set, Path: p, Value: now}
	if !stays {
		step.edit = roundtrip.Edit{Op: roundtrip.Delete, Path: p}
	}
	var edits overlay.Edits
	var err error
	switch {
	case !had:
		err = overlay.OnlyLiterals(s.changed.Span(0, 0), s.Name)
	case s.options.To == Source:
		edits, err = s.batch.sourceWay(step, old)
	default:
		edits, err = s.batch.literalWay(step)
	}
	if err == nil && s.reporting {
		_, err = s.Write(edits)
	}
	if err != nil {
		return s.refused(p, err)
	}
	s.natural = append(s.natural, step.natural...)
	if s.reporting {
		return s.describeYay(p)
	}
	return s.add(p, edits)
}

// describeYay reports a change that can be written.
func (s *sourceEdits) describeYay(p value.Path) error {
	c, err := s.change(p, s.edited)
	if err != nil {
		return err
	}
	text := "set " + p.String() + " in " + s.Name
	if _, stays := lookup(s.edited, p); !stays {
		text = "delete " + p.String() + " in " + s.Name
	}
	if s.options.To == Source {
		c.Source = text
	} else {
		c.Override = text
	}
	s.addConflict(c)
	return nil
}

// isYay reports whether the file that is restored is in Yay.
func (r *restoration) isYay() bool { return r.Lang == yay.Language }
