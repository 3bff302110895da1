// Package bind evaluates layered, categorised bindings.
//
//	Site, Sets ---Compose(facts)--> Table --Lookup(key)--> Answer: value, type, steps
//	Providers (Hiera) -----^
//
// Bindings give values to keys. They are in named sets, the sets in layers. A binding may
// apply only where a condition over categories holds, such as "when role db": the facts of
// a node decide the value of each category. [Compose] keeps all candidates of a key, with
// their rank: the layer, then the categories of the condition. The best one is the value, the
// others are what [Answer.Steps] explains.
//
// The table is no stack of layers of package graph: a tie of two candidates is an error,
// "override" and "final" look across ranks, contributions to a multibind are no layers, and a
// deep merge keeps the order of the lower map. What the two share is the way of thinking: a
// key is a stack of candidates, its value a fold over them on demand, and its provenance the
// stack itself.
//
// The package reads no text. Package notation makes sets of .pp and YAML files, package hiera
// is a [Provider].
//
// In the order of reading:
//
//	model.go        sites, sets, operations, expressions
//	categories.go   the values of categories; conditions and their precedence
//	uris.go         names of sets and providers in layers
//	compose.go      from operations to candidates, and the table of them
//	choose.go       the winner of a key; override, final, abstract
//	compound.go     parameters, aliases, rebinding
//	provider.go     sources whose keys are found on demand
//	scope.go        what expressions see
//	producers.go    what gives a candidate its value
//	multibind.go    contributions and how they are combined
//	keys.go         keys with segments
//	entries.go      the candidates of a key, from providers too
//	lookup.go       requests, values, cycles
//	reserved.go     the maps of all parameters of a reference, of variables and of classes
//	merged.go       several values of a key, options of keys
//	strategy.go     the strategies of merges
//	functions.go    inject() and lookup()
//	explain.go      steps of a lookup, as text and as JSON
//	lint.go         probable mistakes
//
// Spec: bindings; seed: puppet-bindings-arm8.
//
// Other packages of this module use it, and its API may change with any version: package yaytpl names the packages
// whose API is kept.
package bind
