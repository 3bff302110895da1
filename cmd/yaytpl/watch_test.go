package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// A live is a running watch of real files.
type live struct {
	t      *testing.T
	dir    string
	lines  chan string
	stop   context.CancelFunc
	status chan int
	errs   lockedBuffer
}

// A lockedBuffer is written by one goroutine and read by another.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// startWatch starts watch -o jsonl in a directory with a main.yaml.
func startWatch(t *testing.T, main string, args ...string) *live {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	l := &live{t: t, dir: dir, lines: make(chan string, 100), status: make(chan int, 1)}
	l.write("main.yaml", main)
	l.start(append([]string{"watch", "-o", "jsonl", "main.yaml"}, args...)...)
	return l
}

func (l *live) start(args ...string) {
	ctx, stop := context.WithCancel(l.t.Context())
	l.stop = stop
	in, out := io.Pipe()
	go func() {
		l.status <- run(ctx, args, streams{in: strings.NewReader(""), out: out, err: &l.errs, dir: l.dir})
		out.Close()
	}()
	go func() {
		for s := bufio.NewScanner(in); s.Scan(); {
			l.lines <- s.Text()
		}
		close(l.lines)
	}()
}

func (l *live) write(name, text string) {
	l.t.Helper()
	writeFile(l.t, filepath.Join(l.dir, name), text)
}

func (l *live) do(err error) {
	l.t.Helper()
	if err != nil {
		l.t.Fatal(err)
	}
}

// expect waits for a line, past the lines of states between.
func (l *live) expect(want string) {
	l.t.Helper()
	end := time.After(20 * time.Second)
	var seen []string
	for {
		select {
		case line, ok := <-l.lines:
			if !ok {
				l.t.Fatalf("watch has ended with status %d before %s: %s%s", <-l.status, want, seen, l.errs.String())
			}
			if strings.Contains(line, want) {
				return
			}
			seen = append(seen, line)
		case <-end:
			l.t.Fatalf("%s does not come: %q\n%s", want, seen, l.errs.String())
		}
	}
}

// interrupt ends watch, whose status is 0.
func (l *live) interrupt() {
	l.t.Helper()
	l.stop()
	if status := <-l.status; status != exitDone {
		l.t.Errorf("status %d after an interrupt, standard error %q", status, l.errs.String())
	}
}

// Changes of files as editors, deployments and users make them.
func TestWatchFiles(t *testing.T) {
	const main = "+?include: conf/site.yaml\n+?include-2: \"more/*.yaml\"\n"
	l := startWatch(t, main)
	at := func(name string) string { return filepath.Join(l.dir, name) }
	l.expect(`{}`)
	l.write("conf/site.yaml", "a: 1\n")
	l.expect(`{"a":1}`)
	l.write("conf/.site.swp", "a: 2\n")
	l.do(os.Rename(at("conf/.site.swp"), at("conf/site.yaml")))
	l.expect(`{"a":2}`)
	l.do(os.Rename(at("conf"), at("conf.old")))
	l.write("conf/site.yaml", "a: 3\n")
	l.expect(`{"a":3}`)
	l.write("conf/site.yaml", "a: [\n")
	l.expect(`{"error":`)
	l.write("conf/site.yaml", "a: 4\n")
	l.expect(`{"a":4}`)
	l.write("more/b.yaml", "b: 1\n")
	l.expect(`{"a":4,"b":1}`)
	l.do(os.RemoveAll(at("more")))
	l.expect(`{"a":4}`)
	l.do(os.RemoveAll(at("conf")))
	l.expect(`{}`)
	l.write("conf/site.yaml", "a: 5\n")
	l.expect(`{"a":5}`)
	l.interrupt()
}

// Kubernetes replaces the files of a ConfigMap by a link that it renames.
func TestWatchConfigMap(t *testing.T) {
	l := startWatch(t, "+include: etc/site.yaml\n+include-2: etc/port.yaml\n")
	link := func(target, name string) {
		t.Helper()
		if err := os.Symlink(target, filepath.Join(l.dir, name)); err != nil {
			l.interrupt()
			t.Skip("the system has no links:", err)
		}
	}
	update := func(version, name, port string) {
		l.write("etc/.."+version+"/site.yaml", "name: "+name+"\n")
		l.write("etc/.."+version+"/port.yaml", "port: "+port+"\n")
		link(".."+version, "etc/..tmp")
		l.do(os.Rename(filepath.Join(l.dir, "etc/..tmp"), filepath.Join(l.dir, "etc/..data")))
	}
	l.expect(`"missing-include"`)
	update("1", "one", "1")
	link("..data/port.yaml", "etc/port.yaml")
	link("..data/site.yaml", "etc/site.yaml")
	l.expect(`{"name":"one","port":1}`)
	update("2", "two", "2")
	l.expect(`{"name":"two","port":2}`)
	l.do(os.RemoveAll(filepath.Join(l.dir, "etc/..1")))
	update("3", "three", "3")
	l.expect(`{"name":"three","port":3}`)
	l.interrupt()
}

// The command of --exec gets each result, one run at a time; while it runs, the newest of the results
// that come is kept, and no other.
func TestWatchExec(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the commands are those of a Unix shell")
	}
	l := startWatch(t, "a: 0\n", "--exec", "cat; while test -e hold; do sleep 0.01; done; echo done")
	l.expect(`done`)
	l.write("hold", "")
	l.write("main.yaml", "a: 1\n")
	l.expect(`{"a":1}`)
	for i := range 20 {
		l.write("main.yaml", fmt.Sprintf("a: %d\n", i+2))
		time.Sleep(20 * time.Millisecond) // some of these are revisions, however slow the machine is
	}
	l.write("main.yaml", "a: last\n")
	time.Sleep(300 * time.Millisecond)
	l.do(os.Remove(filepath.Join(l.dir, "hold")))
	l.expect(`{"a":"last"}`)
	l.expect("done")
	l.write("hold", "")
	l.write("main.yaml", "a: interrupted\n")
	l.expect("interrupted")
	l.interrupt()
}

// A command that fails is a warning, and the next result runs it again.
func TestWatchExecFails(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the commands are those of a Unix shell")
	}
	l := startWatch(t, "a: 0\n", "--exec", "cat; exit 3")
	l.expect(`{"a":0}`)
	l.write("main.yaml", "a: 1\n")
	l.expect(`{"a":1}`)
	l.interrupt()
	if text := l.errs.String(); !strings.Contains(text, "exit status 3") {
		t.Errorf("standard error %q", text)
	}
}

// A reader that does not read delays watch, which then goes on with the newest state, and can be
// interrupted meanwhile.
func TestWatchSlowReader(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "main.yaml"), "a: 1\n")
	ctx, stop := context.WithCancel(t.Context())
	in, out := io.Pipe()
	status := make(chan int, 1)
	go func() {
		status <- run(ctx, []string{"watch", "main.yaml"}, streams{in: strings.NewReader(""), out: out, err: io.Discard, dir: dir})
	}()
	if _, err := io.ReadFull(in, make([]byte, 1)); err != nil { // the rest of the result stays unread
		t.Fatal(err)
	}
	stop()
	if got := <-status; got != exitDone {
		t.Errorf("status %d", got)
	}
	in.Close()
}

// With --out only the files that differ are written, and nothing while there is an error.
func TestWatchOut(t *testing.T) {
	l := startWatch(t, "services: {web: {port: 1}, db: {port: 2}}\n", "--each", "services", "--out", "build", "-o", "yaml", "--why")
	read := func(name, want string) {
		t.Helper()
		for end := time.Now().Add(60 * time.Second); ; time.Sleep(5 * time.Millisecond) {
			text, err := os.ReadFile(filepath.Join(l.dir, "build", name))
			if err == nil && string(text) == want {
				return
			}
			if time.Now().After(end) {
				t.Fatalf("%s is %q, %v, want %q\n%s", name, text, err, want, l.errs.String())
			}
		}
	}
	read("web.yaml", "port: 1\n")
	read("db.yaml", "port: 2\n")
	old := time.Now().Add(-time.Hour).Truncate(time.Second)
	l.do(os.Chtimes(filepath.Join(l.dir, "build/db.yaml"), old, old))
	l.write("main.yaml", "services: {web: {port: 3}, db: [}\n")
	l.write("main.yaml", "services: {web: {port: 4}, db: {port: 2}}\n")
	read("web.yaml", "port: 4\n")
	info, err := os.Stat(filepath.Join(l.dir, "build/db.yaml"))
	if l.do(err); !info.ModTime().Equal(old) {
		t.Error("a file that did not change was written")
	}
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		text := l.errs.String()
		if strings.Contains(text, "wrote build/web.yaml\n") && strings.Contains(text, "changed: file main.yaml") {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("standard error %q", text)
		}
	}
	l.interrupt()
}

// --timeout is for each revision.
func TestWatchTimeout(t *testing.T) {
	l := startWatch(t, "a: \"{% for i in range(10000) %}{% for j in range(10000) %}{% endfor %}{% endfor %}\"\n", "--timeout", "200ms")
	l.expect(`"kind":"timeout"`)
	l.write("main.yaml", "a: 1\n")
	l.expect(`{"a":1}`)
	time.Sleep(600 * time.Millisecond) // longer than the time-out and its grace
	l.write("main.yaml", "a: 2\n")
	l.expect(`{"a":2}`)
	l.interrupt()
}

// With --prune the message says which files were written, and which are no more.
func TestWatchPrunes(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "main.yaml"), "services: {web: {port: 1}, db: {port: 2}}\n")
	writeFile(t, filepath.Join(dir, "steps"), "write main.yaml services: {web: {port: 3}}\nwrite main.yaml services: {}\n")
	var out, errs bytes.Buffer
	status := run(context.Background(), strings.Fields("watch --out build --prune --each services --script steps main.yaml"), streams{out: &out, err: &errs, dir: dir})
	want := "info: wrote build/web.yaml, build/db.yaml\ninfo: wrote build/web.yaml; removed build/db.yaml\ninfo: removed build/web.yaml\n"
	if errs.String() != want || out.Len() > 0 || status != exitDone {
		t.Errorf("status %d, printed %q and\n%s\nwant\n%s", status, out.String(), errs.String(), want)
	}
}
