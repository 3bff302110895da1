//go:build unix

// Bench compares the CPU time, wall time and memory of yaytpl and of programs that do comparable
// work, and writes the results to RESULTS.md. README.md lists the rows and the programs.
//
// The files, in the order in which to read them: row.go lists the rows, which describe the work
// and generate its inputs with input.go, template.go, program.go, lookup.go, shapes.go and recursion.go;
// measure.go runs the programs; compare.go checks that they print the same data; report.go writes the
// tables.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/yaytpl/yaytpl/bench/programs"
)

type settings struct {
	rows, tools []string // empty: all
	runs        int
	limit       time.Duration // for one run
	peerCPU     time.Duration // a program that uses more CPU time runs once for each size, a peer not at larger sizes
	largest     float64       // size to measure, as a multiple of the usual one
	dir, out    string
	keep        bool
	ours        string
	peers       string // directory to install peers into; empty: none
}

func main() {
	if len(os.Args) > 2 && os.Args[1] == measureCommand {
		os.Exit(measureChild(os.Args[2:]))
	}
	s := readFlags()
	if err := run(s); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func readFlags() settings {
	var s settings
	var rows, tools string
	flag.StringVar(&rows, "rows", "", "rows to measure, separated by commas (default all)")
	flag.StringVar(&tools, "tools", "", "programs to measure, separated by commas (default all that are installed)")
	flag.IntVar(&s.runs, "n", 5, "number of runs of each program; the table has the least values")
	flag.DurationVar(&s.limit, "limit", time.Minute, "time limit for one run")
	flag.DurationVar(&s.peerCPU, "patience", 10*time.Second, "run a program that uses more CPU time than this only once, and not with larger inputs")
	flag.Float64Var(&s.largest, "largest", 16, "skip sizes that are larger than the usual one by more than this factor")
	flag.StringVar(&s.dir, "dir", filepath.Join(os.TempDir(), "yaytpl-bench"), "directory for the inputs")
	flag.BoolVar(&s.keep, "keep", false, "keep the inputs and outputs")
	flag.StringVar(&s.out, "o", "RESULTS.md", "file for the results; it keeps the rows that are not measured; empty: standard output only")
	flag.StringVar(&s.ours, "yaytpl", "", "path of yaytpl (default: build it from this checkout)")
	flag.StringVar(&s.peers, "install", "", "first install the peers that are written in Go into this directory")
	flag.Parse()
	s.rows, s.tools = programs.Words(rows), programs.Words(tools)
	return s
}

func run(s settings) error {
	if err := os.MkdirAll(s.dir, 0o755); err != nil {
		return err
	}
	ours, err := programs.OfCheckout(s.ours, s.dir)
	if err != nil {
		return err
	}
	if s.peers != "" {
		if err := programs.Install(s.peers); err != nil {
			return err
		}
	}
	compared := map[string]programs.Program{}
	for _, p := range append(programs.Peers(s.tools...), ours) {
		if compared[p.Name], err = programs.Copied(p, filepath.Join(s.dir, "programs")); err != nil {
			return err
		}
	}
	var results []rowResult
	for _, r := range rows() {
		if len(s.rows) > 0 && !slices.Contains(s.rows, r.name) {
			continue
		}
		result, err := measureRow(s, r, compared)
		if err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
		results = append(results, result)
	}
	report := table(s, compared, results)
	fmt.Print(report)
	if s.out == "" {
		return nil
	}
	if len(s.rows) > 0 {
		if report, err = updated(s.out, report); err != nil {
			return err
		}
	}
	return os.WriteFile(s.out, []byte(report), 0o644)
}
