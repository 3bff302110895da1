//go:build linux

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/yaytpl/yaytpl/bench/programs"
)

// The limits for each program.
const (
	maxMemory = 4 << 30         // bytes of address space
	maxCPU    = 25              // seconds of user and system time
	maxWait   = 5 * time.Minute // of wall time, for a program that sleeps
)

// limitedCommand makes this program set its limits and execute another one.
const limitedCommand = "limited-child"

// becomeLimited sets the limits of this process and executes the program args[0] in its place. It
// returns only if that fails.
func becomeLimited(args []string) error {
	for kind, most := range map[int]uint64{syscall.RLIMIT_AS: maxMemory, syscall.RLIMIT_CPU: maxCPU} {
		if err := syscall.Setrlimit(kind, &syscall.Rlimit{Cur: most, Max: most}); err != nil {
			return err
		}
	}
	return syscall.Exec(args[0], args, os.Environ())
}

// An ending is the way in which a program ended.
type ending int

const (
	refused     ending = iota // with an error
	finished                  // with a result
	unended                   // not within the time limit
	outOfMemory               // at the memory limit
	crashed                   // with a panic, a signal or a stack overflow
)

// An outcome is the ending of a program with the resources that it used.
type outcome struct {
	ending ending
	cpu    time.Duration // user and system time
	memory int64         // peak, in bytes
	bytes  int64         // of output
	first  string        // line of standard error
}

// start runs a program with the limits in dir and waits for its end.
func start(dir, path string, args []string) (outcome, error) {
	self, err := os.Executable()
	if err != nil {
		return outcome{}, err
	}
	ctx, stop := context.WithTimeout(context.Background(), maxWait)
	defer stop()
	c := exec.CommandContext(ctx, self, append([]string{limitedCommand, path}, args...)...)
	var out counter
	errs := &head{most: 64 << 10}
	c.Dir, c.Stdout, c.Stderr = dir, &out, errs
	err = c.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return outcome{}, err
	}
	o := outcome{cpu: c.ProcessState.UserTime() + c.ProcessState.SystemTime(), bytes: out.n, first: programs.FirstLine(errs.text.String())}
	if usage, ok := c.ProcessState.SysUsage().(*syscall.Rusage); ok {
		o.memory = usage.Maxrss << 10
	}
	status, _ := c.ProcessState.Sys().(syscall.WaitStatus)
	o.ending = endingOf(status, o.cpu, ctx.Err() != nil, errs.text.String())
	return o, nil
}

// endingOf classifies the end of a program. It looks for messages of the runtimes in errs, because a
// Go program that runs out of memory or stack exits with status 2, as after any panic.
func endingOf(status syscall.WaitStatus, cpu time.Duration, late bool, errs string) ending {
	says := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(errs, w) {
				return true
			}
		}
		return false
	}
	const almost = maxCPU * time.Second * 3 / 4 // the CPU time of the signal and that of the process differ
	switch {
	case status.Exited() && status.ExitStatus() == 0:
		return finished
	case late, status.Signaled() && status.Signal() == syscall.SIGKILL && cpu >= almost:
		return unended
	case says("stack exceeds", "stack overflow"):
		return crashed
	case says("out of memory", "annot allocate memory", "errno=12"):
		return outOfMemory
	case status.Signaled(), says("goroutine 1 [", "panic:", "INTERNAL ERROR"):
		return crashed
	}
	return refused
}

// String returns a cell of the tables.
func (o outcome) String() string {
	if o.ending == unended {
		return o.word()
	}
	return o.word() + o.used()
}

// word names the ending.
func (o outcome) word() string {
	switch o.ending {
	case finished:
		return "result of " + size(o.bytes)
	case unended:
		return "**no end**"
	case outOfMemory:
		return "**out of memory**"
	case crashed:
		return "**crash**"
	}
	return "error"
}

// used returns the time and the memory in parentheses: time from 1 s on, memory from 256 MB on.
func (o outcome) used() string {
	var words []string
	if o.cpu >= time.Second {
		words = append(words, fmt.Sprintf("%d s", (o.cpu+time.Second/2)/time.Second))
	}
	if o.memory >= 256<<20 {
		words = append(words, size(o.memory))
	}
	if len(words) == 0 {
		return ""
	}
	return " (" + strings.Join(words, ", ") + ")"
}

// size returns a number of bytes with a unit.
func size(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%d MB", n>>20)
	case n >= 1<<10:
		return fmt.Sprintf("%d kB", n>>10)
	}
	return fmt.Sprintf("%d B", n)
}

// A counter is a writer that counts bytes and drops them.
type counter struct{ n int64 }

func (c *counter) Write(p []byte) (int, error) {
	c.n += int64(len(p))
	return len(p), nil
}

// A head is a writer that keeps the first bytes, up to most, and drops the others.
type head struct {
	text bytes.Buffer
	most int
}

func (h *head) Write(p []byte) (int, error) {
	if room := h.most - h.text.Len(); room > 0 {
		_, _ = io.Copy(&h.text, bytes.NewReader(p[:min(room, len(p))]))
	}
	return len(p), nil
}
