package edit

import (
	"errors"
	"fmt"
	"slices"

	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/overlay"
	"github.com/yaytpl/yaytpl/internal/unrender"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/merge"
	"github.com/yaytpl/yaytpl/merge/restore"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A document is folded back in tries, each with a plan of merge/restore, whose result is compared with the
// edited document. With
//
//	base.yaml   {port: 80, hosts: [a]}
//	site.yaml   web: {+include: base.yaml}
//	            api: {+/web: }
//
// the document is {web: {port: 80, hosts: [a]}, api: {port: 80, hosts: [a]}}. The user changes web.port to 81, and
// leaves api as it is:
//
//  1. [fold.unrendered] puts masked values and templates back that the user saw evaluated. Nothing differs here.
//  2. [fold.foldOnce] plans: "port: 81" is added to web. api is {+/web: }, which shows the new port, so that the plan
//     also has "port: 80" for api. [fold.try] writes both edits, opens the texts and compares all documents.
//  3. If a place is wrong, the next plan is more careful there: it expands the directives of the nearest map
//     (at most maxTries plans). What is still wrong then is a conflict, and the texts stay as they were.
//  4. [fold.fold] goes on in rounds, because the keys of a map come after the keys of its directives: the order may
//     need one more edit. It ends when the result is as planned, or the last round changed nothing.
//
// Before the plan, changes at their definitions are made if that was asked for (restore_source.go): with
// --to=source the port would be changed in base.yaml, which is a conflict here, because api.port would change as well.

// A fold folds one edited document back into its file.
type fold struct {
	*restoration
	opened   *engine.Document // as it was at the start of the call
	doc      *engine.Document
	main     int            // which of the documents of the file it is folded into: see candidates
	tree     *yaml.Document // the syntax tree, nil in Yay and for an empty file
	expanded value.Value    // the document that the current texts expand to, with its comments
	before   value.Value    // expanded without comments
	part     value.Value    // before without the layers over the file
	first    value.Value    // before, at the start of the call
	written  value.Value    // the edited document, with its comments
	edited   value.Value    // the document that the texts should expand to
	folded   *foldResult    // the accepted result of the last try, until catchUp; may be nil
	settled  bool           // only the order of keys may still differ: no directive is expanded for it
	check    *clearCheck    // of the texts that a report is about; nil if no edit is tried
}

// A foldResult is a document after edits.
type foldResult struct {
	doc      *engine.Document
	expanded value.Value
	want     value.Value // the document as planned
}

// reopen makes d the document that is edited.
func (f *fold) reopen(d *engine.Document) error {
	expanded, err := overlay.Expanded(d)
	if err != nil {
		return err
	}
	f.doc, f.expanded, f.tree = d, expanded, nil
	if f.before, err = value.Plain(expanded); err != nil || f.isYay() || d.Main() == nil {
		return err
	}
	if f.part = f.before; d.IsUnder() {
		part, err := d.UpToMain()
		if err == nil {
			f.part, err = value.Plain(part)
		}
		if err != nil {
			return err
		}
	}
	docs, err := f.Parse(f.Path, f.Lang)
	if err == nil && d.InFile() < len(docs) {
		f.tree = docs[d.InFile()]
	}
	return err
}

// in returns the document in a project of other texts.
func (f *fold) in(p *engine.Project) (*engine.Document, error) {
	d, err := p.Only(f.doc.Index())
	if err != nil {
		return nil, err
	}
	if all := candidates(d); f.main < len(all) {
		return all[f.main], nil
	}
	return d, nil
}

// candidates returns the document with each document of the named file that is a layer of it as the one to
// edit, the newest first.
func candidates(d *engine.Document) []*engine.Document {
	return append([]*engine.Document{d}, d.Others()...)
}

// catchUp reopens the document if edits of it were accepted.
func (f *fold) catchUp() error {
	if f.folded == nil {
		return nil
	}
	d := f.folded.doc
	f.folded = nil
	return f.reopen(d)
}

// run folds the document back, unless there are conflicts already.
func (f *fold) run() error {
	conflicts := len(f.report.Conflicts()) > 0
	switch {
	case conflicts && !f.reporting:
		return nil
	case f.isYay():
		return f.foldYay()
	}
	if f.options.To == Source && !f.reporting {
		if err := f.toSource(); err != nil || len(f.report.Conflicts()) > 0 {
			return err
		}
	}
	if f.doc.Main() == nil {
		return f.refuseMissing()
	}
	return f.foldSomewhere()
}

// refuseMissing reports the changes of a document that the named file has no part of.
func (f *fold) refuseMissing() error {
	changes, err := restore.Differences(f.before, f.edited)
	for _, p := range changes {
		c, err := f.change(p, f.edited)
		if err != nil {
			return err
		}
		c.Reason = source.NotVerified
		c.Ways = []string{fmt.Sprintf("document %d is not in %s: --to=source edits the definition", f.doc.Index(), f.Name)}
		f.addToReport(c)
	}
	return err
}

// foldSomewhere folds the document into the first document of the named file that takes the edits. With
// +match several of them may be layers of it, some of which are layers of others as well. Conflicts are reported for
// the newest.
func (f *fold) foldSomewhere() error {
	all := candidates(f.doc)
	order, err := f.inOrder(all)
	if err != nil {
		return err
	}
	report, warnings := slices.Clip(f.report.Changes), slices.Clip(f.warnings)
	var first []ReportChange
	for _, i := range order {
		f.report.Changes, f.warnings = report, warnings
		if i != f.main {
			f.main = i
			if err := f.reopen(all[i]); err != nil {
				return err
			}
		}
		if err := f.fold(); err != nil || len(all) == 1 {
			return err
		}
		found := f.report.Changes[len(report):]
		if !slices.ContainsFunc(found, func(c ReportChange) bool { return c.Reason != "" }) {
			return nil
		}
		if first == nil || i == 0 {
			first = slices.Clone(found)
		}
	}
	f.report.Changes, f.warnings, f.main = append(report, first...), warnings, 0
	return f.reopen(all[0])
}

// inOrder returns the order in which candidates are tried: the newest first, after those that are layers of
// other documents which are edited alike.
func (f *fold) inOrder(all []*engine.Document) ([]int, error) {
	if len(all) == 1 {
		return []int{0}, nil
	}
	changes, err := restore.Differences(f.before, f.edited)
	if err != nil {
		return nil, err
	}
	var alike, rest []int
	for i, d := range all {
		if f.isAlike(d.InFile(), changes) {
			alike = append(alike, i)
		} else {
			rest = append(rest, i)
		}
	}
	return append(alike, rest...), nil
}

// isAlike reports whether a document of the named file is a layer of other documents, and each of them has
// the same new values at the changed places.
func (f *fold) isAlike(inFile int, changes []value.Path) bool {
	shared := false
	for _, other := range f.folds {
		if other == f || !slices.ContainsFunc(candidates(other.doc), func(d *engine.Document) bool { return d.Main() != nil && d.InFile() == inFile }) {
			continue
		}
		shared = true
		for _, p := range changes {
			if !sameAt(p, f.edited, other.edited) {
				return false
			}
		}
	}
	return shared
}

// unrendered translates an edited document, which may be masked and evaluated, to an edited
// expanded document. Changed results of expressions become conflicts.
func (f *fold) unrendered(edited value.Value) (value.Value, error) {
	if !f.options.Evaluated {
		v, err := unrender.Unmasked(f.before, edited)
		if err == nil && !f.options.Literal {
			err = f.refuseResults(v)
		}
		return v, err
	}
	f.doc.Begin()
	v, err := f.doc.Value()
	if err != nil {
		return edited, err
	}
	rendered, err := value.Rewrite(v, func(_ value.Position, v value.Value, err error) (value.Value, error) {
		return value.Public(v), err
	})
	if err != nil {
		return edited, err
	}
	f.shown = append(f.shown, rendered) // the user saw the results of templates
	if edited, err = unrender.Unmasked(rendered, edited); err != nil {
		return edited, err
	}
	back, conflicts, err := unrender.Unrendered(f.before, rendered, edited, f.options.Literal)
	for _, c := range conflicts {
		rc, err := f.change(c.Path, f.before)
		if err != nil {
			return edited, err
		}
		rc.Change, rc.Reason, rc.Ways = c.Change, source.ResultOfExpr, c.Ways // with the marks of the result
		f.addToReport(rc)
	}
	return back, err
}

// maxRounds bounds the rounds of fold.
const maxRounds = 4

// fold edits the named file so that it expands to the edited document. It goes on in rounds
// until another one would change nothing: the order of keys may need more than one, since
// the keys of a map come after the keys of its directives.
func (f *fold) fold() error {
	if err := f.foldOnce(); err != nil || f.reporting {
		return err
	}
	for range maxRounds {
		if f.folded == nil {
			return nil
		}
		if same, err := restore.Same(f.folded.want, f.folded.expanded); same || err != nil {
			return nil
		}
		if err := f.catchUp(); err != nil {
			return err
		}
		f.settled = true
		warnings, report := slices.Clip(f.warnings), slices.Clip(f.report.Changes)
		err := f.foldOnce()
		f.warnings = withoutRepeats(f.warnings, warnings)
		f.report.Changes = report // conflicts of a further round do not count: the last result stays
		if err != nil {
			return err
		}
	}
	return nil
}

// withoutRepeats returns all without the findings after known that have the message of one
// in known. all begins with known.
func withoutRepeats(all, known []*source.Diagnostic) []*source.Diagnostic {
	return append(known, slices.DeleteFunc(slices.Clone(all[len(known):]), func(d *source.Diagnostic) bool {
		return slices.ContainsFunc(known, func(k *source.Diagnostic) bool { return k.Message == d.Message })
	})...)
}

// maxTries bounds the tries of foldOnce. Each of them may expand the directives of more maps.
const maxTries = 8

// foldOnce plans edits, writes them and compares the result, with a more careful plan as
// long as the result differs.
func (f *fold) foldOnce() error {
	want, hidden, err := f.wanted()
	if err != nil {
		return err
	}
	if len(hidden) > 0 {
		return f.addHidden(hidden)
	}
	orig := f.original()
	opts, err := f.planOptions()
	if err != nil {
		return err
	}
	for try := 0; ; try++ {
		plan, err := f.plan(orig, want, opts)
		if err != nil {
			return err
		}
		if len(plan.Conflicts) > 0 {
			return f.addConflicts(plan)
		}
		var wrong []value.Path
		if len(plan.Edits) == 0 {
			if wrong, err = restore.Differences(plan.Want, f.before); err != nil {
				return err
			}
			if len(wrong) == 0 && f.reporting {
				return f.describe(plan)
			}
			if len(wrong) == 0 {
				f.warnings = append(f.warnings, plan.Warnings...)
				return nil
			}
		} else {
			wrong, err = f.try(plan)
		}
		switch {
		case err == errShared:
			return nil
		case err == nil && len(wrong) == 0 && f.reporting:
			return f.describe(plan)
		case err == nil && len(wrong) == 0:
			return nil
		}
		if f.Err() != nil {
			return f.Err()
		}
		if isInClear(err) {
			return err
		}
		if try == maxTries || !tightened(&opts, plan, wrong, err) {
			return f.addFailure(plan, wrong, err)
		}
	}
}

// wanted returns the part of the edited document that the layers up to the file have to give, and the
// places that the layers over it hide.
func (f *fold) wanted() (value.Value, []value.Path, error) {
	if !f.doc.IsUnder() {
		return f.edited, nil, nil
	}
	want, err := restore.Moved(f.part, f.before, f.edited)
	if err != nil {
		return want, nil, err
	}
	whole, err := f.whole(want)
	if err != nil {
		return want, nil, err
	}
	hidden, err := restore.Differences(whole, f.edited)
	return want, hidden, err
}

// whole returns the document in which the layers up to the file have the given value.
func (f *fold) whole(part value.Value) (value.Value, error) {
	if !f.doc.IsUnder() {
		return part, nil
	}
	w, err := f.worldOf(restore.Edited{Value: part})
	if err != nil {
		return part, err
	}
	v, err := overlay.Expanded(w.(world).doc)
	if err == nil {
		v, err = value.Plain(v)
	}
	if err != nil {
		return part, afterEdit(err)
	}
	return v, nil
}

// plan plans the edits of the file. The document that the plan wants is the document with all layers.
func (f *fold) plan(orig restore.Original, want value.Value, opts restore.Options) (*restore.Plan, error) {
	plan, err := restore.Make(orig, want, opts)
	if err == nil {
		plan.Want, err = f.whole(plan.Want)
	}
	if err != nil && !f.doc.IsLone() {
		return nil, afterEdit(err) // such as a pointer of another layer without a target
	}
	return plan, err
}

// original returns the document before the edit, without the layers over the file.
func (f *fold) original() restore.Original {
	main := f.doc.Main()
	orig := restore.Original{
		Root: main.Root, Anchors: main.Anchors, Match: main.Match != nil,
		Value: f.part, Written: f.expanded, World: world{f.doc},
	}
	if f.tree != nil {
		orig.Tree = f.tree.Root
	}
	return orig
}

// planOptions returns the options of the first plan.
func (f *fold) planOptions() (restore.Options, error) {
	lists, err := f.Options().ListRules()
	return restore.Options{
		Edited: f.worldOf, Written: f.written, Lists: lists,
		WriteOut: f.options.Inline, NoInline: f.options.NoInline || f.settled, Inline: map[string]bool{},
	}, err
}

// tightened changes the options so that the next plan is more likely to have the right
// result, at the price of more or less readable edits: first the wrong places are checked,
// then the order is kept, then values are written plainly, then lists as a whole, then directives
// are expanded. It returns false if there is nothing left to change.
func tightened(opts *restore.Options, plan *restore.Plan, wrong []value.Path, err error) bool {
	switch {
	case len(wrong) > 0 && len(opts.Doubt) == 0:
		opts.Doubt = wrong
	case !opts.KeepOrder && err != nil:
		opts.KeepOrder = true
	case !opts.Plain:
		opts.Plain = true
	case len(wrong) > 0 && len(opts.Careful) == 0:
		opts.Careful = wrong
	default:
		return opts.WriteOut && !opts.NoInline && plan.Inline(wrong, opts.Inline)
	}
	return true
}

// try writes a plan and accepts the texts if they expand to the planned document. Otherwise
// it returns the places that differ. If the texts cannot be written or expanded, these are
// all changed places, with the error. For a refused edit it returns only the error.
func (f *fold) try(plan *restore.Plan) ([]value.Path, error) {
	t, err := f.write(plan)
	if _, ok := errors.AsType[*source.Refusal](err); ok {
		return nil, err
	}
	if err != nil {
		return f.allWrong(plan, err)
	}
	p, err := f.Open(t)
	if err != nil {
		return f.allWrong(plan, err)
	}
	d, err := f.in(p)
	if err != nil {
		return f.allWrong(plan, err)
	}
	expanded, err := overlay.Expanded(d)
	if err != nil {
		return f.allWrong(plan, err)
	}
	wrong, err := restore.Differences(plan.Want, expanded)
	if err != nil {
		return f.allWrong(plan, err)
	}
	if len(wrong) > 0 {
		return wrong, nil
	}
	if err := f.reconcileOthers(p); err != nil {
		return nil, err
	}
	if f.reporting {
		f.check, err = f.exposures(t, p)
		return nil, err
	}
	t.Warnings = append(t.Warnings, plan.Warnings...)
	if err := f.accept(t, p); err != nil {
		return nil, err
	}
	f.folded = &foldResult{doc: d, expanded: expanded, want: plan.Want}
	return nil, f.reopenOthers(p)
}

// errShared says that an edit changes other documents, which is reported.
var errShared = errors.New("other documents change as well")

// reconcileOthers reports the changes of other documents that the file is a layer of, too.
func (f *fold) reconcileOthers(p *engine.Project) error {
	if f.doc.IsLone() {
		return nil
	}
	before := len(f.report.Conflicts())
	s := f.newSourceEdits()
	for _, other := range f.folds {
		if other == f {
			continue
		}
		err := other.catchUp()
		if err == nil {
			err = s.reconcile(other, p)
		}
		if err != nil {
			return err
		}
	}
	if len(f.report.Conflicts()) > before {
		return errShared
	}
	return nil
}

// reopenOthers makes the documents of a project the ones that are edited next.
func (f *fold) reopenOthers(p *engine.Project) error {
	if f.doc.IsLone() {
		return nil
	}
	for _, other := range f.folds {
		if other == f {
			continue
		}
		d, err := other.in(p)
		if err == nil {
			other.folded = nil
			err = other.reopen(d)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// write writes the edits of a plan.
func (f *fold) write(plan *restore.Plan) (overlay.Texts, error) {
	edits := make(overlay.Edits, len(plan.Edits))
	for i, e := range plan.Edits {
		edits[i] = overlay.Edit{Path: f.Path, Lang: f.Lang, Doc: f.doc.InFile(), Edit: e}
	}
	return f.Write(edits)
}

// allWrong returns every changed place of a plan, and the error, if that is a finding.
func (f *fold) allWrong(plan *restore.Plan, err error) ([]value.Path, error) {
	if _, ok := errors.AsType[*source.Diagnostic](err); !ok {
		return nil, err
	}
	wrong, failed := restore.Differences(f.before, plan.Want)
	return wrong, errors.Join(err, failed)
}

// addFailure reports the places of a plan that failed as conflicts.
func (f *fold) addFailure(plan *restore.Plan, wrong []value.Path, err error) error {
	if refusal, ok := errors.AsType[*source.Refusal](err); ok {
		return f.addRefused(plan, refusal)
	}
	if err != nil && len(wrong) == 0 {
		return err
	}
	inline := len(f.report.Changes)
	defer func() {
		if f.options.Inline || !plan.Inline(wrong, map[string]bool{}) {
			return
		}
		for i := range f.report.Changes[inline:] {
			c := &f.report.Changes[inline+i]
			c.Inline = true
			c.Ways = f.inlineWays(*c)
		}
	}()
	for _, p := range wrong {
		reason := source.NotVerified
		// A key that would be a directive comes from a raw include.
		if slices.ContainsFunc(p, func(k value.Key) bool { return k.Kind == value.StringKind && merge.IsDirective(k.Text) }) {
			reason = source.RawIncluded
		}
		if err := f.addChange(p, plan.Want, reason); err != nil {
			return err
		}
	}
	return nil
}
