package load

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/yaytpl/yaytpl/source"
)

// A Tree is a directory into which a run writes files that it generates: all of them, or none.
// For the files a.yaml, which is new, and b/c.yaml, which exists:
//
//	Put          lock .yaytpl-new in the directory, create the directory b if it is missing,
//	             write the new texts to .yaytpl-new/0 and /1
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
// A directory that does not exist, out, is made whole beside its place:
//
//	Put          lock .yaytpl-new-out, write the texts to .yaytpl-new-out/tree/a.yaml and tree/b/c.yaml
//	CommitTrees  rename .yaytpl-new-out/tree to out
//	Close        remove .yaytpl-new-out
//
// These texts are not flushed: no old text can be lost.
//
// Names are relative to the directory, with slashes, and clean. No part of one is a link: Put and
// the others refuse it.
type Tree struct {
	files *Files
	dir   string // absolute
	step  stepper

	root    *os.Root // nil until the directory exists
	path    string   // dir with links followed, from the first question on
	area    stage
	real    map[string]bool // directories that exist
	made    []string        // directories that were created, inner ones first
	changes []*treeChange
	broken  error // of the text that could not be written: nothing more is
	done    bool  // committed

	found struct { // by the latest find
		name string
		info fs.FileInfo
	}
}

// A treeChange is one step of a commit.
type treeChange struct {
	name   string
	staged string // the new file in the stage; "" removes the file
	kept   string // the old file in the stage, from the commit on; "" if there was none, or it cannot be kept
	was    bool   // there is an old file
	done   bool
}

// flushedAlone is the most new files of a directory that are flushed one by one. Flushing all of a file
// system takes as long as a few of them.
const flushedAlone = 32

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

// Read returns the text of a file, and whether it exists. Codes: the codes of [Tree.State], limit.
func (t *Tree) Read(name string) (string, bool, error) {
	info, err := t.find(name)
	if info == nil || err != nil {
		return "", false, err
	}
	data, _, err := sandboxFile{t.root, filepath.FromSlash(name)}.read(t.files.config.MaxBytes)
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
		if dead := deadLink(filepath.Join(t.dir, filepath.FromSlash(name))); dead != nil {
			what = dead.Error()
		}
	case info.Mode().IsRegular():
		what = "it is a file, and a directory is needed"
	}
	return source.Errorf(source.Span{}, source.Output, "%s cannot be written: %s", t.Shown(name), what)
}

// open opens the directory if it exists.
func (t *Tree) open() error {
	if t.root != nil || t.area.apart {
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

// Put writes the text that a file gets. Only the user can read a new file that is private; an
// existing one loses the permissions of others, and keeps all other attributes. Config.Warn gets the attributes that
// could not be kept. After a text that could not be written, later calls and [CommitTrees] return its error.
//
// Codes: access; output as [Tree.State]; the code of the context.
func (t *Tree) Put(name, text string, private bool) error {
	if t.broken != nil {
		return t.broken
	}
	waited := t.area.lock == nil
	if err := t.stage(); err != nil {
		return err
	}
	info, err := t.found.info, error(nil)
	if waited || t.found.name != name {
		info, err = t.find(name)
	}
	var dirs []string
	if err == nil {
		dirs, err = t.absentDirs(path.Dir(name))
	}
	if err != nil {
		return err
	}
	c := &treeChange{name: name, staged: t.area.next(name, len(t.changes)), was: info != nil}
	t.changes = append(t.changes, c)
	if t.broken = t.makeDirs(dirs); t.broken == nil {
		if err := t.write(c, text, private); err != nil {
			t.broken = t.failed(name, err)
		}
	}
	return t.broken
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

// Delete notes that a file is removed, with the directories that are empty then. Codes: the codes of
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
