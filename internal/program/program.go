// Package program helps to run other programs: [Find] looks a program up, and an [Output]
// captures a limited part of its output. A [Command] ends with all programs that it started.
package program

import (
	"bytes"
	"compress/flate"
	"errors"
	"io"
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
//	cmd := program.Command(ctx, path)
//	cmd.Stdout = out
//
// Above 4 MB the bytes are stored compressed until they are read. A file of 2 MB that gpg
// unpacks to 1.5 GB so takes little memory before it reaches the limit.
type Output struct {
	Limit int

	// Full is called for the first byte above Limit, and Write fails: Full should end the
	// program. If it is nil, the bytes above Limit are dropped.
	Full func()

	text   bytes.Buffer  // the first bytes, up to packAbove
	packed bytes.Buffer  // the others, compressed
	packer *flate.Writer // to packed; nil before the first of them
	size   int           // of all bytes
	over   bool
}

// packAbove is the number of bytes that are stored without compression.
const packAbove = 4 << 20

var errFull = errors.New("the output is too large")

// Write implements [io.Writer].
func (o *Output) Write(p []byte) (int, error) {
	room := o.Limit - o.size
	if len(p) <= room {
		return len(p), o.store(p)
	}
	if err := o.store(p[:max(room, 0)]); err != nil {
		return 0, err
	}
	o.over = true
	if o.Full == nil {
		return len(p), nil
	}
	o.Full()
	return 0, errFull
}

func (o *Output) store(p []byte) error {
	o.size += len(p)
	plain := min(len(p), max(packAbove-o.text.Len(), 0))
	o.text.Write(p[:plain])
	if p = p[plain:]; len(p) == 0 {
		return nil
	}
	if o.packer == nil {
		o.packer, _ = flate.NewWriter(&o.packed, flate.BestSpeed) // fails for an unknown level only
	}
	_, err := o.packer.Write(p)
	return err
}

// Over reports whether more than Limit bytes were written.
func (o *Output) Over() bool { return o.over }

// Bytes returns the stored bytes. The result is not a copy. After Bytes nothing must be written.
func (o *Output) Bytes() []byte {
	if o.packer == nil {
		return o.text.Bytes()
	}
	all := make([]byte, o.size)
	plain := copy(all, o.text.Bytes())
	err := o.packer.Close()
	if err == nil {
		_, err = io.ReadFull(flate.NewReader(&o.packed), all[plain:])
	}
	if err != nil {
		panic(err) // the compressed bytes are in memory and nobody else changes them
	}
	o.text, o.packed, o.packer = *bytes.NewBuffer(all), bytes.Buffer{}, nil
	return all
}

// String returns the stored bytes as a string.
func (o *Output) String() string { return string(o.Bytes()) }
