package config

import (
	"context"
	"errors"
	"maps"
	"sync"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// instances holds the instances of native classes in one revision, shared by its evaluations.
// The first task that needs an instance applies its class; other tasks wait for the result,
// unless that would be a deadlock:
//
//	task 1: apply X, which needs Y    waits until task 2 has applied Y
//	task 2: apply Y, which needs X    task 1 waits for task 2: error cycle
type instances struct {
	ctx     context.Context
	classes map[string]Class

	mu      sync.Mutex
	tasks   map[*graph.Eval]*task
	applied map[string]*application
	begun   map[string]bool // ids of instances that a scout met
}

// A task is one goroutine that evaluates.
type task struct {
	waits *application // that it waits for; nil while it runs. Guarded by instances.mu

	// need is set for a scout. It is called with each instance whose members are needed,
	// which the scout neither applies nor waits for.
	need func(*instance)
}

// An application is a class being applied to an instance.
type application struct {
	by      *task
	done    chan struct{} // closed when members and err are set
	members value.Map
	err     error
}

// errPending is the error of members that a scout does not wait for.
var errPending = errors.New("the members are not known yet")

func newInstances(ctx context.Context, classes map[string]Class) *instances {
	return &instances{
		ctx: ctx, classes: maps.Clone(classes), tasks: map[*graph.Eval]*task{},
		applied: map[string]*application{}, begun: map[string]bool{},
	}
}

// join registers the task that runs an evaluation.
func (s *instances) join(e *graph.Eval, t *task) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tasks[e] = t
}

// leave forgets an evaluation that is no longer used.
func (s *instances) leave(e *graph.Eval) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.tasks, e)
}

// isNew reports whether this is its first call for an instance.
func (s *instances) isNew(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.begun[id] {
		return false
	}
	s.begun[id] = true
	return true
}

// members returns the members of an instance: it applies the class, or waits for the task
// that does.
func (in *instance) members() (value.Map, error) {
	s := in.all
	app, mine, err := s.claim(in.task, in)
	switch {
	case err == errPending:
		in.task.need(in)
		return nil, err
	case err != nil:
		return nil, err
	case mine:
		s.run(app, in)
	case !s.wait(in.task, app):
		return nil, ended(s.ctx.Err())
	}
	return app.members, app.err
}

// claim returns the application of an instance. If mine is set, t has to run it. Otherwise
// another task runs it or has run it, and t has to wait.
func (s *instances) claim(t *task, in *instance) (app *application, mine bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	app = s.applied[in.id]
	switch {
	case app != nil && app.isDone():
		return app, false, nil
	case t.need != nil:
		return nil, false, errPending
	case app == nil:
		app = &application{by: t, done: make(chan struct{})}
		s.applied[in.id] = app
		return app, true, nil
	case app.needs(t):
		return nil, false, source.Errorf(in.at, source.Cycle, "%s of class %s needs its own members", in.path, in.class)
	}
	t.waits = app
	return app, false, nil
}

func (app *application) isDone() bool {
	select {
	case <-app.done:
		return true
	default:
		return false
	}
}

// needs reports whether app cannot end before t continues: t runs it, or its task waits for an
// application of which that is true.
func (app *application) needs(t *task) bool {
	for ; app != nil && !app.isDone(); app = app.by.waits {
		if app.by == t {
			return true
		}
	}
	return false
}

// run applies the class of in and closes app.done, even if the class panics: the panic continues
// in this goroutine and is an error for tasks that wait. The class has a goroutine of its own, so
// that runtime.Goexit in it is an error as well.
func (s *instances) run(app *application, in *instance) {
	defer close(app.done)
	var panicked any
	ended := make(chan struct{})
	app.err = source.Errorf(in.at, source.BadValue, "the class %s ended its goroutine (runtime.Goexit)", in.class)
	go func() {
		defer close(ended)
		defer func() {
			if panicked = recover(); panicked != nil {
				app.err = source.Errorf(in.at, source.BadValue, "the class %s panicked: %v", in.class, panicked)
			}
		}()
		app.members, app.err = in.apply(s.ctx)
	}()
	<-ended
	if panicked != nil {
		panic(panicked)
	}
}

// wait waits for app and reports whether it is done. If not, the context of the configuration
// is.
func (s *instances) wait(t *task, app *application) bool {
	defer func() {
		s.mu.Lock()
		t.waits = nil
		s.mu.Unlock()
	}()
	select {
	case <-app.done:
		return true
	default:
	}
	select {
	case <-app.done:
		return true
	case <-s.ctx.Done():
		return false
	}
}
