package mcl

import (
	"errors"
	"fmt"
	"slices"

	"github.com/yaytpl/yaytpl/internal/lazy"
	"github.com/yaytpl/yaytpl/lang/mcl/syntax"
	"github.com/yaytpl/yaytpl/lang/mcl/types"
	"github.com/yaytpl/yaytpl/source"
)

// A conflict names the types as a whole, at the newer expression, and where the program says the parts
// that differ. The hint has the rule that makes them equal, and the usual repair.
//
//	$port = 80
//	$url = "http://h:" + $port
//
//	2:22: expected str, found int (both sides of + have one type; fmt.printf("%v", ...) makes text)
//	2:8:  note: str because of this
//	1:9:  note: int because of this

// unify makes the type of an expression equal to the one that its place has.
func (n *inference) unify(want, have *types.Type, e syntax.Node) error {
	return n.unifyAs(want, have, e, "")
}

// unifyAs is unify with the rule that makes the types equal, for messages: "the items of a list have one
// type".
func (n *inference) unifyAs(want, have *types.Type, e syntax.Node, rule string) error {
	before, beforeHave := want.Find(), have.Find()
	if err := n.Unify(want, have); err != nil {
		return conflict(err, before, beforeHave, e.Span(), rule)
	}
	return n.drain()
}

// oneType has the rule of the two sides of each operator: it is asked for each operator of a program, so the
// texts are made once.
var oneType = lazy.Value[map[string]string]{Make: func() map[string]string {
	rules := map[string]string{}
	for op := range overloads.Get() {
		rules[op] = "both sides of " + op + " have one type"
	}
	return rules
}}

// conflict is the error of two types that differ, at the newer expression.
func conflict(err error, want, have *types.Type, at source.Span, rule string) error {
	var c *types.Conflict
	if !errors.As(err, &c) {
		return err
	}
	if c.Depth {
		return source.Errorf(at, source.Limit, "%s", c.Error())
	}
	if c.Endless {
		return source.Errorf(at, source.TypeConflict, "the type %s would contain itself", c.Have)
	}
	d := source.Errorf(at, source.TypeConflict, "expected %s, found %s", want, have)
	if hint := conversion(want, have); hint != "" && rule != "" {
		d.WithHint("%s; %s", rule, hint)
	} else {
		d.WithHint("%s", rule+hint)
	}
	for _, t := range []*types.Type{c.Want.Find(), c.Have.Find()} {
		if !t.At.IsZero() && t.At != at {
			d.Note(t.At, "%s because of this", t)
		}
	}
	return d
}

// conversion says how a value of one type becomes one of another, "" if there is no usual way.
func conversion(want, have *types.Type) string {
	switch w, h := want.Kind, have.Kind; {
	case w == types.Str && h == types.List && have.Elem.Is(types.Str):
		return `strings.join_nonempty(..., ",") joins texts`
	case w == types.Str && h >= types.Bool && h <= types.Struct, h == types.Str && (w == types.List || w == types.Bool):
		if w == types.Str {
			return `fmt.printf("%v", ...) makes text of any value`
		}
		if w == types.Bool {
			return "compare it: ... == \"true\""
		}
	case w == types.Int && h == types.Str:
		return "convert.str_to_int(...) reads a number"
	case w == types.Float && h == types.Str:
		return "convert.str_to_float(...) reads a number"
	case w == types.Float && h == types.Int:
		return "convert.to_float(...) makes a float; a literal has a point: 2.0"
	case w == types.Int && h == types.Float:
		return "convert.to_int(...) cuts off the fraction"
	case w == types.Struct && h == types.Struct && slices.Equal(sortedFields(want), sortedFields(have)):
		return "the fields of a struct have an order"
	}
	return ""
}

// sortedFields returns the names of the fields of a struct, to see whether two structs differ in their order only.
func sortedFields(t *types.Type) []string {
	names := make([]string, len(t.Fields))
	for i, f := range t.Fields {
		names[i] = f.Name
	}
	slices.Sort(names)
	return names
}

// because adds a note where the program says a type, if it does elsewhere than the error.
func because(d *source.Diagnostic, t *types.Type) *source.Diagnostic {
	if at := t.Find().At; !at.IsZero() && at != d.At {
		d.Note(at, "%s because of this", t)
	}
	return d
}

// ambiguous is the error of an expression whose type is not decided.
func ambiguous(at source.Span, t *types.Type) *source.Diagnostic {
	subject := "this"
	switch t = t.Find(); t.Kind {
	case types.List, types.Map, types.Struct, types.Func:
		subject = fmt.Sprintf("this %s", t.Kind)
	}
	d := source.Errorf(at, source.TypeAmbiguous, "the type of %s is ambiguous: %s", subject, t)
	switch t.Kind {
	case types.List:
		return d.WithHint("an annotation decides it: $x []str = []")
	case types.Map:
		return d.WithHint("an annotation decides it: $x map{str: int} = {}")
	case types.Func:
		return d.WithHint("annotations of its parameters decide it: func($x str) { ... }")
	}
	return d.WithHint("an annotation decides it: $x str = ...")
}

// located gives a place to an error without one, such as the error of a limit.
func located(err error, at source.Span) error {
	switch d := err.(type) {
	case *source.Diagnostic:
		return d.Located(at)
	case *source.Errors:
		return err
	}
	return source.AsDiagnostic(err, at, source.Limit).Located(at)
}

// badCount is the error of a call with a wrong number of arguments.
func badCount(at source.Span, subject, takes string, have int) *source.Diagnostic {
	return source.Errorf(at, source.BadCall, "wrong number of arguments: %s takes %s, not %d", subject, takes, have)
}
