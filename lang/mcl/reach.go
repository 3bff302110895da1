package mcl

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/lang/mcl/syntax"
	"github.com/yaytpl/yaytpl/lang/mcl/types"
	"github.com/yaytpl/yaytpl/source"
)

// This file walks the statements and expressions that have output, and resolves the names in them (names.go). Walking
// is what makes errors of names lazy: an expression that no output needs is never visited. Checks that need no
// types are here as well: arguments of classes are counted, and no key, field or parameter is given twice.

// maxDepth bounds the nesting of expressions, through the definitions that they use, and of classes that
// include each other: resolving, typing and evaluating one takes stack.
//
//	$a = $b + 1      a sum in $a, $b in it, a list in $b, $c in it, a number in $c: 5 deep
//	$b = [$c]
//	$c = 0
const maxDepth = 100_000

// enter begins a level of nesting. If it succeeds the caller calls leave.
func (r *resolver) enter(at source.Span) error {
	if r.depth == maxDepth {
		return tooDeep(at)
	}
	r.depth++
	return nil
}

// leave ends a level that enter began.
func (r *resolver) leave() { r.depth-- }

// tooDeep is the error of an expression or include that is nested deeper than maxDepth.
func tooDeep(at source.Span) *source.Diagnostic {
	return source.Errorf(at, source.Limit, "the program is nested more than %d deep, with the definitions that this uses", maxDepth)
}

// stmts resolves what the output of statements uses. Their names are declared.
func (r *resolver) stmts(stmts []syntax.Stmt, s *scope) error {
	for _, st := range stmts {
		if err := r.stmt(st, s); err != nil {
			return err
		}
	}
	return nil
}

// stmt resolves what one statement uses. Both branches of an if are resolved, since conditions are only known at run
// time: an error of a name does not depend on data.
func (r *resolver) stmt(st syntax.Stmt, s *scope) error {
	switch st := st.(type) {
	case *syntax.Resource:
		return r.resource(st, s)
	case *syntax.Edge:
		for _, h := range st.Halves {
			if err := r.expr(h.Name, s); err != nil {
				return err
			}
		}
	case *syntax.IfStmt:
		if err := r.expr(st.Cond, s); err != nil {
			return err
		}
		if err := r.block(st.Then, s.inner()); err != nil || st.Else == nil {
			return err
		}
		return r.block(st.Else, s.inner())
	case *syntax.For:
		return r.loop(st, s)
	case *syntax.Include:
		return r.include(s.mod.includes[st])
	case *syntax.Panic:
		return r.panic(st, s)
	}
	return nil
}

// block declares the names of a block and resolves its statements.
func (r *resolver) block(b *syntax.Block, s *scope) error {
	if err := r.declare(b.Stmts, s); err != nil {
		return err
	}
	return r.stmts(b.Stmts, s)
}

// loop resolves a loop. Its body is a scope inside of the scope of its variables, since it may bind their
// names again.
func (r *resolver) loop(st *syntax.For, s *scope) error {
	if err := r.expr(st.Over, s); err != nil {
		return err
	}
	turn := s.framed()
	b := &binder{frame: turn.frame, scope: turn}
	for _, name := range []syntax.Word{st.Key, st.Value} {
		sym, d := turn.add(name, nil, nil)
		if d != nil {
			return d
		}
		sym.loop = true
		b.params = append(b.params, sym)
	}
	s.mod.loops[st] = b
	return r.block(st.Body, turn.inner())
}

// include resolves the arguments of an include and, once, the body of its class.
func (r *resolver) include(inc *inclusion) error {
	if err := r.enter(inc.node.Span()); err != nil {
		return err
	}
	defer r.leave()
	if err := r.inclusion(inc); err != nil {
		return err
	}
	if inc.node.Args != nil {
		for _, a := range inc.node.Args.List {
			if err := r.expr(a, inc.scope); err != nil {
				return err
			}
		}
	}
	c := inc.class
	want := len(c.unit.params)
	if have := argCount(inc.node.Args); have != want {
		return badCount(inc.node.Name.At, "the class "+c.unit.name, fmt.Sprint(want), have).
			Note(c.unit.at, "it is defined here")
	}
	switch c.state {
	case done:
		return nil
	case running:
		return source.Errorf(inc.node.Span(), source.Recursion, "the class %s is recursive: it includes itself here", c.unit.name).Note(c.unit.at, "it is defined here")
	}
	c.state = running
	if err := r.body(c); err != nil {
		return err
	}
	err := r.stmts(c.unit.class.Body.Stmts, c.body)
	c.state = done
	return err
}

// argCount returns the number of arguments of an include or panic, which may have no parentheses.
func argCount(args *syntax.Args) int {
	if args == nil {
		return 0
	}
	return len(args.List)
}

// plural returns "1 argument", "2 arguments".
func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// panic resolves a panic, which has a condition, a message, or both.
func (r *resolver) panic(st *syntax.Panic, s *scope) error {
	if n := argCount(st.Args); n < 1 || n > 2 {
		return badCount(st.Span(), "panic", "1 or 2", n)
	}
	for _, a := range st.Args.List {
		if err := r.expr(a, s); err != nil {
			return err
		}
	}
	return nil
}

// resource resolves a resource.
func (r *resolver) resource(st *syntax.Resource, s *scope) error {
	if st.Collect {
		return source.Errorf(st.Span(), source.Unsupported, "collect needs the cluster of mgmt, which a document does not have")
	}
	if err := r.expr(st.Name, s); err != nil {
		return err
	}
	given := map[string]source.Span{}
	for _, l := range st.Lines {
		if err := lineTwice(l, given); err != nil {
			return err
		}
		if l.Cond != nil {
			if err := r.expr(l.Cond, s); err != nil {
				return err
			}
		}
		value := l.Value
		if l.Half != nil {
			value = l.Half.Name
		}
		if err := r.expr(value, s); err != nil {
			return err
		}
	}
	return nil
}

// lineTwice checks that no field or meta parameter is given twice, and that meta parameters exist.
func lineTwice(l *syntax.Line, given map[string]source.Span) error {
	add := func(what, name string, at source.Span) error {
		key := what + name
		if old, ok := given[key]; ok {
			return source.Errorf(at, source.DuplicateKey, "the %s %s is given twice", what, name).Note(old, "it is given here")
		}
		given[key] = at
		return nil
	}
	switch l.Kind {
	case syntax.FieldLine:
		return add("field", l.Name.Text, l.Name.At)
	case syntax.MetaLine:
		if _, ok := metaTypes.Get()[l.Name.Text]; !ok {
			return unknownMeta(l.Name)
		}
		return add("meta parameter", l.Name.Text, l.Name.At)
	case syntax.MetaAll:
		st, ok := l.Value.(*syntax.Struct)
		if !ok {
			return nil
		}
		for _, f := range st.Fields {
			if _, ok := metaTypes.Get()[f.Name.Text]; !ok {
				return unknownMeta(f.Name)
			}
			if err := add("meta parameter", f.Name.Text, f.Name.At); err != nil {
				return err
			}
		}
	}
	return nil
}

// expr resolves an expression.
func (r *resolver) expr(e syntax.Expr, s *scope) error {
	if err := r.enter(e.Span()); err != nil {
		return err
	}
	defer r.leave()
	switch e := e.(type) {
	case *syntax.Var:
		return r.use(e, e.Name, s)
	case *syntax.History:
		return r.use(e, e.Name, s)
	case *syntax.Call:
		if e.Fn != nil {
			break
		}
		to, err := r.function(e.Name, s)
		if err != nil {
			return err
		}
		s.mod.uses[e.ID()] = to
	case *syntax.Lambda:
		return r.lambda(e, s)
	case *syntax.Map:
		if err := keysTwice(e); err != nil {
			return err
		}
	case *syntax.Struct:
		if err := fieldsTwice(e); err != nil {
			return err
		}
	}
	for child := range syntax.Children(e) {
		if err := r.expr(child, s); err != nil {
			return err
		}
	}
	return nil
}

// use resolves a variable in an expression.
func (r *resolver) use(e syntax.Expr, name string, s *scope) error {
	to, err := r.variable(name, e.Span(), s)
	if err == nil {
		s.mod.uses[e.ID()] = to
	}
	return err
}

// lambda resolves a lambda: its parameters have frames of their own, its types belong to the unit
// around it.
func (r *resolver) lambda(e *syntax.Lambda, s *scope) error {
	call := s.framed()
	params, err := call.addParams(e.Func.Params)
	if err != nil {
		return err
	}
	if t := e.Func.Result; t != nil {
		if d := types.Check(t); d != nil {
			return d
		}
	}
	s.mod.lambdas[e.Func] = &binder{frame: call.frame, params: params, scope: call}
	return r.expr(e.Func.Body, call)
}

// fieldsTwice checks that a struct has no field twice.
func fieldsTwice(e *syntax.Struct) error {
	names := map[string]source.Span{}
	for _, f := range e.Fields {
		if old, ok := names[f.Name.Text]; ok {
			return source.Errorf(f.Name.At, source.DuplicateKey, "the field %s is given twice", f.Name.Text).Note(old, "it is given here")
		}
		names[f.Name.Text] = f.Name.At
	}
	return nil
}

// keysTwice checks that no constant is twice the key of a map.
func keysTwice(e *syntax.Map) error {
	given := map[string]source.Span{}
	for _, entry := range e.Entries {
		text, ok := constant(entry.Key)
		if !ok {
			continue
		}
		if old, ok := given[text]; ok {
			return source.Errorf(entry.Key.Span(), source.DuplicateKey, "the key %s is given twice", syntax.Shown(entry.Key.Span(), entry.Key.Span().Text())).Note(old, "it is given here")
		}
		given[text] = entry.Key.Span()
	}
	return nil
}

// constant returns a text that is the same for equal constants, false for other expressions.
func constant(e syntax.Expr) (string, bool) {
	switch e := e.(type) {
	case *syntax.Paren:
		return constant(e.X)
	case *syntax.Str:
		text, ok := plainText(e)
		return strconv.Quote(text), ok
	case *syntax.Int:
		return strconv.FormatInt(e.Value, 10), true
	case *syntax.Float:
		return strconv.FormatFloat(e.Value, 'e', -1, 64), true
	case *syntax.Bool:
		return strconv.FormatBool(e.Value), true
	case *syntax.Struct:
		var b strings.Builder
		for _, f := range e.Fields {
			text, ok := constant(f.Value)
			if !ok {
				return "", false
			}
			b.WriteString(f.Name.Text + ":" + text + ";")
		}
		return "{" + b.String() + "}", true
	}
	return "", false
}

// plainText returns the text of a string without references.
func plainText(e *syntax.Str) (string, bool) {
	text := ""
	for _, p := range e.Parts {
		if p.Ref != nil {
			return "", false
		}
		text += p.Text
	}
	return text, true
}
