package edit

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/draft"
	"github.com/yaytpl/yaytpl/internal/overlay"
	"github.com/yaytpl/yaytpl/internal/unrender"
	"github.com/yaytpl/yaytpl/merge/restore"
	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

func (f *fold) addConflict(c ReportChange) { f.report.Changes = append(f.report.Changes, c) }

// addConflicts reports what a plan cannot write.
func (f *fold) addConflicts(plan *restore.Plan) error {
	for _, c := range plan.Conflicts {
		change, err := f.change(c.Path, plan.Want)
		if err != nil {
			return err
		}
		change.Reason = c.Reason
		if !c.At.IsZero() && !slices.Contains(change.Through, c.At) {
			change.Through = append(change.Through, c.At)
		}
		change.Ways = waysOut(change.Reason)
		f.addConflict(change)
	}
	return nil
}

// addChange reports a place that cannot become what it is in want.
func (f *fold) addChange(p value.Path, want value.Value, reason source.Reason) error {
	c, err := f.change(p, want)
	if err != nil {
		return err
	}
	c.Reason, c.Ways = reason, waysOut(reason)
	f.addConflict(c)
	return nil
}

// addRefused reports the edit of a plan that was refused: the last one of the shortest
// part of it that is.
func (f *fold) addRefused(plan *restore.Plan, refusal *source.Refusal) error {
	low, high := 1, len(plan.Edits)
	for low < high {
		mid := (low + high) / 2
		part := *plan
		part.Edits = plan.Edits[:mid]
		if _, err := f.tryEdits(&part); errors.As(err, &refusal) {
			high = mid
		} else {
			low = mid + 1
		}
	}
	reason := source.NotVerified
	switch refusal.Reason {
	case source.LosesComments:
		reason = source.LosesComments
	case source.NoSpelling:
		reason = source.NoSpelling
	case source.AnchorInUse:
		reason = source.BaseRemoved
	}
	return f.addChange(plan.Edits[high-1].Path, plan.Want, reason)
}

func (f *fold) tryEdits(plan *restore.Plan) (overlay.Texts, error) {
	edits := make(overlay.Edits, len(plan.Edits))
	for i, e := range plan.Edits {
		edits[i] = overlay.Edit{Path: f.Path, Lang: f.Lang, Doc: f.doc.Index(), Edit: e}
	}
	return f.Write(edits)
}

// change returns what an edit does to a place, and who has a say there.
func (f *fold) change(p value.Path, want value.Value) (ReportChange, error) {
	c := ReportChange{Change: value.Change{Path: p}}
	c.Old, c.HasOld = lookup(f.before, p)
	c.New, c.HasNew = lookup(want, p)
	facts, err := explained(f.doc, p)
	if err != nil {
		return c, nil // what is wrong there is no reason to say less
	}
	for _, fact := range facts {
		if fact.At.IsZero() || fact.Role != graph.Sets && fact.Role != graph.Merges {
			continue
		}
		c.Defined = append(c.Defined, fact.At)
		if len(c.Through) == 0 {
			c.Through = fact.Through
		}
	}
	return c, nil
}

// lookup returns what stands at a path, false for nothing.
func lookup(v value.Value, p value.Path) (value.Value, bool) {
	v, ok, err := draft.Find(v, p)
	return v, ok && err == nil
}

// waysOut returns what people can do about a conflict.
func waysOut(r source.Reason) []string {
	switch r {
	case source.ListNotAppendable, source.NeedsInline:
		return []string{"without --no-inline the directive goes, and what it brings is written out", "edit it where it is defined (--to=source)"}
	case source.ResultOfExpr:
		return []string{"--literal writes the value in the place of the expression", "edit what the expression reads"}
	case source.SharedSource:
		return []string{"--allow-changes lets the others change as well", "--to=override changes this one only"}
	case source.SourceReadonly:
		return []string{"--to=override writes the value into the named file"}
	}
	return []string{"edit the source by hand, or --to=source where it is defined"}
}

// keepExpressions reports results of expressions that stand in the place of the
// expressions: whoever edits the document with nothing evaluated hardly means that.
func (f *fold) keepExpressions(edited value.Value) error {
	changes, err := value.Diff(f.before, edited)
	if err != nil {
		return err
	}
	e, err := f.doc.Eval()
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, c := range changes {
		p := f.expressionAt(c.Path)
		old, had := lookup(f.before, p)
		now, ok := lookup(edited, p)
		if seen[p.Pointer()] || !had || !ok || !f.isYay() && !unrender.IsEvaluated(old) {
			continue
		}
		seen[p.Pointer()] = true
		result, ok, err := e.Root().At(p).Value()
		if !ok || err != nil {
			continue // the edit may be what mends it
		}
		same, err := value.Equal(result, now)
		unevaluated, _ := value.Equal(result, old)
		if err != nil || !same || unevaluated {
			continue
		}
		if err := f.addChange(p, edited, source.ResultOfExpr); err != nil {
			return err
		}
	}
	return nil
}

// expressionAt returns the place of the expression object that a place is part of, or
// the place itself.
func (f *fold) expressionAt(p value.Path) value.Path {
	if len(p) == 0 {
		return p
	}
	in, _ := lookup(f.before, p[:len(p)-1])
	if in.Is(value.MapKind) && expr.IsExpression(in.Map()) {
		return p[:len(p)-1]
	}
	return p
}

// describe reports what a plan writes.
func (f *fold) describe(plan *restore.Plan) error {
	changes, err := value.Diff(f.before, plan.Want)
	if err != nil {
		return err
	}
	for _, c := range changes {
		rc, err := f.change(c.Path, plan.Want)
		if err != nil {
			return err
		}
		rc.Override = f.overrideText(plan, c.Path)
		if from, err := f.elsewhere(c.Path); err == nil && from != nil {
			rc.Source = "edit " + from.At.String()
		}
		f.report.Changes = append(f.report.Changes, rc)
	}
	f.warnings = append(f.warnings, plan.Warnings...)
	return nil
}

// overrideText says which edit of the named file makes a change.
func (f *fold) overrideText(plan *restore.Plan, p value.Path) string {
	var found []string
	for _, e := range plan.Edits {
		if e.Path.HasPrefix(p) || p.HasPrefix(e.Path) {
			found = append(found, fmt.Sprintf("%s %s in %s", opWord(e), e.Path, f.Name))
		}
	}
	return strings.Join(found, ", ")
}

func opWord(e roundtrip.Edit) string {
	switch e.Op {
	case roundtrip.Insert:
		return "add"
	case roundtrip.Delete:
		return "delete"
	case roundtrip.Rename:
		return "rename"
	case roundtrip.Move:
		return "move"
	}
	return "set"
}
