// Package yay implements the Yay language (spec: yay): mappings and lists by indentation,
// directives similar to statements of Python, expressions in braces. [Parse] parses a file
// to a [Tree]. [Lower] converts a tree to nodes of the graph; their thunks evaluate
// expressions with the [Runtime] of the evaluation.
//
//	text --Parse--> Tree --Lower--> graph.Doc --graph.Eval--> values
//	                 |                            |
//	                 '--Format--> text            '-- thunks: eval, with site and Runtime
//
// # How to read this package
//
//	the tree          syntax.go
//	text to tree      parse.go parse_stanza.go parse_directive.go parse_value.go
//	  expressions     scan.go parse_expr.go
//	tree to nodes     lower.go
//	nodes to values   runtime.go
//	  expressions     eval.go collections.go operators.go text.go
//	  calls           calls.go direct.go builtins.go inject.go
//	messages          messages.go, with the warnings of a check
//	layout            format.go
//	edits of a text   edit.go set_literal.go
//
// Other packages of this module use it, and its API may change with any version: package yaytpl names the packages
// whose API is kept.
package yay
