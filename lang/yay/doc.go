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
//	text to stanzas   lines.go parse.go parse_*.go parts.go
//	  their scalars   scalar.go
//	  expressions     lexer.go string_literal.go words.go expr_parser.go expr_operators.go expr_operands.go
//	tree to nodes     lower.go lower_block.go lower_shape.go lower_value.go, then a lower_*.go for each directive
//	nodes to values   thunk.go site.go runtime.go search.go expression.go
//	  expressions     eval.go eval_*.go variables.go access*.go operators*.go coerce.go text.go builtins*.go
//	  messages        messages.go hints.go
//	layout            format.go format_text.go format_expr.go
//	warnings          lint.go eval_check.go
//	edits of a text   outline.go, then set_literal.go literal_*.go and delete_statement.go; refusal.go
package yay
