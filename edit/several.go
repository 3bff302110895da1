package edit

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/source"
)

// ApplyAll applies the same edits to each of several files, as [Apply] does, and returns the
// new texts of all of them: the named files first, in this order, then others. Either all
// files are edited or none. A file that is named twice is edited once. All files are read in
// the roots of all of them.
//
// The error is a [*source.Errors] if several files cannot be edited. Its codes are the codes of
// Apply; output if the edits of two files would change a third one, in different ways.
func ApplyAll(ctx context.Context, names []string, edits []Edit, o yaytpl.Options, eo Options) (*Result, error) {
	all := merging{byPath: map[string]*merged{}}
	var failed []*source.Diagnostic
	for _, name := range names {
		one, err := apply(ctx, name, edits, o.Engine(ctx, names...), eo)
		if err == nil {
			err = all.add(name, one)
		}
		switch {
		case ctx.Err() != nil:
			return nil, err
		case err != nil:
			failed = append(failed, inFile(name, err)...)
		}
	}
	if len(failed) > 0 {
		return nil, source.OneOrMany(source.CutOff(failed[:min(len(failed), source.MaxErrors)]))
	}
	return all.result(), nil
}

// inFile adds the name of the edited file to errors that have no place.
func inFile(name string, err error) []*source.Diagnostic {
	findings := slices.Clone(source.Findings(err))
	for i, d := range findings {
		if d.At.IsZero() && !strings.Contains(d.Message, name) {
			findings[i] = d.Named("in " + name)
		}
	}
	return findings
}

// A merging joins the results of edits of several files.
type merging struct {
	named, others []*merged
	byPath        map[string]*merged // by path, with links followed
	rest          Result
}

// A merged is a file with the name of the file whose edits changed it first.
type merged struct {
	*File
	by string
}

// add adds the result of the edits of the file called name.
//
// Code: output if it has another text for a file than an earlier result.
func (m *merging) add(name string, one *Result) error {
	for i, f := range one.Files {
		path := f.file.Path()
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real
		}
		old := m.byPath[path]
		switch {
		case old == nil:
			old = &merged{f, name}
			m.byPath[path] = old
			if i == 0 {
				m.named = append(m.named, old)
			} else {
				m.others = append(m.others, old)
			}
		case f.Text == old.Text || !f.Changed():
		case !old.Changed():
			old.File, old.by = f, name
		default:
			return source.Errorf(source.Span{}, source.Output, "the edits of %s and of %s change %s in different ways", old.by, name, f.Name).
				WithHint("edit the files one after the other")
		}
	}
	m.rest.Others = append(m.rest.Others, one.Others...)
	m.rest.Warnings = append(m.rest.Warnings, one.Warnings...)
	return nil
}

// result returns all files with their texts.
func (m *merging) result() *Result {
	all := m.rest
	for _, f := range slices.Concat(m.named, m.others) {
		all.Files = append(all.Files, f.File)
	}
	return &all
}
