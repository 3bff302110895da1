// Package program helps to run other programs: [Find] looks a program up, and an [Output]
// captures a limited part of its output.
package program

import (
	"bytes"
	"errors"
	"os/exec"
	"path/filepath"
)

// Find returns the full path of a program in the directories of path, a value of the variable
// PATH, or "" if there is none. Relative directories are skipped, since the working directory
// would decide which program runs.
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

// An Output stores the first Limit bytes that are written to it. It is not safe for concurrent
// use. A program whose output is limited to 1 MB is run so:
//
//	ctx, cancel := context.WithCancel(ctx)
//	out := &program.Output{Limit: 1 << 20, Full: cancel}
//	cmd := exec.CommandContext(ctx, path)
//	cmd.Stdout = out
type Output struct {
	Limit int

	// Full is called for the first byte above Limit, and Write fails: Full should end the
	// program. If it is nil, the bytes above Limit are dropped.
	Full func()

	text bytes.Buffer
	over bool
}

var errFull = errors.New("the output is too large")

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

// Over reports whether more than Limit bytes were written.
func (o *Output) Over() bool { return o.over }

// Bytes returns the stored bytes. The result is not a copy.
func (o *Output) Bytes() []byte { return o.text.Bytes() }

// String returns the stored bytes as a string.
func (o *Output) String() string { return o.text.String() }
