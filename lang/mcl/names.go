package mcl

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/lang/mcl/library"
	"github.com/yaytpl/yaytpl/lang/mcl/syntax"
	"github.com/yaytpl/yaytpl/lang/mcl/types"
	"github.com/yaytpl/yaytpl/source"
)

// # Resolving names
//
// The result of resolving is in module.uses: for each expression that is a name, what it means and the way to its
// value at run time. In
//
//	class base($port) {
//		$url = "http://h:" + $port
//	}
//	include base("80") as b
//	note "n" { text => $b.url, }
//
// the file has the class base and the prefix b, which names the include. $b.url is resolved word by word: b is
// found in the scope of the file, and is an inclusion; url is a variable of the body of its class. The use is
// {sym: url, via: [include base as b]}: at run time, and when types are inferred, the frame of the include is
// entered and its slot of url is read. In the body $port is a use with 0 hops: it is in the frame of the class itself.

// A resolver finds out what the names of a program mean, on demand: it begins with the statements that
// have output, and goes on with what they use. So a definition that is not used cannot fail, and a
// definition that is met again while it is resolved is a cycle.
//
//	$a = $b          not resolved here
//	$b = $a          running, by the note below
//	note "n" {       output
//		v => $b,     $b is resolved: it uses $a, that uses $b, which is running: a cycle
//	}
type resolver struct {
	load    func(path syntax.Word) (*syntax.Program, error)
	modules map[string]*module // by the full names of their files
	opening []*syntax.Import   // the imports that are being resolved, outermost first

	running []*symbol // the binds that are being resolved
	binds   []*symbol // all that were declared, in the order of the text
	depth   int       // of expressions and includes: see enter
}

// resolveMain resolves the names of the main file.
func (r *resolver) resolveMain(tree *syntax.Program) (*module, error) {
	m, err := r.module(tree)
	if err == nil {
		err = r.stmts(m.tree.Body.Stmts, m.scope)
	}
	if err == nil {
		err = recursion(m)
	}
	for _, name := range slices.Sorted(maps.Keys(r.modules)) {
		if err == nil {
			err = recursion(r.modules[name])
		}
	}
	return m, err
}

// module declares the names of a file.
func (r *resolver) module(tree *syntax.Program) (*module, error) {
	if len(tree.Problems) > 0 {
		return nil, source.OneOrMany(tree.Problems)
	}
	m := &module{
		tree: tree, uses: make([]use, tree.Exprs), lambdas: map[*syntax.Func]*binder{},
		loops: map[*syntax.For]*binder{}, includes: map[*syntax.Include]*inclusion{},
	}
	m.unit = &unit{mod: m, frame: &layout{}, last: tree.Exprs, at: tree.File.Span(0, 0)}
	m.scope = &scope{mod: m, unit: m.unit, frame: m.unit.frame}
	return m, r.declare(tree.Body.Stmts, m.scope)
}

// declare adds the names that statements define to their scope. A nested class, "a:b", belongs to the
// scope of the class a, so all others come first.
func (r *resolver) declare(stmts []syntax.Stmt, s *scope) error {
	for _, st := range stmts {
		if err := r.declareOne(st, s); err != nil {
			return err
		}
	}
	for _, st := range stmts {
		if c, ok := st.(*syntax.Class); ok && strings.Contains(c.Name.Text, ":") {
			if err := r.declareNested(c, s); err != nil {
				return err
			}
		}
	}
	return nil
}

// declareOne adds the name of one statement to its scope. Nothing is resolved yet: names may be used above their
// definition.
func (r *resolver) declareOne(st syntax.Stmt, s *scope) error {
	switch st := st.(type) {
	case *syntax.Bind:
		if st.Type != nil {
			if d := types.Check(st.Type); d != nil {
				return d
			}
		}
		sym, d := s.add(st.Name, st.Type, st)
		if d != nil {
			return d
		}
		r.binds = append(r.binds, sym)
	case *syntax.FuncStmt:
		return s.addFunction(st)
	case *syntax.Class:
		if !strings.Contains(st.Name.Text, ":") {
			return s.addClass(st, st.Name.Text, s)
		}
	case *syntax.Import:
		return r.declareImport(st, s)
	case *syntax.Include:
		return r.declareInclude(st, s)
	}
	return nil
}

// addFunction adds a function of the program. Its unit has a range of expression IDs: an instance has their types
// in a slice.
func (s *scope) addFunction(st *syntax.FuncStmt) error {
	if old := s.funcs[st.Name.Text]; old != nil {
		return source.Errorf(st.Name.At, source.DuplicateBind, "the function %s is defined twice in this block", st.Name.Text).
			Note(old.unit.at, "it is defined here")
	}
	if s.funcs == nil {
		s.funcs = map[string]*function{}
	}
	u := &unit{mod: s.mod, up: s.unit, name: st.Name.Text, at: st.Name.At, fn: st.Func, first: st.Func.First, last: st.Func.Last}
	s.funcs[st.Name.Text] = &function{unit: u, scope: s}
	return nil
}

// addClass defines a class in s. outer is the scope around its statement.
func (s *scope) addClass(st *syntax.Class, name string, outer *scope) error {
	if old := s.classes[name]; old != nil {
		return source.Errorf(st.Name.At, source.DuplicateBind, "the class %s is defined twice in this block", st.Name.Text).
			Note(old.unit.at, "it is defined here")
	}
	if s.classes == nil {
		s.classes = map[string]*class{}
	}
	u := &unit{mod: s.mod, up: outer.unit, name: st.Name.Text, at: st.Name.At, class: st, first: st.First, last: st.Last}
	c := &class{unit: u, outer: outer}
	c.params = outer.ofUnit(u)
	c.body = c.params.inner()
	if st.Params != nil {
		params, err := c.params.addParams(st.Params)
		if err != nil {
			return err
		}
		u.params = params
	}
	s.classes[name] = c
	return nil
}

// addParams adds the parameters of a function, class or lambda. There is nothing to resolve in them: their state
// is done.
func (s *scope) addParams(params *syntax.Params) ([]*symbol, error) {
	var all []*symbol
	for _, p := range params.List {
		if p.Type != nil {
			if d := types.Check(p.Type); d != nil {
				return nil, d
			}
		}
		if old := s.vars[p.Name.Text]; old != nil {
			return nil, source.Errorf(p.Name.At, source.DuplicateKey, "the parameter $%s is given twice", p.Name.Text).Note(old.at, "it is given here")
		}
		sym, d := s.add(p.Name, p.Type, nil)
		if d != nil {
			return nil, d
		}
		sym.state = done
		all = append(all, sym)
	}
	return all, nil
}

// declareNested defines a class a:b as the class b inside of the class a.
func (r *resolver) declareNested(st *syntax.Class, s *scope) error {
	words := strings.Split(st.Name.Text, ":")
	at := s
	for _, w := range words[:len(words)-1] {
		c := at.classes[w]
		if c == nil {
			return source.Errorf(st.Name.At, source.UnknownClass, "there is no class %s here for the class %s to be in", w, st.Name.Text).
				DidYouMean(w, maps.Keys(at.classes))
		}
		at = c.body
	}
	return at.addClass(st, words[len(words)-1], at)
}

// declareInclude notes the prefix that an include gives to the names of its class.
func (r *resolver) declareInclude(st *syntax.Include, s *scope) error {
	inc := &inclusion{node: st, scope: s, index: s.unit.includes}
	s.unit.includes++
	s.mod.includes[st] = inc
	if st.As.Text == "" {
		return nil
	}
	inc.slot = s.frame.slots
	s.frame.slots++
	return s.addSpace(st.As, &space{at: st.As.At, inclusion: inc})
}

// addSpace adds a prefix. An import and an include of one block cannot have the same.
func (s *scope) addSpace(name syntax.Word, sp *space) error {
	if old := s.spaces[name.Text]; old != nil {
		return source.Errorf(name.At, source.DuplicateImport, "the prefix %s means two things in this block", name.Text).
			Note(old.at, "it is given here").WithHint(`"as" gives another prefix`)
	}
	if s.spaces == nil {
		s.spaces = map[string]*space{}
	}
	s.spaces[name.Text] = sp
	return nil
}

// body declares the statements of the body of a class, once.
func (r *resolver) body(c *class) error {
	if c.declared {
		return nil
	}
	c.declared = true
	return r.declare(c.unit.class.Body.Stmts, c.body)
}

// find looks for something in the scopes around a name, innermost first.
func find(s *scope, what func(s *scope) bool) (*scope, *space) {
	for ; s != nil; s = s.up {
		if found, star := own(s, what); found != nil {
			return found, star
		}
	}
	return nil, nil
}

// own looks for something in a scope, then in the files that it imports with "as *".
func own(s *scope, what func(s *scope) bool) (*scope, *space) {
	if what(s) {
		return s, nil
	}
	for _, star := range s.stars {
		if star.mod != nil && what(star.mod.scope) {
			return star.mod.scope, star
		}
	}
	return nil, nil
}

// path follows the prefixes of a dotted name and returns the scope in which its last word is, and the
// way to it. library is set if the prefix is a module of the library.
func (r *resolver) path(words []string, s *scope) (at *scope, to use, lib string, ok bool, err error) {
	for i, w := range words[:len(words)-1] {
		var sp *space
		if i == 0 {
			found, star := find(s, func(s *scope) bool { sp = s.spaces[w]; return sp != nil })
			if found == nil {
				return nil, use{}, "", false, nil
			}
			if star != nil {
				to.mod = star.mod
			} else if sp.inclusion != nil {
				to.hops = s.frame.hops(found.frame)
			}
		} else if found, _ := own(at, func(s *scope) bool { sp = s.spaces[w]; return sp != nil }); found == nil {
			return nil, use{}, "", false, nil
		}
		switch {
		case sp.library != "":
			return nil, use{}, sp.library, i == len(words)-2, nil
		case sp.mod != nil:
			to = use{mod: sp.mod}
			at = sp.mod.scope
		default:
			if err := r.inclusion(sp.inclusion); err != nil {
				return nil, use{}, "", false, err
			}
			if err := r.body(sp.inclusion.class); err != nil {
				return nil, use{}, "", false, err
			}
			to.via = append(slices.Clip(to.via), sp.inclusion)
			at = sp.inclusion.class.body
		}
	}
	return at, to, "", true, nil
}

// variable resolves the name of a variable.
func (r *resolver) variable(name string, at source.Span, s *scope) (use, error) {
	words := strings.Split(name, ".")
	var to use
	var sym *symbol
	if len(words) == 1 {
		found, star := find(s, func(s *scope) bool { sym = s.vars[name]; return sym != nil })
		switch {
		case found == nil && name == "hostname":
			return use{host: true}, nil
		case found == nil:
			d := source.Errorf(at, source.UndefinedVariable, "there is no variable $%s here", name)
			if other, _ := find(s, func(s *scope) bool { return s.funcs[name] != nil }); other != nil {
				return use{}, d.WithHint("%s is a function, which is called without the $: %s(...)", name, name)
			}
			return use{}, d.DidYouMean(name, variables(s))
		case star != nil:
			to.mod = star.mod
		default:
			to.hops = s.frame.hops(found.frame)
		}
	} else {
		in, way, lib, ok, err := r.path(words, s)
		if err != nil {
			return use{}, err
		}
		last := words[len(words)-1]
		if ok && lib == "" {
			sym, to = r.member(in, last, way)
		}
		if sym == nil {
			d := source.Errorf(at, source.UndefinedVariable, "there is no variable $%s here", name)
			prefix := words[0]
			holds := func(s *scope) bool { return s.vars[prefix] != nil }
			switch other, _ := find(s, holds); {
			case other != nil && len(words) == 2 && in == nil:
				d.WithHint("a field of the struct $%s is written $%s->%s, an entry of a map $%s[%q]", prefix, prefix, last, prefix, last)
			case in != nil:
				noMember(d, in, name, last)
			case words[0] == "const" && !ok:
				d.WithHint("the constants of mgmt are not a part of this language: write the text, %q", last)
			}
			return use{}, d
		}
	}
	to.sym = sym
	return to, r.symbol(sym)
}

// member returns a variable of a class or file, and the way to it: of its body, of what that imports
// with "as *", or a parameter.
func (r *resolver) member(in *scope, name string, way use) (*symbol, use) {
	var sym *symbol
	_, star := own(in, func(s *scope) bool { sym = s.vars[name]; return sym != nil })
	switch {
	case star != nil:
		way = use{mod: star.mod}
	case sym == nil && in.unit.class != nil && in.up.unit == in.unit:
		sym = in.up.vars[name]
	}
	return sym, way
}

// noMember says of a variable that a class or file does not have what could be meant.
func noMember(d *source.Diagnostic, in *scope, name, last string) {
	if in.unit.class != nil {
		if around, _ := find(in.up, func(s *scope) bool { return s.vars[last] != nil }); around != nil {
			d.Note(around.vars[last].at, "$%s is bound here, around the class", last).
				WithHint("%s has only the variables of the class", strings.TrimSuffix(name, "."+last))
			return
		}
	}
	d.DidYouMean(last, maps.Keys(in.vars))
}

// variables yields the names of the variables that an expression can use.
func variables(s *scope) iter.Seq[string] {
	return func(yield func(string) bool) {
		for ; s != nil; s = s.up {
			for name := range s.vars {
				if !yield(name) {
					return
				}
			}
		}
		yield("hostname")
	}
}

// symbol resolves the value of a variable that is used.
func (r *resolver) symbol(sym *symbol) error {
	switch {
	case sym.bind == nil || sym.state == done:
		return sym.err
	case sym.state == running:
		return cycle(r.running[slices.Index(r.running, sym):])
	}
	sym.state = running
	r.running = append(r.running, sym)
	sym.err = r.expr(sym.bind.Value, sym.scope)
	r.running = r.running[:len(r.running)-1]
	sym.state = done
	return sym.err
}

// cycle is the error of binds that use each other. It is reported at the first of them in the source.
func cycle(syms []*symbol) *source.Diagnostic {
	first := 0
	for i, s := range syms {
		if s.at.Start < syms[first].at.Start {
			first = i
		}
	}
	syms = append(slices.Clone(syms[first:]), syms[:first]...)
	d := source.Errorf(syms[0].at, source.BindCycle, "$%s is recursive: its value needs itself", syms[0].name)
	for i, s := range syms {
		if len(syms) > 1 && i < maxNotes {
			d.Note(s.at, "$%s needs $%s", s.name, syms[(i+1)%len(syms)].name)
		}
	}
	return d
}

// maxNotes bounds the notes of an error.
const maxNotes = 8

// function resolves the name of a function in a call.
func (r *resolver) function(name syntax.Word, s *scope) (use, error) {
	words := strings.Split(name.Text, ".")
	last := words[len(words)-1]
	if len(words) == 1 {
		return r.plainFunction(name, s)
	}
	in, to, lib, ok, err := r.path(words, s)
	if err != nil {
		return use{}, err
	}
	if lib != "" && ok {
		if f := library.Find(lib + "." + last); f != nil {
			return use{lib: f}, nil
		}
		return use{}, library.Missing(name.At, lib, last)
	}
	if ok {
		_, star := own(in, func(s *scope) bool { to.fn = s.funcs[last]; return to.fn != nil })
		switch {
		case star != nil:
			return use{mod: star.mod, fn: to.fn}, r.functionBody(to.fn, name.At)
		case to.fn != nil:
			return to, r.functionBody(to.fn, name.At)
		}
		if f := ofLibrary(in, last); f != nil {
			return use{lib: f}, nil
		}
	}
	d := source.Errorf(name.At, source.UnknownFunction, "there is no function %s here", name.Text)
	if prefix := strings.TrimSuffix(name.Text, "."+last); library.Find(name.Text) != nil {
		d.WithHint("write import %q at the top", prefix)
	} else if in != nil {
		d.DidYouMean(last, maps.Keys(in.funcs))
	}
	return use{}, d
}

// plainFunction resolves a function without a prefix: in the scopes around the call, then in the modules that they
// import with "as *", then among the global functions of the library. Hints are for a variable that is called
// without its $, and for a function of a module that is not imported.
func (r *resolver) plainFunction(name syntax.Word, s *scope) (use, error) {
	var fn *function
	found, star := find(s, func(s *scope) bool { fn = s.funcs[name.Text]; return fn != nil })
	switch {
	case star != nil:
		return use{mod: star.mod, fn: fn}, r.functionBody(fn, name.At)
	case found != nil:
		return use{hops: s.frame.hops(found.frame), fn: fn}, r.functionBody(fn, name.At)
	}
	for sc := s; sc != nil; sc = sc.up {
		if f := ofLibrary(sc, name.Text); f != nil {
			return use{lib: f}, nil
		}
	}
	if f := library.Global(name.Text); f != nil {
		return use{lib: f}, nil
	}
	d := source.Errorf(name.At, source.UnknownFunction, "there is no function %s here", name.Text)
	if hint := library.Hint(name.Text); hint != "" {
		return use{}, d.WithHint("%s", hint)
	}
	if other, _ := find(s, func(s *scope) bool { return s.vars[name.Text] != nil }); other != nil {
		return use{}, d.WithHint("the function that a variable holds is called with the $: $%s(...)", name.Text)
	}
	for _, module := range library.Modules() {
		if library.Find(module+"."+name.Text) != nil {
			return use{}, d.WithHint("it is a function of the module %s: import %q, and call %s.%s", module, module, module, name.Text)
		}
	}
	return use{}, d.DidYouMean(name.Text, functions(s))
}

// ofLibrary returns a function of the modules of the library that a scope imports with "as *".
func ofLibrary(s *scope, name string) *library.Func {
	for _, star := range s.stars {
		if star.library != "" {
			if f := library.Find(star.library + "." + name); f != nil {
				return f
			}
		}
	}
	return nil
}

// functions yields the names of the functions that an expression can call without a prefix.
func functions(s *scope) iter.Seq[string] {
	return func(yield func(string) bool) {
		for ; s != nil; s = s.up {
			for name := range s.funcs {
				if !yield(name) {
					return
				}
			}
		}
		for name := range library.Globals() {
			if !yield(name) {
				return
			}
		}
	}
}

// functionBody resolves the body of a function that is called at a place.
func (r *resolver) functionBody(fn *function, at source.Span) error {
	switch fn.state {
	case done:
		return fn.err
	case running:
		return source.Errorf(at, source.Recursion, "the function %s is recursive: it calls itself here", fn.unit.name).Note(fn.unit.at, "it is defined here")
	}
	fn.state = running
	fn.err = r.definition(fn)
	fn.state = done
	return fn.err
}

// definition resolves the parameters, the type and the body of a function.
func (r *resolver) definition(fn *function) error {
	s := fn.scope.ofUnit(fn.unit)
	params, err := s.addParams(fn.unit.fn.Params)
	if err != nil {
		return err
	}
	if t := fn.unit.fn.Result; t != nil {
		if d := types.Check(t); d != nil {
			return d
		}
	}
	fn.unit.params = params
	return r.expr(fn.unit.fn.Body, s)
}

// inclusion resolves what an include includes, without its arguments and the body of the class.
func (r *resolver) inclusion(inc *inclusion) error {
	switch {
	case inc.class != nil:
		return nil
	case inc.resolving:
		return source.Errorf(inc.node.Span(), source.Recursion, "the prefix %s is recursive: what it means is looked up in itself", inc.node.As.Text).
			WithHint("another name after \"as\" keeps them apart")
	}
	inc.resolving = true
	defer func() { inc.resolving = false }()
	name, s := inc.node.Name, inc.scope
	words := strings.Split(name.Text, ".")
	last := words[len(words)-1]
	var c *class
	if len(words) == 1 {
		found, star := find(s, func(s *scope) bool { c = s.classes[name.Text]; return c != nil })
		switch {
		case found == nil:
			return source.Errorf(name.At, source.UnknownClass, "there is no class %s here", name.Text).DidYouMean(name.Text, classes(s))
		case star != nil:
			inc.to.mod = star.mod
		default:
			inc.to.hops = s.frame.hops(found.frame)
		}
	} else {
		in, to, lib, ok, err := r.path(words, s)
		if err != nil {
			return err
		}
		if ok && lib == "" {
			if _, star := own(in, func(s *scope) bool { c = s.classes[last]; return c != nil }); star != nil {
				to = use{mod: star.mod}
			}
		}
		if c == nil {
			d := source.Errorf(name.At, source.UnknownClass, "there is no class %s here", name.Text)
			if in != nil {
				d.DidYouMean(last, maps.Keys(in.classes))
			}
			return d
		}
		inc.to = to
	}
	inc.class, inc.to.class = c, c
	return nil
}

// classes yields the names of the classes that an include can name without a prefix.
func classes(s *scope) iter.Seq[string] {
	return func(yield func(string) bool) {
		for ; s != nil; s = s.up {
			for name := range s.classes {
				if !yield(name) {
					return
				}
			}
		}
	}
}
