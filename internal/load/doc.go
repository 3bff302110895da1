// Package load reads what a configuration is made of, inside the sandbox, and writes files
// back.
//
//	name, base --resolve--> path or URL --confine--> bytes --decrypt, decode--> source.File
//	                                       (roots, limits)           (cached by path)
//
// A [Files] is one run: it knows the roots, counts files and bytes, and gives the
// same [source.File] for the same path. A [Host] is the rest of the world that
// expressions can ask for: environment, globs, programs, written files.
//
// Everything that is refused is a Diagnostic with code forbidden that names the
// flag which would allow it.
//
// The files, in the order in which to read them:
//
//	files.go      a run, opening files, names to paths, each file once, limits
//	confine.go    the roots, and how a path is kept below directories: place, within
//	decode.go     bytes to text
//	web.go        URLs, and reading them
//	host.go, glob.go
//	              the world as expressions see it
//	write.go      how one file takes the place of another
//	rewrite.go    several files written together or not at all
//	errors.go     messages
//	system_*.go, lock_*.go
//	              owners and locks, which differ by system
package load
