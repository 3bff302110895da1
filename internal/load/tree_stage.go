package load

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A stage is the directory for the new files of a tree. Only the process that has locked its file
// stageLock uses it. The zero value is not placed yet.
type stage struct {
	in    *os.Root // the tree's directory; the one above it if the stage is apart
	name  string
	apart bool     // the tree's directory does not exist: its files and directories are in stageTree
	lock  *os.File // locked, from the first Put on
	kept  int      // old files
}

// The names of stages, and of what they have beside new files.
const (
	stageName = tempPrefix + "new" // see stageBeside
	stageLock = "lock"
	stageTree = "tree"
)

// longestApart is the longest name of a directory whose stage can be apart, in bytes: the name of the
// stage must not exceed 255.
const longestApart = 200

// stageBeside returns the name of a stage that is apart, for the directory of a name.
func stageBeside(base string) string { return stageName + "-" + base }

// at returns the place of a file of the stage.
func (s *stage) at(name string) sandboxFile {
	return sandboxFile{s.in, filepath.Join(s.name, filepath.FromSlash(name))}
}

// next returns the name in the stage for a new file, which is change n.
func (s *stage) next(name string, n int) string {
	if s.apart {
		return stageTree + "/" + name
	}
	return strconv.Itoa(n)
}

// old returns a name in the stage for an old file.
func (s *stage) old() string {
	s.kept++
	return strconv.Itoa(s.kept) + ".old"
}

// empty removes what the stage has, without the lock.
func (s *stage) empty() error {
	dir, err := s.in.Open(s.name)
	if err != nil {
		return err
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	for _, name := range names {
		if err == nil && name != stageLock {
			err = s.in.RemoveAll(s.at(name).rel)
		}
	}
	return err
}

// remove removes the stage and releases its lock. What cannot be removed is left to the next run.
func (s *stage) remove() {
	_ = s.empty()
	if !modesCount { // an open file cannot be removed there
		_ = s.lock.Close()
	}
	_ = s.in.Remove(s.at(stageLock).rel)
	_ = s.in.Remove(s.name)
	_ = s.lock.Close()
}

// tryLock creates the stage if it is missing, and locks it. It reports false if another process removes
// the stage, or the directory that it is in, meanwhile.
func (s *stage) tryLock(t *Tree, deadline time.Time) (bool, error) {
	if err := t.step("stage"); err != nil {
		return false, err
	}
	err := s.in.Mkdir(s.name, 0o700)
	switch {
	case errors.Is(err, fs.ErrExist):
		if err := s.trusted(); err != nil {
			return false, err
		}
	case missing(err) && time.Now().Before(deadline):
		return false, nil
	case err != nil:
		return false, err
	}
	file, err := s.in.OpenFile(s.at(stageLock).rel, os.O_RDWR|os.O_CREATE|nonBlocking, 0o600)
	if err != nil {
		if missing(err) && time.Now().Before(deadline) {
			return false, nil
		}
		return false, err
	}
	if err := lock(t.files.config.Context, file, deadline); err != nil {
		return false, errors.Join(err, file.Close())
	}
	ours, err := file.Stat()
	if err != nil {
		return false, errors.Join(err, file.Close())
	}
	if there, err := s.in.Lstat(s.at(stageLock).rel); err != nil || !os.SameFile(ours, there) {
		return false, file.Close()
	}
	s.lock = file
	return true, nil
}

// A foreignError reports that a stage belongs to a user that could replace the new files in it.
type foreignError struct{ name string }

func (e foreignError) Error() string { return e.name + " belongs to another user" }

// trusted returns an error if the name of the stage is taken by a file, or by a directory of a user that may not write
// to the directory around it: in /tmp any user can create it.
func (s *stage) trusted() error {
	info, err := s.in.Lstat(s.name)
	if err != nil {
		return nil // it was removed meanwhile
	}
	if !info.IsDir() {
		return specialError{info.Mode()}
	}
	if in, err := s.in.Stat("."); err != nil || isForeign(info) && !sameOwner(info, in) {
		return cmp.Or(err, error(foreignError{s.name}))
	}
	return nil
}

// stage creates and locks the directory for new files, and removes what a crashed process left there.
// Where another process has created or removed a directory meanwhile, it starts again.
func (t *Tree) stage() error {
	for deadline := time.Now().Add(lockWait); t.area.lock == nil; {
		err := t.placeStage()
		if err != nil {
			return err
		}
		locked, err := t.area.tryLock(t, deadline)
		if err == nil && locked {
			err = t.area.empty()
		}
		switch {
		case err != nil && t.area.apart:
			return t.failed("", err)
		case err != nil:
			return t.failed(stageName, err)
		case !locked:
			t.leaveStage()
		case t.area.apart && t.appeared():
			t.area.remove()
			t.leaveStage()
		case t.area.apart:
			if err := t.area.in.Mkdir(t.area.at(stageTree).rel, 0o777); err != nil {
				return t.failed("", err)
			}
		}
	}
	return nil
}

// placeStage decides where the stage is: in the directory, or beside its place if it does not exist.
func (t *Tree) placeStage() error {
	if t.area.in != nil {
		return nil
	}
	if err := t.open(); err != nil {
		return err
	}
	parent, base := filepath.Split(t.dir)
	apart := t.root == nil && len(base) <= longestApart
	if apart {
		_, err := os.Lstat(t.dir) // a link that leads nowhere
		apart = missing(err)
	}
	switch {
	case apart:
		in, err := t.makeDir(parent)
		if err != nil {
			return err
		}
		t.area = stage{in: in, name: stageBeside(base), apart: true}
		return nil
	case t.root == nil:
		var err error
		if t.root, err = t.makeDir(t.dir); err != nil {
			return err
		}
	}
	t.area = stage{in: t.root, name: stageName}
	return nil
}

// leaveStage forgets the stage and the directory.
func (t *Tree) leaveStage() {
	_ = t.area.in.Close()
	if t.root != nil {
		_ = t.root.Close()
	}
	t.root, t.area = nil, stage{}
	clear(t.real)
}

// appeared reports whether the directory exists now.
func (t *Tree) appeared() bool {
	_, err := t.area.in.Lstat(filepath.Base(t.dir))
	return !missing(err)
}

// makeDir creates a directory and the directories above it, and opens it.
func (t *Tree) makeDir(dir string) (*os.Root, error) {
	err := t.step("create the directory")
	for d := filepath.Clean(dir); err == nil && len(t.made) < 100; d = filepath.Dir(d) {
		if _, lerr := os.Stat(d); !missing(lerr) {
			break
		}
		t.made = append(t.made, d)
	}
	if err == nil {
		err = os.MkdirAll(dir, 0o777)
	}
	var root *os.Root
	if err == nil {
		root, err = openDir(dir)
	}
	if err != nil {
		return nil, t.failed("", err)
	}
	return root, nil
}

// publish renames the directory of a stage that is apart to its place. If there is a directory now,
// the stage moves into it, and the files are renamed one by one.
func (t *Tree) publish() error {
	if !t.area.apart {
		return nil
	}
	if err := t.step("rename the directory"); err != nil {
		return err
	}
	base := filepath.Base(t.dir)
	err := t.area.in.Rename(t.area.at(stageTree).rel, base)
	if err != nil && t.appeared() {
		return t.moveStage()
	}
	if err != nil {
		return err
	}
	if t.root, err = openDir(t.dir); err != nil {
		return err
	}
	var made []string
	for dir := range t.real {
		made = append(made, filepath.Join(t.dir, filepath.FromSlash(dir)))
	}
	slices.SortFunc(made, func(a, b string) int { return strings.Compare(b, a) }) // a/b, then a
	t.made = slices.Concat(made, []string{t.dir}, t.made)
	for _, c := range t.changes {
		c.done = true
	}
	return nil
}

// moveStage moves a stage that is apart into the directory.
func (t *Tree) moveStage() error {
	root, err := openDir(t.dir)
	if err != nil {
		return err
	}
	if err := t.area.in.Rename(t.area.name, filepath.Join(filepath.Base(t.dir), stageName)); err != nil {
		if errors.Is(err, fs.ErrExist) {
			err = errLocked
		}
		return errors.Join(err, root.Close())
	}
	_ = t.area.in.Close()
	t.root, t.area = root, stage{in: root, name: stageName, lock: t.area.lock}
	clear(t.real)
	last := map[string]*treeChange{}
	for _, c := range t.changes {
		last[c.name] = c
	}
	t.changes = slices.DeleteFunc(t.changes, func(c *treeChange) bool { return last[c.name] != c }) // one file has their last text
	for _, c := range t.changes {
		info, err := t.find(c.name)
		var dirs []string
		if err == nil {
			dirs, err = t.absentDirs(path.Dir(c.name))
		}
		if err == nil {
			err = t.makeDirs(dirs)
		}
		if err != nil {
			return err
		}
		c.was = info != nil
		t.keep(c)
	}
	return nil
}
