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
// This package is the only importer of the YAML library. How to read it:
//
//	node.go          the tree; trees to data and back
//	parse.go         from a text to it: options, limits, findings, duplicate keys
//	characters.go    characters, names of anchors and templates that both parsers look for
//	lexer.go, lexscalar.go, comments.go    a parser of our own: lexemes ...
//	tree.go          ... and the tree of them
//	outline.go       the upper levels of a tree alone
//	scan.go          what the library needs help with: stand-ins for its bytes
//	convert.go       its nodes to ours
//	diagnosis.go     its errors in the user's words
//	scalar.go        the data of scalars, tagged and untagged
//	decode.go        which bytes of a scalar's source became which of its text
//	json.go          JSON, read and written
//	output.go        what all emitters share; text, shell variables, TOML
//	encode.go        YAML, in block and flow style
//	scalartext.go    scalars in all styles
package yaml
