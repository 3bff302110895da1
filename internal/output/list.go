package output

import (
	"errors"
	"maps"
	"runtime"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/internal/load"
	"github.com/yaytpl/yaytpl/source"
)

// ListName is the name of the list of a directory: the names of the files that jobs wrote there, sorted,
// a line each.
const ListName = own + "files"

// finish adds the list to the files of a directory and removes files that it names. The list first has
// the old and the new names, and in the end the names of files that exist: after a crash between any two
// steps it misses no file.
//
//	old list    a.yaml b.yaml
//	this job    b.yaml c.yaml
//	first       a.yaml b.yaml c.yaml
//	in the end  b.yaml c.yaml, or as first without Options.Prune
func (d *Dir) finish() error {
	old, text, err := d.oldNames()
	if err != nil {
		return err
	}
	if d.job.opts.Prune {
		for _, name := range old {
			if err := d.prune(name); err != nil {
				return err
			}
		}
	}
	if d.job.opts.Check {
		return nil
	}
	last := slices.Sorted(maps.Keys(d.names))
	all := slices.Compact(slices.Sorted(slices.Values(slices.Concat(old, last))))
	if list := lines(all); list != text {
		if err := d.tree.PutFirst(ListName, list); err != nil {
			return err
		}
	}
	if !d.job.opts.Prune || len(last) == len(all) {
		return nil
	}
	return d.tree.Put(ListName, lines(last), false)
}

func lines(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return strings.Join(names, "\n") + "\n"
}

// oldNames returns the names in the list of the directory, and its text.
func (d *Dir) oldNames() ([]string, string, error) {
	text, _, err := d.tree.Read(ListName)
	if err != nil {
		return nil, "", err
	}
	var names []string
	for name := range strings.Lines(text) {
		name = strings.TrimRight(name, "\r\n")
		if clean, err := cleanName(File{Name: name}); err != nil || clean != name {
			return nil, "", source.Errorf(source.Span{}, source.Output, "%s has the line %.40q, which is not the name of a file that was written", d.tree.Shown(ListName), name).
				WithHint("remove %s: the next run writes it again", d.tree.Shown(ListName))
		}
		names = append(names, name)
	}
	return names, text, nil
}

// prune removes a file that an earlier job wrote and this one does not. It leaves a link or a directory
// that has its name now.
func (d *Dir) prune(name string) error {
	j := d.job
	if _, ok := j.names[folded(runtime.GOOS, d.tree.Path(name))]; ok {
		return nil
	}
	state, err := d.tree.State(name, "", false)
	var diag *source.Diagnostic
	switch {
	case errors.As(err, &diag) && diag.Code == source.Output, err == nil && state == load.Absent:
		return nil
	case err != nil:
		return err
	case j.opts.Check:
		j.changed("%s would be removed", d.tree.Shown(name))
		return nil
	}
	j.removed = append(j.removed, d.tree.Shown(name))
	return d.tree.Delete(name)
}
