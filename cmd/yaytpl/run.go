package main

import (
	"context"
	"errors"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/yaytpl/yaytpl/source"
)

// streams is the world a command runs in. What is missing is the process's own.
type streams struct {
	in       io.Reader
	out, err io.Writer

	dir     string                           // working directory
	getenv  func(name string) (string, bool) // environment
	environ func() []string

	// answers are those of somebody at a terminal. If it is nil, questions are asked where
	// the streams are a terminal.
	answers io.Reader

	// reading is told how many bytes are about to be parsed and returns what to call
	// when that is done. It may be nil.
	reading func(bytes int64) func()
}

// An app is one run of the command.
type app struct {
	streams
	general      generalFlags
	generalGroup flagGroup
	commandList  []*cobra.Command       // in the order of the help
	flagGroups   map[string][]flagGroup // of each command, for its help

	stdout *output
	began  time.Time

	patience atomic.Int64 // nanoseconds that a command may take longer to stop

	mu       sync.Mutex // findings may come from an abandoned run
	abandon  chan error // receives when the command is given up on
	cleanup  []func()
	progress *progress
}

// grace is how long a command may take to notice that it should stop, for instance
// because it waits for standard input.
const grace = 300 * time.Millisecond

// run runs the command with args and returns its exit status. It changes nothing
// outside the streams and never exits.
func run(ctx context.Context, args []string, s streams) int {
	a := newApp(args, s)
	done := make(chan int, 1)
	go func() { done <- a.execute(ctx, args) }()
	select {
	case status := <-done:
		return status
	case err := <-a.abandon:
		return a.report(err)
	case <-ctx.Done():
		return a.afterInterrupt(done)
	}
}

// atEnd has f called when the command is done.
func (a *app) atEnd(f func()) { a.cleanup = append(a.cleanup, f) }

func (a *app) afterInterrupt(done <-chan int) int {
	select {
	case status := <-done:
		return status
	case <-time.After(grace + time.Duration(a.patience.Load())):
		return exitInterrupted
	}
}

func newApp(args []string, s streams) *app {
	if s.getenv == nil {
		s.getenv = os.LookupEnv
	}
	if s.environ == nil {
		s.environ = os.Environ
	}
	a := &app{
		streams:    s,
		general:    earlyGeneralFlags(args),
		flagGroups: map[string][]flagGroup{},
		stdout:     newOutput(s.out),
		began:      time.Now(),
		abandon:    make(chan error, 1),
	}
	a.generalGroup = a.general.group()
	return a
}

// execute runs the command, and turns everything that can go wrong into findings
// and a status.
func (a *app) execute(ctx context.Context, args []string) (status int) {
	defer func() {
		if r := recover(); r != nil {
			status = a.report(panicDiagnostic(r))
		}
	}()
	root := a.rootCommand()
	root.SetArgs(withNegativeValue(root, args))
	if len(args) > 0 && isCompletionRequest(args[0]) {
		a.addCompletions(root)
	}
	err := root.ExecuteContext(ctx)
	for _, f := range a.cleanup {
		f()
	}
	a.tellTime()
	if failed := a.stdout.finish(); failed != nil && (failed != errReaderGone || !errors.Is(err, errFindings)) {
		return a.report(failed)
	}
	return a.report(err)
}

func panicDiagnostic(r any) *source.Diagnostic {
	return source.Errorf(source.Span{}, source.Internal, "this is a bug in yaytpl: %v", r).
		WithHint("please report it with the input that shows it")
}
