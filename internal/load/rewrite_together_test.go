package load_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/yaytpl/yaytpl/internal/load"
)

// page is a text that says a number often enough that a mixture of two shows.
func page(n int) string { return strings.Repeat(strconv.Itoa(n)+"\n", 20_000) }

// number returns the number of a page.
func number(data string) (int, error) {
	first, _, _ := strings.Cut(data, "\n")
	n, err := strconv.Atoi(first)
	if err == nil && data != page(n) {
		err = fmt.Errorf("a mixture: it begins with %d", n)
	}
	return n, err
}

// count adds one to each of the files, n times, and begins anew whenever somebody else
// was faster.
func count(dir string, names []string, n int) error {
	for n > 0 {
		f := load.New(load.Config{Dir: dir})
		var list []load.Rewrite
		for _, name := range names {
			data, err := f.Bytes(name)
			if err != nil {
				return err
			}
			was, err := number(string(data))
			if err != nil {
				return err
			}
			list = append(list, load.Rewrite{Name: name, Old: string(data), New: page(was + 1)})
		}
		err := f.RewriteAll(list)
		switch {
		case err == nil:
			n--
		case !strings.Contains(err.Error(), "changed while it was edited"):
			return err
		}
	}
	return nil
}

// Goroutines and processes count in the same two files at once, and name them in
// different orders: no step is lost, nothing is mixed, and nobody waits for ever.
func TestRewriteTogether(t *testing.T) {
	const processes, times = 2, 40
	names := []string{"a.yaml", "b.yaml"}
	opposite := []string{"b.yaml", "a.yaml"}
	if dir := os.Getenv(childVariable); dir != "" {
		must(t, count(dir, opposite, times))
		return
	}
	dir := tree(t, map[string]string{"a.yaml": page(0), "b.yaml": page(0)})
	var children []*exec.Cmd
	var said bytes.Buffer
	for range processes {
		c := child(t, dir)
		c.Stdout, c.Stderr = &said, &said
		if len(children) > 0 {
			c.Stdout, c.Stderr = nil, nil
		}
		must(t, c.Start())
		children = append(children, c)
	}
	var all sync.WaitGroup
	for _, order := range [][]string{names, opposite} {
		all.Go(func() {
			if err := count(dir, order, times); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for _, c := range children {
		if err := c.Wait(); err != nil {
			t.Errorf("a process: %v\n%s", err, said.String())
		}
	}
	for _, name := range names {
		got, err := number(contents(filepath.Join(dir, name)))
		if want := (processes + 2) * times; err != nil || got != want {
			t.Errorf("%s has %d, %v, want %d", name, got, err, want)
		}
	}
	if left := leftovers(t, dir); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

// Somebody reads the file all the time that it is rewritten: never half of it.
func TestRewriteRead(t *testing.T) {
	dir := tree(t, map[string]string{"a.yaml": page(0)})
	done := make(chan error, 1)
	go func() { done <- count(dir, []string{"a.yaml"}, 50) }()
	var seen []int
	for running := true; running; {
		select {
		case err := <-done:
			must(t, err)
			running = false
		default:
		}
		n, err := number(contents(filepath.Join(dir, "a.yaml")))
		must(t, err)
		seen = append(seen, n)
	}
	if !slices.IsSorted(seen) || seen[len(seen)-1] != 50 {
		t.Errorf("read the numbers %v", seen)
	}
}
