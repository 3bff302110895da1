package watch

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/internal/watch"
	"github.com/yaytpl/yaytpl/source"
)

// A loop waits for changes of what the last revisions read.
type loop struct {
	options Options
	watcher *watch.Watcher
	told    bool // that some changes are found by polling

	began time.Time // of the last revision
	took  time.Duration

	good, failed reading
}

// A reading is what one revision read.
type reading struct {
	files map[string]*file // by path
	globs []*glob
	clock []yaytpl.Input
}

// A file is a file that was read, looked at or missing.
type file struct {
	watch.File
	input input
}

// An input is an input of a revision.
type input struct{ yaytpl.Input }

// mayHaveChanged reports whether the answer is another one, or may be.
func (i input) mayHaveChanged() bool {
	changed, known := i.Changed()
	return changed || !known
}

// A glob is a pattern with the directories whose names decide what it matches.
type glob struct {
	input input
	dirs  []watch.Dir
}

// read takes the inputs of a revision.
func (l *loop) read(inputs []yaytpl.Input, good bool) {
	r := reading{files: make(map[string]*file, len(inputs))}
	files := make([]file, 0, len(inputs))
	for _, in := range inputs {
		switch in.Kind {
		case yaytpl.FileInput, yaytpl.AbsentInput:
			if !in.InMemory && filepath.IsAbs(in.Name) {
				files = append(files, file{watch.File{Path: in.Name, Info: in.Info, Look: in.Looked}, input{in}})
				f := &files[len(files)-1]
				if f.Look || f.Info == nil {
					f.look()
				}
				r.files[in.Name] = f
			}
		case yaytpl.GlobInput:
			g := &glob{input: input{in}}
			g.list()
			r.globs = append(r.globs, g)
		case yaytpl.ClockInput:
			r.clock = append(r.clock, in)
		}
	}
	if l.failed = r; good {
		l.good, l.failed = r, reading{}
	}
}

// look completes the state of a file that was missing, or of which only the existence was asked for.
func (f *file) look() {
	now := f.File
	now.Renew()
	if f.Info == nil {
		f.Entry = now.Entry
		if f.input.Kind == yaytpl.FileInput { // such as a file of keys, of which the properties are not known
			f.Info = now.Info
		}
	}
	if !f.Look {
		return
	}
	if f.Info = now.Info; now.Entry == nil && f.input.Kind == yaytpl.FileInput {
		f.Info = gone{} // it was there
	}
}

// A gone is a file that was there when it was looked at, and then no more.
type gone struct{ fs.FileInfo }

// list lists the directories of the pattern.
func (g *glob) list() {
	g.dirs = nil
	for _, dir := range g.input.Dirs() {
		g.dirs = append(g.dirs, watch.Dir{Path: dir, Names: watch.Names(dir)})
	}
}

// set returns the files and patterns to wait for. A pattern that matched other names before its directories
// were listed has changed.
func (l *loop) set() (set watch.Set, of map[string]*file) {
	if of = l.good.files; len(l.failed.files) > 0 { // it was later
		of = maps.Clone(l.failed.files)
		for path, f := range l.good.files {
			if of[path] == nil {
				of[path] = f
			}
		}
	}
	set.Files = make([]watch.File, 0, len(of))
	for _, f := range of {
		set.Files = append(set.Files, f.File)
	}
	for _, g := range l.globs() {
		set.Dirs = append(set.Dirs, g.dirs...)
		if changed, _ := g.input.Changed(); changed {
			set.Stale = append(set.Stale, filepath.FromSlash(g.input.Name))
		}
	}
	return set, of
}

func (l *loop) globs() []*glob { return slices.Concat(l.good.globs, l.failed.globs) }

// wait waits until an input has changed and returns those that have. It returns none after the last step.
func (l *loop) wait(ctx context.Context) ([]yaytpl.Input, error) {
	for {
		set, of := l.set()
		paths, ticks, err := l.next(ctx, set)
		if err != nil || paths == nil && ticks == nil {
			return nil, err
		}
		slices.Sort(paths) // changes of one moment have no order
		l.renew(paths)     // before the texts are looked at
		changed := ticks
		for _, path := range paths {
			if f := of[path]; f != nil && f.input.mayHaveChanged() {
				changed = append(changed, f.input.Input)
			}
		}
		for _, g := range l.globs() {
			names := slices.ContainsFunc(g.dirs, func(d watch.Dir) bool { return slices.Contains(paths, d.Path) })
			if names {
				g.list()
			}
			if (names || slices.Contains(set.Stale, filepath.FromSlash(g.input.Name))) && g.input.mayHaveChanged() {
				changed = append(changed, g.input.Input)
			}
		}
		if len(changed) > 0 {
			return changed, nil
		}
	}
}

// next returns the paths of the set that change, or the parts of the clock that tick before. It returns
// neither after the last step.
func (l *loop) next(ctx context.Context, set watch.Set) (paths []string, ticks []yaytpl.Input, err error) {
	if l.options.Step != nil {
		for {
			if !l.options.Step() || ctx.Err() != nil {
				return nil, nil, ctx.Err()
			}
			if paths = watch.Changed(set); len(paths) > 0 {
				return paths, nil, nil
			}
		}
	}
	timed := ctx
	ticks, pace := l.ticks()
	if len(ticks) > 0 {
		var stop context.CancelFunc
		timed, stop = context.WithDeadline(ctx, l.due(pace))
		defer stop()
	}
	paths, err = l.watcher.Wait(timed, set)
	if err := l.watcher.Degraded(); err != nil && !l.told && l.options.Warn != nil {
		l.told = true
		l.options.Warn(source.Warnf(source.Span{}, source.Access, "the system does not notify of all changes (%v): some are found by looking at the files each 2 s", err))
	}
	switch {
	case err == nil:
		return paths, nil, nil
	case ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded):
		return nil, ticks, nil
	}
	return nil, nil, err
}

// ticks returns the inputs that change with time, and how often the most frequent one does.
func (l *loop) ticks() (ticks []yaytpl.Input, pace time.Duration) {
	pace = 5 * time.Second // the load of the machine
	for _, in := range slices.Concat(l.good.clock, l.failed.clock) {
		if ticks = append(ticks, in); in.Name == "" {
			pace = time.Second
		}
	}
	return ticks, pace
}

// due returns when the next revision for the clock begins. One that takes longer than the pace leaves half of
// the time to others.
func (l *loop) due(pace time.Duration) time.Time {
	due := l.began.Truncate(pace).Add(pace)
	if rested := l.began.Add(2 * l.took); rested.After(due) {
		return rested
	}
	return due
}

// renew notes how the changed files are before they are read again. A revision that fails may not read all
// of them, and would otherwise begin again at once.
func (l *loop) renew(paths []string) {
	for _, path := range paths {
		for _, r := range []reading{l.good, l.failed} {
			if f := r.files[path]; f != nil {
				f.Renew()
			}
		}
	}
}
