package yaytpl

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/yaytpl/yaytpl/lang/yay"
	"github.com/yaytpl/yaytpl/source"
)

// yayRuntime returns what documents in Yay need while they are evaluated.
func (p *Project) yayRuntime(lint bool) *yay.Runtime {
	return &yay.Runtime{Lint: lint, Dir: p.dir, Open: p.openNamed, Classes: p.actors.yayClasses()}
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
