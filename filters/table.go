package filters

import (
	"sync"

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
	Call func(c *Ctx, in value.Value, a Bound) (value.Value, error)

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
