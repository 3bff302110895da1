package yaytpl

import (
	"errors"
	"io/fs"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/frontend"
	"github.com/yaytpl/yaytpl/source"
)

// A loader finds what documents of a project include.
type loader struct{ *Project }

// Load implements [graph.Loader]: it reads the file that an include names.
func (p loader) Load(ref *graph.Ref, from *graph.Doc) (*graph.Doc, error) {
	base := from.Base
	if base == "" {
		base = p.dir
	}
	f, err := p.openInclude(ref, base)
	if err != nil {
		return nil, err
	}
	in := p.follow(ref, from, f)
	lang := ref.Lang
	if _, known := frontend.ByEnding(f.Name); lang == "" && !known {
		lang = from.Lang
	}
	docs, err := p.parse(f, lang, ref)
	switch {
	case err != nil:
		return nil, err
	case len(docs) > 1:
		return nil, source.Errorf(ref.FileAt, source.BadInclude, "%s holds %d documents; an include needs one", f.Name, len(docs))
	case len(docs) == 0:
		return &graph.Doc{File: f, Base: base, Lang: from.Lang}, nil
	}
	in.doc = docs[0]
	return docs[0], nil
}

// A loaded is one include that was followed.
type loaded struct {
	from, to *source.File
	key      string
	doc      *graph.Doc // nil if the file could not be parsed
}

// follow remembers an include, each way between two files once.
func (p *Project) follow(ref *graph.Ref, from *graph.Doc, f *source.File) *loaded {
	way := loaded{from: from.File, to: f, key: ref.Key}
	if in := p.known[way]; in != nil {
		return in
	}
	if p.known == nil {
		p.known = map[loaded]*loaded{}
	}
	in := way
	p.known[way] = &in
	p.loads = append(p.loads, &in)
	return &in
}

func (p *Project) openInclude(ref *graph.Ref, base string) (*source.File, error) {
	if ref.Named != "" {
		dir, ok := p.opts.Repositories[ref.Named]
		if !ok {
			return nil, source.Errorf(ref.FileAt, source.MissingInclude, "no repository %q", ref.Named).
				WithHint("--repository %s=DIR says where it is", ref.Named)
		}
		base = p.files.Absolute(dir)
	}
	f, err := p.openNamed(ref.File, base)
	switch {
	case err == nil:
		return f, nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, source.Errorf(ref.FileAt, source.MissingInclude, "unable to load document include: %s (base: %s)", ref.File, base)
	}
	return nil, source.AsDiagnostic(err, ref.FileAt, source.Access).Located(ref.FileAt)
}
