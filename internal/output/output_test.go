package output_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/internal/load"
	"github.com/yaytpl/yaytpl/internal/output"
	"github.com/yaytpl/yaytpl/source"
)

// A run writes files, NAME TEXT, to the directory out below dir, and returns the findings.
func run(dir string, o output.Options, files ...string) ([]string, error) {
	var findings []string
	o.Warn = func(d *source.Diagnostic) { findings = append(findings, string(d.Code)+": "+d.Message) }
	job := output.New(load.New(load.Config{Dir: dir}), o)
	defer job.Close()
	d, err := job.Dir("out")
	if err != nil {
		return nil, err
	}
	for i := 0; i < len(files); i += 2 {
		if err := d.Add(output.File{Name: files[i], Text: files[i+1], What: fmt.Sprint("document ", i/2)}); err != nil {
			return findings, err
		}
	}
	return findings, job.Commit()
}

// tree returns the files below out with their texts, as "NAME=TEXT", sorted.
func tree(t testing.TB, dir string) []string {
	t.Helper()
	var all []string
	root := filepath.Join(dir, "out")
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(root, path)
		all = append(all, filepath.ToSlash(rel)+"="+strings.ReplaceAll(string(data), "\n", ";"))
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return all
}

func wantTree(t testing.TB, dir string, want ...string) {
	t.Helper()
	if got := tree(t, dir); !slices.Equal(got, want) {
		t.Errorf("the directory has %q, want %q", got, want)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func fails(t testing.TB, err error, code source.Code, words ...string) {
	t.Helper()
	var d *source.Diagnostic
	if !errors.As(err, &d) || d.Code != code {
		t.Errorf("the error is %v, want code %s", err, code)
		return
	}
	for _, word := range words {
		if !strings.Contains(d.Message, word) {
			t.Errorf("the error %q does not contain %q", d.Message, word)
		}
	}
}

func TestWriteCheckPrune(t *testing.T) {
	dir := t.TempDir()
	check := func(o output.Options, files []string, want ...string) {
		t.Helper()
		o.Check = true
		was := tree(t, dir)
		got, err := run(dir, o, files...)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("check reports %q, %v, want %q", got, err, want)
		}
		wantTree(t, dir, was...)
	}
	one := []string{"a.yaml", "1", "sub/b.yaml", "2"}
	check(output.Options{}, one, "changed: out/a.yaml would be created", "changed: out/sub/b.yaml would be created")
	_, err := run(dir, output.Options{}, one...)
	must(t, err)
	wantTree(t, dir, ".yaytpl-files=a.yaml;sub/b.yaml;", "a.yaml=1", "sub/b.yaml=2")
	check(output.Options{}, one)

	two := []string{"a.yaml", "3"}
	check(output.Options{}, two, "changed: out/a.yaml would change")
	check(output.Options{Prune: true}, two, "changed: out/a.yaml would change", "changed: out/sub/b.yaml would be removed")
	_, err = run(dir, output.Options{}, two...)
	must(t, err)
	wantTree(t, dir, ".yaytpl-files=a.yaml;sub/b.yaml;", "a.yaml=3", "sub/b.yaml=2")
	must(t, os.WriteFile(filepath.Join(dir, "out/mine"), []byte("m"), 0o666))
	_, err = run(dir, output.Options{Prune: true}, two...)
	must(t, err)
	wantTree(t, dir, ".yaytpl-files=a.yaml;", "a.yaml=3", "mine=m")
	check(output.Options{Prune: true}, two)

	_, err = run(dir, output.Options{Prune: true})
	must(t, err)
	wantTree(t, dir, ".yaytpl-files=", "mine=m")
}

// A file that is as it should be is not written again.
func TestUnchangedFileStays(t *testing.T) {
	dir := t.TempDir()
	_, err := run(dir, output.Options{}, "a", "1", "b", "1")
	must(t, err)
	before, err := os.Stat(filepath.Join(dir, "out/a"))
	must(t, err)
	_, err = run(dir, output.Options{}, "a", "1", "b", "2")
	must(t, err)
	after, err := os.Stat(filepath.Join(dir, "out/a"))
	must(t, err)
	if !os.SameFile(before, after) {
		t.Error("the file was replaced")
	}
}

func TestNames(t *testing.T) {
	long := strings.Repeat("n", 256)
	tests := []struct{ name, want string }{
		{"", "empty"}, {"  ", "empty"}, {"../a", "leads out"}, {"a/../../b", "leads out"}, {"/etc/a", "leads out"},
		{"a/", "no last part"}, {"a/.", "no last part"}, {"a/..", "no last part"}, {".", "no last part"}, {"..", "no last part"},
		{"a\nb", "character"}, {"a\x00", "character"}, {"a\xff", "character"}, {long, "256 bytes"}, {strings.Repeat("a/", 2500) + "b", "5001 bytes"},
		{".yaytpl-files", "reserved"}, {".yaytpl-new/a", "reserved"}, {"sub/.YAYTPL-x", "reserved"},
	}
	for _, tt := range tests {
		dir := t.TempDir()
		_, err := run(dir, output.Options{}, "ok.yaml", "1", tt.name, "2")
		fails(t, err, source.Output, tt.want)
		wantTree(t, dir)
		if _, err := os.Stat(filepath.Join(dir, "out")); err == nil {
			t.Errorf("%q: the directory was created", tt.name)
		}
	}
	dir := t.TempDir()
	_, err := run(dir, output.Options{}, "a//b", "1", "./c", "2", "x/../d", "3", "é ü", "4", "..e", "5")
	must(t, err)
	wantTree(t, dir, "..e=5", ".yaytpl-files=..e;a/b;c;d;é ü;", "a/b=1", "c=2", "d=3", "é ü=4")
}

func TestCollisions(t *testing.T) {
	for _, names := range [][]string{{"a", "a"}, {"a", "./a"}, {"a", "a/b"}, {"a/b", "a"}, {"a/b/c", "a/b"}} {
		dir := t.TempDir()
		_, err := run(dir, output.Options{}, names[0], "1", names[1], "2")
		fails(t, err, source.Output, "document 0 and document 1", filepath.Join("out", "a"))
		wantTree(t, dir)
	}
	dir := t.TempDir()
	job := output.New(load.New(load.Config{Dir: dir}), output.Options{})
	defer job.Close()
	d, err := job.Dir("out")
	must(t, err)
	must(t, d.Add(output.File{Name: "a.yaml"}))
	fails(t, job.One("out/a.yaml", output.File{}), source.Output, "two files have the name")
	fails(t, job.One("out/../out/a.yaml", output.File{}), source.Output, "two files have the name")
}

// Of many files the last one fails: those that were written are removed again, in a new directory and in one
// that exists.
func TestLateFailure(t *testing.T) {
	var files []string
	for i := range 100 {
		files = append(files, fmt.Sprintf("d%d/f%d", i%3, i), "text")
	}
	dir := t.TempDir()
	for _, there := range [][]string{nil, {"d0/f0", "old"}} {
		if there != nil {
			_, err := run(dir, output.Options{}, there...)
			must(t, err)
		}
		before := tree(t, dir)
		_, err := run(dir, output.Options{}, append(files, "d1/../d0/f0", "2")...)
		fails(t, err, source.Output, "document 0 and document 100")
		wantTree(t, dir, before...)
		if names, err := os.ReadDir(dir); err != nil || len(names) > len(there)/2 {
			t.Errorf("left behind: %v, %v", names, err)
		}
	}
}

// An input of the result is not overwritten, also if it is named by a link.
func TestInputStays(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "in.yaml"), []byte("a: 1\n"), 0o666))
	must(t, os.Symlink("in.yaml", filepath.Join(dir, "link.yaml")))
	files := load.New(load.Config{Dir: dir})
	_, err := files.Open("in.yaml", "")
	must(t, err)
	for _, name := range []string{"in.yaml", "link.yaml"} {
		job := output.New(files, output.Options{})
		fails(t, job.One(name, output.File{Text: "a: 2\n", From: files}), source.Output, name, "made of it")
		job.Close()
	}
}

func TestOne(t *testing.T) {
	dir := t.TempDir()
	job := output.New(load.New(load.Config{Dir: dir}), output.Options{})
	defer job.Close()
	for _, name := range []string{"", ".", "..", "a/", "/"} {
		fails(t, job.One(name, output.File{}), source.Output, "is not the name of a file")
	}
	must(t, os.MkdirAll(filepath.Join(dir, "out"), 0o777))
	must(t, os.WriteFile(filepath.Join(dir, "out/real"), []byte("1"), 0o604))
	must(t, os.Symlink("out/real", filepath.Join(dir, "link.yaml")))
	must(t, job.One("link.yaml", output.File{Text: "2"}))
	must(t, job.One("out/new/b.json", output.File{Text: "{}", Private: true}))
	must(t, job.Commit())
	job.Close()
	wantTree(t, dir, "new/b.json={}", "real=2")
}

func TestLimit(t *testing.T) {
	dir := t.TempDir()
	_, err := run(dir, output.Options{MaxFiles: 2}, "a", "", "b", "", "c", "")
	fails(t, err, source.Limit, "more than 2 files")
	wantTree(t, dir)
}

// A list that was changed by hand cannot make the command remove other files.
func TestHostileList(t *testing.T) {
	for _, line := range []string{"../keep", "/etc/passwd", "a/../b", ".yaytpl-files", "\n", "a\x00"} {
		dir := t.TempDir()
		must(t, os.MkdirAll(filepath.Join(dir, "out"), 0o777))
		must(t, os.WriteFile(filepath.Join(dir, "keep"), []byte("k"), 0o666))
		must(t, os.WriteFile(filepath.Join(dir, "out", output.ListName), []byte(line+"\n"), 0o666))
		_, err := run(dir, output.Options{Prune: true}, "x", "1")
		fails(t, err, source.Output, output.ListName)
		wantTree(t, dir, output.ListName+"="+strings.ReplaceAll(line, "\n", ";")+";")
	}
	dir := t.TempDir()
	must(t, os.MkdirAll(filepath.Join(dir, "out/dir"), 0o777))
	must(t, os.WriteFile(filepath.Join(dir, "keep"), []byte("k"), 0o666))
	must(t, os.Symlink("../keep", filepath.Join(dir, "out/link")))
	must(t, os.WriteFile(filepath.Join(dir, "out", output.ListName), []byte("dir\nlink\nlink/x\n"), 0o666))
	_, err := run(dir, output.Options{Prune: true}, "x", "1")
	must(t, err)
	wantTree(t, dir, ".yaytpl-files=x;", "link=k", "x=1")
}

// TestKilled kills a process that writes two versions of a directory in turns. Each file is whole, the
// list has all files, and the next job ends the work.
func TestKilled(t *testing.T) {
	version := func(n int) []string {
		var files []string
		for i := n % 2; i < 12; i += 1 + n%2 {
			files = append(files, fmt.Sprintf("d%d/f%d", i%3, i), fmt.Sprint(n%2))
		}
		return files
	}
	killed(t, func(dir string, n int) error {
		_, err := run(dir, output.Options{Prune: true}, version(n)...)
		return err
	}, func(dir string, round int) {
		list := "\n" + strings.Join(strings.Split(strings.TrimSpace(readFile(t, dir, output.ListName)), "\n"), "\n") + "\n"
		for _, f := range tree(t, dir) {
			name, text, _ := strings.Cut(f, "=")
			if strings.HasPrefix(name, ".yaytpl-") {
				continue
			}
			if text != "0" && text != "1" || !strings.Contains(list, "\n"+name+"\n") {
				t.Errorf("after a crash there is %s=%s, and the list is %q", name, text, list)
			}
		}
		_, err := run(dir, output.Options{Prune: true}, version(round)...)
		must(t, err)
		if found, err := run(dir, output.Options{Prune: true, Check: true}, version(round)...); err != nil || len(found) > 0 {
			t.Errorf("the next job leaves %q, %v", found, err)
		}
		if got, want := len(tree(t, dir)), len(version(round))/2+1; got != want {
			t.Errorf("the next job leaves %d files, want %d", got, want)
		}
	})
}

// TestKilledAtFirst kills a process that writes to one new directory after another. Each has all files
// or does not exist, and the next job ends the work.
func TestKilledAtFirst(t *testing.T) {
	var files []string
	for i := range 40 {
		files = append(files, fmt.Sprintf("d%d/f%d", i%3, i), fmt.Sprint(i))
	}
	killed(t, func(dir string, n int) error {
		_, err := run(filepath.Join(dir, fmt.Sprint(n)), output.Options{}, files...)
		return err
	}, func(dir string, _ int) {
		jobs, err := os.ReadDir(dir)
		must(t, err)
		for n := range len(jobs) + 1 {
			up := filepath.Join(dir, fmt.Sprint(n))
			if got := len(tree(t, up)); got != 0 && got != len(files)/2+1 {
				t.Errorf("after a crash there are %d files", got)
			}
			_, err := run(up, output.Options{}, files...)
			must(t, err)
			entries, err := os.ReadDir(up)
			must(t, err)
			if got := len(tree(t, up)); got != len(files)/2+1 || len(entries) != 1 {
				t.Errorf("the next job leaves %d files, and %v", got, entries)
			}
		}
	})
}

// killed runs the test again in processes that carry out one job after the other, kills each of them after
// another number of jobs, and checks the directory that it leaves.
func killed(t *testing.T, job func(dir string, n int) error, check func(dir string, round int)) {
	t.Helper()
	if dir := os.Getenv("OUTPUT_TEST_DIR"); dir != "" {
		for n := 0; ; n++ {
			if err := job(dir, n); err != nil {
				fmt.Println(err)
				os.Exit(1)
			}
			fmt.Println(n)
		}
	}
	for round := range 8 {
		dir := t.TempDir()
		c := exec.Command(os.Args[0], "-test.run="+t.Name()+"$")
		c.Env = append(os.Environ(), "OUTPUT_TEST_DIR="+dir)
		out, err := c.StdoutPipe()
		must(t, err)
		must(t, c.Start())
		_, err = io.ReadFull(out, make([]byte, 1+round*3)) // jobs end meanwhile
		must(t, err)
		must(t, c.Process.Kill())
		_ = c.Wait() // it was killed
		check(dir, round)
	}
}

func readFile(t testing.TB, dir, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "out", name))
	must(t, err)
	return string(data)
}
