//go:build unix

// Command bench measures yaytpl beside the programs that do comparable work, and
// writes what it found to RESULTS.md. See README.md for the rows and the peers.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
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
	flag.StringVar(&s.out, "o", "RESULTS.md", "file for the table; empty for standard output only")
	flag.StringVar(&s.ours, "yaytpl", "", "the program to measure (default: built from this checkout)")
	flag.StringVar(&s.peers, "install", "", "install the peers that are written in Go into this directory, and use them")
	flag.Parse()
	s.rows, s.tools = words(rows), words(tools)
	return s
}

func words(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' })
}

func run(s settings) error {
	if err := os.MkdirAll(s.dir, 0o755); err != nil {
		return err
	}
	if s.ours == "" {
		ours, err := filepath.Abs(filepath.Join(s.dir, "yaytpl"))
		if err != nil {
			return err
		}
		s.ours = ours
		if out, err := exec.Command("go", "build", "-C", "..", "-o", s.ours, "./cmd/yaytpl").CombinedOutput(); err != nil {
			return fmt.Errorf("go build: %w\n%s", err, out)
		}
	}
	if s.peers != "" {
		if err := usePeers(s.peers); err != nil {
			return err
		}
	}
	programs := findPrograms(s)
	var results []rowResult
	for _, r := range rows() {
		if !chosen(s.rows, r.name) {
			continue
		}
		result, err := measureRow(s, r, programs)
		if err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
		results = append(results, result)
	}
	report := table(s, programs, results)
	fmt.Print(report)
	if s.out == "" {
		return nil
	}
	return os.WriteFile(s.out, []byte(report), 0o644)
}

// usePeers installs the peers and puts them before others of the same name.
func usePeers(dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if err := installPeers(dir); err != nil {
		return err
	}
	return os.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

func chosen(list []string, name string) bool {
	for _, have := range list {
		if have == name {
			return true
		}
	}
	return len(list) == 0
}
