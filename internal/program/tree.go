package program

import (
	"context"
	"os"
	"os/exec"
	"time"
)

// Command returns a command that the end of ctx kills together with the programs that it started: a script that runs
// gpg without exec would leave gpg behind.
//
// It does not run in a process group of its own. That would be enough to kill all, but such a group is in the
// background of the terminal: ssh, sudo and pinentry, which ask there, would be stopped by SIGTTIN.
func Command(ctx context.Context, path string, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, path, args...)
	c.Cancel = func() error { return kill(c.Process) }
	return c
}

// kill kills a program and those that it started. They are stopped first, since they would lose their parent when it
// dies, and could start others meanwhile.
func kill(p *os.Process) error {
	all := Tree{}
	all.freeze(p)
	err := p.Kill()
	all.Kill()
	return err
}

// A Tree has the programs that a program started, and the programs that they started. It does not have programs
// that left their parents, as gpg-agent does. On systems other than Linux it is empty.
type Tree map[int]string // when a process started, by its number, which another one may have later

// Kill kills the programs that still run.
func (t Tree) Kill() { t.Signal(os.Kill) }

// End waits for the programs until a time, and kills those that still run then.
func (t Tree) End(until time.Time) {
	for t.runs() && time.Now().Before(until) {
		time.Sleep(10 * time.Millisecond)
	}
	t.Kill()
}
