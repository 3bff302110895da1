package yaytpl

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/frontend"
	"github.com/yaytpl/yaytpl/internal/load"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/lang/yay"
	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// An editing is the edits of a file under way: the texts of the files that they
// change.
type editing struct {
	ctx    context.Context
	name   string // of the file that the user named
	path   string // of the same file
	lang   string // of the same file
	opts   engine.Options
	eo     EditOptions
	loader *load.Files

	files    map[string]*EditedFile     // by path: those that may be written
	texts    map[string]string          // by path: those that changed so far
	parsed   map[string]*roundtrip.Text // by path: texts as they are written
	reals    map[string]string          // by path: with links followed
	opened   *engine.Project            // the files with these texts, nil if not opened yet
	others   []value.Change
	warnings []*source.Diagnostic
}

func newEditing(ctx context.Context, name string, o engine.Options, eo EditOptions) (*editing, error) {
	x := &editing{
		ctx: ctx, name: name, path: name, opts: o, eo: eo, loader: o.Files(),
		files: map[string]*EditedFile{}, texts: map[string]string{}, parsed: map[string]*roundtrip.Text{}, reals: map[string]string{},
	}
	x.opts.Cache = frontend.NewSharedCache()
	language, err := frontend.For(&source.File{Name: name}, o.Lang)
	if err != nil {
		return nil, err
	}
	x.lang = language.Name
	if name != "-" {
		x.path = x.loader.Absolute(name)
	}
	_, err = x.file(x.path, name)
	return x, err
}

// file returns a file that is to be edited, by its path and the name that messages call
// it.
func (x *editing) file(path, name string) (*EditedFile, error) {
	if f := x.files[path]; f != nil {
		return f, nil
	}
	f, err := openForEdit(x.ctx, x.loader, name, x.opts)
	if err == nil {
		x.files[path] = f
	}
	return f, err
}

// source returns the text so far of a file that is to be edited.
func (x *editing) source(path string, texts map[string]string) *source.File {
	f := x.files[path]
	text, ok := texts[path]
	if !ok {
		text = f.Old
	}
	return &source.File{Name: f.Name, Text: text, Secret: f.Encrypted()}
}

// project returns the files with their texts so far.
func (x *editing) project() (*engine.Project, error) {
	if x.opened == nil {
		p, err := x.open(x.texts, x.opts.Warn)
		if err != nil {
			return nil, err
		}
		x.opened = p
	}
	return x.opened, nil
}

// open returns the files as if they had these texts.
func (x *editing) open(texts map[string]string, warn func(*source.Diagnostic)) (*engine.Project, error) {
	o := x.overlaid(texts)
	o.Warn = warn
	return engine.Open(x.ctx, []string{x.name}, o)
}

// overlaid returns the options with which files have these texts.
func (x *editing) overlaid(texts map[string]string) engine.Options {
	o := x.opts
	o.Load.Overlay = maps.Clone(o.Load.Overlay)
	if o.Load.Overlay == nil {
		o.Load.Overlay = map[string]string{}
	}
	maps.Copy(o.Load.Overlay, texts)
	x.overlayNames(o.Load.Overlay, texts)
	main := x.source(x.path, texts).Text
	if x.name == "-" {
		o.Load.Stdin = strings.NewReader(main)
	} else {
		o.Load.Overlay[x.path] = main
	}
	return o
}

// edited returns what the edits came to.
func (x *editing) edited() *Edited {
	e := &Edited{Others: x.others, Warnings: x.warnings}
	for _, path := range slices.Sorted(maps.Keys(x.files)) {
		f := x.files[path]
		f.Text = x.source(path, x.texts).Text
		switch {
		case path == x.path:
			e.Files = slices.Insert(e.Files, 0, f)
		case f.Changed():
			e.Files = append(e.Files, f)
		}
	}
	return e
}

// A fileEdit is an edit of one document of a file, as the file has it.
type fileEdit struct {
	path string // of the file
	lang string
	doc  int
	edit roundtrip.Edit
	at   source.Span // in a Yay file: the value; the path does not count
}

// A way is edits of files that may come to what an edit asks for.
type way []fileEdit

// A rewritten is texts with what somebody should know about how they were written.
type rewritten struct {
	texts    map[string]string // by path: those that changed
	warnings []*source.Diagnostic
}

// write makes edits in the texts so far. Each works on what those before it have made.
func (x *editing) write(edits way) (rewritten, error) {
	w := rewritten{texts: maps.Clone(x.texts)}
	for _, group := range edits.grouped() {
		if err := x.patch(group, &w); err != nil {
			return w, err
		}
	}
	return w, nil
}

// grouped puts those edits together that are of one document. Each of a Yay file stands
// alone, the last in the text first, so that the places of the others stay as they are.
func (w way) grouped() []way {
	var groups, yays []way
	type document struct {
		path string
		doc  int
	}
	known := map[document]int{}
	for _, e := range w {
		key := document{e.path, e.doc}
		i, ok := known[key]
		switch {
		case e.lang == yay.Language:
			yays = append(yays, way{e})
		case ok:
			groups[i] = append(groups[i], e)
		default:
			known[key] = len(groups)
			groups = append(groups, way{e})
		}
	}
	slices.SortStableFunc(yays, func(a, b way) int { return int(b[0].at.Start) - int(a[0].at.Start) })
	return append(groups, yays...)
}

// patch makes edits of one document.
func (x *editing) patch(group way, w *rewritten) error {
	first := group[0]
	f := x.source(first.path, w.texts)
	if first.lang == yay.Language {
		text, err := x.patchYay(first, f)
		w.texts[first.path] = text
		return err
	}
	edits := make([]roundtrip.Edit, len(group))
	for i, e := range group {
		edits[i] = e.edit
	}
	t, err := x.parseText(first.path, first.lang, f)
	if err != nil {
		return err
	}
	r, err := t.Apply(first.doc, edits)
	w.texts[first.path] = r.Text
	w.warnings = append(w.warnings, r.Warnings...)
	return err
}

// patchYay sets or deletes a value of a Yay file.
func (x *editing) patchYay(e fileEdit, f *source.File) (string, error) {
	o := yay.Options{YAMLScalars: x.opts.Parse.YAMLScalars}
	at := f.Span(int(e.at.Start), int(e.at.End))
	switch e.edit.Op {
	case roundtrip.Set:
		return yay.SetLiteral(f, at, e.edit.Value, o)
	case roundtrip.Delete:
		return yay.DeleteStatement(f, at, o)
	}
	return "", onlyLiterals(at, f.Name)
}

// accept takes texts, which p, if it is not nil, was opened with.
func (x *editing) accept(w rewritten, p *engine.Project) {
	x.texts, x.opened = w.texts, p
	clear(x.parsed)
	x.warnings = append(x.warnings, w.warnings...)
}

// parseText returns a text of a file as it is written, which may have been read before.
func (x *editing) parseText(path, lang string, f *source.File) (*roundtrip.Text, error) {
	if t := x.parsed[path]; t != nil && t.File.Text == f.Text {
		return t, nil
	}
	return roundtrip.Parse(f, roundtrip.Syntax{
		JSON:    lang == frontend.JSON,
		Options: yaml.ParseOptions{Lenient: x.opts.Parse.Lenient, NoTemplates: x.opts.Parse.NoTemplates},
	})
}
