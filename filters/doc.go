// Package filters is the library of filters, tests, functions and methods that
// expressions and templates call.
//
//	{{ value | filter(args) }}    Filters    families: strings, lists, dicts, json, regex, ...
//	{{ value is test(args) }}     Tests
//	{{ function(args) }}          Globals
//	{eval: {function: arg}}       Functions
//	{{ value.method(args) }}      CallMethod
//
// Everything is one table of [Func] values, put together from one list per family.
// An entry says its parameters, so binding, its errors, the documentation and the
// completion of an editor all come from the same place. [Func.Apply] is how an entry
// is called: it binds arguments, refuses undefined values, counts steps and carries
// marks (sensitive, secret) from everything that goes in to what comes out.
//
// To read it: table.go has what an entry is and all lists, bind.go its arguments,
// apply.go what every call goes through, ctx.go what the surroundings give. Entries
// are written with items.go, text.go, attributes.go and limits.go. Then comes a file
// for each family, which begins with its list: filters and functions under their own
// names, tests in tests_*.go, methods in methods*.go and moments.go.
//
// The library is pure: no files, environment, clock or network. What a filter needs
// from its surroundings is in [Ctx]. The meaning is that of Jinja 3 and of Ansible's
// filters (spec: expressions, sections 5 and 7).
package filters
