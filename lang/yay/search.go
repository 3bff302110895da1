package yay

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// find returns the full name of a file that an include names (spec: yay, sections
// 5.1, 9). The search path is the directory of the main document and the directories
// of the command, then those of "search", then the list yay.searchpath of the
// document; after it comes the directory of the file that holds the include. What
// comes later is not looked at if the file was found before.
func (s *site) find(name string, at source.Span) (string, error) {
	rt := s.runtime()
	if isRooted(runtime.GOOS, name) || hasScheme(name) {
		return s.found(name, "", at)
	}
	if full, err := s.found(name, rt.Dir, at); full != "" || err != nil {
		return full, err
	}
	dirs, marks, err := s.searchPath(at)
	if err != nil {
		return "", err
	}
	for _, dir := range dirs {
		if full, err := s.found(join(dir, name), rt.Dir, at); full != "" || err != nil {
			return full, err
		}
	}
	if base := s.Origin.Doc.Base; base != "" && base != rt.Dir {
		if full, err := s.found(name, base, at); full != "" || err != nil {
			return full, err
		}
	}
	d := source.Errorf(at, source.NotFound, "%q could not be found", name)
	if marks != 0 {
		return "", d
	}
	return "", d.WithHint("it was searched for in %s", strings.Join(append([]string{"the directory of the main document"}, dirs...), ", "))
}

// isRooted reports whether a name of a file means the same whatever directory it is
// looked for in. On Windows a drive may stand before the separator.
func isRooted(system, name string) bool {
	if system == "windows" {
		if len(name) > 1 && name[1] == ':' {
			name = name[2:]
		}
		name = strings.ReplaceAll(name, `\`, "/")
	}
	return strings.HasPrefix(name, "/")
}

// hasScheme reports whether a name is a URL, of whatever scheme.
func hasScheme(name string) bool {
	scheme, _, ok := strings.Cut(name, "://")
	return ok && scheme != ""
}

// found returns the full name of a file if it is there.
func (s *site) found(name, base string, at source.Span) (string, error) {
	if err := s.Step(lookupSteps); err != nil {
		return "", placed(err, at)
	}
	f, err := s.runtime().Open(name, base)
	switch {
	case err == nil && f.Path != "":
		return f.Path, nil
	case err == nil:
		return f.Name, nil
	case !errors.Is(err, fs.ErrNotExist):
		return "", placed(err, at)
	case base == "":
		return "", source.Errorf(at, source.NotFound, "%q could not be found", name).WithHint("%s", schemeHint(name))
	}
	return "", nil
}

// schemeHint says who gives the files of a scheme, "" for what is a file itself.
func schemeHint(name string) string {
	if rest, ok := strings.CutPrefix(name, "package://"); ok {
		pkg, _, _ := strings.Cut(rest, "/")
		return "--repository " + pkg + "=DIR gives the directory of " + pkg
	}
	if strings.HasPrefix(name, "mem://") {
		return "a program in Go gives texts of this scheme, the command has none"
	}
	return ""
}

// lookupSteps is what looking for a file counts for.
const lookupSteps = 2000

// join puts a name below a directory or URL.
func join(dir, name string) string {
	if hasScheme(dir) {
		return strings.TrimRight(dir, "/") + "/" + name
	}
	return path.Join(filepath.ToSlash(dir), name)
}

// searchPath returns the directories that the document adds to the search path.
func (s *site) searchPath(at source.Span) (dirs []string, marks value.Marks, err error) {
	add := func(v value.Value, at source.Span) error {
		m, err := value.DeepMarks(v)
		if err != nil {
			return err
		}
		marks |= m
		texts, err := textsOf(v, at)
		dirs = append(dirs, texts...)
		return err
	}
	if err := s.place().Eval().Each("search", add); err != nil {
		return nil, 0, err
	}
	if err := s.Frame.Each("search", add); err != nil {
		return nil, 0, err
	}
	yay, ok, err := s.place().Eval().Root().Named("yay")
	if !ok || err != nil || !yay.Is(value.MapKind) {
		return dirs, marks, err
	}
	own, ok, err := yay.Map().Get(value.K("searchpath"))
	if ok && err == nil {
		err = add(own, at)
	}
	return dirs, marks, err
}
