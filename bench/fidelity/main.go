// Command fidelity makes edits of YAML and JSON files that it finds with yaytpl and with
// yq, and counts in how many only the lines that were meant changed. No file is written.
// See docs/fidelity.md.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/yaytpl/yaytpl/bench/internal/fidelity"
	"github.com/yaytpl/yaytpl/bench/programs"
	"github.com/yaytpl/yaytpl/internal/textfiles"
)

type settings struct {
	dirs    []string
	sample  int   // files
	cases   int   // of each operation in a file
	largest int64 // bytes of a file
	workers int
	limit   time.Duration // of one run
	ours    string
	shown   int // edits that went wrong, of each editor
}

func main() {
	s := readFlags()
	if err := run(s); err != nil {
		fmt.Fprintln(os.Stderr, "fidelity:", err)
		os.Exit(1)
	}
}

func readFlags() settings {
	var s settings
	flag.IntVar(&s.sample, "sample", 1000, "files to edit, spread over all that are found")
	flag.IntVar(&s.cases, "n", 1, "edits of each kind in a file")
	flag.Int64Var(&s.largest, "largest", 1_000_000, "leave out files of more bytes")
	flag.IntVar(&s.workers, "workers", runtime.NumCPU(), "programs that run at a time")
	flag.DurationVar(&s.limit, "limit", time.Minute, "longest run")
	flag.StringVar(&s.ours, "yaytpl", "", "the yaytpl to use (default: built from this checkout)")
	flag.IntVar(&s.shown, "show", 0, "so many edits of each editor that changed other lines or data are shown")
	flag.Parse()
	s.dirs = flag.Args()
	return s
}

func run(s settings) error {
	if len(s.dirs) == 0 {
		return errors.New("name directories with YAML and JSON files")
	}
	dir, err := os.MkdirTemp("", "yaytpl-fidelity")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	editors, err := findEditors(s, dir)
	if err != nil {
		return err
	}
	files := textfiles.Sample(textfiles.Files(s.dirs, s.largest), s.sample)
	counts := make([]*count, len(editors))
	for i, e := range editors {
		counts[i] = newCount(e, s)
	}
	unread := editAll(s, files, counts)
	fmt.Print(table(len(files)-unread, unread, counts))
	return nil
}

// findEditors returns ours, built if need be, and yq if it is installed: with its own
// indentation of lists and with the other one.
func findEditors(s settings, dir string) ([]editor, error) {
	ours, err := programs.OfCheckout(s.ours, dir)
	editors := []editor{yaytplEditor{ours.Path}}
	for _, yq := range programs.Peers(programs.Yq) {
		editors = append(editors, yqEditor{yq, nil}, yqEditor{yq, []string{"-c"}})
	}
	return editors, err
}

// editAll makes all edits and returns how many files cannot be read.
func editAll(s settings, files []textfiles.File, counts []*count) int {
	work := make(chan textfiles.File)
	var group sync.WaitGroup
	var mutex sync.Mutex
	unread := 0
	for range s.workers {
		group.Go(func() {
			for f := range work {
				read, err := fidelity.Read(f.Text, f.JSON)
				if err != nil {
					mutex.Lock()
					unread++
					mutex.Unlock()
					continue
				}
				cases := read.Cases(s.cases)
				for _, c := range counts {
					c.file(f, cases)
				}
			}
		})
	}
	for _, f := range files {
		work <- f
	}
	close(work)
	group.Wait()
	return unread
}
