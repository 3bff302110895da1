package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/bench/internal/fidelity"
	"github.com/yaytpl/yaytpl/bench/programs"
)

// An editor is a program that makes an edit of a file and prints the new text.
type editor interface {
	name() string
	command(ctx context.Context, file string, c fidelity.Case) *exec.Cmd
}

type yaytplEditor struct{ path string }

func (yaytplEditor) name() string { return "yaytpl" }

func (e yaytplEditor) command(ctx context.Context, file string, c fidelity.Case) *exec.Cmd {
	args := []string{string(c.Op), "--doc", strconv.Itoa(c.Doc), "--", file, c.Pointer()}
	if c.Op == fidelity.Add {
		args[0] = "set"
	}
	switch {
	case c.Op == fidelity.Rename:
		args = append(args, fidelity.NewKey)
	case c.Value != nil:
		args = append(args, c.Value.YAML())
	}
	return exec.CommandContext(ctx, e.path, args...)
}

// A yqEditor is yq with flags for the format of its output.
type yqEditor struct {
	programs.Program
	flags []string
}

func (e yqEditor) name() string {
	return strings.Join(append([]string{"yq " + e.Version}, e.flags...), " ")
}

// command passes keys and strings in environment variables, so that they need no quotes. For
// example, setting /a/b to "x" is the expression
//
//	(.[strenv(KEY0)][strenv(KEY1)]) = strenv(VALUE)
func (e yqEditor) command(ctx context.Context, file string, c fidelity.Case) *exec.Cmd {
	env := os.Environ()
	path := "."
	for i, s := range c.Path {
		if s.Index >= 0 {
			path += fmt.Sprintf("[%d]", s.Index)
			continue
		}
		name := "KEY" + strconv.Itoa(i)
		env = append(env, name+"="+s.Key)
		path += "[strenv(" + name + ")]"
	}
	if c.Documents() > 1 {
		path = fmt.Sprintf("select(di == %d) | %s", c.Doc, path)
	}
	val := ""
	if c.Value != nil {
		val = c.Value.Text
		if c.Value.Tag == "!!str" {
			env = append(env, "VALUE="+val)
			val = "strenv(VALUE)"
		}
	}
	args := append(slices.Clone(e.flags), yqExpression(c.Op, path, val), file)
	cmd := exec.CommandContext(ctx, e.Path, args...)
	cmd.Env = env
	return cmd
}

func yqExpression(op fidelity.Op, path, val string) string {
	switch op {
	case fidelity.Delete:
		return "del(" + path + ")"
	case fidelity.Rename:
		return "(" + path + " | key) = " + strconv.Quote(fidelity.NewKey)
	case fidelity.Append:
		return "(" + path + ") += [" + val + "]"
	}
	return "(" + path + ") = " + val
}

// reason returns a failure without the parts that differ between files: the error code of yaytpl, or
// the beginning of the message without digits.
func reason(stderr string, err error) string {
	line := programs.FirstLine(stderr)
	if i := strings.LastIndex(line, "["); i >= 0 && strings.HasSuffix(line, "]") {
		return line[i+1 : len(line)-1] // the code of yaytpl
	}
	if line == "" {
		line = err.Error()
	}
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return -1
		}
		return r
	}, line[:min(len(line), 60)])
}
