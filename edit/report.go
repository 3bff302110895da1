package edit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/draft"
	"github.com/yaytpl/yaytpl/internal/show"
	"github.com/yaytpl/yaytpl/internal/unrender"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/merge/restore"
	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Report lists the changes of an edited document, and where each can be written.
type Report struct {
	Changes []ReportChange // in the order of the document
}

// A ReportChange is one change of an expanded document, with the ways to write it.
type ReportChange struct {
	value.Change               // path, old and new value in the expanded document
	Defined      []source.Span // the definitions of the old value, the effective one first
	Through      []source.Span // the directives that include or refer to it, the innermost first
	Override     string        // the edit of the named file, "" if there is none
	Source       string        // the edit of the definition, "" if there is none
	Reason       source.Reason // why it cannot be written, "" if it can
	Ways         []string      // how to resolve a conflict, the best way first
	Inline       bool          // [Options].Inline may resolve the conflict, by expanding a directive

	asWell bool        // a side effect of other changes, not a change of the edited document
	of     *fold       // the document
	result value.Marks // of the old value, evaluated: those of a new value in its place
	hidden bool        // the new value goes to an encrypted file

	sourceInClear bool // Source is an edit of a file that is not encrypted
}

// Conflicts returns the changes that cannot be written.
func (r *Report) Conflicts() []ReportChange {
	var found []ReportChange
	for _, c := range r.Changes {
		if c.Reason != "" {
			found = append(found, c)
		}
	}
	return found
}

// WriteText writes the report as text: a line for each change, and below it the definitions,
// the directives, the edits or the conflict. Secrets are masked unless reveal is set.
func (r *Report) WriteText(w io.Writer, reveal bool) error {
	var b bytes.Buffer
	if len(r.Changes) == 0 {
		b.WriteString("nothing changes\n")
	}
	for _, c := range r.Changes {
		fmt.Fprintf(&b, "%s\n", source.Escaped(c.headline(reveal)))
		for _, at := range c.Defined {
			fmt.Fprintf(&b, "  %-9s %s\n", "defined", at)
		}
		for _, at := range c.Through {
			fmt.Fprintf(&b, "  %-9s %s in %s\n", "through", source.Escaped(openingLine(at)), at)
		}
		c.writeOutcome(&b)
	}
	return show.WriteTo(w, b.Bytes())
}

// headline returns a change on one line, in the form of a diff.
func (c ReportChange) headline(reveal bool) string {
	switch {
	case !c.HasOld:
		return fmt.Sprintf("+ %s: %s", c.Path, c.briefNew(reveal))
	case !c.HasNew:
		return fmt.Sprintf("- %s: %s", c.Path, c.briefOld(reveal))
	}
	return fmt.Sprintf("~ %s: %s -> %s", c.Path, c.briefOld(reveal), c.briefNew(reveal))
}

// writeOutcome writes the conflict or the edits of a change.
func (c ReportChange) writeOutcome(b *bytes.Buffer) {
	if c.Reason != "" {
		fmt.Fprintf(b, "  %-9s %s: %s\n", "conflict", c.Reason, c.Reason.Meaning())
		for _, way := range c.Ways {
			fmt.Fprintf(b, "  %-9s %s\n", "way out", way)
		}
	}
	for _, way := range []struct{ name, text string }{{"override", c.Override}, {"source", c.Source}} {
		if way.text != "" {
			fmt.Fprintf(b, "  %-9s %s\n", way.name, source.Escaped(way.text))
		}
	}
}

// openingLine returns the first line of the text of a place, which may be a whole map.
func openingLine(at source.Span) string {
	if at.File != nil && at.File.Secret {
		return value.SecretText
	}
	line, _, _ := strings.Cut(at.Text(), "\n")
	return show.Text(strings.TrimSpace(line))
}

// briefOld returns the old value on one line.
func (c ReportChange) briefOld(reveal bool) string { return compact(c.marked(c.Old), reveal) }

// briefNew returns the new value on one line.
func (c ReportChange) briefNew(reveal bool) string { return compact(c.markedNew(), reveal) }

// markedNew returns the new value as marked does. What takes the place of the result of a template
// is as secret as the result, and so is what goes to an encrypted file, or is the text of a secret.
func (c ReportChange) markedNew() value.Value {
	v := c.marked(c.New)
	if c.result != 0 && !unrender.IsEvaluated(v) {
		v = v.Mark(c.result)
	}
	if c.hidden {
		v = v.Mark(value.Secret)
	}
	return c.of.withCopies(v)
}

// marked returns a value of the change with the marks by which it is masked. A value that
// replaces a secret is a secret, and so is a value that an encrypted file defines.
func (c ReportChange) marked(v value.Value) value.Value {
	marks, err := value.DeepMarks(c.Old)
	if err != nil {
		marks = value.Secret
	}
	for _, at := range c.Defined {
		if at.File != nil && at.File.Secret {
			marks |= value.Secret
		}
	}
	if show.InsideSensitive(c.Path) {
		marks |= value.Sensitive
	}
	if marks != 0 {
		return v.Mark(marks)
	}
	return withSensitiveCalls(v)
}

// withSensitiveCalls marks the templates in v that may contain an argument of "sensitive",
// and that argument of an expression object.
func withSensitiveCalls(v value.Value) value.Value {
	out, err := value.Rewrite(v, func(at value.Position, v value.Value, err error) (value.Value, error) {
		switch {
		case err != nil && v.IsNull():
			return v, value.Drop // cannot be computed
		case err != nil: // nested too deeply
			return v.Mark(value.Sensitive), value.SkipInside
		case at.Key == value.K("sensitive") || v.Is(value.StringKind) && show.CallsSensitive(v.Str()):
			return v.Mark(value.Sensitive), nil
		}
		return v, nil
	})
	if err != nil {
		return v.Mark(value.Sensitive)
	}
	return out
}

// compact returns a value on one line, with secrets masked unless reveal is set.
func compact(v value.Value, reveal bool) string {
	text, err := compactJSON(v, reveal)
	if err != nil {
		return show.Value(v, reveal) // JSON has no infinity
	}
	return show.Cut(text)
}

// compactJSON returns a value as JSON on one line.
func compactJSON(v value.Value, reveal bool) (string, error) {
	var b bytes.Buffer
	o := yaml.EncodeOptions{Compact: true, DropTags: true, Reveal: reveal, Redact: !reveal}
	err := yaml.EncodeJSON(&b, v, o)
	return strings.TrimSuffix(b.String(), "\n"), err
}

// A restoreJSON is a report in JSON.
type restoreJSON struct {
	Changes []restoreChangeJSON `json:"changes"`
}

// A restoreChangeJSON is a change in JSON. Empty fields have no key.
type restoreChangeJSON struct {
	Path     string          `json:"path"`
	Old      json.RawMessage `json:"old,omitempty"`
	New      json.RawMessage `json:"new,omitempty"`
	Defined  []spanJSON      `json:"defined"`
	Through  []spanJSON      `json:"through"`
	Override string          `json:"override,omitempty"`
	Source   string          `json:"source,omitempty"`
	Reason   source.Reason   `json:"reason,omitempty"`
	Ways     []string        `json:"ways,omitempty"`
}

// A spanJSON is a place: lines and columns from 1, columns in characters.
type spanJSON struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Col  int    `json:"col"`
}

// JSON returns the report in JSON:
//
//	{"changes":[{"path":"web.port","old":80,"new":8080,
//	  "defined":[{"file":"base.yaml","line":2,"col":9}],"through":[{"file":"main.yaml","line":1,"col":1}],
//	  "override":"...","source":"...","reason":"...","ways":["..."]}]}
//
// An added value has no old, a deleted one no new; override and source are omitted if the
// change cannot be written there; only a conflict has reason and ways. Secrets are masked
// unless reveal is set.
func (r *Report) JSON(reveal bool) ([]byte, error) {
	out := restoreJSON{Changes: []restoreChangeJSON{}}
	for _, c := range r.Changes {
		j := restoreChangeJSON{
			Path: c.Path.String(), Defined: spansJSON(c.Defined), Through: spansJSON(c.Through),
			Override: c.Override, Source: c.Source, Reason: c.Reason, Ways: c.Ways,
		}
		if c.HasOld {
			j.Old = rawJSON(c.marked(c.Old), reveal)
		}
		if c.HasNew {
			j.New = rawJSON(c.markedNew(), reveal)
		}
		out.Changes = append(out.Changes, j)
	}
	return show.JSON(out)
}

// rawJSON returns a value as JSON. A value that JSON does not have, such as .inf, becomes a
// string.
func rawJSON(v value.Value, reveal bool) json.RawMessage {
	if text, err := compactJSON(v, reveal); err == nil {
		return json.RawMessage(text)
	}
	text, _ := json.Marshal(show.Value(v, reveal)) // strings always marshal
	return text
}

// spansJSON returns places in JSON.
func spansJSON(spans []source.Span) []spanJSON {
	out := []spanJSON{}
	for _, at := range spans {
		if at.IsZero() {
			continue
		}
		line, col := at.File.Position(int(at.Start))
		out = append(out, spanJSON{at.File.Name, line, col})
	}
	return out
}

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

// lookup returns the value at a path, and false if there is none.
func lookup(v value.Value, p value.Path) (value.Value, bool) {
	v, ok, err := draft.Find(v, p)
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
