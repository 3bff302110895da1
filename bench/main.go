//go:build unix

// Command bench measures yaytpl beside the programs that do comparable work, and
// writes what it found to RESULTS.md. See README.md for the rows and the peers.
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
	rows, tools []string // none is all
	runs        int
	limit       time.Duration // of one run
	peerCPU     time.Duration // a program that needs more runs once, and not with bigger sizes
	largest     float64       // times the usual size
	dir, out    string
	keep        bool
	ours        string
	peers       string // directory of peers that are installed first
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
	flag.IntVar(&s.runs, "n", 5, "runs of each program; the one with the least CPU time counts")
	flag.DurationVar(&s.limit, "limit", time.Minute, "longest run")
	flag.DurationVar(&s.peerCPU, "patience", 10*time.Second, "a program that needs more CPU time runs once, and not with bigger inputs")
	flag.Float64Var(&s.largest, "largest", 16, "leave sizes out that are more than so many times the usual one")
	flag.StringVar(&s.dir, "dir", filepath.Join(os.TempDir(), "yaytpl-bench"), "directory for the inputs")
	flag.BoolVar(&s.keep, "keep", false, "keep the inputs, and the outputs beside them")
	flag.StringVar(&s.out, "o", "RESULTS.md", "file for the table, in which rows that are not measured stay; empty for standard output only")
	flag.StringVar(&s.ours, "yaytpl", "", "the program to measure (default: built from this checkout)")
	flag.StringVar(&s.peers, "install", "", "install the peers that are written in Go into this directory, and use them")
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
	compared := map[string]programs.Program{programs.Ours: ours}
	for _, p := range programs.Peers(s.tools...) {
		compared[p.Name] = p
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
