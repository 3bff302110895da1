package config

import (
	"context"
	"errors"
	"iter"
	"maps"
	"slices"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/watch"
)

// A Change is what [Config.Watch] yields.
type Change struct {
	Inputs []yaytpl.Input // what changed: files, patterns, the clock; nothing for the first state

	// Err is the error of a state that is not taken: the configuration is the one before. Nil says that the
	// configuration has changed.
	Err error
}

// Watch reads the files of the configuration again whenever one of them changes, or anything else that the
// configuration depends on, such as an included file that was missing, until ctx is done or the caller leaves
// the loop. It yields after each change, and first for the state at the beginning:
//
//	go func() {
//		for change := range cfg.Watch(ctx) {
//			if change.Err != nil {
//				log.Print(change.Err) // the old configuration stays
//				continue
//			}
//			log.Print("new configuration after ", change.Inputs)
//		}
//	}()
//
// A new state is evaluated as a whole before it is taken, but for the members of native classes: what fails
// in it is Err. So all values that a reader gets from one state belong together, and no reader waits for
// Watch. A class is applied anew in each state, when a value needs it. Layers of texts and of data stay as they are.
// A file that [Config.Load] adds meanwhile is read again after the next change of another, and watched from then on.
func (c *Config) Watch(ctx context.Context) iter.Seq[Change] {
	return func(yield func(Change) bool) {
		_ = watch.Run(ctx, watch.Options{Warn: c.opts.Warn}, func(r *watch.Revision) error { // it returns no other error than that ctx is done
			err := c.renew(r)
			if ctx.Err() != nil || !yield(Change{r.Changed, err}) {
				return watch.ErrStop
			}
			return err
		})
	}
}

// renew takes the state of a revision, unless something in it fails. If the program changes the layers
// meanwhile, it begins again.
func (c *Config) renew(r *watch.Revision) error {
	for {
		c.mu.Lock()
		version := c.version
		next := &Config{
			ctx: c.ctx, opts: r.Options(c.opts), project: c.project, // for the directory of texts
			files: slices.Clone(c.files), mounts: slices.Clone(c.mounts), layers: slices.Clone(c.layers), classes: maps.Clone(c.classes),
		}
		c.mu.Unlock()
		if c.opts.Inputs != nil {
			c.opts.Inputs.Join(r.Inputs)
		}
		err := next.Reload()
		if err == nil {
			err = next.check()
		}
		if err != nil {
			return err
		}
		c.mu.Lock()
		if c.version == version {
			c.project, c.layers, c.now = next.project, next.layers, next.now
			c.mu.Unlock()
			return nil
		}
		c.mu.Unlock()
	}
}

// check evaluates the whole configuration and returns the errors. It does not read members of native
// classes.
func (c *Config) check() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	r, err := c.current()
	if err != nil {
		return err
	}
	e := r.now
	if len(c.classes) > 0 {
		if e, err = r.open(&task{need: func(*instance) {}}); err != nil {
			return err
		}
		defer r.instances.leave(e.eval)
	}
	v := e.view()
	err = v.err
	if err == nil {
		err = engine.Force(v.root, e.eval)
	}
	failed := slices.DeleteFunc(source.Findings(err), func(d *source.Diagnostic) bool { return errors.Is(d, errPending) })
	if len(failed) == 0 {
		return nil
	}
	return source.OneOrMany(failed)
}
