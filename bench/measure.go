//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// measureCommand runs a program from a small process of its own: what Linux says
// of a program's peak memory includes that of the process which started it.
const measureCommand = "measure-child"

// A sample is what one run used.
type sample struct {
	CPU    time.Duration // user and system
	Wall   time.Duration // from start to end
	Memory int64         // most bytes at a time
	Lines  int           // that differ from the input, if that is counted
	Failed string
}

// measureChild runs args and prints what they used on descriptor 3. Their output
// goes to the file args[0].
func measureChild(args []string) int {
	out, err := os.Create(args[0])
	if err != nil {
		return 2
	}
	defer out.Close()
	var stderr bytes.Buffer
	c := exec.Command(args[1], args[2:]...)
	c.Stdout, c.Stderr = out, &stderr
	begun := time.Now()
	err = c.Run()
	s := sample{Wall: time.Since(begun)}
	if err != nil {
		s.Failed = fmt.Sprintf("%v: %.300s", err, stderr.String())
	}
	if state := c.ProcessState; state != nil {
		s.CPU = state.UserTime() + state.SystemTime()
		if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
			s.Memory = usage.Maxrss << 10
		}
	}
	if json.NewEncoder(os.NewFile(3, "result")).Encode(s) != nil {
		return 2
	}
	return 0
}

var errTooLong = errors.New("too long")

// measure runs a program once in dir. Its output goes to the file out.
func measure(dir, out string, limit time.Duration, args ...string) (sample, error) {
	self, err := os.Executable()
	if err != nil {
		return sample{}, err
	}
	r, w, err := os.Pipe()
	if err != nil {
		return sample{}, err
	}
	defer r.Close()
	ctx, stop := context.WithTimeout(context.Background(), limit)
	defer stop()
	c := exec.CommandContext(ctx, self, append([]string{measureCommand, out}, args...)...)
	c.Dir, c.ExtraFiles = dir, []*os.File{w}
	// The program that is measured is a grandchild: end the whole group.
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	err = c.Start()
	w.Close()
	if err != nil {
		return sample{}, err
	}
	var s sample
	decodeErr := json.NewDecoder(r).Decode(&s)
	err = c.Wait()
	switch {
	case ctx.Err() != nil:
		return sample{}, errTooLong
	case err != nil:
		return sample{}, err
	case decodeErr != nil:
		return sample{}, decodeErr
	case s.Failed != "":
		return s, errors.New(s.Failed)
	}
	return s, nil
}
