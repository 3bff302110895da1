// Package watch evaluates files again whenever something that they depend on changes: files that were
// read, files that were missing, patterns of files, the clock.
//
//	for project, err := range watch.Files(ctx, []string{"site.yaml"}, yaytpl.Options{}) {
//		...
//	}
//
// [Run] is the loop below it, for programs that open several projects or other things. What is watched is
// what the evaluation noted in [yaytpl.Inputs], and nothing else. The environment is not watched; URLs and
// programs are asked again by the next revision, whatever causes it.
//
// Read watch.go, then set.go: which files and directories to wait for.
package watch

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/internal/watch"
	"github.com/yaytpl/yaytpl/source"
)

// Options of [Run]. The zero value has the defaults.
type Options struct {
	Quiet   time.Duration // a revision begins when nothing has changed for this time; 0 is 50 ms
	Longest time.Duration // and after this time in any case; 0 is 1 s

	// Poll is the time between two looks at all files. Without it the system notifies of changes, and
	// files are looked at each 2 s for those that it does not tell, such as on network file systems.
	Poll time.Duration

	// Step, for tests, changes files in place of waiting for changes. It returns false if there are no more
	// steps; then Run returns. The clock does not tick.
	Step func() bool

	// Warn gets a finding if the system does not notify of all changes, so that some are found by polling;
	// once. It may be nil.
	Warn func(*source.Diagnostic)
}

// A Revision is one evaluation.
type Revision struct {
	Number  int            // counted from 1
	Now     time.Time      // the time of all that is evaluated
	Changed []yaytpl.Input // why there is this revision: what changed since the one before; nothing for the first

	Inputs *yaytpl.Inputs // gets the notes of what is read
	Cache  *yaytpl.Cache  // reads each file once; texts that did not change are not parsed again
	Past   *yaytpl.Past   // what programs of the mgmt language remember; projects side by side have parts of it
}

// Options returns o for projects of the revision.
func (r *Revision) Options(o yaytpl.Options) yaytpl.Options {
	o.Inputs, o.Cache, o.Programs.Past = r.Inputs, r.Cache, r.Past
	if o.Now == nil {
		o.Now = func() time.Time { return r.Now }
	}
	return o
}

// ErrStop is the error by which an evaluation ends [Run].
var ErrStop = errors.New("stop watching")

// Run calls evaluate, waits until something that it read changes, calls it again, and so on until ctx is
// done: then it returns the error of ctx. An error of evaluate does not end it, except [ErrStop], with which Run
// returns nil. While the evaluation fails, what the last good one read is watched as well.
//
// Changes during an evaluation make one revision after it, so that a slow one never makes a queue. When
// Run returns, nothing is left of it: no goroutine, no open file.
func Run(ctx context.Context, o Options, evaluate func(*Revision) error) error {
	w := watch.New(watch.Options{Quiet: o.Quiet, Longest: o.Longest, Poll: o.Poll, NoNotes: o.Poll > 0 || o.Step != nil})
	defer w.Close()
	l := loop{options: o, watcher: w}
	r := &Revision{Past: &yaytpl.Past{}}
	for {
		r = &Revision{Number: r.Number + 1, Now: time.Now(), Changed: r.Changed, Inputs: &yaytpl.Inputs{}, Cache: r.Cache.Next(r.Changed...), Past: r.Past}
		err := evaluate(r)
		switch {
		case errors.Is(err, ErrStop):
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		}
		l.began, l.took = r.Now, time.Since(r.Now)
		r.Past.Next(err == nil)
		l.read(r.Inputs.All(), err == nil)
		if r.Changed, err = l.wait(ctx); err != nil || r.Changed == nil {
			return err
		}
	}
}

// Files opens files as [yaytpl.Open] does, and yields the project, or the error. It opens them again
// whenever something changes that was read by then, also by questions to the project, until ctx is done or
// the caller leaves the loop. Options.Warn is called by each revision.
func Files(ctx context.Context, files []string, o yaytpl.Options) iter.Seq2[*yaytpl.Project, error] {
	return func(yield func(*yaytpl.Project, error) bool) {
		_ = Run(ctx, Options{Warn: o.Warn}, func(r *Revision) error { // it returns no other error than that ctx is done
			p, err := yaytpl.Open(ctx, files, r.Options(o))
			if ctx.Err() != nil || !yield(p, err) {
				return ErrStop
			}
			return err
		})
	}
}
