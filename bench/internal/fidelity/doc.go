// Package fidelity makes edits of YAML and JSON files that somebody else wrote, and
// judges what an editor makes of them: whether only the lines that an edit means are
// other ones, and whether all other data is as before.
//
// Nothing in it is shared with what it judges. Texts are read with encoding/json and
// gopkg.in/yaml.v3, and lines are compared as bytes.
//
// [Read] reads a file, [File.Cases] picks edits of it, and [Case.Judge]
// looks at what came out: at the lines (window.go, which counts what may change; lines.go,
// extent.go), at the data (same.go) and at the comments (comments.go).
package fidelity
