// Package yay reads the Yay language (spec: yay): mappings and lists by indentation,
// directives in the manner of Python, expressions in braces. [Parse] turns a text into
// a [Tree]; [Lower] turns a tree into the nodes of the graph, whose values [Runtime]
// evaluates.
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
//	  expressions     eval.go collections.go operators.go text.go builtins.go
//	messages          messages.go, with the warnings of a check
//	layout            format.go
//	edits of a text   edit.go set_literal.go
package yay
