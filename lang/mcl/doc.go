// Package mcl makes documents of programs of the mgmt language: a typed, functional language whose
// programs yield a graph of resources (seed: mgmt-language-guide; spec: mcl).
//
//	syntax.Program --Lower--> graph.Doc {resources, edges}
//	                              | a resource is asked for
//	                              v
//	compile: resolver (names.go) --uses--> inference (infer.go) --types--> run (run.go) --> nodes
//
// [Lower] makes two guards. The first that is decided compiles the program and runs it: names of
// resources, conditions and loops are evaluated, and the graph of resources is checked. The values of
// fields are evaluated when they are asked for, each at the place of its line.
//
// # How to read this package
//
//	lower.go        a program as nodes of the graph
//	runtime.go      compiling and running, once for an evaluation
//	scope.go        what names mean: symbols, functions, classes, prefixes
//	names.go        resolving names on demand; cycles
//	reach.go        what statements and expressions use
//	recursion.go    classes that include themselves
//	imports.go      files and modules of the library
//	infer.go        types: unification with constraints that wait
//	infer_stmt.go   types of statements and resources
//	infer_expr.go   types of expressions
//	infer_call.go   types of calls
//	conflict.go     the errors of types
//	instance.go     functions and classes, typed for each use
//	frame.go        variables at run time: cells in frames
//	eval.go         evaluating expressions
//	operators.go    operators
//	calls.go        calls
//	run.go          executing statements
//	resources.go    the graph of resources and what it must fulfil
//	explain.go      what explain tells about loops, conditions and functions
//	lint.go         findings about what is not used
//
// Other packages of this module use it, and its API may change with any version: package yaytpl names the packages
// whose API is kept.
package mcl
