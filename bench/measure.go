//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/yaytpl/yaytpl/bench/programs"
)

// measureRow runs the programs of a row at each size. At one size the programs alternate, so that
// a short load of the machine does not affect the runs of one program only.
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

// A rowRun holds the state of measuring one row.
type rowRun struct {
	settings
	row      row
	programs map[string]programs.Program
	tools    []*toolResult          // in the order of the table
	index    map[string]*toolResult // tools by name
}

// measure generates the inputs of one size and runs the programs on them.
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

// able returns the jobs of installed programs, without those that failed or were too slow at a
// smaller size.
func (x *rowRun) able(jobs []job) []job {
	var able []job
	for _, j := range jobs {
		if _, ok := x.programs[programOf(j.tool)]; !ok {
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

// A sizeRun holds the state of measuring one size of a row.
type sizeRun struct {
	*rowRun
	dir       string
	size      int
	reference any // the data of the first output, to compare the others with
}

// all runs each program once per round. A program that uses more CPU time than
// x.peerCPU runs in the first round only.
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

// once runs a program and adds its sample to t. In the first round it also checks the output.
func (x *sizeRun) once(j job, t *toolResult, first bool) error {
	out := filepath.Join(x.dir, "out-"+j.tool)
	used, err := measure(x.dir, out, x.limit, append([]string{x.programs[programOf(j.tool)].Path}, j.args...)...)
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

// failed notes in t why a peer has no sample. A failure of yaytpl is an error.
func (x *sizeRun) failed(t *toolResult, what string, err error) error {
	switch {
	case errors.Is(err, errTooLong):
		t.note = fmt.Sprintf("over %s at %s", x.limit, human(x.size))
	case programOf(t.tool) == programs.Ours:
		return err
	default:
		t.note = fmt.Sprintf("%s at %s: %.90s", what, human(x.size), programs.FirstLine(err.Error()))
	}
	return nil
}

// conclude prints the sample of a program to standard error, and excludes a slow peer from larger
// sizes.
func (x *sizeRun) conclude(t *toolResult) {
	used := t.samples[x.size]
	fmt.Fprintf(os.Stderr, "%s %s %v %d MB %s\n", x.dir, t.tool, used.CPU.Round(time.Millisecond), used.Memory>>20, t.note)
	if t.note == "" && programOf(t.tool) != programs.Ours && used.CPU > x.peerCPU {
		t.note = "not tried above " + human(x.size)
	}
}

// measureCommand makes this program run another one and measure it. It starts as a new, small
// process, because Linux counts the memory of the parent process in the peak memory of a child.
const measureCommand = "measure-child"

// A sample has the resources that one run used.
type sample struct {
	CPU    time.Duration // user and system time
	Wall   time.Duration // from start to end
	Memory int64         // peak, in bytes
	Lines  int           // lines that differ from the input, in rows with edits
	Failed string        // the error of the run, or ""
}

// measureChild runs the command args[1:], with its output in the file args[0], and writes the
// sample as JSON to file descriptor 3. It returns an exit status.
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

// measure runs a program once, in the directory dir and with its output in the file out. It
// returns errTooLong if the run takes longer than limit.
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
	// The measured program is a grandchild. Killing the process group ends it as well.
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

// A rowResult has the results of all programs in a row.
type rowResult struct {
	row   row
	tools []*toolResult
}

// A toolResult has the samples of one program by size.
type toolResult struct {
	tool    string
	samples map[int]sample
	note    string // why sizes are missing, or ""
}

// add adds the sample of a run: for each size, t keeps the least CPU time, wall time and memory.
func (t *toolResult) add(size int, s sample) {
	if best, have := t.samples[size]; have {
		s.CPU, s.Wall, s.Memory = min(s.CPU, best.CPU), min(s.Wall, best.Wall), min(s.Memory, best.Memory)
		s.Lines = best.Lines
	}
	t.samples[size] = s
}

// exponent returns e of the function CPU time = c * size^e that fits the samples best (least
// squares of the logarithms). It reports false if there are fewer than three sizes.
//
// For example, 1, 4 and 16 seconds at the sizes 1, 2 and 4 have the exponent 2.
func (t *toolResult) exponent() (float64, bool) {
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

// human abbreviates whole thousands and millions: 2000 is "2k".
func human(n int) string {
	switch {
	case n >= 1_000_000 && n%1_000_000 == 0:
		return fmt.Sprint(n/1_000_000) + "M"
	case n >= 1000 && n%1000 == 0:
		return fmt.Sprint(n/1000) + "k"
	}
	return fmt.Sprint(n)
}
