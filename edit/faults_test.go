package edit_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/edit"
	"github.com/yaytpl/yaytpl/value"
)

// editChild is the variable that gives a child process of a test its directory.
const editChild = "YAYTPL_EDIT_TEST"

// another returns a command that runs one test of this program in another process.
func another(t *testing.T, dir string) *exec.Cmd {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(program, "-test.run=^"+t.Name()+"$", "-test.count=1")
	c.Env = append(os.Environ(), editChild+"="+dir)
	return c
}

// appendAll appends n items to the list of main.yaml, one edit each, and edits again
// whenever another writer was faster.
func appendAll(dir, who string, n int) error {
	for i := 0; i < n; {
		item := value.String(fmt.Sprintf("%s-%d", who, i))
		e, err := edit.Apply(context.Background(), "main.yaml", []edit.Edit{{Op: edit.Append, Path: "list", Value: item}}, yaytpl.Options{Dir: dir}, edit.Options{})
		if err != nil {
			return err
		}
		err = e.Save()
		switch {
		case err == nil:
			i++
		case !strings.Contains(err.Error(), "changed while it was edited"):
			return err
		}
	}
	return nil
}

// Goroutines and a process edit one file concurrently: no edit is lost.
func TestEditTogether(t *testing.T) {
	const times = 25
	if dir := os.Getenv(editChild); dir != "" {
		if err := appendAll(dir, "process", times); err != nil {
			t.Error(err)
		}
		return
	}
	dir := tree(t, map[string]string{"main.yaml": "# all of them\nlist:\n  - first  # kept\nlast: 1\n"})
	child := another(t, dir)
	var said strings.Builder
	child.Stdout, child.Stderr = &said, &said
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	users := []string{"ann", "bob"}
	var all sync.WaitGroup
	for _, who := range users {
		all.Go(func() {
			if err := appendAll(dir, who, times); err != nil {
				t.Errorf("%s: %v", who, err)
			}
		})
	}
	all.Wait()
	if err := child.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, said.String())
	}
	text, err := os.ReadFile(filepath.Join(dir, "main.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, who := range append(users, "process") {
		at := -1
		for i := range times {
			line := fmt.Sprintf("\n  - %s-%d\n", who, i)
			found := strings.Index(string(text), line)
			if found < at || found < 0 {
				t.Fatalf("%q is missing or out of order in\n%s", line, text)
			}
			at = found
		}
	}
	if lines := strings.Count(string(text), "\n"); lines != 4+3*times {
		t.Errorf("%d lines:\n%s", lines, text)
	}
}

// A process that edits a file in a loop is killed at any point: the file is the result of one
// of its edits.
func TestEditKilled(t *testing.T) {
	if dir := os.Getenv(editChild); dir != "" {
		editForEver(t, dir)
		return
	}
	pad := strings.Repeat("# a line that makes the text longer\n", 3000)
	page := func(n string) string { return "a: " + n + "\n" + pad + "b: " + n + "\n" }
	dir := tree(t, map[string]string{"main.yaml": page("0")})
	number := func() string { // of the page that the file is
		text, err := os.ReadFile(filepath.Join(dir, "main.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		first, _, _ := strings.Cut(string(text), "\n")
		n := strings.TrimPrefix(first, "a: ")
		if string(text) != page(n) {
			t.Fatalf("a mixture of %d bytes: %.20q ... %q", len(text), text, text[max(0, len(text)-20):])
		}
		return n
	}
	for range 8 {
		before := number()
		c := another(t, dir)
		var said strings.Builder
		c.Stdout = &said
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		edited := false // a later edit may make the page what it was before
		for patience := time.Now().Add(time.Minute); !edited && time.Now().Before(patience); {
			time.Sleep(time.Millisecond)
			edited = number() != before
		}
		time.Sleep(time.Duration(rand.IntN(20_000)) * time.Microsecond)
		err := c.Process.Kill()
		_ = c.Wait() // it was killed
		number()     // the file is a whole page
		if err != nil || !edited || strings.Contains(said.String(), "FAIL") {
			t.Fatalf("no edit was made: %v\n%s", err, said.String())
		}
	}
	e, err := edit.Apply(t.Context(), "main.yaml", []edit.Edit{{Path: "a", Value: value.Null}}, yaytpl.Options{Dir: dir}, edit.Options{})
	if err == nil {
		err = e.Save()
	}
	if err != nil {
		t.Errorf("afterwards nobody can edit the file: %v", err)
	}
}

// editForEver sets two values to the same number, a higher one each time.
func editForEver(t *testing.T, dir string) {
	for n := rand.IntN(1000) + 1; ; n++ {
		edits := []edit.Edit{{Path: "a", Value: value.Int(int64(n))}, {Path: "b", Value: value.Int(int64(n))}}
		e, err := edit.Apply(t.Context(), "main.yaml", edits, yaytpl.Options{Dir: dir}, edit.Options{})
		if err == nil {
			err = e.Save()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}
