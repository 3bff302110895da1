// Package types has the types of layered bindings and of Hiera's lookups.
//
//	"Array[Integer[1]]" --Parse--> *Type --Check--> Mismatch
//	value.Value ---------Infer---> *Type --Assignable
//
// A [Type] is a set of values. The sets form a lattice: what is assignable to Integer is
// assignable to Number, Literal, Data and Any. Arguments are covariant: Array[Integer] is
// assignable to Array[Number].
//
// Read type.go first, then parse.go (types from text), relations.go (which values and types
// a type accepts) and convert.go (values of one type made of values of another).
//
// Spec: bindings, section 8; seed: puppet-bindings-arm8, "Types".
package types
