// Fidelity edits YAML and JSON files with yaytpl and with yq, and counts the edits after which only
// the expected lines differ. The editors print the edited text; no file changes. See
// docs/fidelity.md.
//
//	go run -C bench ./fidelity [FLAGS] DIR...
//
// The files, in the order in which to read them: main.go runs the edits, editors.go has the command
// lines of the editors, report.go counts the outcomes and writes the tables.
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
	"github.com/yaytpl/yaytpl/internal/testing/textfiles"
)

type settings struct {
	dirs    []string
	sample  int           // maximum of files
	cases   int           // maximum of edits of each operation in a file
	largest int64         // maximum of bytes of a file
	workers int           // programs that run at a time
	limit   time.Duration // for one run
	ours    string        // path of yaytpl; empty: build it
	shown   int           // maximum of wrong edits to print, for each editor
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
	flag.IntVar(&s.sample, "sample", 1000, "maximum of files to edit; they are spread over all files found")
	flag.IntVar(&s.cases, "n", 1, "edits of each operation in a file")
	flag.Int64Var(&s.largest, "largest", 1_000_000, "skip files of more bytes")
	flag.IntVar(&s.workers, "workers", runtime.NumCPU(), "number of programs that run at a time")
	flag.DurationVar(&s.limit, "limit", time.Minute, "time limit for one run")
	flag.StringVar(&s.ours, "yaytpl", "", "path of yaytpl (default: build it from this checkout)")
	flag.IntVar(&s.shown, "show", 0, "number of edits of each editor to print that changed other lines or data")
	flag.Parse()
	s.dirs = flag.Args()
	return s
}

func run(s settings) error {
	if len(s.dirs) == 0 {
		return errors.New("missing argument: directories with YAML and JSON files")
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

// findEditors returns yaytpl and, if it is installed, yq: once with its default indentation of
// lists, and once with compact lists (-c).
func findEditors(s settings, dir string) ([]editor, error) {
	ours, err := programs.OfCheckout(s.ours, dir)
	editors := []editor{yaytplEditor{ours.Path}}
	for _, yq := range programs.Peers(programs.Yq) {
		editors = append(editors, yqEditor{yq, nil}, yqEditor{yq, []string{"-c"}})
	}
	return editors, err
}

// editAll makes all edits with all editors, and returns the number of files that cannot be read.
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
				cases := read.Cases(s.cases, 0)
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
