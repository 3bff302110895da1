package load

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/yaytpl/yaytpl/crypto"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/source"
)

// A Config lists the resources that one run may read, write and start. The zero value
// allows the environment and files below the repository around the working directory.
type Config struct {
	Dir     string   // the base of relative names; "" is the working directory
	Files   []string // the files that the user named: the default roots depend on them
	Roots   []string // files are read below these only; none means the default roots
	Search  []string // directories to search for includes (-I); they are roots as well
	Project string   // absolute: the default root of files below it that are in no repository, or ""

	Repositories map[string]string // named directories for includes; they are roots as well

	AllowURL, AllowExec bool
	AllowWrite          []string // directories
	AllowEnv            []string // names and patterns such as "APP_*"; none means all
	NoEnv               bool

	MaxFiles, MaxBytes int // 0 is the default of package graph

	Stdin   io.Reader
	Overlay map[string]string // texts to use instead of files, by path; for encrypted files the decrypted text

	Store *Store // of files that several runs share, or nil

	Mounts []fs.FS // file systems of the program: see [Files.MountDir]

	Decrypter *crypto.Decrypter // nil decrypts with the user's gpg

	Inputs *Inputs // has the notes of what is read; nil is one of the run's own

	// Warn is called with each property that a saved file has lost, such as its access control
	// list; code access. It may be nil.
	Warn func(*source.Diagnostic)

	// Context cancels downloads, programs and reads of Stdin and pipes; nil is one that is never
	// done.
	Context context.Context

	Getenv  func(name string) (string, bool) // nil is the environment of the process
	Environ func() []string                  // names, or NAME=VALUE
	Now     func() time.Time
	Fetch   Fetcher // of URLs; nil is the registered one
}

func (c Config) withDefaults() Config {
	limits := graph.Limits{Files: c.MaxFiles, Bytes: c.MaxBytes}.WithDefaults()
	c.MaxFiles, c.MaxBytes = limits.Files, limits.Bytes
	if c.Stdin == nil {
		c.Stdin = os.Stdin
	}
	if c.Context == nil {
		c.Context = context.Background()
	}
	if c.Fetch == nil {
		c.Fetch = fetcher
	}
	if c.Getenv == nil {
		c.Getenv = os.LookupEnv
	}
	if c.Environ == nil {
		c.Environ = os.Environ
	}
	if c.Decrypter == nil {
		c.Decrypter = crypto.New(crypto.Config{Dir: c.Dir, Getenv: c.Getenv, Environ: c.Environ})
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Inputs == nil {
		c.Inputs = &Inputs{}
	}
	return c
}

// Files reads the files of one run, each once, and counts them against the limits. It is
// safe for concurrent use.
type Files struct {
	config  Config
	dir     string   // the working directory, absolute
	roots   []string // absolute
	search  []string // absolute
	write   []string // absolute
	overlay map[string]string
	now     time.Time
	inputs  *Inputs

	cache, streams *entries

	mu     sync.Mutex
	used   map[*source.File]string  // files counted so far, with their keys
	bytes  int                      // bytes counted so far
	looks  int                      // searches for near names so far
	logins map[string]*url.Userinfo // by server, from the URLs that had one

	early      map[string]*early // files that may be read ahead, by path
	earlyBytes int               // of those, when Ahead looked at them
}

// New returns a Files for one run.
func New(c Config) *Files {
	c = c.withDefaults()
	f := &Files{
		config: c, dir: filepath.Clean(c.Dir), now: c.Now(), inputs: c.Inputs,
		overlay: map[string]string{}, used: map[*source.File]string{}, logins: map[string]*url.Userinfo{}, early: map[string]*early{},
	}
	// Without a known working directory names stay relative, and opening them reports the
	// error.
	if abs, err := filepath.Abs(c.Dir); err == nil {
		f.dir = abs
	}
	f.search = f.absolutes(c.Search)
	f.write = f.absolutes(c.AllowWrite)
	f.roots = f.allRoots()
	f.cache, f.streams = c.Store.of(f.roots)
	for name, text := range c.Overlay {
		f.overlay[f.Absolute(name)] = text
	}
	return f
}

// SetTime moves the time of the run, whose context becomes ctx. It must not be called while the run is used.
func (f *Files) SetTime(ctx context.Context, now time.Time) { f.config.Context, f.now = ctx, now }

// Open reads the file name, relative to base. The name is a path, a file: URL or, with
// Config.AllowURL, an http or https URL. Base is a directory or the URL of one; if it is
// empty, the user named the file, relative to the working directory. With a base, a
// relative name that does not exist there is searched in the search directories: "b.yaml"
// with base "/etc/app" is /etc/app/b.yaml, else b.yaml in the first of them that has it.
//
// Codes: forbidden, limit, timeout, syntax (the text is not UTF-8), and access for a file
// that does not exist (then errors.Is reports fs.ErrNotExist), is not regular, or cannot
// be read. Files that end in .gpg or .asc are decrypted; a failure has code decryption,
// and their texts are secret.
//
// A pipe from the user's shell, as in <(command), is read to its end. Other files that
// are not regular are refused.
func (f *Files) Open(name, base string) (*source.File, error) { return f.OpenFor(Asker{}, name, base) }

// OpenFor is [Files.Open] for an asker.
func (f *Files) OpenFor(by Asker, name, base string) (*source.File, error) {
	if base == "" {
		if path := f.Absolute(name); isPipe(path) {
			return f.openStream(path, path, func(limit int) ([]byte, error) { return f.readPipe(path, limit) })
		}
	}
	location, err := f.resolve(name, base)
	if err != nil {
		return nil, err
	}
	file, err := f.openAt(location, by)
	if !errors.Is(err, fs.ErrNotExist) || base == "" || isURL(base) || isRooted(name) || hasScheme(name) {
		return file, err
	}
	for _, dir := range f.search {
		found, searchErr := f.openAt(filepath.Join(dir, name), by)
		if !errors.Is(searchErr, fs.ErrNotExist) {
			return found, searchErr
		}
	}
	return nil, err
}

// openAt reads an absolute path or a URL, once.
func (f *Files) openAt(location string, by Asker) (*source.File, error) {
	if isURL(location) {
		return f.openURL(location, by)
	}
	e, err := f.load(f.cache, location, func() (*source.File, error) { return f.read(location, true) })
	return f.opened(location, e, err, by)
}

// OpenGiven reads a file that the user named as a value, as [Files.Open] with an empty base
// does, but the roots do not apply to it. "-" is standard input. It is not kept for documents
// that name the file as well: the roots apply to these.
func (f *Files) OpenGiven(name string) (*source.File, error) {
	if name == "-" {
		return f.OpenStdin()
	}
	path := f.Absolute(name)
	if isPipe(path) {
		return f.Open(name, "")
	}
	location, err := f.resolve(name, "")
	if err != nil || isURL(location) {
		return f.Open(name, "")
	}
	e, err := f.load(f.cache, givenPrefix+location, func() (*source.File, error) { return f.read(location, false) })
	return f.opened(location, e, err, Asker{})
}

// givenPrefix begins the keys of files to which the roots do not apply.
const givenPrefix = "given "

// read reads the file at an absolute path, or its overlay. If it is confined, the roots apply.
func (f *Files) read(path string, confined bool) (*source.File, error) {
	if confined {
		if file := f.takeAhead(path); file != nil {
			return file, nil
		}
	}
	file, data, err := f.stored(path, confined)
	if err != nil {
		return nil, err
	}
	if _, overlaid := f.overlay[path]; overlaid {
		file.Secret = source.IsEncrypted(path)
		return decode(file, data)
	}
	return f.withText(file, path, data)
}

// stored returns the file at an absolute path, or its overlay, as it is stored: without a text.
func (f *Files) stored(path string, confined bool) (*source.File, []byte, error) {
	var data []byte
	var info fs.FileInfo
	var err error
	name, limit := f.display(path), f.left()
	text, overlaid := f.overlay[path]
	fsys, rel, isMounted := f.mounted(path)
	switch {
	case isMounted:
		data, err = readMounted(fsys, rel, limit)
	case !overlaid && !confined:
		err = anywhere(path, func(p sandboxFile) (err error) { data, info, err = p.read(limit); return err })
	case !overlaid:
		err = within(f.roots, path, func(p sandboxFile) (err error) { data, info, err = p.read(limit); return err })
	case confined && len(places(f.roots, path)) == 0:
		err = errOutside
	case len(text) > limit:
		err = errTooBig
	default:
		data = []byte(text)
	}
	switch {
	case errors.Is(err, errOutside):
		return nil, nil, outside(name, path, err)
	case err != nil:
		return nil, nil, hintDeadLink(f.readError(name, err), path)
	}
	return &source.File{Name: name, Path: path, Sum: sumOf(data), Info: info}, data, nil
}

// Overlaid returns the overlay of a file that the user named, and whether it has one. For
// an encrypted file that is the decrypted text.
func (f *Files) Overlaid(name string) (string, bool) {
	if name == "-" {
		return "", false
	}
	text, ok := f.overlay[f.Absolute(name)]
	return text, ok
}

// OpenStdin reads standard input. Its name is "-".
func (f *Files) OpenStdin() (*source.File, error) {
	return f.openStream("-", "standard input", func(limit int) ([]byte, error) {
		return f.readStream(f.config.Stdin, limit)
	})
}

// openStream reads a stream to its end, once. Messages about reading call it shown.
func (f *Files) openStream(name, shown string, read func(limit int) ([]byte, error)) (*source.File, error) {
	e, err := f.load(f.streams, name, func() (*source.File, error) {
		data, err := read(f.left())
		if err != nil {
			return nil, f.readError(shown, err)
		}
		return decode(&source.File{Name: name, Sum: sumOf(data)}, data)
	})
	return f.opened(name, e, err, Asker{})
}

// isPipe reports whether a path is a pipe that this process was started with, such as
// /dev/fd/63. A named pipe does not count: without a writer, reading it would hang.
func isPipe(path string) bool {
	if !strings.HasPrefix(path, "/dev/fd/") && !strings.HasPrefix(path, "/proc/self/fd/") {
		return false
	}
	info, err := os.Stat(path)
	return err == nil && info.Mode()&os.ModeNamedPipe != 0
}

func (f *Files) readPipe(path string, limit int) ([]byte, error) {
	pipe, err := os.OpenFile(path, os.O_RDONLY|nonBlocking, 0) // else it waits for a writer if the last one has ended
	if err != nil {
		return nil, err
	}
	defer pipe.Close() // ends a read that readStream has left
	return f.readStream(pipe, limit)
}

// readStream reads r to its end. It returns the error of Config.Context as soon as that is done,
// also if a read of r blocks: the read goes on in its goroutine, which then ends. A panic of r is
// an error with code internal.
func (f *Files) readStream(r io.Reader, limit int) ([]byte, error) {
	ctx := f.config.Context
	type result struct {
		data []byte
		err  error
	}
	done := make(chan result, 1)
	go func() {
		res := result{err: errNoEnd}
		defer func() {
			if p := recover(); p != nil {
				res = result{err: source.Errorf(source.Span{}, source.Internal, "the reader of the input panicked: %v", p)}
			}
			done <- res
		}()
		res.data, res.err = readLimited(reader{ctx, r}, limit)
	}()
	select {
	case res := <-done:
		return res.data, res.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// errNoEnd reports that a read has called runtime.Goexit.
var errNoEnd = errors.New("the reader ended its goroutine")

// A reader reads from r until a context is done.
type reader struct {
	ctx context.Context
	r   io.Reader
}

// Read implements [io.Reader].
func (r reader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(p)
}

// Bytes returns the bytes of a file that the user named, neither decrypted nor decoded.
// "-" is standard input. The roots do not apply, since no document chose the name.
// Codes: access, limit.
func (f *Files) Bytes(name string) ([]byte, error) {
	var data []byte
	var err error
	path, limit := f.Absolute(name), f.left()
	switch {
	case name == "":
		err = errNoName()
	case name == "-":
		data, err = f.readStream(f.config.Stdin, limit)
	case isURL(path):
		err = errURL
	case isPipe(path):
		data, err = f.readPipe(path, limit)
	default:
		err = anywhere(path, func(p sandboxFile) (err error) { data, _, err = p.read(limit); return err })
	}
	if err != nil {
		return nil, hintDeadLink(f.readError(f.Shown(name), err), path)
	}
	return data, nil
}

// resolve returns the absolute path or URL of name, relative to base.
func (f *Files) resolve(name, base string) (string, error) {
	switch {
	case name == "":
		return "", errNoName()
	case isURL(name):
		return absoluteURL(name)
	case isFileURL(name):
		path, err := fileURL(name)
		if err != nil {
			return "", source.Errorf(source.Span{}, source.Access, "cannot read %s: %s", withoutSecrets(name), err)
		}
		return f.Absolute(path), nil
	case hasScheme(name) && isWeb(name):
		return "", source.Errorf(source.Span{}, source.Access, "cannot read %s: the URL has no host", name)
	case hasScheme(name):
		return "", source.Errorf(source.Span{}, source.Access, "cannot read %s: only http, https and file URLs can be read", withoutSecrets(name))
	case isURL(base):
		return relativeURL(name, base)
	}
	return Join(f.Absolute(base), name), nil
}

// Absolute returns the absolute path of a file name that the user wrote. An http or https
// URL is returned unchanged.
func (f *Files) Absolute(name string) string {
	if isURL(name) {
		return name
	}
	if isFileURL(name) {
		if path, err := fileURL(name); err == nil {
			name = path
		}
	}
	return Join(f.dir, name)
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

// Join returns the path of a name in a directory. On Windows a name that begins with a
// separator is on the drive of the directory, or has a drive after the separator because it
// is the path of a file: URL: with the directory C:\conf, \a is C:\a, and /D:/a is D:\a.
func Join(dir, name string) string {
	if isRooted(name) && filepath.VolumeName(name[1:]) != "" {
		name = name[1:]
	}
	switch {
	case filepath.IsAbs(name):
		dir = ""
	case isRooted(name):
		dir = filepath.VolumeName(dir) + name[:1]
	}
	if strings.Contains(name, "..") && runtime.GOOS != "windows" {
		return pathOf(dir, name)
	}
	return filepath.Join(dir, name)
}

// pathOf is filepath.Join as the system reads names: the parent of a link to a directory is the parent of
// the directory. Windows reads ".." as part of the text.
//
//	conf -> /srv/releases/42     conf/../base.yaml is /srv/releases/base.yaml
func pathOf(dir, name string) string {
	path := filepath.Clean(dir)
	if dir == "" {
		path = "/"
	}
	for part := range strings.SplitSeq(name, "/") {
		if part != ".." {
			path = filepath.Join(path, part)
			continue
		}
		if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			if real, err := filepath.EvalSymlinks(path); err == nil {
				path = real
			}
		}
		path = filepath.Join(path, part)
	}
	return path
}

// isRooted reports whether a name is the same file in all directories of a drive.
func isRooted(name string) bool {
	return filepath.IsAbs(name) || name != "" && os.IsPathSeparator(name[0])
}

// display returns a path for messages: relative if it is below the working directory or in a
// mounted file system, else unchanged.
func (f *Files) display(path string) string {
	if _, name, ok := f.mounted(path); ok {
		return name
	}
	if rel, err := filepath.Rel(f.dir, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}

// Quoted returns a name as a document writes it for messages: a URL without its login and keys.
func Quoted(name string) string {
	if isURL(name) {
		return withoutSecrets(name)
	}
	return name
}

// Shown returns the name for messages of a file that the user named.
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

// load returns the entry of a key and counts its file against the limits. Above these it returns the entry
// with the error.
func (f *Files) load(from *entries, key string, read func() (*source.File, error)) (*entry, error) {
	e, err := from.load(key, read)
	if err != nil {
		return nil, err
	}
	return e, f.charge(key, e.file)
}

// left returns how many more bytes may be read.
func (f *Files) left() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.config.MaxBytes - f.bytes
}

// charge counts a file against the limits, once.
func (f *Files) charge(key string, file *source.File) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch _, known := f.used[file]; {
	case known:
		return nil
	case len(f.used) >= f.config.MaxFiles:
		return source.Errorf(source.Span{}, source.Limit, "more than %d files are read (--max-files)", f.config.MaxFiles)
	case len(file.Text) > min(f.config.MaxBytes-f.bytes, maxText): // the text in UTF-8 may be longer than the file
		return f.tooManyBytes(file.Name)
	}
	f.used[file] = key
	f.bytes += len(file.Text)
	return nil
}

// spend counts n bytes that are not from a file against the limits. Messages call them
// what.
func (f *Files) spend(n int, what string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if n > f.config.MaxBytes-f.bytes {
		return f.tooManyBytes(what)
	}
	f.bytes += n
	return nil
}

func (f *Files) tooManyBytes(what string) error {
	limit := f.config.MaxBytes
	if limit > maxText {
		return source.Errorf(source.Span{}, source.Limit, "%s: more than %d bytes in one file, or %d of input (--max-bytes)", what, maxText, limit)
	}
	return source.Errorf(source.Span{}, source.Limit, "%s: more than %d bytes of input (--max-bytes)", what, limit)
}
