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
	Family  string  // group in the documentation: "strings", "lists", ...
	Params  []Param // after the piped value
	Doc     string  // one or two sentences
	Example string  // a template, or an expression in YAML for [Functions]
	Result  string  // of Example, as JSON

	// Call does the work on bound arguments. Use [Func.Apply] to call a Func.
	Call call

	kind  callKind
	flow  markFlow
	input inputRule
	html  htmlFlow
}

// family returns the rows of a family.
func family(name string, rows ...Func) []Func {
	for i := range rows {
		rows[i].Family = name
	}
	return rows
}

// row returns a row of a table. What few rows have, such as aliases, is set in a literal.
func row(name, doc, example, result string, do call, params ...Param) Func {
	return Func{Name: name, Doc: doc, Example: example, Result: result, Call: do, Params: params}
}

// moving returns f with the flow moves: items in its result keep their own marks.
func moving(f Func) Func {
	f.flow = moves
	return f
}

// joining returns f with the flow joins: its result marks only its secret parts.
func joining(f Func) Func {
	f.flow = joins
	return f
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

// A markFlow defines the marks of a result.
type markFlow uint8

const (
	mixes   markFlow = iota // the marks of the value and arguments at any depth: the safe default
	moves                   // the marks of the value and arguments, and of all that was compared; items in the result keep their own
	chooses                 // the marks of the value, and of all that was compared; the result is one of the arguments
	joins                   // as mixes, but the result is a text that marks only its secret parts
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
		switch kind {
		case filterKind:
			f.html = htmlFilters.Get()[f.Name]
		case methodKind:
			f.html = htmlMethods.Get()[f.Name]
		}
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

// tables returns the tables. The first call builds them, after that they do not change. A
// package variable would be an initialization cycle, since some filters look filters up.
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
			pathFilters(), urlFilters(), linkFilters(), passwordFilters(), labelFilters(), scalarFilters(), randomFilters(),
			dateFilters(), queryFilters(), addressFilters()),
		tests: newTable(testKind,
			kindTests(), compareTests(), textTests(), collectionTests(), versionTests()),
		globals:   newTable(globalKind, globalFunctions()),
		functions: newTable(functionKind, textFunctions(), schemaFunctions(), labelFuncs("{eval: {%s: %s}}"), generateFunctions()),
		methods: map[value.Kind]*table{
			value.StringKind: newTable(methodKind, stringMethods()),
			value.ListKind:   newTable(methodKind, listMethods()),
			value.MapKind:    newTable(methodKind, dictMethods()),
			value.IntKind:    newTable(methodKind, numberMethods()),
			value.FloatKind:  newTable(methodKind, numberMethods()),
		},
	}
}

// A Caller is the evaluation that calls filters.
type Caller interface {
	// Step counts n units of work, such as items. An error ends the call.
	Step(n int) error

	// CallFilter and CallTest serve map('name') and select('name').
	CallFilter(name string, in value.Value, args value.Args) (value.Value, error)
	CallTest(name string, in value.Value, args value.Args) (value.Value, error)

	// Attr returns one attribute or item of a value; a missing one is undefined.
	Attr(v value.Value, name string) (value.Value, error)

	// Random returns random bits for choices without a seed.
	Random() uint64

	// Now returns the current time for strftime.
	Now() time.Time
}

// A Ctx connects filters to the evaluation and has their limits. The zero Ctx works.
type Ctx struct {
	// Caller may be nil. Then filters call filters of this package only, read attributes of
	// maps and lists only, use random numbers of the system, and have no clock.
	Caller Caller

	// MaxBytes bounds the result of one call; 0 means 64 MB.
	MaxBytes int

	looked value.Comparison // has the marks of the values that decide the result of the call
}

// look notes that v decides which result a call has, or which items are in it: a key to sort
// by, the result of a test.
func (c *Ctx) look(v value.Value) {
	if v.Marks() != 0 {
		c.comparison().Look(v.Marks())
	}
}

func (c *Ctx) callFilter(name string, in value.Value, args value.Args) (value.Value, error) {
	if c.Caller != nil {
		return c.Caller.CallFilter(name, in, args)
	}
	return CallFilter(c, name, in, args)
}

// callTest calls a test, on whose result the result of the caller depends.
func (c *Ctx) callTest(name string, in value.Value, args value.Args) (bool, error) {
	call := func(name string, in value.Value, args value.Args) (value.Value, error) {
		return CallTest(c, name, in, args)
	}
	if c.Caller != nil {
		call = c.Caller.CallTest
	}
	v, err := call(name, in, args)
	c.look(v)
	return value.Truthy(v), err
}

// Apply calls f on a piped value: it binds args, refuses undefined values unless f accepts
// them, counts steps, and copies marks of the value and args to the result.
func (f *Func) Apply(c *Ctx, in value.Value, args value.Args) (value.Value, error) {
	if c == nil {
		c = &Ctx{}
	}
	if in.Is(value.UndefinedKind) && f.input != takesUndefined {
		return value.Null, reason(in)
	}
	if f.html != noHTML {
		var err error
		if in, args, err = f.htmlInput(c, in, args); err != nil {
			return value.Null, f.wrap(withhold(c, err, in, args))
		}
	}
	a, err := f.bind(args)
	if err != nil {
		return value.Null, f.wrap(err)
	}
	if err := c.step(1); err != nil {
		return value.Null, err
	}
	outer := c.looked.Marks
	c.looked.Marks = 0
	out, err := f.Call(c, in, a)
	decisive := c.looked.Marks
	c.looked.Marks = outer
	if err != nil {
		return value.Null, f.wrap(withhold(c, err, in, args))
	}
	if err := c.reserve(len(out.Str())); err != nil {
		return value.Null, f.wrap(err)
	}
	if f.html != noHTML {
		out = f.htmlOutput(c, in, out)
	}
	if out, err = f.marked(c, out, in, args); decisive != 0 {
		out = out.Mark(decisive)
	}
	return out, err
}

// marked returns a result with the marks that the flow of f defines.
func (f *Func) marked(c *Ctx, out, in value.Value, args value.Args) (value.Value, error) {
	if out.Is(value.UndefinedKind) {
		out = withholdReason(c, out, in, args)
	}
	if passes(in, out) {
		marks, err := f.marks(c, value.Null, args)
		return out.Mark(marks), err
	}
	marks, err := f.marks(c, in, args)
	if f.flow == joins {
		return out.MarkParts(marks).Mark(in.Marks()), err
	}
	return out.Mark(marks), err
}

// passes reports whether the result is the secret text of the input unchanged. Then its
// masked form stays the same too.
func passes(in, out value.Value) bool {
	if in.Marks()&value.Secret == 0 || in.Marks() != out.Marks() || in.Str() != out.Str() {
		return false
	}
	before, _ := value.Masked(in)
	after, _ := value.Masked(out)
	return before == after
}

func (f *Func) wrap(err error) error { return fmt.Errorf("%s %q: %w", f.kind, f.Name, err) }

func (f *Func) marks(c *Ctx, in value.Value, args value.Args) (value.Marks, error) {
	if f.flow == chooses {
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
	for _, v := range everything(in, args) {
		m, err := c.deepMarks(v)
		if err != nil {
			return marks, err
		}
		marks |= m
	}
	return marks, nil
}

// deepMarks returns the marks of v and of everything in it.
func (c *Ctx) deepMarks(v value.Value) (value.Marks, error) {
	if memo, ok := c.Caller.(interface {
		DeepMarks(v value.Value) (value.Marks, error)
	}); ok && isCollectionKind(v) {
		return memo.DeepMarks(v)
	}
	return value.DeepMarksCharged(v, c.charge())
}

func isCollectionKind(v value.Value) bool { return v.Is(value.ListKind) || v.Is(value.MapKind) }

func everything(in value.Value, args value.Args) []value.Value {
	all := append([]value.Value{in}, args.Pos...)
	for _, n := range args.Named {
		all = append(all, n.Value)
	}
	return all
}

// A withheldError hides the text of an error, which may quote a secret. errors.Is and
// errors.As still see the error.
type withheldError struct{ cause error }

// Error returns a text without details.
func (withheldError) Error() string {
	return "failed on a value that must not be shown"
}

// Unwrap returns the hidden error.
func (e withheldError) Unwrap() error { return e.cause }

// withhold hides the text of err if the value or an argument has marks.
func withhold(c *Ctx, err error, in value.Value, args value.Args) error {
	var limit *value.LimitError
	if errors.As(err, &limit) || errors.Is(err, errTooDeep) {
		return err
	}
	for _, v := range everything(in, args) {
		if marks, failed := c.deepMarks(v); marks != 0 || failed != nil {
			return withheldError{err}
		}
	}
	return err
}

// withholdReason hides why a result is undefined if the reason may quote a marked argument
// or value. Marks inside of the value do not count: keys of a map with secrets are not
// secret.
func withholdReason(c *Ctx, out, in value.Value, args value.Args) value.Value {
	marks := in.Marks()
	for _, v := range everything(value.Null, args) {
		m, err := c.deepMarks(v)
		if err != nil {
			m = value.Sensitive
		}
		marks |= m
	}
	if marks == 0 {
		return out
	}
	return value.Undefined(errors.New(withheldError{}.Error())).Mark(out.Marks())
}

// CallFilter calls the filter called name of this package.
func CallFilter(c *Ctx, name string, in value.Value, args value.Args) (value.Value, error) {
	return tables().filters.call(c, name, in, args)
}

// CallTest calls the test called name of this package. The result has marks.
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

func errEmpty(item string) error { return fmt.Errorf("an empty value has no %s", item) }

// reason returns the reason why v is undefined.
func reason(v value.Value) error {
	if err := v.Reason(); err != nil {
		return err
	}
	return errUndefined
}
