package load

import (
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
)

// A program may add file systems ([Config.Mounts]), such as one that is embedded in it. Their files
// have paths below a directory that exists for a Files only, so that they include each other by
// relative names. A name that leads out of it is a path like any other, to which the roots apply.

// MountDir returns the directory of the i-th of Config.Mounts.
func (f *Files) MountDir(i int) string {
	return filepath.VolumeName(f.dir) + string(filepath.Separator) + ".mounted-" + strconv.Itoa(i)
}

// mounted returns the file system of a path with the name in it, false for a path of the system.
func (f *Files) mounted(path string) (fsys fs.FS, name string, ok bool) {
	for i, m := range f.config.Mounts {
		if rel, ok := strings.CutPrefix(path, f.MountDir(i)+string(filepath.Separator)); ok {
			return m, filepath.ToSlash(rel), true
		}
	}
	return nil, "", false
}

// readMounted returns the bytes of a regular file of a file system.
func readMounted(fsys fs.FS, name string, limit int) ([]byte, error) {
	file, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, specialError{info.Mode()}
	}
	return readLimited(file, limit)
}
