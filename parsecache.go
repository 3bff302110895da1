package yaytpl

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/merge"
	"github.com/yaytpl/yaytpl/source"
)

// A parseCache remembers what files parsed to, findings included: a file that is
// included a thousand times is parsed once. It is safe for concurrent use.
type parseCache struct {
	mu     sync.Mutex
	parsed map[parseKey]*parsed

	// known holds the files of a cache that several projects share: the last version of
	// each. Of an older version nothing is remembered.
	known map[fileID]*source.File
}

type fileID struct{ name, path string }

type parseKey struct {
	file  *source.File
	front string
	opts  string
}

type parsed struct {
	once     sync.Once
	docs     []*graph.Doc
	findings []*source.Diagnostic
}

func newParseCache() *parseCache { return &parseCache{parsed: map[parseKey]*parsed{}} }

// newSharedCache returns a cache for projects that are opened one after the other with
// mostly the same files.
func newSharedCache() *parseCache {
	c := newParseCache()
	c.known = map[fileID]*source.File{}
	return c
}

// same returns the file that was parsed before if f is a copy of it.
func (c *parseCache) same(f *source.File) *source.File {
	if c.known == nil {
		return f
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	id := fileID{f.Name, f.Path}
	old := c.known[id]
	if old != nil && old.Text == f.Text && old.Secret == f.Secret {
		return old
	}
	c.known[id] = f
	maps.DeleteFunc(c.parsed, func(k parseKey, _ *parsed) bool { return k.file == old })
	return f
}

// parse returns what f parses to. Findings are returned the first time only, but
// for errors.
func (c *parseCache) parse(front frontend, f *source.File, o merge.Options) ([]*graph.Doc, []*source.Diagnostic) {
	p, known := c.entry(parseKey{f, front.name, optionKey(o)})
	p.once.Do(func() { p.docs, p.findings = front.parse(f, o) })
	if known && p.docs != nil {
		return p.docs, nil
	}
	return p.docs, p.findings
}

// entry returns what is remembered under a key, and whether it was before.
func (c *parseCache) entry(key parseKey) (p *parsed, known bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p, known = c.parsed[key]; !known {
		p = &parsed{}
		c.parsed[key] = p
	}
	return p, known
}

func optionKey(o merge.Options) string {
	key := fmt.Sprint(o.NoTemplates, o.NoExpressions, o.Lenient, o.Included, o.YAMLScalars)
	for _, name := range slices.Sorted(maps.Keys(o.Switch)) {
		key += fmt.Sprint(" ", name, o.Switch[name])
	}
	return key
}
