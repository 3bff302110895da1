package load

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/yaytpl/yaytpl/source"
)

// A ProjectSearch is the result of a search for a file in a directory and the directories above it.
type ProjectSearch struct {
	Path    string   // the file, "" if there is none
	Text    string   // of the file
	Passed  []string // files of that name that the caller did not take
	Absent  []string // paths that do not exist
	Foreign string   // the directory, or the file, of another user that ended the search, or ""
}

// FindAbove looks for a regular file by its name in dir and the directories above it: as far as one
// that [isRepository], the home directory, or before a directory that another user owns (spec: everyday,
// B1). take reports whether a text is the one that is looked for; if it is not, the search goes on. A
// file of another user ends the search as well. dir is absolute.
//
// It returns an error for a file that cannot be read, or is longer than limit bytes.
func FindAbove(dir, name, home string, limit int, take func(text string) bool) (ProjectSearch, error) {
	var s ProjectSearch
	var start fs.FileInfo
	for from := dir; ; {
		info, err := os.Stat(dir)
		if start == nil {
			start = info
		}
		if err != nil || isForeign(info) {
			if err == nil {
				s.Foreign = dir
			}
			return s, nil
		}
		path := filepath.Join(dir, name)
		info, err = os.Lstat(path)
		switch {
		case err != nil:
			s.Absent = append(s.Absent, path)
		case isForeign(info):
			s.Foreign = path
			return s, nil
		default:
			shown := path
			if dir == from {
				shown = name
			}
			text, taken, err := readIf(path, shown, limit, take)
			switch {
			case err != nil:
				return s, err
			case taken:
				s.Path, s.Text = path, text
				return s, nil
			}
			s.Passed = append(s.Passed, path)
		}
		up := filepath.Dir(dir)
		if isRepository(dir, start) || dir == home || up == dir {
			return s, nil
		}
		dir = up
	}
}

// headLength is how much of a text the caller of [FindAbove] sees before the rest is read.
const headLength = 64 << 10

// readIf returns the text of a regular file, and false if take does not take its beginning.
func readIf(path, shown string, limit int, take func(text string) bool) (string, bool, error) {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return "", false, nil
	}
	f, err := os.OpenFile(path, os.O_RDONLY|nonBlocking, 0)
	if err != nil {
		return "", false, accessError("read", shown, err)
	}
	defer f.Close()
	head := make([]byte, headLength)
	n, err := f.ReadAt(head, 0)
	switch {
	case err != nil && err != io.EOF:
		return "", false, accessError("read", shown, err)
	case !take(string(head[:n])):
		return "", false, nil
	}
	text, err := ReadProject(path, shown, limit)
	return text, err == nil, err
}

// ReadProject returns the text of a file that the user named, of at most limit bytes. Messages have the
// name shown.
//
// Codes: access, limit.
func ReadProject(path, shown string, limit int) (string, error) {
	var data []byte
	err := anywhere(path, func(p sandboxFile) (err error) { data, _, err = p.read(limit); return err })
	switch {
	case err == nil:
		return string(data), nil
	case errors.Is(err, errTooBig):
		return "", source.Errorf(source.Span{}, source.Limit, "%s has more than %d bytes", shown, limit)
	case missing(err):
		d := source.Errorf(source.Span{}, source.Access, "no such file: %s", shown)
		d.Cause = fs.ErrNotExist
		return "", d
	}
	return "", accessError("read", shown, err)
}

// InTree calls do with the files below a directory. Links that lead out of it do not exist there.
//
// Code: access.
func InTree(dir string, do func(fs.FS) error) error {
	root, err := openDir(dir)
	if err != nil {
		if at, ok := errors.AsType[*fs.PathError](err); ok {
			err = at.Err
		}
		return accessError("search", dir, err)
	}
	defer root.Close()
	return do(root.FS())
}
