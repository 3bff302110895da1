// Package engine opens files as a project and evaluates the documents that they make. It is
// the part that package yaytpl, package config and package edit share.
//
//	files, values, definitions --Open--> Project --Pair--> Document --Eval--> graph.Eval
//	                                        ^                                    |
//	                                        '------ Includes <--- graph.Loader --'
//
// A [Project] is an open set of files: its layers, the includes that were followed, the cache
// of parsed files. A [Document] is all layers of one position with one evaluation, started
// when the first question is asked. Languages appear only as rows of internal/frontend.
//
// Nothing here is safe for concurrent use: callers hold a lock. [Project.Fork] gives a project
// for another goroutine that shares files and parsed documents, which never change.
//
// Read project.go (opening files; layers), then pair.go and match.go (which documents a layer is of),
// document.go (an evaluation and questions about it), query.go, and includes.go. define.go and
// environ.go make layers of the command line and the environment; origins.go, implied.go and schemas.go
// are about explanations and JSON Schemas; settings.go, programs.go, library.go and help.go join the
// packages below.
package engine

import (
	"context"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/yaytpl/yaytpl/crypto"
	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/frontend"
	"github.com/yaytpl/yaytpl/internal/load"
	"github.com/yaytpl/yaytpl/internal/schema"
	"github.com/yaytpl/yaytpl/internal/show"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
)

// Options are the rights of a project, the switches of its languages, and its limits. They
// are made of the options of the packages that act on them.
type Options struct {
	Load   load.Config      // files, rights, the environment
	Parse  frontend.Options // switches of the languages
	Eval   expr.Options     // switches of expressions
	Limits graph.Limits

	StrictCycles bool // a cycle of expressions is an error, not null

	Lang        string       // language of the files; "" selects it by their endings
	Base, Over  []string     // files below and above the others, oldest first
	Values      []string     // files above these, oldest first
	EnvPrefix   string       // environment variables with this prefix are layers above those
	Defines     []string     // assignments as [ParseAssignment] reads them, above those; no file is read
	Assignments []Assignment // above those
	Lists       []string     // KEY=POLICY, rules for lists to which no rule in a file applies
	Settings    *Settings    // of the project around the files, or nil

	// Above are layers between files, including the files of Base: Above[2] are layers over the first two,
	// below the third.
	Above map[int][]Assignment

	Schemas  []SchemaRule // of documents that are checked
	Programs Programs
	Memory   map[string]string // texts that includes in Yay name as mem://NAME

	// Bindings makes the document of a file of bindings that the user names. Nil refuses such
	// files.
	Bindings func(f *source.File) (*graph.Doc, error)

	// Alone makes documents with +match independent: they are not layers over others. It is for edits of
	// their file.
	Alone bool

	Warn  func(*source.Diagnostic) // is called with each warning; may be nil
	Cache *frontend.Cache          // shared by projects opened one after the other; nil makes a new one

	// Share holds files and parsed documents of many projects, in place of Cache. It may be nil.
	Share *Share
}

// A Share holds what projects with the same options but for their layers and limits have in common. It is
// safe for concurrent use.
type Share struct {
	files *load.Store
	cache *frontend.Cache
	memo  *yaml.Memo // of runs one after the other; otherwise nil

	mu      sync.Mutex
	schemas map[*source.File]*openedSchema // by the file that they begin in
}

// maxSchemas is how many schemas a Share holds. Then it forgets them.
const maxSchemas = 64

// NewShare returns an empty Share.
func NewShare() *Share {
	return &Share{files: load.NewStore(), cache: frontend.NewStore(), schemas: map[*source.File]*openedSchema{}}
}

// schema returns the schema that begins in a file, or nil. A nil Share has none.
func (s *Share) schema(f *source.File) *openedSchema {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.schemas[f]
}

// keepSchema adds a schema that begins in a file.
func (s *Share) keepSchema(f *source.File, opened *openedSchema) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.schemas) >= maxSchemas {
		clear(s.schemas)
	}
	s.schemas[f] = opened
}

// Next returns the Share of the next of several runs, of the first one if s is nil: each reads a file
// once, and texts that have not changed are not parsed again. What two runs did not ask for is forgotten.
// If the caller knows which inputs have changed and gives them, other files are not even looked at.
func (s *Share) Next(changed ...load.Input) *Share {
	next := &Share{schemas: map[*source.File]*openedSchema{}}
	if s == nil {
		next.files, next.cache, next.memo = (*load.Store)(nil).Next(), frontend.NewLine(), &yaml.Memo{}
	} else {
		s.cache.Age()
		s.memo.Age()
		next.files, next.cache, next.memo = s.files.Next(changed...), s.cache, s.memo
	}
	return next
}

// Memo returns the texts that results of runs one after the other have in common; it may be nil.
func (p *Project) Memo() *yaml.Memo {
	if p == nil || p.opts.Share == nil {
		return nil
	}
	return p.opts.Share.memo
}

// ticks reports whether a document may be asked again after a tick of the clock: it is a program, which
// keeps nothing but values of cells and what these decide.
func (p *Project) ticks(d *Document) bool {
	return p.Memo() != nil && len(d.layers) == 1 && d.layers[0].Doc.Lang == frontend.MCL
}

// Tick moves the time of the project, for questions with another context. Values that depend on the time are
// forgotten, the others stay. It returns false, and the project must not be used any more, if it has to
// be opened again.
func (p *Project) Tick(ctx context.Context, now time.Time) bool {
	if p.dataDoc != nil {
		return false // it may read the clock as well
	}
	for _, d := range p.docs {
		if d.eval == nil || !d.eval.Tick(ctx) {
			return false
		}
	}
	p.ctx = ctx
	p.files.SetTime(ctx, now)
	return true
}

// Files returns the files that a project with these options reads.
func (o Options) Files() *load.Files {
	o.Load.Warn = o.Warn
	return load.New(o.Load)
}

// Decrypter returns the decrypter of the options, or one for the gpg of the user.
func (o Options) Decrypter() *crypto.Decrypter {
	if o.Load.Decrypter != nil {
		return o.Load.Decrypter
	}
	return crypto.New(crypto.Config{Dir: o.Load.Dir, Getenv: o.Load.Getenv, Environ: o.Load.Environ})
}

// A Project is a set of open files.
type Project struct {
	ctx      context.Context
	opts     Options
	files    *load.Files
	dir      string // of the main document; "" before it is opened
	main     int    // index of the layer after the layers of Options.Base
	docs     []*Document
	texts    map[string]*source.File // of Options.Memory, by name
	classes  map[string]frontend.Class
	lists    *graph.Lists          // rules of the options and of the settings
	told     map[*source.File]bool // with Options.Share: files whose warnings were reported
	before   uint64                // live memory before its files were read
	ownCache bool                  // no other project has Options.Cache
	dataDoc  *Document             // of Options.Programs.Data, once it was asked for
	schemas  map[schemaUse]*schema.Schema

	followed []*Include // the last ones, with repetitions
	includes []*Include // the includes before, in order
	known    map[Include]*Include
	streams  *streams // of includes that choose a document, once there is one
}

// A Layer is one file that the user named, with its documents.
type Layer struct {
	Name string
	Docs []*graph.Doc
}

// Open reads and parses the files of these names; later ones are layers over earlier ones. Included
// files are read when an evaluation needs them.
//
// Codes: access, forbidden, syntax, duplicate-key and others of parsing.
func Open(ctx context.Context, names []string, o Options) (*Project, error) {
	told := map[*source.File]bool(nil)
	ownCache := o.Share == nil && o.Cache == nil
	switch {
	case o.Share != nil:
		o.Load.Store, o.Cache, told = o.Share.files, o.Share.cache, map[*source.File]bool{}
	case o.Cache == nil:
		o.Cache = frontend.NewCache()
	}
	if o.Warn == nil {
		o.Warn = func(*source.Diagnostic) {}
	}
	if o.Settings != nil && o.Settings.Err != nil {
		return nil, o.Settings.Err
	}
	lists, err := o.ListRules()
	if err != nil {
		return nil, err
	}
	files := o.Files()
	o.Load.Inputs = files.Inputs() // also of projects that are opened for this one
	p := &Project{ctx: ctx, opts: o, files: files, texts: map[string]*source.File{}, lists: lists, told: told, before: max(graph.LiveMemory(), 1), ownCache: ownCache}
	for name, text := range o.Memory {
		p.texts[name] = source.NewFile("mem://"+name, text) // once, so that each is parsed once
	}
	d, err := p.openText(names)
	switch {
	case err != nil:
		return nil, err
	case d != nil:
		p.docs = []*Document{d}
		return p, nil
	}
	layers, err := p.OpenLayers(names)
	if err != nil {
		return nil, err
	}
	p.docs, err = p.Pair(layers)
	return p, err
}

// Fork returns a project for another evaluation, possibly in another goroutine: it shares
// files and parsed documents with p, knows these native classes, and has followed no include
// yet.
func (p *Project) Fork(classes map[string]frontend.Class) *Project {
	fork := *p
	fork.followed, fork.includes, fork.known, fork.streams, fork.classes = nil, nil, nil, nil, classes
	return &fork
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

// SetWarn replaces the function that warnings are passed to and returns the former one.
func (p *Project) SetWarn(warn func(*source.Diagnostic)) (former func(*source.Diagnostic)) {
	former, p.opts.Warn = p.opts.Warn, warn
	return former
}

// Dir returns the directory of the main document, "" if no file was opened yet.
func (p *Project) Dir() string { return p.dir }

// SetDir sets the directory of the main document, for a project that was opened without
// files.
func (p *Project) SetDir(dir string) { p.dir = dir }

// Context returns the context that ends the evaluation.
func (p *Project) Context() context.Context { return p.ctx }

// Directory returns the directory of a file that the user named.
func (p *Project) Directory(f *source.File) string {
	if f.Path != "" {
		return filepath.Dir(f.Path)
	}
	if p.opts.Load.Dir != "" {
		return p.opts.Load.Dir
	}
	dir, err := filepath.Abs(".")
	if err != nil {
		return "."
	}
	return dir
}

// OpenLayers reads the files, then the values files, then the definitions.
func (p *Project) OpenLayers(files []string) ([]Layer, error) {
	var layers []Layer
	first := len(p.opts.Base)
	files = slices.Concat(p.opts.Base, files, p.opts.Over)
	all := slices.Concat(files, p.opts.Values)
	defer p.parseAhead(all)()
	for i, name := range all {
		l, err := p.OpenLayer(name)
		if err != nil {
			return nil, err
		}
		if i == first {
			p.main = len(layers)
		}
		layers = append(layers, l)
		if above := p.opts.Above[i+1]; len(above) > 0 && i < len(files) {
			if layers, err = p.WithDefines(layers, nil, above); err != nil {
				return nil, err
			}
		}
	}
	if p.opts.EnvPrefix != "" {
		var err error
		if layers, err = p.WithEnviron(layers, p.opts.EnvPrefix); err != nil {
			return nil, err
		}
	}
	return p.WithDefines(layers, p.opts.Defines, p.opts.Assignments)
}

// leastAhead is the size in bytes of files that are parsed ahead. Two files of 32 kB take 0.5 ms instead of
// 0.7, of 64 kB 0.9 instead of 1.4.
const leastAhead = 64 << 10

// parseAhead begins to read and parse the big ones of several files in other goroutines, while the caller opens
// them in turn: with the same results, errors, notes and limits as without it. stop ends the goroutines and waits for
// them: a file that is being parsed is parsed to its end, so that failures in a row do not leave parsers that
// run side by side. Projects that share parsed files do not parse ahead, since many of them are open at the same
// time or most of their files are parsed already.
func (p *Project) parseAhead(names []string) (stop func()) {
	workers := runtime.GOMAXPROCS(0)
	if len(names) < 2 || workers < 2 || !p.ownCache {
		return func() {}
	}
	var reads []func() *source.File
	for _, name := range names {
		if read := p.files.Ahead(name, leastAhead); read != nil {
			reads = append(reads, read)
		}
	}
	if len(reads) < 2 {
		return func() {}
	}
	ctx, cancel := context.WithCancel(p.ctx)
	o := p.opts           // as they are now: the caller may go on to change them
	var next atomic.Int64 // the first one is for the caller
	var running sync.WaitGroup
	for range min(workers, len(reads)-1) {
		running.Go(func() {
			defer func() { _ = recover() }() // the caller panics as well, in its turn
			for ctx.Err() == nil {
				i := int(next.Add(1))
				if i >= len(reads) {
					return
				}
				f := reads[i]()
				if f == nil || ctx.Err() != nil {
					continue
				}
				if l, err := frontend.For(f, o.Lang); err == nil {
					o.Cache.Ahead(l, f, o.ParseOptions(f.Path))
				}
			}
		})
	}
	return func() {
		cancel()
		running.Wait()
	}
}

// OpenLayer reads and parses one file. The first one is the main document.
func (p *Project) OpenLayer(name string) (Layer, error) {
	f, err := p.Read(name)
	if err != nil {
		return Layer{}, err
	}
	if p.dir == "" {
		p.dir = p.Directory(f)
	}
	if l, err := frontend.For(f, p.opts.Lang); err == nil && l.Name == frontend.Bindings && p.opts.Bindings != nil {
		doc, err := p.opts.Bindings(f)
		return Layer{name, []*graph.Doc{doc}}, err
	}
	docs, err := p.Parse(f)
	return Layer{name, docs}, err
}

// OpenMounted is OpenLayer for a file of the i-th of the mounted file systems. Such a file is not the
// main document.
func (p *Project) OpenMounted(i int, name string) (Layer, error) {
	dir := p.dir
	l, err := p.OpenLayer(filepath.Join(p.files.MountDir(i), filepath.FromSlash(name)))
	p.dir, l.Name = dir, name
	return l, err
}

// IsAlone reports whether there is no layer below or over the files.
func (o Options) IsAlone() bool {
	return len(o.Base)+len(o.Over)+len(o.Values)+len(o.Defines)+len(o.Assignments)+len(o.Above) == 0 && o.EnvPrefix == ""
}

// openText opens a single big file without parsing it, or returns nil if the file has to be
// parsed.
func (p *Project) openText(files []string) (*Document, error) {
	if len(files) != 1 || !p.opts.IsAlone() {
		return nil, nil
	}
	f, err := p.Read(files[0])
	if err != nil {
		return nil, err
	}
	language, err := frontend.For(f, p.opts.Lang)
	if err != nil {
		return nil, nil // parsing returns this error
	}
	if language.Text == nil {
		return nil, nil
	}
	text := language.Text(f, p.opts.ParseOptions(f.Path))
	if text == nil {
		return nil, nil
	}
	p.dir = p.Directory(f)
	return &Document{project: p, text: text}, nil
}

// Read opens a file that the user named; "-" is standard input.
func (p *Project) Read(name string) (*source.File, error) { return Read(p.files, name) }

// Read opens a file that the user named; "-" is standard input.
func Read(files *load.Files, name string) (*source.File, error) {
	if name == "-" {
		return files.OpenStdin()
	}
	f, err := files.Open(name, "")
	return f, files.DidYouMean(err, name, "", "")
}

// RootLayer returns a parsed document as a layer, which joins the layers below it by the rule of
// its own language.
func RootLayer(doc *graph.Doc, name string) graph.RootLayer {
	return graph.RootLayer{Doc: doc, Name: name, Rule: frontend.RuleOf(doc.Lang)}
}

// Parse parses a file that the user named, in the language of the options. Warnings go to
// Options.Warn.
func (p *Project) Parse(f *source.File) ([]*graph.Doc, error) { return p.parse(f, p.opts.Lang, nil) }

// parse parses a file in a language; ref is the include that names it, or nil.
func (p *Project) parse(f *source.File, lang string, ref *graph.Ref) ([]*graph.Doc, error) {
	language, err := frontend.For(f, lang)
	if err != nil {
		return nil, err
	}
	o := p.opts.ParseOptions(f.Path)
	if ref != nil {
		o.Included, o.Switch = true, ref.Switch
	}
	docs, findings := p.opts.Cache.Parse(language, f, o)
	var errs []*source.Diagnostic
	told := p.told[f]
	if p.told != nil && len(findings) > 0 {
		p.told[f] = true
	}
	for _, d := range findings {
		d = show.Finding(d, f)
		switch {
		case d.Severity == source.Error:
			errs = append(errs, d)
		case !told:
			p.opts.Warn(d)
		}
	}
	if len(errs) > 0 {
		return nil, source.OneOrMany(errs)
	}
	return docs, nil
}

// Files returns the files that the project has read.
func (p *Project) Files() *load.Files { return p.files }
