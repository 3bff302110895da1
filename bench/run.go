//go:build unix

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/yaytpl/yaytpl/bench/programs"
)

// measureRow runs all programs of a row at all sizes, alternating.
func measureRow(s settings, r row, compared map[string]programs.Program) (rowResult, error) {
	x := rowRun{settings: s, row: r, programs: compared, index: map[string]*toolResult{}}
	for _, size := range r.sizes {
		if float64(size) > s.largest*float64(r.usual) {
			continue
		}
		if err := x.measure(size); err != nil {
			return rowResult{}, fmt.Errorf("size %d: %w", size, err)
		}
	}
	return rowResult{r, x.tools}, nil
}

// A rowRun is a row that is being measured.
type rowRun struct {
	settings
	row      row
	programs map[string]programs.Program
	tools    []*toolResult
	index    map[string]*toolResult
}

// measure makes the inputs of a size and runs all programs on them.
func (x *rowRun) measure(size int) error {
	dir := filepath.Join(x.dir, fmt.Sprintf("%s-%d", x.row.name, size))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	jobs, err := x.row.generate(dir, size)
	if err != nil {
		return err
	}
	run := sizeRun{rowRun: x, dir: dir, size: size}
	if err := run.all(x.able(jobs)); err != nil || x.keep {
		return err
	}
	return os.RemoveAll(dir)
}

// able returns the jobs of programs that are there and were not given up at a smaller size.
func (x *rowRun) able(jobs []job) []job {
	var able []job
	for _, j := range jobs {
		if _, ok := x.programs[j.tool]; !ok {
			continue
		}
		t := x.index[j.tool]
		if t == nil {
			t = &toolResult{tool: j.tool, samples: map[int]sample{}}
			x.index[j.tool] = t
			x.tools = append(x.tools, t)
		}
		if t.note == "" {
			able = append(able, j)
		}
	}
	return able
}

// A sizeRun is one size of a row.
type sizeRun struct {
	*rowRun
	dir       string
	size      int
	reference any // the first output
}

// all runs the programs one after the other, several rounds.
func (x *sizeRun) all(jobs []job) error {
	for i := range x.runs {
		for _, j := range jobs {
			t := x.index[j.tool]
			if t.note != "" || i > 0 && t.samples[x.size].CPU > x.peerCPU {
				continue
			}
			if err := x.once(j, t, i == 0); err != nil {
				return err
			}
		}
	}
	for _, j := range jobs {
		x.conclude(x.index[j.tool])
	}
	return nil
}

// once runs a program. The first time its output is looked at.
func (x *sizeRun) once(j job, t *toolResult, first bool) error {
	out := filepath.Join(x.dir, "out-"+j.tool)
	used, err := measure(x.dir, out, x.limit, append([]string{x.programs[j.tool].Path}, j.args...)...)
	if err != nil {
		return x.failed(t, "fails", err)
	}
	if first {
		if x.reference, err = compare(x.reference, out, j.output); err != nil {
			return x.failed(t, "another result", err)
		}
		if x.row.edits != "" {
			if used.Lines, err = changedLines(filepath.Join(x.dir, x.row.edits), out); err != nil {
				return err
			}
		}
	}
	t.add(x.size, used)
	return nil
}

// failed notes why there is nothing for a peer. Of ours it is an error.
func (x *sizeRun) failed(t *toolResult, what string, err error) error {
	switch {
	case errors.Is(err, errTooLong):
		t.note = fmt.Sprintf("over %s at %s", x.limit, human(x.size))
	case t.tool == programs.Ours:
		return err
	default:
		t.note = fmt.Sprintf("%s at %s: %.90s", what, human(x.size), programs.FirstLine(err.Error()))
	}
	return nil
}

// conclude tells what a program used, and spares it bigger sizes if that was much.
func (x *sizeRun) conclude(t *toolResult) {
	used := t.samples[x.size]
	fmt.Fprintf(os.Stderr, "%s %s %v %d MB %s\n", x.dir, t.tool, used.CPU.Round(time.Millisecond), used.Memory>>20, t.note)
	if t.note == "" && t.tool != programs.Ours && used.CPU > x.peerCPU {
		t.note = "not tried above " + human(x.size)
	}
}
