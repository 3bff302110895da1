//go:build unix

package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// needsHangup skips the test under nohup: a process that was started with SIGHUP ignored does not
// receive it.
func needsHangup(t *testing.T) {
	t.Helper()
	if signal.Ignored(syscall.SIGHUP) {
		t.Skip("SIGHUP is ignored")
	}
}

// A hang-up, a quit and an abort end the context.
func TestUntilHangup(t *testing.T) {
	needsHangup(t)
	for _, s := range []syscall.Signal{syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGABRT} {
		ctx, stop := untilHangup(t.Context())
		if err := syscall.Kill(os.Getpid(), s); err != nil {
			t.Fatal(err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(10 * time.Second):
			t.Errorf("%v does not end the context", s)
		}
		if err := ctx.Err(); !errors.Is(err, context.Canceled) {
			t.Errorf("%v: %v", s, err)
		}
		stop()
	}
}

// A signal while the editor runs removes the file of the editor.
func TestEditorHangup(t *testing.T) {
	needsHangup(t)
	for _, s := range []string{"HUP", "QUIT"} {
		r := newEditorRun(t, map[string]string{"a.yaml": "a: 1\n"})
		r.env["EDITOR"] = `f() { echo "$1" > name; kill -` + s + ` $PPID; exec sleep 10; }; f`
		if _, stderr, status := r.run(t.Context(), "", "edit", "a.yaml"); status != exitInterrupted {
			t.Errorf("%s: status %d: %s", s, status, stderr)
		}
		name := strings.TrimSpace(r.read(t, "name"))
		if _, err := os.Stat(filepath.Dir(name)); !os.IsNotExist(err) {
			t.Errorf("%s: %s is left: %v", s, name, err)
		}
	}
}

// What an editor leaves in place of the file must be a regular file.
func TestEditorLeavesOtherFile(t *testing.T) {
	for rule, command := range map[string]string{
		"pipe": `mkfifo "$1"`, "link": `ln -s /etc/hostname "$1"`, "directory": `mkdir "$1"`, "link to a device": `ln -s /dev/zero "$1"`,
	} {
		r := newEditorRun(t, map[string]string{"a.yaml": "a: 1\n"})
		r.env["EDITOR"] = `f() { rm "$1"; ` + command + `; }; f`
		_, stderr, status := r.run(t.Context(), "", "edit", "a.yaml")
		if status == exitDone || !strings.Contains(stderr, "is no longer a regular file") {
			t.Errorf("%s: status %d: %s", rule, status, stderr)
		}
		if got := r.read(t, "a.yaml"); got != "a: 1\n" {
			t.Errorf("%s: wrote %q", rule, got)
		}
	}
}
