package load

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"

	"github.com/yaytpl/yaytpl/source"
)

// # Writing new texts
//
// A tree writes its new texts in a goroutine, while the caller makes the next ones. Put checks the name, decides
// which directories are missing and where in the stage the text goes; the goroutine creates the directories and
// the file:
//
//	caller      Put a, b, ...   pass a batch   Put ...          pass a batch   Put ...   Wait: the last texts
//	goroutine                                  write a, b, ...                 write ...
//
// Texts are passed in batches, because waking the goroutine takes as long as writing a small file. What does not
// fill a batch is written by Wait itself, so that a few small files need no goroutine. A tree has at most two
// batches in memory: one that is written and one that fills up, or waits to be passed.
//
// After the first error nothing more is written. The caller learns of it when it passes a batch, or waits.

// A batch is passed to the goroutine when it has this many texts, or bytes in them.
const (
	batchTexts = 32
	batchBytes = 256 << 10
)

// A writer is the goroutine of a tree and the texts for it. Only the caller of the tree uses its fields.
type writer struct {
	batch []newText // not passed yet
	bytes int       // in the texts of batch
	queue chan<- []newText
	done  <-chan error // the goroutine has ended, at its first error or at the end of queue; nil while there is none
	err   error        // the first error
}

// A newText is the text of a change.
type newText struct {
	change  *treeChange
	text    string
	private bool
	dirs    []string // to create before, those above others first
}

// pass passes a text to the goroutine. The error may be that of an earlier text.
func (t *Tree) pass(n newText) error {
	w := &t.writer
	if w.err != nil {
		return w.err
	}
	w.batch, w.bytes = append(w.batch, n), w.bytes+len(n.text)
	if len(w.batch) < batchTexts && w.bytes < batchBytes {
		return nil
	}
	if w.done == nil {
		queue, done := make(chan []newText), make(chan error, 1)
		w.queue, w.done = queue, done
		go t.writeAll(queue, done)
	}
	select {
	case w.queue <- w.batch:
	case w.err = <-w.done:
		w.done = nil
	}
	w.batch, w.bytes = make([]newText, 0, batchTexts), 0
	return w.err
}

// Wait returns when all texts are written, or one cannot be, and passes the warnings about their files to
// Config.Warn. Codes: access; that of the context.
func (t *Tree) Wait() error {
	w := &t.writer
	last := w.batch
	if w.stop(); w.err == nil {
		w.err = t.writeBatch(last)
	}
	if t.files.config.Warn != nil {
		for _, d := range t.lost {
			t.files.config.Warn(d)
		}
	}
	t.lost = nil
	return w.err
}

// stop ends the goroutine after the batch that it writes, and forgets the texts that were not passed.
func (w *writer) stop() {
	if w.done != nil {
		close(w.queue)
		w.err = <-w.done
		w.done = nil
	}
	w.batch, w.bytes = nil, 0
}

// writeAll is the goroutine.
func (t *Tree) writeAll(queue <-chan []newText, done chan<- error) {
	var err error
	defer func() {
		if p := recover(); p != nil {
			err = source.Errorf(source.Span{}, source.Internal, "writing to %s panicked: %v", t.Shown("."), p)
		}
		done <- err
	}()
	for batch := range queue {
		if err = t.writeBatch(batch); err != nil {
			return
		}
	}
}

func (t *Tree) writeBatch(batch []newText) error {
	for _, n := range batch {
		if err := t.makeDirs(n.dirs); err != nil {
			return err
		}
		if err := t.write(n); err != nil {
			return t.failed(n.change.name, err)
		}
	}
	return nil
}

// absentDirs returns the directories to create for a directory below that of t, those above others first.
func (t *Tree) absentDirs(name string) ([]string, error) {
	if name == "." || t.real[name] {
		return nil, nil
	}
	dirs, err := t.absentDirs(path.Dir(name))
	if err != nil {
		return nil, err
	}
	if !t.area.apart {
		if there, err := t.findDir(name); err != nil || there {
			return dirs, err
		}
	}
	t.real[name] = true
	return append(dirs, name), nil
}

// makeDirs creates directories below that of t.
func (t *Tree) makeDirs(names []string) error {
	for _, name := range names {
		in := sandboxFile{t.root, filepath.FromSlash(name)}
		if t.area.apart {
			in = t.area.at(stageTree + "/" + name)
		}
		err := t.step("create a directory")
		if err == nil {
			err = in.root.Mkdir(in.rel, 0o777)
		}
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return t.failed(name, err)
		}
		if err == nil && !t.area.apart {
			t.made = append([]string{filepath.Join(t.dir, filepath.FromSlash(name))}, t.made...)
		}
	}
	return nil
}

// write writes a text to its staged file.
func (t *Tree) write(n newText) error {
	if n.change.was {
		return t.writeOver(n)
	}
	mode := fs.FileMode(0o666)
	if n.private {
		mode = 0o600
	}
	if err := t.step("create"); err != nil {
		return err
	}
	staged := n.change.staged
	file, err := t.createPlain(staged, mode)
	if t.area.apart && errors.Is(err, fs.ErrExist) { // this text replaces that of an earlier change
		if err = t.area.in.Remove(t.area.at(staged).rel); err == nil {
			file, err = t.createPlain(staged, mode)
		}
	}
	if err != nil {
		return err
	}
	return errors.Join(fill(file, n.text, t.step), file.Close())
}

// writeOver writes a text that replaces a file, with the attributes of that.
func (t *Tree) writeOver(n newText) error {
	_, old, err := (sandboxFile{t.root, filepath.FromSlash(n.change.name)}).writable()
	if err != nil {
		return err
	}
	if err := t.step("create"); err != nil {
		return err
	}
	file, err := t.create(n.change.staged, 0o600)
	if err != nil {
		return err
	}
	tmp := &tempFile{sandboxFile: t.area.at(n.change.staged), file: file, step: t.step}
	if err = tmp.fill(n.text); err == nil && old != nil {
		err = tmp.takeOver(old)
	}
	if err == nil && n.private && old != nil {
		_, err = tmp.setMode(old.info.Mode().Perm() &^ 0o077)
	}
	if err = errors.Join(err, file.Close()); err == nil {
		t.lost = append(t.lost, tmp.lostOf(t.Shown(n.change.name), old)...)
	}
	return err
}
