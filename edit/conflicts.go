package edit

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/internal/unrender"
	"github.com/yaytpl/yaytpl/merge/restore"
	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// addToReport adds a change to the report, unless the document has a conflict at its place
// already: the first reason counts.
func (f *fold) addToReport(c ReportChange) {
	known := func(o ReportChange) bool { return o.of == f && o.Reason != "" && slices.Equal(o.Path, c.Path) }
	if c.Reason != "" && slices.ContainsFunc(f.report.Changes, known) {
		return
	}
	f.report.Changes = append(f.report.Changes, c)
}

// addConflicts reports the conflicts of a plan.
func (f *fold) addConflicts(plan *restore.Plan) error {
	for _, c := range plan.Conflicts {
		change, err := f.change(c.Path, plan.Want)
		if err != nil {
			return err
		}
		change.Reason, change.Inline = c.Reason, c.Inline
		if !c.At.IsZero() && !slices.Contains(change.Through, c.At) {
			change.Through = append(change.Through, c.At)
		}
		change.Ways = f.inlineWays(change)
		f.addToReport(change)
	}
	return nil
}

// addChange reports that the value of a place in want cannot be written.
func (f *fold) addChange(p value.Path, want value.Value, reason source.Reason) error {
	c, err := f.change(p, want)
	if err != nil {
		return err
	}
	c.Reason, c.Ways = reason, waysOut(reason)
	if reason == source.ResultOfExpr && f.isYay() { // --literal writes only over plain values there
		c.Ways = []string{"edit it by hand, or edit the values that it reads"}
	}
	f.addToReport(c)
	return nil
}

// addHidden reports changes that layers over the named file hide.
func (f *fold) addHidden(places []value.Path) error {
	for _, p := range places {
		c, err := f.change(p, f.edited)
		if err != nil {
			return err
		}
		c.Reason, c.Ways = source.NotVerified, []string{"edit the layers above " + f.Name + ", which decide it"}
		over := func(at source.Span) bool { return f.doc.IsOver(at.File) }
		if places := slices.Concat(c.Defined, c.Through); slices.ContainsFunc(places, over) {
			at := places[slices.IndexFunc(places, over)]
			c.Ways = []string{fmt.Sprintf("edit %s, which lies above %s and hides the change", at.File.Name, f.Name)}
		}
		f.addToReport(c)
	}
	return nil
}

// addRefused reports the edit of a plan that is refused. It finds it by bisection: the last
// edit of the shortest prefix of the plan that is refused.
func (f *fold) addRefused(plan *restore.Plan, refusal *source.Refusal) error {
	low, high := 1, len(plan.Edits)
	for low < high {
		mid := (low + high) / 2
		part := *plan
		part.Edits = plan.Edits[:mid]
		if _, err := f.write(&part); errors.As(err, &refusal) {
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

// change returns the change of a place from before to want, with its definitions.
func (f *fold) change(p value.Path, want value.Value) (ReportChange, error) {
	c := ReportChange{Change: value.Change{Path: p}, of: f, hidden: f.Source(f.Path).Secret}
	if f.options.To == Source && !c.hidden {
		from, err := f.elsewhere(p)
		c.hidden = err == nil && from != nil && isSecretSpan(from.At)
	}
	c.Old, c.HasOld = lookup(f.before, p)
	c.New, c.HasNew = lookup(want, p)
	c.result, _ = marksAt(f.doc, p, c.Old)
	facts, err := factsAt(f.doc, p)
	if err != nil {
		return c, nil // the report is useful without them
	}
	for _, fact := range facts {
		if fact.At.IsZero() || !fact.Defines() {
			continue
		}
		c.Defined = append(c.Defined, fact.At)
		if len(c.Through) == 0 {
			c.Through = fact.Through
		}
	}
	return c, nil
}

// lookup returns the value at a path, and false if there is none.
func lookup(v value.Value, p value.Path) (value.Value, bool) {
	v, ok, err := value.Find(v, p)
	return v, ok && err == nil
}

// inlineWays returns the ways to resolve a conflict of a plan.
func (f *fold) inlineWays(c ReportChange) []string {
	ways := waysOut(c.Reason)
	switch {
	case !c.Inline:
		return ways
	case f.options.NoInline:
		return append([]string{"--inline in place of --no-inline replaces the directive by its values"}, ways...)
	}
	return append([]string{"--inline replaces the directive by its values"}, ways...)
}

// waysOut returns the ways to resolve a conflict, for Ways of a change.
func waysOut(r source.Reason) []string {
	switch r {
	case source.ListNotAppendable, source.NeedsInline:
		return []string{"edit it where it is defined (--to=source)"}
	case source.ResultOfExpr:
		return []string{"--literal writes the value in the place of the expression", "edit what the expression reads"}
	case source.SharedSource:
		return []string{"--allow-changes lets the others change as well", "--to=override changes this one only"}
	case source.SourceReadonly:
		return []string{"--to=override writes the value into the named file"}
	}
	return []string{"edit the file by hand, or use --to=source to edit the definition"}
}

// refuseResults reports each change that replaces an expression by its own result: in a
// document that is not evaluated, that is most likely a mistake.
func (f *fold) refuseResults(edited value.Value) error {
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
			continue // the edit may correct it
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

// expressionAt returns the place of the expression object around a place, otherwise the
// place itself: a.ref in {a: {ref: b}} is part of the expression a.
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

// describe reports the changes of a plan, with the edits that write them.
func (f *fold) describe(plan *restore.Plan) error {
	changes, err := value.Diff(f.before, plan.Want)
	if err != nil {
		return err
	}
	first := len(f.report.Changes)
	for _, c := range changes {
		rc, err := f.change(c.Path, plan.Want)
		if err != nil {
			return err
		}
		rc.Override = f.overrideText(plan, c.Path)
		if from, err := f.elsewhere(c.Path); err == nil && from != nil && !isVaultFile(from.At) {
			rc.Source, rc.sourceInClear = "edit "+from.At.String(), !isSecretSpan(from.At)
		}
		f.report.Changes = append(f.report.Changes, rc)
	}
	f.expose(f.report.Changes[first:])
	f.warnings = append(f.warnings, plan.Warnings...)
	return nil
}

// overrideText returns the edits of the named file that make a change, as text.
func (f *fold) overrideText(plan *restore.Plan, p value.Path) string {
	var found []string
	for i := 0; i < len(plan.Edits); i++ {
		e := plan.Edits[i]
		word := opWord(e)
		if i+1 < len(plan.Edits) && isReplaced(e, plan.Edits[i+1]) {
			word = "set"
			i++
		}
		if e.Path.HasPrefix(p) || p.HasPrefix(e.Path) {
			found = append(found, fmt.Sprintf("%s %s in %s", word, e.Path, f.Name))
		}
	}
	return strings.Join(found, ", ")
}

// isReplaced reports whether an edit deletes an entry or item, and the next one puts another in its place:
// so an alias is replaced by a value.
func isReplaced(e, next roundtrip.Edit) bool {
	if e.Op != roundtrip.Delete || len(e.Path) == 0 || len(next.Path) != len(e.Path) {
		return false
	}
	n := len(e.Path) - 1
	switch next.Op {
	case roundtrip.Insert:
		return slices.Equal(next.Path, e.Path)
	case roundtrip.Rename:
		return slices.Equal(next.Path[:n], e.Path[:n]) && next.Key == e.Path[n]
	}
	return false
}

// opWord returns the name of an operation.
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

// A ConflictError is the error of [Restore] for changes that cannot all be written.
type ConflictError struct {
	Report *Report // all changes, with those that can be written
}

// Error returns the conflicts, one on a line.
func (e *ConflictError) Error() string {
	var lines []string
	for _, d := range e.diagnostics() {
		lines = append(lines, d.Error())
	}
	return strings.Join(lines, "\n")
}

// CanInline reports whether [Options].Inline may resolve all conflicts.
func (e *ConflictError) CanInline() bool {
	return !slices.ContainsFunc(e.Report.Conflicts(), func(c ReportChange) bool { return !c.Inline })
}

// Unwrap returns the conflicts as findings of code output.
func (e *ConflictError) Unwrap() []error {
	return (&source.Errors{Diagnostics: e.diagnostics()}).Unwrap()
}

// As sets a target of type **[source.Errors] to the conflicts, so that [source.Findings]
// returns all of them.
func (e *ConflictError) As(target any) bool {
	many, ok := target.(**source.Errors)
	if ok {
		*many = &source.Errors{Diagnostics: e.diagnostics()}
	}
	return ok
}

// diagnostics returns the conflicts as findings.
func (e *ConflictError) diagnostics() []*source.Diagnostic {
	var found []*source.Diagnostic
	for _, c := range e.Report.Conflicts() {
		found = append(found, c.diagnostic())
	}
	return found
}

// diagnostic returns a conflict as a finding at the place that defines the value.
func (c ReportChange) diagnostic() *source.Diagnostic {
	d := source.Errorf(source.Span{}, source.Output, "%s (%s): %s", c.complaint(), c.Reason, c.Reason.Meaning())
	for i, at := range c.Defined {
		if i == 0 {
			d.At = at
			continue
		}
		d.Note(at, "defined here as well")
	}
	for _, at := range c.Through {
		d.Note(at, "comes from this directive")
	}
	if len(c.Ways) > 0 {
		d.Hint = c.Ways[0]
	}
	return d
}

// complaint returns the first part of the message of a conflict, without secrets.
func (c ReportChange) complaint() string {
	where := c.Path.String()
	if c.asWell && c.of != nil && c.of.doc.Name() != "" {
		where = c.of.doc.Name() + ": " + where
	}
	switch {
	case c.asWell && !c.HasNew:
		return where + " would be deleted as well"
	case c.asWell && c.HasOld:
		return where + " would change from " + c.briefOld(false) + " to " + c.briefNew(false) + " as well"
	case c.asWell:
		return where + " would be added as well, as " + c.briefNew(false)
	case !c.HasOld && !c.HasNew:
		return c.Path.String() + " cannot be left out"
	case !c.HasOld:
		return c.Path.String() + " cannot be set to " + c.briefNew(false)
	case !c.HasNew:
		return c.Path.String() + " cannot be deleted"
	case value.IsSame(c.Old, c.New):
		return c.Path.String() + " cannot be kept as " + c.briefNew(false)
	}
	return c.Path.String() + " cannot be changed from " + c.briefOld(false) + " to " + c.briefNew(false)
}

// A report has the conflicts that the check of clear.go would find, and shows no text that the check
// takes for the text of a secret. In
//
//	before            the change        in the report
//	pw: hunter2 !     name: hunter2     + name: "*****", secret-in-clear
//
// the check finds the exposure "name, which is the text of pw", and the change at name is refused.

// expose makes conflicts of the changes that would write a secret in clear. An exposure without a
// place among the changes, such as a secret in a comment, is one of all of them: they are written
// together.
func (f *fold) expose(changes []ReportChange) {
	if f.check == nil {
		return
	}
	for _, e := range f.check.found {
		isAt := func(c ReportChange) bool { return e.isAt(c.Path) }
		nowhere := !slices.ContainsFunc(changes, isAt)
		for i := range changes {
			if c := &changes[i]; nowhere || isAt(*c) {
				f.exposeAt(c, e)
			}
		}
	}
}

// isAt reports whether an exposure is at, in or around the value at a path.
func (e exposure) isAt(p value.Path) bool {
	at := e.path
	if at == nil {
		at = e.of
	}
	return at != nil && (at.HasPrefix(p) || p.HasPrefix(at))
}

// exposeAt makes a conflict of a change that would write a secret in clear, unless that is allowed or
// the value goes to the encrypted file that defines it.
func (f *fold) exposeAt(c *ReportChange, e exposure) {
	if e.of == nil {
		c.result |= e.marks
	}
	if f.options.AllowClear {
		return
	}
	c.Override = ""
	if c.sourceInClear {
		c.Source = ""
	}
	if c.Reason == "" && (f.options.To == Override || c.Source == "") {
		c.Reason, c.Ways = source.InClear, []string{f.check.wayOut(e), "--allow-clear writes it in clear"}
	}
}

// withCopies marks the texts in v that are texts of secrets, whether they may be written or not. A
// short one counts only if the secret is no longer in its own place, as in knownSecrets.
func (f *fold) withCopies(v value.Value) value.Value {
	if f == nil {
		return v
	}
	var known knownSecrets
	if f.earlier != nil {
		known = *f.earlier
	}
	if len(known.at) == 0 && len(f.given) == 0 {
		return v
	}
	out, err := value.Rewrite(v, func(_ value.Position, v value.Value, err error) (value.Value, error) {
		if err != nil {
			return v.Mark(value.Secret), value.SkipInside
		}
		text, ok := secretText(v)
		secret, copied := known.at[text]
		switch {
		case ok && f.given[text]:
			v = v.Mark(value.Secret)
		case ok && copied && (len(text) >= minCopied || secret.doc == f.doc.Index() && secret.isGoneFrom(f.edited)):
			v = v.Mark(secret.marks)
		}
		return v, nil
	})
	if err != nil {
		return v.Mark(value.Secret)
	}
	return out
}
