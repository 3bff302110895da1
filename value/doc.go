// Package value holds the data that configurations are made of.
//
//	Null Bool Int Float String List Map      what YAML and JSON can say
//	Func                                     what templates and Yay can call
//	Undefined                                a name that has no value, with the reason
//
// A [Value] is small, immutable and passed by value. Numbers are not boxed, and a
// scalar that came from a source text keeps its spelling and tag. [List] and [Map]
// are interfaces whose access may fail, because a list or map of a configuration
// is computed when it is looked at; [ListOf] and [NewMap] make plain ones.
//
// Every value carries [Marks]: sensitive and secret travel with the data through
// every operator. Whoever joins texts does it with a [TextBuilder], so that [Masked]
// can show the parts that are not secret: http://*****@db.
//
// To read: value.go, collection.go with the plain list and map, and key.go with places in
// a document; then walk.go for what is in a value, and masked.go for what must not be
// shown. The operators are in arith.go, compare.go and percent.go, texts of values in
// python.go.
//
// Values may be shared between goroutines if the lists and maps in them may.
package value
