// Package source holds the texts that a configuration is written in, the places
// in them, and the findings about them.
//
//	File --has--> Span <--at-- Diagnostic --WriteText----> terminal
//	                               '--------MarshalJSON--> editor, CI
//
// A [File] is one immutable version of a text. A [Span] is a range of its bytes;
// it points to its file, so that line and column can be worked out when they are
// printed and cost nothing before. A [Diagnostic] is one finding; it is an error.
//
// To read: file.go and span.go, diagnostic.go and codes.go; then how findings are written,
// in excerpt.go for people and in json.go for programs. codes_table.go has an example of
// each code, suggest.go the "did you mean".
//
// Everything here may be shared between goroutines.
package source
