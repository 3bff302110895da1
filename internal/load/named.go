package load

import "path/filepath"

// Files that the user named for something else than configuration are read and written
// as they are, and may be anywhere: no document had a part in naming them.

// Bytes returns what is in a file that the user named, as it is: not decrypted, not
// decoded. "-" is standard input. Codes: access, limit.
func (f *Files) Bytes(name string) ([]byte, error) {
	data, err := f.userBytes(name)
	if err != nil {
		return nil, f.readError(f.Shown(name), err)
	}
	return data, nil
}

func (f *Files) userBytes(name string) ([]byte, error) {
	path := f.Absolute(name)
	switch {
	case name == "":
		return nil, errNoName()
	case name == "-":
		return readLimited(f.config.Stdin, f.left())
	case isURL(path):
		return nil, errURL
	case isPipe(path):
		return readPipe(path, f.left())
	}
	return anywhere(path, func(p place) ([]byte, error) { return p.read(f.left()) })
}

// Replace writes a file that the user named, as a whole: no reader sees half of it. If
// there is one, its permissions stay; if it is a link, what it leads to is replaced.
// Code: access.
func (f *Files) Replace(name string, data []byte) error {
	path := f.Absolute(name)
	_, err := anywhere(path, func(p place) (struct{}, error) { return struct{}{}, p.replace(data) })
	f.forget(path, nil)
	if err != nil {
		return accessError("write", f.Shown(name), err)
	}
	return nil
}

// anywhere calls do with the place that path leads to, whatever the roots are.
func anywhere[T any](path string, do func(place) (T, error)) (T, error) {
	path = resolved(path)
	return enter(way{filepath.Dir(path), filepath.Base(path)}, do)
}

// Shown returns what messages call a file that the user named.
func (f *Files) Shown(name string) string {
	switch path := f.Absolute(name); {
	case name == "-":
		return "standard input"
	case isURL(path):
		return withoutSecrets(name)
	default:
		return f.display(path)
	}
}
