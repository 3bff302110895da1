// Package template renders Jinja templates.
//
//	text ---lex--> pieces --compile--> operations and statements
//	                                        |  skeleton
//	                                        v
//	                                  pongo2's tree --Render--> value.Value
//	                                        |
//	                       package expr <---' (every expression)
//
// [Parse] cuts a text into pieces. It handles delimiters, strings, comments, raw blocks
// and whitespace control itself, so that every piece keeps its place for errors. Package
// expr parses and evaluates expressions and the heads of statements. pongo2 builds and
// walks the tree of statements with bodies. It is given a skeleton of four tags of our
// own instead of the user's text, because its expressions differ from Jinja's without
// notice, and some of its tags read any file, allocate without bound or race. A text
// without statements, the usual case in a configuration, needs no tree.
//
// Inheritance, inclusion and macros are our own as well. pongo2 resolves a parent while
// parsing, by a literal name, shares the parent's fields with its children, and has no
// scoped or required blocks, no super() inside of an expression, and no modules.
//
// A [Template] is immutable, and several goroutines may render it at once. The state of
// a rendering, such as lists that a template appends to, belongs to a run and is made
// plain before it is returned.
//
// Templates are sandboxed: they see an [expr.Scope] and the files that [Options].Loader
// returns. Loops, text, nesting, macros and includes are limited.
//
// Reading order: template.go has the exported API and the places of errors; header.go
// parses the header line, lexer.go cuts the text; compile.go compiles the pieces and builds
// pongo2's tree; run.go renders it and collects the output. Then the statements:
// statements.go has output, conditions and loops, names.go those that bind names (set,
// with, macro, call), files.go include and import, inherit.go extends and block. mutable.go
// has the lists and maps that a template can change, freeze.go makes them plain again,
// literal.go reads the Python literals that texts spell, and mistakes.go has the hints for
// templates that are wrong.
package template
