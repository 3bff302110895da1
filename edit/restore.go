package edit

import (
	"context"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/source"
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
	return r.edited(), nil
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
