package load

import (
	"errors"
	"io/fs"
)

// Backup writes what a file that the user named held when it was read, under its name
// with ".bak". Nobody can read the backup who could not read the file: it gets the
// file's owner and permissions. Code: access.
func (f *Files) Backup(name, text string) error {
	info, err := anywhere(f.Absolute(name), place.regular)
	backup := name + ".bak"
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		_, err = anywhere(f.Absolute(backup), func(p place) (struct{}, error) {
			if _, _, err := p.writable(); err != nil {
				return struct{}{}, err
			}
			return struct{}{}, p.put(text, 0o600, info)
		})
	}
	f.forget(f.Absolute(backup), nil)
	if err != nil {
		return accessError("write", f.Shown(backup), err)
	}
	return nil
}
