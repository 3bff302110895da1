package program

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// Started returns the programs that a process started.
func Started(pid int) Tree {
	t := Tree{}
	t.add(pid)
	return t
}

// Signal sends a signal to the programs that still run.
func (t Tree) Signal(s os.Signal) {
	number, ok := s.(syscall.Signal)
	if !ok {
		return
	}
	for pid, start := range t {
		if isRunning(pid, start) {
			_ = syscall.Kill(pid, number) // it may have ended, or belong to another user
		}
	}
}

// runs reports whether one of the programs still runs.
func (t Tree) runs() bool {
	for pid, start := range t {
		if isRunning(pid, start) {
			return true
		}
	}
	return false
}

// isRunning reports whether the process with a number is still the one that started then, and has not ended.
func isRunning(pid int, start string) bool {
	s, ok := stat(pid)
	return ok && s.start == start && s.state != "Z"
}

// maxRounds bounds how often freeze looks for new programs.
const maxRounds = 20

// freeze stops a program and those that it started, with the programs that were started before they were stopped, and
// adds them.
func (t Tree) freeze(p *os.Process) {
	if p.Signal(syscall.SIGSTOP) != nil {
		return // it has ended, and another process may have its number
	}
	for range maxRounds {
		if !t.add(p.Pid) {
			return
		}
		t.Signal(syscall.SIGSTOP)
	}
}

// add adds the programs that a process started, and reports whether there are new ones.
func (t Tree) add(pid int) bool {
	dir, err := os.Open("/proc")
	if err != nil {
		return false
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return false
	}
	children, starts := map[int][]int{}, map[int]string{}
	for _, name := range names {
		child, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		if s, ok := stat(child); ok {
			children[s.parent] = append(children[s.parent], child)
			starts[child] = s.start
		}
	}
	grew := false
	for todo := children[pid]; len(todo) > 0; todo = todo[1:] {
		child := todo[0]
		if t[child] != starts[child] {
			t[child], grew = starts[child], true
		}
		todo = append(todo, children[child]...)
	}
	return grew
}

// A status has the properties of a process that the system reports.
type status struct {
	state  string // "Z" if it has ended, and its parent has not asked for it
	parent int
	start  string // when it started
}

// stat returns the status of a process.
func stat(pid int) (status, bool) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return status{}, false
	}
	const state, ppid, starttime = 0, 1, 19 // after the name, which is in brackets and may have some itself (man 5 proc)
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(fields) <= starttime {
		return status{}, false
	}
	parent, err := strconv.Atoi(fields[ppid])
	return status{fields[state], parent, fields[starttime]}, err == nil
}
