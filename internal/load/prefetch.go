package load

import (
	"github.com/yaytpl/yaytpl/crypto"
	"github.com/yaytpl/yaytpl/source"
)

// The bounds of reading ahead. It is for many small files; what is not read ahead
// is read when it is needed.
const (
	aheadSlots = 8
	aheadSize  = 1 << 20  // bytes of one file
	aheadBytes = 64 << 20 // bytes of all
)

// Prefetch begins to read a file that Open will probably be asked for, and returns
// at once. It reports nothing, counts against no limit and never uses the network, nor
// a key: that may ask the user for something that nobody needs.
func (f *Files) Prefetch(name, base string) {
	location, err := f.resolve(name, base)
	if err != nil || isURL(location) || crypto.Encrypted(location) {
		return
	}
	select {
	case f.slots <- struct{}{}:
	default:
		return
	}
	go func() {
		defer func() { <-f.slots }()
		_, _ = f.open(name, base, f.readAhead)
	}()
}

func (f *Files) readAhead(path string) (*source.File, error) {
	if f.aheadLeft() <= 0 {
		return nil, nil
	}
	e, mine := f.entry(path, true)
	if !mine {
		return nil, nil
	}
	e.once.Do(func() {
		e.run(func() (*source.File, error) { return f.read(path, min(aheadSize, f.left())) })
	})
	if e.err != nil {
		f.forget(path, e)
	}
	f.mu.Lock()
	f.ahead += e.size
	f.mu.Unlock()
	return e.file, e.err
}

func (f *Files) aheadLeft() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return aheadBytes - f.ahead
}
