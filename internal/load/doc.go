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
// To read the package, begin with files.go. What it stands on:
//
//	config.go, roots.go       what a run may read
//	confine.go                how a path is kept below directories: place, within
//	url.go, web.go            URLs, and reading them
//	cache.go                  each file once, limits
//	decode.go, decrypt.go     bytes to text
//	host.go, env.go, glob.go, program.go, write.go
//	                          what expressions can ask for
//	named.go, backup.go       files that the user named as such, wherever they are
//	rewrite*.go               several files written together or not at all
//	replace.go, tempfile.go, sweep.go, lock*.go, owner*.go
//	                          how one file takes the place of another
package load
