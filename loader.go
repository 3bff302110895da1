package yaytpl

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

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
		return nil, missingFile(ref, base)
	}
	return nil, source.AsDiagnostic(err, ref.FileAt, source.Access).Located(ref.FileAt)
}

// missingFile is the finding of an include of what is not there.
func missingFile(ref *graph.Ref, base string) error {
	d := source.Errorf(ref.FileAt, source.MissingInclude, "unable to load document include: %s (base: %s)", ref.File, base)
	if strings.HasPrefix(ref.Key, "+") && !ref.Optional {
		d.WithHint(`a "?" after the "+" would make it optional`)
	}
	return d
}

// openNamed opens a file that an include names. Beside names of files and URLs there
// are file://path, home://path below the home directory, package://NAME/file, a file
// below the repository of that name, and mem://NAME, a text of the program (spec: yay,
// section 9).
func (p *Project) openNamed(name, base string) (*source.File, error) {
	scheme, rest, ok := strings.Cut(name, "://")
	if !ok {
		return p.files.Open(name, base)
	}
	switch scheme {
	case "file":
		return p.files.Open(rest, base)
	case "home":
		home, err := os.UserHomeDir()
		if err != nil {
			return nil, err
		}
		return p.files.Open(filepath.Join(home, rest), base)
	case "mem":
		f, ok := p.texts[rest]
		if !ok {
			return nil, fmt.Errorf("%s: %w", name, fs.ErrNotExist)
		}
		return f, nil
	case "package":
		repository, file, _ := strings.Cut(rest, "/")
		dir, ok := p.opts.Repositories[repository]
		if !ok {
			return nil, fmt.Errorf("there is no repository %q (--repository %s=DIR says where it is): %w", repository, repository, fs.ErrNotExist)
		}
		return p.files.Open(file, p.files.Absolute(dir))
	}
	return p.files.Open(name, base)
}

// memoryFiles returns the files of the texts of the program. They are made once, so
// that each is parsed once.
func memoryFiles(texts map[string]string) map[string]*source.File {
	files := make(map[string]*source.File, len(texts))
	for name, text := range texts {
		files[name] = source.NewFile("mem://"+name, text)
	}
	return files
}
