// Package source holds the texts of a configuration, places in them, and findings about
// them.
//
//	File --has--> Span <--at-- Diagnostic --WriteText----> terminal
//	                               '--------MarshalJSON--> editor, CI
//
// A [File] is one immutable version of a text. A [Span] is a range of its bytes. It
// points to its file, so that line and column are computed when they are printed and
// cost nothing before. A [Diagnostic] is one finding; it is an error:
//
//	f := source.NewFile("site.yaml", "port: x")
//	err := source.Errorf(f.Span(6, 7), source.BadType, "expected integer")
//	fmt.Println(err) // site.yaml:1:7: expected integer [bad-type]
//
// Read file.go and diagnostic.go first, then codes.go (the codes, with an example of each)
// and refusal.go (why an edit is refused). excerpt.go writes findings for people, json.go
// and annotations.go for programs; checks.go has the levels of warnings.
//
// Everything here may be shared between goroutines.
package source
