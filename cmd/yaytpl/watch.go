package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/watch"
)

func (a *app) watchCommand() *cobra.Command {
	w := &watching{app: a}
	c := &cobra.Command{
		Use:   "watch FILE...",
		Short: "render again whenever an input changes",
		Long: `Prints the finished document as render does, and again when a change of an input changes it. The inputs
are those that deps lists: files, files that are missing, patterns of files, the clock. A result that is
equal to the one before is not printed. An error is printed once, and the last result stays until the
input is right again. An interrupt ends the command with status 0.

With -o jsonl each result is one line, a list if it has several documents, and an error is the line
{"error": {"kind", "message", "file", "line", ...}} among them. --timeout is for each result.`,
		Example: `  yaytpl watch site.yaml
  yaytpl watch -o jsonl @prod | my-controller
  yaytpl watch --out build/ --exec 'nginx -s reload' site.yaml
  yaytpl watch --diff --why site.yaml`,
		RunE: w.run,
	}
	c.ValidArgsFunction = a.completeTargets(&w.flags.project)
	own := newFlagGroup("Flags")
	own.set.StringVar(&w.command, "exec", "", "run a `COMMAND` of the shell for each result, which is its standard input, in place of printing the result")
	own.set.BoolVar(&w.diff, "diff", false, "print the first result, and then what changes, path by path")
	own.set.BoolVar(&w.why, "why", false, "print which inputs changed before each result, to standard error")
	own.set.BoolVar(&w.onceValid, "once-valid", false, "end with status 1 if the first result fails")
	own.set.Var(&w.poll, "poll", "look at all inputs each `TIME`, such as 2s, and use no notifications of the system")
	own.set.StringVar(&w.steps, "script", "", "for tests: carry out the steps of `FILE` in place of waiting, one a line: write FILE TEXT, copy A B, remove FILE, rename A B, link TARGET FILE")
	return a.withFlags(c, w.flags.groups(own)...)
}

// A watching is one run of watch.
type watching struct {
	*app
	flags  renderFlags
	render yaytpl.RenderOptions
	cobra  *cobra.Command
	words  []string

	command              string // of --exec
	diff, why, onceValid bool
	poll                 duration
	steps                string // of --script
	runner               *runner
	stdin                *recording
	stacks               map[string]*watchedStack // the state of each, by its name and files
	compared             []shownStack             // of the last result, for --diff
	changes              []change                 // since the last result that was shown
	shown                bool                     // a result was shown
	last                 []byte                   // that result
	problem              string                   // the errors of the last revision, "" for none
	failed               error                    // ends the run
	told, telling        map[string]bool          // the findings of the last revision and of this one
}

func (w *watching) run(c *cobra.Command, words []string) error {
	switch {
	case w.flags.out.check:
		return usageErrorf("--check has no effect: watch writes files").WithHint("render --check reports the files that would change")
	case w.diff && w.flags.toFiles():
		return usageErrorf("--diff excludes --out and --write")
	}
	w.cobra, w.words, w.render = c, words, w.flags.options()
	w.render.NoMask = w.command != "" // which would take a mask for the value
	o := watch.Options{Poll: w.poll.d, Warn: w.show}
	var steps *script
	var err error
	if w.steps != "" {
		if steps, err = w.openScript(w.steps); err != nil {
			return err
		}
		o.Step = steps.step
	}
	_, w.render.Findings = openTerminal(w.err)
	w.reading = func(int64) {} // the limit of memory is for one evaluation
	w.isNews = w.isNew
	w.stopped.Store(true)
	w.stdin = &recording{in: w.in}
	if w.command != "" {
		w.runner = w.startRunner(w.command, steps != nil)
	}
	err = watch.Run(c.Context(), o, func(r *watch.Revision) error { return w.revision(c.Context(), r) })
	if w.runner != nil {
		w.runner.close(c.Context().Err() != nil)
	}
	w.raised = false // a warning that is an error failed its revision
	if errors.Is(err, context.Canceled) {
		err = nil // an interrupt is the usual end
	}
	if steps != nil {
		w.failed = cmp.Or(w.failed, steps.failed)
	}
	return cmp.Or(w.failed, err)
}

// revision evaluates a revision and shows what is new. With an error the next one may repair it.
func (w *watching) revision(ctx context.Context, r *watch.Revision) error {
	w.told, w.telling = w.telling, map[string]bool{}
	result, err := w.evaluate(ctx, r)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case r.Number == 1 && isUsage(err):
		w.failed = err
		return watch.ErrStop
	}
	fresh := err == nil || w.render.Partial && len(result) > 0
	if w.flags.toFiles() {
		fresh = fresh && (len(result) > 0 || !w.shown)
	} else {
		fresh = fresh && (!w.shown || !bytes.Equal(result, w.last))
	}
	if fresh {
		w.failed = w.present(r, result)
	}
	w.judge(err, fresh)
	if r.Number == 1 && err != nil && w.onceValid {
		w.failed = errReported{exitInput}
	}
	if w.failed == nil {
		w.failed = w.flush()
	}
	if w.failed != nil {
		return watch.ErrStop
	}
	if w.runner != nil {
		w.runner.settle()
	}
	return err
}

// isUsage reports whether an error is one of the command line, which no change of a file repairs.
func isUsage(err error) bool {
	return slices.ContainsFunc(source.Findings(err), func(d *source.Diagnostic) bool { return d.Code == source.Usage })
}

// isNew reports whether a finding was not shown by the revision before.
func (w *watching) isNew(d *source.Diagnostic) bool {
	id := d.Severity.String() + d.Error()
	w.telling[id] = true
	return !w.told[id]
}

// judge shows the error of a revision, unless the revision before had the same.
func (w *watching) judge(err error, fresh bool) {
	if err == nil {
		if w.problem != "" && !fresh {
			w.remark("the error is gone, and the result is the last one")
		}
		w.problem = ""
		return
	}
	for id := range w.told { // the revision may have ended before it found them again
		w.telling[id] = true
	}
	findings := findingsOf(err)
	var texts []string
	for _, d := range findings {
		if text := d.Error(); !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	problem := strings.Join(texts, "\n")
	if problem == w.problem {
		return
	}
	w.problem = problem
	if w.render.Form == "jsonl" && !w.flags.toFiles() {
		w.failed = cmp.Or(w.failed, w.writeErrors(findings))
		return
	}
	for _, d := range findings {
		w.show(d)
	}
}

// writeErrors writes findings as one line among the results.
func (w *watching) writeErrors(findings []*source.Diagnostic) error {
	line := struct {
		Error *source.Diagnostic   `json:"error"`
		Also  []*source.Diagnostic `json:"also,omitempty"`
	}{findings[0], findings[1:]}
	text, err := json.Marshal(line)
	if err == nil {
		_, err = w.stdout.Write(append(text, '\n'))
	}
	return err
}

// present shows a result: prints it, or what changed since the last one, or gives it to the command.
func (w *watching) present(r *watch.Revision, result []byte) error {
	if w.why {
		w.explainChanges(r.Changed)
	}
	first := !w.shown
	w.shown, w.last = true, result
	if w.runner != nil {
		if w.flags.toFiles() {
			result = nil
		}
		w.runner.offer(result)
	}
	switch {
	case w.flags.toFiles():
		if !w.general.quiet && len(w.last) > 0 {
			w.remark("%s", w.last)
		}
		return nil
	case w.diff && !first:
		o := w.render
		o.NoMask = false
		if o.Redact = !o.Reveal; o.Form != "json" && o.Form != "jsonl" {
			o.Form = "text"
		}
		if len(w.changes) == 0 && o.Form != "text" {
			return nil // a comment changed
		}
		return w.writeDifference(difference{project: &yaytpl.Project{}, changes: w.changes, most: w.flags.project.mostOutput()}, o)
	case w.runner != nil:
		return nil
	case !first && !bytes.HasPrefix(result, []byte("---")):
		if _, err := w.stdout.WriteString(w.render.Between()); err != nil {
			return err
		}
	}
	_, err := w.stdout.Write(result)
	return err
}

// explainChanges prints the inputs that made a revision, each with the places that ask for it.
func (w *watching) explainChanges(changed []yaytpl.Input) {
	var lines []string
	for _, in := range changed {
		line := strings.TrimSpace(string(in.Kind) + " " + w.inputName(in, w.render.Reveal))
		var places []string
		for _, at := range in.At {
			if place := at.String(); !slices.Contains(places, place) && len(places) < 3 {
				places = append(places, place)
			}
		}
		if len(places) > 0 {
			line += " (" + strings.Join(places, ", ") + ")"
		}
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	const most = 10
	for i, line := range lines {
		if i == most {
			w.remark("changed: and %d others", len(lines)-most)
			return
		}
		w.remark("changed: %s", line)
	}
}

// flush writes what was printed. A reader that is slow delays the next revision, which is one of the state
// at that time.
func (w *watching) flush() error {
	if err := w.stdout.Flush(); err != nil {
		return errReaderGone // the end of the run reports other errors of the stream
	}
	return nil
}

// A recording keeps what was read of a stream, so that each revision reads the same.
type recording struct {
	in   io.Reader
	mu   sync.Mutex
	data []byte
	err  error
}

// reader returns a reader of the stream from its beginning.
func (r *recording) reader() io.Reader {
	at := 0
	return replayFunc(func(p []byte) (int, error) {
		r.mu.Lock()
		defer r.mu.Unlock()
		if at == len(r.data) && r.err == nil {
			n, err := r.in.Read(p)
			r.data, r.err = append(r.data, p[:n]...), err
		}
		n := copy(p, r.data[at:])
		if at += n; n == 0 {
			return 0, r.err
		}
		return n, nil
	})
}

// replayFunc is a function as a reader.
type replayFunc func(p []byte) (int, error)

func (f replayFunc) Read(p []byte) (int, error) { return f(p) }
