// Package load reads the files, URLs and variables that a configuration uses, runs its
// programs, and writes files, all inside the sandbox.
//
//	name, base --resolve--> path or URL --confine--> bytes --decrypt, decode--> source.File
//	                                       (roots, limits)           (cached by path)
//
// A [Files] is one run: it has the roots, counts files and bytes against the limits, and
// returns the same [source.File] for the same path. A [Host] gives expressions access to
// the environment, globs, programs and files to write.
//
// A refusal is a Diagnostic with code forbidden that names the flag that would allow the
// access.
//
// The files, in the order in which to read them:
//
//	files.go      a run, opening files, names to paths, each file once, limits
//	ahead.go      reading files before they are opened
//	confine.go    the roots, and how a path is kept below directories: place, within
//	decode.go     bytes to text
//	inputs.go     notes of everything that is read
//	record.go     inputs with their answers, for a later run to compare
//	web.go        URLs, and reading them
//	host.go, glob.go
//	              environment, programs and globs for expressions
//	write.go      writing a file, and replacing one atomically
//	rewrite.go    several files written together or not at all
//	errors.go     messages
//	system_*.go, lock_*.go
//	              owners, locks and flags of each system
package load
