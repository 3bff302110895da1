package load

import (
	"strings"
	"sync"

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
}

// The sizes of a store.
const (
	storedRoots  = 16 // lists of roots
	storedFiles  = 1024
	storedLength = 16 << 20 // of the texts of files
)

// NewStore returns an empty store.
func NewStore() *Store {
	return &Store{byRoots: recent.Map[string, *entries]{Most: storedRoots}, streams: &entries{}}
}

// Next returns the store of the next of several evaluations, of the first one if s is nil: it has what was
// read from standard input and pipes, reads files again, and forgets nothing, so that an evaluation reads
// each file once.
func (s *Store) Next() *Store {
	streams := &entries{}
	if s != nil {
		streams = s.streams
	}
	return &Store{streams: streams, all: true}
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
			return &entries{}
		}
		return &entries{files: recent.Map[string, *entry]{Most: storedFiles, Heaviest: storedLength}}
	})
	return files, s.streams
}

// entries are files by path, URL or name.
type entries struct {
	mu    sync.Mutex
	files recent.Map[string, *entry]
}

// An entry is a file that was read, or is being read in a goroutine.
type entry struct {
	once sync.Once
	file *source.File
	err  error
}

// load returns the file of a key; it calls read if there is none. Errors are not kept, so that a file
// that is created later can be read.
func (s *entries) load(key string, read func() (*source.File, error)) (*source.File, error) {
	for {
		s.mu.Lock()
		e, _ := s.files.Get(key, func() *entry { return &entry{} })
		s.mu.Unlock()
		mine := false
		e.once.Do(func() {
			mine = true
			if e.file, e.err = read(); e.err == nil {
				s.mu.Lock()
				s.files.Weigh(key, len(e.file.Text))
				s.mu.Unlock()
			}
		})
		if e.err == nil {
			return e.file, nil
		}
		s.forget(key, e)
		if mine {
			return nil, e.err
		} // else another run failed, perhaps at its own limit
	}
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
	for key := range f.used {
		if !isURL(key) && key != "-" {
			paths[followLinks(strings.TrimPrefix(key, givenPrefix))] = true
		}
	}
	return paths
}
