package mcl

import (
	"github.com/yaytpl/yaytpl/lang/mcl/library"
	"github.com/yaytpl/yaytpl/lang/mcl/syntax"
	"github.com/yaytpl/yaytpl/source"
)

// # What names mean
//
// Two trees describe where a name is found, and where its value is at run time. A scope has the names of a block, and
// scopes are nested as blocks are. A layout has the variables of one frame. Every scope has a layout, and a block
// that runs at most once for the block around it shares the layout of that one:
//
//	$a = 1                      file: scope 1, layout 1
//	if $a > 0 {                 block: scope 2, layout 1
//		$b = 2
//		for $i, $x in [3] {     turn: scope 3, layout 2, with the body in scope 4, layout 2
//			$c = $a + $x
//		}
//	}
//
// A unit is the third tree: the parts of a program that are typed for each use, that is a file, a function and a
// class. The types of the variables of a unit are in its instances, by symbol.term, as their values are in
// its frames, by symbol.slot.

// A module is one file of a program: the main one, or one that is imported.
type module struct {
	tree   *syntax.Program
	prefix string // of its names, for messages; "" for the main file
	scope  *scope
	unit   *unit

	// uses says what the names of expressions mean, by the IDs of the expressions.
	uses []use

	// lambdas and loops have the layouts of their frames, includes what statements include. All
	// are known once the names around them are resolved.
	lambdas  map[*syntax.Func]*binder
	loops    map[*syntax.For]*binder
	includes map[*syntax.Include]*inclusion
}

// A unit is a part of a program that is typed for each use: the whole of a file, a function, a class.
type unit struct {
	mod    *module
	up     *unit // the unit around its definition, nil for a file
	name   string
	at     source.Span
	params []*symbol
	fn     *syntax.Func  // of a function
	reads  *symbol       // the parameter that the body of a function reads first, once it is typed: see firstRead
	class  *syntax.Class // of a class
	frame  *layout

	first, last int // the IDs of its expressions
	terms       int // the number of its symbols
	includes    int // the number of its include statements
}

// A layout describes the frames in which the symbols of a scope have their values: the frames of a file, a
// class, a call, a turn of a loop. Blocks without frames of their own have their symbols in the frame
// around them, since they run at most once for it.
type layout struct {
	up    *layout
	slots int
}

// hops counts the frames from one layout up to another.
func (l *layout) hops(to *layout) int {
	n := 0
	for ; l != to; l = l.up {
		n++
	}
	return n
}

// A binder is a lambda or a loop: it binds names in frames of its own.
type binder struct {
	frame  *layout
	params []*symbol
	reads  *symbol // as in a unit
	scope  *scope

	fleeting bool // no call needs its frame after it: see keepsFrame
}

// A symbol is a variable. Its bind is nil for a parameter, and for the variables of a loop.
type symbol struct {
	name  string
	at    source.Span
	typ   *syntax.Type
	bind  *syntax.Bind
	scope *scope
	term  int // in the instances of its unit
	slot  int // in the frames of its layout
	state state
	err   error // of its value, once it is done
	loop  bool  // a variable of a loop
}

// A state says how far a definition is.
type state uint8

const (
	fresh state = iota
	running
	done
)

// A function is a func of the program.
type function struct {
	unit  *unit
	scope *scope // around its definition
	state state
	err   error // of its body, once it is done
}

// A class is a class of the program.
type class struct {
	unit     *unit
	outer    *scope // around its definition
	params   *scope
	body     *scope
	declared bool // the statements of its body are
	state    state
}

// An inclusion is a statement "include", with what it includes.
type inclusion struct {
	node  *syntax.Include
	class *class
	to    use    // how the class is reached
	scope *scope // of the statement
	slot  int    // of the frame that it makes, if it has a name
	index int    // in the instances of its unit

	resolving bool // its class is being looked up
}

// A space has the names with one prefix: a file, a module of the library, an inclusion.
type space struct {
	at        source.Span
	mod       *module
	library   string
	inclusion *inclusion
}

// A scope has the names of a block. Variables, functions and classes have name spaces of their own
// (spec: mcl, section 5).
type scope struct {
	up      *scope
	mod     *module
	unit    *unit
	frame   *layout
	vars    map[string]*symbol
	funcs   map[string]*function
	classes map[string]*class
	spaces  map[string]*space
	stars   []*space
	paths   map[string]source.Span // of its imports
}

// inner returns a scope for a block inside of s, in the same frame.
func (s *scope) inner() *scope {
	return &scope{up: s, mod: s.mod, unit: s.unit, frame: s.frame}
}

// framed returns a scope for the turns of a loop or the calls of a lambda inside of s.
func (s *scope) framed() *scope {
	return &scope{up: s, mod: s.mod, unit: s.unit, frame: &layout{up: s.frame}}
}

// ofUnit returns the scope of a unit whose definition is in s.
func (s *scope) ofUnit(u *unit) *scope {
	u.frame = &layout{up: s.frame}
	return &scope{up: s, mod: s.mod, unit: u, frame: u.frame}
}

// add declares a variable.
func (s *scope) add(name syntax.Word, typ *syntax.Type, bind *syntax.Bind) (*symbol, *source.Diagnostic) {
	if old := s.vars[name.Text]; old != nil {
		return nil, source.Errorf(name.At, source.DuplicateBind, "$%s is bound twice in this block", name.Text).
			Note(old.at, "$%s is bound here", name.Text).WithHint("a block has one value for a name; a block inside of it may bind the name again")
	}
	sym := &symbol{name: name.Text, at: name.At, typ: typ, bind: bind, scope: s, term: s.unit.terms, slot: s.frame.slots}
	s.unit.terms++
	s.frame.slots++
	if s.vars == nil {
		s.vars = map[string]*symbol{}
	}
	s.vars[name.Text] = sym
	return sym, nil
}

// A use is what a name in an expression or statement means, and the way to it: some frames up, or to
// the frame of a file, then through the frames of inclusions.
type use struct {
	hops int
	mod  *module // of which the first frame is; nil for the frame hops up
	via  []*inclusion

	sym   *symbol
	fn    *function
	class *class
	lib   *library.Func
	host  bool // the predefined $hostname
}
