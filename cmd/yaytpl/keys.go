package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"unicode"

	"golang.org/x/term"

	"github.com/yaytpl/yaytpl"
)

// keyFlags say where the keys of encrypted files come from.
type keyFlags struct {
	key            string
	passphraseFile string
	gpg            choice

	made *yaytpl.Decrypter // one for the whole run
}

func (f *keyFlags) group() flagGroup {
	fg := newFlagGroup("Encrypted files")
	f.gpg = oneOf("auto", yaytpl.KeyModes()...)
	fg.set.StringVar(&f.key, "key", "", "a `FILE` with private keys (or YAYTPL_KEY); without it, gpg has them")
	fg.set.StringVar(&f.passphraseFile, "passphrase-file", "", "a `FILE` with the passphrase (or YAYTPL_PASSPHRASE_FILE)")
	fg.set.Var(&f.gpg, "gpg", "who decrypts: yaytpl with --key or a passphrase, else gpg; yaytpl; gpg")
	return fg
}

// decrypter returns what opens the encrypted files of this run.
func (f *keyFlags) decrypter(a *app) (*yaytpl.Decrypter, error) {
	if f.made != nil {
		return f.made, nil
	}
	if f.key != "" && f.gpg.is("command") {
		return nil, usageErrorf("--key and --gpg command exclude each other")
	}
	passphrase, _ := a.getenv(yaytpl.PassphraseVariable)
	f.made = yaytpl.NewDecrypter(yaytpl.Keys{
		Mode: f.gpg.value, Dir: a.dir,
		KeyFile:        a.orVariable(f.key, "YAYTPL_KEY"),
		PassphraseFile: a.orVariable(f.passphraseFile, "YAYTPL_PASSPHRASE_FILE"),
		Passphrase:     passphrase,
		Ask:            a.passphraseAsker(), Alone: a.alone,
		Getenv: a.getenv, Environ: a.environ,
	})
	return f.made, nil
}

func (a *app) orVariable(given, name string) string {
	if given == "" {
		given, _ = a.getenv(name)
	}
	return given
}

// alone runs something that uses the terminal while no progress is shown.
func (a *app) alone(run func()) {
	if p := a.progress; p != nil {
		p.clear()
		p.mu.Lock()
		defer p.mu.Unlock()
	}
	run()
}

// passphraseAsker returns what asks for a passphrase, nil if nobody sits there. Where
// standard input is something else, the terminal of the process is asked at.
func (a *app) passphraseAsker() func(ctx context.Context, what string) (string, error) {
	if in, ok := openTerminal(a.in); ok {
		return func(ctx context.Context, what string) (string, error) { return a.askPassphrase(ctx, in, what) }
	}
	if _, ok := openTerminal(a.err); !ok {
		return nil // nobody would see the question
	}
	return a.askAtTerminal
}

// openTerminal returns an input or output as a file if it is a terminal.
func openTerminal(stream any) (*os.File, bool) {
	f, ok := stream.(*os.File)
	return f, ok && term.IsTerminal(int(f.Fd()))
}

// askAtTerminal is askPassphrase at the terminal of the process.
func (a *app) askAtTerminal(ctx context.Context, what string) (string, error) {
	in, err := os.OpenFile(processTerminal(), os.O_RDWR, 0)
	if err != nil {
		return "", err
	}
	defer in.Close()
	return a.askPassphrase(ctx, in, what)
}

// askPassphrase reads a line from the terminal that does not show there. When ctx ends,
// the terminal becomes what it was.
func (a *app) askPassphrase(ctx context.Context, in *os.File, what string) (string, error) {
	fd := int(in.Fd())
	before, err := term.GetState(fd)
	if err != nil {
		return "", err
	}
	type answer struct {
		text []byte
		err  error
	}
	fmt.Fprintf(a.err, "%s: ", strings.Map(withoutControls, what))
	answers := make(chan answer, 1)
	go func() {
		text, err := term.ReadPassword(fd)
		answers <- answer{text, err}
	}()
	select {
	case got := <-answers:
		fmt.Fprintln(a.err)
		return string(got.text), got.err
	case <-ctx.Done():
		fmt.Fprintln(a.err)
		_ = term.Restore(fd, before)
		return "", ctx.Err()
	}
}

func withoutControls(r rune) rune {
	if unicode.IsControl(r) {
		return unicode.ReplacementChar
	}
	return r
}
