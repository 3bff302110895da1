package edit

import (
	"context"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/frontend"
	"github.com/yaytpl/yaytpl/internal/overlay"
	"github.com/yaytpl/yaytpl/lang/yay"
	"github.com/yaytpl/yaytpl/merge"
	"github.com/yaytpl/yaytpl/merge/restore"
	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// RestoreOptions say what may be done to fold an edited document back.
type RestoreOptions struct {
	Options

	// Evaluated says that what was edited is the finished document, not the one with its
	// directives carried out and nothing else. What is as it was rendered is unchanged.
	Evaluated bool
}

// Restore folds the edited form of a finished document back into the file that it
// came from: edited is what [Document.Expanded] gave, in YAML or JSON, with changes. What
// did not change keeps its bytes, directives included; what an include or a pointer
// brings and is to be something else is overridden in the file, or changed where it
// stands if that is the target. The result is expanded again and compared: it comes to
// the edited document, except for what was deleted there and is still referred to
// (spec: roundtrip, section 4). The file stays as it is: see [Edited.Save].
//
// The error is a [*ConflictError] if something that was changed cannot be written.
// Codes: syntax and what else reading the edited text finds, bad-document if it has not
// as many documents as the file, usage for a language that cannot be restored, and what
// opening the file finds.
func Restore(ctx context.Context, name string, edited *source.File, o yaytpl.Options, ro RestoreOptions) (*Result, error) {
	r, err := newRestoring(ctx, name, edited, o.Engine(ctx, name), ro)
	if err != nil {
		return nil, err
	}
	if err := r.run(); err != nil {
		return nil, err
	}
	if len(r.report.Conflicts()) > 0 {
		return nil, &ConflictError{r.report}
	}
	return r.result(), nil
}

// Preview says of each change of an edited document what writing it comes to, with
// either target, and why it cannot be written. Nothing is written. Codes are those of
// [RestoreFile].
func Preview(ctx context.Context, name string, edited *source.File, o yaytpl.Options, ro RestoreOptions) (*Report, error) {
	r, err := newRestoring(ctx, name, edited, o.Engine(ctx, name), ro)
	if err != nil {
		return nil, err
	}
	r.reporting = true
	err = r.run()
	return r.report, err
}

// ReadDocument reads an edited document for [RestoreFile]. One that is encrypted is
// decrypted, and never quoted by messages. "-" is standard input.
//
// Codes: access, decryption, limit.
func ReadDocument(ctx context.Context, name string, o yaytpl.Options) (*source.File, error) {
	e := o.Engine(ctx, name)
	files := e.Files()
	f, err := overlay.Open(ctx, files, name, e)
	if err != nil {
		return nil, err
	}
	edited := source.NewFile(files.Shown(name), f.Text)
	edited.Secret = f.Encrypted()
	return edited, nil
}

// A restoration is an edited document on its way back into its file.
type restoration struct {
	*session
	options RestoreOptions
	changed *source.File // what was edited

	foldings  []*fold // of each document
	reporting bool
	report    *Report
}

func newRestoring(ctx context.Context, name string, edited *source.File, o engine.Options, ro RestoreOptions) (*restoration, error) {
	x, err := newSession(ctx, name, o, ro.Options)
	if err != nil {
		return nil, err
	}
	return &restoration{session: x, options: ro, changed: edited, report: &Report{}}, nil
}

// run reads what was edited and folds it back, one document after the other.
func (r *restoration) run() error {
	p, err := r.Project()
	if err != nil {
		return err
	}
	edited, err := r.editedDocuments(p)
	if err != nil {
		return err
	}
	docs := p.Documents()
	if len(edited) != len(docs) {
		return source.Errorf(r.changed.Span(0, 0), source.BadDocument, "the number of documents is %d here, and %d in %s", len(edited), len(docs), r.Name)
	}
	for i, d := range docs {
		f, err := r.folding(d, edited[i])
		if err != nil {
			return err
		}
		r.foldings = append(r.foldings, f)
	}
	for _, f := range r.foldings {
		if err := f.run(); err != nil {
			return err
		}
	}
	return nil
}

// editedDocuments reads what was edited. Nothing in it is a directive.
func (r *restoration) editedDocuments(p *engine.Project) ([]*engine.Document, error) {
	o := r.parseOptions()
	o.NoDirectives = true
	l, _ := frontend.ByEnding(r.changed.Name)
	o.JSON = l.Name == frontend.JSON
	docs, findings := merge.Parse(r.changed, o)
	for _, d := range findings {
		if d.Severity == source.Error {
			return nil, d
		}
	}
	if len(docs) == 0 {
		docs = []*graph.Doc{{File: r.changed}}
	}
	if err := r.emptied(docs, p.Documents()); err != nil {
		return nil, err
	}
	out := make([]*engine.Document, len(docs))
	for i, doc := range docs {
		out[i] = p.Document(i, engine.RootLayer(doc, r.changed.Name))
	}
	return out, nil
}

// emptied returns an error if all was deleted: most often the text was never written.
func (r *restoration) emptied(docs []*graph.Doc, was []*engine.Document) error {
	if len(docs) > 1 || docs[0].Root != nil || len(was) == 0 || len(was) == 1 && was[0].Empty() {
		return nil
	}
	return source.Errorf(r.changed.Span(0, 0), source.BadDocument, "there is nothing in it, and something in %s", r.Name).
		WithHint("{} or null, if that is what is meant")
}

func (r *restoration) parseOptions() merge.Options {
	return merge.Options{
		NoTemplates: r.Options().Parse.NoTemplates, NoExpressions: r.Options().Parse.NoExpressions, Lenient: r.Options().Parse.Lenient, JSON: r.Lang == frontend.JSON,
	}
}

// folding returns a document on its way back, and what was edited in it in terms of the
// expanded one.
func (r *restoration) folding(d, edited *engine.Document) (*fold, error) {
	if err := d.ParseText(); err != nil {
		return nil, err
	}
	f := &fold{restoration: r}
	if err := f.reopen(d); err != nil {
		return nil, err
	}
	var err error
	if f.written, err = overlay.Expanded(edited); err != nil {
		return nil, err
	}
	if f.edited, err = value.Plain(f.written); err != nil {
		return nil, err
	}
	f.first = f.before
	f.edited, err = f.understood(f.edited)
	return f, err
}

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
