package yaytpl

import (
	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/filters"
	"github.com/yaytpl/yaytpl/value"
)

// library shows package filters to package expr.
type library struct{}

var _ expr.Library = library{}

// Filter implements [expr.Library].
func (library) Filter(c expr.Call, name string, in value.Value, args value.Args) (value.Value, bool, error) {
	f, ok := filters.LookupFilter(name)
	if !ok {
		return value.Null, false, nil
	}
	v, err := f.Apply(&filters.Ctx{Caller: c}, in, args)
	return v, true, err
}

// Test implements [expr.Library].
func (library) Test(c expr.Call, name string, in value.Value, args value.Args) (bool, bool, error) {
	f, ok := filters.LookupTest(name)
	if !ok {
		return false, false, nil
	}
	v, err := f.Apply(&filters.Ctx{Caller: c}, in, args)
	return value.Truthy(v), true, err
}

// Method implements [expr.Library].
func (library) Method(c expr.Call, recv value.Value, name string, args value.Args) (value.Value, bool, error) {
	return filters.CallMethod(&filters.Ctx{Caller: c}, recv, name, args)
}

// Function implements [expr.Library]. The first argument is the argument of the
// function, the named ones are its keywords.
func (library) Function(c expr.Call, name string, args value.Args) (value.Value, bool, error) {
	f, ok := filters.LookupFunction(name)
	if !ok {
		return value.Null, false, nil
	}
	in := value.Null
	if len(args.Pos) > 0 {
		in, args.Pos = args.Pos[0], args.Pos[1:]
	}
	v, err := f.Apply(&filters.Ctx{Caller: c}, in, args)
	return v, true, err
}

// Global implements [expr.Library].
func (library) Global(name string) (value.Value, bool) {
	f, ok := filters.LookupGlobal(name)
	if !ok {
		return value.Null, false
	}
	call := func(args value.Args) (value.Value, error) { return f.Apply(nil, value.Null, args) }
	return value.FromFunc(&value.Func{Name: name, Call: call}), true
}

// HasFilter implements [expr.Library].
func (library) HasFilter(name string) bool { _, ok := filters.LookupFilter(name); return ok }

// HasTest implements [expr.Library].
func (library) HasTest(name string) bool { _, ok := filters.LookupTest(name); return ok }

// HasFunction implements [expr.Library].
func (library) HasFunction(name string) bool { _, ok := filters.LookupFunction(name); return ok }

// FilterNames implements [expr.Library].
func (library) FilterNames() []string { return names(filters.Filters()) }

// TestNames implements [expr.Library].
func (library) TestNames() []string { return names(filters.Tests()) }

func names(funcs []filters.Func) []string {
	var all []string
	for _, f := range funcs {
		all = append(append(all, f.Name), f.Aliases...)
	}
	return all
}
