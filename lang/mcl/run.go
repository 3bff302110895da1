package mcl

import (
	"github.com/yaytpl/yaytpl/lang/mcl/syntax"
	"github.com/yaytpl/yaytpl/lang/mcl/types"
	"github.com/yaytpl/yaytpl/resource"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// # Running a program
//
// A run executes the statements of a typed program, and finds which resources and edges there are. For
//
//	$ports = [80, 443]
//	for $i, $p in $ports {
//		if $p > 100 {
//			net fmt.printf("port%d", $p) { number => $p, Before => Svc["web"], }
//		}
//	}
//	svc "web" { state => $state, }
//
// it evaluates $ports, the condition for each turn, and the name of the resource in the turn with 443: all that
// decides which resources there are. Their marks are added to output.marks, since the mere presence of a resource
// may tell a secret. The values of number and state are not evaluated: each becomes a node that is
// evaluated when it is asked for, in the frame of its turn (lower.go). The line Before is an edge, whose other end
// is looked up when all statements are executed (resources.go).

// An output collects the resources and edges that the statements of a run have. Names and conditions
// are evaluated; the values of fields are not.
type output struct {
	*run
	resources []*vertex
	index     map[resource.ID]*vertex
	edges     []*edge
	marks     value.Marks // of the values that decided which resources there are
	why       *cause      // of the statements that are executed

	twice *source.Diagnostic // the first resource that is defined twice
}

// A vertex is one resource of the output.
type vertex struct {
	resource.ID
	node  *syntax.Resource
	frame *frame
	lines []*syntax.Line // fields and meta parameters whose conditions hold
	marks value.Marks    // of its name
	why   *cause

	// For the edges; see joinEdges and acyclic.
	text  string // the ID as edges write it
	rank  int    // of the text among the texts of all resources
	first int    // the index of the first edge from it, while they are sorted that after the last one
	waits int    // the number of edges to it whose other end is still there
}

// An edge is one edge of the output, or a value that one resource sends to another.
type edge struct {
	fromID, toID resource.ID
	from, to     *vertex // once all statements are executed
	notify       bool
	send, recv   string
	at           source.Span

	first, second *syntax.Half // as they are written; a line of a resource has one for both
	frame         *frame
	why           *cause
}

// The costs of a resource and of an edge, which take memory until the end of the run: with the default
// limit of steps there are at most 500,000 resources or 2,000,000 edges.
const (
	resourceSteps = 1000
	edgeSteps     = 250
)

// stmts executes statements in a frame.
func (o *output) stmts(stmts []syntax.Stmt, f *frame) error {
	for _, st := range stmts {
		err := o.step(1)
		if err == nil {
			err = o.stmt(st, f)
		}
		if err != nil {
			return located(err, st.Span())
		}
	}
	return nil
}

// stmt executes one statement. The statements of a branch or a turn have a cause, which explain reports for each
// resource that they add.
func (o *output) stmt(st syntax.Stmt, f *frame) error {
	switch st := st.(type) {
	case *syntax.Resource:
		return o.resource(st, f)
	case *syntax.Edge:
		return o.edge(st, f)
	case *syntax.IfStmt:
		holds, err := o.condition(st.Cond, f)
		switch {
		case err != nil:
			return err
		case holds:
			return o.because(&cause{exprThunk: exprThunk{st.Cond, f}}, st.Then.Stmts, f)
		case st.Else != nil:
			return o.because(&cause{exprThunk: exprThunk{st.Cond, f}}, st.Else.Stmts, f)
		}
	case *syntax.For:
		return o.loop(st, f)
	case *syntax.Include:
		return o.include(f.in.unit.mod.includes[st], f)
	case *syntax.Panic:
		return o.panic(st, f)
	}
	return nil
}

// condition evaluates a condition.
func (o *output) condition(e syntax.Expr, f *frame) (bool, error) {
	v, err := o.decides(e, f)
	return v.Bool(), err
}

// decides evaluates an expression that decides which resources there are.
func (o *output) decides(e syntax.Expr, f *frame) (value.Value, error) {
	v, err := f.eval(e)
	if err != nil {
		return value.Null, err
	}
	o.marks |= v.Marks()
	return v, nil
}

// loop executes the body of a loop for each item, in a frame of its own. The variables are evaluated
// when they are read, so that explain can tell what they are.
func (o *output) loop(st *syntax.For, f *frame) error {
	over, err := o.decides(st.Over, f)
	if err != nil {
		return err
	}
	b := f.in.unit.mod.loops[st]
	turn := func(key, item value.Value) error {
		t, err := o.enter(b.frame, f, f.in)
		if err != nil {
			return err
		}
		if o.types.remembers {
			text, err := value.Repr(key)
			if err != nil {
				return err
			}
			t.within(f, st.Span(), text)
		}
		t.set(b.params[0], key.Mark(over.Marks()))
		t.set(b.params[1], item.Mark(over.Marks()))
		return o.because(&cause{loop: true, exprThunk: exprThunk{st.Over, f}}, st.Body.Stmts, t)
	}
	if st.Map {
		m, ok := over.Map().(*types.Mapping)
		if !ok {
			return source.Errorf(st.Over.Span(), source.Internal, "a map of the language was expected")
		}
		keys, items := m.Sorted()
		for i, k := range keys {
			if err := turn(k, items[i]); err != nil {
				return err
			}
		}
		return nil
	}
	i := int64(0)
	for item, err := range value.Items(over.List()) {
		if err != nil {
			return err
		}
		if err := turn(value.Int(i), item); err != nil {
			return err
		}
		i++
	}
	return nil
}

// include executes the body of a class.
func (o *output) include(inc *inclusion, f *frame) error {
	if err := o.place.Eval().Enter(); err != nil {
		return err
	}
	defer o.place.Eval().Leave()
	if err := o.step(frameSteps + includeSteps + argumentSteps*inc.class.unit.frame.slots); err != nil {
		return err
	}
	var child *frame
	if inc.node.As.Text != "" {
		child = f.inclusion(inc)
	} else {
		child = f.include(inc)
	}
	return o.stmts(inc.class.unit.class.Body.Stmts, child)
}

// panic fails the program if its condition holds, or its text is not empty.
func (o *output) panic(st *syntax.Panic, f *frame) error {
	args, err := f.evalAll(st.Args.List)
	if err != nil {
		return err
	}
	first, last := args[0], args[len(args)-1]
	holds := first.Bool() || first.Str() != ""
	if !holds {
		return nil
	}
	message := "panic"
	if text, hidden := value.Masked(last); hidden {
		message += ": " + text
	} else if last.Str() != "" {
		message += ": " + last.Str()
	}
	return source.Errorf(st.At, source.Panic, "%s", message)
}

// resource adds the resources of a statement: one for each name.
func (o *output) resource(st *syntax.Resource, f *frame) error {
	names, marks, err := o.names(st.Name, f)
	if err != nil {
		return err
	}
	lines := make([]*syntax.Line, 0, len(st.Lines))
	var halves []*syntax.Line
	for _, l := range st.Lines {
		if l.Cond != nil {
			holds, err := o.condition(l.Cond, f)
			if err != nil {
				return err
			}
			if !holds {
				continue
			}
		}
		if l.Kind == syntax.EdgeLine {
			halves = append(halves, l)
		} else {
			lines = append(lines, l)
		}
	}
	for _, name := range names {
		r := &vertex{ID: resource.ID{Kind: st.Kind.Text, Name: name}, node: st, frame: f, lines: lines, marks: marks, why: o.why}
		if name == "" {
			return source.Errorf(st.Name.Span(), source.BadName, "the name of a %s is empty", st.Kind.Text)
		}
		if err := o.add(r); err != nil {
			return err
		}
		for _, l := range halves {
			if err := o.property(r.ID, l, f); err != nil {
				return err
			}
		}
	}
	return nil
}

// names evaluates the name of a resource or half: a text, or a list of texts.
func (o *output) names(e syntax.Expr, f *frame) ([]string, value.Marks, error) {
	v, err := o.decides(e, f)
	if err != nil {
		return nil, 0, err
	}
	if v.Is(value.StringKind) {
		return []string{v.Str()}, v.Marks(), nil
	}
	marks := v.Marks()
	var names []string
	for item, err := range value.Items(v.List()) {
		if err != nil {
			return nil, 0, err
		}
		marks |= item.Marks()
		names = append(names, item.Str())
	}
	o.marks |= marks
	return names, marks, o.step(len(names))
}

// property adds the edges of a line such as "Before => Kind[name]".
func (o *output) property(of resource.ID, l *syntax.Line, f *frame) error {
	names, _, err := o.names(l.Half.Name, f)
	if err != nil {
		return err
	}
	if err := o.step(edgeSteps * len(names)); err != nil {
		return located(err, l.At)
	}
	for _, name := range names {
		other := resource.ID{Kind: l.Half.Kind.Text, Name: name}
		e := &edge{fromID: of, toID: other, at: l.At, first: l.Half, second: l.Half, frame: f, why: o.why}
		if l.Cond != nil {
			e.why = &cause{up: o.why, exprThunk: exprThunk{l.Cond, f}}
		}
		switch l.Name.Text {
		case "depend", "listen":
			e.fromID, e.toID = other, of
		}
		e.notify = l.Name.Text == "notify" || l.Name.Text == "listen"
		o.edges = append(o.edges, e)
	}
	return nil
}

// edge adds the edges of a statement: of each pair of neighbours, the full product of their names.
func (o *output) edge(st *syntax.Edge, f *frame) error {
	ends := make([][]string, len(st.Halves))
	for i, h := range st.Halves {
		names, _, err := o.names(h.Name, f)
		if err != nil {
			return err
		}
		ends[i] = names
	}
	for i := 1; i < len(ends); i++ {
		from, to := st.Halves[i-1], st.Halves[i]
		if err := o.step(edgeSteps * len(ends[i-1]) * len(ends[i])); err != nil {
			return err
		}
		for _, a := range ends[i-1] {
			for _, b := range ends[i] {
				o.edges = append(o.edges, &edge{
					fromID: resource.ID{Kind: from.Kind.Text, Name: a}, toID: resource.ID{Kind: to.Kind.Text, Name: b},
					send: st.Send.Text, recv: st.Recv.Text, at: st.At, first: from, second: to, frame: f, why: o.why,
				})
			}
		}
	}
	return nil
}

// execute runs a program at a place, and checks its resources and edges.
func (r *run) execute(main *module) (*output, error) {
	o := &output{run: r, index: map[resource.ID]*vertex{}}
	f := r.file(main)
	if err := o.stmts(main.tree.Body.Stmts, f); err != nil {
		return nil, err
	}
	return o, o.checked()
}
