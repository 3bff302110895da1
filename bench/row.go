//go:build unix

package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A row is one kind of work at several sizes.
type row struct {
	name  string
	title string
	sizes []int // of what counts in this row, in ascending order
	usual int   // the size that the table compares at
	unit  string
	edits string // the input that is edited: lines that differ from it are counted

	// generate writes the inputs of one size to dir and returns what to run there.
	generate func(dir string, size int) ([]job, error)
}

// A job is a program with its arguments for one row.
type job struct {
	tool   string
	args   []string
	output form
}

// A form is the notation of an output.
type form int

const (
	yamlForm form = iota
	jsonForm
)

func rows() []row {
	return []row{startRow, mergeRow, queryRow, queryJSONRow, setRow, restoreRow, includesRow, templateRow, yayRow, wideRow, growthRow}
}

// A rowResult is what a row came to.
type rowResult struct {
	row   row
	tools []toolResult
}

// A toolResult is what one program needed, by size.
type toolResult struct {
	tool    string
	samples map[int]sample
	note    string // why there is nothing for a size
}

// measureRow runs all programs of a row at all sizes, alternating.
func measureRow(s settings, r row, programs map[string]program) (rowResult, error) {
	result := rowResult{row: r}
	index := map[string]int{}
	for _, size := range r.sizes {
		if float64(size) > s.largest*float64(r.usual) {
			continue
		}
		dir := filepath.Join(s.dir, fmt.Sprintf("%s-%d", r.name, size))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return result, err
		}
		jobs, err := r.generate(dir, size)
		if err != nil {
			return result, err
		}
		var able []job
		for _, j := range jobs {
			if _, ok := programs[j.tool]; !ok {
				continue
			}
			if _, known := index[j.tool]; !known {
				index[j.tool] = len(result.tools)
				result.tools = append(result.tools, toolResult{tool: j.tool, samples: map[int]sample{}})
			}
			if result.tools[index[j.tool]].note == "" {
				able = append(able, j)
			}
		}
		if err := measureSize(s, r, programs, dir, size, able, result.tools, index); err != nil {
			return result, err
		}
		if s.keep {
			continue
		}
		if err := os.RemoveAll(dir); err != nil {
			return result, err
		}
	}
	return result, nil
}

func measureSize(s settings, r row, programs map[string]program, dir string, size int, jobs []job, tools []toolResult, index map[string]int) error {
	var reference any
	for i := range s.runs {
		for _, j := range jobs {
			t := &tools[index[j.tool]]
			if t.note != "" || i > 0 && t.samples[size].CPU > s.peerCPU {
				continue
			}
			out := filepath.Join(dir, "out-"+j.tool)
			got, err := measure(dir, out, s.limit, append([]string{programs[j.tool].path}, j.args...)...)
			switch {
			case errors.Is(err, errTooLong):
				t.note = fmt.Sprintf("over %s at %s", s.limit, human(size))
			case err != nil && j.tool == oursName:
				return fmt.Errorf("size %d: %w", size, err)
			case err != nil:
				t.note = "fails at " + human(size) + ": " + firstLine(err.Error())
			}
			if err == nil && i == 0 {
				if reference, err = compare(reference, out, j.output); err != nil {
					if j.tool == oursName {
						return fmt.Errorf("size %d: %w", size, err)
					}
					t.note = "another result at " + human(size) + ": " + firstLine(err.Error())
				}
			}
			if err != nil {
				continue
			}
			best, have := t.samples[size]
			if r.edits != "" && !have {
				if best.Lines, err = changedLines(filepath.Join(dir, r.edits), out); err != nil {
					return err
				}
			}
			if !have || got.CPU < best.CPU {
				best.CPU = got.CPU
			}
			if !have || got.Wall < best.Wall {
				best.Wall = got.Wall
			}
			if !have || got.Memory < best.Memory {
				best.Memory = got.Memory
			}
			t.samples[size] = best
		}
	}
	for _, j := range jobs {
		t := &tools[index[j.tool]]
		fmt.Fprintf(os.Stderr, "%s %s %v %d MB %s\n", dir, j.tool, t.samples[size].CPU.Round(time.Millisecond), t.samples[size].Memory>>20, t.note)
		if t.note == "" && j.tool != oursName && t.samples[size].CPU > s.peerCPU {
			t.note = "not tried above " + human(size)
		}
	}
	return nil
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return fmt.Sprintf("%.90s", s)
}

func human(n int) string {
	switch {
	case n >= 1_000_000 && n%1_000_000 == 0:
		return fmt.Sprint(n/1_000_000) + "M"
	case n >= 1000 && n%1000 == 0:
		return fmt.Sprint(n/1000) + "k"
	}
	return fmt.Sprint(n)
}

// exponent fits CPU time = c * size^e over the sizes at which a program was
// measured, by least squares of the logarithms. It needs three sizes.
func (t toolResult) exponent() (float64, bool) {
	var n, sx, sy, sxx, sxy float64
	for size, s := range t.samples {
		x, y := math.Log(float64(size)), math.Log(s.CPU.Seconds())
		n, sx, sy, sxx, sxy = n+1, sx+x, sy+y, sxx+x*x, sxy+x*y
	}
	if n < 3 {
		return 0, false
	}
	return (n*sxy - sx*sy) / (n*sxx - sx*sx), true
}
