// Package types holds the types of the mgmt language, and the values of its maps and structs.
//
//	[]?1  --Unifier.Unify-- []int   ?1 is int from now on
//
// A type is a tree whose undecided parts are joined with others by unification. Joined types refer to each
// other, so the parts of a type are read after [Type.Find]. A [Scheme] is the type of a function of the
// library; each use has an instance of it. A [Table] numbers ground types, so that equal ones are found
// without comparing them.
//
// Types belong to one evaluation: they may not be shared between goroutines. Schemes may.
package types
