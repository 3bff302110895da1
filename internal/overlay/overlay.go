// Package overlay holds unsaved texts of files: it reads files, patches their texts, opens these
// as a project, and saves them, all or none.
//
//	file --File--> Overlay --Write(Edits)--> Texts --Open--> engine.Project
//	                  ^                        |
//	                  '-------- Accept --------'          Save --> files
//
// An [Overlay] has one file that the user named, and reads others when edits reach them. A
// write makes new [Texts] and changes nothing: the caller opens them, looks at the documents
// and accepts the texts, or tries other edits. Files are only written by [Save].
//
// Read overlay.go, then patch.go (the changed part of a text), readers.go (a second reader of it), plain.go (documents without directives),
// dotenv.go (edits of .env files) and file.go (files on disk).
package overlay

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
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

// An Overlay is a set of files with unsaved texts.
type Overlay struct {
	// Name, Path and Lang belong to the file that the user named.
	Name, Path, Lang string

	ctx    context.Context
	opts   engine.Options
	loader *load.Files

	files  map[string]*File           // by path: files that were opened for editing
	texts  map[string]string          // by path: texts that differ from the files
	parsed map[string]*roundtrip.Text // by path: trees of the texts
	reals  map[string]string          // by path: the path with links followed
	opened *engine.Project            // the files with these texts, nil if not opened yet
}

// New returns an overlay without edits. It reads the file that the user named.
//
// Codes: usage for an unknown language, the codes of [Open].
func New(ctx context.Context, name string, o engine.Options) (*Overlay, error) {
	x := &Overlay{
		Name: name, Path: name, ctx: ctx, opts: o, loader: o.Files(),
		files: map[string]*File{}, texts: map[string]string{}, parsed: map[string]*roundtrip.Text{}, reals: map[string]string{},
	}
	x.opts.Alone = o.IsAlone()
	x.opts.Cache = frontend.NewSharedCache() // for all projects that are opened with the texts
	language, err := frontend.For(&source.File{Name: name}, o.Lang)
	if err != nil {
		return nil, err
	}
	if x.Lang = language.Name; x.Lang == frontend.Bindings {
		return nil, source.Refuse(source.Span{}, source.NoSpelling, "%s has bindings in the notation of .pp, which is not edited", name).
			WithHint("yaytpl lookup --explain %s KEY names the line to change", name)
	}
	if name != "-" {
		x.Path = x.loader.Absolute(name)
	}
	_, err = x.File(x.Path, name)
	return x, err
}

// Err returns the error of the context, nil while it is not done.
func (x *Overlay) Err() error { return x.ctx.Err() }

// Options returns the options that projects are opened with.
func (x *Overlay) Options() engine.Options { return x.opts }

// File returns the file at a path, read when it is first edited; messages call it name.
func (x *Overlay) File(path, name string) (*File, error) {
	if f := x.files[path]; f != nil {
		return f, nil
	}
	f, err := Open(x.ctx, x.loader, name, x.opts)
	if err == nil {
		x.files[path] = f
	}
	return f, err
}

// Files returns the named file and those with other texts now, by path, each with its text.
func (x *Overlay) Files() []*File {
	var files []*File
	for _, path := range slices.Sorted(maps.Keys(x.files)) {
		f := x.files[path]
		f.Text = x.Source(path).Text
		switch {
		case path == x.Path:
			files = slices.Insert(files, 0, f)
		case f.Changed():
			files = append(files, f)
		}
	}
	return files
}

// Source returns the current text of a file that was opened by [Overlay.File].
func (x *Overlay) Source(path string) *source.File { return x.source(path, x.texts) }

// source returns a file with its text in texts, or else the text on disk.
func (x *Overlay) source(path string, texts map[string]string) *source.File {
	f := x.files[path]
	text, ok := texts[path]
	if !ok {
		text = f.Old
	}
	return &source.File{Name: f.Name, Text: text, Secret: f.Encrypted()}
}

// Known returns the path under which a file is edited: through links a file may have several.
func (x *Overlay) Known(path string) string {
	if x.files[path] != nil {
		return path
	}
	for other := range x.files {
		if x.real(other) == x.real(path) {
			return other
		}
	}
	return path
}

// real returns a path with links followed.
func (x *Overlay) real(path string) string {
	real, ok := x.reals[path]
	if !ok {
		real = path
		if followed, err := filepath.EvalSymlinks(path); err == nil {
			real = followed
		}
		x.reals[path] = real
	}
	return real
}

// Project returns the files with their current texts as a project. It stays open until other
// texts are accepted.
func (x *Overlay) Project() (*engine.Project, error) {
	if x.opened == nil {
		p, err := x.open(x.texts, x.opts.Warn)
		if err != nil {
			return nil, err
		}
		x.opened = p
	}
	return x.opened, nil
}

// Open opens the files as if they had the texts of t, without warnings.
func (x *Overlay) Open(t Texts) (*engine.Project, error) { return x.open(t.byPath, nil) }

// open opens the named file with these texts in place of files.
func (x *Overlay) open(texts map[string]string, warn func(*source.Diagnostic)) (*engine.Project, error) {
	o := x.overlaid(texts)
	o.Warn = warn
	return engine.Open(x.ctx, []string{x.Name}, o)
}

// Expanded returns the document with its directives applied, with a new count of steps: a
// long list of edits asks many questions of one project.
func Expanded(d *engine.Document) (value.Value, error) {
	d.Begin()
	return d.Expanded()
}

// OpenPure opens the files with their current texts without any permission to act outside of
// the process: values that need a program, a URL or a written file fail.
func (x *Overlay) OpenPure() (*engine.Project, error) {
	o := x.overlaid(x.texts)
	o.Warn = nil
	o.Load.AllowURL, o.Load.AllowExec, o.Load.AllowWrite = false, false, nil
	return engine.Open(x.ctx, []string{x.Name}, o)
}

// overlaid returns the options with which files have these texts. A file that was read under
// other names, through links, has its text under these as well.
func (x *Overlay) overlaid(texts map[string]string) engine.Options {
	o := x.opts
	o.Load.Overlay = maps.Clone(o.Load.Overlay)
	if o.Load.Overlay == nil {
		o.Load.Overlay = map[string]string{}
	}
	maps.Copy(o.Load.Overlay, texts)
	if x.opened != nil && len(texts) > 0 {
		byReal := map[string]string{}
		for path, text := range texts {
			byReal[x.real(path)] = text
		}
		for _, in := range x.opened.Includes() {
			path := in.To.Path
			if text, ok := byReal[x.real(path)]; ok && path != "" {
				o.Load.Overlay[path] = text
			}
		}
	}
	main := x.source(x.Path, texts).Text
	if x.Name == "-" {
		o.Load.Stdin = strings.NewReader(main)
	} else {
		o.Load.Overlay[x.Path] = main
	}
	return o
}

// An Edit is an edit of one document of a file, in terms of the text of the file.
type Edit struct {
	Path string // of the file
	Lang string
	Doc  int
	Edit roundtrip.Edit
	At   source.Span // in a Yay file: the value; the path of Edit does not count
}

// IsAt reports whether two edits are of one place. One statement of Yay may make the values of several
// paths, such as a statement in a loop.
func (e Edit) IsAt(other Edit) bool {
	return e.Path == other.Path && e.Doc == other.Doc && e.Lang == other.Lang &&
		(e.Lang == frontend.Yay || slices.Equal(e.Edit.Path, other.Edit.Path)) &&
		e.At.Start == other.At.Start && e.At.End == other.At.End
}

// IsSame reports whether two edits are of one place and make the same of it.
func (e Edit) IsSame(other Edit) bool {
	return e.IsAt(other) && e.Edit.Op == other.Edit.Op && e.Edit.Key == other.Edit.Key && value.IsSame(e.Edit.Value, other.Edit.Value)
}

// Edits are edits of one or several files, to be made together.
type Edits []Edit

// Texts are the texts of files after edits.
type Texts struct {
	Warnings []*source.Diagnostic // of package roundtrip, such as about comments that move

	byPath  map[string]string            // texts that differ from the files
	entries map[string][]roundtrip.Entry // by path: the changed entries of large texts
}

// Write applies edits to the current texts and returns the new ones. Each edit applies to the
// result of the edits before it.
//
// Codes: the codes of [roundtrip.Text.Apply] and of the edits of package yay; the cause of a refusal is
// a [*source.Refusal].
func (x *Overlay) Write(edits Edits) (Texts, error) {
	return x.WriteOn(x.Patched(nil), edits)
}

// Patched returns the current texts with patches of files, by path. The patches of a file are in
// its current text, in order, and do not overlap.
func (x *Overlay) Patched(patches map[string][]source.Edit) Texts {
	t := Texts{byPath: maps.Clone(x.texts)}
	for path, edits := range patches {
		text, end := x.Source(path).Text, uint32(0)
		var b strings.Builder
		for _, e := range edits {
			b.WriteString(text[end:e.At.Start])
			b.WriteString(e.NewText)
			end = e.At.End
		}
		t.byPath[path] = b.String() + text[end:]
	}
	return t
}

// WriteOn is [Overlay.Write] for texts that are not accepted.
func (x *Overlay) WriteOn(t Texts, edits Edits) (Texts, error) {
	t.byPath, t.entries = maps.Clone(t.byPath), map[string][]roundtrip.Entry{}
	for _, group := range edits.grouped() {
		if err := x.patch(group, &t); err != nil {
			return t, err
		}
	}
	return t, nil
}

// Comment replaces comments of one document of a file in the current texts, and returns the
// numbers of the edits that have no place.
func (x *Overlay) Comment(path, lang string, doc int, edits []roundtrip.CommentEdit) (Texts, []int, error) {
	t := Texts{byPath: maps.Clone(x.texts)}
	tree, err := x.tree(path, lang, x.Source(path))
	if err != nil {
		return t, nil, err
	}
	var refused []int
	t.byPath[path], refused = tree.Comment(doc, edits)
	return t, refused, nil
}

// grouped collects the edits of each document. Each edit of a Yay file is a group of its own,
// the last of the text first, so that the places of the others stay valid. One that is there
// twice, for two items that a loop makes, is made once.
func (edits Edits) grouped() []Edits {
	var groups, yays []Edits
	type document struct {
		path string
		doc  int
	}
	known := map[document]int{}
	for _, e := range edits {
		key := document{e.Path, e.Doc}
		i, ok := known[key]
		switch {
		case e.Lang == frontend.Yay:
			yays = append(yays, Edits{e})
		case ok:
			groups[i] = append(groups[i], e)
		default:
			known[key] = len(groups)
			groups = append(groups, Edits{e})
		}
	}
	slices.SortStableFunc(yays, func(a, b Edits) int { return int(b[0].At.Start) - int(a[0].At.Start) })
	yays = slices.CompactFunc(yays, func(a, b Edits) bool { return a[0].IsSame(b[0]) })
	return append(groups, yays...)
}

// patch applies the edits of one document to t.
func (x *Overlay) patch(group Edits, t *Texts) error {
	first := group[0]
	f := x.source(first.Path, t.byPath)
	if first.Lang == frontend.Yay {
		text, err := x.patchYay(first, f)
		t.byPath[first.Path] = text
		return err
	}
	edits := make([]roundtrip.Edit, len(group))
	for i, e := range group {
		edits[i] = e.Edit
	}
	if first.Lang == frontend.Env {
		text, err := patchEnv(edits, f, x.parseOptions(first.Path))
		t.byPath[first.Path] = text
		return err
	}
	tree, err := x.tree(first.Path, first.Lang, f)
	if err != nil {
		return err
	}
	r, err := tree.Apply(first.Doc, edits)
	t.byPath[first.Path] = r.Text
	t.entries[first.Path] = append(t.entries[first.Path], r.Entries...)
	t.Warnings = append(t.Warnings, r.Warnings...)
	return err
}

// KeyInYay returns the place of the key of a value in the current text of a Yay file, as [yay.KeyOf] does.
func (x *Overlay) KeyInYay(path, key string, at source.Span) (source.Span, bool) {
	return yay.KeyOf(x.Source(path), key, at, yay.Options{YAMLScalars: x.opts.Parse.YAMLScalars})
}

// patchYay sets or deletes a value of a Yay file.
func (x *Overlay) patchYay(e Edit, f *source.File) (string, error) {
	o := yay.Options{YAMLScalars: x.opts.Parse.YAMLScalars}
	at := f.Span(int(e.At.Start), int(e.At.End))
	text, err := "", error(OnlyLiterals(at, f.Name))
	switch e.Edit.Op {
	case roundtrip.Set:
		text, err = yay.SetLiteral(f, at, e.Edit.Value, o)
	case roundtrip.Delete:
		text, err = yay.DeleteStatement(f, at, o)
	case roundtrip.Rename:
		return f.Text[:e.At.Start] + e.Edit.Key.Text + f.Text[e.At.End:], nil
	}
	var d *source.Diagnostic
	if errors.As(err, &d) && d.Code == source.NotFound { // a mapping or list with lines of its own, for example
		return "", OnlyLiterals(at, f.Name)
	}
	return text, err
}

// OnlyLiterals returns the error of an edit that is impossible in a Yay file.
//
// Code: output.
func OnlyLiterals(at source.Span, name string) *source.Diagnostic {
	return source.Refuse(at, source.NotVerified, "in Yay only plain values can be set and deleted").
		WithHint("edit %s by hand", name)
}

// NoPrograms returns the error of an edit of a program of the mgmt language: what it yields is computed
// (spec: mcl, section 11).
//
// Code: output.
func NoPrograms(at source.Span) *source.Diagnostic {
	return source.Refuse(at, source.ResultOfExpr, "a program computes its resources: edits do not change it").
		WithHint("edit %s by hand; yaytpl explain says which line a value comes from", at.File.Name)
}

// noDataEdits returns the error of an edit of a file that is only read.
//
// Code: output.
func noDataEdits(f *source.File, lang string) *source.Diagnostic {
	return source.Refuse(f.Span(0, 0), source.NotVerified, "%s is written in the language %s, which is read and not edited", f.Name, lang).
		WithHint("edit %s by hand, or put the value into a YAML file above it", f.Name)
}

// Accept makes t the current texts. p is the project that they were opened as, or nil.
func (x *Overlay) Accept(t Texts, p *engine.Project) {
	x.texts, x.opened = t.byPath, p
	clear(x.parsed)
}

// Close forgets the open project, which frees its memory while texts are parsed.
func (x *Overlay) Close() { x.opened = nil }

// Parse returns the trees of the documents of a file with its current text.
//
// Codes: the codes of parsing.
func (x *Overlay) Parse(path, lang string) ([]*yaml.Document, error) {
	t, err := x.tree(path, lang, x.Source(path))
	if err != nil {
		return nil, err
	}
	x.parsed[path] = t
	return t.Docs, nil
}

// tree parses a text, or returns its tree if it was parsed before.
func (x *Overlay) tree(path, lang string, f *source.File) (*roundtrip.Text, error) {
	if t := x.parsed[path]; t != nil && t.File.Text == f.Text {
		return t, nil
	}
	switch lang {
	case frontend.MCL:
		return nil, NoPrograms(f.Span(0, 0))
	case frontend.Env:
		root, err := envRoot(f, x.parseOptions(path))
		if err != nil {
			return nil, err
		}
		return &roundtrip.Text{File: f, Docs: []*yaml.Document{{Root: root, At: root.At}}}, nil
	}
	if l, err := frontend.For(f, lang); err != nil || l.ReadOnly {
		return nil, noDataEdits(f, lang)
	}
	return roundtrip.Parse(f, roundtrip.Syntax{JSON: lang == frontend.JSON, Options: x.parseOptions(path)})
}

func (x *Overlay) parseOptions(path string) yaml.ParseOptions {
	return yaml.ParseOptions{Lenient: x.opts.Parse.Lenient, NoTemplates: x.opts.ParseOptions(path).NoTemplates}
}
