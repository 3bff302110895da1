// Package format lays programs of the mgmt language out (spec: mcl-format).
//
//	Program --printer--> text --Parse--> the same tree, the same comments --printer--> the same text
//
// Only layout changes: statements, parentheses, spellings of strings and comments stay. There is no line
// width. Whether a list or a body has one line or many is read from the rows of the source: see
// [printer.open]. Comments are a queue by position; they are printed where a line begins or ends.
//
// Read format.go first, then lines.go (rows, comments, blank lines), statements.go and expressions.go;
// same.go compares the trees before and after.
package format
