package expr

import (
	"io/fs"
	"iter"
	"time"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// An Env gives expressions and templates access to the document, the library and the
// host. An evaluation of a document has one Env for each file with expressions; the
// [Scope] has what differs from place to place.
type Env interface {
	// Root returns the finished document, lazily.
	Root() value.Value

	// Global returns the value of a bare name that is not a variable: a top-level
	// key of the finished document, or of the included file that holds the template.
	Global(name string) (value.Value, bool, error)

	// Through is Global for a value that contains its own place, on the way to a part of it.
	Through(name string) (value.Value, bool)

	// GlobalNames returns the names that Global knows, for near misses.
	GlobalNames() []string

	// Library returns the pure filters, tests, methods and functions.
	Library() Library

	// Host returns access to the environment, files and programs for the questions of a place.
	// secret says that a secret decides what they are about.
	Host(at source.Span, secret bool) Host

	// Render renders a template text from data or from the "template" function. at
	// finds places in the text.
	Render(text string, at Placer, s *Scope) (value.Value, error)

	// RenderFile renders the template file of that name, relative to base or, if
	// base is empty, to the directory of the document.
	RenderFile(host Host, name, base string, s *Scope, o FileOptions) (value.Value, error)

	// Step counts work against the limits; n is the number of steps, at least 1.
	Step(n int) error

	// Enter counts one level of nested evaluation; the caller must call Leave.
	Enter() error
	Leave()

	// Decided notes that a secret decides what the expression reads from now on. An
	// explanation of the value does not say what that is.
	Decided()

	// Warn reports a finding that does not stop the evaluation.
	Warn(d *source.Diagnostic)

	// Options returns how expressions behave.
	Options() Options
}

// Options change the meaning of expressions. The zero value is the default.
type Options struct {
	Lenient   bool // templates keep undefined names as text, with a warning
	NoLiteral bool // results of templates stay text unless a single expression
	Trace     bool // log every expression object, not only those that ask for it

	// Lint reports expressions that are valid but probably mistakes.
	Lint bool

	// StrictPaths makes it an error if a path of an expression object finds nothing, although
	// the expression does not say that it may. Otherwise Misses collects these paths; it may be nil.
	StrictPaths bool
	Misses      *Misses

	// Injector looks up keys in the bindings of the document; nil if it has none.
	Injector Injector

	// Parsed keeps the data of files that lookups have parsed; nil keeps nothing.
	Parsed *Parsed
}

// FileOptions change how [Env.RenderFile] renders a file. The zero value renders it like a template in
// a document.
type FileOptions struct {
	// Text makes the result the text that the template writes, with all blanks around it.
	Text bool
	// Data makes a Text that spells a list, a map or a truth value as a Python literal that value.
	Data bool
	// Settings are options as in the header line of a file, whose own header comes after them.
	Settings []value.Named
}

// An Asking returns the host for the questions of a place. secret says that a secret decides what
// they are about.
type Asking = func(at source.Span, secret bool) Host

// A Host gives access to the environment, files and programs, as far as the sandbox
// allows. A refusal is a diagnostic of code forbidden that names the flag to allow it.
type Host interface {
	// Getenv returns an environment variable, and false if it is unset or hidden.
	Getenv(name string) (string, bool)
	// Environ returns the names of all visible variables, sorted.
	Environ() []string
	// ReadFile reads a file below the roots; relative names are below base, or
	// below the document's directory if base is empty.
	ReadFile(name, base string) (*source.File, error)
	// Unvault decrypts a text that ansible-vault encrypted. ok is false if there are no
	// passwords for that.
	Unvault(text string) (plain string, ok bool, err error)
	// Find returns the absolute path of a file or directory below the roots, or "" if it
	// does not exist.
	Find(name, base string) (path string, err error)
	// Glob returns the files below the roots that match a pattern, sorted.
	Glob(pattern, base string) ([]string, error)
	// WriteFile writes a file, if allowed.
	WriteFile(name, base string, data []byte) (path string, err error)
	// CreatePrivate writes a new file that only the user can read, if allowed. The error of a
	// file that exists is fs.ErrExist.
	CreatePrivate(name, base string, data []byte) (path string, err error)
	// TempFile writes a new file whose name ends in suffix, if allowed.
	TempFile(suffix string, data []byte) (path string, err error)
	// Stat returns the properties of a file or directory below the roots, or of the link
	// of this name; nil if there is none.
	Stat(name, base string, follow bool) (fs.FileInfo, error)
	// IsMount reports whether a directory below the roots is the root of a file system.
	IsMount(name, base string) (bool, error)
	// RealPath returns the absolute path of name below base without links. The file need
	// not exist.
	RealPath(name, base string) (string, error)
	// Abs returns the absolute path of name below base (or the document's directory).
	Abs(name, base string) (string, error)
	// Dir returns a directory by its name: "." is the directory of the document, "src" the directory of the
	// file that holds the expression, "tmp" a temporary one.
	Dir(name string) (string, bool)
	// LookPath returns the full path of a program in PATH, or "".
	LookPath(name string) string
	// Run runs a program and returns its standard output, if allowed.
	Run(args []string) (string, error)
	// Get reads a URL, if allowed.
	Get(url string) (*source.File, error)
	// Now returns the time of this evaluation: the same for all of it.
	Now() time.Time
	// Random returns 64 random bits.
	Random() uint64
	// Executable returns the path of the running program.
	Executable() string
}

// A Library provides pure filters, tests, methods and functions by name. New values
// have the marks of the arguments; an item that a filter passes through keeps its own.
type Library interface {
	// Filter calls a filter; ok is false for an unknown name, here and below.
	Filter(c Call, name string, in value.Value, args value.Args) (v value.Value, ok bool, err error)
	// Test calls a test, whose result is a truth value.
	Test(c Call, name string, in value.Value, args value.Args) (holds value.Value, ok bool, err error)
	// Method calls a method of a value, such as "abc".upper().
	Method(c Call, recv value.Value, name string, args value.Args) (v value.Value, ok bool, err error)
	// Function calls a pure function of the expression table, such as to_label.
	Function(c Call, name string, args value.Args) (v value.Value, ok bool, err error)
	// Global returns a global of templates, such as range.
	Global(name string) (value.Value, bool)

	HasFilter(name string) bool
	HasTest(name string) bool
	FilterNames() []string
	TestNames() []string
	// MethodNames returns the names of the methods of values of a kind.
	MethodNames(value.Kind) []string
}

// A Call gives library functions access to the evaluation that calls them.
type Call interface {
	// Step counts work against the limits.
	Step(n int) error
	// Random returns 64 random bits, from the host.
	Random() uint64
	// Now returns the time of the evaluation.
	Now() time.Time
	// CallFilter and CallTest call another filter or test by name, including those
	// that need the document.
	CallFilter(name string, in value.Value, args value.Args) (value.Value, error)
	CallTest(name string, in value.Value, args value.Args) (value.Value, error)
	// Attr returns an attribute or item of v by name, or an undefined value.
	Attr(v value.Value, name string) (value.Value, error)
}

// An Instance is a map that knows its place in the document. Maps of the
// configuration are instances; computed ones are not.
type Instance interface {
	value.Map
	// Parent returns the nearest enclosing map, and false at the root.
	Parent() (value.Value, bool, error)
	// Name returns the key in the parent, the index of an item, or "" at the root.
	Name() value.Value
	// Document returns the root of the document that contains the map.
	Document() value.Value
}

// A Placer finds the source range of the bytes [start, end) of a text, which the file
// may have quoted or folded.
type Placer interface {
	TextSpan(start, end int) source.Span
}

// At is a Placer for a text that its file spells byte by byte.
type At source.Span

// TextSpan returns the part of the span.
func (a At) TextSpan(start, end int) source.Span { return source.Span(a).Sub(start, end) }

// Nowhere is a Placer for computed text: every part has the place of the expression.
type Nowhere source.Span

// TextSpan returns the place of the expression.
func (n Nowhere) TextSpan(_, _ int) source.Span { return source.Span(n) }

// A Scope is the context of an expression: the current map and the variables. Scopes are
// immutable chains; [Scope.With] makes an inner one.
type Scope struct {
	Env  Env
	Self value.Value // the current map: SELF, and where relative paths start
	Base string      // base directory of relative file names; "" is the document's

	BaseMarks value.Marks // of the values that Base was computed from

	vars   *binding
	taint  *value.Marks
	branch *Branches
	item   bool // Self is an item of foreach or select: relative paths do not look above it
	strict strictness
	escape bool // see Escaping

	namespaces func(value.Args) (value.Value, error) // see Namespaces
}

type strictness uint8

const (
	strictByOption strictness = iota
	strictOn
	strictOff
)

// A binding is one variable. Its value may be computed on first use.
type binding struct {
	name  string
	value value.Value
	lazy  *lazy
	next  *binding
}

// NewScope returns the outermost scope of an expression.
func NewScope(env Env, self value.Value) *Scope { return &Scope{Env: env, Self: self} }

// enter counts one level of nested evaluation; the caller must call Env.Leave.
func (s *Scope) enter(at source.Span) error {
	if err := s.Env.Enter(); err != nil {
		return located(at, source.Limit, err, 0)
	}
	return nil
}

// step counts work at a place.
func (s *Scope) step(at source.Span, n int) error {
	if err := s.Env.Step(n); err != nil {
		return located(at, source.Limit, err, 0)
	}
	return nil
}

// With returns a scope that also sees name as v.
func (s *Scope) With(name string, v value.Value) *Scope {
	inner := *s
	inner.vars = &binding{name: name, value: v, next: s.vars}
	return &inner
}

// withLazy returns a scope that also sees name as the result of compute, which is called
// at most once: when the variable is read.
func (s *Scope) withLazy(name string, compute func() (value.Value, error)) *Scope {
	inner := *s
	inner.vars = &binding{name: name, lazy: &lazy{compute: compute}, next: s.vars}
	return &inner
}

// withSelf returns a scope whose current map is self.
func (s *Scope) withSelf(self value.Value) *Scope {
	inner := *s
	inner.Self = self
	inner.item = false
	return &inner
}

// withItem returns a scope whose current value is an item of a loop.
func (s *Scope) withItem(item value.Value) *Scope {
	inner := *s
	inner.Self = item
	inner.item = true
	return &inner
}

// withStrict returns a scope that says whether undefined names are errors in templates.
func (s *Scope) withStrict(on bool) *Scope {
	inner := *s
	inner.strict = strictOff
	if on {
		inner.strict = strictOn
	}
	return &inner
}

// Escaping returns a scope whose templates escape HTML in the values that they write, or do
// not.
func (s *Scope) Escaping(on bool) *Scope {
	if s.escape == on {
		return s
	}
	inner := *s
	inner.escape = on
	return &inner
}

// Escapes reports whether HTML is escaped: see [Scope.Escaping].
func (s *Scope) Escapes() bool { return s.escape }

// Namespaces returns a scope in which the function namespace() is the given one.
func (s *Scope) Namespaces(make func(value.Args) (value.Value, error)) *Scope {
	inner := *s
	inner.namespaces = make
	return &inner
}

// namespaceFunc returns the function namespace(). Where a template has no statements, no
// attribute can be set, and it is dict().
func (s *Scope) namespaceFunc() *value.Func {
	if s.namespaces != nil {
		return &value.Func{Name: "namespace", Call: s.namespaces}
	}
	v, _ := s.Env.Library().Global("dict")
	return v.Func()
}

// Lenient reports whether undefined names stay as text in templates: an expression
// object may say so for itself (spec: expressions, section 4, "strict").
func (s *Scope) Lenient() bool {
	if s.strict == strictByOption {
		return s.Env.Options().Lenient
	}
	return s.strict == strictOff
}

// Var returns a variable, and false for an unknown name.
func (s *Scope) Var(name string) (value.Value, bool, error) {
	b := s.binding(name)
	if b == nil {
		return value.Null, false, nil
	}
	v, err := b.value, error(nil)
	if b.lazy != nil {
		v, err = b.lazy.get()
	}
	s.touch(v.Marks())
	return v, true, err
}

func (s *Scope) hasVar(name string) bool { return s.binding(name) != nil }

// binding returns the innermost variable of a name, or nil.
func (s *Scope) binding(name string) *binding {
	for b := s.vars; b != nil; b = b.next {
		if b.name == name {
			return b
		}
	}
	return nil
}

// varNames yields the names of the variables, innermost first, each once.
func (s *Scope) varNames() iter.Seq[string] {
	return func(yield func(string) bool) {
		seen := map[string]bool{}
		for b := s.vars; b != nil; b = b.next {
			if seen[b.name] {
				continue
			}
			seen[b.name] = true
			if !yield(b.name) {
				return
			}
		}
	}
}

// Tainted returns a scope that adds to marks the marks of every value that an expression in
// it reads (spec: expressions, section 6).
func (s *Scope) Tainted(marks *value.Marks) *Scope {
	inner := *s
	inner.taint = marks
	return &inner
}

// Branches has the marks of conditions that the expressions of one template evaluate, and of
// large values in them.
type Branches struct {
	Memo   value.MarkMemo
	Around value.Marks // of the conditions around the part that is being evaluated: they decide whether it changes a list
	Open   value.Marks // of the conditions without "else": they decide whether there is a value
}

// Branching returns a scope that keeps the marks of conditions in b.
func (s *Scope) Branching(b *Branches) *Scope {
	inner := *s
	inner.branch = b
	return &inner
}

// under begins a part that is evaluated because of a condition with the marks m. The function
// that it returns ends the part.
func (s *Scope) under(m value.Marks) (end func()) {
	s.decided(m)
	if s.branch == nil {
		return func() {}
	}
	before := s.branch.Around
	s.branch.Around |= m
	return func() { s.branch.Around = before }
}

// decided notes that a value with the marks m decides what is read.
func (s *Scope) decided(m value.Marks) {
	if m != 0 {
		s.Env.Decided()
	}
}

// touch records that a value with these marks was read.
func (s *Scope) touch(m value.Marks) {
	if s.taint != nil {
		*s.taint |= m
	}
}

// A lazy is a value that is computed on first use. It is an error if it needs itself.
type lazy struct {
	compute func() (value.Value, error)
	busy    bool
	done    bool
	val     value.Value
	err     error
}

// get returns the value.
func (l *lazy) get() (value.Value, error) {
	if l.done {
		return l.val, l.err
	}
	if l.busy {
		return value.Null, errSelfReference
	}
	l.busy = true
	l.val, l.err = l.compute()
	l.busy, l.done, l.compute = false, true, nil
	return l.val, l.err
}
