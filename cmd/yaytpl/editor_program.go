package main

import (
	"context"
	"errors"
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

// ownComment begins the lines at the top of an edited document that are not part of it.
const ownComment = "#>"

// An editorFile is the document that the editor opens, alone in a directory that nobody
// else can read: what the editor leaves beside it goes with it.
type editorFile struct {
	dir, path string
	text      string // the document, before it was edited
	secret    bool   // it holds decrypted text, or what is hidden elsewhere
}

// newEditorFile writes a document into a file with the name of the one that it came
// from. What is secret is kept in memory where the system has a directory for that.
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
	d := source.Errorf(source.Span{}, source.Access, "the document cannot be written for the editor: %v", err)
	d.Cause = err
	return d
}

// privateDir makes a directory for one file.
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

// read returns the document as it is now. The lines of ours at its top are empty, so
// that places in it are those of the file.
func (f *editorFile) read() (*source.File, error) {
	text, err := os.ReadFile(f.path)
	if err != nil {
		d := source.Errorf(source.Span{}, source.Access, "the edited document cannot be read: %v", err)
		d.Cause = err
		return nil, d
	}
	breaks, document := cutOwnLines(string(text))
	edited := source.NewFile(f.path, breaks+document)
	edited.Secret = f.secret
	return edited, nil
}

// isUntouched reports whether the document is what it was, or nothing any more.
func (f *editorFile) isUntouched() bool {
	text, err := os.ReadFile(f.path)
	if err != nil {
		return os.IsNotExist(err)
	}
	_, now := cutOwnLines(string(text))
	return now == f.text || strings.TrimSpace(now) == ""
}

func (f *editorFile) remove() { _ = os.RemoveAll(f.dir) }

// cutOwnLines returns the line breaks of the lines at the top of a text that begin with
// [ownComment], and the text below them.
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

// editorGrace is how long an editor may take to stop.
const editorGrace = time.Second

// An editorProgram is the editor of the user.
type editorProgram struct {
	app     *app
	command string // as the user would type it, without the file
}

// editorProgram returns the editor that VISUAL or EDITOR names, or the usual one of the
// system, which needs a terminal.
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
		return nil, usageErrorf("there is no terminal for vi to run in").
			WithHint("name an editor in EDITOR, such as EDITOR='code --wait'; without one, use restore")
	}
	return &editorProgram{a, "vi"}, nil
}

// run has a file edited. It returns when the editor ends. Meanwhile interrupts are a
// matter of the editor, which is at the same terminal.
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
	return e.ended(err)
}

// The statuses with which a shell says that it could not run a command.
const (
	shellCannotRun = 126
	shellNotFound  = 127
)

// ended returns what is wrong if the editor ended with an error.
func (e *editorProgram) ended(err error) error {
	var exit *exec.ExitError
	switch {
	case err == nil, errors.Is(err, exec.ErrWaitDelay):
		return nil
	case !errors.As(err, &exit):
		return e.notStarted(err)
	case exit.ExitCode() == shellCannotRun || exit.ExitCode() == shellNotFound:
		return e.notStarted(exit)
	}
	return source.Errorf(source.Span{}, "", "the editor %q ended with %s; nothing was written", e.command, exit)
}

func (e *editorProgram) notStarted(err error) error {
	d := usageErrorf("the editor %q cannot be run: %v", e.command, err).
		WithHint("VISUAL or EDITOR is to be a command that edits a file, such as EDITOR=nano")
	d.Cause = err
	return d
}

// shellCharacters are those that make a command more than a name.
const shellCharacters = "|&;<>()$`\\\"' \t\n*?[#~=%"

// editorWords returns the command with a file behind it. As with git, a shell reads a
// command that is more than a name, so that EDITOR="code --wait" works; Windows has
// none, and words are those between blanks, or in double quotes.
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

// interrupts are those of the user's keyboard.
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

// leave leaves interrupts to another process at the terminal: here they do nothing.
func (i *interrupts) leave() { signal.Ignore(os.Interrupt) }

// take has the next interrupt end the context.
func (i *interrupts) take() { signal.Notify(i.taken, os.Interrupt) }

// end gives interrupts back their usual meaning.
func (i *interrupts) end() {
	signal.Reset(os.Interrupt)
	close(i.ended)
}
