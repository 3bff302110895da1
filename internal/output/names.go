package output

import (
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/source"
)

// The limits of a name, in bytes. Most file systems have these.
const (
	maxPart = 255
	maxName = 4000
)

// own begins the names of files that this package writes for itself.
const own = ".yaytpl-"

// cleanName returns the name of a file in the shortest form: a/b.yaml for a//c/../b.yaml.
//
// Code: output for a name that is not allowed in a directory.
func cleanName(f File) (string, error) {
	name := f.Name
	refuse := func(format string, args ...any) (string, error) {
		d := source.Errorf(source.Span{}, source.Output, format, args...)
		if f.What != "" {
			d.Note(source.Span{}, "it is the name for %s", f.What)
		}
		return "", d
	}
	last := name[strings.LastIndexByte(name, '/')+1:]
	switch {
	case strings.TrimSpace(name) == "":
		return refuse("the name of a file is empty")
	case !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl):
		return refuse("the file name %q has a character that names must not have", name)
	case strings.TrimSpace(last) == "" || last == "." || last == "..":
		return refuse("the file name %q has no last part", name)
	case path.IsAbs(name) || !filepath.IsLocal(filepath.FromSlash(name)):
		return refuse("the file name %q leads out of the directory", name)
	case len(name) > maxName:
		return refuse("the file name %.40q... has %d bytes, more than %d", name, len(name), maxName)
	}
	name = path.Clean(name)
	for part := range strings.SplitSeq(name, "/") {
		if len(part) > maxPart {
			return refuse("the file name %.40q... has a part of %d bytes, more than %d", name, len(part), maxPart)
		}
		if strings.HasPrefix(strings.ToLower(part), own) {
			return refuse("the file name %q is reserved: %s* are files of yaytpl", name, own)
		}
	}
	return name, nil
}

// folded returns the form of a path that two names of one file share on a system.
func folded(system, path string) string {
	if slices.Contains([]string{"windows", "darwin", "ios"}, system) {
		return strings.ToLower(path)
	}
	return path
}

// claim records the path of a file.
//
// Codes: output if another file has the path, is below it, or is a directory of it; limit.
func (j *Job) claim(path, shown string, f File) error {
	f.Text, f.From = "", nil
	key := folded(runtime.GOOS, path)
	if other, ok := j.names[key]; ok {
		return collision(f, other, "two files have the name %s", shown)
	}
	if other, ok := j.below[key]; ok {
		return collision(f, other, "%s is the name of a file and of a directory", shown)
	}
	if j.opts.MaxFiles > 0 && len(j.names) >= j.opts.MaxFiles {
		return source.Errorf(source.Span{}, source.Limit, "more than %d files are written (--max-files)", j.opts.MaxFiles)
	}
	for dir := filepath.Dir(key); j.below[dir].Name == ""; dir = filepath.Dir(dir) {
		if other, ok := j.names[dir]; ok {
			return collision(f, other, "%s lies below another file", shown)
		}
		if dir == filepath.Dir(dir) {
			break
		}
		j.below[dir] = f
	}
	j.names[key] = f
	return nil
}

// collision returns the error for a file whose name another one has or needs.
func collision(f, other File, format string, shown string) error {
	d := source.Errorf(source.Span{}, source.Output, format, shown)
	if f.What != "" && other.What != "" {
		d.Message += ": " + other.What + " and " + f.What
		d.WithHint("--name says how the files are called: a template over each document")
	}
	return d
}
