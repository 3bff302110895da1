// Package yaml reads YAML, JSON, TOML and .env files into trees with source positions, and writes
// values as YAML, JSON, TOML, shell variables and plain text.
//
//	source.File --Parse--> []*Document --> *Node     (data as written, no semantics)
//	value.Value --Encode--> text
//
// A [Node] has the byte spans of its value, key, tag, anchor and comments. A scalar gets
// its data by the rules of YAML 1.2's core schema and keeps its spelling: 0x1F is the
// integer 31, and is written as 0x1F again. The package knows no merge directives,
// expressions or templates, with two exceptions that the merge language needs: an unquoted
// {{ template }}, and {eval: ::} in flow style, the path of the root.
//
// The parser reads YAML 1.2.2, all of it. It is stricter than many others, which accept
// "\'", a comment without a blank in front of it, or a line in brackets that is not indented;
// it accepts a closing bracket in the column of its key, which the specification does not,
// since everybody writes it so. Maps and lists as keys are read and reported: there is no data
// for them. Tests compare its trees, comments included, with nodes of gopkg.in/yaml.v3:
// library_test.go converts these, and differential_test.go lists what the library lacks, by
// the rule of the specification.
//
// The files, in the order of reading:
//
//	node.go          nodes; nodes to values and back
//	parse.go         Parse: options, limits, findings, duplicate keys
//	characters.go    line breaks, names of anchors, templates
//	lexer.go         from text to lexemes: structure
//	lexflow.go       brackets
//	lexnode.go       anchors, tags and aliases
//	lexscalar.go     plain and quoted scalars
//	lexblock.go      block scalars
//	comments.go      the places of comments
//	directives.go    %YAML and %TAG; names of tags
//	tree.go          from lexemes to trees: documents and nodes
//	collection.go    lists and maps
//	outline.go       a tree of the upper levels only
//	skim.go          what an outline omits
//	failure.go       the place where the parser stopped
//	scan.go          a scanner for texts with mistakes
//	diagnosis.go     the mistake before that place
//	mistakes.go      usual mistakes and their corrections
//	scalar.go        the data of tagged and untagged scalars
//	decode.go        the source bytes of each byte of a scalar's text
//	json.go          JSON, read and written; json_mistakes.go
//	typed.go         texts that are one value
//	toml.go          TOML, read
//	dotenv.go        .env files
//	output.go        the shared part of the encoders; text, shell variables
//	encode.go        YAML in block and flow style
//	encode_toml.go   TOML, written
//	scalartext.go    scalars in all styles
//	memo.go          texts of lists and maps that are kept for the next result
//
// Other packages of this module use it, and its API may change with any version: package yaytpl names the packages
// whose API is kept.
package yaml
