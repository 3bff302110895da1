// Command yaytpl turns configuration that is written in parts into finished
// documents, answers questions about them and says where every value came from.
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
