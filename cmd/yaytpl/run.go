package main

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
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
	}
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
			status = a.report(source.Errorf(source.Span{}, source.Internal, "this is a bug in yaytpl: %v", r).
				WithHint("please report it with the input that shows it"))
		}
	}()
	root := a.rootCommand()
	root.SetArgs(withNegativeValue(root, args))
	if len(args) > 0 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd) {
		a.addCompletions(root)
	}
	err := root.ExecuteContext(ctx)
	for _, f := range a.cleanup {
		f()
	}
	if a.general.verbose {
		a.remark("this took %s", time.Since(a.began).Round(time.Millisecond))
	}
	if failed := a.stdout.finish(); failed != nil && (failed != errReaderGone || !errors.Is(err, errFindings)) {
		return a.report(failed)
	}
	return a.report(err)
}

// atEnd has f called when the command is done.
func (a *app) atEnd(f func()) { a.cleanup = append(a.cleanup, f) }

// rootCommand builds the tree of commands.
func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:           "yaytpl",
		Short:         "configuration from parts: render, query and explain it",
		Args:          cobra.ArbitraryArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	version := root.Flags().Bool("version", false, "print the version")
	root.RunE = func(_ *cobra.Command, args []string) error {
		if *version {
			return a.writeVersion()
		}
		return unknownCommand(root, args)
	}
	root.SetIn(a.in)
	root.SetOut(a.stdout)
	root.SetErr(a.err)
	root.SetFlagErrorFunc(flagError)
	root.SetHelpFunc(a.showHelp)
	root.PersistentFlags().AddFlagSet(a.generalGroup.set)
	root.CompletionOptions.DisableDefaultCmd = true
	help := a.helpCommand(root)
	root.SetHelpCommand(help)
	a.commandList = []*cobra.Command{ // in the order of the help
		a.renderCommand(), a.queryCommand(), a.getCommand(), a.explainCommand(), a.diffCommand(),
		a.checkCommand(), a.setCommand(), a.deleteCommand(), a.appendCommand(), a.renameCommand(), a.editorCommand(), a.restoreCommand(),
		a.templateCommand(), a.dotCommand(), a.fmtCommand(), a.decryptCommand(), a.encryptCommand(), a.completionCommand(), a.versionCommand(),
		help,
	}
	root.AddCommand(a.commandList...)
	return root
}

// unknownCommand answers words that are no command.
func unknownCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usageErrorf("a command is missing").WithHint("see yaytpl help")
	}
	if strings.Contains(args[0], ".") {
		return usageErrorf("unknown command %q", args[0]).WithHint("did you mean yaytpl render %s?", args[0])
	}
	return unknownWord(root, "unknown command", args[0])
}

// unknownWord says that a word is no command, nor one of others, and what it may
// have been meant to be.
func unknownWord(root *cobra.Command, message, word string, others ...string) error {
	names := others
	for _, c := range root.Commands() {
		names = append(names, c.Name())
	}
	d := usageErrorf("%s %q", message, word).WithHint("see yaytpl help")
	if near := source.Suggest(word, slices.Values(names)); near != "" {
		d.WithHint("did you mean %q? see yaytpl help", near)
	}
	return d
}
