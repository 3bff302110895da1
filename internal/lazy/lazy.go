// Package lazy has variables that are computed when they are first asked for, and not when the
// program starts.
//
// Go runs the initialiser of each package-level variable at the start of every program, unless its
// value is static data, which is a part of the executable file:
//
//	var a = regexp.MustCompile("x+")                // runs
//	var b = map[string]int{"x": 1}                  // runs
//	var c = sync.OnceValue(func() T { return t() }) // runs: a closure is allocated
//	var d = lazy.Regexp{Text: "x+"}                 // static data
//	var e = lazy.Value[T]{Make: t}                  // static data
//
// Each package with an initialiser costs every run of the command page faults and time, even if
// the run never uses the package. A test of cmd/yaytpl finds them.
package lazy

import (
	"regexp"
	"sync"
)

// A Value calls Make at the first [Value.Get]. As a package-level variable it is static data, if Make is a
// function with a name or a literal that captures nothing. It may be used by several goroutines.
type Value[T any] struct {
	Make func() T

	once sync.Once
	made T
}

// Get returns the result of the one call of Make.
func (v *Value[T]) Get() T {
	v.once.Do(func() { v.made = v.Make() })
	return v.made
}

// A Regexp compiles Text at the first [Regexp.Get]. As a package-level variable it is static data, which
// regexp.MustCompile is not. It may be used by several goroutines.
type Regexp struct {
	Text string // the regular expression

	once sync.Once
	made *regexp.Regexp
}

// Get returns the compiled expression. It panics if Text is not an expression.
func (r *Regexp) Get() *regexp.Regexp {
	r.once.Do(func() { r.made = regexp.MustCompile(r.Text) })
	return r.made
}
