package yaytpl

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/merge"
	"github.com/yaytpl/yaytpl/merge/restore"
	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A restoring is an edited document on its way back into its file.
type restoring struct {
	*editing
	options RestoreOptions
	changed *source.File // what was edited

	project   *Project
	trees     []*yaml.Document
	reporting bool
	report    *RestoreReport
}

func newRestoring(ctx context.Context, name string, edited *source.File, o Options, ro RestoreOptions) (*restoring, error) {
	x, err := newEditing(ctx, name, o, ro.EditOptions)
	if err != nil {
		return nil, err
	}
	return &restoring{editing: x, options: ro, changed: edited, report: &RestoreReport{}}, nil
}

func (r *restoring) run() error {
	var err error
	if r.project, err = r.editing.project(); err != nil {
		return err
	}
	edited, err := r.editedDocuments()
	if err != nil {
		return err
	}
	if r.trees, err = r.parseTrees(); err != nil {
		return err
	}
	docs := r.project.Documents()
	if len(edited) != len(docs) {
		return source.Errorf(r.changed.Span(0, 0), source.BadDocument, "there are %d documents here, and %d in %s", len(edited), len(docs), r.name)
	}
	for i := range docs {
		v, err := edited[i].Expanded()
		if err != nil {
			return err
		}
		d := r.project.Documents()[i] // those before it may have been read again
		if err := r.document(d, v); err != nil {
			return err
		}
	}
	return nil
}

// editedDocuments reads what was edited. Nothing in it is a directive.
func (r *restoring) editedDocuments() ([]*Document, error) {
	o := r.parseOptions()
	o.NoDirectives = true
	front, _ := byEnding(r.changed.Name)
	o.JSON = front.name == "json"
	docs, findings := merge.Parse(r.changed, o)
	for _, d := range findings {
		if d.Severity == source.Error {
			return nil, d
		}
	}
	if len(docs) == 0 {
		docs = []*graph.Doc{{File: r.changed}}
	}
	if err := r.emptied(docs); err != nil {
		return nil, err
	}
	out := make([]*Document, len(docs))
	for i, doc := range docs {
		out[i] = &Document{project: r.project, index: i, layers: []graph.RootLayer{rootLayer(doc, r.changed.Name)}}
	}
	return out, nil
}

// emptied returns an error if all was deleted: most often the text was never written.
func (r *restoring) emptied(docs []*graph.Doc) error {
	was := r.project.Documents()
	if len(docs) > 1 || docs[0].Root != nil || len(was) == 0 || len(was) == 1 && was[0].Empty() {
		return nil
	}
	return source.Errorf(r.changed.Span(0, 0), source.BadDocument, "there is nothing in it, and something in %s", r.name).
		WithHint("{} or null, if that is what is meant")
}

func (r *restoring) parseOptions() merge.Options {
	return merge.Options{
		NoTemplates: r.opts.NoTemplates, NoExpressions: r.opts.NoExpressions, Lenient: r.opts.Lenient, JSON: r.lang == "json",
	}
}

// parseTrees reads the file as it is written. Of Yay there are no trees.
func (r *restoring) parseTrees() ([]*yaml.Document, error) {
	if r.isYay() {
		return nil, nil
	}
	docs, err := r.parse(r.path, r.lang)
	if err != nil {
		return nil, err
	}
	trees := make([]*yaml.Document, len(docs))
	for i, d := range docs {
		trees[i] = d.(yamlDocument).doc
	}
	return trees, nil
}

// document folds one document back.
func (r *restoring) document(d *Document, edited value.Value) error {
	if err := d.parseText(); err != nil {
		return err
	}
	expanded, err := d.Expanded()
	if err != nil {
		return err
	}
	before, err := value.Plain(expanded)
	if err != nil {
		return err
	}
	f := folding{restoring: r, doc: d, before: before, expanded: expanded, written: edited}
	if edited, err = value.Plain(edited); err != nil {
		return err
	}
	if edited, err = f.understood(edited); err != nil {
		return err
	}
	conflicts := len(r.report.Conflicts()) > 0
	switch {
	case conflicts && !r.reporting:
		return nil
	case r.isYay():
		return f.foldYay(edited)
	}
	if r.options.To == Source && !r.reporting {
		if edited, err = f.toSource(edited); err != nil || len(r.report.Conflicts()) > 0 {
			return err
		}
	}
	return f.fold(edited)
}

// A folding is one document on its way back.
type folding struct {
	*restoring
	doc      *Document
	before   value.Value
	expanded value.Value // what was there before, with its comments
	written  value.Value // what was edited, with its comments
	folded   *folded     // what the last edits came to, nil for none
}

// understood returns an edited document in terms of the expanded one.
func (f *folding) understood(edited value.Value) (value.Value, error) {
	if !f.options.Evaluated {
		v, err := unmasked(f.before, edited)
		if err == nil && !f.options.Literal {
			err = f.keepExpressions(v)
		}
		return v, err
	}
	v, err := f.doc.Value()
	if err != nil {
		return edited, err
	}
	rendered, err := value.Plain(v)
	if err != nil {
		return edited, err
	}
	if edited, err = unmasked(rendered, edited); err != nil {
		return edited, err
	}
	back, conflicts, err := unrendered(f.before, rendered, edited, f.options.Literal)
	for _, c := range conflicts {
		who, err := f.change(c.Path, f.before)
		if err != nil {
			return edited, err
		}
		c.Defined, c.Through = who.Defined, who.Through
		f.addConflict(c)
	}
	return back, err
}

// maxTries bounds how often the text is made anew because it did not come to what was
// wanted: each time a map more is written without its directives.
const maxTries = 8

// maxRounds bounds how often what was folded back is folded back once more.
const maxRounds = 4

// fold makes the edits that let the file come to the edited document, until doing so once
// more would change nothing: the order of keys may take another round, since what a map
// says itself stands behind what it is built on.
func (f *folding) fold(edited value.Value) error {
	if err := f.foldOnce(edited); err != nil || f.reporting {
		return err
	}
	for range maxRounds {
		if f.folded == nil || f.isSettled() {
			return nil
		}
		if err := f.foldAgain(edited); err != nil {
			return err
		}
	}
	return nil
}

// A folded is what a document came to.
type folded struct {
	project  *Project
	doc      *Document
	expanded value.Value
	want     value.Value
}

// isSettled reports whether a document is as it is wanted, the order of keys included.
func (f *folding) isSettled() bool {
	same, err := restore.Same(f.folded.want, f.folded.expanded)
	return same || err != nil
}

// foldAgain goes on from what was written. If that cannot be made better, it stays.
func (f *folding) foldAgain(edited value.Value) error {
	was := f.folded
	f.folded = nil
	f.expanded = was.expanded
	before, err := value.Plain(was.expanded)
	if err != nil {
		return err
	}
	if err := f.reopen(was.project, was.doc, before); err != nil {
		return err
	}
	warnings, report := slices.Clip(f.warnings), slices.Clip(f.report.Changes)
	err = f.foldOnce(edited)
	f.warnings = withoutRepeats(f.warnings, warnings)
	f.report.Changes = report
	return err
}

// withoutRepeats returns findings without those that were told before.
func withoutRepeats(all, known []*source.Diagnostic) []*source.Diagnostic {
	return append(known, slices.DeleteFunc(slices.Clone(all[len(known):]), func(d *source.Diagnostic) bool {
		return slices.ContainsFunc(known, func(k *source.Diagnostic) bool { return k.Message == d.Message })
	})...)
}

// foldOnce makes the edits that let the file come to the edited document.
func (f *folding) foldOnce(edited value.Value) error {
	orig := f.original()
	opts := restore.Options{Edited: f.worldOf, Written: f.written, NoInline: f.options.NoInline, Inline: map[string]bool{}}
	for try := 0; ; try++ {
		plan, err := restore.Make(orig, edited, opts)
		if err != nil {
			return err
		}
		if len(plan.Conflicts) > 0 {
			return f.addConflicts(plan)
		}
		if f.reporting {
			return f.describe(plan)
		}
		if len(plan.Edits) == 0 {
			f.warnings = append(f.warnings, plan.Warnings...)
			return nil
		}
		wrong, err := f.try(plan)
		if err == nil && len(wrong) == 0 {
			return nil
		}
		if f.ctx.Err() != nil {
			return f.ctx.Err()
		}
		if try == maxTries || !askMore(&opts, plan, wrong, err) {
			return f.addFailure(plan, wrong, err)
		}
	}
}

// askMore lets the next plan be one that is surer to come to what is wanted, and less
// pleasant. It returns false if there is none.
func askMore(opts *restore.Options, plan *restore.Plan, wrong []value.Path, err error) bool {
	switch {
	case len(wrong) > 0 && len(opts.Doubt) == 0:
		opts.Doubt = wrong
	case !opts.KeepOrder && err != nil:
		opts.KeepOrder = true
	case !opts.Plain:
		opts.Plain = true
	default:
		return !opts.NoInline && plan.Inline(wrong, opts.Inline)
	}
	return true
}

// try makes the edits of a plan, and returns the places that do not come to what they
// should, and why if they come to nothing.
func (f *folding) try(plan *restore.Plan) ([]value.Path, error) {
	w, err := f.tryEdits(plan)
	var refusal *roundtrip.Refusal
	if errors.As(err, &refusal) {
		return nil, err
	}
	if err != nil {
		return f.broken(plan, err)
	}
	after, err := f.expanding(w)
	if err != nil {
		return f.broken(plan, err)
	}
	after.want = plan.Want
	wrong, err := restore.Differences(plan.Want, after.expanded)
	if err != nil {
		return f.broken(plan, err)
	}
	if len(wrong) == 0 {
		w.warnings = append(w.warnings, plan.Warnings...)
		f.accept(w, after.project)
		f.folded = after
	}
	return wrong, nil
}

// broken returns all that was edited as wrong if it cannot be written, or expanded then.
func (f *folding) broken(plan *restore.Plan, err error) ([]value.Path, error) {
	var d *source.Diagnostic
	if !errors.As(err, &d) {
		return nil, err
	}
	wrong, failed := restore.Differences(f.before, plan.Want)
	return wrong, errors.Join(err, failed)
}

// expanding expands the document of files that were written.
func (f *folding) expanding(w rewritten) (*folded, error) {
	p, err := f.open(w.texts, func(*source.Diagnostic) {})
	if err != nil {
		return nil, err
	}
	d, err := p.Only(f.doc.index)
	if err != nil {
		return nil, err
	}
	after, err := d.Expanded()
	return &folded{project: p, doc: d, expanded: after}, err
}

// addFailure makes a conflict of what could not be written.
func (f *folding) addFailure(plan *restore.Plan, wrong []value.Path, err error) error {
	var refusal *roundtrip.Refusal
	if errors.As(err, &refusal) {
		return f.addRefused(plan, refusal)
	}
	if err != nil && len(wrong) == 0 {
		return err
	}
	for _, p := range wrong {
		reason := NotVerified
		if slices.ContainsFunc(p, looksLikeDirective) {
			reason = RawIncluded
		}
		if err := f.addChange(p, plan.Want, reason); err != nil {
			return err
		}
	}
	return nil
}

// looksLikeDirective reports whether a key of a document would be a directive if it were
// written: it is there because something is brought raw.
func looksLikeDirective(k value.Key) bool {
	return k.Kind == value.StringKind && strings.HasPrefix(k.Text, "+")
}
