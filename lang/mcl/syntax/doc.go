// Package syntax holds the syntax trees of the mgmt language, and the parser that makes them.
//
//	text --scanner--> tokens --Parse--> Program
//	                                    |- lang/mcl         names, types, evaluation
//	                                    '- lang/mcl/format  the same program, laid out
//
// The parser reads the union of two dialects: the dialect of 2018 and today's (spec: mcl, sections 1
// and 2). It knows no names and no types. A tree keeps what evaluation does not need but layout does:
// parentheses, the words that were chosen, the places of brackets, comments.
//
// The grammar accepts more than evaluation does: a program with a bad escape or a single end of an edge
// has a tree, and can be formatted. Such errors are in Program.Problems.
//
// Read tree.go first, then scan.go, parse.go (tokens, errors, names), parse_stmt.go, parse_expr.go,
// parse_type.go, text.go (strings), hints.go (what users of other languages write), and walk.go for passes
// over trees; type_text.go writes types, annotation.go compares them with literals.
package syntax
