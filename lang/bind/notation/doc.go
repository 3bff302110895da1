// Package notation reads bindings: .pp files and their form in YAML.
//
//	.pp   --ParsePP-->   *bind.Site with its sets
//	YAML  --ParseYAML--> the same
//
// Both have the expressions of Puppet: texts with ${...}, lambdas, if and case, the operators
// with Puppet's meaning (text is compared without letter case, undef and false are false). An
// expression is parsed once and evaluated on demand, in a [bind.Scope].
//
// In the order of reading:
//
//	scanner.go      tokens
//	parser.go       the parser: errors, words, lists
//	site.go         sites: categories, layers, environments
//	operations.go   bindings: operations, conditions, options
//	expressions.go  expressions, lambdas
//	texts.go        texts with expressions in them, types
//	evaluate.go     values of expressions
//	operators.go    the meaning of operators
//	yaml.go         the form in YAML: sites, values
//	yaml_operations.go  its operations
//	format.go       the standard layout of .pp
//
// Spec: bindings, sections 2 and 3.
package notation
