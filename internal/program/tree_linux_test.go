package program

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestCommandKillsAll: a script whose programs run on their own ends with all of them.
func TestCommandKillsAll(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no shell")
	}
	pids := filepath.Join(t.TempDir(), "pids")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	c := Command(ctx, "sh", "-c", `(sh -c 'echo $$ >> "$1"; sleep 600; true' x "$1"; true) & echo $! >> "$1"; sleep 600; true`, "x", pids)
	c.WaitDelay = time.Second
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	for len(Started(c.Process.Pid)) < 4 { // two shells and two sleeps
		time.Sleep(time.Millisecond)
	}
	all := Started(c.Process.Pid)
	text, err := os.ReadFile(pids)
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range strings.Fields(string(text)) {
		if pid, err := strconv.Atoi(word); err != nil || all[pid] == "" {
			t.Errorf("process %s is not in the tree", word)
		}
	}
	cancel()
	if err := c.Wait(); err == nil {
		t.Error("no error")
	}
	all.End(time.Now().Add(10 * time.Second))
	if all.runs() {
		t.Error("some of the tree still runs")
	}
}

// TestTreeEnd: programs have time to end before they are killed.
func TestTreeEnd(t *testing.T) {
	done := filepath.Join(t.TempDir(), "done")
	c := exec.Command("sh", "-c", `(trap 'sleep 0.1; echo x > "$1"; exit' INT; echo ready; while :; do sleep 0.01; done) | cat; true`, "x", done)
	out, err := c.StdoutPipe()
	if err != nil || c.Start() != nil {
		t.Skip(err)
	}
	if _, err := out.Read(make([]byte, 100)); err != nil {
		t.Fatal(err)
	}
	all := Started(c.Process.Pid)
	all.Signal(os.Interrupt)
	all.End(time.Now().Add(20 * time.Second))
	if _, err := os.Stat(done); err != nil {
		t.Error("it was killed before it ended")
	}
	_ = c.Wait() // its status is that of an interrupt, or not
}

// TestTreeKeepsOthers: a number that another process has now gets no signal.
func TestTreeKeepsOthers(t *testing.T) {
	c := exec.Command("sleep", "600")
	if err := c.Start(); err != nil {
		t.Skip(err)
	}
	Tree{c.Process.Pid: "1"}.Kill()
	if _, ok := stat(c.Process.Pid); !ok {
		t.Error("it was killed")
	}
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Error(err)
	}
	if err := c.Wait(); err == nil || !strings.Contains(err.Error(), "interrupt") {
		t.Errorf("it ended with %v", err)
	}
}
