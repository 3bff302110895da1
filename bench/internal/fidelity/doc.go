// Package fidelity makes edits of YAML and JSON files that somebody else wrote, and
// judges what an editor makes of them: whether only the lines that an edit means are
// other ones, and whether all other data is as before.
//
// Nothing in it is shared with what it judges. Texts are read with encoding/json and
// gopkg.in/yaml.v3, and lines are compared as bytes.
//
// The files, in the order in which to read them: file.go reads a text into trees, cases.go
// picks edits of it ([File.Cases]), judge.go looks at the text after an edit ([Case.Judge]):
// at its data, at its lines with window.go, and at its comments with comments.go.
package fidelity
