// Package yaml reads YAML and JSON into trees with source positions, and writes values
// as YAML, JSON, TOML, shell variables and plain text.
//
//	source.File --Parse--> []*Document --> *Node     (data as written, no semantics)
//	value.Value --Encode--> text
//
// A [Node] has the byte spans of its value, key, tag, anchor and comments. A scalar gets
// its data by the rules of YAML 1.2's core schema and keeps its spelling: 0x1F is the
// integer 31, and is written as 0x1F again. The package knows no merge directives,
// expressions or templates, with two exceptions that the YAML library cannot read and
// that the merge language needs: {+?/x: } and {eval: ::a} in flow style, and an unquoted
// {{ template }}.
//
// Two parsers make the same tree, comments included; tests and fuzzing compare them.
// The fast parser (lexer, treeParser) reads the common subset of YAML, several times
// faster than the library. For anything else, and for every text with an error, the
// library parses the text and a converter makes our nodes of its nodes.
//
// This package is the only importer of the YAML library. The files, in the order of
// reading:
//
//	node.go          nodes; nodes to values and back
//	parse.go         Parse: options, limits, findings, duplicate keys
//	characters.go    line breaks, names of anchors, templates
//	lexer.go         the fast parser: structure of lexemes
//	lexnode.go       the fast parser: anchors, tags and aliases
//	lexscalar.go     the fast parser: plain and quoted scalars
//	lexblock.go      the fast parser: block scalars
//	comments.go      the fast parser: the places of comments
//	tree.go          the fast parser: documents and nodes
//	collection.go    the fast parser: lists and maps
//	outline.go       a tree of the upper levels only
//	scan.go          stand-ins for the bytes that the library cannot read
//	convert.go       parsing with the library; its nodes to ours
//	diagnosis.go     errors of the library in the user's words
//	scalar.go        the data of tagged and untagged scalars
//	decode.go        the source bytes of each byte of a scalar's text
//	json.go          JSON, read and written
//	output.go        the shared part of the encoders; text, shell variables, TOML
//	encode.go        YAML in block and flow style
//	scalartext.go    scalars in all styles
package yaml
