// Package show prepares values, findings and texts for people to read: short, and with
// secrets masked.
//
//	Value(v, reveal)   80, *****, {...}
//	Finding(d, file)   a finding of the parser that quotes nothing of an encrypted file
//
// Evaluated values have marks, which [Value] obeys. Source that is shown unevaluated has
// none: there [CallsSensitive] and [InsideSensitive] look for calls of "sensitive" in its text and
// keys, and [Finding] looks at the file. Everything is a pure function.
package show
