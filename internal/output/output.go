// Package output writes the results of a run to files: all of them, or none.
//
//	job := output.New(files, output.Options{})
//	defer job.Close()
//	dir, err := job.Dir("build")
//	err = dir.Add(output.File{Name: "web.yaml", Text: "port: 80\n", What: "services.web"})
//	err = job.One("all.yaml", output.File{Text: "web: {port: 80}\n"})
//	err = job.Commit()
//
// Texts are written to new files next to their places as they are added, so that a job keeps few texts in
// memory; Commit renames them. load.Tree has the steps. A directory also gets a file list, ListName,
// with the names that jobs wrote there, a line each. It has the new names before the first of these
// files exists, so that after a crash no file is forgotten.
//
// Read output.go, then names.go (which names are allowed) and list.go.
package output

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/yaytpl/yaytpl/internal/load"
	"github.com/yaytpl/yaytpl/source"
)

// Options are the options of a job.
type Options struct {
	// Check writes nothing. Warn gets a finding with code changed for each file that would be written or
	// removed.
	Check bool
	Warn  func(*source.Diagnostic)

	// Prune removes the files that earlier jobs wrote to the directories and this one does not.
	Prune bool

	// MaxFiles limits the files of a job; 0 is no limit.
	MaxFiles int
}

// A Job is a set of files that are written together. It is not safe for concurrent use.
type Job struct {
	files *load.Files
	opts  Options
	dirs  map[string]*Dir // by their path, links followed
	order []*Dir
	names map[string]File // by path: what was added, without its text
	below map[string]File // by path of a directory: a file in it

	inputs *load.Files // whose read paths are in read
	read   map[string]bool

	written, removed []string // the files, as they are shown
}

// New returns a job. Names are relative to the working directory of files.
func New(files *load.Files, o Options) *Job {
	return &Job{files: files, opts: o, dirs: map[string]*Dir{}, names: map[string]File{}, below: map[string]File{}}
}

// A Dir is a directory of a job.
type Dir struct {
	job    *Job
	tree   *load.Tree
	listed bool            // the directory has a list of its files
	names  map[string]bool // that were added; with a list only
}

// A File is a file to write.
type File struct {
	Name    string // below a directory, with slashes
	Text    string
	Private bool   // only the user can read the file
	What    string // what the text is made of, for messages: "services.web"

	// From has the inputs of the text; a file that it has read is not overwritten. It may be nil.
	From *load.Files
}

// Dir returns a directory that the user named, which gets a list of its files. It is created when a
// file is added.
//
// Code: output for the empty name.
func (j *Job) Dir(name string) (*Dir, error) {
	if name == "" {
		return nil, source.Errorf(source.Span{}, source.Output, "the name of the directory to write to is empty")
	}
	d := j.dir(name)
	if !d.listed {
		d.listed, d.names = true, map[string]bool{}
	}
	return d, nil
}

func (j *Job) dir(name string) *Dir {
	tree := j.files.Tree(name)
	key := tree.Path(".")
	d := j.dirs[key]
	if d == nil {
		d = &Dir{job: j, tree: tree}
		j.dirs[key] = d
		j.order = append(j.order, d)
	}
	return d
}

// One adds a file that the user named, in place of f.Name. A link is followed.
//
// Codes: the codes of [Dir.Add].
func (j *Job) One(name string, f File) error {
	if base := filepath.Base(name); name == "" || os.IsPathSeparator(name[len(name)-1]) || base == "." || base == ".." {
		return source.Errorf(source.Span{}, source.Output, "%q is not the name of a file to write", name)
	}
	target := j.files.Target(name)
	f.Name = filepath.Base(target)
	d := j.dir(filepath.Dir(target))
	return d.add(f, j.files.Shown(name))
}

// Add adds a file with a name that a document gives.
//
// Codes: output for a name that is not allowed, leads out of the directory, passes a link, or belongs
// to another file; access; limit.
func (d *Dir) Add(f File) error {
	name, err := cleanName(f)
	if err != nil {
		return err
	}
	f.Name = name
	if err := d.add(f, d.tree.Shown(f.Name)); err != nil {
		return err
	}
	d.names[name] = true
	return nil
}

// add adds a file with a clean name.
func (d *Dir) add(f File, shown string) error {
	j := d.job
	if err := j.claim(d.tree.Path(f.Name), shown, f); err != nil {
		return err
	}
	state, err := d.tree.State(f.Name, f.Text, f.Private)
	switch {
	case err != nil || state == load.Same:
		return err
	case state == load.Different && j.isInput(f, d.tree.Path(f.Name)):
		return source.Errorf(source.Span{}, source.Output, "%s cannot be written: the result is made of it", shown).
			WithHint("choose another name for the result")
	case j.opts.Check && state == load.Absent:
		j.changed("%s would be created", shown)
		return nil
	case j.opts.Check:
		j.changed("%s would change", shown)
		return nil
	}
	j.written = append(j.written, shown)
	return d.tree.Put(f.Name, f.Text, f.Private)
}

// Written returns the names of the files that Commit writes, as messages have them.
func (j *Job) Written() []string { return j.written }

// Removed returns the names of the files that Commit removes, as messages have them.
func (j *Job) Removed() []string { return j.removed }

// isInput reports whether the file at a path was read for f.
func (j *Job) isInput(f File, path string) bool {
	if f.From == nil {
		return false
	}
	if j.inputs != f.From {
		j.inputs, j.read = f.From, f.From.ReadPaths()
	}
	return j.read[path]
}

func (j *Job) changed(format string, shown string) {
	if j.opts.Warn != nil {
		j.opts.Warn(source.Warnf(source.Span{}, source.Changed, format, shown))
	}
}

// Commit writes the files, or reports with Options.Check the files that it would remove.
//
// Codes: access; output for a list that names files outside of its directory.
func (j *Job) Commit() error {
	for _, d := range j.order {
		if !d.listed {
			continue
		}
		if err := d.finish(); err != nil {
			return err
		}
	}
	if j.opts.Check {
		return nil
	}
	trees := make([]*load.Tree, len(j.order))
	for i, d := range j.order {
		trees[i] = d.tree
	}
	return load.CommitTrees(trees)
}

// Close releases the job. Without a commit nothing has changed.
func (j *Job) Close() {
	for _, d := range slices.Backward(j.order) {
		d.tree.Close()
	}
}
