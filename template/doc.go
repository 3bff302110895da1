// Package template renders Jinja templates.
//
//	text ---lex--> pieces --compile--> operations --Render--> value.Value
//	                                        |
//	                       package expr <---' (every expression)
//
// [Parse] cuts a text into pieces. It handles delimiters, strings, comments, raw blocks
// and whitespace control itself, so that every piece keeps its place for errors. Package
// expr parses and evaluates expressions and the heads of statements. A statement with
// bodies is an operation that holds the operations of each body. A text without
// statements, the usual case in a configuration, has one list of operations.
//
// A [Template] is immutable, and several goroutines may render it at once. The state of
// a rendering, such as lists that a template appends to, belongs to a run and is made
// plain before it is returned.
//
// Templates are sandboxed: they see an [expr.Scope] and the files that [Options].Loader
// returns. Loops, text, nesting, macros and includes are limited.
//
// Reading order: template.go has the exported API and the places of errors; header.go
// parses the header line, lexer.go cuts the text; compile.go compiles the
// pieces; run.go renders the operations and collects the output. Then the statements:
// statements.go has output, conditions and loops, names.go those that bind names (set,
// with, macro, call), files.go include and import, inherit.go extends and block. mutable.go
// has the lists and maps that a template can change, freeze.go makes them plain again,
// literal.go reads the Python literals that texts spell, and mistakes.go has the hints for
// templates that are wrong.
//
// Other packages of this module use it, and its API may change with any version: package yaytpl names the packages
// whose API is kept.
package template
