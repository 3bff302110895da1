package config

import (
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/value"
)

// A revision is a configuration with the layers that it has at one time, and what
// became of the instances of native classes in it.
type revision struct {
	project   *engine.Project
	layers    []engine.Layer
	instances *instances
	now       evaluation // that nodes look into
}

// An evaluation is one evaluation of the layers of a revision.
type evaluation struct {
	doc  *engine.Document
	eval *graph.Eval
}

// begin starts the evaluation that nodes look into.
func (r *revision) begin() error {
	var err error
	r.now, err = r.open(&task{})
	return err
}

// open returns an evaluation of the revision that belongs to a task. Those of
// different tasks may run at the same time: they share files and what these parsed
// to, which do not change, and the instances.
func (r *revision) open(t *task) (evaluation, error) {
	d := r.project.Fork(r.instances.native()).Pair(r.layers)[0]
	e, err := d.Eval()
	if err == nil {
		r.instances.join(e, t)
	}
	return evaluation{d, e}, err
}

func (r *revision) view() view { return r.now.view() }

// view returns the root of the document; one without content is an empty map.
func (e evaluation) view() view {
	v, err := e.doc.Value()
	if err == nil && v.IsNull() {
		v = value.FromMap(value.NewMap(0))
	}
	return view{root: v, err: err, at: e.eval.Root(), eval: e.eval}
}

// runAhead applies the native classes whose members n needs as a whole, those that do
// not need each other at the same time. What goes wrong is left for the one who asks
// for the values.
func (n Node) runAhead() {
	c, ok := n.in.(*Config)
	if !ok || n.bad != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.classes) == 0 {
		return
	}
	if r, err := c.current(); err == nil {
		for r.scout(n) {
		}
	}
}

// scout walks everything in n on an evaluation of its own, in which the instances
// that are needed have no members yet, and applies those meanwhile. It reports
// whether there were any: with their members others may come to light.
func (r *revision) scout(n Node) bool {
	crew := newCrew()
	t := &task{need: func(in *instance) {
		if r.instances.isNew(in.id) {
			crew.start(func() { r.applyAhead(in.path) })
		}
	}}
	if e, err := r.open(t); err == nil {
		if x, err := n.follow(e.view()); err == nil {
			walkAll(x.val, x.eval, map[*graph.Cell]bool{})
		}
		r.instances.leave(e.eval)
	}
	return crew.wait() > 0
}

// applyAhead is apply for an instance that nobody asked for yet. If its class panics,
// that is an error to who asks.
func (r *revision) applyAhead(path value.Path) {
	defer func() { _ = recover() }()
	r.apply(path)
}

// apply asks for the members of the instance at a path, on an evaluation of its own.
func (r *revision) apply(path value.Path) {
	e, err := r.open(&task{})
	if err != nil {
		return
	}
	defer r.instances.leave(e.eval)
	v, ok, err := e.eval.Root().At(path).Value()
	if ok && err == nil && v.Is(value.MapKind) {
		for range v.Map().Keys() { // the last ones are members
		}
	}
}

// walkAll looks at everything in v that can be had. In open are the maps and lists
// around v.
func walkAll(v value.Value, e *graph.Eval, open map[*graph.Cell]bool) {
	c := graph.CellOf(v)
	if open[c] || e.Enter() != nil {
		return
	}
	defer e.Leave()
	if c != nil {
		open[c] = true
		defer delete(open, c)
	}
	switch v.Kind() {
	case value.ListKind:
		for i := range v.List().Len() {
			if item, err := v.List().At(i); err == nil {
				walkAll(item, e, open)
			}
		}
	case value.MapKind:
		for _, k := range engine.AllKeys(v) {
			if item, ok, err := v.Map().Get(k); ok && err == nil {
				walkAll(item, e, open)
			}
		}
	}
}
