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
	size    int
	ahead   bool // begun by Prefetch
	charged bool // counted against the limits
}

// load returns the file of that key and reads it if that was not done before.
// Failures are not kept.
func (f *Files) load(key string, read func() (*source.File, error)) (*source.File, error) {
	for {
		e, mine := f.entry(key, false)
		e.once.Do(func() { e.run(read) })
		if e.err == nil {
			return e.file, f.charge(e)
		}
		f.forget(key, e)
		if mine || !e.ahead {
			return nil, e.err
		}
		// Reading ahead has limits of its own; its failures are not ours.
	}
}

func (e *entry) run(read func() (*source.File, error)) {
	if e.file, e.err = read(); e.err == nil {
		e.size = len(e.file.Text)
	}
}

func (f *Files) entry(key string, ahead bool) (e *entry, made bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if e = f.cache[key]; e != nil {
		return e, false
	}
	e = &entry{ahead: ahead}
	f.cache[key] = e
	return e, true
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
	case e.size > f.config.MaxBytes-f.bytes:
		return f.tooManyBytes(e.file.Name)
	}
	e.charged = true
	f.files++
	f.bytes += e.size
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
