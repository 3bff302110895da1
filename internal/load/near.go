package load

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/source"
)

const (
	maxNear    = 1000 // entries of a directory that a search for a near name reads
	nearLooks  = 100  // searches of one run
	encryption = ".gpg"
)

// documents are the endings of the files that people usually mean.
var documents = source.EndingsOf("yaml", "json", "yay")

// Near returns the name of a file that a name without a file may have meant, written as the
// name was; "" if no name is similar. base is as for [Files.Open], "" for a file that the user named.
// from is the path of the file that has the name; it is never the result. Only directories below the
// roots are read, and only some entries of them.
//
//	bse.yaml        base.yaml           a similar name in the directory
//	base, base.yml  base.yaml           another ending
//	base.yaml       ../base.yaml        the same name in the directory above
//	comon/a.yaml    common/a.yaml       a similar directory
//
// spec: everyday, A7.
func (f *Files) Near(name, base, from string) string {
	location, err := f.resolve(name, base)
	if err != nil || isURL(location) || hasScheme(name) || strings.HasSuffix(name, "/") {
		return ""
	}
	f.mu.Lock()
	f.looks++
	spent := f.looks > nearLooks
	f.mu.Unlock()
	if spent {
		return ""
	}
	named := base == ""
	dir, want := filepath.Dir(location), filepath.Base(location)
	written, _ := path.Split(filepath.ToSlash(name))
	if files, ok := f.names(dir, named, false); ok {
		if dir == filepath.Dir(from) {
			files = slices.DeleteFunc(files, func(file string) bool { return file == filepath.Base(from) })
		}
		if near := otherEnding(want, files); near != "" {
			return written + near
		}
		if up, ok := f.names(filepath.Dir(dir), named, false); ok && slices.Contains(up, want) && !isRooted(name) {
			return path.Join(written, "..", want)
		}
		if near := nearStem(want, files); near != "" {
			return written + near
		}
		return ""
	}
	dirs, _ := f.names(filepath.Dir(dir), named, true)
	if near := source.Suggest(filepath.Base(dir), slices.Values(dirs)); near != "" {
		files, _ := f.names(filepath.Join(filepath.Dir(dir), near), named, false)
		if slices.Contains(files, want) {
			return path.Join(path.Dir(path.Clean(written)), near, want)
		}
	}
	return ""
}

// nearStem returns the file whose name is like want. Where both have the same ending it does not
// count: an.yaml is not like zi.yaml.
func nearStem(want string, files []string) string {
	end := filepath.Ext(want)
	if end == "" || end == want {
		return source.Suggest(want, slices.Values(files))
	}
	var stems, others []string
	for _, file := range files {
		if stem, ok := strings.CutSuffix(file, end); ok && stem != "" {
			stems = append(stems, stem)
		} else {
			others = append(others, file)
		}
	}
	if near := source.Suggest(strings.TrimSuffix(want, end), slices.Values(stems)); near != "" {
		return near + end
	}
	return source.Suggest(want, slices.Values(others))
}

// DidYouMean adds to the error of a missing file the name that [Files.Near] finds, and to the error of
// a directory a file in it.
func (f *Files) DidYouMean(err error, name, base, from string) error {
	var d *source.Diagnostic
	if err == nil || !errors.As(err, &d) || d.Hint != "" {
		return err
	}
	if special := (specialError{}); errors.As(err, &special) && special.mode.IsDir() {
		if dir, err := f.resolve(name, base); err == nil {
			hinted := *d
			return hinted.WithHint("%s", f.inside(f.display(dir), dir, base == ""))
		}
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	near := f.Near(name, base, from)
	if near == "" {
		return err
	}
	hinted := *d // others may hold it
	return hinted.WithHint("did you mean %q?", near)
}

// inside returns the hint for a directory that was named in place of a file: a file in it.
func (f *Files) inside(shown, dir string, named bool) string {
	files, _ := f.names(dir, named, false)
	for _, name := range files {
		if slices.Contains(documents, path.Ext(name)) {
			return "name a file in it, such as " + filepath.Join(shown, name)
		}
	}
	return "name a file in it"
}

// otherEnding returns the file that has the name of a missing one with another ending, or
// encrypted; "" if there is none.
func otherEnding(want string, files []string) string {
	stem := strings.TrimSuffix(want, path.Ext(want))
	for _, file := range files {
		if file == want+encryption || path.Ext(want) == "" && strings.TrimSuffix(file, path.Ext(file)) == want {
			return file
		}
	}
	for _, ending := range documents {
		if other := stem + ending; other != want && slices.Contains(files, other) {
			return other
		}
	}
	return ""
}

// names returns the names of the files of a directory below the roots, or of its directories,
// sorted, and false if there is no such directory. A directory that the user named need not be
// below the roots.
func (f *Files) names(dir string, named, dirs bool) (names []string, ok bool) {
	list := func(p sandboxFile) error {
		d, err := p.root.OpenFile(p.rel, os.O_RDONLY|nonBlocking, 0)
		if err != nil {
			return err
		}
		defer d.Close()
		entries, err := d.ReadDir(maxNear)
		if err != nil && err != io.EOF {
			return err
		}
		for _, e := range entries {
			isDir := e.IsDir() || e.Type()&fs.ModeSymlink != 0
			if isFile := e.Type().IsRegular() || e.Type()&fs.ModeSymlink != 0; dirs && isDir || !dirs && isFile {
				names = append(names, e.Name())
			}
		}
		return nil
	}
	reach := func() error { return within(f.roots, dir, list) }
	if named {
		reach = func() error { return enter(way{dir, "."}, list) }
	}
	if err := reach(); err != nil {
		return nil, false
	}
	slices.Sort(names)
	return names, true
}
