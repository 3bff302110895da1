package expr

import (
	"fmt"
	"iter"
	"slices"
	"sync"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Doc describes a function, filter or lookup of this package, with an example and
// its result.
type Doc struct{ Name, Doc, Example, Result string }

// A table has what this package provides under names: functions, filters or lookups.
type table[F any] []struct {
	Doc
	call F
}

func (t table[F]) find(name string) (f F, ok bool) {
	for i := range t {
		if t[i].Name == name {
			return t[i].call, true
		}
	}
	return f, false
}

func (t table[F]) docs() []Doc {
	out := make([]Doc, len(t))
	for i := range t {
		out[i] = t[i].Doc
	}
	return out
}

// A lateTable is a table whose functions refer to it. An initialiser of the variable would refer to itself, so the
// table is made when it is first asked for.
type lateTable[F any] struct {
	once sync.Once
	rows table[F]
}

func (t *lateTable[F]) get(newTable func() table[F]) table[F] {
	t.once.Do(func() { t.rows = newTable() })
	return t.rows
}

func (t table[F]) names(yield func(string) bool) {
	for i := range t {
		if !yield(t[i].Name) {
			return
		}
	}
}

// Functions describes the functions of expressions that need the document, the
// environment or laziness. The pure ones are the [Library]'s.
func Functions() []Doc { return functions().docs() }

// A function is one that this package provides. Either lazy or apply is set.
type function struct {
	keywords []string                                                  // keys that may be next to the function
	compile  func(c *compiler, v value.Value, at Placer) (Node, error) // the argument; nil for data
	lazy     func(c *funcCall, s *Scope) (value.Value, error)          // evaluates the argument itself
	apply    func(c *funcCall, arg value.Value, s *Scope) (value.Value, error)
}

var allFunctions lateTable[function]

func functions() table[function] { return allFunctions.get(newFunctions) }

func newFunctions() table[function] {
	return table[function]{
		{Doc{"abspath", "the absolute path of a file, or of [path, dir]", "{abspath: conf/x.txt}", "/srv/site/conf/x.txt"}, function{apply: func(c *funcCall, arg value.Value, s *Scope) (value.Value, error) { return abspath(s, c.At, arg) }}},
		{Doc{"add", "a + b: a sum, or two texts or lists joined", "{add: [2, 3]}", "5"}, function{apply: arith(value.OpAdd)}},
		{Doc{"and", "the first operand that is false, else the last", "{and: [$true, $null]}", "null"}, function{compile: (*compiler).operands, lazy: (*funcCall).evalAndOr}},
		{Doc{"concat", "the items joined to a text, with sep between them", "{concat: [a, 1], sep: '-'}", "a-1"}, function{keywords: []string{"sep"}, apply: (*funcCall).concat}},
		{Doc{"div", "a / b, always with a fraction", "{div: [7, 2]}", "3.5"}, function{apply: arith(value.OpDiv)}},
		{Doc{"eq", "whether a and b are the same data", "{eq: [1, 1]}", "true"}, function{apply: comparison("==")}},
		{Doc{"file", "a file; select path, contents or encoding. With contents the file is written", "{file: data.txt}", "data.txt"}, function{keywords: []string{"dir", "encoding", "contents"}, apply: (*funcCall).file}},
		{Doc{"floordiv", "a / b rounded down", "{floordiv: [7, 2]}", "3"}, function{apply: arith(value.OpFloorDiv)}},
		{Doc{"foreach", "the entries of the current map, or items of the current list, each evaluated", "{foreach: $key}", "[a, b]"}, function{lazy: (*funcCall).evalForeach}},
		{Doc{"ge", "a >= b", "{ge: [2, 1]}", "true"}, function{apply: comparison(value.OpGreaterEqual)}},
		{Doc{"get_dir", "a directory: . of the document, src of this file, tmp", "{get_dir: .}", "/srv/site"}, function{apply: func(c *funcCall, arg value.Value, s *Scope) (value.Value, error) { return getDir(s, c.At, arg) }}},
		{Doc{"get_env", "an environment variable, or [name, default]; null for all of them", "{get_env: [NO_SUCH, x]}", "x"}, function{apply: (*funcCall).getEnv}},
		{Doc{"gt", "a > b", "{gt: [2, 1]}", "true"}, function{apply: comparison(value.OpGreater)}},
		{Doc{"has_env", "whether an environment variable is set", "{has_env: NO_SUCH}", "false"}, function{apply: hasEnv}},
		{Doc{"if", "then or else, by whether the test is true", "{if: $true, then: $null, else: ::b}", "null"}, function{keywords: []string{"then", "else"}, compile: (*compiler).operand, lazy: (*funcCall).evalIf}},
		{Doc{"is_function_defined", "whether a function exists", "{is_function_defined: concat}", "true"}, function{apply: isFunctionDefined}},
		{Doc{"le", "a <= b", "{le: [2, 1]}", "false"}, function{apply: comparison(value.OpLessEqual)}},
		{Doc{"lookup", "the result of a lookup plugin; of a text the value that the bindings of --bindings have for that key", "{lookup: {items: [[1, 2]]}}", "[1, 2]"}, function{keywords: []string{"type", "merge", "default"}, apply: (*funcCall).lookup}},
		{Doc{"lt", "a < b", "{lt: [2, 1]}", "false"}, function{apply: comparison(value.OpLess)}},
		{Doc{"mod", "the remainder of a division, with the sign of b", "{mod: [7, 4]}", "3"}, function{apply: arith(value.OpMod)}},
		{Doc{"mul", "a * b", "{mul: [2, 3]}", "6"}, function{apply: arith(value.OpMul)}},
		{Doc{"ne", "whether a and b differ", "{ne: [1, 1]}", "false"}, function{apply: comparison("!=")}},
		{Doc{"not", "whether the operand is false", "{not: $null}", "true"}, function{compile: (*compiler).operand, lazy: (*funcCall).evalNot}},
		{Doc{"or", "the first operand that is true, else false", "{or: [$null, $true]}", "true"}, function{compile: (*compiler).operands, lazy: (*funcCall).evalAndOr}},
		{Doc{"pow", "a to the power of b", "{pow: [2, 10]}", "1024"}, function{apply: arith(value.OpPow)}},
		{Doc{"q", "its argument, never evaluated", "{q: '{{ x }}'}", "'{{ x }}'"}, function{compile: (*compiler).quoted, apply: func(_ *funcCall, arg value.Value, _ *Scope) (value.Value, error) { return arg, nil }}},
		{Doc{"sensitive", "its argument, marked so that it is never shown", "{sensitive: hunter2}", "<<REDACTED>>"}, function{apply: func(_ *funcCall, arg value.Value, _ *Scope) (value.Value, error) {
			return arg.Mark(value.Sensitive), nil
		}}},
		{Doc{"sub", "a - b", "{sub: [2, 3]}", "-1"}, function{apply: arith(value.OpSub)}},
		{Doc{"tempfile", "a new file with the given contents", "{tempfile: text, suffix: .txt}", "/tmp/x.txt"}, function{keywords: []string{"suffix", "encoding"}, apply: (*funcCall).tempfile}},
		{Doc{"template", "a text rendered as a template, or the file {path: name}", "{template: 'a'}", "a"}, function{keywords: []string{"overrides"}, compile: (*compiler).templateArg, lazy: (*funcCall).evalTemplate}},
		{Doc{"to_env", "environment variables by rules: NAME, ^NAME prefixes, -NAME removes", "{to_env: {A: x}}", "{A: x}"}, function{keywords: []string{"update_os_environ"}, apply: (*funcCall).toEnv}},
		{Doc{"token", "the i-th part of a text split at a separator: [text, separator, i]", "{token: [a:b, ':', 1]}", "b"}, function{apply: (*funcCall).token}},
		{Doc{"truediv", "a / b, always with a fraction", "{truediv: [7, 2]}", "3.5"}, function{apply: arith(value.OpDiv)}},
	}
}

// libraryFunctions are the names of the pure functions of a [Library]. They are listed
// here because the library must not decide whether a map is an expression.
var libraryFunctions = []string{
	"to_label", "to_dns_label", "to_kubernetes_label", "to_googlecloud_label", "urljoin", "scalar",
	"scalar_value", "generate_string", "_generate", "validate_json",
}

func isFunction(name string) bool {
	_, own := functions().find(name)
	return own || slices.Contains(libraryFunctions, name)
}

func functionNames(yield func(string) bool) {
	for _, names := range []iter.Seq[string]{functions().names, slices.Values(libraryFunctions)} {
		for name := range names {
			if !yield(name) {
				return
			}
		}
	}
}

// A funcCall is a call of a function in an expression object.
type funcCall struct {
	Range
	name   string
	fn     function // the zero function for one of the library
	arg    Node
	kwargs []Arg
	each   *loop // the body of "foreach"
}

// function compiles a map whose first known key is the function to call; the other
// keys are its keyword arguments.
func (c *compiler) function(v value.Value, at Placer) (Node, error) {
	name := ""
	for k := range v.Map().Keys() {
		if k.Kind == value.StringKind && isFunction(k.Text) {
			name = k.Text
			break
		}
	}
	if name == "" {
		d := source.Errorf(at.TextSpan(0, 0), source.BadExpression, "Function missing: the map under \"eval\" calls no function")
		for k := range v.Map().Keys() {
			d.Message = fmt.Sprintf("Function missing: %q is not a function", k.Text)
			return nil, d.DidYouMean(k.Text, functionNames)
		}
		return nil, d
	}
	call := &funcCall{Range: rangeOf(at, v), name: name}
	call.fn, _ = functions().find(name)
	for k := range v.Map().Keys() {
		arg, _, err := v.Map().Get(k)
		if err != nil {
			return nil, err
		}
		place := entryPlace(v.Map(), k, at)
		if k == value.K(name) {
			err = c.argument(call, arg, place)
		} else {
			err = c.keyword(call, k, arg, place)
		}
		if err != nil {
			return nil, err
		}
	}
	if lit, ok := call.arg.(*Lit); ok && name == "q" {
		return lit, nil
	}
	return call, nil
}

func (c *compiler) argument(call *funcCall, v value.Value, at Placer) (err error) {
	c.marks |= v.Marks()
	switch compile := call.fn.compile; {
	case call.name == "foreach":
		call.each, err = c.loop(v, at)
	case compile != nil:
		call.arg, err = compile(c, v, at)
	default:
		call.arg, err = c.data(v, at)
	}
	return err
}

// keyword compiles an entry next to a function in an expression object. Functions of this package have a fixed set
// of them, so that a misspelt one is an error; other functions take any.
func (c *compiler) keyword(call *funcCall, k value.Key, v value.Value, at Placer) error {
	c.marks |= v.Marks()
	known := call.fn.keywords
	if _, own := functions().find(call.name); own && !slices.Contains(known, k.Text) || IsObjectKey(k.Text) || k.Text == "var" {
		d := source.Errorf(at.TextSpan(0, 0), source.BadExpression, "unexpected '%s' next to the function %q", k.Text, call.name)
		if IsObjectKey(k.Text) {
			return d.WithHint("put it next to \"eval\"")
		}
		return d.DidYouMean(k.Text, slices.Values(known))
	}
	compile := c.data
	if call.name == "if" {
		compile = c.operand
	}
	n, err := compile(v, at)
	call.kwargs = append(call.kwargs, Arg{Name: k.Text, Value: n})
	return err
}

// operand compiles an operand of if, and, or, not: a text is an expression, and a map may
// call a function.
func (c *compiler) operand(v value.Value, at Placer) (Node, error) {
	switch v.Kind() {
	case value.StringKind:
		return c.text(v, at)
	case value.MapKind:
		for k := range v.Map().Keys() {
			if k.Kind == value.StringKind && isFunction(k.Text) {
				return c.body(v, at)
			}
			break
		}
	}
	return c.data(v, at)
}

// operands compiles the argument of and, or: a list of operands, or a single one.
func (c *compiler) operands(v value.Value, at Placer) (Node, error) {
	if !v.Is(value.ListKind) {
		return c.operand(v, at)
	}
	list := &List{Range: rangeOf(at, v)}
	for item, err := range value.Items(v.List()) {
		if err != nil {
			return nil, err
		}
		n, err := c.operand(item, entryPlace(v.List(), value.Index(len(list.Items)), at))
		if err != nil {
			return nil, err
		}
		list.Items = append(list.Items, n)
	}
	return list, nil
}

// quoted returns the argument of "q", which nothing evaluates.
func (c *compiler) quoted(v value.Value, at Placer) (Node, error) {
	v, err := c.verbatim(v, at)
	return &Lit{rangeOf(at, v), v}, err
}

// templateArg compiles the argument of "template": any text is a template.
func (c *compiler) templateArg(v value.Value, at Placer) (Node, error) {
	if v.Is(value.StringKind) && !v.IsVerbatim() {
		return &Lit{rangeOf(at, v), v}, nil
	}
	return c.data(v, at)
}

// eval calls the function.
func (c *funcCall) eval(s *Scope) (value.Value, error) {
	if err := s.enter(c.At); err != nil {
		return value.Null, err
	}
	defer s.Env.Leave()
	if c.fn.lazy != nil {
		return c.fn.lazy(c, s)
	}
	arg, err := evalUsed(c.arg, s)
	if err != nil {
		return arg, err
	}
	if !arg.IsScalar() || c.name == "is_function_defined" {
		s.decided(arg.Marks())
	}
	apply := c.fn.apply
	if apply == nil {
		apply = (*funcCall).library
	}
	v, err := apply(c, arg, s)
	if m := arg.Marks(); m&^v.Marks() != 0 {
		v = plain(v).Mark(m)
	}
	if err != nil {
		err = located(c.At, source.BadValue, err, s.quotable(value.Args{Pos: []value.Value{arg}}))
	}
	return v, err
}

// library calls a pure function of the library.
func (c *funcCall) library(arg value.Value, s *Scope) (value.Value, error) {
	args := value.Args{Pos: []value.Value{arg}}
	named, err := evalArgs(c.kwargs, s)
	if err != nil {
		return value.Null, err
	}
	args.Named = named.Named
	v, ok, err := s.Env.Library().Function(&caller{s: s, at: c.At}, c.name, args)
	if err == nil && !ok {
		return value.Null, badExpression(c.At, "Function missing: %q is not a function", c.name)
	}
	return v.Mark(arg.Marks() | argMarks(args)), err
}

// kw evaluates a keyword argument; if it is missing the result is null.
func (c *funcCall) kw(name string, s *Scope) (value.Value, error) {
	for _, a := range c.kwargs {
		if a.Name == name {
			return evalUsed(a.Value, s)
		}
	}
	return value.Null, nil
}

// pair returns the two operands of a binary function.
func (c *funcCall) pair(arg value.Value) (x, y value.Value, err error) {
	if !arg.Is(value.ListKind) || arg.List().Len() != 2 {
		return x, y, badExpression(c.At, "%q takes a list of two operands", c.name)
	}
	items, err := listItems(arg)
	if err != nil {
		return x, y, err
	}
	return items[0], items[1], nil
}

// functionMap is "__unfurl" in templates: the functions as methods.
type functionMap struct{ s *Scope }

// Len returns the number of functions.
func (m functionMap) Len() int { return len(functions()) + len(libraryFunctions) }

// Keys yields the names of the functions.
func (m functionMap) Keys() iter.Seq[value.Key] { return value.TextKeys(functionNames) }

// Get returns a function. Called with several arguments it sees them as a list.
func (m functionMap) Get(k value.Key) (value.Value, bool, error) {
	if k.Kind != value.StringKind || !isFunction(k.Text) {
		return value.Null, false, nil
	}
	return value.FromFunc(&value.Func{Name: k.Text, Call: func(args value.Args) (value.Value, error) {
		d := value.NewMap(1 + len(args.Named))
		if len(args.Pos) == 1 {
			d.Set(k, args.Pos[0])
		} else {
			d.Set(k, value.ListOf(args.Pos...))
		}
		for _, a := range args.Named {
			d.Set(value.K(a.Name), a.Value)
		}
		return computed(value.FromMap(d), source.Span{}, m.s, (*compiler).function, eval)
	}}), true, nil
}

// evalIf evaluates the branch that the test selects. The value of a missing branch is
// the truth value of the test.
func (c *funcCall) evalIf(s *Scope) (value.Value, error) {
	test, err := eval(c.arg, s)
	if err != nil {
		return test, err
	}
	s.decided(test.Marks())
	branch := "else"
	if value.Truthy(test) {
		branch = "then"
	}
	for _, a := range c.kwargs {
		if a.Name == branch {
			v, err := eval(a.Value, s)
			return v.Mark(test.Marks()), err
		}
	}
	return value.Bool(value.Truthy(test)).Mark(test.Marks()), nil
}

func (c *funcCall) evalNot(s *Scope) (value.Value, error) {
	v, err := eval(c.arg, s)
	return value.Bool(!value.Truthy(v)).Mark(v.Marks()), err
}

// evalForeach runs the loop over the current map or list; without a body the result is
// the map or list.
func (c *funcCall) evalForeach(s *Scope) (value.Value, error) {
	if c.each == nil {
		return s.Self, nil
	}
	return c.each.overCurrent(s)
}

// evalAndOr evaluates operands up to the one that decides.
func (c *funcCall) evalAndOr(s *Scope) (value.Value, error) {
	operands, err := c.operandNodes(s)
	if err != nil {
		return value.Null, err
	}
	decisive := c.name == "or"
	last := value.Bool(c.name == "and")
	var marks value.Marks
	for _, n := range operands {
		v, err := eval(n, s)
		if err != nil {
			return v, err
		}
		marks |= v.Marks()
		s.decided(v.Marks())
		last = plain(v)
		if value.Truthy(v) == decisive {
			return last.Mark(marks), nil
		}
	}
	if c.name == "or" {
		last = value.False
	}
	return last.Mark(marks), nil
}

// operandNodes returns the operands, which are the items if the argument is computed.
func (c *funcCall) operandNodes(s *Scope) ([]Node, error) {
	if list, ok := c.arg.(*List); ok {
		return list.Items, nil
	}
	v, err := evalUsed(c.arg, s)
	if err != nil {
		return nil, err
	}
	if !v.Is(value.ListKind) {
		return nil, badExpression(c.At, "%q takes a list of operands, not %s", c.name, value.Article(v.Kind()))
	}
	items, err := listItems(v)
	if err != nil {
		return nil, err
	}
	nodes := make([]Node, len(items))
	for i, item := range items {
		nodes[i] = &Lit{c.Range, item}
	}
	return nodes, nil
}

// comparison returns the function that compares two operands.
func comparison(op string) func(*funcCall, value.Value, *Scope) (value.Value, error) {
	return func(c *funcCall, arg value.Value, s *Scope) (value.Value, error) {
		x, y, err := c.pair(arg)
		if err != nil {
			return value.Null, err
		}
		return s.compare(c.At, op, x, y)
	}
}

// arith returns the function that applies an operator to two operands.
func arith(op string) func(*funcCall, value.Value, *Scope) (value.Value, error) {
	return func(c *funcCall, arg value.Value, s *Scope) (value.Value, error) {
		x, y, err := c.pair(arg)
		if err != nil {
			return value.Null, err
		}
		return s.arithmetic(c.At, op, x, y)
	}
}

func isFunctionDefined(_ *funcCall, arg value.Value, _ *Scope) (value.Value, error) {
	return value.Bool(isFunction(arg.Str())), nil
}
