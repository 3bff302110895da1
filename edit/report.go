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
	"github.com/yaytpl/yaytpl/internal/overlay"
	"github.com/yaytpl/yaytpl/internal/show"
	"github.com/yaytpl/yaytpl/internal/unrender"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/merge/restore"
	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Report says of each change of an expanded document where it can be written.
type Report struct {
	Changes []ReportChange // in the order of the document
}

// A ReportChange is one change of an expanded document, with the ways to write it.
type ReportChange struct {
	value.Change               // the path, and the old and the new value, in the expanded document
	Defined      []source.Span // what defines the old value, what decides first
	Through      []source.Span // the directives that bring it, the innermost first
	Override     string        // what writing into the named file comes to, "" if it cannot be written there
	Source       string        // what writing where it is defined comes to, "" if it cannot be written there
	Reason       source.Reason // why it cannot be written, "" if it can
	Ways         []string      // what people can do about a conflict, the best first

	asWell bool // nobody asked for it: it would come with the others
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

// WriteText writes the report for people: for each change a line, and below it where
// the value is defined, what brings it, and what each way to write it comes to. What
// must not be shown is masked unless reveal is set.
func (r *Report) WriteText(w io.Writer, reveal bool) error {
	var b bytes.Buffer
	if len(r.Changes) == 0 {
		b.WriteString("nothing changes\n")
	}
	for _, c := range r.Changes {
		fmt.Fprintf(&b, "%s\n", c.headline(reveal))
		for _, at := range c.Defined {
			fmt.Fprintf(&b, "  %-9s %s\n", "defined", at)
		}
		for _, at := range c.Through {
			fmt.Fprintf(&b, "  %-9s %s in %s\n", "through", openingLine(at), at)
		}
		c.writeOutcome(&b)
	}
	return show.WriteTo(w, b.Bytes())
}

// headline writes a change on one line, in the form of the differences of documents.
func (c ReportChange) headline(reveal bool) string {
	switch {
	case !c.HasOld:
		return fmt.Sprintf("+ %s: %s", c.Path, c.briefNew(reveal))
	case !c.HasNew:
		return fmt.Sprintf("- %s: %s", c.Path, c.briefOld(reveal))
	}
	return fmt.Sprintf("~ %s: %s -> %s", c.Path, c.briefOld(reveal), c.briefNew(reveal))
}

func (c ReportChange) writeOutcome(b *bytes.Buffer) {
	if c.Reason != "" {
		fmt.Fprintf(b, "  %-9s %s: %s\n", "conflict", c.Reason, c.Reason.Meaning())
		for _, way := range c.Ways {
			fmt.Fprintf(b, "  %-9s %s\n", "way out", way)
		}
	}
	for _, way := range []struct{ name, text string }{{"override", c.Override}, {"source", c.Source}} {
		if way.text != "" {
			fmt.Fprintf(b, "  %-9s %s\n", way.name, way.text)
		}
	}
}

// openingLine returns the first line of a place in a file, which may be a whole map.
func openingLine(at source.Span) string {
	if at.File != nil && at.File.Secret {
		return value.SecretText
	}
	line, _, _ := strings.Cut(at.Text(), "\n")
	return show.Text(strings.TrimSpace(line))
}

// briefOld writes the old value on one line.
func (c ReportChange) briefOld(reveal bool) string { return compact(c.marked(c.Old), reveal) }

// briefNew writes the new value on one line.
func (c ReportChange) briefNew(reveal bool) string { return compact(c.marked(c.New), reveal) }

// marked returns a value of the change with the marks that showing it has to heed: what
// stands in place of a secret is one, and so is what an encrypted file is to hold.
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
	return withSensitiveCalls(v, 0)
}

// withSensitiveCalls returns a value of an expanded document with the templates marked
// in which an argument of "sensitive" may stand.
func withSensitiveCalls(v value.Value, depth int) value.Value {
	switch {
	case depth > value.MaxNesting:
		return v.Mark(value.Sensitive)
	case v.Is(value.StringKind) && show.CallsSensitive(v.Str()):
		return v.Mark(value.Sensitive)
	case v.Is(value.ListKind):
		items := value.Slice{}
		for item, err := range value.Items(v.List()) {
			if err == nil {
				items = append(items, withSensitiveCalls(item, depth+1))
			}
		}
		return value.FromList(items).Mark(v.Marks())
	case v.Is(value.MapKind):
		m := value.NewMap(v.Map().Len())
		for k := range v.Map().Keys() {
			item, ok, err := v.Map().Get(k)
			if !ok || err != nil {
				continue
			}
			item = withSensitiveCalls(item, depth+1)
			if k == value.K("sensitive") {
				item = item.Mark(value.Sensitive)
			}
			m.Set(k, item)
		}
		return value.FromMap(m).Mark(v.Marks())
	}
	return v
}

// compact writes a value on one line, with what must not be shown masked.
func compact(v value.Value, reveal bool) string {
	text, err := compactJSON(v, reveal)
	if err != nil {
		return show.Value(v, reveal) // JSON has no infinity
	}
	return show.Cut(text)
}

func compactJSON(v value.Value, reveal bool) (string, error) {
	var b bytes.Buffer
	o := yaml.EncodeOptions{Compact: true, DropTags: true, Reveal: reveal, Redact: !reveal}
	err := yaml.EncodeJSON(&b, v, o)
	return strings.TrimSuffix(b.String(), "\n"), err
}

// The report as programs read it. What is absent has no key.
type restoreJSON struct {
	Changes []restoreChangeJSON `json:"changes"`
}

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

// JSON writes the report for programs:
//
//	{"changes":[{"path":"web.port","old":80,"new":8080,
//	  "defined":[{"file":"base.yaml","line":2,"col":9}],"through":[{"file":"main.yaml","line":1,"col":1}],
//	  "override":"...","source":"...","reason":"...","ways":["..."]}]}
//
// A place that only one of the documents has lacks old or new, what cannot be written
// somewhere lacks override or source, and only a conflict has a reason and ways. What
// must not be shown is masked unless reveal is set.
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
			j.New = rawJSON(c.marked(c.New), reveal)
		}
		out.Changes = append(out.Changes, j)
	}
	return show.JSON(out)
}

// rawJSON returns a value as JSON; what JSON cannot say, such as .inf, as a text.
func rawJSON(v value.Value, reveal bool) json.RawMessage {
	if text, err := compactJSON(v, reveal); err == nil {
		return json.RawMessage(text)
	}
	text, _ := json.Marshal(show.Value(v, reveal)) // a text has a form always
	return text
}

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
	facts, err := factsAt(f.doc, p)
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

// A ConflictError is the error of edits that cannot all be written. Nothing was.
type ConflictError struct {
	Report *Report // of all changes, those that could be written too
}

// Error returns the conflicts, a line each.
func (e *ConflictError) Error() string {
	var lines []string
	for _, d := range e.diagnostics() {
		lines = append(lines, d.Error())
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the conflicts as findings of code output.
func (e *ConflictError) Unwrap() []error {
	return (&source.Errors{Diagnostics: e.diagnostics()}).Unwrap()
}

// As gives the conflicts as [Errors], so that [Findings] has all of them.
func (e *ConflictError) As(target any) bool {
	many, ok := target.(**source.Errors)
	if ok {
		*many = &source.Errors{Diagnostics: e.diagnostics()}
	}
	return ok
}

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
		d.Note(at, "brought by this")
	}
	if len(c.Ways) > 0 {
		d.Hint = c.Ways[0]
	}
	return d
}

// complaint says what cannot be done, without secrets.
func (c ReportChange) complaint() string {
	switch {
	case c.asWell && !c.HasNew:
		return c.Path.String() + " would go as well"
	case c.asWell && c.HasOld:
		return c.Path.String() + " would change from " + c.briefOld(false) + " to " + c.briefNew(false) + " as well"
	case c.asWell:
		return c.Path.String() + " would come as well, as " + c.briefNew(false)
	case !c.HasOld && !c.HasNew:
		return c.Path.String() + " cannot be kept out"
	case !c.HasOld:
		return c.Path.String() + " cannot be set to " + c.briefNew(false)
	case !c.HasNew:
		return c.Path.String() + " cannot be deleted"
	case value.IsSame(c.Old, c.New):
		return c.Path.String() + " cannot be kept as " + c.briefNew(false)
	}
	return c.Path.String() + " cannot be changed from " + c.briefOld(false) + " to " + c.briefNew(false)
}
