package main

import (
	"bufio"
	"context"
	"fmt"
	"slices"
	"strings"
)

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
