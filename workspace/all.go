package workspace

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"sync"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/source"
)

// A Result is what became of one of many stacks.
type Result[T any] struct {
	Stack    Stack
	Value    T
	Err      error
	Warnings []*source.Diagnostic // the warnings that Options.Warn would have got
	Inputs   *yaytpl.Inputs       // what the stack depends on; nil if Options.Inputs has that
}

// All opens each stack as a project and calls do with it: several at a time, on all cores. It yields the
// results in the order of the stacks, the same ones as one by one. Files that stacks have in common are
// read and parsed once, in o.Cache or else a new cache. At most a few results wait to be yielded, so that memory does not grow with the
// number of stacks.
//
// The options apply to all projects; their Warn is not called. do runs in several goroutines at the same
// time. A panic of do is an error with code internal. When ctx is done, the rest of the stacks get its
// error.
func All[T any](ctx context.Context, stacks []Stack, o yaytpl.Options, do func(Stack, *yaytpl.Project) (T, error)) iter.Seq[Result[T]] {
	return func(yield func(Result[T]) bool) {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		if o.Cache == nil && len(stacks) > 1 { // a single one parses its files side by side
			o.Cache = yaytpl.NewCache()
		}
		workers := min(runtime.GOMAXPROCS(0), len(stacks))
		var alone sync.RWMutex
		type job struct {
			stack Stack
			done  chan Result[T]
		}
		jobs := make(chan job)
		order := make(chan job, 2*workers) // begun or waiting for a worker
		for range workers {
			go func() {
				for j := range jobs {
					alone.RLock()
					r := one(ctx, j.stack, o, do)
					alone.RUnlock()
					if errors.Is(r.Err, source.ErrMemory) { // others had a part of it
						alone.Lock()
						r = one(ctx, j.stack, o, do)
						alone.Unlock()
					}
					j.done <- r
				}
			}()
		}
		go func() {
			defer close(order)
			defer close(jobs)
			for _, s := range stacks {
				j := job{s, make(chan Result[T], 1)}
				select {
				case order <- j:
				case <-ctx.Done(): // the caller may have stopped to read
					return
				}
				jobs <- j
			}
		}()
		n := 0
		for j := range order {
			n++
			if !yield(<-j.done) {
				return
			}
		}
		for _, s := range stacks[n:] {
			if !yield(Result[T]{Stack: s, Err: context.Cause(ctx)}) {
				return
			}
		}
	}
}

// one returns the result of one stack.
func one[T any](ctx context.Context, s Stack, o yaytpl.Options, do func(Stack, *yaytpl.Project) (T, error)) (r Result[T]) {
	r.Stack = s
	if o.Inputs == nil {
		o.Inputs = &yaytpl.Inputs{}
		r.Inputs = o.Inputs
	}
	defer func() {
		if p := recover(); p != nil {
			r.Err = source.Errorf(source.Span{}, source.Internal, "%s", fmt.Sprintf("this is a bug in yaytpl: %v", p)).
				WithHint("please report it, with the input that causes it")
		}
	}()
	if r.Err = ctx.Err(); r.Err != nil {
		return r
	}
	name := ""
	if s.Target != nil {
		name = s.Target.Name
	}
	o.Programs.Past = o.Programs.Past.Part(name)
	o.Warn = func(d *source.Diagnostic) { r.Warnings = append(r.Warnings, d) }
	p, err := s.Open(ctx, o)
	if err != nil {
		r.Err = err
		return r
	}
	r.Value, r.Err = do(s, p)
	return r
}
