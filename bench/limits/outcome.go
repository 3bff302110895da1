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

// The limits that hold for each program.
const (
	maxMemory = 4 << 30         // bytes of address space
	maxCPU    = 25              // seconds, user and system
	maxWait   = 5 * time.Minute // in case that it does nothing at all
)

// limitedCommand makes this program another one, with limits.
const limitedCommand = "limited-child"

// becomeLimited sets the limits and becomes the program args[0]. It returns only if
// that fails.
func becomeLimited(args []string) error {
	for kind, most := range map[int]uint64{syscall.RLIMIT_AS: maxMemory, syscall.RLIMIT_CPU: maxCPU} {
		if err := syscall.Setrlimit(kind, &syscall.Rlimit{Cur: most, Max: most}); err != nil {
			return err
		}
	}
	return syscall.Exec(args[0], args, os.Environ())
}

// An ending is what became of a program.
type ending int

const (
	refused     ending = iota // an error
	finished                  // a result
	unended                   // the time was over
	outOfMemory               // no more memory
	crashed                   // a panic, or a stack that ran over
)

// An outcome is how a program ended and what it used.
type outcome struct {
	ending ending
	cpu    time.Duration
	memory int64 // most bytes at a time
	bytes  int64 // of output
	first  string
}

// start runs a program under the limits.
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
	began := c.Run()
	if exit := (*exec.ExitError)(nil); began != nil && !errors.As(began, &exit) {
		return outcome{}, began
	}
	o := outcome{cpu: c.ProcessState.UserTime() + c.ProcessState.SystemTime(), bytes: out.n, first: programs.FirstLine(errs.text.String())}
	if usage, ok := c.ProcessState.SysUsage().(*syscall.Rusage); ok {
		o.memory = usage.Maxrss << 10
	}
	status, _ := c.ProcessState.Sys().(syscall.WaitStatus)
	o.ending = endingOf(status, o.cpu, ctx.Err() != nil, errs.text.String())
	return o, nil
}

func endingOf(status syscall.WaitStatus, cpu time.Duration, late bool, errs string) ending {
	says := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(errs, w) {
				return true
			}
		}
		return false
	}
	const almost = maxCPU * time.Second * 3 / 4 // the system's clocks for it differ
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

// String says what became of the program in a few words.
func (o outcome) String() string {
	switch o.ending {
	case finished:
		return "result of " + size(o.bytes) + o.used()
	case unended:
		return "**no end**"
	case outOfMemory:
		return "**out of memory**" + o.used()
	case crashed:
		return "**crash**" + o.used()
	}
	return "error" + o.used()
}

// used says how long it took and how much memory, where that is much.
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

// A counter counts what is written to it.
type counter struct{ n int64 }

func (c *counter) Write(p []byte) (int, error) {
	c.n += int64(len(p))
	return len(p), nil
}

// A head keeps the beginning of what is written to it.
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
