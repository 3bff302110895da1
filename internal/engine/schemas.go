package engine

import (
	"cmp"
	"errors"
	"io/fs"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/lazy"
	"github.com/yaytpl/yaytpl/internal/load"
	"github.com/yaytpl/yaytpl/internal/pattern"
	"github.com/yaytpl/yaytpl/internal/schema"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// # JSON Schemas of documents
//
// A document has the schemas that rules name, and those that its files name in a comment (spec: everyday,
// B8):
//
//	# yaml-language-server: $schema=schemas/service.json
//
// A violation is a path in the finished document. Its place is in the layer that sets the value there,
// in whatever file this layer is.

// A SchemaRule names the JSON Schema of some documents.
type SchemaRule struct {
	Schema string // a file, or a URL; relative to Dir
	Files  string // the documents of FILEs that match this pattern, which is relative to Dir; "" for all
	Dir    string // "" is the working directory of the project

	At source.Span // where Schema is written; zero for the command line
}

// maxViolations bounds the violations of one document that are reported.
const maxViolations = 1000

// Validate returns the violations of the schemas of the document by v, its finished value, sorted by place,
// and the errors of schemas that cannot be used. A schema at a URL that may not be read is a finding of
// severity info, if only a comment names it.
//
// The error reports an exceeded limit, or is an error of evaluation.
func (d *Document) Validate(v value.Value) ([]*source.Diagnostic, error) {
	e, err := d.Eval()
	if err != nil {
		return nil, err
	}
	var found []*source.Diagnostic
	uses, err := d.schemaUses()
	if err != nil {
		return nil, err
	}
	for _, use := range uses {
		s, err := d.project.openSchema(use, e.Step)
		switch {
		case errors.Is(err, source.ErrLimit):
			return found, locatedAt(d.content(e), err)
		case err != nil:
			found = append(found, use.failed(err)...)
			continue
		}
		more, err := d.violations(e, s, v)
		if found = append(found, more...); err != nil {
			return found, locatedAt(d.content(e), err)
		}
	}
	return found, nil
}

// content returns the place of the whole document, or if it is empty the beginning of its newest file.
func (d *Document) content(e *graph.Eval) source.Span {
	if at, _ := place(e, nil, false); !at.IsZero() {
		return at
	}
	for _, l := range slices.Backward(d.layers) {
		if l.Doc.File != nil {
			return l.Doc.File.Span(0, 0)
		}
	}
	return source.Span{}
}

// locatedAt returns an error with a place, unless it has one.
func locatedAt(at source.Span, err error) error {
	var d *source.Diagnostic
	if errors.As(err, &d) && error(d) == err {
		return d.Located(at)
	}
	return err
}

// violations returns the violations of one schema.
func (d *Document) violations(e *graph.Eval, s *schema.Schema, v value.Value) ([]*source.Diagnostic, error) {
	var found []*source.Diagnostic
	err := s.Validate(v, func(x schema.Violation) bool {
		at, includes := place(e, x.Path, x.Key)
		if at.IsZero() && len(x.Path) == 0 {
			at = d.content(e)
		}
		if at.File != nil && hasMarks(v, x.Path) {
			at.File = at.File.Hidden()
		}
		f := source.Errorf(at, source.Schema, "%s", x.Message)
		f.Hint, f.Includes = x.Hint, includes
		if of := x.Place(); !of.IsZero() {
			f.Note(of, "the schema")
		}
		found = append(found, f)
		return len(found) < maxViolations
	})
	if len(found) == maxViolations {
		found[maxViolations-1].Note(source.Span{}, "there may be more: only the first %d are reported", maxViolations)
	}
	slices.SortStableFunc(found, func(a, b *source.Diagnostic) int {
		if a.At.IsZero() || b.At.IsZero() {
			return 0
		}
		return cmp.Or(cmp.Compare(a.At.File.Name, b.At.File.Name), cmp.Compare(a.At.Start, b.At.Start))
	})
	return found, err
}

// hasMarks reports whether a value at a path, or one around it, is secret.
func hasMarks(v value.Value, path value.Path) bool {
	for _, k := range path {
		if v.Marks() != 0 {
			return true
		}
		var err error
		switch v.Kind() {
		case value.MapKind:
			v, _, err = v.Map().Get(k)
		case value.ListKind:
			i, _ := strconv.Atoi(k.Text)
			v, err = v.List().At(i)
		}
		if err != nil {
			return true
		}
	}
	return v.Marks() != 0
}

// A schemaUse is a schema that a document has.
type schemaUse struct {
	name    string
	base    string      // the directory of a relative name
	at      source.Span // of the name; zero for the command line
	comment bool        // it is in a comment
}

// failed returns the findings about a schema that cannot be read.
func (u schemaUse) failed(err error) []*source.Diagnostic {
	all := source.Findings(err)
	for i, d := range all {
		if d = d.Located(u.at); u.comment && d.Code == source.Forbidden && strings.Contains(u.name, "://") {
			told := *d
			told.Severity = source.Info
			d = &told
		}
		all[i] = d
	}
	return all
}

// schemaUses returns the schemas of the document, each once: first from rules, then from comments.
func (d *Document) schemaUses() ([]schemaUse, error) {
	p := d.project
	var uses []schemaUse
	add := func(u schemaUse) {
		if !slices.ContainsFunc(uses, func(o schemaUse) bool { return o.name == u.name && o.base == u.base }) {
			uses = append(uses, u)
		}
	}
	var files []string
	for _, l := range d.layers {
		if l.Doc.File != nil && l.Doc.File.Path != "" {
			files = append(files, l.Doc.File.Path)
		}
	}
	for _, r := range p.opts.Schemas {
		dir := p.files.Absolute(r.Dir)
		applies, err := r.isFor(dir, files)
		if err != nil {
			return nil, err
		}
		if applies {
			base := dir
			if dir == p.files.Absolute("") {
				base = "" // as a FILE, which may be a pipe
			}
			add(schemaUse{name: r.Schema, base: base, at: r.At})
		}
	}
	for _, l := range d.layers {
		if at, ok := modeline(l.Doc); ok {
			add(schemaUse{name: at.Text(), base: p.Directory(l.Doc.File), at: at, comment: true})
		}
	}
	return uses, nil
}

// isFor reports whether a rule is for a document of these files. The directory and the files are
// absolute.
//
// Code: bad-value.
func (r SchemaRule) isFor(dir string, files []string) (bool, error) {
	if r.Files == "" {
		return true, nil
	}
	p, err := pattern.Parse(r.Files)
	if err != nil {
		return false, source.Errorf(source.Span{}, source.BadValue, "%q is no pattern of files: %v", r.Files, err)
	}
	below := Settings{Dir: dir}
	return slices.ContainsFunc(files, func(file string) bool {
		name, ok := below.below(file)
		return ok && p.Match(name)
	}), nil
}

// ofSchema matches a comment that names a schema.
var ofSchema = lazy.Regexp{Text: `^[ \t]*#[ \t]*yaml-language-server[ \t]*:.*\$schema=(\S+)`}

// modeline returns the name of a schema in the comments above the content of a document.
func modeline(doc *graph.Doc) (source.Span, bool) {
	if doc.File == nil || doc.Root == nil || doc.Root.Span().File != doc.File {
		return source.Span{}, false
	}
	end := strings.LastIndexByte(doc.File.Text[:doc.Root.Span().Start], '\n') + 1
	for markers := 0; end > 0 && markers < 2; {
		start := strings.LastIndexByte(doc.File.Text[:end-1], '\n') + 1
		line := doc.File.Text[start:end]
		switch text := strings.TrimSpace(strings.TrimPrefix(line, "\uFEFF")); {
		case strings.HasPrefix(text, "---"):
			markers++
		case text != "" && text[0] != '#' && text[0] != '%':
			return source.Span{}, false
		}
		if m := ofSchema.Get().FindStringSubmatchIndex(line); m != nil {
			return doc.File.Span(start+m[2], start+m[3]), true
		}
		end = start
	}
	return source.Span{}, false
}

// openSchema reads a schema, once for a project. Projects that share files share it.
//
// Codes: the codes of reading and parsing, bad-value for a bad schema, limit.
func (p *Project) openSchema(u schemaUse, step func(n int) error) (*schema.Schema, error) {
	key := schemaUse{name: u.name, base: u.base}
	if s := p.schemas[key]; s != nil {
		return s.Charging(step), nil
	}
	f, err := p.files.OpenFor(load.AskerAt(u.at), u.name, u.base)
	if err != nil {
		return nil, p.files.DidYouMean(err, u.name, u.base, "")
	}
	s := p.opts.Share.schema(f)
	switch {
	case s == nil || !p.readsSame(s):
		if s, err = p.compileSchema(f, step); err != nil {
			return nil, err
		}
		p.opts.Share.keepSchema(f, s)
	default:
		if err := step(s.steps); err != nil {
			return nil, err
		}
	}
	if p.schemas == nil {
		p.schemas = map[schemaUse]*schema.Schema{}
	}
	p.schemas[key] = s.compiled
	return s.compiled.Charging(step), nil
}

// An openedSchema is a schema with what was read for it.
type openedSchema struct {
	compiled *schema.Schema
	refs     []schemaRef
	steps    int // of compiling it
}

// A schemaRef is a reference to another file, and the file.
type schemaRef struct {
	ref, uri, dir string
	at            source.Span
	file          *source.File
}

// readsSame reports whether the references of a schema still name the same files. The project has
// read these files then as if it had compiled the schema itself.
func (p *Project) readsSame(s *openedSchema) bool {
	for _, r := range s.refs {
		if f, err := p.openReferred(r.ref, r.uri, r.dir, r.at); err != nil || f != r.file {
			return false
		}
	}
	return true
}

// compileSchema reads a schema that begins in a file.
func (p *Project) compileSchema(f *source.File, step func(n int) error) (*openedSchema, error) {
	first, err := schemaDocument(f)
	if err != nil {
		return nil, err
	}
	s := &openedSchema{}
	files := map[*schema.Document]*source.File{first: f}
	open := func(ref, uri string, at source.Span, from *schema.Document) (*schema.Document, error) {
		dir := p.Directory(files[from])
		f, err := p.openReferred(ref, uri, dir, at)
		if err != nil {
			return nil, err
		}
		d, err := schemaDocument(f)
		if err == nil {
			files[d] = f
			s.refs = append(s.refs, schemaRef{ref, uri, dir, at, f})
		}
		return d, err
	}
	charge := func(n int) error {
		s.steps += n
		return step(n)
	}
	if s.compiled, err = schema.Compile(first, schema.Options{Open: open, Charge: charge}); err != nil {
		return nil, err
	}
	s.compiled = s.compiled.Charging(nil)
	return s, nil
}

// openReferred opens the file of a reference. A relative one is a file next to the file with the reference,
// even if that file gives itself a URL (with $id). The URL is used only if there is no such file.
func (p *Project) openReferred(ref, uri, dir string, at source.Span) (*source.File, error) {
	by := load.AskerAt(at)
	if strings.Contains(ref, "://") {
		return p.files.OpenFor(by, ref, dir)
	}
	name, err := url.PathUnescape(ref)
	if err != nil {
		name = ref
	}
	f, err := p.files.OpenFor(by, name, dir)
	if errors.Is(err, fs.ErrNotExist) && strings.HasPrefix(uri, "http") {
		return p.files.OpenFor(by, uri, dir)
	}
	return f, p.files.DidYouMean(err, name, dir, "")
}

// schemaDocument parses a file as a schema.
func schemaDocument(f *source.File) (*schema.Document, error) {
	docs, findings := yaml.ParserFor(f)(f, yaml.ParseOptions{NoTemplates: true})
	if d := source.FirstError(findings); d != nil {
		return nil, d
	}
	if len(docs) != 1 || docs[0].Root == nil {
		return nil, source.Errorf(f.Span(0, 0), source.BadDocument, "a schema is one document")
	}
	data, err := docs[0].Root.ToValue()
	if err != nil {
		return nil, err
	}
	d := &schema.Document{Data: data, URI: f.Path, Place: func(path value.Path) source.Span { return placeIn(docs[0].Root, path) }}
	if !strings.Contains(f.Path, "://") {
		d.URI = (&url.URL{Scheme: "file", Path: filepath.ToSlash(f.Path)}).String()
	}
	return d, nil
}

// placeIn returns the place of a part of a tree: of a scalar, or of the key of a list or map.
func placeIn(n *yaml.Node, path value.Path) source.Span {
	at := n.At
	for _, k := range path {
		if n.Target != nil {
			n = n.Target
		}
		var next *yaml.Node
		for i := range n.Entries {
			if e := &n.Entries[i]; e.Key.Text == k.Text {
				next, at = e.Value, e.KeyAt
			}
		}
		if i, err := strconv.Atoi(k.Text); n.Kind == yaml.SeqNode && err == nil && i < len(n.Items) {
			next, at = n.Items[i], n.Items[i].At
		}
		if next == nil {
			break
		}
		n = next
	}
	if n.Kind == yaml.ScalarNode {
		return n.At
	}
	return at
}
