// Package filters is the library of filters, tests, functions and methods that
// expressions and templates call.
//
//	{{ value | filter(args) }}    Filters    families: strings, lists, dicts, json, regex, ...
//	{{ value is test(args) }}     Tests
//	{{ function(args) }}          Globals
//	{eval: {function: arg}}       Functions
//	{{ value.method(args) }}      CallMethod
//
// Everything is one table of [Func] values, built from one list per family. An entry
// declares its parameters, so argument binding, its errors, the documentation and the
// completion of an editor all have the same source. [Func.Apply] calls an entry: it
// binds arguments, refuses undefined values, counts steps, and copies marks (sensitive,
// secret) from the arguments to the result.
//
// Order of reading: table.go defines an entry, its calls and the table of all lists;
// bind.go binds arguments; limits.go bounds and counts the work. items.go has the
// helpers that entries are written with. Each further file has one or two families,
// with their list first: tests.go and version.go the tests, functions.go the functions,
// methods.go the methods, all others the filters.
//
// The library is pure: no files, environment, clock or network. A filter asks its
// surroundings through [Ctx] only. Filters do what they do in Jinja 3 and in
// Ansible (spec: expressions, sections 5 and 7).
//
// Other packages of this module use it, and its API may change with any version: package yaytpl names the packages
// whose API is kept.
package filters
