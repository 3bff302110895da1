package load

import (
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/yaytpl/yaytpl/internal/recent"
	"github.com/yaytpl/yaytpl/source"
)

// A Store holds the files that several runs read, each once, such as those that the targets of a project
// have in common. It forgets files that no run has asked for of late, so that its size does not grow
// with the number of runs. It is safe for concurrent use.
//
// The runs may differ in Files, Roots and the limits of their [Config]. A run gets only files that it may
// read, since runs with other roots have entries of their own; each run counts all files that it uses
// against its limits.
type Store struct {
	mu      sync.Mutex
	byRoots recent.Map[string, *entries]
	streams *entries // standard input and pipes, which can be read only once
	all     bool     // nothing is forgotten
	before  *Store   // of the evaluation before this one, whose files are looked at; nil if there is none

	repositories repositories
}

// repositories are the nearest enclosing directories that contain .git, by directory; "" for none.
type repositories map[string]string

// The sizes of a store.
const (
	storedRoots  = 16 // lists of roots
	storedFiles  = 1024
	storedLength = 16 << 20 // of the texts of files
	storedDirs   = 4096     // of which the repository is known
)

// NewStore returns an empty store.
func NewStore() *Store {
	return &Store{byRoots: recent.Map[string, *entries]{Most: storedRoots}, streams: &entries{}}
}

// Next returns the store of the next of several evaluations, of the first one if s is nil: it has what was
// read from standard input and pipes, looks at files again, reads those that have changed, and forgets
// nothing, so that an evaluation sees each file once. A caller that knows the inputs that have changed gives
// them; then other files are not looked at.
func (s *Store) Next(changed ...Input) *Store {
	next := &Store{streams: &entries{}, all: true}
	if s == nil {
		return next
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	next.streams = s.streams
	if len(changed) == 0 {
		next.before = s
		return next
	}
	for roots := range s.byRoots.Keys() {
		if files, _ := s.byRoots.Peek(roots); files.renew(changed) {
			next.byRoots.Get(roots, func() *entries { return files })
		}
	}
	return next
}

// renew forgets the files that the last evaluation did not read, those that have changed, and those that may
// have. It reports whether others are left.
func (s *entries) renew(changed []Input) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.before = nil
	s.files.Age(1)
	for _, in := range changed {
		s.files.Remove(in.Name)
		s.files.Remove(givenPrefix + in.Name)
	}
	s.files.Delete(func(_ string, e *entry) bool { return !e.done.Load() || !e.stays() })
	return s.files.Len() > 0
}

// of returns the entries of runs with these roots. Without a store they are for one run.
func (s *Store) of(roots []string) (files, streams *entries) {
	if s == nil {
		all := &entries{}
		return all, all
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	files, _ = s.byRoots.Get(strings.Join(roots, "\x00"), func() *entries {
		if s.all {
			return &entries{before: s.before.cut(strings.Join(roots, "\x00"))}
		}
		return &entries{files: recent.Map[string, *entry]{Most: storedFiles, Heaviest: storedLength}}
	})
	return files, s.streams
}

// cut returns the entries of s for some roots, nil if there are none. What was before them is forgotten.
func (s *Store) cut(roots string) *entries {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.before = nil
	files, ok := s.byRoots.Peek(roots)
	if !ok {
		return nil
	}
	files.mu.Lock()
	defer files.mu.Unlock()
	files.before = nil
	return files
}

// repository returns the nearest directory at or above dir that contains .git, "" for none. It asks the
// system once for each directory. Without a store known has the answers.
func (s *Store) repository(dir string, known repositories) string {
	if s != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.repositories == nil || len(s.repositories) >= storedDirs {
			s.repositories = repositories{}
		}
		known = s.repositories
	}
	r, ok := known[dir]
	if !ok {
		r = repositoryAround(dir)
		known[dir] = r
	}
	return r
}

// entries are files by path, URL or name.
type entries struct {
	mu     sync.Mutex
	files  recent.Map[string, *entry]
	before *entries // of the evaluation before this one; nil if there is none
}

// An entry is a file that was read, or is being read in a goroutine.
type entry struct {
	once  sync.Once
	done  atomic.Bool
	file  *source.File
	input *Input    // for the notes of a run
	read  time.Time // when it was read
	err   error
}

// stays reports whether the file is the same for the next evaluation if nothing tells that it has changed. A
// change right after a file was read may leave its time as it was. What was decrypted is decrypted again.
func (e *entry) stays() bool {
	f := e.file
	return f != nil && !f.Secret && f.Info != nil && !f.Info.ModTime().After(e.read.Add(-timeGranularity))
}

// unchanged returns the entry of a key in the evaluation before this one if its file is the same now,
// otherwise nil.
func (s *entries) unchanged(key string) *entry {
	s.mu.Lock()
	before := s.before
	s.mu.Unlock()
	if before == nil {
		return nil
	}
	before.mu.Lock()
	e, ok := before.files.Peek(key)
	before.mu.Unlock()
	if !ok || !e.done.Load() || !e.stays() {
		return nil
	}
	info, was := infoOf(e.file.Path), e.file.Info
	if info == nil || !os.SameFile(info, was) || info.Size() != was.Size() || !info.ModTime().Equal(was.ModTime()) || info.Mode() != was.Mode() {
		return nil
	}
	return e
}

// load returns the entry of a key; it calls read if there is none. Errors are not kept, so that a file
// that is created later can be read.
func (s *entries) load(key string, read func() (*source.File, error)) (*entry, error) {
	for {
		s.mu.Lock()
		e, _ := s.files.Get(key, func() *entry { return &entry{} })
		s.mu.Unlock()
		mine := false
		if !e.done.Load() {
			e.once.Do(func() {
				mine = true
				defer e.done.Store(true)
				s.fill(e, key, read)
			})
		}
		if e.err == nil {
			return e, nil
		}
		s.forget(key, e)
		if mine {
			return nil, e.err
		} // else another run failed, perhaps at its own limit
	}
}

// fill reads the file of an entry, or takes it from the evaluation before this one.
func (s *entries) fill(e *entry, key string, read func() (*source.File, error)) {
	if old := s.unchanged(key); old != nil {
		e.file, e.input, e.read = old.file, old.input, old.read
		return
	}
	e.read = time.Now()
	if e.file, e.err = read(); e.err != nil {
		return
	}
	e.input = fileInput(strings.TrimPrefix(key, givenPrefix), e.file)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files.Weigh(key, len(e.file.Text))
}

// forget drops the entry of key if it is e, or any entry if e is nil.
func (s *entries) forget(key string, e *entry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now, _ := s.files.Peek(key); e == nil || now == e {
		s.files.Remove(key)
	}
}

// ReadPaths returns the absolute paths of the files that this run has read, their links followed.
func (f *Files) ReadPaths() map[string]bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	paths := map[string]bool{}
	for _, key := range f.used {
		if !isURL(key) && key != "-" {
			paths[followLinks(strings.TrimPrefix(key, givenPrefix))] = true
		}
	}
	return paths
}
