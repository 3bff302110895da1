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

// instances are those of native classes in one revision, shared by all its
// evaluations. They see to it that each is applied once, by whoever needs it first;
// others wait for that, unless it would have to wait for them.
//
//	task 1: apply X --needs--> Y    waits until task 2 has applied Y
//	task 2: apply Y --needs--> X    would never end: cycle
type instances struct {
	ctx     context.Context
	classes map[string]Class

	mu      sync.Mutex
	tasks   map[*graph.Eval]*task
	applied map[string]*application
	begun   map[string]bool // instances that were applied ahead
}

// A task is one goroutine that evaluates.
type task struct {
	waits *application // what it waits for; guarded by instances.mu

	// need is told of instances whose members are needed, which are then not applied
	// and not waited for. It is set for a task that only looks around.
	need func(*instance)
}

// An application is a class being applied to an instance.
type application struct {
	by      *task
	done    chan struct{} // closed once the results are there
	members value.Map
	err     error
}

// errPending is the error of members that a task does not wait for.
var errPending = errors.New("the members are not known yet")

func newInstances(ctx context.Context, classes map[string]Class) *instances {
	return &instances{
		ctx: ctx, classes: maps.Clone(classes), tasks: map[*graph.Eval]*task{},
		applied: map[string]*application{}, begun: map[string]bool{},
	}
}

// join says which task runs an evaluation.
func (s *instances) join(e *graph.Eval, t *task) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tasks[e] = t
}

// leave forgets an evaluation that is not used any more.
func (s *instances) leave(e *graph.Eval) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.tasks, e)
}

// isNew reports whether nobody applied an instance ahead, or asked this before.
func (s *instances) isNew(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.begun[id] {
		return false
	}
	s.begun[id] = true
	return true
}

// members returns what the class adds to the parameters.
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

// claim returns the application of an instance, and whether it is for t to run.
// Otherwise it is done, or t must wait for it.
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

// needs reports whether app cannot end before t goes on.
func (app *application) needs(t *task) bool {
	for ; app != nil && !app.isDone(); app = app.by.waits {
		if app.by == t {
			return true
		}
	}
	return false
}

// run applies the class. A panic goes on, but nobody waits for ever: to others it is an
// error.
func (s *instances) run(app *application, in *instance) {
	defer close(app.done)
	defer func() {
		if p := recover(); p != nil {
			app.err = source.Errorf(in.at, source.BadValue, "the class %s panicked: %v", in.class, p)
			panic(p)
		}
	}()
	app.members, app.err = in.apply(s.ctx)
}

// wait returns false if the time of the configuration is up before app is done.
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
