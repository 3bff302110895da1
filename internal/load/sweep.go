package load

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"time"
)

// staleAge is how old a temporary file is at least before it is taken for one that was
// left behind.
const staleAge = 10 * time.Minute

var tempName = regexp.MustCompile(`^\.yaytpl-[a-z2-7]{16}$`)

// sweep removes temporary files from the directory of a file that was just written,
// whose makers ended before they could: files with such a name that are old by the clock
// of the file system, and of which nobody has the lock. Where there are no locks they
// stay.
func (t *target) sweep(step stepper) {
	now, err := t.tmp.file.Stat()
	if err != nil {
		return
	}
	dir, err := t.root.Open(".")
	if err != nil {
		return
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	for _, name := range names {
		if !tempName.MatchString(name) {
			continue
		}
		at := place{t.root, filepath.Join(filepath.Dir(t.rel), name)}
		info, err := t.root.Lstat(at.rel)
		if err == nil && info.Mode().IsRegular() && now.ModTime().Sub(info.ModTime()) > staleAge {
			at.removeStale(info, step)
		}
	}
}

// removeStale removes a temporary file that nobody has the lock of.
func (p place) removeStale(info fs.FileInfo, step stepper) {
	file, err := p.root.OpenFile(p.rel, os.O_RDWR|nonBlocking, 0)
	if err != nil {
		return
	}
	defer file.Close()
	opened, err := file.Stat()
	if err != nil || !os.SameFile(info, opened) || tryLock(file) != nil || step("remove what was left behind") != nil {
		return
	}
	_ = p.root.Remove(p.rel)
}
