package main

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/yaytpl/yaytpl/internal/lazy"
	programs "github.com/yaytpl/yaytpl/internal/program"
	"github.com/yaytpl/yaytpl/source"
)

// A runner runs the command of --exec for one result after the other. While it runs, only the newest of
// the results that come is kept.
type runner struct {
	app     *app
	command string
	stop    context.CancelFunc
	next    chan []byte   // of length 1
	done    chan struct{} // closed when the last run has ended

	idle chan struct{} // gets a token when a run has ended; nil unless each run is waited for
	runs int           // that settle has not waited for
}

// lastRun is how long a command may go on after an interrupt.
const lastRun = 2 * time.Second

// startRunner returns a runner. With wait, settle waits for each run.
func (a *app) startRunner(command string, wait bool) *runner {
	ctx, stop := context.WithCancel(context.Background())
	r := &runner{app: a, command: command, stop: stop, next: make(chan []byte, 1), done: make(chan struct{})}
	if wait {
		r.idle = make(chan struct{}, 1)
	}
	a.patience.Add(int64(lastRun + grace))
	go func() {
		defer close(r.done)
		for result := range r.next {
			if ctx.Err() == nil {
				r.run(ctx, result)
			}
			if r.idle != nil {
				r.idle <- struct{}{}
			}
		}
	}()
	return r
}

// offer gives the runner a result, in place of one that still waits.
func (r *runner) offer(result []byte) {
	select {
	case <-r.next:
	default:
		r.runs++
	}
	r.next <- result
}

// settle waits until the runner has run all results, if it was started so.
func (r *runner) settle() {
	for ; r.idle != nil && r.runs > 0; r.runs-- {
		<-r.idle
	}
}

// close waits for the last run. After an interrupt it interrupts the command as well.
func (r *runner) close(interrupted bool) {
	if interrupted {
		r.stop()
	}
	close(r.next)
	<-r.done
	r.stop()
}

// run runs the command once. A failure is a warning: the next result may do.
func (r *runner) run(ctx context.Context, result []byte) {
	shell := []string{"sh", "-c", r.command}
	if runtime.GOOS == "windows" {
		shell = []string{"cmd", "/c", r.command}
	}
	c := exec.CommandContext(ctx, shell[0], shell[1:]...)
	c.Dir, c.Env = r.app.dir, r.app.environ()
	c.Stdin, c.Stdout, c.Stderr = bytes.NewReader(result), r.app.out, r.app.err
	c.WaitDelay = lastRun
	var started programs.Tree // by the shell
	var until time.Time
	c.Cancel = func() error {
		if runtime.GOOS == "windows" { // which has no other signal
			return c.Process.Kill()
		}
		started, until = programs.Started(c.Process.Pid), time.Now().Add(lastRun)
		err := c.Process.Signal(os.Interrupt)
		started.Signal(os.Interrupt)
		return err
	}
	err := c.Run()
	started.End(until)
	if err != nil && ctx.Err() == nil {
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			err = errors.New(exit.String())
		}
		d := source.Errorf(source.Span{}, source.Access, "the command of --exec failed: %v", err)
		d.Severity = source.Warning
		r.app.showIf(d, nil)
	}
}

// A script has the steps of --script.
type script struct {
	app    *app
	steps  []step
	at     int
	failed error
}

// A step is a line of a script.
type step struct {
	verb, first, second string
	at                  source.Span
}

// stepForms are the forms of steps, by their verbs.
var stepForms = lazy.Value[map[string]string]{Make: func() map[string]string {
	return map[string]string{"write": "write FILE TEXT", "copy": "copy A B", "remove": "remove FILE", "rename": "rename A B", "link": "link TARGET FILE"}
}}

// openScript reads a script. Mistakes are reported before a step is carried out.
//
// Codes: access, usage.
func (a *app) openScript(name string) (*script, error) {
	text, err := os.ReadFile(a.inDir(name))
	if err != nil {
		return nil, source.Errorf(source.Span{}, source.Access, "cannot read %s: %v", name, withoutPath(err))
	}
	s, f := &script{app: a}, source.NewFile(name, string(text))
	start := 0
	for line := range strings.SplitSeq(f.Text, "\n") {
		from, end := start+len(line)-len(strings.TrimLeft(line, " \t")), start+len(strings.TrimSuffix(line, "\r"))
		at := f.Span(min(from, end), end)
		start += len(line) + len("\n")
		if at.Text() == "" || strings.HasPrefix(at.Text(), "#") {
			continue
		}
		next, err := parseStep(at.Text(), at)
		if err != nil {
			return nil, err
		}
		s.steps = append(s.steps, next)
	}
	return s, nil
}

// parseStep reads a line.
//
// Code: usage.
func parseStep(line string, at source.Span) (step, error) {
	s := step{at: at}
	var rest string
	var two bool
	s.verb, rest, _ = strings.Cut(line, " ")
	s.first, s.second, two = strings.Cut(rest, " ")
	form, known := stepForms.Get()[s.verb]
	pair := s.verb == "copy" || s.verb == "rename" || s.verb == "link"
	switch {
	case !known:
		forms := slices.Sorted(maps.Values(stepForms.Get()))
		return s, source.Errorf(at, source.Usage, "unknown step %q", s.verb).WithHint("the steps are %s", strings.Join(forms, ", ")).
			DidYouMean(s.verb, maps.Keys(stepForms.Get()))
	case s.first == "" || pair && s.second == "" || s.verb == "remove" && two:
		return s, source.Errorf(at, source.Usage, "a step to %s a file is %s", s.verb, form).
			WithHint("its parts have one blank between them")
	}
	return s, nil
}

// step carries out the next line. It returns false after the last one, or if a line fails.
func (s *script) step() bool {
	if s.at == len(s.steps) {
		return false
	}
	next := s.steps[s.at]
	s.at++
	if err := s.do(next); err != nil {
		s.failed = source.Errorf(next.at, source.Usage, "cannot %s %s: %v", next.verb, next.first, withoutPath(err))
		return false
	}
	return true
}

// do carries out a line:
//
//	write FILE TEXT   writes TEXT, without a line break after it; directories are made
//	copy A B          writes the text of A to B
//	remove FILE       removes a file, or a directory with all that it has
//	rename A B        B is replaced
//	link TARGET FILE  makes FILE a symbolic link, in place of another file
func (s *script) do(x step) error {
	path, to := s.app.inDir(x.first), s.app.inDir(x.second)
	switch x.verb {
	case "write":
		return writeStep(path, x.second)
	case "copy":
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return writeStep(to, string(text))
	case "remove":
		if _, err := os.Lstat(path); err != nil {
			return withoutPath(err)
		}
		return os.RemoveAll(path)
	case "rename":
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
		return os.Rename(path, to)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return err
	}
	made := to + ".new"
	if err := os.Symlink(x.first, made); err != nil {
		return err
	}
	return os.Rename(made, to)
}

// writeStep writes a file, and gives it another modification time than it had before.
func writeStep(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	before, _ := os.Stat(path)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		return err
	}
	after, err := os.Stat(path)
	if err != nil || before == nil || !after.ModTime().Equal(before.ModTime()) {
		return err
	}
	later := after.ModTime().Add(time.Millisecond)
	return os.Chtimes(path, later, later)
}
