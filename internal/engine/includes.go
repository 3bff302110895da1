package engine

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/frontend"
	"github.com/yaytpl/yaytpl/internal/load"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A loader reads the files that documents of a project include.
type loader struct{ *Project }

// Load implements [graph.Loader]: it reads the file that an include names.
func (p loader) Load(ref *graph.Ref, from *graph.Doc) (*graph.Doc, error) {
	base := cmp.Or(from.Base, p.dir)
	f, err := p.openInclude(ref, base)
	if err != nil {
		return nil, unquoted(ref, err)
	}
	lang := ref.Lang
	if _, err := frontend.For(f, lang); err != nil {
		d := *source.AsDiagnostic(err, ref.FileAt, source.BadInclude)
		d.At, d.Code = ref.FileAt, source.BadInclude
		return nil, unquoted(ref, &d)
	}
	in := p.follow(ref, from, f)
	if _, known := frontend.ByEnding(f.Name); lang == "" && !known {
		lang = from.Lang
	}
	docs, err := p.parse(f, lang, ref)
	switch {
	case err != nil:
		return nil, err
	case ref.Choice != nil:
		in.Doc, err = p.choose(docs, f, ref)
		return in.Doc, unquoted(ref, err)
	case len(docs) > 1:
		return nil, unquoted(ref, source.Errorf(ref.FileAt, source.BadInclude, "%s has %d documents; an include needs one", f.Name, len(docs)).
			WithHint("{file: %s, document: 0} takes one of them, {file: %s, document: {kind: Service}} the one that contains the map", ref.File, ref.File))
	case len(docs) == 0:
		return &graph.Doc{File: f, Base: base, Lang: from.Lang}, nil
	}
	in.Doc = docs[0]
	return docs[0], nil
}

// choose returns the document of a file that an include chooses.
//
// Code: missing-include.
func (p loader) choose(docs []*graph.Doc, f *source.File, ref *graph.Ref) (*graph.Doc, error) {
	c := ref.Choice
	if c.Match == nil {
		if c.Number >= len(docs) {
			return nil, source.Errorf(c.At, source.MissingInclude, "%s has no document %d: it has %d, counted from 0", f.Name, c.Number, len(docs))
		}
		return docs[c.Number], nil
	}
	values, err := p.expandedAll(docs, f, ref)
	if err != nil {
		return nil, err
	}
	var found []int
	for i, v := range values {
		missing, err := c.Match.Missing(v, p.streams.charge(p.ctx))
		if err != nil {
			return nil, source.AsDiagnostic(err, c.At, source.BadValue).Located(c.At)
		}
		if missing == nil {
			found = append(found, i)
		}
	}
	switch len(found) {
	case 0:
		return nil, source.Errorf(c.At, source.MissingInclude, "no document of %s contains this map", f.Name)
	case 1:
		return docs[found[0]], nil
	}
	return nil, source.Errorf(c.At, source.MissingInclude, "documents %d and %d of %s both contain this map", found[0], found[1], f.Name).
		WithHint("a map with more keys, or a number, chooses one")
}

// expandedAll returns the documents of a file with their directives applied, once for all includes
// that choose one of them.
func (p loader) expandedAll(docs []*graph.Doc, f *source.File, ref *graph.Ref) ([]value.Value, error) {
	if len(docs) == 0 {
		return nil, nil
	}
	if p.streams == nil {
		p.streams = &streams{left: p.opts.Limits.WithDefaults().Steps, values: map[*graph.Doc][]value.Value{}}
	}
	values, known := p.streams.values[docs[0]]
	switch {
	case known && values == nil:
		return nil, source.Errorf(ref.FileAt, source.RecursiveInclude, "recursive include: %s chooses one of its own documents by a map", f.Name).
			WithHint("choose the document by its number")
	case known:
		return values, nil
	}
	p.streams.values[docs[0]] = nil
	quiet := p.Fork(p.classes)
	quiet.opts.Warn = func(*source.Diagnostic) {}
	quiet.streams = p.streams
	for i, doc := range docs {
		v, err := quiet.Document(i, RootLayer(doc, f.Name)).Expanded()
		if err != nil {
			delete(p.streams.values, docs[0])
			return nil, err
		}
		values = append(values, v)
	}
	p.streams.values[docs[0]] = values
	return values, nil
}

// unquoted returns the error of an include without the name of its file or repository if the
// include is in an encrypted file. Code and place stay. Errors inside of the included file, and
// of decrypting it, stay as they are: that file exists.
//
//	secret.yaml.gpg:1:11: error: the file or repository of this include does not exist; ...
func unquoted(ref *graph.Ref, err error) error {
	if err == nil {
		return nil
	}
	at := ref.FileAt
	var d *source.Diagnostic
	if at.File == nil || !at.File.Secret || !errors.As(err, &d) || d.At.File != nil && d.At.File != at.File {
		return err
	}
	var problem string
	switch d.Code {
	case source.Decryption, source.Timeout:
		return err
	case source.MissingInclude:
		problem = "the file or repository of this include does not exist"
	case source.Forbidden:
		problem = "the file of this include must not be read (--root, --allow-url)"
	case source.Limit:
		problem = "the file of this include exceeds the limits of input (--max-files, --max-bytes)"
	case source.BadInclude:
		problem = "the file of this include does not hold one document"
	default:
		problem = "the file of this include cannot be read"
	}
	return &source.Diagnostic{
		Severity: d.Severity, Code: d.Code, At: d.At, Includes: d.Includes, Within: d.Within,
		Message: problem + "; its name is in an encrypted file and is not shown",
		Hint:    "yaytpl decrypt shows the file",
		Cause:   withoutText(d.Cause),
	}
}

// withoutText returns an error for the cause of a missing file, and nil for other causes: their
// texts have the path.
func withoutText(cause error) error {
	if errors.Is(cause, fs.ErrNotExist) {
		return fs.ErrNotExist
	}
	return nil
}

// An Include is one include that was followed, with the file that holds the directive and the
// file that it names.
type Include struct {
	From, To *source.File
	Key      string     // of the directive
	Doc      *graph.Doc // nil if the file could not be parsed
}

// Includes returns the includes that were followed so far, in order, each directive between two files once.
func (p *Project) Includes() []*Include {
	if p.known == nil {
		p.known = map[Include]*Include{}
	}
	for _, in := range p.followed {
		key := *in
		key.Doc = nil
		known := p.known[key]
		if known == nil {
			known = in
			p.known[key] = in
			p.includes = append(p.includes, in)
		}
		if in.Doc != nil {
			known.Doc = in.Doc
		}
	}
	p.followed = nil
	return p.includes
}

// follow records an include.
func (p *Project) follow(ref *graph.Ref, from *graph.Doc, f *source.File) *Include {
	if len(p.followed) > 1024+2*len(p.includes) {
		p.Includes() // forgets repetitions
	}
	in := &Include{From: from.File, To: f, Key: ref.Key}
	p.followed = append(p.followed, in)
	return in
}

// openInclude opens the file that an include names, relative to base or to a named repository.
func (p *Project) openInclude(ref *graph.Ref, base string) (*source.File, error) {
	if ref.Named != "" {
		dir, ok := p.opts.Load.Repositories[ref.Named]
		if !ok {
			return nil, source.Errorf(ref.FileAt, source.MissingInclude, "unknown repository %q", ref.Named).
				WithHint("--repository %s=DIR sets its directory", ref.Named)
		}
		base = p.files.Absolute(dir)
	}
	f, err := p.openNamed(ref.File, base, ref.FileAt)
	switch {
	case err == nil:
		return f, nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, p.missingFile(ref, base)
	}
	return nil, source.AsDiagnostic(p.files.DidYouMean(err, ref.File, base, ""), ref.FileAt, source.Access).Located(ref.FileAt)
}

// missingFile returns the error of an include of a file that does not exist, with a file of a
// similar name.
func (p *Project) missingFile(ref *graph.Ref, base string) error {
	d := source.Errorf(ref.FileAt, source.MissingInclude, "unable to load document include: %s (base: %s)", load.Quoted(ref.File), load.Quoted(base))
	d.Cause = fs.ErrNotExist
	if ref.Optional {
		return d
	}
	optional := ""
	if strings.HasPrefix(ref.Key, "+") {
		optional = `a "?" after the "+" would make it optional`
	}
	near := ""
	if at := ref.FileAt; at.File == nil || !at.File.Secret {
		near = p.near(ref, base)
	}
	switch {
	case near != "":
		d.WithHint("did you mean %q?", near)
	case optional != "":
		d.WithHint("%s", optional)
	}
	return d
}

// near returns the name of a file that the name of an include may have meant, "" for none.
func (p *Project) near(ref *graph.Ref, base string) string {
	prefix, name, from := "", ref.File, ""
	if ref.FileAt.File != nil {
		from = ref.FileAt.File.Path
	}
	scheme, rest, ok := strings.Cut(name, "://")
	switch {
	case !ok:
	case scheme == "file":
		prefix, name = "file://", rest
	case scheme == "package":
		repository, file, dir, ok := p.inRepository(rest)
		if !ok {
			return ""
		}
		prefix, name, base = "package://"+repository+"/", file, dir
	default:
		return ""
	}
	if near := p.files.Near(name, base, from); near != "" {
		return prefix + near
	}
	return ""
}

// openNamed opens a file that an include names: a file or URL, file://path, home://path below
// the home directory, package://NAME/file below the repository of that name, or mem://NAME, a
// text of the program (spec: yay, section 9).
func (p *Project) openNamed(name, base string, at source.Span) (*source.File, error) {
	by := load.AskerAt(at)
	scheme, rest, ok := strings.Cut(name, "://")
	if !ok {
		return p.files.OpenFor(by, name, base)
	}
	switch scheme {
	case "file":
		if strings.Contains(base, "://") {
			base = "" // also in a document of a server, which has no say in where the files of the machine are
		}
		return p.files.OpenFor(by, rest, base)
	case "home":
		p.files.NoteHome(by)
		home, err := os.UserHomeDir()
		if err != nil {
			return nil, err
		}
		return p.files.OpenFor(by, filepath.Join(home, rest), base)
	case "mem":
		f, ok := p.texts[rest]
		if !ok {
			return nil, fmt.Errorf("%s: %w", name, fs.ErrNotExist)
		}
		return f, nil
	case "package":
		repository, file, dir, ok := p.inRepository(rest)
		if !ok {
			return nil, fmt.Errorf("unknown repository %q (--repository %s=DIR sets its directory): %w", repository, repository, fs.ErrNotExist)
		}
		return p.files.OpenFor(by, file, dir)
	}
	return p.files.OpenFor(by, name, base)
}

// inRepository splits NAME/file and returns the absolute directory of the repository, and false for an unknown one.
func (p *Project) inRepository(path string) (name, file, dir string, ok bool) {
	name, file, _ = strings.Cut(path, "/")
	dir, ok = p.opts.Load.Repositories[name]
	return name, file, p.files.Absolute(dir), ok
}
