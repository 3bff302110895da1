package mcl

import (
	"maps"
	"slices"

	"github.com/yaytpl/yaytpl/internal/lazy"
	"github.com/yaytpl/yaytpl/lang/mcl/syntax"
	"github.com/yaytpl/yaytpl/lang/mcl/types"
	"github.com/yaytpl/yaytpl/source"
)

// # Typing statements
//
// Statements have no type. They demand types of their expressions: a condition is a bool, a name is a str or a
// []str, a meta parameter has its type of the table below, and a field has the type that the schema of its kind
// has for it, or without a schema any type that holds no function. Only statements with output are typed; binds
// and definitions are typed when an expression uses them, so that an unused one cannot fail.

// stmts types statements with output.
func (n *inference) stmts(in *instance, stmts []syntax.Stmt) error {
	for _, st := range stmts {
		if err := n.step(1); err != nil {
			return located(err, st.Span())
		}
		if err := n.stmt(in, st); err != nil {
			return err
		}
	}
	return nil
}

// stmt types one statement. Definitions have no output, and are typed where they are used.
func (n *inference) stmt(in *instance, st syntax.Stmt) error {
	switch st := st.(type) {
	case *syntax.Resource:
		return n.resource(in, st)
	case *syntax.Edge:
		for _, h := range st.Halves {
			if err := n.names(in, h.Name); err != nil {
				return err
			}
		}
	case *syntax.IfStmt:
		if err := n.is(in, types.Bool, st.Cond, "a condition is a bool"); err != nil {
			return err
		}
		if err := n.stmts(in, st.Then.Stmts); err != nil || st.Else == nil {
			return err
		}
		return n.stmts(in, st.Else.Stmts)
	case *syntax.For:
		return n.loop(in, st)
	case *syntax.Include:
		return n.include(in, st)
	case *syntax.Panic:
		return n.panic(in, st)
	}
	return nil
}

// is checks that an expression has a type without parts. The rule that asks for it is for messages.
func (n *inference) is(in *instance, k types.Kind, e syntax.Expr, rule string) error {
	t, err := n.expr(in, e)
	if err != nil {
		return err
	}
	return n.unifyAs(types.Of(k, source.Span{}), t, e, rule)
}

// loop types a loop. All turns have the same types, so its body is typed once.
func (n *inference) loop(in *instance, st *syntax.For) error {
	over, err := n.expr(in, st.Over)
	if err != nil {
		return err
	}
	key, elem := types.Of(types.Int, st.Key.At), types.Of(types.Var, st.Over.Span())
	want, rule := types.ListOf(elem, source.Span{}), "for goes over a list, forkv over a map"
	if st.Map {
		key = types.Of(types.Var, st.Over.Span())
		want = types.MapOf(key, elem, source.Span{})
	}
	if err := n.unifyAs(want, over, st.Over, rule); err != nil {
		return err
	}
	b := in.unit.mod.loops[st]
	for i, t := range []*types.Type{key, elem} {
		in.terms[b.params[i].term], in.binds[b.params[i].term] = t, done
	}
	return n.stmts(in, st.Body.Stmts)
}

// include types the arguments of an include and, once for each instance, the body of its class.
func (n *inference) include(in *instance, st *syntax.Include) error {
	child, err := n.inclusion(in, in.unit.mod.includes[st])
	if err != nil || child.state != fresh {
		return err
	}
	child.state = done
	if err := n.stmts(child, child.unit.class.Body.Stmts); err != nil {
		return calledAt(err, st.Span(), child.unit)
	}
	return nil
}

// panic types a panic: a bool, a str, or a bool and a str.
func (n *inference) panic(in *instance, st *syntax.Panic) error {
	args := st.Args.List
	if len(args) == 2 {
		if err := n.is(in, types.Bool, args[0], "panic takes a condition and a message"); err != nil {
			return err
		}
		return n.is(in, types.Str, args[1], "panic takes a condition and a message")
	}
	t, err := n.expr(in, args[0])
	if err != nil {
		return err
	}
	return n.wait(&constraint{on: t, at: args[0].Span(), try: func() error {
		if t.Is(types.Bool) || t.Is(types.Str) {
			return nil
		}
		return because(source.Errorf(args[0].Span(), source.TypeConflict, "expected bool or str, found %s", t), t)
	}, byDefault: func() error { return n.unify(types.Of(types.Str, source.Span{}), t, args[0]) }})
}

// names types the name of a resource or of a half of an edge: a text or a list of texts, by default a
// text (spec: mcl, section 5).
func (n *inference) names(in *instance, e syntax.Expr) error {
	t, err := n.expr(in, e)
	if err != nil {
		return err
	}
	if !t.Is(types.Var) {
		return n.nameType(t, e)
	}
	return n.wait(&constraint{
		on: t, at: e.Span(), try: func() error { return n.nameType(t, e) },
		byDefault: func() error { return n.unify(types.Of(types.Str, source.Span{}), t, e) },
	})
}

// nameType checks the type of a name.
func (n *inference) nameType(t *types.Type, e syntax.Expr) error {
	switch {
	case t.Is(types.List):
		return n.unifyAs(types.ListOf(types.Of(types.Str, source.Span{}), source.Span{}), t, e, "a name is of type str or []str")
	case t.Is(types.Str):
		return nil
	}
	return because(source.Errorf(e.Span(), source.TypeConflict, "expected a name, of type str or []str, found %s", t), t)
}

// resource types a resource.
func (n *inference) resource(in *instance, st *syntax.Resource) error {
	if err := n.names(in, st.Name); err != nil {
		return err
	}
	for _, l := range st.Lines {
		if l.Cond != nil {
			if err := n.is(in, types.Bool, l.Cond, "a condition is a bool"); err != nil {
				return err
			}
		}
		if err := n.line(in, st.Kind.Text, l); err != nil {
			return err
		}
	}
	return nil
}

// line types a line of a resource: an edge, a meta parameter, or a field. A field without a schema may have any
// type but a function, which the document has no form for.
func (n *inference) line(in *instance, kind string, l *syntax.Line) error {
	switch l.Kind {
	case syntax.EdgeLine:
		return n.names(in, l.Half.Name)
	case syntax.MetaLine:
		t, err := n.expr(in, l.Value)
		if err != nil {
			return err
		}
		return n.unifyAs(metaType(l.Name.Text), t, l.Value, "the meta parameter "+l.Name.Text+" has a fixed type")
	case syntax.MetaAll:
		return n.metaAll(in, l)
	}
	t, err := n.expr(in, l.Value)
	if err != nil {
		return err
	}
	if fields, closed := n.schema[kind]; closed {
		want := fields[l.Name.Text]
		if want == nil {
			return source.Errorf(l.Name.At, source.UnknownField, "%s has no field %s", kind, l.Name.Text).DidYouMean(l.Name.Text, maps.Keys(fields))
		}
		if err := n.unifyAs(types.Written(want), t, l.Value, "the schema has the types of the fields of "+kind); err != nil {
			return err
		}
	}
	return n.when(t, l.Value.Span(), func() error {
		return n.withoutFunc(t, func() error {
			if t.Is(types.Func) {
				return source.Errorf(l.Span(), source.TypeConflict, "the value of a field cannot be a %s", t)
			}
			return source.Errorf(l.Span(), source.TypeConflict, "the value of a field cannot hold a func, as %s does", t)
		})
	})
}

// metaTypes are the meta parameters (spec: mcl, section 5, "Resource").
var metaTypes = lazy.Value[map[string]types.Kind]{Make: func() map[string]types.Kind {
	return map[string]types.Kind{
		"noop": types.Bool, "retryreset": types.Bool, "reset": types.Bool, "rewatch": types.Bool, "realize": types.Bool,
		"dollar": types.Bool, "hidden": types.Bool, "reverse": types.Bool, "autoedge": types.Bool, "autogroup": types.Bool,
		"retry": types.Int, "delay": types.Int, "timeout": types.Int, "poll": types.Int, "burst": types.Int,
		"limit": types.Float, "sema": types.List, "export": types.List,
	}
}}

// metaType returns the type of a meta parameter: of lists []str.
func metaType(name string) *types.Type {
	if k := metaTypes.Get()[name]; k != types.List {
		return types.Of(k, source.Span{})
	}
	return types.ListOf(types.Of(types.Str, source.Span{}), source.Span{})
}

// unknownMeta is the error of a meta parameter that does not exist, with a similar name.
func unknownMeta(name syntax.Word) *source.Diagnostic {
	return source.Errorf(name.At, source.UnknownMeta, "there is no meta parameter %s", name.Text).
		DidYouMean(name.Text, slices.Values(slices.Sorted(maps.Keys(metaTypes.Get()))))
}

// metaAll types "Meta => struct{...}", which may have any of the meta parameters.
func (n *inference) metaAll(in *instance, l *syntax.Line) error {
	t, err := n.expr(in, l.Value)
	if err != nil {
		return err
	}
	return n.when(t, l.Value.Span(), func() error {
		if !t.Is(types.Struct) {
			return source.Errorf(l.Value.Span(), source.TypeConflict, "expected a struct with meta parameters, found %s", t)
		}
		for _, f := range t.Find().Fields {
			if _, ok := metaTypes.Get()[f.Name]; !ok {
				return unknownMeta(syntax.Word{Text: f.Name, At: l.Value.Span()})
			}
			if err := n.unifyAs(metaType(f.Name), f.Type, l.Value, "the meta parameter "+f.Name+" has a fixed type"); err != nil {
				return err
			}
		}
		return nil
	})
}
