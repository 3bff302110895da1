package load

import (
	"sync"

	"github.com/yaytpl/yaytpl/source"
)

// An entry is a file that was read, or is being read by someone.
type entry struct {
	once    sync.Once
	file    *source.File
	err     error
	charged bool // counted against the limits
}

// load returns the file of that key and reads it if that was not done before.
// Failures are not kept.
func (f *Files) load(key string, read func() (*source.File, error)) (*source.File, error) {
	e := f.entry(key)
	e.once.Do(func() { e.file, e.err = read() })
	if e.err != nil {
		f.forget(key, e)
		return nil, e.err
	}
	return e.file, f.charge(e)
}

func (f *Files) entry(key string) *entry {
	f.mu.Lock()
	defer f.mu.Unlock()
	e := f.cache[key]
	if e == nil {
		e = &entry{}
		f.cache[key] = e
	}
	return e
}

// forget drops an entry; nil stands for any.
func (f *Files) forget(key string, e *entry) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if e == nil || f.cache[key] == e {
		delete(f.cache, key)
	}
}

// left returns how many more bytes may be read.
func (f *Files) left() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.config.MaxBytes - f.bytes
}

// charge counts a file against the limits, once.
func (f *Files) charge(e *entry) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case e.charged:
		return nil
	case f.files >= f.config.MaxFiles:
		return source.Errorf(source.Span{}, source.Limit, "more than %d files are read (--max-files)", f.config.MaxFiles)
	case len(e.file.Text) > f.config.MaxBytes-f.bytes:
		return f.tooManyBytes(e.file.Name)
	}
	e.charged = true
	f.files++
	f.bytes += len(e.file.Text)
	return nil
}

// spend counts bytes that are no file against the limits.
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
