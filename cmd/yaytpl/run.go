package main

import (
	"bytes"
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

// streams are the inputs and outputs of a run. If getenv or environ is nil, or dir empty, the run uses the
// environment or the directory of the process.
type streams struct {
	in       io.Reader
	out, err io.Writer

	dir     string                           // working directory
	getenv  func(name string) (string, bool) // environment
	environ func() []string

	// answers replaces the terminal that questions read from. If it is nil, the command
	// asks only if the streams are a terminal.
	answers io.Reader

	// reading is called with the size of the files before the command parses them. It may be nil.
	reading func(bytes int64)
}

// An app is one run of the program.
type app struct {
	streams
	words        []string // of the command line
	general      generalFlags
	generalGroup flagGroup
	commandList  []*cobra.Command       // in the order of the help
	flagGroups   map[string][]flagGroup // of each command, for its help

	stopped atomic.Bool                   // an interrupt is the usual end of the command
	isNews  func(*source.Diagnostic) bool // reports whether a finding is to be shown; nil: all are

	checks source.Checks        // the levels of warnings
	raised bool                 // a warning was shown that is an error
	log    []*source.Diagnostic // findings for --errors sarif

	stdout *output
	began  time.Time

	patience atomic.Int64 // added to grace, in nanoseconds

	mu       sync.Mutex    // for messages: an abandoned command may still write some
	messages *bytes.Buffer // gets a copy of the messages; nil for no copy
	abandon  chan error    // receives the reason to stop without waiting for the command
	cleanup  []func()
	progress *progress
}

// grace is how long run waits for a command after an interrupt or a time-out. A command
// that waits for standard input notices neither.
const grace = 300 * time.Millisecond

// run runs a command line and returns its exit status. It never exits the process.
func run(ctx context.Context, args []string, s streams) int {
	a := newApp(args, s)
	done := make(chan int, 1)
	go func() { done <- a.execute(ctx, args) }()
	select {
	case status := <-done:
		return status
	case err := <-a.abandon:
		defer a.writeLog()
		return a.report(err)
	case <-ctx.Done():
	}
	select {
	case status := <-done:
		return status
	case <-time.After(grace + time.Duration(a.patience.Load())):
		if a.stopped.Load() {
			return exitDone
		}
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
	if s.reading == nil {
		s.reading = func(int64) {}
	}
	a := &app{
		streams:    s,
		words:      args,
		general:    earlyGeneralFlags(args),
		flagGroups: map[string][]flagGroup{},
		stdout:     newOutput(s.out),
		began:      time.Now(),
		abandon:    make(chan error, 1),
	}
	a.generalGroup = a.general.group()
	return a
}

// execute runs the command, reports its error, a panic included, and returns the status.
func (a *app) execute(ctx context.Context, args []string) (status int) {
	defer a.writeLog()
	defer func() {
		if r := recover(); r != nil {
			status = a.report(source.Errorf(source.Span{}, source.Internal, "this is a bug in yaytpl: %v", r).
				WithHint("please report it, with the input that causes it"))
		}
	}()
	root := a.rootCommand()
	root.SetArgs(withDashedValue(root, withPair(root, withFiles(root, args))))
	if len(args) > 0 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd) {
		a.addCompletions(root)
	}
	c, err := root.ExecuteContextC(ctx)
	err = withArgumentHint(c, err)
	for _, f := range a.cleanup {
		f()
	}
	if a.general.verbose {
		a.remark("this took %s", time.Since(a.began).Round(time.Millisecond))
	}
	if failed := a.stdout.finish(); failed != nil && (failed != errReaderGone || !errors.Is(err, errFindings)) {
		return a.report(failed)
	}
	if status = a.report(err); status == exitDone && a.raised {
		return exitInput
	}
	return status
}

// atEnd registers f to be called at the end of the command.
func (a *app) atEnd(f func()) { a.cleanup = append(a.cleanup, f) }

// rootCommand builds the tree of commands.
func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:           "yaytpl",
		Short:         "render, query, explain and edit configuration files",
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
	help := &cobra.Command{Use: "help"}
	if a.commandList = a.commands(); len(a.commandList) > 1 {
		help = a.helpCommand(root)
		a.commandList = append(a.commandList, help)
	}
	root.SetHelpCommand(help)
	root.AddCommand(a.commandList...)
	return root
}

// commands makes the commands in the order of the help, without help itself. If the first word of the
// command line is the name of one, it makes only that one, and help has nothing to say: the flags of all are half of
// the work of a start.
func (a *app) commands() []*cobra.Command {
	all := []struct {
		name string
		make func() *cobra.Command
	}{
		{"render", a.renderCommand}, {"query", a.queryCommand}, {"lookup", a.lookupCommand}, {"get", a.getCommand},
		{"explain", a.explainCommand}, {"diff", a.diffCommand}, {"blame", a.blameCommand}, {"schema", a.schemaCommand},
		{"check", a.checkCommand}, {"deps", a.depsCommand}, {"watch", a.watchCommand}, {"set", a.setCommand},
		{"delete", a.deleteCommand}, {"append", a.appendCommand}, {"rename", a.renameCommand}, {"edit", a.editorCommand},
		{"restore", a.restoreCommand}, {"init", a.initCommand}, {"targets", a.targetsCommand}, {"template", a.templateCommand},
		{"dot", a.dotCommand}, {"fmt", a.fmtCommand}, {"decrypt", a.decryptCommand}, {"encrypt", a.encryptCommand},
		{"completion", a.completionCommand}, {"version", a.versionCommand},
	}
	for _, c := range all {
		if len(a.words) > 0 && a.words[0] == c.name {
			return []*cobra.Command{c.make()}
		}
	}
	made := make([]*cobra.Command, len(all))
	for i, c := range all {
		made[i] = c.make()
	}
	return made
}

// unknownCommand returns the error for args that name no command.
func unknownCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usageErrorf("missing command").WithHint("see yaytpl help")
	}
	if strings.Contains(args[0], ".") {
		return usageErrorf("unknown command %q", args[0]).WithHint("did you mean yaytpl render %s?", args[0])
	}
	return unknownWord(root, "unknown command", args[0])
}

// unknownWord returns the error for a word that is neither a command nor one of others,
// with the nearest of them as a hint.
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
