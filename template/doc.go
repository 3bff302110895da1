// Package template renders Jinja templates.
//
//	text --scan--> pieces --compile--> operations and statements
//	                                        |  skeleton
//	                                        v
//	                                  pongo2's tree --Render--> value.Value
//	                                        |
//	                       package expr <---' (every expression)
//
// [Parse] cuts a text into pieces: delimiters, strings, comments, raw blocks and
// whitespace control are understood here, so that every piece keeps its place for
// errors. Expressions and the heads of statements are read and evaluated by package
// expr. pongo2 builds the tree of statements with bodies and walks it; it is given a
// skeleton of four tags of our own instead of the user's text, because its own
// expressions differ silently from Jinja's and some of its tags read any file,
// allocate without bound or race. A text without statements, which most texts in a
// configuration are, needs no tree and never gets there.
//
// Inheritance, inclusion and macros are our own as well. pongo2 resolves a parent
// when it parses, by a literal name, shares the parent's fields with its children,
// and has no scoped or required blocks, no super() inside of an expression, and no
// modules.
//
// A [Template] is immutable and may be rendered by several goroutines at once.
// Everything that one rendering changes, such as lists that a template appends to,
// lives in a run and is made plain before it is returned.
//
// Reading order: template.go is what callers see, with how errors get their places;
// lexer.go cuts the text; compile.go compiles the pieces and builds pongo2's tree; run.go
// renders it and collects what is written. The statements follow: statements.go has
// output, conditions and loops, names.go what binds names (set, with, macro, call),
// files.go include and import, inherit.go extends and block. mutable.go has lists and
// maps that a template changes, literal.go the values that texts stand for.
//
// Templates cannot get out: they see an [expr.Scope] and the files that
// [Options].Loader hands them. Loops, text, nesting, macros and includes are counted.
package template
