package filters

import (
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	"github.com/yaytpl/yaytpl/value"
)

// A Func is one filter, test, function or method.
type Func struct {
	Name    string
	Aliases []string
	Family  string  // what it is listed under: "strings", "lists", ...
	Params  []Param // after the piped value
	Doc     string  // one or two sentences
	Example string  // a template, or an expression in YAML for [Functions]
	Result  string  // what Example comes to, as JSON

	// Call does the work on bound arguments. Use [Func.Apply] to call a Func.
	Call call

	kind  callKind
	flow  markFlow
	input inputRule
}

type callKind uint8

const (
	filterKind callKind = iota
	testKind
	functionKind
	globalKind
	methodKind
)

func (k callKind) String() string {
	return [...]string{"filter", "test", "function", "function", "method"}[k]
}

// A markFlow says which marks a result gets.
type markFlow uint8

const (
	mixes   markFlow = iota // from everything that went in, however deep: the safe default
	moves                   // from the containers; the items in the result are those that came in
	chooses                 // from the piped value; the result is one of the arguments
	joins                   // as mixes; the result is a text that knows which of its parts they are of
	plain                   // none: what is known does not come from the data
)

type inputRule uint8

const (
	needsInput     inputRule = iota
	takesUndefined           // the piped value and arguments may be undefined
)

// Filters returns all filters, by family.
func Filters() []Func { return tables().filters.all }

// Tests returns all tests.
func Tests() []Func { return tables().tests.all }

// Globals returns the functions that templates call by name.
func Globals() []Func { return tables().globals.all }

// Functions returns the functions of expression objects: the piped value is the
// argument of the function, the parameters are its keywords.
func Functions() []Func { return tables().functions.all }

// LookupFilter finds a filter by name or alias.
func LookupFilter(name string) (*Func, bool) { return tables().filters.lookup(name) }

// LookupTest finds a test by name or alias.
func LookupTest(name string) (*Func, bool) { return tables().tests.lookup(name) }

// LookupGlobal finds a function of templates.
func LookupGlobal(name string) (*Func, bool) { return tables().globals.lookup(name) }

// LookupFunction finds a function of expression objects.
func LookupFunction(name string) (*Func, bool) { return tables().functions.lookup(name) }

type table struct {
	all    []Func
	byName map[string]*Func
}

func newTable(kind callKind, families ...[]Func) *table {
	t := &table{byName: map[string]*Func{}}
	for _, f := range families {
		t.all = append(t.all, f...)
	}
	for i := range t.all {
		f := &t.all[i]
		f.kind = kind
		t.byName[f.Name] = f
		for _, alias := range f.Aliases {
			t.byName[alias] = f
		}
	}
	return t
}

func (t *table) lookup(name string) (*Func, bool) {
	f, ok := t.byName[name]
	return f, ok
}

type allTables struct {
	filters, tests, globals, functions *table
	methods                            map[value.Kind]*table
}

// tables builds the tables when they are first needed; they are not changed
// afterwards. A variable with an initial value cannot do it, because some filters
// look filters up.
func tables() *allTables {
	buildOnce.Do(func() { built = buildTables() })
	return built
}

var (
	buildOnce sync.Once
	built     *allTables
)

func buildTables() *allTables {
	return &allTables{
		filters: newTable(filterKind,
			stringFilters(), layoutFilters(), escapeFilters(), percentFilters(),
			listFilters(), orderFilters(), selectFilters(), setFilters(), productFilters(),
			dictFilters(), combineFilters(), valueFilters(), numberFilters(), humanFilters(),
			jsonFilters(), yamlFilters(), hashFilters(), regexFilters(), commentFilters(),
			pathFilters(), urlFilters(), labelFilters(), scalarFilters(), randomFilters(),
			dateFilters(), queryFilters(), addressFilters()),
		tests: newTable(testKind,
			kindTests(), compareTests(), textTests(), collectionTests(), versionTests()),
		globals:   newTable(globalKind, globalFunctions()),
		functions: newTable(functionKind, arithFunctions(), textFunctions(), schemaFunctions(), labelFunctions(), generateFunctions()),
		methods: map[value.Kind]*table{
			value.StringKind: newTable(methodKind, stringMethods()),
			value.ListKind:   newTable(methodKind, listMethods()),
			value.MapKind:    newTable(methodKind, dictMethods()),
			value.IntKind:    newTable(methodKind, numberMethods()),
			value.FloatKind:  newTable(methodKind, numberMethods()),
		},
	}
}

// A Caller is what filters may ask of the evaluation that calls them.
type Caller interface {
	// Step is told how many items or bytes a call handles, and may refuse.
	Step(n int) error

	// CallFilter and CallTest serve map('name') and select('name').
	CallFilter(name string, in value.Value, args value.Args) (value.Value, error)
	CallTest(name string, in value.Value, args value.Args) (bool, error)

	// Attr reads one attribute or item of a value; a missing one is undefined.
	Attr(v value.Value, name string) (value.Value, error)

	// Random returns the bits of random choices without a seed.
	Random() uint64

	// Now is the clock of strftime.
	Now() time.Time
}

// A Ctx is what filters need from their surroundings. The zero Ctx works.
type Ctx struct {
	// Caller may be nil: then the tables of this package serve, maps and lists are
	// read, chance is the system's, and nobody tells the time.
	Caller Caller

	// MaxBytes bounds what one call may make; 0 means 64 MB.
	MaxBytes int
}

func (c *Ctx) callFilter(name string, in value.Value, args value.Args) (value.Value, error) {
	if c.Caller != nil {
		return c.Caller.CallFilter(name, in, args)
	}
	return CallFilter(c, name, in, args)
}

func (c *Ctx) callTest(name string, in value.Value, args value.Args) (bool, error) {
	if c.Caller != nil {
		return c.Caller.CallTest(name, in, args)
	}
	v, err := CallTest(c, name, in, args)
	return value.Truthy(v), err
}

// Apply calls f on a piped value: it binds args, refuses undefined values unless f
// is about them, counts steps, and marks the result with what went in.
func (f *Func) Apply(c *Ctx, in value.Value, args value.Args) (value.Value, error) {
	if c == nil {
		c = &Ctx{}
	}
	if in.Is(value.UndefinedKind) && f.input != takesUndefined {
		return value.Null, reason(in)
	}
	a, err := f.bind(args)
	if err != nil {
		return value.Null, f.wrap(err)
	}
	if err := c.step(1); err != nil {
		return value.Null, err
	}
	out, err := f.Call(c, in, a)
	if err != nil {
		return value.Null, f.wrap(withhold(err, in, args))
	}
	if err := c.reserve(len(out.Str())); err != nil {
		return value.Null, f.wrap(err)
	}
	return f.marked(out, in, args)
}

// marked returns a result with the marks that it has to have.
func (f *Func) marked(out, in value.Value, args value.Args) (value.Value, error) {
	if out.Is(value.UndefinedKind) {
		out = withholdReason(out, in, args)
	}
	if passes(in, out) {
		marks, err := f.marks(value.Null, args)
		return out.Mark(marks), err
	}
	marks, err := f.marks(in, args)
	if f.flow == joins {
		return out.MarkParts(marks).Mark(in.Marks()), err
	}
	return out.Mark(marks), err
}

// passes reports whether a secret text comes out as it went in, so that what may be
// shown of it is the same.
func passes(in, out value.Value) bool {
	if in.Marks()&value.Secret == 0 || in.Marks() != out.Marks() || in.Str() != out.Str() {
		return false
	}
	before, _ := value.Masked(in)
	after, _ := value.Masked(out)
	return before == after
}

func (f *Func) wrap(err error) error { return fmt.Errorf("%s %q: %w", f.kind, f.Name, err) }

func (f *Func) marks(in value.Value, args value.Args) (value.Marks, error) {
	switch f.flow {
	case plain:
		return 0, nil
	case chooses:
		return in.Marks(), nil
	}
	marks, collections := in.Marks(), isCollectionKind(in)
	for _, v := range args.Pos {
		marks, collections = marks|v.Marks(), collections || isCollectionKind(v)
	}
	for _, n := range args.Named {
		marks, collections = marks|n.Value.Marks(), collections || isCollectionKind(n.Value)
	}
	if f.flow == moves || !collections {
		return marks, nil
	}
	return value.DeepMarks(value.ListOf(everything(in, args)...))
}

func isCollectionKind(v value.Value) bool { return v.Is(value.ListKind) || v.Is(value.MapKind) }

func everything(in value.Value, args value.Args) []value.Value {
	all := append([]value.Value{in}, args.Pos...)
	for _, n := range args.Named {
		all = append(all, n.Value)
	}
	return all
}

// A withheldError keeps its text to itself, which may quote a value that must not
// be shown. What kind of error it is can still be found out.
type withheldError struct{ cause error }

// Error says that there is more to say.
func (withheldError) Error() string {
	return "cannot do this with the given value, which must not be shown"
}

// Unwrap returns the error that was withheld.
func (e withheldError) Unwrap() error { return e.cause }

// withhold hides the text of an error about marked values.
func withhold(err error, in value.Value, args value.Args) error {
	var limit *value.LimitError
	if errors.As(err, &limit) || errors.Is(err, errTooDeep) {
		return err
	}
	if marks, failed := value.DeepMarks(value.ListOf(everything(in, args)...)); marks == 0 && failed == nil {
		return err
	}
	return withheldError{err}
}

// withholdReason hides why a result is undefined if that may quote what was asked for.
// The keys of a map with secrets are no secrets, so that what is in it does not count.
func withholdReason(out, in value.Value, args value.Args) value.Value {
	asked := value.ListOf(everything(value.Null, args)...)
	if marks, err := value.DeepMarks(asked); err == nil && marks|in.Marks() == 0 {
		return out
	}
	return value.Undefined(errors.New(withheldError{}.Error()))
}

// CallFilter calls the filter called name of this package.
func CallFilter(c *Ctx, name string, in value.Value, args value.Args) (value.Value, error) {
	return tables().filters.call(c, name, in, args)
}

// CallTest asks the test called name of this package. The answer carries marks.
func CallTest(c *Ctx, name string, in value.Value, args value.Args) (value.Value, error) {
	return tables().tests.call(c, name, in, args)
}

func (t *table) call(c *Ctx, name string, in value.Value, args value.Args) (value.Value, error) {
	f, ok := t.lookup(name)
	if !ok {
		return value.Null, fmt.Errorf("unknown %s %q%s", t.all[0].kind, name, didYouMean(name, maps.Keys(t.byName)))
	}
	return f.Apply(c, in, args)
}

var (
	errUndefined      = errors.New("value is undefined")
	errManyDocuments  = errors.New("the text has several documents; use from_yaml_all")
	errEmptySeparator = errors.New("the separator is empty")
)

func errAtLeastOne(parameter string) error { return fmt.Errorf("%q must be at least 1", parameter) }

func errEmpty(what string) error { return fmt.Errorf("%s is asked of nothing: it is empty", what) }

// reason is the error of a value that is needed and undefined.
func reason(v value.Value) error {
	if err := v.Reason(); err != nil {
		return err
	}
	return errUndefined
}
