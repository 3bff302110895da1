package edit

import (
	"context"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/frontend"
	"github.com/yaytpl/yaytpl/internal/overlay"
	"github.com/yaytpl/yaytpl/merge"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

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
