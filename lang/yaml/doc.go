// Package yaml reads YAML and JSON text into trees that know their place, and
// writes values as YAML, JSON, TOML, shell variables and plain text.
//
//	source.File --Parse--> []*Document --> *Node     (no semantics: data as written)
//	value.Value --Encode--> text
//
// A [Node] has the byte span of everything it says: value, key, tag, anchor,
// comments. Scalars are constructed here, by the rules of YAML 1.2's core schema,
// and keep their spelling. Nothing here knows merge directives, expressions or
// templates, but for two shapes that the YAML library cannot read and that our
// language lives on: {+?/x: } and {eval: ::a} in flow style, and an unquoted
// {{ template }}.
//
// There are two ways from text to tree. A parser of our own (lexer, treeParser) reads
// the common subset of YAML, several times faster than the library; what it does not
// know, and every text with an error, it leaves to the library, whose nodes are then
// converted. Both ways make the same tree, comments included: tests and fuzzing
// compare them.
//
// This package is the only importer of the YAML library.
package yaml
