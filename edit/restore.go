package edit

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/frontend"
	"github.com/yaytpl/yaytpl/internal/overlay"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/lang/yay"
	"github.com/yaytpl/yaytpl/merge"
	"github.com/yaytpl/yaytpl/merge/restore"
	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// RestoreOptions are the options of [Restore] and [Preview].
type RestoreOptions struct {
	Options

	// Evaluated says that the edited document was evaluated, not just expanded: a value
	// that equals the result of its expression or template is unchanged.
	Evaluated bool

	// Comments says that a comment that is missing from the edited document was removed, as
	// in an editor. Without it only new and changed comments count: many programs that write
	// a document drop the comments.
	Comments bool
}

// Restore edits a file so that it expands to an edited document, and returns the new texts.
// edited is the result of [yaytpl.Document.Expanded] after changes, as YAML or JSON; only its
// values and comments count, not its style. Parts of the file that expand to unchanged values keep their
// bytes, directives included. A changed value that comes from an include or a pointer is
// overridden in the file, or changed in the file that defines it if the target is [Source] and the
// edited document does not keep the old value at another place of the definition.
//
// With [yaytpl.Options].Base and Over the document is the document of all layers, and the file has the
// differences from the layers below it. Changes that a layer over it hides are conflicts, and so are changes of
// other documents that the file is a layer of.
//
// The new texts are expanded again and compared: they are the edited document, apart from
// deleted values that are still referred to (spec: roundtrip, section 4). Nothing is written
// before [Result.Save].
//
// The error is a [*ConflictError] if a change cannot be written.
// Codes: syntax and the other codes of parsing the edited text; bad-document if it has
// another number of documents than the file; usage for a language that cannot be restored;
// and the codes of [yaytpl.Open].
func Restore(ctx context.Context, name string, edited *source.File, o yaytpl.Options, ro RestoreOptions) (*Result, error) {
	r, err := newRestoration(ctx, name, edited, o.Engine(ctx, name), ro)
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

// Preview reports how [Restore] would write each change of an edited document with either
// target, and why it cannot.
//
// Codes: the codes of Restore.
func Preview(ctx context.Context, name string, edited *source.File, o yaytpl.Options, ro RestoreOptions) (*Report, error) {
	r, err := newRestoration(ctx, name, edited, o.Engine(ctx, name), ro)
	if err != nil {
		return nil, err
	}
	r.reporting = true
	err = r.run()
	return r.report, err
}

// PreviewEdits reports how [Apply] would write each change of edits with either target, and why it cannot, as
// [Preview] does for an edited document: the document of edits is the one that is to be there after them.
//
// Codes: the codes of Apply for edits that no document can be made of.
func PreviewEdits(ctx context.Context, name string, edits []Edit, o yaytpl.Options, eo Options) (*Report, error) {
	x, edits, err := begin(ctx, name, edits, o.Engine(ctx, name), eo)
	if err != nil {
		return nil, err
	}
	changed, err := x.drafted(edits)
	if err != nil {
		return nil, err
	}
	r := &restoration{session: x, options: RestoreOptions{Options: eo}, changed: changed, report: &Report{}, reporting: true}
	err = r.run()
	return r.report, err
}

// drafted returns the documents after edits as a text.
func (x *session) drafted(edits []Edit) (*source.File, error) {
	b, err := x.batch()
	if err != nil {
		return nil, err
	}
	for _, e := range edits {
		if err := b.planAll(e, len(edits) == 1); err != nil {
			return nil, e.located(err)
		}
	}
	var text strings.Builder
	docs := make([]value.Value, len(b.drafts))
	for i, d := range b.drafts {
		docs[i] = d.Root
	}
	if err := yaml.EncodeDocuments(&text, docs, yaml.EncodeOptions{Reveal: true}); err != nil {
		return nil, err
	}
	name := "the edited document"
	if overlay.IsEncrypted(x.Name) {
		name += ".gpg" // its values are secrets: see newFold
	}
	return source.NewFile(name, text.String()), nil
}

// planAll plans an edit at all places that it has.
func (b *batch) planAll(e Edit, single bool) error {
	exact, err := b.exactly(e)
	if err != nil {
		return err
	}
	for _, one := range exact {
		if err := b.plan(one, single && len(exact) == 1); errors.Is(err, errApart) {
			return source.Refuse(source.Span{}, source.NotVerified, "%s cannot be reported with the edits before it", e.Path).
				WithHint("make these edits first, or report each alone")
		} else if err != nil {
			return err
		}
	}
	return nil
}

// ReadDocument reads an edited document for [Restore]. An encrypted file is decrypted;
// messages do not quote it. The name "-" is standard input.
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

// A restoration is one call of [Restore] or [Preview].
type restoration struct {
	*session
	options RestoreOptions
	changed *source.File // the edited documents

	folds     []*fold // one for each document
	reporting bool    // the call is Preview
	report    *Report
}

func newRestoration(ctx context.Context, name string, edited *source.File, o engine.Options, ro RestoreOptions) (*restoration, error) {
	x, err := newSession(ctx, name, o, ro.Options)
	if err != nil {
		return nil, err
	}
	changed := source.NewFile(edited.Name, edited.Text) // its own, for hidesSecrets
	changed.Path, changed.Secret = edited.Path, edited.Secret
	return &restoration{session: x, options: ro, changed: changed, report: &Report{}}, nil
}

// run parses the edited documents and folds them back one after the other.
func (r *restoration) run() error {
	p, err := r.Project()
	if err != nil {
		return err
	}
	edited, err := r.editedDocuments(p)
	if r.hidesSecrets(p) {
		r.changed.Secret = true // messages do not quote it; its values are parsed already
	}
	if err != nil {
		return err
	}
	docs := p.Documents()
	if len(edited) != len(docs) {
		where := r.Name
		if !r.Options().IsAlone() {
			where += " with the other layers"
		}
		return source.Errorf(r.changed.Span(0, 0), source.BadDocument, "the number of documents is %d here, and %d in %s", len(edited), len(docs), where)
	}
	for i, d := range docs {
		f, err := r.newFold(d, edited[i])
		if err != nil {
			return err
		}
		r.folds = append(r.folds, f)
	}
	r.rememberSecrets()
	for _, f := range r.folds {
		if err := f.run(); err != nil {
			return err
		}
	}
	if r.reporting || len(r.report.Conflicts()) > 0 {
		return nil
	}
	return r.writeComments()
}

// hidesSecrets reports whether a document has values or comments of encrypted files, which the edited one
// then has as well.
func (r *restoration) hidesSecrets(p *engine.Project) bool {
	c := clearCheck{session: r.session, before: p, after: p}
	if slices.ContainsFunc(c.files(), func(f *source.File) bool { return f.Secret }) {
		return true
	}
	for _, d := range p.Documents() {
		if v, err := overlay.Expanded(d); err == nil && marksIn(v)&value.Secret != 0 {
			return true
		}
	}
	return false
}

// editedDocuments parses the edited documents. Keys that look like directives are keys. An
// empty text is an error unless the file is empty: most often it was never written.
func (r *restoration) editedDocuments(p *engine.Project) ([]*engine.Document, error) {
	o := r.parseOptions()
	o.NoDirectives = true
	o.JSON = source.LanguageOf(r.changed.Name) == frontend.JSON
	docs, findings := merge.Parse(r.changed, o)
	if d := source.FirstError(findings); d != nil {
		return nil, d
	}
	if len(docs) == 0 {
		docs = []*graph.Doc{{File: r.changed}}
	}
	if old := p.Documents(); len(docs) == 1 && docs[0].Root == nil && len(old) > 0 && (len(old) > 1 || !old[0].Empty()) {
		return nil, source.Errorf(r.changed.Span(0, 0), source.BadDocument, "the edited document is empty, but not %s", r.Name).
			WithHint("write {} or null for an empty document")
	}
	out := make([]*engine.Document, len(docs))
	for i, doc := range docs {
		out[i] = p.Document(i, engine.RootLayer(doc, r.changed.Name))
	}
	return out, nil
}

// parseOptions returns the options to parse the named file.
func (r *restoration) parseOptions() merge.Options {
	parse := r.Options().Parse
	return merge.Options{ParseOptions: yaml.ParseOptions{NoTemplates: parse.NoTemplates, Lenient: parse.Lenient}, NoExpressions: parse.NoExpressions, JSON: r.Lang == frontend.JSON}
}

// newFold returns a fold of the document d that was edited to be edited.
func (r *restoration) newFold(d, edited *engine.Document) (*fold, error) {
	if err := d.ParseText(); err != nil {
		return nil, err
	}
	f := &fold{restoration: r, opened: d}
	if err := f.reopen(d); err != nil {
		return nil, err
	}
	var err error
	if f.written, err = overlay.Expanded(edited); err != nil {
		return nil, err
	}
	if f.edited, err = value.Plain(f.written); err == nil && !value.IsSame(f.before, f.edited) {
		err = cmp.Or(checkSize(f.before), checkSize(f.edited))
	}
	if err != nil {
		return nil, err
	}
	if overlay.IsEncrypted(f.changed.Name) {
		f.give(f.written)
	}
	f.first = f.before
	f.edited, err = f.unrendered(f.edited)
	return f, err
}

// foldYay folds an edited document back into a Yay file. Plain values can be set and
// deleted: in the named file, or anywhere if the target is [Source]. If an edited value
// decides a condition, the values that come or go with it are other changes.
func (f *fold) foldYay() error {
	s := f.newSourceEdits()
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

// planYay adds the edits that make one change.
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
	case stays && old.Is(value.ListKind):
		edits, err = s.batch.literalItems(step, old, now)
	default:
		edits, err = s.batch.literalWay(step)
	}
	if err == nil && s.reporting {
		err = s.tryYay(edits)
	}
	if err != nil {
		return s.addRefusal(p, err)
	}
	s.natural = append(s.natural, step.natural...)
	if s.reporting {
		return s.describeYay(p)
	}
	return s.add(p, edits)
}

// tryYay writes edits for a report.
func (s *sourceEdits) tryYay(edits overlay.Edits) error {
	t, err := s.Write(edits)
	if err != nil {
		return err
	}
	s.check = nil
	if p, err := s.Open(t); err == nil {
		s.check, err = s.exposures(t, p)
		return err
	}
	return nil // other edits may be needed with them
}

// describeYay reports a change that can be written.
func (s *sourceEdits) describeYay(p value.Path) error {
	c, err := s.change(p, s.edited)
	if err != nil {
		return err
	}
	op := "set"
	if !c.HasNew {
		op = "delete"
	}
	text := op + " " + p.String() + " in " + s.Name
	if s.options.To == Source {
		c.Source, c.sourceInClear = text, true // what went to an encrypted file exposes nothing
	} else {
		c.Override = text
	}
	found := []ReportChange{c}
	s.expose(found)
	s.addToReport(found[0])
	return nil
}

// isYay reports whether the named file is in Yay.
func (r *restoration) isYay() bool { return r.Lang == yay.Language }
