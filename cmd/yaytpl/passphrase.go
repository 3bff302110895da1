package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"unicode"

	"golang.org/x/term"
)

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
