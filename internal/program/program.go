// Package program has what running a program of somebody else takes: [Find] looks it up,
// and an [Output] takes no more of its output than there is room for.
package program

import (
	"bytes"
	"errors"
	"os/exec"
	"path/filepath"
)

// Find returns the full path of the program called name in the directories of path,
// which is a value of the variable PATH, and "" if there is none. A directory that is
// not absolute does not count: what it is would depend on where the process runs.
func Find(path, name string) string {
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if found, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return found
		}
	}
	return ""
}

// An Output keeps the first Limit bytes that are written to it. It is used by one
// goroutine at a time.
type Output struct {
	Limit int

	// Full is called when there are more bytes: it should end the program, to which
	// writing fails from then on. Nil drops what is too much.
	Full func()

	text bytes.Buffer
	over bool
}

var errFull = errors.New("the output is larger than what there is room for")

// Write implements [io.Writer].
func (o *Output) Write(p []byte) (int, error) {
	room := o.Limit - o.text.Len()
	if len(p) <= room {
		return o.text.Write(p)
	}
	o.text.Write(p[:max(room, 0)])
	o.over = true
	if o.Full == nil {
		return len(p), nil
	}
	o.Full()
	return 0, errFull
}

// Over reports whether there were more than Limit bytes.
func (o *Output) Over() bool { return o.over }

// Bytes returns what was kept. It is not a copy.
func (o *Output) Bytes() []byte { return o.text.Bytes() }

// String returns what was kept.
func (o *Output) String() string { return o.text.String() }
