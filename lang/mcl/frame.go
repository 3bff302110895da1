package mcl

import (
	"fmt"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/lang/mcl/library"
	"github.com/yaytpl/yaytpl/lang/mcl/syntax"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// # Variables at run time
//
// The resolver has given each variable a slot in a layout (scope.go). A frame is a layout with values, and frames are
// nested as the definitions are:
//
//	$a = 1                                file: slots a, double, b
//	$double = func($x) { $x * $a }
//	$b = $double(2)                       call of the lambda: slot x; up: the frame of the file
//
// In the body $x is 0 hops away and $a one. A slot holds a cell that evaluates its expression when it is first read,
// in the frame in which the expression is written: an argument in the frame of the caller, a bind in its own.
// Cells, and not plain memoization, since they find cycles, and explain can show them. What a library function
// passes, and the variables of loops, are values already.

// A frame has the values of the symbols of a layout: of a file, a class that is included, a call, a
// turn of a loop. Values are computed when they are first read.
type frame struct {
	up    *frame
	in    *instance // the types of the expressions that are evaluated in the frame
	slots []slot
	named map[int]*frame // of inclusions with a prefix, by their slots
	run   *run

	// path has the place of the program in the document, and the files and offsets of the calls, includes and
	// turns that led to the frame, in programs that remember earlier evaluations: it tells two frames apart, and is
	// the same in each evaluation.
	path string

	room [2]slot // for slots, if they are few
}

// A slot is a variable. A bind is a cell outside of the document, so that its value is kept, and
// explained, and a cycle is found.
type slot struct {
	cell *graph.Cell
	val  value.Value
}

// The costs of a frame, that is of a call, a turn of a loop, an include; of each of its arguments; and of
// the class that is included.
const (
	frameSteps    = 20
	argumentSteps = 24
	includeSteps  = 64
)

// enter returns a frame for a call, a turn or an include, whose cost is counted.
func (r *run) enter(l *layout, up *frame, in *instance) (*frame, error) {
	if err := r.enterSteps(l); err != nil {
		return nil, err
	}
	return r.newFrame(l, up, in), nil
}

// enterSteps counts the cost of a frame.
func (r *run) enterSteps(l *layout) error { return r.step(frameSteps + argumentSteps*l.slots) }

// newFrame returns a frame for a layout.
func (r *run) newFrame(l *layout, up *frame, in *instance) *frame {
	f := &frame{up: up, in: in, run: r}
	if l.slots <= len(f.room) {
		f.slots = f.room[:l.slots]
	} else {
		f.slots = make([]slot, l.slots)
	}
	return f
}

// within sets the path of a frame that an expression or statement of another frame made; key says which
// of several.
func (f *frame) within(outer *frame, at source.Span, key string) {
	if f.run.types.remembers {
		f.path = fmt.Sprintf("%s/%s:%d %s", outer.path, at.File.Name, at.Start, key)
	}
}

// above returns the frame some hops up.
func (f *frame) above(hops int) *frame {
	for range hops {
		f = f.up
	}
	return f
}

// reach returns the frame to which a use leads.
func (f *frame) reach(to use) *frame {
	if to.mod != nil {
		f = f.run.file(to.mod)
	} else {
		f = f.above(to.hops)
	}
	for _, inc := range to.via {
		f = f.inclusion(inc)
	}
	return f
}

// file returns the frame of an imported file.
func (r *run) file(m *module) *frame {
	f := r.files[m]
	if f == nil {
		f = r.newFrame(m.unit.frame, nil, r.types.module(m))
		if r.types.remembers {
			f.path = r.place.Cell.Up().Path().Pointer()
		}
		r.files[m] = f
	}
	return f
}

// inclusion returns the frame of the class that a statement with a prefix includes.
func (f *frame) inclusion(inc *inclusion) *frame {
	if child := f.named[inc.slot]; child != nil {
		return child
	}
	child := f.include(inc)
	if f.named == nil {
		f.named = map[int]*frame{}
	}
	f.named[inc.slot] = child
	return child
}

// include returns a new frame for the class of an include, with its arguments, which are evaluated when
// they are first read.
func (f *frame) include(inc *inclusion) *frame {
	outer := f.reach(inc.to)
	child := f.run.newFrame(inc.class.unit.frame, outer, f.in.of(inc.scope.unit).includes[inc.index])
	child.within(f, inc.node.Span(), "")
	for i, p := range inc.class.unit.params {
		child.slots[p.slot].cell = f.bind(p, inc.node.Args.List[i])
	}
	return child
}

// bind returns a cell for an expression that is evaluated in f.
func (f *frame) bind(sym *symbol, e syntax.Expr) *graph.Cell {
	return f.run.place.Bind("$"+sym.name, &graph.Computed{At: e.Span(), Thunk: &exprThunk{e, f}})
}

// set gives a variable a value.
func (f *frame) set(sym *symbol, v value.Value) { f.slots[sym.slot].val = v }

// symbol returns the value of a variable in its frame.
func (f *frame) symbol(sym *symbol) (value.Value, error) {
	s := &f.slots[sym.slot]
	if s.cell == nil {
		if sym.bind == nil {
			if sym.loop {
				f.run.tell("$"+sym.name, sym.at, s.val)
			}
			return s.val, nil
		}
		s.cell = f.bind(sym, sym.bind.Value)
	}
	v, _, err := s.cell.Value()
	return v, err
}

// An exprThunk evaluates an expression in a frame. It is made for one evaluation of a document.
type exprThunk struct {
	expr  syntax.Expr
	frame *frame
}

// Eval evaluates the expression.
func (t *exprThunk) Eval(p *graph.Context) (value.Value, error) {
	v, err := t.frame.eval(t.expr)
	return v, included(p, err)
}

// Raw returns the text of the expression.
func (t *exprThunk) Raw() value.Value { return rawText(t.expr.Span()) }

// Soft is false: a value that needs itself is an error.
func (t *exprThunk) Soft() bool { return false }

// rawText returns a text of the source as data.
func rawText(at source.Span) value.Value {
	v := value.String("{{ " + at.Text() + " }}").Verbatim()
	if at.File.Secret {
		v = v.Mark(value.Secret)
	}
	return v
}

// A run is one run of a program at one place of a document.
type run struct {
	place *graph.Context
	types *inference
	world *library.World
	files map[*module]*frame
	level int // of expressions that are being evaluated: see maxDepth
}

// step counts n units of work.
func (r *run) step(n int) error { return r.place.Eval().Step(n) }
