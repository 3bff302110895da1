package load

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// absentDirs returns the directories to create for a directory below the directory of t, outer ones first.
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

// makeDirs creates directories below the directory of t.
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

// write writes the text of a change to its staged file, which takes over the attributes of the file that it will
// replace.
func (t *Tree) write(c *treeChange, text string, private bool) error {
	mode, old := fs.FileMode(0o666), (*attributes)(nil)
	if c.was {
		var err error
		if mode, old, err = (sandboxFile{t.root, filepath.FromSlash(c.name)}).writable(); err != nil {
			return err
		}
	}
	if private {
		mode = 0o600
	}
	if err := t.step("create"); err != nil {
		return err
	}
	only := os.O_EXCL
	if t.area.apart {
		only = os.O_TRUNC // the text replaces the text of an earlier change
	}
	at := t.area.at(c.staged)
	file, err := at.root.OpenFile(at.rel, os.O_RDWR|os.O_CREATE|only, mode)
	if err != nil {
		return err
	}
	tmp := &tempFile{sandboxFile: at, file: file, step: t.step}
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
