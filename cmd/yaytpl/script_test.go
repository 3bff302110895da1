package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"yaytpl": main})
}

// TestScript runs the scripts in testdata/script. They run the command as a process.
func TestScript(t *testing.T) {
	fixtures, err := filepath.Abs("../../fixtures")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			e.Setenv("KEYS", filepath.Join(fixtures, "secrets"))
			e.Setenv("EYAML", filepath.Join(fixtures, "eyaml"))
			e.Setenv("GORACE", os.Getenv("GORACE"))
			return nil
		},
		Condition: condition,
		Cmds:      map[string]func(ts *testscript.TestScript, neg bool, args []string){"status": status, "gnupg": gnupg},
	})
}

// condition evaluates a condition in brackets.
func condition(name string) (bool, error) {
	switch name {
	case "root":
		return os.Geteuid() == 0, nil
	case "nohup": // the test was started to ignore hang-ups, and so are the commands that it starts
		return signal.Ignored(syscall.SIGHUP), nil
	}
	return false, fmt.Errorf("unknown condition %q", name)
}

// gnupg sets an empty home of GnuPG. Its path is short, because it has sockets; its agent ends
// with the script.
func gnupg(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: gnupg")
	}
	home, err := os.MkdirTemp("", "gpg")
	ts.Check(err)
	ts.Setenv("GNUPGHOME", home)
	ts.Defer(func() {
		kill := exec.Command("gpgconf", "--kill", "gpg-agent")
		kill.Env = append(os.Environ(), "GNUPGHOME="+home)
		_ = kill.Run()
		_ = os.RemoveAll(home)
	})
}

// status N ARGS... runs the command with ARGS and requires the exit status N.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: status N ARGS...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	err = ts.Exec("yaytpl", args[1:]...)
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("yaytpl %q ended with status %d, want %d", args[1:], got, want)
	}
}
