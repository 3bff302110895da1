package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/edit"
	"github.com/yaytpl/yaytpl/source"
)

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

func (s *editSession) remark(text string) {
	d := source.Errorf(source.Span{}, "", "%s", text)
	d.Severity = source.Info
	s.show(d)
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
		return nil, errChanged(s.name)
	}
	ctx, stop := s.flags.withTimeout(ctx)
	defer stop()
	return edit.Restore(ctx, s.name, text, s.options, s.flags.options)
}

func errChanged(name string) error {
	return source.Errorf(source.Span{}, source.Access, "%s, or a file that it includes, changed while it was edited; it was not written", name)
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
	s.tellDifference(edited)
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

// tellDifference shows what changes in which file.
func (s *editSession) tellDifference(e *edit.Result) {
	if s.general.quiet || s.general.errors.is("json") {
		return
	}
	for _, f := range e.Files {
		if f.Changed() {
			fmt.Fprint(s.err, s.flags.output.unified(f))
		}
	}
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
