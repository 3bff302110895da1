package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/yaytpl/yaytpl/source"
)

// ownComment begins the lines at the top of an edited document that are no part of it.
const ownComment = "#>"

// An editorFile is the file that the editor opens. Its directory is readable by the user only
// and has no other files but what the editor writes, such as backups, which are removed with it.
type editorFile struct {
	dir, path string
	text      string // the document, before it was edited
	secret    bool   // it has decrypted or hidden values
}

// newEditorFile writes a document to a file that is named after its source. Secrets go to a
// directory in memory if the system has one.
func (a *app) newEditorFile(name, ending, head, text string, secret bool) (*editorFile, error) {
	dir, err := a.privateDir(secret)
	if err != nil {
		return nil, cannotKeep(err)
	}
	base := filepath.Base(name)
	base = strings.TrimSuffix(base, filepath.Ext(base))
	f := &editorFile{dir: dir, path: filepath.Join(dir, base+".edited"+ending), text: text, secret: secret}
	if err := os.WriteFile(f.path, []byte(head+text), 0o600); err != nil {
		f.remove()
		return nil, cannotKeep(err)
	}
	return f, nil
}

func cannotKeep(err error) error {
	d := source.Errorf(source.Span{}, source.Access, "cannot write the document for the editor: %v", err)
	d.Cause = err
	return d
}

// privateDir makes a directory for one file, for secrets in memory if possible.
func (a *app) privateDir(secret bool) (string, error) {
	const pattern = "yaytpl-edit-"
	if secret && runtime.GOOS == "linux" {
		memory := []string{"/dev/shm"}
		if dir, _ := a.getenv("XDG_RUNTIME_DIR"); filepath.IsAbs(dir) {
			memory = []string{dir, "/dev/shm"}
		}
		for _, in := range memory {
			if dir, err := os.MkdirTemp(in, pattern); err == nil {
				return dir, nil
			}
		}
	}
	return os.MkdirTemp("", pattern)
}

// read returns the edited document. The comment at its top becomes empty lines, so that
// messages have the line numbers of the file.
func (f *editorFile) read() (*source.File, error) {
	text, err := readRegular(f.path)
	if err != nil {
		d := source.Errorf(source.Span{}, source.Access, "cannot read the edited document: %v", err)
		d.Cause = err
		return nil, d
	}
	breaks, document := cutOwnLines(string(text))
	edited := source.NewFile(f.path, breaks+document)
	edited.Secret = f.secret
	return edited, nil
}

// isUntouched reports whether the document is unchanged, empty or deleted.
func (f *editorFile) isUntouched() bool {
	text, err := readRegular(f.path)
	if err != nil {
		return os.IsNotExist(err)
	}
	_, now := cutOwnLines(string(text))
	return now == f.text || strings.TrimSpace(now) == ""
}

func (f *editorFile) remove() { _ = os.RemoveAll(f.dir) }

// removeOthers removes backups and other files of the editor, which may have decrypted text as well.
func (f *editorFile) removeOthers() {
	entries, err := os.ReadDir(f.dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if name := filepath.Join(f.dir, e.Name()); name != f.path {
			_ = os.RemoveAll(name)
		}
	}
}

// cutOwnLines cuts the comment lines at the top of a text that begin with [ownComment], and
// returns their line breaks and the rest.
func cutOwnLines(text string) (breaks, document string) {
	var b strings.Builder
	for strings.HasPrefix(text, ownComment) {
		line, rest, ended := strings.Cut(text, "\n")
		if text = rest; !ended {
			break
		}
		if strings.HasSuffix(line, "\r") {
			b.WriteByte('\r')
		}
		b.WriteByte('\n')
	}
	return b.String(), text
}

// editorGrace is the time for an editor to stop.
const editorGrace = time.Second

// An editorProgram is the editor of the user.
type editorProgram struct {
	app     *app
	command string // a command line without the file
}

// editorProgram returns the editor of VISUAL or EDITOR, or else notepad on Windows, vi
// elsewhere. vi needs a terminal.
func (a *app) editorProgram() (*editorProgram, error) {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if command, _ := a.getenv(name); strings.TrimSpace(command) != "" {
			return &editorProgram{a, command}, nil
		}
	}
	if runtime.GOOS == "windows" {
		return &editorProgram{a, "notepad"}, nil
	}
	if _, ok := openTerminal(a.in); !ok {
		return nil, usageErrorf("no terminal for vi").
			WithHint("set EDITOR, such as EDITOR='code --wait', or use render --expand-only and restore")
	}
	return &editorProgram{a, "vi"}, nil
}

// run opens a file and returns when the editor ends. Meanwhile it ignores interrupts: the
// editor at the same terminal gets them too.
func (e *editorProgram) run(ctx context.Context, keys *interrupts, path string) error {
	words := editorWords(runtime.GOOS, e.command, path)
	c := exec.CommandContext(ctx, words[0], words[1:]...)
	c.Dir, c.Env = e.app.dir, e.app.environ()
	c.Stdin, c.Stdout, c.Stderr = e.app.in, e.app.out, e.app.err
	c.Cancel = func() error {
		if err := c.Process.Signal(syscall.SIGTERM); err != nil {
			return c.Process.Kill() // Windows has no signals
		}
		return nil
	}
	c.WaitDelay = editorGrace
	err := c.Start()
	if err == nil {
		keys.leave()
		err = c.Wait()
		keys.take()
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var exit *exec.ExitError
	switch {
	case err == nil, errors.Is(err, exec.ErrWaitDelay):
		return nil
	case !errors.As(err, &exit) || exit.ExitCode() == shellCannotRun || exit.ExitCode() == shellNotFound:
		d := usageErrorf("cannot run the editor %q: %v", e.command, err).
			WithHint("set VISUAL or EDITOR to a command that edits a file, such as EDITOR=nano")
		d.Cause = err
		return d
	}
	return source.Errorf(source.Span{}, "", "the editor %q ended with %s; nothing was written", e.command, exit)
}

// The exit statuses of a shell that could not run a command.
const (
	shellCannotRun = 126
	shellNotFound  = 127
)

// shellCharacters make a command more than a name.
const shellCharacters = "|&;<>()$`\\\"' \t\n*?[#~=%"

// editorWords returns the words of a command and the file. As in git, a shell runs a command
// that is more than a name; on Windows, blanks and double quotes delimit its words.
//
//	nano           nano FILE
//	code --wait    sh -c 'code --wait "$@"' 'code --wait' FILE
func editorWords(system, command, path string) []string {
	switch {
	case system == "windows":
		return append(quotedWords(command), path)
	case strings.ContainsAny(command, shellCharacters):
		return []string{"sh", "-c", command + ` "$@"`, command, path}
	}
	return []string{command, path}
}

func quotedWords(command string) []string {
	var words []string
	var quoted bool
	word := func(c rune) bool {
		if c == '"' {
			quoted = !quoted
		}
		return (c == ' ' || c == '\t') && !quoted
	}
	for _, w := range strings.FieldsFunc(command, word) {
		words = append(words, strings.ReplaceAll(w, `"`, ""))
	}
	return words
}

// interrupts switches the meaning of an interrupt (Ctrl-C) during a session.
type interrupts struct {
	taken chan os.Signal
	ended chan struct{}
}

// takeInterrupts returns a context that ends with the next interrupt.
func takeInterrupts(ctx context.Context) (context.Context, *interrupts) {
	ctx, cancel := context.WithCancel(ctx)
	i := &interrupts{make(chan os.Signal, 1), make(chan struct{})}
	go func() {
		defer cancel()
		select {
		case <-i.taken:
		case <-i.ended:
		}
	}()
	return ctx, i
}

// leave ignores interrupts, for the time of another process at the terminal.
func (i *interrupts) leave() { signal.Ignore(os.Interrupt) }

// take makes the next interrupt end the context.
func (i *interrupts) take() { signal.Notify(i.taken, os.Interrupt) }

// end restores the default meaning of interrupts.
func (i *interrupts) end() {
	signal.Reset(os.Interrupt)
	close(i.ended)
}

// untilHangup returns a context that a hang-up or a quit of the terminal ends, or an abort, as an
// interrupt does, so that the decrypted file of the editor is removed. A signal that the process was started to
// ignore, as with nohup, stays ignored.
func untilHangup(ctx context.Context) (context.Context, context.CancelFunc) {
	var taken []os.Signal
	for _, s := range []os.Signal{syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGABRT} {
		if !signal.Ignored(s) {
			taken = append(taken, s)
		}
	}
	if len(taken) == 0 {
		return context.WithCancel(ctx)
	}
	return signal.NotifyContext(ctx, taken...)
}

// maxEdited bounds the text that an editor leaves, in bytes. Documents are not longer: the limit of
// a result is 256 MB.
const maxEdited = 1 << 30

// readRegular reads a regular file. An editor may have left a pipe, a device or a link in its place:
// reading it could block, or read another file.
func readRegular(path string) ([]byte, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	switch {
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no longer a regular file", path)
	case info.Size() > maxEdited:
		return nil, fmt.Errorf("%s has %d bytes, more than the limit of %d", path, info.Size(), maxEdited)
	}
	return os.ReadFile(path)
}
