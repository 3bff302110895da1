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
// Everything here may be shared between goroutines.
package source
