package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	keep := flag.Int("keep", 8, "how many inputs to keep for a target, at most")
	size := flag.Int64("bytes", 600, "the longest input that is looked at")
	dir := flag.String("C", "..", "the directory of the module whose packages are meant")
	flag.Parse()
	packages := flag.Args()
	if len(packages) == 0 {
		packages = []string{"./..."}
	}
	err := os.Chdir(*dir)
	if err == nil {
		err = run(packages, *keep, *size)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "corpus:", err)
		os.Exit(1)
	}
}

func run(packages []string, keep int, size int64) error {
	targets, err := listTargets(packages)
	if err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "corpus-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	binaries := map[string]string{}
	for _, t := range targets {
		if binaries[t.dir] == "" {
			binary := filepath.Join(scratch, fmt.Sprintf("%d.test", len(binaries)))
			if err := buildTest(t.dir, binary); err != nil {
				return err
			}
			binaries[t.dir] = binary
		}
		if err := choose(t, binaries[t.dir], keep, size); err != nil {
			return fmt.Errorf("%s: %w", t, err)
		}
	}
	return nil
}
