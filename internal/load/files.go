package load

import (
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/yaytpl/yaytpl/crypto"
	"github.com/yaytpl/yaytpl/source"
)

// Files reads the files of one run. It is safe for concurrent use.
type Files struct {
	config  Config
	dir     string   // the working directory, absolute
	roots   []string // absolute
	search  []string // absolute
	write   []string // absolute
	overlay map[string]string
	now     time.Time

	mu     sync.Mutex
	cache  map[string]*entry
	files  int                      // files charged
	bytes  int                      // bytes charged
	logins map[string]*url.Userinfo // by server: those that URLs were given with
}

// New returns the files of one run.
func New(c Config) *Files {
	c = c.withDefaults()
	f := &Files{
		config: c, dir: workingDir(c.Dir), now: c.Now(),
		overlay: map[string]string{}, cache: map[string]*entry{}, logins: map[string]*url.Userinfo{},
	}
	f.search = f.absolutes(c.Search)
	f.write = f.absolutes(c.AllowWrite)
	f.roots = f.allRoots()
	for name, text := range c.Overlay {
		f.overlay[f.Absolute(name)] = text
	}
	return f
}

// workingDir returns dir as an absolute path. If the system does not know where it
// is, names stay relative, and opening them says why.
func workingDir(dir string) string {
	if abs, err := filepath.Abs(dir); err == nil {
		return abs
	}
	return filepath.Clean(dir)
}

// Absolute returns the absolute path of a file name that the user wrote. A URL of
// the network stays as it is.
func (f *Files) Absolute(name string) string {
	if isURL(name) {
		return name
	}
	if path, err := fileURL(name); err == nil {
		name = path
	}
	return joined(f.dir, name)
}

func (f *Files) absolutes(names []string) []string {
	var out []string
	for _, name := range names {
		if path := f.Absolute(name); !isURL(path) && !slices.Contains(out, path) {
			out = append(out, path)
		}
	}
	return out
}

// display returns what messages call a path: relative to the working directory
// when it is below it, else as it is.
func (f *Files) display(path string) string {
	if rel, err := filepath.Rel(f.dir, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}

// Open reads the file that name means at base: a path, a file: URL or, where that
// is allowed, an http or https URL. Base is a directory or the URL of one; if it is
// empty, the user named the file, relative to the working directory. A relative
// name that a document gives (so base is not empty) and that does not exist there
// is looked for in the search directories.
//
// Codes: forbidden, limit, timeout, syntax (the text is no UTF-8), and access for
// what does not exist (then errors.Is reports fs.ErrNotExist), is no regular file,
// or cannot be read. Files that end in .gpg or .asc are decrypted; that fails with
// code decryption, and their texts are secret.
//
// A pipe that the user's shell made, as <(command) does, is read to its end. Any
// other file that is no regular one is refused.
func (f *Files) Open(name, base string) (*source.File, error) {
	if base == "" {
		if path := f.Absolute(name); isPipe(path) {
			return f.openPipe(path)
		}
	}
	location, err := f.resolve(name, base)
	if err != nil {
		return nil, err
	}
	file, err := f.openAt(location)
	if !errors.Is(err, fs.ErrNotExist) || !searchable(name, base) {
		return file, err
	}
	for _, dir := range f.search {
		found, searchErr := f.openAt(filepath.Join(dir, name))
		if !errors.Is(searchErr, fs.ErrNotExist) {
			return found, searchErr
		}
	}
	return nil, err
}

// isPipe reports whether a path is a pipe that this process was started with. One
// that has a name of its own may have nobody at its other end.
func isPipe(path string) bool {
	if !strings.HasPrefix(path, "/dev/fd/") && !strings.HasPrefix(path, "/proc/self/fd/") {
		return false
	}
	info, err := os.Stat(path)
	return err == nil && info.Mode()&os.ModeNamedPipe != 0
}

func (f *Files) openPipe(path string) (*source.File, error) {
	return f.load(path, func() (*source.File, error) {
		data, err := readPipe(path, f.left())
		if err != nil {
			return nil, f.readError(path, err)
		}
		return decoded(&source.File{Name: path}, data)
	})
}

func readPipe(path string, limit int) ([]byte, error) {
	pipe, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer pipe.Close()
	return readLimited(pipe, limit)
}

// searchable reports whether a name that does not exist may be meant for the
// search directories.
func searchable(name, base string) bool {
	return base != "" && !isURL(base) && !isRooted(name) && !hasScheme(name)
}

// openAt opens an absolute path or a URL.
func (f *Files) openAt(location string) (*source.File, error) {
	if isURL(location) {
		return f.openURL(location)
	}
	return f.load(location, func() (*source.File, error) { return f.read(location) })
}

// resolve returns the absolute path or URL that name means at base.
func (f *Files) resolve(name, base string) (string, error) {
	switch {
	case name == "":
		return "", errNoName()
	case isURL(name):
		return absoluteURL(name)
	case isFileURL(name):
		return f.resolveFileURL(name)
	case hasScheme(name):
		return "", source.Errorf(source.Span{}, source.Access, "cannot read %s: only http, https and file URLs can be read", withoutSecrets(name))
	case isURL(base):
		return relativeURL(name, base)
	}
	return joined(f.Absolute(base), name), nil
}

// joined returns the path that a name means in a directory. On Windows a name that
// begins with a separator may lack the drive, which is that of the directory, or be the
// path of a file: URL, in which a drive follows.
func joined(dir, name string) string {
	if isRooted(name) && filepath.VolumeName(name[1:]) != "" {
		name = name[1:]
	}
	switch {
	case filepath.IsAbs(name):
		return filepath.Clean(name)
	case isRooted(name):
		return filepath.Join(filepath.VolumeName(dir)+name[:1], name)
	}
	return filepath.Join(dir, name)
}

// isRooted reports whether a name means the same file in all directories of a drive.
func isRooted(name string) bool {
	return filepath.IsAbs(name) || name != "" && os.IsPathSeparator(name[0])
}

func (f *Files) resolveFileURL(name string) (string, error) {
	path, err := fileURL(name)
	if err != nil {
		return "", source.Errorf(source.Span{}, source.Access, "cannot read %s: %s", name, err)
	}
	return f.Absolute(path), nil
}

// OpenStdin reads standard input. Its name is "-".
func (f *Files) OpenStdin() (*source.File, error) {
	return f.load("-", func() (*source.File, error) {
		data, err := readLimited(f.config.Stdin, f.left())
		if err != nil {
			return nil, f.readError("standard input", err)
		}
		return decoded(&source.File{Name: "-"}, data)
	})
}

// read reads the file at an absolute path.
func (f *Files) read(path string) (*source.File, error) {
	name := f.display(path)
	data, err := f.bytesOf(path, f.left())
	switch {
	case errors.Is(err, errOutside):
		return nil, outside(name, path, err)
	case err != nil:
		return nil, f.readError(name, err)
	}
	file := &source.File{Name: name, Path: path}
	if _, ok := f.overlay[path]; ok {
		file.Secret = crypto.Encrypted(path)
		return decoded(file, data)
	}
	return f.withText(file, path, data)
}

// Overlaid returns the text that stands for a file that the user named, if there is one:
// of an encrypted file the text in clear.
func (f *Files) Overlaid(name string) (string, bool) {
	if name == "-" {
		return "", false
	}
	text, ok := f.overlay[f.Absolute(name)]
	return text, ok
}

func (f *Files) bytesOf(path string, limit int) ([]byte, error) {
	text, ok := f.overlay[path]
	switch {
	case !ok:
		return within(f.roots, path, func(p place) ([]byte, error) { return p.read(limit) })
	case len(places(f.roots, path)) == 0:
		return nil, errOutside
	case len(text) > limit:
		return nil, errTooBig
	}
	return []byte(text), nil
}
