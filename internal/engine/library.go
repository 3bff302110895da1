package engine

import (
	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/filters"
	"github.com/yaytpl/yaytpl/value"
)

// Library adapts package filters to package expr.
type Library struct{}

var _ expr.Library = Library{}

// Filter implements [expr.Library].
func (Library) Filter(c expr.Call, name string, in value.Value, args value.Args) (value.Value, bool, error) {
	f, ok := filters.LookupFilter(name)
	if !ok {
		return value.Null, false, nil
	}
	v, err := f.Apply(&filters.Ctx{Caller: c}, in, args)
	return v, true, err
}

// Test implements [expr.Library].
func (Library) Test(c expr.Call, name string, in value.Value, args value.Args) (value.Value, bool, error) {
	f, ok := filters.LookupTest(name)
	if !ok {
		return value.False, false, nil
	}
	v, err := f.Apply(&filters.Ctx{Caller: c}, in, args)
	return v, true, err
}

// Method implements [expr.Library].
func (Library) Method(c expr.Call, recv value.Value, name string, args value.Args) (value.Value, bool, error) {
	return filters.CallMethod(&filters.Ctx{Caller: c}, recv, name, args)
}

// Function implements [expr.Library]. The first argument is the argument of the
// function, the named ones are its keywords.
func (Library) Function(c expr.Call, name string, args value.Args) (value.Value, bool, error) {
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
func (Library) Global(name string) (value.Value, bool) {
	f, ok := filters.LookupGlobal(name)
	if !ok {
		return value.Null, false
	}
	call := func(args value.Args) (value.Value, error) { return f.Apply(nil, value.Null, args) }
	return value.FromFunc(&value.Func{Name: name, Call: call}), true
}

// HasFilter implements [expr.Library].
func (Library) HasFilter(name string) bool { _, ok := filters.LookupFilter(name); return ok }

// HasTest implements [expr.Library].
func (Library) HasTest(name string) bool { _, ok := filters.LookupTest(name); return ok }

// FilterNames implements [expr.Library].
func (Library) FilterNames() []string { return names(filters.Filters()) }

// TestNames implements [expr.Library].
func (Library) TestNames() []string { return names(filters.Tests()) }

// MethodNames implements [expr.Library].
func (Library) MethodNames(of value.Kind) []string { return names(filters.Methods(of)) }

// names returns the names and aliases of functions.
func names(funcs []filters.Func) []string {
	var list []string
	for _, f := range funcs {
		list = append(append(list, f.Name), f.Aliases...)
	}
	return list
}
