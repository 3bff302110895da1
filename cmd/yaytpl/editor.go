package main

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/edit"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// editorFlags are those of edit.
type editorFlags struct {
	restoreFlags
	yes bool
}

func (a *app) editorCommand() *cobra.Command {
	var f editorFlags
	c := &cobra.Command{
		Use:   "edit FILE",
		Short: "edit the expanded document in an editor, and put it back",
		Long: `Opens FILE with its merge directives carried out in $VISUAL, $EDITOR or vi. When the editor
ends, the changes go back into FILE as with restore: what did not change keeps its bytes.
At a terminal the changes of FILE are shown first, and edit asks. If they cannot be written,
the editor opens again, or the edited text is kept in a file that the message names.`,
		Example: `  yaytpl edit site.yaml
  EDITOR='code --wait' yaytpl edit --evaluated site.yaml`,
		Args: exactly("FILE"),
		RunE: func(c *cobra.Command, args []string) error { return f.run(c.Context(), a, args[0]) },
	}
	own := newFlagGroup("Flags")
	f.addTo(own)
	own.set.BoolVarP(&f.yes, "yes", "y", false, "write without asking")
	own.set.BoolVar(&f.output.diff, "diff", false, "print what would change as a unified diff, and write nothing")
	own.set.BoolVar(&f.output.backup, "backup", false, "keep what a file held as FILE.bak")
	own.set.BoolVar(&f.output.reveal, "reveal", false, "edit hidden values as well, and show the lines of encrypted files")
	a.addFlags(c, append([]flagGroup{own}, f.project.groups()...)...)
	return c
}

// run has a file edited and put back.
func (f *editorFlags) run(ctx context.Context, a *app, name string) error {
	if name == "-" {
		return usageErrorf("standard input cannot be edited: it cannot be written").WithHint("use render --expand-only, an editor and restore")
	}
	program, err := a.editorProgram()
	if err != nil {
		return err
	}
	o, err := f.read(a)
	if err != nil {
		return err
	}
	s := &editSession{app: a, flags: f, name: name, options: o, program: program, asker: a.newAsker()}
	if err := s.begin(ctx); err != nil {
		return err
	}
	a.patience.Store(int64(2 * editorGrace)) // to say where the edited text is
	ctx, s.keys = takeInterrupts(ctx)
	defer s.keys.end()
	return s.run(ctx)
}

// begin writes the document into a file for the editor.
func (s *editSession) begin(ctx context.Context) error {
	doc, err := s.document(ctx)
	if err != nil {
		return err
	}
	s.expanded = doc.expanded
	s.options.Warn = nil // what reading the file has to say was said
	if err := s.canRestore(ctx, doc); err != nil {
		return err
	}
	ending, head := ".yaml", s.head()
	if doc.form == "json" {
		ending, head = ".json", "" // it has no comments
	}
	s.file, err = s.newEditorFile(decryptedName(s.name), ending, head, doc.text, doc.secret)
	return err
}

// decryptedName returns the name of a file without the ending of an encrypted one.
func decryptedName(name string) string {
	switch ending := filepath.Ext(name); strings.ToLower(ending) {
	case ".gpg", ".asc":
		return strings.TrimSuffix(name, ending)
	}
	return name
}

// canRestore returns an error if nothing could be put back, before anybody edits it.
func (s *editSession) canRestore(ctx context.Context, doc editDocument) error {
	ctx, stop := s.flags.withTimeout(ctx)
	defer stop()
	untouched := source.NewFile(s.name, doc.text)
	untouched.Secret = doc.secret
	_, err := edit.Restore(ctx, s.name, untouched, s.options, s.flags.options)
	return err
}

// head tells the reader of the document what it is.
func (s *editSession) head() string {
	what := "with its merge directives carried out"
	if s.flags.options.Evaluated {
		what = "finished, with everything in it evaluated"
	}
	lines := []string{
		filepath.Base(s.name) + " " + what + ". Save it, and what you change goes back",
		"into the file, which keeps its directives and comments. If you change nothing, or",
		"leave nothing, the file stays as it is. Changes of comments do not go back.",
	}
	return ownComment + " " + strings.Join(lines, "\n"+ownComment+" ") + "\n"
}

// An editDocument is what is edited.
type editDocument struct {
	form     string // yaml or json
	text     string // what the editor opens
	expanded string // the document with its directives carried out
	secret   bool   // the text shows what is hidden elsewhere
}

// document reads the file and returns what is edited.
func (s *editSession) document(ctx context.Context) (editDocument, error) {
	ctx, stop := s.flags.withTimeout(ctx)
	defer stop()
	if s.reading != nil {
		defer s.reading(s.sizeOf([]string{s.name}))()
	}
	doc := editDocument{form: "yaml"}
	p, err := yaytpl.Open(ctx, []string{s.name}, s.options)
	if err != nil {
		return doc, err
	}
	if strings.EqualFold(filepath.Ext(decryptedName(s.name)), ".json") {
		doc.form = "json"
	}
	if doc.expanded, err = s.rendered(p, yaytpl.RenderOptions{Form: doc.form, ExpandOnly: true, Reveal: true}); err != nil {
		return doc, err
	}
	doc.text, err = s.rendered(p, yaytpl.RenderOptions{Form: doc.form, ExpandOnly: !s.flags.options.Evaluated, Reveal: s.flags.output.reveal})
	if err != nil {
		return doc, err
	}
	doc.secret, err = s.isSecret(p)
	return doc, err
}

func (s *editSession) rendered(p *yaytpl.Project, o yaytpl.RenderOptions) (string, error) {
	var b bytes.Buffer
	err := p.Render(&b, o)
	return b.String(), err
}

// isSecret reports whether the document shows a value that is hidden elsewhere.
func (s *editSession) isSecret(p *yaytpl.Project) (bool, error) {
	hidden := value.Secret
	if s.flags.output.reveal {
		hidden |= value.Sensitive
	}
	for _, d := range p.Documents() {
		v, err := d.Expanded()
		if s.flags.options.Evaluated {
			v, err = d.Value()
		}
		if err != nil {
			return false, err
		}
		marks, err := value.DeepMarks(v)
		if err != nil || marks&hidden != 0 {
			return true, err
		}
	}
	return false, nil
}

// withTimeout returns a context for a part of the work that is not the user's.
func (f *editorFlags) withTimeout(ctx context.Context) (context.Context, context.CancelFunc) {
	if f.project.timeout.d <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, f.project.timeout.d)
}
