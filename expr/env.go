package expr

import (
	"time"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// An Env is what expressions and templates need from their surroundings. One
// evaluation of a document has one Env for each file that expressions stand in;
// what differs from place to place is in the [Scope].
type Env interface {
	// Root returns the finished document, lazily.
	Root() value.Value

	// Global returns what a bare name means in templates after the variables:
	// a top-level key of the finished document (in an included file: of that file).
	Global(name string) (value.Value, bool, error)

	// GlobalNames returns the names that Global knows, for near misses.
	GlobalNames() []string

	// Library returns the pure filters, tests, methods and functions.
	Library() Library

	// Host returns the world outside the document.
	Host() Host

	// Render renders a template text found in data or given to the "template"
	// function. The text may carry its source place in at.
	Render(text string, at Placer, s *Scope) (value.Value, error)

	// RenderFile renders the template file of that name, relative to base or, if
	// base is empty, to the directory of the document.
	RenderFile(name, base string, s *Scope) (value.Value, error)

	// Step counts work against the limits; n is the number of steps, at least 1.
	Step(n int) error

	// Enter counts one level of nested evaluation; the caller must call Leave.
	Enter() error
	Leave()

	// Warn reports a finding that does not stop the evaluation.
	Warn(d *source.Diagnostic)

	// Options returns how expressions behave.
	Options() Options
}

// Options are the switches that change what expressions mean. The zero value is
// the usual case.
type Options struct {
	Lenient   bool // undefined names stay as text in templates, with a warning
	NoLiteral bool // results of templates stay text unless a single expression
	Trace     bool // log every expression object, not only those that ask for it

	// Lint reports what is allowed and probably not meant.
	Lint bool

	// StrictPaths makes an expression of a document without a result an error.
	StrictPaths bool
}

// A Host is the world outside the document, behind the sandbox. Refusals are
// diagnostics with code forbidden that name the flag that would allow the thing.
type Host interface {
	// Getenv returns an environment variable, and false if it is unset or hidden.
	Getenv(name string) (string, bool)
	// Environ returns the names of all visible variables, sorted.
	Environ() []string
	// ReadFile reads a file below the roots; relative names are below base, or
	// below the document's directory if base is empty.
	ReadFile(name, base string) (*source.File, error)
	// Glob returns the files below the roots that match a pattern, sorted.
	Glob(pattern, base string) ([]string, error)
	// WriteFile writes a file where that is allowed.
	WriteFile(name, base string, data []byte) (path string, err error)
	// TempFile writes a new file whose name ends in suffix, where that is allowed.
	TempFile(suffix string, data []byte) (path string, err error)
	// Abs returns the absolute path of name below base (or the document's directory).
	Abs(name, base string) (string, error)
	// Dir returns a directory by its name: "." the document's, "src" that of the
	// file that holds the expression, "tmp" a temporary one.
	Dir(name string) (string, bool)
	// LookPath returns the full path of a program in PATH, and "" if there is none.
	LookPath(name string) string
	// Run runs a program and returns its standard output, where that is allowed.
	Run(args []string) (string, error)
	// Get reads a URL, where that is allowed.
	Get(url string) (*source.File, error)
	// Now returns the time of this evaluation: the same for all of it.
	Now() time.Time
	// Random returns 64 random bits.
	Random() uint64
	// Executable returns the path of the running program.
	Executable() string
}

// A Library provides pure filters, tests, methods and functions by name. What they
// make carries the marks of what they made it from; an item that a filter hands on
// carries its own.
type Library interface {
	// Filter calls a filter; ok is false if there is none of that name.
	Filter(c Call, name string, in value.Value, args value.Args) (v value.Value, ok bool, err error)
	Test(c Call, name string, in value.Value, args value.Args) (holds, ok bool, err error)
	// Method calls a method of a value, such as "abc".upper().
	Method(c Call, recv value.Value, name string, args value.Args) (v value.Value, ok bool, err error)
	// Function calls a pure function of the expression table, such as to_label.
	Function(c Call, name string, args value.Args) (v value.Value, ok bool, err error)
	// Global returns a global of templates, such as range.
	Global(name string) (value.Value, bool)

	HasFilter(name string) bool
	HasTest(name string) bool
	HasFunction(name string) bool
	FilterNames() []string
	TestNames() []string
}

// A Call is what a library function may ask of the evaluator that calls it.
type Call interface {
	// Step counts work against the limits.
	Step(n int) error
	// Random returns 64 random bits, from the host.
	Random() uint64
	// Now returns the time of the evaluation.
	Now() time.Time
	// CallFilter and CallTest call another filter or test by name, those that
	// need the document included.
	CallFilter(name string, in value.Value, args value.Args) (value.Value, error)
	CallTest(name string, in value.Value, args value.Args) (bool, error)
	// Attr returns an attribute or item of v by name, undefined if there is none.
	Attr(v value.Value, name string) (value.Value, error)
}

// An Instance is a map that knows its place in the document. Maps of the
// configuration are instances; computed ones are not.
type Instance interface {
	value.Map
	// Parent returns the nearest enclosing map, and false at the root.
	Parent() (value.Value, bool, error)
	// Name returns the key in the parent, the list index for an item, "" at the root.
	Name() value.Value
	// Document returns the root of the document that the map stands in.
	Document() value.Value
}

// A Placer finds the source place of the bytes [start, end) of a text that was
// written in a file, perhaps quoted or folded.
type Placer interface {
	TextSpan(start, end int) source.Span
}

// At is a Placer for a text that stands in its file as it is.
type At source.Span

// TextSpan returns the part of the span.
func (a At) TextSpan(start, end int) source.Span { return source.Span(a).Sub(start, end) }

// Nowhere is a Placer for computed text: every part of it has the same place.
type Nowhere source.Span

// TextSpan returns the place of the whole.
func (n Nowhere) TextSpan(_, _ int) source.Span { return source.Span(n) }
