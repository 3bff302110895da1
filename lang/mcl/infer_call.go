package mcl

import (
	"fmt"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/lang/mcl/library"
	"github.com/yaytpl/yaytpl/lang/mcl/syntax"
	"github.com/yaytpl/yaytpl/lang/mcl/types"
	"github.com/yaytpl/yaytpl/source"
)

// # Typing a call
//
// A function of the library has a signature with type variables, and perhaps a rule that a signature cannot say. In
//
//	$names = ["a", "bc"]
//	$sizes = iter.map($names, func($n) { len($n) })
//
// iter.map is func(inputs []?1, function func(?1) ?2) []?2, and len is func(?1) int with the rule that ?1 is a text,
// a list or a map. [inference.callLibrary] goes on in these steps:
//
//  1. The arguments are typed, from the first to the last. $names is []str. The lambda has a parameter of the
//     undecided type ?n; its body is a call itself:
//     - [types.Scheme.Instance] gives the call of len its own copy of the signature, func(?3) int;
//     - ?3 and ?n become equal; the result is int;
//     - [inference.restrict] has the rule of len to check, and waits, since ?n is not decided.
//     So the lambda is func(?n) int.
//  2. The call of iter.map gets func([]?4, func(?4) ?5) []?5. Another call gets other variables: that two calls
//     have items of different types is no conflict.
//  3. Each parameter is unified with its argument. []?4 and []str make ?4 = str. func(?4) ?5 and func(?n) int make
//     ?n = str and ?5 = int. This wakes the rule of len (infer.go, [inference.drain]): a str is allowed.
//  4. The type of the call is the result of the signature, []int.
//
// Errors are at the expression that does not fit, with the signature as a hint. With $names = [true] the rule of len
// fails when ?n becomes bool:
//
//	len does not take bool (it takes str, list or map); note: bool because of this
//
// With the arguments exchanged step 3 fails for the first one, a func where a list is expected, and [byRule] adds
// that the list comes first.
//
// A function of the program has no signature to copy: its body is typed again for each call with other types of
// arguments (instance.go). A function that is the value of a variable has one type for all its calls.

// call types a call of a function: of a value, of the program, of the library.
func (n *inference) call(in *instance, e *syntax.Call) (*types.Type, error) {
	if e.Fn != nil {
		return n.callValue(in, e)
	}
	to := in.unit.mod.uses[e.ID()]
	if to.lib != nil {
		return n.callLibrary(in, e, to.lib)
	}
	args, err := n.exprs(in, e.Args.List)
	if err != nil {
		return nil, err
	}
	u := to.fn.unit
	if len(args) != len(u.params) {
		return nil, badCount(e.At, "the function "+u.name, fmt.Sprint(len(u.params)), len(args)).
			Note(u.at, "it is defined here")
	}
	up, err := n.reach(in, to, to.fn.scope.unit)
	if err != nil {
		return nil, err
	}
	callee, err := n.apply(u, up, args, e.Args.List, e.At, true)
	if err != nil {
		return nil, err
	}
	if in.calls == nil {
		in.calls = map[int]*instance{}
	}
	in.calls[e.ID()] = callee
	return callee.result, nil
}

// callValue types a call of a variable or lambda.
func (n *inference) callValue(in *instance, e *syntax.Call) (*types.Type, error) {
	fn, err := n.expr(in, e.Fn)
	if err != nil {
		return nil, err
	}
	args, err := n.exprs(in, e.Args.List)
	if err != nil {
		return nil, err
	}
	if f := fn.Find(); f.Kind == types.Func {
		if len(f.Fields) != len(args) {
			return nil, because(badCount(e.At, "the function", fmt.Sprint(len(f.Fields)), len(args)), f)
		}
		for i, a := range args {
			if err := n.unifyAs(f.Fields[i].Type, a, e.Args.List[i], "a function that is a value has one type"); err != nil {
				return nil, err
			}
		}
		return f.Elem, nil
	} else if f.Kind != types.Var {
		return nil, because(source.Errorf(e.Fn.Span(), source.TypeConflict, "expected a func, found %s", f), f)
	}
	result := types.Of(types.Var, e.At)
	params := make([]types.Field, len(args))
	for i, a := range args {
		params[i] = types.Field{Type: a}
	}
	return result, n.unify(types.FuncOf(params, result, e.At), fn, e.Fn)
}

// callLibrary types a call of a function of the library: by its signature, and by what the signature
// cannot say.
func (n *inference) callLibrary(in *instance, e *syntax.Call, f *library.Func) (*types.Type, error) {
	n.remembers = n.remembers || f.Remembers
	exprs := e.Args.List
	args, err := n.exprs(in, exprs)
	if err != nil {
		return nil, err
	}
	if f.Rule == library.Printf {
		return n.printf(in, e, args)
	}
	if f.Rule == library.StructLookup && len(args) == 2 {
		return n.structLookup(e, args)
	}
	s := f.Scheme(len(args))
	if s == nil {
		return nil, badCount(e.At, "the function "+f.Name, f.Counts(), len(args)).
			WithHint("%s %s", f.Name, f.Signature(len(args)))
	}
	sig := s.Instance(e.At)
	for i, a := range args {
		want := sig.Fields[min(i, len(sig.Fields)-1)].Type
		if err := n.unifyAs(want, a, exprs[i], ""); err != nil {
			return nil, byRule(err, exprs[i].Span(), f, args)
		}
	}
	if result := sig.Elem.Find(); result.Kind == types.Var && result.At.IsZero() {
		result.At = e.At
	}
	return sig.Elem, n.restrict(f, args, exprs)
}

// byRule adds the signature of a function to the error of one of its arguments, and to errors of iter.map
// and the like, which once took the function first, that the list comes first.
func byRule(err error, at source.Span, f *library.Func, args []*types.Type) error {
	if d, ok := err.(*source.Diagnostic); ok && d.Code == source.TypeConflict && d.At == at {
		hint := f.Name + " " + f.Signature(len(args))
		if strings.HasPrefix(f.Name, "iter.") && args[0].Is(types.Func) {
			hint = "the list comes first: " + hint
		}
		if d.Hint != "" {
			hint += "; " + d.Hint
		}
		return d.WithHint("%s", hint)
	}
	return err
}

// restrict checks the types that the type variables of a signature have become.
func (n *inference) restrict(f *library.Func, args []*types.Type, exprs []syntax.Expr) error {
	var allowed []types.Kind
	switch f.Rule {
	case library.Len:
		allowed = []types.Kind{types.Str, types.List, types.Map}
	case library.Numeric:
		allowed = []types.Kind{types.Int, types.Float}
	case library.Comparable:
		return n.comparable(args[0], exprs[0])
	case library.Template:
		if len(args) < 2 {
			return nil
		}
		return n.noFunc(args[1], exprs[1])
	default:
		return nil
	}
	return n.when(args[0], exprs[0].Span(), func() error {
		if slices.ContainsFunc(allowed, args[0].Is) {
			return nil
		}
		return because(source.Errorf(exprs[0].Span(), source.TypeConflict, "%s does not take %s", f.Name, args[0]).
			WithHint("it takes %s", list(allowed)), args[0])
	})
}

// list joins kinds for a hint: "str, list or map".
func list(kinds []types.Kind) string {
	text := kinds[0].String()
	for i, k := range kinds[1:] {
		if i == len(kinds)-2 {
			text += " or " + k.String()
		} else {
			text += ", " + k.String()
		}
	}
	return text
}

// noFunc refuses functions, and values that hold some, where a value is printed.
func (n *inference) noFunc(t *types.Type, e syntax.Expr) error {
	return n.when(t, e.Span(), func() error {
		return n.withoutFunc(t, func() error {
			return source.Errorf(e.Span(), source.TypeConflict, "a value of type %s cannot be printed", t)
		})
	})
}

// withoutFunc refuses a type that is a func, or holds one. That a type is a func shows before its parts
// are decided.
func (n *inference) withoutFunc(t *types.Type, refuse func() error) error {
	if t.Is(types.Func) {
		return refuse()
	}
	return n.whole(t, func() error {
		if t.HoldsFunc() {
			return refuse()
		}
		return nil
	})
}

// printf types a call of printf: the verbs of a format that is known say the types of its arguments.
func (n *inference) printf(in *instance, e *syntax.Call, args []*types.Type) (*types.Type, error) {
	result := types.Of(types.Str, e.At)
	if len(args) == 0 {
		return nil, source.Errorf(e.At, source.BadCall, "printf takes a format, and other arguments as its verbs say; there are no arguments")
	}
	format := e.Args.List[0]
	if err := n.unify(types.Of(types.Str, source.Span{}), args[0], format); err != nil {
		return nil, err
	}
	text, ok := n.literal(in, format)
	if !ok {
		return result, nil
	}
	verbs, err := library.Verbs(text)
	if err != nil {
		return nil, source.Errorf(format.Span(), source.BadCall, "%v", err)
	}
	if len(verbs) != len(args)-1 {
		return nil, source.Errorf(e.At, source.BadCall, "wrong number of arguments: the format has %s, and %s for them", plural(len(verbs), "verb"), plural(len(args)-1, "value"))
	}
	for i, v := range verbs {
		arg, expr := args[i+1], e.Args.List[i+1]
		if v.Kind != types.Var {
			if err := n.unify(types.Of(v.Kind, source.Span{}), arg, expr); err != nil {
				if d, ok := err.(*source.Diagnostic); ok && d.At == expr.Span() {
					d.WithHint("%s", fmt.Sprintf("the verb is %%%c; %%v takes any type", v.Letter))
				}
				return nil, err
			}
			continue
		}
		if v.Letter == 'T' {
			continue // it prints the type
		}
		if err := n.noFunc(arg, expr); err != nil {
			return nil, err
		}
	}
	return result, nil
}

// maxAliases bounds the binds of binds through which the format of printf is looked for.
const maxAliases = 100

// literal returns the text of an expression that is a literal, or a variable that is bound to one.
func (n *inference) literal(in *instance, e syntax.Expr) (string, bool) {
	for range maxAliases {
		switch x := e.(type) {
		case *syntax.Paren:
			e = x.X
		case *syntax.Str:
			return plainText(x)
		case *syntax.Var:
			to := in.unit.mod.uses[x.ID()]
			if to.sym == nil || to.sym.bind == nil {
				return "", false
			}
			there, err := n.reach(in, to, to.sym.scope.unit)
			if err != nil {
				return "", false
			}
			in, e = there, to.sym.bind.Value
		default:
			return "", false
		}
	}
	return "", false
}

// structLookup types structlookup($s, "field"), of 2018.
func (n *inference) structLookup(e *syntax.Call, args []*types.Type) (*types.Type, error) {
	name, ok := e.Args.List[1].(*syntax.Str)
	text := ""
	if ok {
		text, ok = plainText(name)
	}
	if !ok {
		return nil, source.Errorf(e.Args.List[1].Span(), source.TypeAmbiguous, "the field of structlookup is a literal text, otherwise its type is ambiguous")
	}
	result := types.Of(types.Var, e.At)
	return result, n.fieldOf(args[0], e.Args.List[0], syntax.Word{Text: text, At: name.At}, false, result, e)
}
