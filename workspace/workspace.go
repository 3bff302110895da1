// Package workspace reads project files: yaytpl.yaml at the root of a project, with settings for the
// files below it and targets, which are stacks of layers with a name.
//
//	yaytpl: 1
//	lists: {containers: by name}
//	targets:
//	  prod: {files: [site.yaml, envs/prod.yaml], define: {replicas: 4}}
//
// A project file is data: nothing in it is evaluated, it opens no permission, and all its paths stay
// below its directory.
//
//	Find, Open --> Workspace --Select--> Target --Open--> yaytpl.Project
//	                  |
//	                  '--Options--> yaytpl.Options of any other files
//
// Read workspace.go, then file.go (reading the file; schema.go has its JSON Schema), targets.go and all.go
// (many targets side by side). propose.go writes a first project file.
package workspace

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/internal/lazy"
	"github.com/yaytpl/yaytpl/internal/load"
	"github.com/yaytpl/yaytpl/source"
)

// FileName is the name of a project file.
const FileName = "yaytpl.yaml"

// The limits of a project.
const (
	maxBytes    = 16 << 20 // of the project file
	maxTargets  = 100_000
	maxPatterns = 10_000 // each is compared with each file of the project
)

// A Workspace is a project: its settings and targets.
type Workspace struct {
	Dir      string       // absolute: the directory of the project file, or of --project
	File     *source.File // the project file
	Settings *yaytpl.Settings
	Checks   source.Checks

	IncludeDirs []string    // relative to Dir, like all paths of a project, with "/" between their parts
	Recipients  []Recipient // in the order of the file
	Schemas     []Schema

	dir   string // absolute: relative names of files begin here
	rules []rule // of targets

	globs yaytpl.Inputs // patterns of targets that were asked for
}

// A Recipient says for whom the files that a pattern matches are encrypted.
type Recipient struct {
	Files string   // a pattern
	Keys  []string // key files, or names of keys of gpg
	At    source.Span
}

// A Schema says that the documents of the files that a pattern matches have a JSON Schema.
type Schema struct {
	Files string // a pattern
	File  string // the schema
	At    source.Span
}

// A Search is what [Find] found, and where it looked.
type Search struct {
	Workspace *Workspace // nil if there is no project
	Read      []string   // absolute paths: files called yaytpl.yaml that were read
	Absent    []string   // absolute paths at which there is no such file

	ended string // why the search found nothing, for a hint; may be empty
}

// Find looks for the project file of a directory, "" for the working directory: upwards as far as a
// directory with .git, the home directory, or before a directory that another user owns. A yaytpl.yaml
// whose first key is not "yaytpl: 1" is an ordinary document (spec: everyday, B1).
//
// With an error of a file that was read, the search says which.
//
// Codes: bad-project; syntax and others of parsing; access, limit.
func Find(dir string) (*Search, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return &Search{}, nil
	}
	home, _ := os.UserHomeDir() // without one the search ends elsewhere
	var version string
	ordinary := false
	found, err := load.FindAbove(abs, FileName, home, maxBytes, func(text string) bool {
		v, ok := versionOf(text)
		if ok && v != "1" {
			version = v
		}
		ordinary = ordinary || !ok
		return v == "1"
	})
	if err != nil {
		return nil, hintNoProject(err)
	}
	s := &Search{Read: found.Passed, Absent: found.Absent}
	switch {
	case found.Foreign != "":
		s.ended = found.Foreign + " belongs to another user; --project FILE reads a project file all the same"
	case version != "":
		s.ended = FileName + " has the version " + version + ", and this program knows yaytpl: 1"
	case ordinary:
		s.ended = FileName + " is an ordinary document: the first key of a project file is yaytpl: 1"
	}
	if found.Path == "" {
		return s, nil
	}
	s.Read = append(s.Read, found.Path)
	s.Workspace, err = read(found.Path, found.Text, abs)
	return s, err
}

// Note adds what the search and the targets that were asked for depend on to inputs: project files, the
// names that were looked for on the way up, and the patterns of targets.
func (s *Search) Note(inputs *yaytpl.Inputs) {
	for _, path := range s.Read {
		inputs.Note(yaytpl.FileInput, path, source.Span{})
	}
	for _, path := range s.Absent {
		inputs.Note(yaytpl.AbsentInput, path, source.Span{})
	}
	if s.Workspace != nil {
		inputs.Join(&s.Workspace.globs)
	}
}

// hintNoProject adds to the error of a project file that cannot be read how to do without.
func hintNoProject(err error) error {
	var d *source.Diagnostic
	if errors.As(err, &d) && d.Hint == "" {
		hinted := *d
		return hinted.WithHint("--no-project ignores project files")
	}
	return err
}

// Open reads a project file by its name, relative to a directory, "" for the working directory.
//
// Codes: the codes of [Find]; bad-project also for a file without "yaytpl: 1".
func Open(name, dir string) (*Workspace, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, source.Errorf(source.Span{}, source.Access, "the working directory is unknown: %v", err)
	}
	path := load.Join(abs, name)
	text, err := load.ReadProject(path, shown(path, abs), maxBytes)
	if err != nil {
		return nil, err
	}
	return read(path, text, abs)
}

// head matches the beginning of a project file: its first key, after comments, "---" and such.
var head = lazy.Regexp{Text: `^\x{FEFF}?(?:[ \t]*(?:#[^\n]*|%[^\n]*|---[ \t]*(?:#[^\n]*)?)?\r?\n|---[ \t]+)*(?:\{\s*)?(?:yaytpl|"yaytpl"|'yaytpl')[ \t]*:[ \t]+([^\s,}]+)`}

// versionOf returns the value of the first key of a text, and false if that is not yaytpl.
func versionOf(text string) (string, bool) {
	m := head.Get().FindStringSubmatch(text)
	if m == nil {
		return "", false
	}
	return m[1], true
}

// shown returns the name of a file in messages, and for [yaytpl.Open]: relative to the directory of
// relative names if it is below that, otherwise absolute.
func shown(path, dir string) string {
	if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}

// Name returns the name of a file of the project for [yaytpl.Open].
func (w *Workspace) Name(file string) string { return shown(w.path(file), w.dir) }

// path returns the absolute path of a file of the project.
func (w *Workspace) path(file string) string { return filepath.Join(w.Dir, filepath.FromSlash(file)) }

// Options returns options for files below the directory of the project: o with the settings of the
// project, which settings of o override.
func (w *Workspace) Options(o yaytpl.Options) yaytpl.Options {
	o.Settings = w.Settings
	o.Search = slices.Clone(o.Search)
	for _, dir := range w.IncludeDirs {
		o.Search = append(o.Search, w.path(dir))
	}
	for _, s := range w.Schemas {
		o.Schemas = append(slices.Clip(o.Schemas), yaytpl.SchemaRule{Schema: s.File, Files: s.Files, Dir: w.Dir, At: s.At})
	}
	checks := maps.Clone(w.Checks)
	if checks == nil {
		checks = o.Checks
	}
	maps.Copy(checks, o.Checks)
	o.Checks = checks
	return o
}

// Holds reports whether a file is below the directory of the project. "-", standard input, is a file of
// the directory of relative names.
func (w *Workspace) Holds(name string) bool {
	if strings.Contains(name, "://") {
		return false
	}
	_, ok := w.below(name)
	return ok
}

// below returns the path of a file relative to the directory of the project, and false for a file elsewhere.
func (w *Workspace) below(name string) (string, bool) {
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(w.dir, name)
	}
	rel, err := filepath.Rel(w.Dir, path)
	return rel, err == nil && filepath.IsLocal(rel)
}

// PublicKeys returns the absolute paths of the key files among the recipients.
func (w *Workspace) PublicKeys() []string {
	var files []string
	for _, r := range w.Recipients {
		for _, key := range r.Keys {
			if path, ok := w.keyFile(key); ok && !slices.Contains(files, path) {
				files = append(files, path)
			}
		}
	}
	return files
}

// RecipientsOf returns the recipients of a file, whose name is relative to the directory of the project: the
// recipients of all patterns that match it. Key files have absolute paths. A file outside of the project has none.
func (w *Workspace) RecipientsOf(name string) []string {
	rel, ok := w.below(name)
	if !ok {
		return nil
	}
	var keys []string
	for _, r := range w.Recipients {
		if !matches(r.Files, filepath.ToSlash(rel)) {
			continue
		}
		for _, key := range r.Keys {
			if path, ok := w.keyFile(key); ok {
				key = path
			}
			if !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
		}
	}
	return keys
}

// keyFile returns the path of a recipient that is a key file, and false for the name of a key.
func (w *Workspace) keyFile(key string) (string, bool) {
	if checkPath(key) != nil {
		return "", false
	}
	info, err := os.Stat(w.path(key))
	return w.path(key), err == nil && info.Mode().IsRegular()
}

// files returns the paths of the files of the project that a pattern matches, sorted.
func (w *Workspace) files(list func(fs.FS) ([]string, error)) (found []string, err error) {
	err = load.InTree(w.Dir, func(tree fs.FS) (err error) { found, err = list(tree); return err })
	return found, err
}
