package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// untilHangup returns a context that a hang-up or a quit of the terminal ends, as an interrupt does,
// so that the decrypted file of the editor is removed. A signal that the process was started to
// ignore, as with nohup, stays ignored.
func untilHangup(ctx context.Context) (context.Context, context.CancelFunc) {
	var taken []os.Signal
	for _, s := range []os.Signal{syscall.SIGHUP, syscall.SIGQUIT} {
		if !signal.Ignored(s) {
			taken = append(taken, s)
		}
	}
	if len(taken) == 0 {
		return context.WithCancel(ctx)
	}
	return signal.NotifyContext(ctx, taken...)
}

// readRegular reads a regular file. An editor may have left a pipe, a device or a link in its place:
// reading it could block, or read another file.
func readRegular(path string) ([]byte, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no longer a regular file", path)
	}
	return os.ReadFile(path)
}
