package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/edit"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// editorFlags are the flags of edit.
type editorFlags struct {
	restoreFlags
	yes bool
}

func (a *app) editorCommand() *cobra.Command {
	f := editorFlags{restoreFlags: restoreFlags{project: projectFlags{injects: true}}}
	c := &cobra.Command{
		Use:   "edit FILE...",
		Short: "edit the expanded document in an editor, and write it back",
		Long: `Opens the expanded document of FILE in $VISUAL, $EDITOR or vi. When the editor ends, edit
writes the changes back into FILE as restore does: everything else keeps its bytes. At a
terminal it first shows the changes of FILE and asks. If they cannot be written, it opens the
editor again, or keeps the edited text in a file that the message names. Of several FILEs, or the
layers of a target, it writes the last, which overrides the others; --to writes another.`,
		Example: `  yaytpl edit site.yaml
  EDITOR='code --wait' yaytpl edit --evaluated site.yaml
  yaytpl edit @prod`,
		Args: some("FILE"),
		RunE: func(c *cobra.Command, args []string) error { return f.run(c, a, args) },
	}
	own := newFlagGroup("Flags")
	f.addTo(own)
	own.set.BoolVarP(&f.yes, "yes", "y", false, "write without asking")
	own.set.BoolVar(&f.output.diff, "diff", false, "print the change as a unified diff, and write nothing")
	own.set.BoolVar(&f.output.backup, "backup", false, "keep the old file as FILE.bak")
	own.set.BoolVar(&f.output.reveal, "reveal", false, "also edit hidden values, and show secrets in the change")
	return a.withFlags(c, f.project.groups(own)...)
}

// An editSession is one run of edit.
type editSession struct {
	*app
	flags    *editorFlags
	cobra    *cobra.Command
	words    []string // of the command line
	name     string   // of the file that is written
	options  yaytpl.Options
	program  *editorProgram
	asker    *asker // nil without a terminal
	keys     *interrupts
	expanded string // the document when it was opened
	file     *editorFile
}

// run opens a session for the layers that words name.
func (f *editorFlags) run(c *cobra.Command, a *app, words []string) error {
	ctx := c.Context()
	if slices.Contains(slices.Concat(words, f.layers.base, f.layers.over), "-") {
		return usageErrorf("standard input cannot be edited: it cannot be written").WithHint("use render --expand-only, an editor and restore")
	}
	program, err := a.editorProgram()
	if err != nil {
		return err
	}
	name, o, err := f.read(ctx, a, words)
	if err != nil {
		return err
	}
	f.options.Comments = true
	s := &editSession{app: a, flags: f, cobra: c, words: words, name: name, options: o, program: program, asker: a.newAsker()}
	ctx, stop := untilHangup(ctx)
	defer stop()
	if err := s.begin(ctx); err != nil {
		return err
	}
	a.patience.Store(int64(2 * editorGrace)) // to print the name of the edited text
	ctx, s.keys = takeInterrupts(ctx)
	defer s.keys.end()
	return s.run(ctx)
}

// begin writes the document to a file for the editor. It first restores the unchanged
// document, so that an error of the file is reported before the user edits.
func (s *editSession) begin(ctx context.Context) error {
	doc, err := s.document(ctx)
	if err != nil {
		return err
	}
	s.expanded = doc.expanded
	s.options.Warn = onlyAccess(s.options.Warn) // the warnings of reading the file are printed
	untouched := source.NewFile(s.name, doc.text)
	untouched.Secret = doc.secret
	if _, err := s.restore(ctx, untouched, s.flags.options); err != nil {
		return err
	}
	ending, head := ".yaml", s.head()
	if doc.form == "json" {
		ending, head = ".json", "" // JSON has no comments
	}
	s.file, err = s.newEditorFile(source.PlainName(s.name), ending, head, doc.text, doc.secret)
	return err
}

// onlyAccess returns warn for warnings of code access, which saving a file has, and drops others.
func onlyAccess(warn func(*source.Diagnostic)) func(*source.Diagnostic) {
	return func(d *source.Diagnostic) {
		if d.Code == source.Access {
			warn(d)
		}
	}
}

// head returns the comment at the top of the document, for the user in the editor.
func (s *editSession) head() string {
	form := "expanded: its merge directives are applied"
	if s.flags.options.Evaluated {
		form = "evaluated: it is the finished document"
	}
	what := filepath.Base(s.name)
	if len(s.options.Base)+len(s.options.Over)+len(s.options.Above) > 0 {
		what += " with the other layers"
	}
	lines := []string{
		what + ", " + form + ". When you save and close it, your",
		"changes are written back into the file, which keeps its directives and comments.",
		"Without a change, or empty, it leaves the file alone.",
	}
	return ownComment + " " + strings.Join(lines, "\n"+ownComment+" ") + "\n"
}

// An editDocument is the document of a session.
type editDocument struct {
	form     string // yaml or json
	text     string // for the editor
	expanded string // with directives applied, to detect changes of the files
	secret   bool   // the text has values that other output hides
}

// document reads the file and returns its document.
func (s *editSession) document(ctx context.Context) (editDocument, error) {
	ctx, stop := s.flags.withTimeout(ctx)
	defer stop()
	s.reading(s.sizeOf(slices.Concat(s.options.Base, []string{s.name}, s.options.Over)))
	doc := editDocument{form: "yaml"}
	o := s.options
	o.Alone = len(o.Base)+len(o.Over)+len(o.Above) == 0
	o.Inputs = &yaytpl.Inputs{}
	o.Warn = func(d *source.Diagnostic) {
		if d.Code != source.Redacted { // editing.md: a mask keeps its value
			s.options.Warn(d)
		}
	}
	p, err := yaytpl.Open(ctx, []string{s.name}, o)
	if err != nil {
		return doc, err
	}
	if source.LanguageOf(s.name) == "json" {
		doc.form = "json"
	}
	if doc.expanded, err = s.renderText(p, yaytpl.RenderOptions{Form: doc.form, ExpandOnly: true, Reveal: true}); err != nil {
		return doc, err
	}
	doc.text, err = s.renderText(p, yaytpl.RenderOptions{Form: doc.form, ExpandOnly: !s.flags.options.Evaluated, Reveal: s.flags.output.reveal})
	if err != nil {
		return doc, err
	}
	doc.secret, err = s.isSecret(p)
	doc.secret = doc.secret || o.Inputs.Decrypts() // the comments of an encrypted file are in the text
	return doc, err
}

func (s *editSession) renderText(p *yaytpl.Project, o yaytpl.RenderOptions) (string, error) {
	var b bytes.Buffer
	err := p.Render(&b, o)
	return b.String(), err
}

// isSecret reports whether the document has a value that other output hides.
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

// withTimeout returns a context with the time-out, which does not include the time that the
// user takes.
func (f *editorFlags) withTimeout(ctx context.Context) (context.Context, context.CancelFunc) {
	if f.project.timeout.d <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, f.project.timeout.d)
}

// run opens the editor until the document is written or given up.
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

// round opens the editor once and writes the document. It reports whether to open it again.
func (s *editSession) round(ctx context.Context) (again bool, err error) {
	if err := s.program.run(ctx, s.keys, s.file.path); err != nil {
		return false, err
	}
	if s.file.isUntouched() {
		s.remark("nothing changed")
		return false, nil
	}
	edited, err := s.restoreEdited(ctx)
	if err != nil {
		return s.askAgain(ctx, err)
	}
	if !edited.Changed() {
		s.warn(edited)
		s.remark("nothing changed")
		return false, nil
	}
	return s.finish(ctx, edited)
}

// restoreEdited restores the edited document. The files must not have changed since the session
// began: restoring would revert such a change.
func (s *editSession) restoreEdited(ctx context.Context) (*edit.Result, error) {
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
	return s.flags.askToInline(ctx, s.asker, func(ro edit.RestoreOptions) (*edit.Result, error) {
		return s.restore(ctx, text, ro)
	})
}

// restore computes the texts of the files for an edited document.
func (s *editSession) restore(ctx context.Context, document *source.File, ro edit.RestoreOptions) (*edit.Result, error) {
	ctx, stop := s.flags.withTimeout(ctx)
	defer stop()
	return edit.Restore(ctx, s.name, document, s.options, ro)
}

// askAgain prints err and asks whether to open the editor again. Without a terminal it
// returns err.
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

// finish prints the change, asks if there is a terminal, and writes the files.
func (s *editSession) finish(ctx context.Context, edited *edit.Result) (again bool, err error) {
	if s.flags.output.diff {
		return false, s.flags.output.write(s.app, edited)
	}
	s.warn(edited)
	if !s.general.quiet && s.general.errors.is("text") {
		for _, f := range edited.Files {
			if f.Changed() {
				fmt.Fprint(s.err, escapedLines(s.flags.output.unified(f)))
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
	return false, s.flags.output.save(edited, func() error { return edited.SaveContext(ctx) })
}

// giveUp adds to err the name of the edited text, which it keeps, and the command that
// restores it.
func (s *editSession) giveUp(err error) error {
	if s.file.isUntouched() {
		s.file.remove()
		return err
	}
	s.file.removeOthers()
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
	notes := []source.Note{{Message: kept}, {Message: goOn}}
	if info, err := os.Lstat(s.file.path); err == nil && !info.Mode().IsRegular() {
		notes = []source.Note{{Message: "nothing was written; what the editor left is " + s.file.path}}
	}
	last := *findings[len(findings)-1]
	last.Notes = append(last.Notes[:len(last.Notes):len(last.Notes)], notes...)
	return &source.Errors{Diagnostics: append(findings[:len(findings)-1:len(findings)-1], &last)}
}

// goOnCommand returns the command that restores the edited text, with the flags of this one that it has:
//
//	edit --key ann.asc --yes --to=source site.yaml
//	restore -i --key=ann.asc --to=source site.yaml FILE
func (s *editSession) goOnCommand() string {
	words := []string{"yaytpl", "restore", "-i"}
	own := []string{"yes", "diff", "reveal"}
	s.app.generalGroup.set.VisitAll(func(f *pflag.Flag) { own = append(own, f.Name) })
	_ = s.cobra.Flags().ParseAll(s.app.words, func(f *pflag.Flag, val string) error { // it was parsed before
		switch {
		case slices.Contains(own, f.Name):
		case val == f.NoOptDefVal:
			words = append(words, "--"+f.Name)
		default:
			words = append(words, "--"+f.Name+"="+shellQuoted(runtime.GOOS, val))
		}
		return nil
	})
	for _, name := range append(slices.Clone(s.words), s.file.path) {
		words = append(words, shellQuoted(runtime.GOOS, name))
	}
	return strings.Join(words, " ")
}

// shellQuoted quotes a word for sh, or on Windows for both cmd and PowerShell. No name of a
// file on Windows has a double quote.
func shellQuoted(system, word string) string {
	switch {
	case system == "windows" && strings.ContainsAny(word, " \t&()[]{}^=;!'+,`~|<>$%@#"):
		return `"` + word + `"`
	case system == "windows", !strings.ContainsAny(word, shellCharacters):
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// An asker asks questions at a terminal. It is nil without one.
type asker struct {
	app     *app
	answers *bufio.Reader
}

// newAsker returns an asker, or nil unless both standard input and standard error are a
// terminal.
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

// ask repeats a question until the answer begins with one of the letters. An empty answer is
// the first letter. It returns io.EOF without an answer, or the error of ctx.
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

// line reads an answer in lower case. It stops waiting when ctx ends.
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
