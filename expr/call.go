package expr

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// evalCall calls a function, or a method if the callee is x.name. The lookup of a name
// that is called skips values that are not functions, so that a key "query" does not
// hide query(...).
func evalCall(n *CallExpr, s *Scope) (value.Value, error) {
	if err := s.enter(n.At); err != nil {
		return value.Null, err
	}
	defer s.Env.Leave()
	if sel, ok := n.Fn.(*Select); ok {
		return callMethod(n, sel, s)
	}
	fn, err := callee(n.Fn, n.At, s)
	if err != nil {
		return fn, err
	}
	args, err := evalArgs(n.Args, s)
	if err != nil {
		return value.Null, err
	}
	return callValue(n, fn, args, s)
}

func callee(n Node, at source.Span, s *Scope) (value.Value, error) {
	name, ok := n.(*Name)
	if !ok {
		return eval(n, s)
	}
	v, ok, err := s.lookup(name.Name, at, isCallable)
	if ok || err != nil {
		return v, located(name.At, source.BadValue, err, 0)
	}
	return evalName(name, s)
}

// callValue calls a function. The result has the marks of the function: which one was called may be a secret.
func callValue(n *CallExpr, fn value.Value, args value.Args, s *Scope) (value.Value, error) {
	if err := Raise(fn); err != nil {
		return fn, err
	}
	if fn.Func() == nil {
		what := nodeName(n.Fn)
		if what == "" {
			what = "it"
		}
		return value.Null, source.Errorf(n.Fn.Span(), source.BadType, "cannot call %s: it is %s, not a function", what, value.Article(fn.Kind()))
	}
	if err := s.step(n.At, callSteps); err != nil {
		return value.Null, err
	}
	args, err := givenArgs("", args)
	v := value.Null
	if err == nil {
		v, err = fn.Func().Call(args)
	}
	if err != nil {
		return value.Null, located(n.At, source.BadValue, err, s.quotable(args))
	}
	if m := fn.Marks(); m != 0 {
		v = plain(v).Mark(m)
	}
	s.touch(v.Marks())
	return plain(v), nil
}

// callMethod calls x.name(args): the function under that key, else a method of the
// kind of x.
func callMethod(n *CallExpr, sel *Select, s *Scope) (value.Value, error) {
	recv, err := evalUsed(sel.X, s)
	if err != nil {
		return recv, err
	}
	args, err := evalArgs(n.Args, s)
	if err != nil {
		return value.Null, err
	}
	stored, found, err := attribute(recv, sel.Name)
	if err != nil {
		return value.Null, located(sel.NameAt, source.BadValue, err, 0)
	}
	if found && stored.Func() != nil {
		return callValue(n, stored, args, s)
	}
	if args, err = givenArgs(sel.Name, args); err != nil {
		return value.Null, located(n.At, source.BadValue, err, 0)
	}
	v, ok, err := ownMethod(recv, sel.Name, args)
	if !ok && err == nil {
		c := &caller{s: s, at: n.At}
		if err := s.step(n.At, callSteps); err != nil {
			return value.Null, err
		}
		c.choosesBy(recv, args)
		v, ok, err = s.Env.Library().Method(c, recv, sel.Name, args)
	}
	switch {
	case err != nil:
		return value.Null, located(n.At, source.BadValue, err, recv.Marks()|s.quotable(args))
	case ok:
		return v.Mark(recv.Marks()), nil
	case found:
		return callValue(n, stored, args, s)
	}
	return value.Null, noMethod(sel, recv, s.Env.Library())
}

// ownMethod calls a method that the type of a list or map implements.
func ownMethod(recv value.Value, name string, args value.Args) (v value.Value, ok bool, err error) {
	var m value.Methods
	switch recv.Kind() {
	case value.ListKind:
		m, ok = recv.List().(value.Methods)
	case value.MapKind:
		m, ok = recv.Map().(value.Methods)
	}
	if !ok {
		return value.Null, false, nil
	}
	v, ok, err = m.CallMethod(name, args)
	return v.Mark(argMarks(args)), ok, err
}

// spreadSteps is the cost of an item that *list makes an argument: it is copied, and its marks are looked at.
// spreadEntrySteps is the cost of an entry of **map, whose key is also looked up.
const (
	spreadSteps      = 8
	spreadEntrySteps = 48
)

// evalArgs evaluates arguments from left to right and expands *list and **map.
func evalArgs(list []Arg, s *Scope) (value.Args, error) {
	var args value.Args
	if len(list) > 0 && list[0].Name == "" && list[0].Stars == 0 {
		args.Pos = make([]value.Value, 0, len(list))
	}
	for _, a := range list {
		v, err := eval(a.Value, s)
		if err != nil {
			return args, err
		}
		switch v = plain(v); {
		case a.Stars == 1:
			if err = s.step(a.Value.Span(), 1+spreadSteps*v.List().Len()); err == nil {
				err = spreadList(&args, v)
			}
		case a.Stars == 2:
			if err = s.step(a.Value.Span(), 1+spreadEntrySteps*v.Map().Len()); err == nil {
				err = spreadMap(&args, v)
			}
		case a.Name != "":
			args.Named = append(args.Named, value.Named{Name: a.Name, Value: v})
		default:
			args.Pos = append(args.Pos, v)
		}
		if err != nil {
			return args, located(a.Value.Span(), source.BadType, err, 0)
		}
	}
	return args, nil
}

// spreadList adds the items of *list as arguments by position, with the marks of the list.
func spreadList(args *value.Args, v value.Value) error {
	if err := Raise(v); err != nil {
		return err
	}
	if !v.Is(value.ListKind) {
		return source.Errorf(source.Span{}, source.BadType, `"*" needs a list, not %s`, value.Article(v.Kind()))
	}
	args.Pos = slices.Grow(args.Pos, v.List().Len())
	for item, err := range value.Items(v.List()) {
		if err != nil {
			return err
		}
		args.Pos = append(args.Pos, item.Mark(v.Marks()))
	}
	return nil
}

// spreadMap adds the entries of **map as arguments by name. A name that is given before as well is an error, as in
// Python.
func spreadMap(args *value.Args, v value.Value) error {
	if err := Raise(v); err != nil {
		return err
	}
	if !v.Is(value.MapKind) {
		return source.Errorf(source.Span{}, source.BadType, `"**" needs a map, not %s`, value.Article(v.Kind()))
	}
	for _, n := range args.Named {
		if _, twice, err := v.Map().Get(value.K(n.Name)); twice && err == nil {
			return source.Errorf(source.Span{}, source.BadValue, "the argument %q is given twice: by its name and in the map after \"**\"", n.Name)
		}
	}
	for k := range v.Map().Keys() {
		item, _, err := v.Map().Get(k)
		if err != nil {
			return err
		}
		args.Named = append(args.Named, value.Named{Name: k.Text, Value: item.Mark(v.Marks())})
	}
	return nil
}

func argMarks(args value.Args) value.Marks {
	var m value.Marks
	for _, v := range args.Pos {
		m |= v.Marks()
	}
	for _, a := range args.Named {
		m |= a.Value.Marks()
	}
	return m
}

func evalFilter(n *Filter, s *Scope) (value.Value, error) {
	in, args, err := evalPiped(n.X, n.Args, s)
	if err != nil {
		return value.Null, err
	}
	return (&caller{s: s, at: n.NameAt}).CallFilter(n.Name, in, args)
}

func evalTest(n *Test, s *Scope) (value.Value, error) {
	in, args, err := evalPiped(n.X, n.Args, s)
	if err != nil {
		return value.Null, err
	}
	holds, err := (&caller{s: s, at: n.NameAt}).CallTest(n.Name, in, args)
	return value.Bool(holds.Bool() != n.Negate).Mark(holds.Marks() | in.Marks() | argMarks(args)), err
}

// evalPiped evaluates the operand of a filter or test, which may be undefined, and its
// arguments.
func evalPiped(x Node, list []Arg, s *Scope) (value.Value, value.Args, error) {
	in, err := eval(x, s)
	if err != nil {
		return in, value.Args{}, err
	}
	args, err := evalArgs(list, s)
	return plain(in), args, err
}

// A caller implements [Call].
type caller struct {
	s      *Scope
	at     source.Span
	secret bool // an argument is secret, so that what the call asks the host for is
	memo   *value.MarkMemo
}

// host returns the host for the questions of the call.
func (c *caller) host() Host { return c.s.Env.Host(c.at, c.secret) }

// choosesBy notes that a call reads lists or maps by a secret argument.
func (c *caller) choosesBy(in value.Value, args value.Args) {
	marks := in.Marks() | argMarks(args)
	if marks == 0 {
		return
	}
	if isCollection(in) || slices.ContainsFunc(args.Pos, isCollection) || slices.ContainsFunc(optionValues(args.Named), isCollection) {
		c.s.decided(marks)
	}
}

func isCollection(v value.Value) bool { return v.Is(value.ListKind) || v.Is(value.MapKind) }

// DeepMarks returns the marks of v and of everything in it.
func (c *caller) DeepMarks(v value.Value) (value.Marks, error) {
	switch {
	case c.s.branch != nil:
		return c.s.branch.Memo.DeepMarks(v, c.s.Env.Step)
	case c.memo == nil:
		c.memo = &value.MarkMemo{}
	}
	return c.memo.DeepMarks(v, c.s.Env.Step)
}

// Decided notes that a secret decides what the call reads.
func (c *caller) Decided() { c.s.Env.Decided() }

// Escapes reports whether HTML is escaped automatically.
func (c *caller) Escapes() bool { return c.s.escape }

// Step counts work.
func (c *caller) Step(n int) error { return c.s.Env.Step(n) }

// Random returns 64 random bits.
func (c *caller) Random() uint64 { return c.host().Random() }

// Now returns the time of the evaluation.
func (c *caller) Now() time.Time { return c.host().Now() }

// callSteps is the least cost of a filter, test or function that is called.
const callSteps = 12

// CallFilter calls a filter, of this package or of the library.
func (c *caller) CallFilter(name string, in value.Value, args value.Args) (value.Value, error) {
	if err := c.Step(callSteps); err != nil {
		return value.Null, located(c.at, source.Limit, err, 0)
	}
	args, err := givenArgs(name, args)
	if err != nil {
		return value.Null, c.failed(err, in, args)
	}
	if f, ok := envFilters().find(name); ok {
		return c.ownFilter(f, name, in, args)
	}
	c.choosesBy(in, args)
	v, ok, err := c.s.Env.Library().Filter(c, name, in, args)
	if err != nil {
		return value.Null, c.failed(err, in, args)
	}
	if !ok {
		return value.Null, unknownFilter(c.at, name, c.s.Env.Library())
	}
	if v.Is(value.UndefinedKind) {
		v = c.missing(v, in, args)
	}
	return v, nil
}

// ownFilter calls a filter of this package.
func (c *caller) ownFilter(f envFilter, name string, in value.Value, args value.Args) (value.Value, error) {
	if err := c.Step(hostSteps); err != nil {
		return value.Null, located(c.at, source.Limit, err, 0)
	}
	if !slices.Contains(f.named, "*") {
		if err := c.count("filter", name, f.most, f.named, args); err != nil {
			return value.Null, c.failed(err, in, args)
		}
	}
	marks := in.Marks() | argMarks(args)
	own := *c
	own.secret = marks != 0
	v, err := f.call(own, in, args)
	if err != nil {
		return value.Null, c.failed(err, in, args)
	}
	c.s.touch(v.Marks())
	return v.Mark(marks), nil
}

// missing returns an undefined value of the library with the place of the call, which messages have
// that find the value elsewhere: in a list that is printed. The reason may quote the arguments.
func (c *caller) missing(v, in value.Value, args value.Args) value.Value {
	reason := v.Reason()
	var d *source.Diagnostic
	if missing := (*missingError)(nil); errors.As(reason, &missing) || errors.As(reason, &d) {
		return v
	}
	return undefined(func() *source.Diagnostic {
		if v.Marks()|in.Marks()|c.s.quotable(args) != 0 {
			return source.Errorf(c.at, source.Undefined, "%s", concealed)
		}
		return source.Errorf(c.at, source.Undefined, "%s", reason)
	}).Mark(v.Marks())
}

// failed returns the error of a call. The message may quote the arguments and the items
// in them, and is replaced if one is marked. Of the piped value only its own marks count:
// the library does not quote its items, and a missing key is not secret.
func (c *caller) failed(err error, in value.Value, args value.Args) error {
	return located(c.at, source.BadValue, err, in.Marks()|c.s.quotable(args))
}

// CallTest calls a test, of this package or of the library.
func (c *caller) CallTest(name string, in value.Value, args value.Args) (value.Value, error) {
	if err := c.Step(callSteps); err != nil {
		return value.False, located(c.at, source.Limit, err, 0)
	}
	args, err := givenArgs("", args)
	if err != nil {
		return value.False, c.failed(err, in, args)
	}
	c.choosesBy(in, args)
	holds, ok, err := c.s.Env.Library().Test(c, name, in, args)
	if err != nil {
		return value.False, c.failed(err, in, args)
	}
	if !ok {
		if t, ok := envTests.find(name); ok {
			own := *c
			own.secret = in.Marks()|argMarks(args) != 0
			holds, err := own.askFile(name, t, in, args)
			if err != nil {
				return value.False, c.failed(err, in, args)
			}
			return holds.Mark(in.Marks() | argMarks(args)), nil
		}
		return value.False, unknownTest(c.at, name, c.s.Env.Library())
	}
	return holds, nil
}

// Attr returns an attribute or item by name; on lists and texts by a number.
func (c *caller) Attr(v value.Value, name string) (value.Value, error) {
	if v.Is(value.UndefinedKind) {
		return v, nil
	}
	x, ok, err := attribute(v, name)
	if !ok && err == nil {
		if i, isInt := value.ParseInt(name, 10); isInt {
			x, ok, err = item(v, i)
		}
	}
	if err != nil || ok {
		c.s.touch(x.Marks())
		x, err = lateMissing(x, located(c.at, source.BadValue, err, 0))
		return x.Mark(v.Marks()), err
	}
	return undefinedKey(c.at, nil, v, name), nil
}

// EnvFilters describes the filters that need the document or the host. The pure ones are
// in the [Library].
func EnvFilters() []Doc { return envFilters().docs() }

// An envFilter takes at most so many arguments by position. By name it takes the arguments in named, or any
// name if named has "*".
type envFilter struct {
	call  func(c caller, in value.Value, args value.Args) (value.Value, error)
	most  int
	named []string
}

var allEnvFilters lateTable[envFilter]

func envFilters() table[envFilter] { return allEnvFilters.get(newEnvFilters) }

func newEnvFilters() table[envFilter] {
	return table[envFilter]{
		{Doc{"abspath", "the absolute path of a file name", "'conf/x.txt' | abspath", "/srv/site/conf/x.txt"}, envFilter{abspathFilter, 2, nil}},
		{Doc{"eval", "the value of a path or expression; keyword arguments are variables, wantList=true gives all matches", "'::a::b' | eval", "7"}, envFilter{evalRefFilter, 1, []string{"*"}}},
		{Doc{"expanduser", "a path with ~ replaced by the home directory", "'~/x' | expanduser", "/home/me/x"}, envFilter{expanduserFilter, 0, nil}},
		{Doc{"expandvars", "a text with $NAME and ${NAME} replaced from the environment", "'$HOME/x' | expandvars", "/home/me/x"}, envFilter{expandvarsFilter, 0, nil}},
		{Doc{"fileglob", "the files that match a pattern", "'conf.d/*.yaml' | fileglob", "[/srv/site/conf.d/a.yaml]"}, envFilter{fileglobFilter, 0, nil}},
		{Doc{"get_dir", "a directory by name: . of the document, src of this file, tmp", "'.' | get_dir", "/srv/site"}, envFilter{getDirFilter, 0, nil}},
		{Doc{"map_value", "data with the expressions and templates in it evaluated", "{'k': {'eval': '::a::b'}} | map_value", "{k: 7}"}, envFilter{mapValueFilter, 0, nil}},
		{Doc{"realpath", "the absolute path of a file name without links", "'conf/x.txt' | realpath", "/srv/site/conf/x.txt"}, envFilter{realpathFilter, 0, nil}},
		{Doc{"ref", "the same as eval", "'::a::b' | ref", "7"}, envFilter{evalRefFilter, 1, []string{"*"}}},
		{Doc{"which", "the full path of a program; null if it is not found", "'sh' | which", "/bin/sh"}, envFilter{whichFilter, 0, nil}},
	}
}

// evalRefFilter evaluates a path, a template or an expression map.
func evalRefFilter(c caller, in value.Value, args value.Args) (value.Value, error) {
	wantList := len(args.Pos) > 0 && value.Truthy(args.Pos[0])
	s := c.s
	for _, a := range args.Named {
		if a.Name == "wantList" {
			wantList = value.Truthy(a.Value)
			continue
		}
		s = s.With(a.Name, a.Value)
	}
	m, err := c.evalAny(in, s)
	if err != nil {
		return value.Null, err
	}
	if wantList {
		return value.ListOf(m.marked()...).Mark(m.chosen), nil
	}
	return m.one(), nil
}

// evalAny evaluates a path, a template or an expression map, one level deeper.
func (c *caller) evalAny(in value.Value, s *Scope) (matches, error) {
	if err := Raise(in); err != nil {
		return matches{}, err
	}
	if err := s.enter(c.at); err != nil {
		return matches{}, err
	}
	defer s.Env.Leave()
	m, err := computed(in, c.at, s, (*compiler).expression, matchesOf)
	s.touch(m.chosen)
	for i := range m.found {
		s.touch(m.found[i].Marks())
		m.found[i] = plain(m.found[i])
	}
	return m, err
}

func mapValueFilter(c caller, in value.Value, _ value.Args) (value.Value, error) {
	if err := Raise(in); err != nil {
		return in, err
	}
	v, err := computed(in, c.at, c.s, (*compiler).data, eval)
	return plain(v), err
}

func abspathFilter(c caller, in value.Value, args value.Args) (value.Value, error) {
	if err := Raise(in); err != nil {
		return in, err
	}
	if len(args.Pos) > 0 && !in.Is(value.ListKind) {
		in = value.ListOf(append([]value.Value{in}, args.Pos...)...)
	}
	return abspath(c.s, c.at, in)
}

func getDirFilter(c caller, in value.Value, _ value.Args) (value.Value, error) {
	if err := Raise(in); err != nil {
		return in, err
	}
	return getDir(c.s, c.at, in)
}

func (c *caller) text(in value.Value, filter string) (string, error) {
	if err := Raise(in); err != nil {
		return "", err
	}
	if !in.Is(value.StringKind) {
		return "", source.Errorf(c.at, source.BadType, "%q needs a string, not %s", filter, value.Article(in.Kind()))
	}
	return in.Str(), nil
}

func whichFilter(c caller, in value.Value, _ value.Args) (value.Value, error) {
	name, err := c.text(in, "which")
	if err != nil {
		return value.Null, err
	}
	if path := c.host().LookPath(name); path != "" {
		return value.String(path).Verbatim(), nil
	}
	return value.Null, nil
}

func fileglobFilter(c caller, in value.Value, _ value.Args) (value.Value, error) {
	pattern, err := c.text(in, "fileglob")
	if err != nil {
		return value.Null, err
	}
	names, err := c.host().Glob(pattern, c.s.Base)
	return value.ListOf(texts(names)...), located(c.at, source.Access, err, c.s.BaseMarks)
}

// texts returns names as final texts.
func texts(list []string) []value.Value {
	items := make([]value.Value, len(list))
	for i, s := range list {
		items[i] = value.String(s).Verbatim()
	}
	return items
}

func expandvarsFilter(c caller, in value.Value, _ value.Args) (value.Value, error) {
	text, err := c.text(in, "expandvars")
	if err != nil {
		return value.Null, err
	}
	out := os.Expand(text, func(name string) string {
		if v, ok := c.host().Getenv(name); ok {
			return v
		}
		return "$" + name
	})
	return value.String(out).Verbatim(), nil
}

func expanduserFilter(c caller, in value.Value, _ value.Args) (value.Value, error) {
	text, err := c.text(in, "expanduser")
	if err != nil {
		return value.Null, err
	}
	home, ok := c.host().Getenv("HOME")
	if rest := strings.TrimPrefix(text, "~"); ok && rest != text && (rest == "" || rest[0] == '/') {
		text = filepath.Join(home, rest)
	}
	return value.String(text).Verbatim(), nil
}
