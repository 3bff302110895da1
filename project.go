package yaytpl

import (
	"context"
	"path/filepath"
	"sync"

	"github.com/yaytpl/yaytpl/internal/frontend"
	"github.com/yaytpl/yaytpl/internal/load"
	"github.com/yaytpl/yaytpl/source"
)

// A Project is a set of files, layered and ready to be evaluated. Its methods and those
// of its Documents may be called by several goroutines, which take turns. Options.Warn
// is called during a turn, and must not ask for anything itself.
//
// Lists and maps in the values that they return are lazy and work out their items when
// these are asked for, which is no turn: look into them while nobody else uses the
// project, or leave that to [Project.WriteValue]. A [Config] has no such values.
type Project struct {
	turns *sync.Mutex // held by who evaluates

	ctx   context.Context
	opts  Options
	files *load.Files
	docs  []*Document
	dir   string // of the main document
	cache *frontend.Cache

	instances *instances // native classes, of a Config

	loads []*loaded // includes that were followed, in order
	known map[loaded]*loaded

	texts map[string]*source.File // those of Options.Memory
}

// Open reads and parses files; later ones are layers over earlier ones. Included
// files are read when they are needed.
//
// Codes: access, forbidden, syntax, duplicate-key and what else parsing finds.
func Open(ctx context.Context, files []string, o Options) (*Project, error) {
	p := &Project{turns: new(sync.Mutex), ctx: ctx, opts: o, cache: o.cache, texts: memoryFiles(o.Memory)}
	if p.cache == nil {
		p.cache = frontend.NewCache()
	}
	if p.opts.Warn == nil {
		p.opts.Warn = func(*source.Diagnostic) {}
	}
	p.files = load.New(p.loadConfig(files))
	d, err := p.openText(files)
	switch {
	case err != nil:
		return nil, err
	case d != nil:
		p.docs = []*Document{d}
		return p, nil
	}
	layers, err := p.openLayers(files)
	if err != nil {
		return nil, err
	}
	p.docs = p.pair(layers)
	return p, nil
}

// Documents returns the finished documents: one for each document of the files.
func (p *Project) Documents() []*Document { return p.docs }

// Only returns the i-th document, counted from 0.
//
// Code: not-found.
func (p *Project) Only(i int) (*Document, error) {
	if i < 0 || i >= len(p.docs) {
		return nil, source.Errorf(source.Span{}, source.NotFound, "there is no document %d: the files have %d, counted from 0", i, len(p.docs))
	}
	return p.docs[i], nil
}

// directory returns the directory of a file that was named by the user.
func (p *Project) directory(f *source.File) string {
	if f.Path != "" {
		return filepath.Dir(f.Path)
	}
	if p.opts.Dir != "" {
		return p.opts.Dir
	}
	dir, err := filepath.Abs(".")
	if err != nil {
		return "."
	}
	return dir
}
