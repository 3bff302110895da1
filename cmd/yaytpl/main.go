// Command yaytpl renders, queries, explains and edits configuration files.
//
// Read run.go first: it runs one command line, from the streams to the exit status, and has
// the tree of commands. Each command is a few dozen lines between its flags and the packages
// yaytpl, workspace and edit:
//
//	render.go          render, template; out.go has --out and --write, cache.go --cache
//	query.go           query, get, explain, schema, dot
//	lookup.go          lookup; lookup_nodes.go has --nodes and --diff-nodes
//	watch.go           watch; watch_stacks.go evaluates a revision, watch_run.go has --exec and --script
//	targets.go         init, targets, and what words such as @prod name in all commands
//	blame.go, check.go, deps.go, diff.go, fmt.go
//	edit.go            set, delete, append, rename; unified.go writes their --diff
//	values.go          values on the command line: VALUE, -D, -S, -e, --from
//	restore.go         restore
//	editor.go          edit: an editing session; editor_program.go has its file and editor
//	encrypt.go         decrypt, encrypt, and the keys of all commands
//	help.go, help_functions.go, completion.go, version.go
//
// flags.go has the types of flags and the errors of the command line, mistakes.go hints for usual ones,
// project.go the flags of every command that opens files, output.go the flags of results, standard output
// and the terminal. errors.go maps errors to messages and exit statuses. memory.go limits the memory of the
// process, pages_linux.go requests large pages of it. Files named for a system have its calls.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	_ "github.com/yaytpl/yaytpl/config/gotemplate"
	_ "github.com/yaytpl/yaytpl/config/gpg"
	_ "github.com/yaytpl/yaytpl/config/web"
)

func main() {
	prepareMemory(0)
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // it is with nohup
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	status := run(ctx, os.Args[1:], streams{
		in: os.Stdin, out: withoutSignal(os.Stdout, 1), err: withoutSignal(os.Stderr, 2),
		reading: prepareMemory,
	})
	stop()
	os.Exit(status)
}
