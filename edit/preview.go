package edit

import (
	"context"
	"errors"
	"strings"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/internal/frontend"
	"github.com/yaytpl/yaytpl/internal/overlay"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// PreviewEdits reports how [Apply] would write each change of edits with either target, and why it cannot, as
// [Preview] does for an edited document: the document of edits is the one that is to be there after them.
//
// Codes: those of Apply for edits that no document can be made of.
func PreviewEdits(ctx context.Context, name string, edits []Edit, o yaytpl.Options, eo Options) (*Report, error) {
	x, err := newSession(ctx, name, o.Engine(ctx, name), eo)
	if err != nil {
		return nil, err
	}
	if x.Lang == frontend.Env {
		if edits, err = envEdits(edits); err != nil {
			return nil, err
		}
	}
	for _, e := range edits {
		x.give(e.Value)
	}
	if err := x.refuseResults(edits); err != nil {
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
		name += ".gpg" // messages do not quote it
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
