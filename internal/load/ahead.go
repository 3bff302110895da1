package load

import (
	"strings"
	"sync"

	"github.com/yaytpl/yaytpl/crypto"
	"github.com/yaytpl/yaytpl/source"
)

// # Reading ahead
//
// Files that the user names are opened in turn. An error in one ends the run: later ones are neither inputs
// then, nor decrypted. A goroutine may read and parse the second file while the caller parses the first:
//
//	caller      Ahead a, b   Open a: reads, counts, notes   parse a   Open b: counts, notes   parse b
//	goroutine                read b                         parse b
//
// Open takes what the goroutine has read, with the same result as reading it. Where that would not be the same, as for an
// encrypted file or above a limit, Open reads the file itself.

// An early is a file that may be read before its turn.
type early struct {
	once sync.Once
	file *source.File // nil if it was not read, or could not be
	size int          // in bytes, as it is stored
}

// Ahead prepares to read a file that the user named before it is opened. The returned function reads it, in any
// goroutine, and returns the file that [Files.Open] will return. It returns nil if Open has to read the file:
// Open has begun to, the file is encrypted, or there is an error. Nothing is noted or counted
// against the limits before Open, so that reading ahead changes no result.
//
// Ahead returns nil for a file of less than least bytes, for one that exceeds the limits together with those
// before it, and for all that is not a regular file of the system.
func (f *Files) Ahead(name string, least int) func() *source.File {
	path, err := f.resolve(name, "")
	if err != nil || name == "-" || isURL(path) || strings.HasPrefix(path, "/dev/") || source.IsEncrypted(path) {
		return nil
	}
	_, overlaid := f.overlay[path]
	_, _, isMounted := f.mounted(path)
	if overlaid || isMounted {
		return nil
	}
	info := infoOf(path)
	if info == nil || !info.Mode().IsRegular() || info.Size() < int64(least) {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.early[path] != nil || info.Size() > int64(f.config.MaxBytes-f.bytes-f.earlyBytes) {
		return nil
	}
	e := &early{}
	f.early[path] = e
	f.earlyBytes += int(info.Size())
	return func() *source.File {
		e.once.Do(func() {
			file, data, err := f.stored(path, true)
			if err != nil || crypto.IsVault(asText(data)) {
				return
			}
			if file, err = decode(file, data); err == nil {
				e.file, e.size = file, len(data)
			}
		})
		return e.file
	}
}

// takeAhead returns the file at a path if it was read ahead, or is being read, and is within the limits. It is not
// read ahead any more.
func (f *Files) takeAhead(path string) *source.File {
	f.mu.Lock()
	e, left := f.early[path], f.config.MaxBytes-f.bytes
	delete(f.early, path)
	f.mu.Unlock()
	if e == nil {
		return nil
	}
	e.once.Do(func() {})
	if e.size > left {
		return nil
	}
	return e.file
}
