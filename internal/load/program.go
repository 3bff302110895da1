package load

import (
	"context"
	"errors"
	"os/exec"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/internal/program"
	"github.com/yaytpl/yaytpl/source"
)

const (
	programTime  = time.Minute
	programWait  = time.Second // for what a killed program started
	programNoise = 4 << 10     // bytes of standard error that messages may quote
)

// LookPath returns the full path of a program in PATH, and "" if there is none. A
// name with a path in it is none.
func (h *Host) LookPath(name string) string {
	if name == "" || strings.ContainsAny(name, "/\\\x00") {
		return ""
	}
	path, _ := h.files.config.Getenv("PATH")
	return program.Find(path, name)
}

// Run runs a program in the directory of the document, with the visible part of the
// environment and without standard input, and returns its standard output. No shell
// reads the arguments.
//
// Codes: forbidden, bad-value, timeout, limit, and access for a program that does
// not exist, fails, or prints what is not UTF-8.
func (h *Host) Run(args []string) (string, error) {
	switch {
	case len(args) == 0 || args[0] == "":
		return "", source.Errorf(source.Span{}, source.BadValue, "there is no program to run")
	case !h.files.config.AllowExec:
		return "", source.Errorf(source.Span{}, source.Forbidden, "the program %s must not be run (--allow-exec)", args[0]).
			WithHint("--allow-exec would allow it")
	}
	path := h.program(args[0])
	if path == "" {
		return "", source.Errorf(source.Span{}, source.Access, "there is no program %s in PATH", args[0])
	}
	return h.run(path, args)
}

// program returns the path of a program: in PATH, or below the directory of the
// document if its name has a path in it.
func (h *Host) program(name string) string {
	if !strings.ContainsAny(name, `/\`) {
		return h.LookPath(name)
	}
	return joined(h.workDir(), name)
}

func (h *Host) workDir() string {
	if isURL(h.docDir) {
		return h.files.dir
	}
	return h.docDir
}

func (h *Host) run(path string, args []string) (string, error) {
	ctx, cancel := context.WithTimeout(h.files.config.Context, programTime)
	defer cancel()
	out := &program.Output{Limit: min(h.files.left(), maxText), Full: cancel}
	noise := &program.Output{Limit: programNoise}
	cmd := exec.CommandContext(ctx, path, args[1:]...)
	cmd.Args[0] = args[0]
	cmd.Dir, cmd.Env = h.workDir(), h.environment()
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = out, noise, programWait
	err := cmd.Run()
	what := "the output of " + args[0]
	switch {
	case out.Over():
		return "", h.files.tooManyBytes(what)
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return "", source.Errorf(source.Span{}, source.Timeout, "time is up while the program %s runs", args[0])
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		return "", programError(args[0], err, noise.String())
	case !utf8.Valid(out.Bytes()):
		return "", source.Errorf(source.Span{}, source.Access, "%s is not valid UTF-8", what)
	}
	return out.String(), h.files.spend(len(out.Bytes()), what)
}

// environment returns the variables that a program gets: what is hidden from the
// document is hidden from what it starts.
func (h *Host) environment() []string {
	env := []string{}
	for _, name := range h.Environ() {
		if v, ok := h.Getenv(name); ok {
			env = append(env, name+"="+v)
		}
	}
	return env
}

func programError(name string, err error, noise string) error {
	d := source.Errorf(source.Span{}, source.Access, "the program %s failed: %s", name, err)
	d.Cause = err
	if line, _, _ := strings.Cut(strings.TrimSpace(noise), "\n"); line != "" {
		d.Message += ": " + strings.ToValidUTF8(strings.TrimSpace(line), "\uFFFD")
	}
	return d
}
