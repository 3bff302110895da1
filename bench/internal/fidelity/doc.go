// Package fidelity picks edits of YAML and JSON files of other projects, and judges the result
// of an editor: whether it changed only the lines that the edit concerns, and no other data.
//
// The package shares no code with the editors that it judges. It reads texts with
// encoding/json and gopkg.in/yaml.v3, and compares lines as bytes.
//
// The files, in the order in which to read them: file.go reads a text into trees, cases.go
// picks edits of it ([File.Cases]), judge.go looks at the text after an edit ([Case.Judge]):
// at its data, at its lines with window.go, and at its comments with comments.go.
package fidelity
