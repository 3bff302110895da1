package frontend

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/recent"
	"github.com/yaytpl/yaytpl/source"
)

// A Cache holds parsed files and their findings: a file that is included a thousand times
// is parsed once. It is safe for concurrent use.
type Cache struct {
	mu     sync.Mutex
	parsed recent.Map[key, *parsed]
	repeat bool // warnings are returned by each call

	// known holds the latest version of each file of a cache that several projects share.
	// Older versions are dropped from the cache.
	known map[fileID]*source.File
}

// A fileID identifies a file in all its versions.
type fileID struct{ name, path string }

// A key identifies one result of parsing.
type key struct {
	file     *source.File
	language string
	switches [8]bool
	override string // Options.Switch, "" for nil
}

// keyOf returns the key of a file in a language.
func keyOf(f *source.File, language string, o Options) key {
	k := key{file: f, language: language}
	k.switches = [...]bool{o.NoTemplates, o.NoExpressions, o.NoDirectives, o.Lenient, o.Sparse, o.Vaults, o.YAMLScalars, o.Included}
	if o.Switch != nil {
		k.override = fmt.Sprint(o.Switch)
	}
	return k
}

// parsed is the result of parsing, valid after parse.
type parsed struct {
	parse    func() // the first call parses; if that panics, each call does
	told     bool   // a call of Parse has returned the warnings
	file     *source.File
	docs     []*graph.Doc
	findings []*source.Diagnostic
	errors   []*source.Diagnostic // among the findings
}

// NewCache returns the cache of one project.
func NewCache() *Cache { return &Cache{} }

// The size of a cache of many projects. Nodes take about 20 times the size of their text.
const (
	storedFiles  = 1024
	storedLength = 4 << 20 // of the texts of the parsed files
)

// NewStore returns a cache for many projects that are open at the same time. It forgets what no project
// has asked for of late, so that its size does not grow with their number. Each call of Parse returns the
// warnings.
func NewStore() *Cache {
	return &Cache{parsed: recent.Map[key, *parsed]{Most: storedFiles, Heaviest: storedLength}, repeat: true}
}

// NewSharedCache returns a cache for projects that are opened one after the other, mostly
// with the same files.
func NewSharedCache() *Cache {
	c := NewCache()
	c.known = map[fileID]*source.File{}
	return c
}

// NewLine returns a cache for runs one after the other, each with projects that are open at the same time,
// mostly with the same texts. [Cache.Age] divides the runs. Each call of Parse returns the warnings.
func NewLine() *Cache {
	return &Cache{known: map[fileID]*source.File{}, repeat: true}
}

// Age forgets what the last two runs did not ask for.
func (c *Cache) Age() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.parsed.Age(2) {
		return
	}
	kept := map[*source.File]bool{}
	for k := range c.parsed.Keys() {
		kept[k.file] = true
	}
	maps.DeleteFunc(c.known, func(_ fileID, f *source.File) bool { return !kept[f] })
}

// Parse returns the documents of f. Warnings are returned by the first call only, errors by
// each; the cache of [NewStore] returns both by each.
func (c *Cache) Parse(l Language, f *source.File, o Options) ([]*graph.Doc, []*source.Diagnostic) {
	p, told := c.entry(l, f, o, true)
	p.parse()
	if told && !c.repeat {
		return p.docs, p.errors
	}
	return p.docs, p.findings
}

// Ahead parses f for a call of Parse that comes later, or waits for it: that returns, or panics, as if there
// had been no call of Ahead.
func (c *Cache) Ahead(l Language, f *source.File, o Options) {
	p, _ := c.entry(l, f, o, false)
	p.parse()
}

// entry returns the entry of a file in a language, and whether its warnings were returned before. If tell is set, the
// caller returns them.
func (c *Cache) entry(l Language, f *source.File, o Options, tell bool) (p *parsed, told bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := keyOf(f, l.Name, o)
	p, known := c.parsed.Ask(k)
	if !known {
		k.file = c.same(f)
		p, known = c.parsed.Get(k, func() *parsed { return newParsed(l, k.file, o) })
	}
	if !known {
		c.parsed.Weigh(k, len(k.file.Text))
	}
	told = p.told
	p.told = told || tell
	return p, told
}

// newParsed returns the entry of a file that is not parsed yet.
func newParsed(l Language, f *source.File, o Options) *parsed {
	p := &parsed{file: f}
	p.parse = sync.OnceFunc(func() {
		p.docs, p.findings = l.parse(f, o)
		p.errors = slices.DeleteFunc(slices.Clone(p.findings), func(d *source.Diagnostic) bool { return d.Severity != source.Error })
	})
	return p
}

// same returns the file that was parsed before if f has the same name and text.
func (c *Cache) same(f *source.File) *source.File {
	if c.known == nil || f.Path == "" && c.repeat {
		return f // texts of a program may have the name of another one
	}
	id := fileID{f.Name, f.Path}
	old := c.known[id]
	if old != nil && old.Text == f.Text && old.Secret == f.Secret {
		return old
	}
	c.known[id] = f
	if old != nil {
		c.parsed.Delete(func(k key, _ *parsed) bool { return k.file == old })
	}
	return f
}
