package lookup

import (
	"context"
	"sync"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/lang/bind"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Table has the bindings of one node, and the lock of the goroutines that share it. Its own methods take the
// lock; callers of the methods of bind.Table hold it.
type Table struct {
	sync.Mutex
	*bind.Table
}

// OpenTable opens a source and composes the bindings of the node that o describes.
//
// Codes: the codes of [Open], [Facts] and [Bindings.Compose].
func OpenTable(ctx context.Context, o Options) (*Table, error) {
	facts, err := Facts(o.Engine, o.Facts, o.FactValues)
	if err != nil {
		return nil, err
	}
	b, err := Open(ctx, o)
	if err != nil {
		return nil, err
	}
	t, err := b.Compose(facts)
	if err != nil {
		return nil, err
	}
	return &Table{Table: t}, nil
}

// Inject implements [expr.Injector]: it answers expressions of documents.
func (t *Table) Inject(c expr.Injection) (value.Value, error) {
	t.Lock()
	defer t.Unlock()
	v, err := Inject(t.Table, c)
	if err != nil {
		return value.Null, err
	}
	return Plain(t.Table, v)
}

// Document returns all effective data as a document, as the function [Document] does.
func (t *Table) Document(f *source.File) (*graph.Doc, error) { return Document(t.Table, f, &t.Mutex) }

// Check evaluates everything and returns all findings at the levels of checks: errors, and probable mistakes as
// warnings.
func (t *Table) Check(checks source.Checks) []*source.Diagnostic {
	t.Lock()
	defer t.Unlock()
	var found []*source.Diagnostic
	for _, d := range append(t.Lint(), t.Force()...) {
		if d = checks.Apply(d); d != nil {
			found = append(found, d)
		}
	}
	return found
}
