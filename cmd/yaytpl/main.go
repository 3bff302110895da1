// Command yaytpl turns configuration that is written in parts into finished
// documents, answers questions about them and says where every value came from.
//
// How to read it: run.go takes a command line from the streams to an exit status, root.go
// has the tree of commands, and each command is in the file of its name, a few dozen lines
// between flags and package yaytpl. The flags that commands share are in project.go (what
// is read, and what it may do), result.go and keys.go, edit_output.go for those that edit;
// flagvalue.go has their types. errors.go turns findings into messages and statuses. The
// command edit is a session (editor_session.go) with a file (editor_file.go) and a program
// (editor_program.go).
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	tuneMemory()
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // so that writing fails instead
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	status := run(ctx, os.Args[1:], streams{in: os.Stdin, out: os.Stdout, err: os.Stderr, reading: tuneReading})
	stop()
	os.Exit(status)
}
