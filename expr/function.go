package expr

import (
	"fmt"
	"iter"
	"slices"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Doc describes a function, filter or lookup of this package, with an example and
// what it gives.
type Doc struct{ Name, Doc, Example, Result string }

// Functions describes the functions of expressions that need the document, the
// environment or laziness. The pure ones are the [Library]'s.
func Functions() []Doc { return slices.Clone(functionDocs) }

var functionDocs = []Doc{
	{"abspath", "the absolute path of a file, or of [path, dir]", "{abspath: conf/x.txt}", "/srv/site/conf/x.txt"},
	{"add", "a + b: a sum, or two texts or lists joined", "{add: [2, 3]}", "5"},
	{"and", "the first operand that is false, else the last", "{and: [$true, $null]}", "null"},
	{"concat", "the items joined to a text, with sep between them", "{concat: [a, 1], sep: '-'}", "a-1"},
	{"div", "a / b, always with a fraction", "{div: [7, 2]}", "3.5"},
	{"eq", "whether a and b are the same data", "{eq: [1, 1]}", "true"},
	{"file", "a file; select path, contents or encoding. With contents the file is written", "{file: data.txt}", "data.txt"},
	{"floordiv", "a / b rounded down", "{floordiv: [7, 2]}", "3"},
	{"foreach", "the entries of the current map, or items of the current list, each evaluated", "{foreach: $key}", "[a, b]"},
	{"ge", "a >= b", "{ge: [2, 1]}", "true"},
	{"get_dir", "a directory: . of the document, src of this file, tmp", "{get_dir: .}", "/srv/site"},
	{"get_env", "an environment variable, or [name, default]; null for all of them", "{get_env: [NO_SUCH, x]}", "x"},
	{"gt", "a > b", "{gt: [2, 1]}", "true"},
	{"has_env", "whether an environment variable is set", "{has_env: NO_SUCH}", "false"},
	{"if", "then or else, by whether the test is true", "{if: $true, then: $null, else: ::b}", "null"},
	{"is_function_defined", "whether there is a function of that name", "{is_function_defined: concat}", "true"},
	{"le", "a <= b", "{le: [2, 1]}", "false"},
	{"lookup", "the result of a lookup plugin", "{lookup: {items: [[1, 2]]}}", "[1, 2]"},
	{"lt", "a < b", "{lt: [2, 1]}", "false"},
	{"mod", "the rest of a division, with the sign of b", "{mod: [7, 4]}", "3"},
	{"mul", "a * b", "{mul: [2, 3]}", "6"},
	{"ne", "whether a and b differ", "{ne: [1, 1]}", "false"},
	{"not", "whether the operand is false", "{not: $null}", "true"},
	{"or", "the first operand that is true, else false", "{or: [$null, $true]}", "true"},
	{"pow", "a to the power of b", "{pow: [2, 10]}", "1024"},
	{"q", "its argument, never evaluated", "{q: '{{ x }}'}", "'{{ x }}'"},
	{"sensitive", "its argument, marked so that it is never shown", "{sensitive: hunter2}", "<<REDACTED>>"},
	{"sub", "a - b", "{sub: [2, 3]}", "-1"},
	{"tempfile", "a new file with the given contents", "{tempfile: text, suffix: .txt}", "/tmp/x.txt"},
	{"template", "a text rendered as a template, or the file {path: name}", "{template: 'a'}", "a"},
	{"to_env", "environment variables by rules: NAME, ^NAME prefixes, -NAME removes", "{to_env: {A: x}}", "{A: x}"},
	{"token", "the i-th part of a text split at a separator: [text, separator, i]", "{token: [a:b, ':', 1]}", "b"},
	{"truediv", "a / b, always with a fraction", "{truediv: [7, 2]}", "3.5"},
}

// libraryFunctions are the pure functions that a [Library] provides. They are named
// here because whether a map is an expression must not depend on the library.
var libraryFunctions = []string{
	"to_label", "to_dns_label", "to_kubernetes_label", "to_googlecloud_label", "urljoin", "scalar",
	"scalar_value", "generate_string", "_generate", "validate_json",
}

func isFunction(name string) bool {
	return isOwnFunction(name) || slices.Contains(libraryFunctions, name)
}

func isOwnFunction(name string) bool {
	return slices.ContainsFunc(functionDocs, func(d Doc) bool { return d.Name == name })
}

func functionNames() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, d := range functionDocs {
			if !yield(d.Name) {
				return
			}
		}
		for _, name := range libraryFunctions {
			if !yield(name) {
				return
			}
		}
	}
}

// keywords returns what may stand beside a function of this package.
func keywords(function string) []string {
	switch function {
	case "if":
		return []string{"then", "else"}
	case "concat":
		return []string{"sep"}
	case "to_env":
		return []string{"update_os_environ"}
	case "file":
		return []string{"dir", "encoding", "contents"}
	case "tempfile":
		return []string{"suffix", "encoding"}
	case "template":
		return []string{"overrides"}
	}
	return nil
}

// A funcCall is a call of a function in an expression object.
type funcCall struct {
	Place
	name   string
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
		return nil, functionMissing(v, at)
	}
	call := &funcCall{Place: placeOf(at, v), name: name}
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

func functionMissing(v value.Value, at Placer) error {
	d := source.Errorf(at.TextSpan(0, 0), source.BadExpression, "Function missing: the map under \"eval\" calls no function")
	for k := range v.Map().Keys() {
		d.Message = fmt.Sprintf("Function missing: %q is no function", k.Text)
		return d.DidYouMean(k.Text, functionNames())
	}
	return d
}

func (c *compiler) argument(call *funcCall, v value.Value, at Placer) (err error) {
	c.marks |= v.Marks()
	switch call.name {
	case "q":
		if v, err = c.verbatim(v, at); err == nil {
			call.arg = &Lit{placeOf(at, v), v}
		}
	case "foreach":
		call.each, err = c.loop(v, at)
	case "if", "not":
		call.arg, err = c.operand(v, at)
	case "and", "or":
		call.arg, err = c.operands(v, at)
	case "template":
		call.arg, err = c.templateArg(v, at)
	default:
		call.arg, err = c.data(v, at)
	}
	return err
}

func (c *compiler) keyword(call *funcCall, k value.Key, v value.Value, at Placer) error {
	c.marks |= v.Marks()
	known := keywords(call.name)
	if isOwnFunction(call.name) && !slices.Contains(known, k.Text) || isObjectKey(k.Text) || k.Text == "var" {
		d := source.Errorf(at.TextSpan(0, 0), source.BadExpression, "unexpected '%s' beside the function %q", k.Text, call.name)
		if isObjectKey(k.Text) {
			return d.WithHint("put it beside \"eval\"")
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

// operand compiles an operand of if, and, or, not: a text is an expression there,
// and a map may call a function.
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

func (c *compiler) operands(v value.Value, at Placer) (Node, error) {
	if !v.Is(value.ListKind) {
		return c.operand(v, at)
	}
	list := &List{Place: placeOf(at, v)}
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

// templateArg compiles the argument of "template": a text is one, whatever it holds.
func (c *compiler) templateArg(v value.Value, at Placer) (Node, error) {
	if v.Is(value.StringKind) && !v.IsVerbatim() {
		return &Lit{placeOf(at, v), v}, nil
	}
	return c.data(v, at)
}

// eval calls the function.
func (c *funcCall) eval(s *Scope) (value.Value, error) {
	if err := s.enter(c.At); err != nil {
		return value.Null, err
	}
	defer s.Env.Leave()
	switch c.name {
	case "foreach":
		if c.each == nil {
			return s.Self, nil
		}
		return c.each.overCurrent(s)
	case "if":
		return c.evalIf(s)
	case "and", "or":
		return c.evalAndOr(s)
	case "not":
		v, err := eval(c.arg, s)
		return value.Bool(!value.Truthy(v)).Mark(v.Marks()), err
	case "template":
		return c.evalTemplate(s)
	}
	arg, err := evalUsed(c.arg, s)
	if err != nil {
		return arg, err
	}
	v, err := c.apply(arg, s)
	if err != nil {
		err = located(c.At, source.BadValue, err, quotable(value.Args{Pos: []value.Value{arg}}))
	}
	return v, err
}

// apply calls a function with its evaluated argument.
func (c *funcCall) apply(arg value.Value, s *Scope) (value.Value, error) {
	switch c.name {
	case "eq", "ne", "gt", "ge", "lt", "le":
		return c.compare(arg, s)
	case "add", "sub", "mul", "div", "truediv", "floordiv", "mod", "pow":
		return c.arith(arg)
	case "concat":
		return c.concat(arg, s)
	case "token":
		return c.token(arg)
	case "sensitive":
		return arg.Mark(value.Sensitive), nil
	case "is_function_defined":
		return value.Bool(isFunction(arg.Str()) || s.Env.Library().HasFunction(arg.Str())), nil
	case "get_env":
		return c.getEnv(arg, s)
	case "has_env":
		_, ok := s.Env.Host().Getenv(arg.Str())
		return value.Bool(ok), nil
	case "to_env":
		return c.toEnv(arg, s)
	case "file":
		return c.file(arg, s)
	case "tempfile":
		return c.tempfile(arg, s)
	case "abspath":
		return abspath(s, c.At, arg)
	case "get_dir":
		return getDir(s, c.At, arg)
	case "lookup":
		return c.lookup(arg, s)
	case "q":
		return arg, nil
	}
	return c.library(arg, s)
}

// library calls a pure function of the library.
func (c *funcCall) library(arg value.Value, s *Scope) (value.Value, error) {
	args := value.Args{Pos: []value.Value{arg}}
	named, err := evalArgs(c.kwargs, s)
	if err != nil {
		return value.Null, err
	}
	args.Named = named.Named
	v, ok, err := s.Env.Library().Function(caller{s, c.At}, c.name, args)
	if err == nil && !ok {
		return value.Null, badExpression(c.At, "Function missing: %q is no function", c.name)
	}
	return v.Mark(arg.Marks() | argMarks(args)), err
}

// kw evaluates a keyword argument; without it the result is null.
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
func (m functionMap) Len() int { return len(functionDocs) + len(libraryFunctions) }

// Keys yields the names of the functions.
func (m functionMap) Keys() iter.Seq[value.Key] {
	return func(yield func(value.Key) bool) {
		for name := range functionNames() {
			if !yield(value.K(name)) {
				return
			}
		}
	}
}

// Get returns a function. Called with several arguments it sees them as a list.
func (m functionMap) Get(k value.Key) (value.Value, bool, error) {
	if k.Kind != value.StringKind || !isFunction(k.Text) {
		return value.Null, false, nil
	}
	return value.FromFunc(&value.Func{Name: k.Text, Call: func(args value.Args) (value.Value, error) {
		return m.call(k.Text, args)
	}}), true, nil
}

func (m functionMap) call(name string, args value.Args) (value.Value, error) {
	arg := value.ListOf(args.Pos...)
	if len(args.Pos) == 1 {
		arg = args.Pos[0]
	}
	d := value.NewMap(1 + len(args.Named))
	d.Set(value.K(name), arg)
	for _, a := range args.Named {
		d.Set(value.K(a.Name), a.Value)
	}
	return computed(value.FromMap(d), source.Span{}, m.s, (*compiler).function, eval)
}

// evalIf evaluates only the branch that is taken. A branch that is missing gives
// the truth value of the test.
func (c *funcCall) evalIf(s *Scope) (value.Value, error) {
	test, err := eval(c.arg, s)
	if err != nil {
		return test, err
	}
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

// evalAndOr evaluates operands until one decides.
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

// operandNodes returns the operands; a computed list has its items for operands.
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
		nodes[i] = &Lit{c.Place, item}
	}
	return nodes, nil
}

func (c *funcCall) compare(arg value.Value, s *Scope) (value.Value, error) {
	x, y, err := c.pair(arg)
	if err != nil {
		return value.Null, err
	}
	op := map[string]string{"eq": "==", "ne": "!=", "gt": ">", "ge": ">=", "lt": "<", "le": "<="}[c.name]
	holds, err := s.compare(c.At, op, x, y)
	return value.Bool(holds).Mark(x.Marks() | y.Marks()), err
}

func (c *funcCall) arith(arg value.Value) (value.Value, error) {
	x, y, err := c.pair(arg)
	if err != nil {
		return value.Null, err
	}
	op := map[string]string{
		"add": "+", "sub": "-", "mul": "*", "div": "/", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**",
	}[c.name]
	return arithmetic(c.At, op, x, y)
}
