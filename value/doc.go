// Package value holds the data that configurations are made of.
//
//	Null Bool Int Float String List Map      the data of YAML and JSON
//	Func                                     functions of templates and Yay
//	Undefined                                the value of an unknown name, with the reason
//
// A [Value] is small, immutable and passed by value. Numbers are not boxed, and a scalar
// from a source text keeps its spelling and tag. Access to a [List] or [Map] may fail,
// because the values of a configuration are computed on demand; [ListOf] and [NewMap] make
// plain ones.
//
// Every value has [Marks]: operators pass sensitive and secret on to their results. A
// [TextBuilder] joins texts so that [Masked] can show the parts that are not secret:
// http://*****@db.
//
// To read: value.go, collection.go with the plain list and map, and key.go with places in
// a document; then walk.go, which visits nested values, and masked.go, which hides
// secrets. The operators are in arith.go, power.go, compare.go and percent.go, their errors
// in misfit.go, texts of values in python.go, numberformat.go and html.go. same.go compares
// values as edits do; diff.go and diff_items.go find the differences of two documents, and package
// value/align the pairs of items of their lists. regexp.go has regular expressions and what they cost.
//
// Values may be shared between goroutines if the lists and maps in them may.
package value
