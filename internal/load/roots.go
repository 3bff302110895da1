package load

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// defaultRoots returns the directories that files may be read below if the user
// does not say: for each file the nearest enclosing directory that holds .git, else
// the working directory if the file is below it, else the directory of the file.
// Standard input ("-") counts as a file in the working directory; URLs add nothing.
func (f *Files) defaultRoots(files []string) []string {
	var roots []string
	for _, name := range files {
		path := f.Absolute(name)
		switch {
		case isURL(path):
			continue
		case name == "-":
			path = filepath.Join(f.dir, "-")
		}
		if root := f.defaultRoot(path); !slices.Contains(roots, root) {
			roots = append(roots, root)
		}
	}
	return roots
}

func (f *Files) defaultRoot(path string) string {
	dir := filepath.Dir(path)
	if repository := enclosing(dir, ".git"); repository != "" {
		return repository
	}
	if len(places([]string{f.dir}, path)) > 0 {
		return f.dir
	}
	return dir
}

// enclosing returns the nearest directory at or above dir that holds an entry of
// that name, or "". In a worktree or a submodule .git is a file.
func enclosing(dir, name string) string {
	for {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}

// allRoots returns the roots of this run: those given or the default ones, the
// search directories and the named repositories.
func (f *Files) allRoots() []string {
	roots := f.config.Roots
	if len(roots) == 0 {
		files := f.config.Files
		if len(files) == 0 {
			files = []string{"-"}
		}
		roots = f.defaultRoots(files)
	}
	roots = append(slices.Clone(roots), f.config.Search...)
	for _, name := range slices.Sorted(maps.Keys(f.config.Repositories)) {
		roots = append(roots, f.config.Repositories[name])
	}
	return f.absolutes(roots)
}
