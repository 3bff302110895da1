package load

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"time"

	"github.com/yaytpl/yaytpl/source"
)

// A Tree is a directory into which a run writes files that it generates: all of them, or none.
// For the files a.yaml, which is new, and b/c.yaml, which exists:
//
//	Put          lock .yaytpl-new in the directory, write the new texts to .yaytpl-new/0 and /1,
//	             create the directory b if it is missing
//	CommitTrees  flush the new texts
//	             link b/c.yaml to .yaytpl-new/1.old
//	             rename .yaytpl-new/0 to a.yaml, then .yaytpl-new/1 to b/c.yaml
//	             flush the directories
//	Close        remove .yaytpl-new
//
// If the second rename fails, a.yaml is removed, and a failure after it renames 1.old to b/c.yaml.
// After a crash each file has its old text or its new one; the next Put removes what is left in
// .yaytpl-new. Another process that writes to the directory waits for the lock.
//
// Names are relative to the directory, with slashes, and clean. No part of one is a link: Put and
// the others refuse it.
type Tree struct {
	files *Files
	dir   string // absolute
	step  stepper

	root    *os.Root // nil until the directory exists
	path    string   // dir with links followed, from the first question on
	dirs    openDirs
	lock    *os.File // stageLock, locked, from the first Put on
	real    map[string]bool
	made    []string // directories that Put created
	changes []*treeChange
	done    bool // committed

	found struct { // by the latest find
		name string
		info fs.FileInfo
	}
}

// A treeChange is one step of a commit.
type treeChange struct {
	name   string
	staged string // the new file; "" removes the file
	kept   string // the old file, from the commit on; "" if there was none, or it cannot be kept
	was    bool   // there is an old file
	done   bool
}

// flushedAlone is the most new files of a directory that are flushed one by one. Flushing all of a file
// system takes as long as a few of them.
const flushedAlone = 32

// The directory for new files, and the file in it that is locked.
const (
	stageName = tempPrefix + "new"
	stageLock = stageName + "/lock"
)

// Tree returns a directory that the user named. It need not exist.
func (f *Files) Tree(dir string) *Tree {
	return &Tree{files: f, dir: f.Absolute(dir), step: noFaults, real: map[string]bool{}}
}

// Target returns the absolute path of a file that the user named, links followed.
func (f *Files) Target(name string) string {
	if path := f.Absolute(name); !isURL(path) {
		return followLinks(path)
	}
	return name
}

// Shown returns the name of a file for messages.
func (t *Tree) Shown(name string) string {
	return t.files.display(filepath.Join(t.dir, filepath.FromSlash(name)))
}

// Path returns the absolute path of a file, links to the directory followed.
func (t *Tree) Path(name string) string {
	if t.path == "" {
		t.path = followLinks(t.dir)
	}
	return filepath.Join(t.path, filepath.FromSlash(name))
}

// A TreeState says how a file differs from a text.
type TreeState int

// The states.
const (
	Same TreeState = iota
	Different
	Absent
)

// State compares a file with the text that it is to have. A file that others can read differs from a
// private one.
//
// Codes: access; output for a link, a directory and the like.
func (t *Tree) State(name, text string, private bool) (TreeState, error) {
	info, err := t.find(name)
	switch {
	case err != nil:
		return Same, err
	case info == nil:
		return Absent, nil
	case private && info.Mode().Perm()&0o077 != 0 && modesCount, info.Size() != int64(len(text)):
		return Different, nil
	}
	file, err := t.root.OpenFile(filepath.FromSlash(name), os.O_RDONLY|nonBlocking, 0)
	if err != nil {
		return Same, t.failed(name, err)
	}
	defer file.Close()
	same, err := holds(file, text)
	switch {
	case err != nil:
		return Same, t.failed(name, err)
	case same:
		return Same, nil
	}
	return Different, nil
}

// modesCount reports whether the mode of a file says which users can read it.
const modesCount = os.PathSeparator == '/'

// Read returns the text of a file, and whether it exists. Codes: those of [Tree.State], limit.
func (t *Tree) Read(name string) (string, bool, error) {
	info, err := t.find(name)
	if info == nil || err != nil {
		return "", false, err
	}
	data, _, err := place{t.root, filepath.FromSlash(name)}.read(t.files.config.MaxBytes)
	if errors.Is(err, errTooBig) {
		return "", false, t.files.tooManyBytes(t.Shown(name))
	}
	if err != nil {
		return "", false, t.failed(name, err)
	}
	return asText(data), true, nil
}

// find returns the properties of a regular file, or nil if there is no file of that name.
func (t *Tree) find(name string) (info fs.FileInfo, err error) {
	t.found.name = ""
	defer func() {
		if err == nil {
			t.found.name, t.found.info = name, info
		}
	}()
	if err := t.open(); err != nil || t.root == nil {
		return nil, err
	}
	for i, r := range name {
		if r != '/' {
			continue
		}
		if there, err := t.findDir(name[:i]); err != nil || !there {
			return nil, err
		}
	}
	info, err = t.root.Lstat(filepath.FromSlash(name))
	switch {
	case missing(err):
		return nil, nil
	case err != nil:
		return nil, t.failed(name, err)
	case !info.Mode().IsRegular():
		return nil, t.inTheWay(name, info)
	}
	return info, nil
}

// findDir reports whether a directory exists.
func (t *Tree) findDir(name string) (bool, error) {
	if t.real[name] {
		return true, nil
	}
	info, err := t.root.Lstat(filepath.FromSlash(name))
	switch {
	case missing(err):
		return false, nil
	case err != nil:
		return false, t.failed(name, err)
	case !info.IsDir():
		return false, t.inTheWay(name, info)
	}
	t.real[name] = true
	return true, nil
}

// inTheWay returns the error for a name that has something else than it needs.
func (t *Tree) inTheWay(name string, info fs.FileInfo) error {
	what := specialError{info.Mode()}.Error()
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		what = "it is a link, and nothing is written through links"
	case info.Mode().IsRegular():
		what = "it is a file, and a directory is needed"
	}
	return source.Errorf(source.Span{}, source.Output, "%s cannot be written: %s", t.Shown(name), what)
}

// open opens the directory if it exists.
func (t *Tree) open() error {
	if t.root != nil {
		return nil
	}
	if isURL(t.dir) {
		return accessError("write", withoutSecrets(t.dir), errURL)
	}
	root, err := openDir(t.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return t.failed("", err)
	}
	t.root = root
	return nil
}

// Put notes that a file gets a text. A new file that is private can be read by the user alone; an
// existing one loses the permissions of others, and keeps all other attributes.
//
// Codes: access; output as [Tree.State]; that of the context.
func (t *Tree) Put(name, text string, private bool) error {
	info, err := t.found.info, error(nil)
	if t.found.name != name {
		info, err = t.find(name)
	}
	if err == nil {
		err = t.stage()
	}
	if err == nil {
		err = t.makeDirs(path.Dir(name))
	}
	if err != nil {
		return err
	}
	c := &treeChange{name: name, staged: stageName + "/" + strconv.Itoa(len(t.changes)), was: info != nil}
	t.changes = append(t.changes, c)
	if err := t.write(c, text, private); err != nil {
		return t.failed(name, err)
	}
	return nil
}

// PutFirst is [Tree.Put] for a text that is renamed before all others.
func (t *Tree) PutFirst(name, text string) error {
	if err := t.Put(name, text, false); err != nil {
		return err
	}
	last := len(t.changes) - 1
	first := t.changes[last]
	copy(t.changes[1:], t.changes[:last])
	t.changes[0] = first
	return nil
}

// Delete notes that a file is removed, with the directories that are empty then. Codes: those of
// [Tree.Put].
func (t *Tree) Delete(name string) error {
	info, err := t.find(name)
	if err == nil && info != nil {
		err = t.stage()
	}
	if err == nil && info != nil {
		t.changes = append(t.changes, &treeChange{name: name, was: true})
	}
	return err
}

// stage creates and locks the directory for new files, and removes what a crashed process left
// there. A process that ends removes the directory with its lock; then stage starts again.
func (t *Tree) stage() error {
	if t.lock != nil {
		return nil
	}
	if t.root == nil {
		if err := t.makeRoot(); err != nil {
			return err
		}
	}
	for deadline := time.Now().Add(lockWait); ; {
		file, err := t.tryStage(deadline)
		if err == nil && file == nil {
			continue
		}
		if err != nil {
			return t.failed(stageName, err)
		}
		t.lock = file
		names, err := t.staged()
		for _, name := range names {
			if err == nil {
				err = t.root.Remove(stageName + "/" + name)
			}
		}
		if err != nil {
			return t.failed(stageName, err)
		}
		return nil
	}
}

// tryStage returns the locked file of the stage, or nil if another process has removed it meanwhile.
func (t *Tree) tryStage(deadline time.Time) (*os.File, error) {
	if err := t.step("stage"); err != nil {
		return nil, err
	}
	switch err := t.root.Mkdir(stageName, 0o700); {
	case missing(err) && time.Now().Before(deadline): // another process has removed the directory
		_ = t.root.Close()
		clear(t.real)
		return nil, t.makeRoot()
	case err != nil && !errors.Is(err, fs.ErrExist):
		return nil, err
	}
	if info, err := t.root.Lstat(stageName); err == nil && !info.IsDir() {
		return nil, specialError{info.Mode()}
	}
	file, err := t.root.OpenFile(stageLock, os.O_RDWR|os.O_CREATE|nonBlocking, 0o600)
	switch {
	case err == nil:
	case missing(err) && time.Now().Before(deadline):
		return nil, nil
	default:
		return nil, err
	}
	if err := lock(t.files.config.Context, file, deadline); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	ours, err := file.Stat()
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	if there, err := t.root.Lstat(stageLock); err != nil || !os.SameFile(ours, there) {
		return nil, file.Close()
	}
	return file, nil
}

// staged returns the names of the files in the stage, without the lock.
func (t *Tree) staged() ([]string, error) {
	dir, err := t.root.Open(stageName)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	kept := names[:0]
	for _, name := range names {
		if name != path.Base(stageLock) {
			kept = append(kept, name)
		}
	}
	return kept, err
}

// makeRoot creates the directory.
func (t *Tree) makeRoot() error {
	err := t.step("create the directory")
	for dir := t.dir; err == nil && len(t.made) < 100; dir = filepath.Dir(dir) {
		if _, lerr := os.Stat(dir); !missing(lerr) {
			break
		}
		t.made = append(t.made, dir)
	}
	if err == nil {
		err = os.MkdirAll(t.dir, 0o777)
	}
	if err == nil {
		t.root, err = openDir(t.dir)
	}
	if err != nil {
		return t.failed("", err)
	}
	return nil
}

// makeDirs creates a directory below that of t and those above it.
func (t *Tree) makeDirs(name string) error {
	if name == "." || t.real[name] {
		return nil
	}
	if err := t.makeDirs(path.Dir(name)); err != nil {
		return err
	}
	if there, err := t.findDir(name); err != nil || there {
		return err
	}
	err := t.step("create a directory")
	if err == nil {
		err = t.root.Mkdir(filepath.FromSlash(name), 0o777)
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return t.failed(name, err)
	}
	if err == nil {
		t.made = append([]string{filepath.Join(t.dir, filepath.FromSlash(name))}, t.made...)
	}
	t.real[name] = true
	return nil
}

// write writes the text of a change to its staged file.
func (t *Tree) write(c *treeChange, text string, private bool) error {
	var old *attributes
	mode := fs.FileMode(0o666)
	if private || c.was {
		mode = 0o600
	}
	if c.was {
		var err error
		if _, old, err = (place{t.root, filepath.FromSlash(c.name)}).writable(); err != nil {
			return err
		}
	}
	if err := t.step("create"); err != nil {
		return err
	}
	at := place{t.root, filepath.FromSlash(c.staged)}
	file, err := t.create(c.staged, mode)
	if err != nil {
		return err
	}
	tmp := &tempFile{place: at, file: file, step: t.step}
	if err = tmp.fill(text); err == nil && old != nil {
		err = tmp.takeOver(old)
	}
	if err == nil && private && old != nil {
		_, err = tmp.setMode(old.info.Mode().Perm() &^ 0o077)
	}
	if err = errors.Join(err, file.Close()); err == nil {
		t.files.tellLost(t.Shown(c.name), tmp, old)
	}
	return err
}
