package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"
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

// An editSession is one run of edit.
type editSession struct {
	*app
	flags    *editorFlags
	name     string
	options  yaytpl.Options
	program  *editorProgram
	asker    *asker // nil if nobody is there
	keys     *interrupts
	expanded string // the document when it was read
	file     *editorFile
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
	untouched := source.NewFile(s.name, doc.text)
	untouched.Secret = doc.secret
	if _, err := s.restore(ctx, untouched); err != nil { // find out before the user edits
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

// run has the document edited until it is written or given up.
func (s *editSession) run(ctx context.Context) error {
	for {
		again, err := s.round(ctx)
		switch {
		case again:
		case err == nil:
			s.file.remove()
			return nil
		default:
			return s.giveUp(err)
		}
	}
}

// round has the document edited once.
func (s *editSession) round(ctx context.Context) (again bool, err error) {
	if err := s.program.run(ctx, s.keys, s.file.path); err != nil {
		return false, err
	}
	if s.file.isUntouched() {
		s.remark("nothing changed")
		return false, nil
	}
	edited, err := s.restored(ctx)
	if err != nil {
		return s.askAgain(ctx, err)
	}
	if !edited.Changed() {
		s.remark("nothing changed")
		return false, nil
	}
	return s.finish(ctx, edited)
}

// restored puts the edited document back into the texts of the files. They must be
// those that the document was made of: otherwise a change that somebody else made
// meanwhile would be taken back.
func (s *editSession) restored(ctx context.Context) (*edit.Result, error) {
	text, err := s.file.read()
	if err != nil {
		return nil, err
	}
	now, err := s.document(ctx)
	if err != nil {
		return nil, err
	}
	if now.expanded != s.expanded {
		return nil, source.Errorf(source.Span{}, source.Access,
			"%s, or a file that it includes, changed while it was edited; it was not written", s.name)
	}
	return s.restore(ctx, text)
}

// restore puts a document back into the texts of the files.
func (s *editSession) restore(ctx context.Context, document *source.File) (*edit.Result, error) {
	ctx, stop := s.flags.withTimeout(ctx)
	defer stop()
	return edit.Restore(ctx, s.name, document, s.options, s.flags.options)
}

// askAgain shows what is wrong and asks whether to go on, if somebody is there.
func (s *editSession) askAgain(ctx context.Context, err error) (again bool, _ error) {
	if s.asker == nil || ctx.Err() != nil {
		return false, err
	}
	status := s.report(err)
	answer, failed := s.asker.ask(ctx, "edit again, or abort? [E/a]", "ea")
	switch {
	case errors.Is(failed, context.Canceled):
		return false, failed
	case answer == "e":
		return true, nil
	}
	return false, errReported{status}
}

// finish shows what changes and writes it, unless somebody is there who says no.
func (s *editSession) finish(ctx context.Context, edited *edit.Result) (again bool, err error) {
	if s.flags.output.diff {
		return false, s.flags.output.write(s.app, edited)
	}
	s.tell(edited)
	if !s.general.quiet && s.general.errors.is("text") {
		for _, f := range edited.Files {
			if f.Changed() {
				fmt.Fprint(s.err, s.flags.output.unified(f))
			}
		}
	}
	if s.asker != nil && !s.flags.yes {
		answer, err := s.asker.ask(ctx, "write? [Y]es, [n]o, [e]dit again", "yne")
		switch {
		case errors.Is(err, io.EOF):
			return false, source.Errorf(source.Span{}, "", "there was no answer; nothing was written")
		case err != nil || answer == "e":
			return err == nil, err
		case answer == "n":
			s.remark("nothing was written")
			return false, nil
		}
	}
	return false, s.flags.output.save(edited)
}

// giveUp ends the session with an error. What was edited is kept, and said where.
func (s *editSession) giveUp(err error) error {
	if s.file.isUntouched() {
		s.file.remove()
		return err
	}
	kept := "the edited text is kept in " + s.file.path
	if s.file.secret {
		kept += ", which holds decrypted text: remove it when it is no longer needed"
	}
	goOn := "to put it back: " + s.goOnCommand()
	findings := source.Findings(err)
	var reported errReported
	if errors.As(err, &reported) || errors.Is(err, context.Canceled) {
		s.show(source.Errorf(source.Span{}, "", "nothing was written").Note(source.Span{}, "%s", kept).Note(source.Span{}, "%s", goOn))
		return err
	}
	last := *findings[len(findings)-1]
	last.Notes = append(last.Notes[:len(last.Notes):len(last.Notes)], source.Note{Message: kept}, source.Note{Message: goOn})
	return &source.Errors{Diagnostics: append(findings[:len(findings)-1:len(findings)-1], &last)}
}

// goOnCommand returns the command that puts the edited text back.
func (s *editSession) goOnCommand() string {
	words := []string{"yaytpl", "restore", "-i"}
	f := s.flags
	for _, flag := range []struct {
		name string
		set  bool
	}{
		{"--evaluated", f.options.Evaluated}, {"--to=source", f.to.is("source")}, {"--no-inline", f.options.NoInline},
		{"--allow-changes", f.options.AllowChanges}, {"--literal", f.options.Literal}, {"--backup", f.output.backup},
	} {
		if flag.set {
			words = append(words, flag.name)
		}
	}
	return strings.Join(append(words, shellQuoted(runtime.GOOS, s.name), shellQuoted(runtime.GOOS, s.file.path)), " ")
}

// shellQuoted writes a word so that a shell reads it as one: on Windows, where no name has
// a double quote in it, both of the usual shells.
func shellQuoted(system, word string) string {
	switch {
	case system == "windows" && strings.ContainsAny(word, " \t&()[]{}^=;!'+,`~|<>$%@#"):
		return `"` + word + `"`
	case system == "windows", !strings.ContainsAny(word, shellCharacters):
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// An asker asks somebody in front of a terminal. A nil one has nobody to ask.
type asker struct {
	app     *app
	answers *bufio.Reader
}

// newAsker returns who asks at the terminal of the run, nil if there is none: somebody
// has to see the question and to answer it.
func (a *app) newAsker() *asker {
	if a.answers != nil {
		return &asker{a, bufio.NewReader(a.answers)}
	}
	in, ok := openTerminal(a.in)
	if _, seen := openTerminal(a.err); !ok || !seen {
		return nil
	}
	return &asker{a, bufio.NewReader(in)}
}

// ask asks until the answer is one of the letters, of which the first is that of an
// empty answer. The error is io.EOF if there is no answer, or that of ctx.
func (q *asker) ask(ctx context.Context, question, letters string) (string, error) {
	for {
		fmt.Fprintf(q.app.err, "%s ", question)
		answer, err := q.line(ctx)
		if err != nil {
			fmt.Fprintln(q.app.err)
			return "", err
		}
		if answer == "" {
			return letters[:1], nil
		}
		if letter := answer[:1]; slices.Contains(strings.Split(letters, ""), letter) {
			return letter, nil
		}
	}
}

// line reads an answer in small letters. When ctx ends nobody waits for it.
func (q *asker) line(ctx context.Context) (string, error) {
	type answer struct {
		text string
		err  error
	}
	answers := make(chan answer, 1)
	go func() {
		text, err := q.answers.ReadString('\n')
		answers <- answer{text, err}
	}()
	select {
	case got := <-answers:
		if got.err != nil && got.text == "" {
			return "", got.err
		}
		return strings.ToLower(strings.TrimSpace(got.text)), nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}
