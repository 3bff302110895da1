// Package pongo2 renders text templates in pongo2's dialect, with pongo2. Its import registers the dialect:
//
//	import _ "github.com/yaytpl/yaytpl/template/pongo2"
//
// The library has no limits, reads files, and cannot be stopped. Here it gets its files from the sandbox of a project,
// and texts to which calls are added that count what they do:
//
//	text ---scan---> groups ---guard---> text with calls ---pongo2---> result
//	                                          |
//	                        hooks of the run <'  count steps, bytes and the stack
//
// Nothing that is global in the library is changed: a program may use it at the same time.
//
// Reading order: run.go renders a template, in a goroutine of the library that asks for everything outside of it; data.go has
// the document as the template sees it; files.go the loader, and the places of errors; guard.go the calls that are added,
// scan.go the tags among which they go; filters.go how much a filter may make.
package pongo2
